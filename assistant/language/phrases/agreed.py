"""The scene of a batch that is told aloud, and the tellers of what the table agrees on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.language.phrases.language import Language, sentence
from assistant.language.phrases.standing import brief_score
from assistant.language.phrases.undo import article, proposal, waiting
from assistant.rules import events as e
from assistant.rules.events import OF_ONE
from assistant.rules.history import Record
from assistant.rules.state import State

# ---- The scene: what the tellers of events are given, as a batch is walked through --------------


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
    """The mano that an earlier event of the batch has named."""
    following: e.Event | None = None
    """The event after the one that is being told."""
    named: str | None = None
    """The side that was named last; if it wins the juego, it is not named again."""
    told: tuple[int, ...] | None = None
    """The stones of the score that was told last; at first, the stones before the batch."""

    def name(self, seat: int | None) -> str:
        """The name of a player, or "somebody"."""
        return self.language.name(self.state, seat)

    def side(self, side: str) -> str:
        """The names of a side."""
        return self.language.side(self.state, side)

    def with_score(self, what: str, side: str) -> str:
        """``what`` a side was given or lost, and the new score."""
        self.named = side
        if self.full:
            stones = self.language.score(self.state.stones_of(side))
            score = self.language.fill("say.in_all", score=stones)
        elif isinstance(self.following, e.JuegoWon) and self.following.side == side:
            return what  # the stones of a juego that is over mean nothing any more
        else:
            score = self.brief_score()
        return f"{what} {sentence(score)}"

    def brief_score(self) -> str:
        """The score in numbers alone, as a sentence."""
        return sentence(self.language.fill("say.total", score=self.numbers()))

    def numbers(self) -> str:
        """The score in numbers alone; with "adentro" for a side that has just got there."""
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


# ---- Told aloud: what the table agrees on, puts right, or lets an article decide ----------------


def _pedrete(scene: Scene, event: e.PedreteSung) -> str:
    side = scene.state.side_of(event.seat)
    told = scene.language.fill(
        "say.pedrete",
        name=scene.name(event.seat),
        stones=scene.language.stones(event.stones),
    )
    return scene.with_score(told, side)


def _claimed(scene: Scene, event: e.LanceClaimed) -> str | None:
    if not scene.full and any(isinstance(ev, e.DealCounted | e.JuegoWon) for ev in scene.events):
        return None  # the count tells it
    words = {"lance": scene.language.lance(event.lance), "side": scene.side(event.side)}
    if not event.values:
        return scene.language.fill("say.claimed", **words)
    stones = scene.language.stones(sum(event.values))
    return scene.language.fill("say.claimed_values", stones=stones, **words)


def _adjusted(scene: Scene, event: e.StonesAdjusted) -> str:
    told = scene.language.fill(
        "say.adjust_fewer" if event.stones < 0 else "say.adjust_more",
        side=scene.side(event.side),
        stones=scene.language.stones(abs(event.stones)),
    )
    return scene.with_score(told, event.side)


def _corrected(scene: Scene, event: e.BetCorrected) -> str:
    lance = scene.language.lance(event.lance, "to")
    stones = scene.language.stones(event.stones)
    return scene.language.fill("say.bet_corrected", lance=lance, stones=stones)


def _recount(scene: Scene, _event: e.CountReopened) -> str:
    return scene.language.texts["say.recount"]


def _void(scene: Scene, _event: e.DealVoided) -> str | None:
    if any(isinstance(ev, e.PenaltyApplied) for ev in scene.events):
        return None  # the article has said so
    return scene.language.texts["say.deal_void"]


def _reported(scene: Scene, event: e.IrregularityReported) -> str:
    words: dict[str, str] = {}
    if event.kind in OF_ONE:
        words["name"] = scene.name(event.seat)
    if event.kind is e.Irregularity.CARD_COUNT:
        # Cards are counted as stones are: by a noun of the same gender, left out.
        words["cards"] = scene.language.stones(event.cards)
    return scene.language.fill(f"say.{event.kind}", **words)


def _proposed(scene: Scene, event: e.PenaltyProposed) -> str | None:
    asked = waiting(scene.after)
    if asked and asked[0] != event:
        return None  # one question at a time
    return proposal(scene.language, scene.state, event)


def _applied(scene: Scene, event: e.PenaltyApplied) -> str:
    if any(asked.article == event.article for asked in scene.asked):  # told with the question
        return scene.language.fill("say.penalty_agreed", article=event.article)
    what = article(scene.language, scene.state, event)
    return scene.language.fill("say.penalty_applied", article=event.article, what=what)


def _waived(scene: Scene, event: e.PenaltyWaived) -> str:
    return scene.language.fill("say.penalty_waived", article=event.article)


def _lost(scene: Scene, event: e.StonesLost) -> str:
    told = scene.language.fill(
        "say.lost",
        side=scene.side(event.side),
        stones=scene.language.stones(event.stones),
        article=event.article,
    )
    return scene.with_score(told, event.side)


TELLERS: dict[type[e.Event], Teller] = {
    e.PedreteSung: _pedrete,
    e.LanceClaimed: _claimed,
    e.StonesAdjusted: _adjusted,
    e.BetCorrected: _corrected,
    e.CountReopened: _recount,
    e.DealVoided: _void,
    e.IrregularityReported: _reported,
    e.PenaltyProposed: _proposed,
    e.PenaltyApplied: _applied,
    e.PenaltyWaived: _waived,
    e.StonesLost: _lost,
}
"""Event -> its teller. They speak at every level but silent, because stones are at stake."""
