"""A perfect ear for the same evening, which shows what the rest of the assistant costs.

``words``: the real ear finds the utterances, and every word of the players in one is heard right.
``ear``: everything that a player says is heard right, half a second after its end, in any room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from assistant.language.lexicon import UNKNOWN
from assistant.language.lexicon.text import words_of
from assistant.messages import MOSTLY, Heard, Word
from scripts.lab.tablebench.players import CHAT, Utterance

WORDS, EAR = "words", "ear"
KINDS = (WORDS, EAR)
HEARD_AFTER = 0.5
"""Seconds after its end at which a perfect ear has heard what was said."""


class Oracle:
    """Corrects what the ear heard by what was said."""

    def __init__(self, kind: str, said: Callable[[], Sequence[Utterance]]) -> None:
        """``said``: everything that the players have said so far, in order."""
        self._kind = kind
        self._said = said
        self._told: set[Utterance] = set()

    def corrected(self, heard: Heard) -> Heard | None:
        """The utterance to hear in place of what the ear heard; None for nothing."""
        if self._kind == EAR:
            return None
        if not heard.words:
            return heard
        start, end = heard.words[0].start, heard.words[-1].end
        there = [said for said in self._said() if _within(said, start, end)]
        words = [word for said in there if said not in self._told for word in _words(said)]
        if not there:
            return heard
        self._told.update(there)
        return Heard(tuple(words)) if words else None

    def due(self, now: float) -> Iterator[Heard]:
        """What a perfect ear has heard by now and not reported yet."""
        if self._kind != EAR:
            return
        for said in self._said():
            if said not in self._told and said.end + HEARD_AFTER <= now:
                self._told.add(said)
                yield Heard(tuple(_words(said)))


def _within(said: Utterance, start: float, end: float) -> bool:
    """Whether most of an utterance lies between two times."""
    return min(end, said.end) - max(start, said.start) >= MOSTLY * (said.end - said.start)


def _words(said: Utterance) -> list[Word]:
    if said.kind == CHAT:
        return [Word(UNKNOWN, said.start, said.end)]
    words = words_of("".join(one for one in said.words if one.isalpha() or one == " "))
    step = (said.end - said.start) / max(1, len(words))
    return [
        replace(word, start=said.start + at * step, end=said.start + (at + 1) * step)
        for at, word in enumerate(words)
    ]
