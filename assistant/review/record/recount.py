"""An independent recount from the shown cards and the called bets, compared with the journal.

It does not change the score: it only says whether the journal's numbers are right ("cuadra").
It follows docs/rules.md alone, and shares no code with the engine's count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.review.record.sections import Section
from assistant.review.record.shape import Check, bets, deje, standing
from assistant.rules import events as e
from assistant.rules.hands import HandValue, best_seat, value
from assistant.rules.phases import Lance
from assistant.rules.state import LanceResult, State, side_letters

TABLE_DECIDES = (
    e.PenaltyApplied,
    e.LanceClaimed,
    e.BetCorrected,
    e.PartnerBet,
    e.StonesLost,
    e.CountReopened,
    e.DealVoided,
)
"""Events after which the cards alone no longer say who gets which stones."""

NOTHING = "-"
"""Shown for stones that one of the two counts does not have."""


@dataclass(frozen=True, slots=True)
class RecountPrize:
    """Stones that a lance should bring."""

    side: str
    stones: int
    lance: Lance
    why: e.Why

    def __str__(self) -> str:
        return f"{self.side} +{self.stones} ({self.lance}, {self.why})"


def recount(section: Section) -> tuple[Check, ...]:
    """Everything that can be counted again in a deal."""
    checks = [*_sums(section)]
    events = [step.record.event for step in section.steps]
    stopped = next((ev for ev in events if isinstance(ev, TABLE_DECIDES)), None)
    if stopped is not None:
        return (*checks, Check("skipped", type(stopped).__name__, "", "", None))
    return (*checks, *_winners(section, events), *_prizes(section, events))


def worth(section: Section, won: e.StonesWon) -> int:
    """The stones of a prize before the target cut it short; those won, if that is unknown."""
    events = [step.record.event for step in section.steps]
    state = section.last
    due = (*_dejes(state, events), *_counted(state, events))
    wanted = (won.side, won.lance, won.why)
    return next((p.stones for p in due if (p.side, p.lance, p.why) == wanted), won.stones)


def _sums(section: Section) -> Iterator[Check]:
    """Compares the score before plus all events with the score after."""
    for index, side in enumerate(side_letters(section.first.sides)):
        stones = section.first.stones[index]
        for step in section.steps[1:]:
            stones = _after(stones, index, side, step.record.event, step.after)
        says = section.last.stones[index]
        yield Check("sum", side, str(says), str(stones), says == stones)


def _after(stones: int, index: int, side: str, event: e.Event, after: State) -> int:
    match event:
        case e.StonesWon(side=whose, stones=n) | e.StonesAdjusted(side=whose, stones=n):
            return stones + n if whose == side else stones
        case e.StonesLost(side=whose, stones=n):
            return stones - n if whose == side else stones
        case e.PedreteSung(seat=seat, stones=n):
            return stones + n if after.side_of(seat) == side else stones
        case e.StonesSet(stones=given):
            return given[index]
        case e.DealVoided() | e.CountReopened():
            return after.stones[index]  # these two events hold no number of their own
        case _:
            return stones


def _winners(section: Section, events: Sequence[e.Event]) -> Iterator[Check]:
    """Who won each lance, by the cards that lie open."""
    state = section.last
    values = _values(state)
    for event in events:
        if isinstance(event, e.LanceDecided):
            best = best_seat(event.lance, values, _playing(state, events, event.lance))
            yield Check(
                "winner", event.lance, str(event.seat), str(best or NOTHING), best == event.seat
            )


def _prizes(section: Section, events: Sequence[e.Event]) -> Iterator[Check]:
    """The stones in the order of the count, including those that were due and never given."""
    state = section.last
    counted = any(isinstance(ev, e.DealCounted | e.JuegoWon) for ev in events)
    due = [*_dejes(state, events), *(_counted(state, events) if counted else ())]
    given = [
        (step.record.event, step.before)
        for step in section.steps
        if isinstance(step.record.event, e.StonesWon)
    ]
    for place, (won, before) in enumerate(given):
        says = RecountPrize(won.side, won.stones, won.lance, won.why)
        found = _capped(due[place], before) if place < len(due) else None
        yield Check(
            "prize", f"{won.lance} {won.why}", str(says), str(found or NOTHING), says == found
        )
    if state.juego_won is None:
        for prize in due[len(given) :]:
            yield Check("prize", f"{prize.lance} {prize.why}", NOTHING, str(prize), agrees=False)


def _capped(prize: RecountPrize, before: State | None) -> RecountPrize:
    """No more than the side still needed (R30)."""
    if before is None:
        return prize
    needed = before.profile.target - before.stones_of(prize.side)
    return RecountPrize(prize.side, min(prize.stones, needed), prize.lance, prize.why)


def _dejes(state: State, events: Sequence[e.Event]) -> Iterator[RecountPrize]:
    for result in state.results:
        chain = bets(events, result.lance)
        if result.how is e.How.REFUSED and chain:
            side = state.side_of(chain[-1].seat)
            yield RecountPrize(side, deje(chain), result.lance, e.Why.DEJE)


def _counted(state: State, events: Sequence[e.Event]) -> Iterator[RecountPrize]:
    """The stones of the count, lance by lance (R13 to R30); nothing after an órdago (R32)."""
    if any(result.how is e.How.ORDAGO for result in state.results):
        return
    values = _values(state)
    for result in state.results:
        side = _side(state, events, result, values)
        if side is not None:
            yield from _of_lance(state, events, result, side, values)


def _side(
    state: State, events: Sequence[e.Event], result: LanceResult, values: dict[int, HandValue]
) -> str | None:
    if result.how is e.How.REFUSED:
        return state.side_of(bets(events, result.lance)[-1].seat)
    if result.how is e.How.UNCONTESTED:
        holders = state.holders(result.lance)
        return state.side_of(holders[0]) if holders else None
    if result.how in (e.How.PASSED, e.How.ACCEPTED):
        seat = best_seat(result.lance, values, _playing(state, events, result.lance))
        return state.side_of(seat) if seat else None
    return None


def _playing(state: State, events: Sequence[e.Event], lance: Lance) -> tuple[int, ...]:
    """Who plays for a lance: all who hold it; if each plays alone, those in the bet (R56)."""
    holders, into = state.holders(lance), list[int]()
    for event in events:
        match event:
            case e.BetMade(seat=seat, lance=at) | e.BetRaised(seat=seat, lance=at):
                into = [seat] if at is lance else into
            case e.OrdagoMade(seat=seat, lance=at):
                into = [seat] if at is lance else into
            case e.BetAccepted(seat=seat, lance=at) if at is lance:
                into.append(seat)
    return tuple(s for s in holders if s in into) if state.sides > 2 and into else holders


def _of_lance(
    state: State,
    events: Sequence[e.Event],
    result: LanceResult,
    side: str,
    values: dict[int, HandValue],
) -> Iterator[RecountPrize]:
    lance = result.lance
    playing = _playing(state, events, lance)
    mine = [values[s] for s in playing if state.side_of(s) == side and s in values]
    if result.how is e.How.ACCEPTED:
        yield RecountPrize(side, standing(bets(events, lance)), lance, e.Why.BET)
    if lance is Lance.PUNTO:
        yield RecountPrize(side, 1, lance, e.Why.PUNTO)
    elif lance is Lance.PARES:
        if stones := sum(hand.pares.value for hand in mine if hand.pares):
            yield RecountPrize(side, stones, lance, e.Why.PARES)
    elif lance is Lance.JUEGO:
        if stones := sum(hand.juego_stones for hand in mine):
            yield RecountPrize(side, stones, lance, e.Why.JUEGO)
    elif result.how is e.How.PASSED:
        yield RecountPrize(side, 1, lance, e.Why.PASO)


def _values(state: State) -> dict[int, HandValue]:
    return {
        seat: value(hand, state.profile)
        for seat, hand in enumerate(state.hands, start=1)
        if hand is not None
    }
