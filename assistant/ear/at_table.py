"""Which of the words heard were said at the table, and which by people behind it.

Trust is given word by word. Unknown speech from behind does not veto a call in front of it; unknown
speech in the same breath and as loud as the call does, because the same voice said it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.ear.endpoint import Endpoint
from assistant.ear.foreground import SILENCE
from assistant.ear.speech_model import UNKNOWN
from assistant.messages import Word

REFUSALS = ("no", "ez")
"""Words without which a call would be its opposite."""
IN_FRONT = 0.2
"""Share of a word in which the table itself has to have spoken, or it was said behind it."""
NOT_IN_FRONT = 0.1
"""Share of a word before or after a call below which another said it, where people talk."""
FAINTER = 7.0
"""dB below the call in the same breath from which unknown speech is not of the same voice."""
BELOW_TALK = 3.0
"""dB below that talk at which a "no" is surely a part of it; without it a refusal is a yes."""
BELOW_CALL = 12.0
"""dB below the call at which a "no" is the assistant's own, where it has just spoken."""
PART = 0.2
"""Seconds at the end of a word by which it is told who said it."""
EDGE = 0.06
"""Seconds of a word at either end in which the word beside it may sound."""
BREATH = 0.25
"""Seconds without a word between two things that may be said by different people."""


@dataclass(frozen=True, slots=True)
class Front:
    """Who spoke at the table, in stream time, which is ``shift`` ahead of the endpoint's sound."""

    endpoint: Endpoint
    shift: float

    @property
    def crowded(self) -> bool:
        """Whether people talk behind the table."""
        return self.endpoint.crowded

    def spoken_before(self, pause: float) -> tuple[float, float] | None:
        """What the table said last, once it has paused; None until then.

        ``pause``: seconds of silence after it, and of the longest pause in it.
        """
        if self.endpoint.silence < pause:
            return None
        found = self.endpoint.stretches_in_front(pause)
        return (found[-1][0] + self.shift, found[-1][1] + self.shift) if found else None

    def stretches(self, start: float, end: float, gap: float) -> list[tuple[float, float]]:
        """The stretches, in order, in which it spoke; ``gap``: seconds of the longest pause."""
        found = self.endpoint.stretches_in_front(gap, start - self.shift, end - self.shift)
        return [(first + self.shift, last + self.shift) for first, last in found]

    def share(self, start: float, end: float) -> float:
        """The share of a stretch, 0 to 1, in which it spoke."""
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


def of_the_table(words: Sequence[Word], shift: float, endpoint: Endpoint) -> Iterator[Word]:
    """The words, in order, that were said at the table.

    ``shift``: seconds that stream time is ahead of the sound that the endpoint was fed. Within a
    breath only words at its beginning and end are left out: what stands between two of a call's
    words belongs to it.
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
        """How loud a word is; its edges, where the words beside it may sound, are left out."""
        start, end = self._spans[at]
        inner = min(EDGE, (end - start) / 4)
        first = start + (inner if at else 0.0)
        last = end - (inner if at + 1 < len(self._words) else 0.0)
        return self._endpoint.level(first, last)

    def share_in_front(self, at: int) -> float:
        """The share of a word, 0 to 1, in which the table spoke, at the end with more of it.

        The first word of an utterance may be timed from long before it was said.
        """
        start, end = self._spans[at]
        part = min(PART, end - start)
        return max(
            self._endpoint.share_in_front(start, start + part),
            self._endpoint.share_in_front(end - part, end),
        )

    def is_behind(self, at: int) -> bool:
        """Whether a word, if it is the first or the last, is of somebody behind the table."""
        text, level = self._words[at].text, self.level(at)
        if text == UNKNOWN:
            return level < self._loudest - FAINTER
        if not self._endpoint.crowded or self.share_in_front(at) >= NOT_IN_FRONT:
            return False
        if text not in REFUSALS or level < self._endpoint.behind - BELOW_TALK:
            return True
        return self._endpoint.echoed and level < self._loudest - BELOW_CALL


def _breaths(words: Sequence[Word]) -> Iterator[list[Word]]:
    """The words in runs without a pause."""
    breath: list[Word] = []
    for word in words:
        if breath and word.start - breath[-1].end > BREATH:
            yield breath
            breath = []
        breath.append(word)
    if breath:
        yield breath
