"""Telling words said at the table from words of people behind it.

Each word is judged by itself. Unknown speech from behind the table does not spoil a call that was
said at the table. Unknown speech in the same breath and as loud as the call does spoil it, because
the same voice said both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.ear.endpoint import Endpoint
from assistant.ear.foreground import SILENCE
from assistant.ear.speech_model import UNKNOWN
from assistant.ear.voice_activity import VoiceActivity
from assistant.messages import Heard, Word

REFUSALS = ("no", "ez")
"""Words that turn a call into its opposite: one of them must never be lost."""
IN_FRONT = 0.2
"""A word counts as said at the table if somebody there spoke in this share of it at least."""
NOT_IN_FRONT = 0.1
"""Below this share, where people talk, a word beside a call was said by somebody else."""
FAINTER = 7.0
"""Unknown speech this many dB fainter than the call in its breath is of another voice."""
BELOW_TALK = 3.0
"""A "no" this many dB fainter than the talk behind the table is surely a part of that talk. The
limit is strict, because a refusal that loses its "no" becomes a yes."""
BELOW_CALL = 12.0
"""Just after the assistant has spoken, a "no" this many dB fainter than the call is its residue."""
PART = 0.2
"""Seconds at a word's beginning or end that decide who said it."""
EDGE = 0.06
"""Seconds at either end of a word in which the word beside it may still sound."""
BREATH = 0.25
"""Seconds without a word after which somebody else may be speaking."""


DISTANT, ALONE = 14.0, 20.0
"""A voice this many dB below the table's usual call is not a player's: seats differ by 6, and
voices by some more. ``ALONE`` holds where nobody talks behind the table, because a faint voice is
then hardly anybody else's."""
QUIET = 35.0
"""The table's usual call is this many dB louder than the room, where nobody talks behind it."""
NOISY = 26.0
"""In a call less than this many dB above the room, noise may have swallowed a word. Calls are 34 dB
above it where talk is 30 below the players, 24 where talk is 20 below them, and 19 in a café whose
noise is 12 below them."""


@dataclass(frozen=True, slots=True)
class Front:
    """When somebody at the table spoke, in stream time: ``shift`` ahead of the endpoint.

    ``voice``: tells voices from knocks. ``partial``: what was heard of what sounds now.
    """

    endpoint: Endpoint
    shift: float
    voice: VoiceActivity | None = None
    partial: str = ""

    @property
    def crowded(self) -> bool:
        """Whether people talk behind the table."""
        return self.endpoint.crowded

    @property
    def talk_behind(self) -> bool:
        """The same, whatever is left of the assistant's own voice."""
        return self.endpoint.talk_behind

    def spoken_before(self, pause: float) -> tuple[float, float] | None:
        """Start and end of what the table said last, once it has paused; None until then.

        ``pause``: seconds of silence that end it; shorter pauses belong to it.
        """
        if self.endpoint.silence < pause:
            return None
        found = self.endpoint.stretches_in_front(pause)
        return (found[-1][0] + self.shift, found[-1][1] + self.shift) if found else None

    def voiced(self, start: float, end: float) -> float:
        """Seconds of a stretch in which there was a voice; all of it if nobody can tell."""
        if self.voice is None:
            return end - start
        return self.voice.voiced(start - self.shift, end - self.shift)

    def stretches(self, start: float, end: float, gap: float) -> list[tuple[float, float]]:
        """The stretches in which the table spoke, in order; pauses up to ``gap`` seconds belong."""
        found = self.endpoint.stretches_in_front(gap, start - self.shift, end - self.shift)
        return [(first + self.shift, last + self.shift) for first, last in found]

    def share(self, start: float, end: float) -> float:
        """The share of a stretch, 0 to 1, in which the table spoke."""
        return self.endpoint.share_in_front(start - self.shift, end - self.shift)

    def level(self, start: float, end: float) -> float:
        """How loud a stretch is: its loudest vowel, in dB below full scale."""
        return self.endpoint.level(start - self.shift, end - self.shift)

    def below_usual(self, start: float, end: float) -> float:
        """How many dB a stretch is fainter than the table's usual call."""
        return self.endpoint.below_usual(start - self.shift, end - self.shift)

    def above_room(self, start: float, end: float) -> float:
        """How many dB a stretch is louder than what sounds behind the table."""
        return self.level(start, end) - self.endpoint.behind

    def judged(self, heard: Heard, start: float, end: float) -> Heard:
        """An utterance, marked if it is much fainter than the usual call, or hardly above noise."""
        above = self.level(start, end) - self.endpoint.behind
        # A word may be timed from the silence before it.
        below = self.endpoint.below_usual(start - self.shift, end - self.shift, spoken=True)
        distant = below > (ALONE if above + below > QUIET else DISTANT)
        return replace(heard, distant=distant, noisy=above < NOISY)


def of_the_table(words: Sequence[Word], shift: float, endpoint: Endpoint) -> Iterator[Word]:
    """The words that were said at the table, in order.

    ``shift``: seconds that stream time is ahead of the sound that the endpoint was fed. Of a breath
    only the first and last words may be left out, because a word between two words of a call
    belongs to the call.
    """
    for breath in _breaths(words):
        heard = _Breath(breath, shift, endpoint)
        if endpoint.crowded and not any(
            heard.share_in_front(at) >= IN_FRONT for at in range(len(breath))
        ):
            continue
        kept = [at for at in range(len(breath)) if not heard.is_behind(at)]
        for at in range(min(kept, default=0), max(kept, default=-1) + 1):
            if breath[at].text != UNKNOWN or at in kept:
                yield breath[at]


class _Breath:
    """Words without a pause between them, and how loud each is."""

    def __init__(self, words: Sequence[Word], shift: float, endpoint: Endpoint) -> None:
        self._words = words
        self._endpoint = endpoint
        self._spans = [(word.start - shift, word.end - shift) for word in words]
        known = (self.level(at) for at, word in enumerate(words) if word.text != UNKNOWN)
        self._loudest = max(known, default=SILENCE)

    def level(self, at: int) -> float:
        """How loud a word is, without its edges, in which the words beside it may sound."""
        start, end = self._spans[at]
        inner = min(EDGE, (end - start) / 4)
        first = start + (inner if at else 0.0)
        last = end - (inner if at + 1 < len(self._words) else 0.0)
        return self._endpoint.level(first, last)

    def share_in_front(self, at: int) -> float:
        """The share, 0 to 1, in which the table spoke: of the word's beginning or end, the larger.

        One end is enough, because the first word of an utterance may be timed from long before it
        was said.
        """
        start, end = self._spans[at]
        part = min(PART, end - start)
        return max(
            self._endpoint.share_in_front(start, start + part),
            self._endpoint.share_in_front(end - part, end),
        )

    def is_behind(self, at: int) -> bool:
        """Whether a word, given that it is the first or the last, was said behind the table."""
        text, level = self._words[at].text, self.level(at)
        if text == UNKNOWN:
            return level < self._loudest - FAINTER
        if not self._endpoint.crowded or self.share_in_front(at) >= NOT_IN_FRONT:
            return False
        if text not in REFUSALS or level < self._endpoint.behind - BELOW_TALK:
            return True
        return self._endpoint.echoed and level < self._loudest - BELOW_CALL


def _breaths(words: Sequence[Word]) -> Iterator[list[Word]]:
    """The words, grouped into runs without a pause."""
    breath: list[Word] = []
    for word in words:
        if breath and word.start - breath[-1].end > BREATH:
            yield breath
            breath = []
        breath.append(word)
    if breath:
        yield breath
