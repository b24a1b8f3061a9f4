"""One batch as it is walked through for the voice: what the tellers of events are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.phrases.language import Language, sentence
from assistant.phrases.standing import brief_score
from assistant.rules import events as e
from assistant.rules.history import Record
from assistant.rules.state import State


@dataclass(slots=True)
class Scene:
    """The table right after an event (``state``) and after the whole batch (``after``)."""

    language: Language
    state: State
    after: State
    history: Sequence[Record]
    full: bool
    events: Sequence[e.Event] = ()
    """The whole batch."""
    asked: Sequence[e.PenaltyProposed] = ()
    """The articles that waited for the table before the batch."""
    won: list[e.StonesWon] = field(default_factory=list)
    """Stones of the count that are still to be told."""
    mano_told: int | None = None
    """Who was told to be mano with an event before."""
    following: e.Event | None = None
    """The event after the one that is told."""
    named: str | None = None
    """The side that was named last, where a juego that it wins needs no name."""
    told: tuple[int, ...] | None = None
    """The stones of the score that was told last; before that, those before the batch."""

    def name(self, seat: int | None) -> str:
        """The name of a player, or "somebody"."""
        return self.language.name(self.state, seat)

    def side(self, side: str) -> str:
        """The names of a side."""
        return self.language.side(self.state, side)

    def with_score(self, what: str, side: str) -> str:
        """``what`` a side was given or lost, and the score that it leads to."""
        self.named = side
        if self.full:
            stones = self.language.score(self.state.stones_of(side))
            score = self.language.fill("say.in_all", score=stones)
        elif isinstance(self.following, e.JuegoWon) and self.following.side == side:
            return what  # the stones of a juego that is over are nothing any more
        else:
            score = self.brief_score()
        return f"{what} {sentence(score)}"

    def brief_score(self) -> str:
        """The score in numbers alone, as a sentence."""
        return sentence(self.language.fill("say.total", score=self.numbers()))

    def numbers(self) -> str:
        """The score in numbers alone; with "adentro" for who has just got there."""
        score = brief_score(self.language, self.state, self.told)
        self.told = self.state.stones
        return score

    def call(self, key: str, event: Any, **words: str) -> str:
        """A sentence about a call, with the speaker, the lance and the stones of the event."""
        if "stones" not in words and isinstance(getattr(event, "stones", None), int):
            words["stones"] = self.language.stones(event.stones)
        lance = self.language.lance(event.lance, "to")
        return self.language.fill(key, name=self.name(event.seat), lance=lance, **words)


Teller = Callable[[Scene, Any], str | None]
"""Tells one event; ``None`` where nothing is said of it."""
