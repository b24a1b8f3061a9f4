"""An utterance heard once more, as nothing but what the moment asks for.

Four cards named aloud are four short words among a thousand: "rey, rey" is taken for "treinta". A
grammar of cards alone cannot make that mistake. That it *is* a hand is told by comparing how well
both grammars explain the same sound. The test is a log likelihood ratio, so it needs no probability
of unknown speech.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.messages import Heard, Hypothesis, Narrowed, Word
from assistant.speech.decoder import Decoders
from assistant.speech.ear import Hears
from assistant.speech.grammar import UNKNOWN
from assistant.speech.hypotheses import likely
from assistant.speech.recogniser import LONGEST, Partial
from assistant.speech.sound import RecentSound
from assistant.speech.source import Block

LEEWAY = 0.3
"""Seconds before and after an utterance that are heard again: its first and last sounds."""
SHORTEST = 0.7
"""Seconds of speech below which it is no hand."""
LONGEST_HAND = 7.0
"""Seconds that a hand takes at most."""
TOGETHER = 1.0
"""Seconds of a pause in a hand. Talk behind the table may tear it into several utterances, or leave
none of it: so what the table said last is heard as a whole, too, once there was such a pause."""
LEAST = -2.5
"""Margin, in nats, below which it is talk (scripts/tune_hands.py)."""
WAYS = 60
"""Ways to hear a hand that are kept: which cards are possible decides among them."""
KEPT = LONGEST + 3.0
"""Seconds of sound that are kept."""

Narrow = Callable[[], Sequence[str] | None]
"""The grammar of what the moment asks for; None where it asks for nothing in particular."""
Whole = Callable[[Sequence[Word]], bool]
"""Whether words are all of what it asks for."""
Spoken = Callable[[float], tuple[float, float] | None]
"""The stream times of what the table said last, once it has paused for so many seconds."""


class Reheard:
    """An ear that hears an utterance once more where the moment asks for one thing alone."""

    def __init__(
        self, first: Hears, decoders: Decoders, broad: Callable[[], Sequence[str]],
        narrow: Narrow, whole: Whole, spoken: Spoken, least: float = LEAST,
    ) -> None:  # fmt: skip
        """``decoders``: of the first ear's model, WAYS to hear each; ``broad``: its grammar now.

        ``least``: the margin, in nats, below which what was heard is not what the moment asks for.
        """
        self._first = first
        self._decoders = decoders
        self._broad, self._narrow, self._whole = broad, narrow, whole
        self._spoken, self._least = spoken, least
        self._sound = RecentSound(KEPT)
        self._done = 0.0

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._sound.feed(block)
        if block.cancelled:
            self._done = block.end  # the assistant names hands, too
        results = [
            self._again(result) if isinstance(result, Heard) else result
            for result in self._first.feed(block)
        ]
        if not any(isinstance(result, Heard) for result in results):
            results += self._pieces(block.end)
        return results

    def flush(self) -> list[Heard]:
        """End the utterance under way here and now."""
        return [self._again(heard) for heard in self._first.flush()]

    @property
    def knows_the_table(self) -> bool:
        """Whether the first ear does; see Recogniser."""
        return self._first.knows_the_table

    def break_off(self) -> list[Heard]:
        """End it because the assistant begins to speak; see Recogniser."""
        return [self._again(heard) for heard in self._first.break_off()]

    def _again(self, heard: Heard) -> Heard:
        """The same, with what it is if it is what the moment asks for."""
        if not heard.words:
            return heard
        ways = [way.words for way in heard.hypotheses if way.words] or [heard.words]
        start = min(words[0].start for words in ways)
        end = max(words[-1].end for words in ways)
        if narrowed := self._narrowed(start, end):
            return replace(heard, narrowed=narrowed)
        return heard

    def _pieces(self, now: float) -> list[Heard]:
        """What the table said last, as a whole, if it is what the moment asks for."""
        if self._narrow() is None:
            self._done = now
            return []
        if (stretch := self._spoken(TOGETHER)) is None or stretch[1] <= self._done:
            return []
        start, end = max(stretch[0], self._done), stretch[1]
        narrowed = self._narrowed(start, end)
        self._done = end
        if narrowed is None:
            return []
        unknown = (Word(UNKNOWN, start, end),)
        return [Heard(unknown, hypotheses=(Hypothesis(unknown, 1.0),), narrowed=narrowed)]

    def _narrowed(self, start: float, end: float) -> Narrowed | None:
        """What a stretch of sound is as what the moment asks for; None where it is not that."""
        phrases = self._narrow()
        if phrases is None or not SHORTEST <= end - start <= LONGEST_HAND:
            return None
        start, end = max(start - LEEWAY, self._done), end + LEEWAY
        found = self._sound.hear(self._decoders.of(phrases), start, end)
        whole = [(words, score) for words, score in found if words and self._whole(words)]
        if not whole:
            return None
        every = self._sound.hear(self._decoders.of(self._broad()), start, end)
        margin = max(score for _, score in whole) - max((score for _, score in every), default=0.0)
        if margin < self._least:
            return None
        self._done = end
        return Narrowed(likely(whole), margin)
