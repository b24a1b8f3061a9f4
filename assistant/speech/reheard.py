"""An utterance heard once more, as nothing but what the moment asks for.

Four cards named aloud are four short words among a thousand: "rey, rey" is taken for "treinta". A
grammar of cards alone cannot make that mistake. That it *is* a hand is told by comparing how well
both grammars explain the same sound. The test is a log likelihood ratio, so it needs no probability
of unknown speech.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.messages import Heard, Narrowed, Word
from assistant.speech.decoder import Decoders
from assistant.speech.ear import Hears
from assistant.speech.hypotheses import likely
from assistant.speech.recogniser import LONGEST, Partial
from assistant.speech.sound import RecentSound
from assistant.speech.source import Block

LEEWAY = 0.3
"""Seconds before and after an utterance that are heard again: its first and last sounds."""
SHORTEST = 0.7
"""Seconds of an utterance, or of several that belong together, below which it is no hand."""
TOGETHER = 1.5
"""Seconds between two utterances that may be one hand: talk behind the table tears it apart."""
SPAN = 6.0
"""Seconds that a hand takes at most."""
LEAST = -2.5
"""Margin, in nats, below which it is talk. Of 80 hands by voices that are chosen by the lowest had
-1.6, and of 130 sentences of talk the highest -3.4 (docs/ear.md)."""
WAYS = 60
"""Ways to hear a hand that are kept: which cards are possible decides among them."""
KEPT = LONGEST + 3.0
"""Seconds of sound that are kept."""

Narrow = Callable[[], Sequence[str] | None]
"""The grammar of what the moment asks for; None where it asks for nothing in particular."""
Whole = Callable[[Sequence[Word]], bool]
"""Whether words are all of what it asks for."""


class Reheard:
    """An ear that hears an utterance once more where the moment asks for one thing alone."""

    def __init__(
        self, first: Hears, decoders: Decoders, broad: Callable[[], Sequence[str]],
        narrow: Narrow, whole: Whole,
    ) -> None:  # fmt: skip
        """``decoders``: of the first ear's model, WAYS to hear each; ``broad``: its grammar now."""
        self._first = first
        self._decoders = decoders
        self._broad, self._narrow, self._whole = broad, narrow, whole
        self._sound = RecentSound(KEPT)
        self._before: list[tuple[float, float]] = []

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._sound.feed(block)
        return [
            self._again(result) if isinstance(result, Heard) else result
            for result in self._first.feed(block)
        ]

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
        phrases = self._narrow()
        if phrases is None or not heard.words:
            self._before.clear()
            return heard
        ways = [way.words for way in heard.hypotheses if way.words] or [heard.words]
        start = min(words[0].start for words in ways)
        end = max(words[-1].end for words in ways)
        self._before = [
            span for span in self._before if start - span[1] < TOGETHER and end - span[0] < SPAN
        ]
        for first in (start, *(begun for begun, _ in reversed(self._before))):
            if end - first < SHORTEST:
                continue
            if narrowed := self._narrowed(phrases, first - LEEWAY, end + LEEWAY):
                self._before.clear()
                return replace(heard, narrowed=narrowed)
        self._before.append((start, end))
        return heard

    def _narrowed(self, phrases: Sequence[str], start: float, end: float) -> Narrowed | None:
        found = self._sound.hear(self._decoders.of(phrases), start, end)
        whole = [(words, score) for words, score in found if words and self._whole(words)]
        if not whole:
            return None
        every = self._sound.hear(self._decoders.of(self._broad()), start, end)
        if not every:
            return None
        margin = max(score for _, score in whole) - max(score for _, score in every)
        return Narrowed(likely(whole), margin) if margin >= LEAST else None
