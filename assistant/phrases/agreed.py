"""Told aloud: what the table agrees on, puts right, or lets an article decide."""

from __future__ import annotations

from assistant.phrases.article import article, proposal, waiting
from assistant.phrases.scene import Scene, Teller
from assistant.rules import events as e
from assistant.rules.reasons import OF_ONE


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
"""All of it is told at every level but silence: it changes what the table plays for."""
