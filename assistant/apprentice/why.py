"""Why a lance went as it did: how it was closed, what decides it, and who won it with what.

Of cards only those that lie open are told.
"""

from __future__ import annotations

from assistant.apprentice.shape import WhyView
from assistant.apprentice.words import Tongue
from assistant.rules import events as e
from assistant.rules.hands import HandValue, ParesKind
from assistant.rules.phases import ORDER, Lance, Phase
from assistant.rules.prizes import hand_values
from assistant.rules.state import LanceResult, State

OWN_VALUES = (Lance.PARES, Lance.JUEGO)
BY_CARDS = (e.How.PASSED, e.How.ACCEPTED, e.How.ORDAGO)
"""Ways of closing after which the cards say who wins."""


def why_views(state: State, tongue: Tongue) -> list[WhyView]:
    """Every closed lance of this deal, in the order of the count."""
    closed = sorted(state.results, key=lambda result: ORDER[result.lance])
    return [
        {
            "lance": result.lance,
            "name": tongue.language.lance(result.lance),
            "text": " ".join(_told(state, result, tongue)),
        }
        for result in closed
    ]


def _told(state: State, result: LanceResult, tongue: Tongue) -> list[str]:
    lance = tongue.lance(result.lance)
    side = tongue.language.side(state, result.side) if result.side else ""
    words = {**lance, "side": side, "stones": tongue.stones(_stones(result))}
    told = [tongue(f"why.{_how(result)}", **words)]
    if result.claimed is not None:
        told.append(tongue("why.claimed", **words))
    elif _uncounted(state, result):
        told.append(tongue("why.uncounted"))
    elif result.how in BY_CARDS:
        told.append(tongue(f"rule.{result.lance}"))
        told += _decided(state, result, tongue)
    if result.won and result.side and result.how is not e.How.REFUSED:
        told.append(tongue("why.took", side=side, stones=tongue.stones(result.won)))
    return told


def _uncounted(state: State, result: LanceResult) -> bool:
    """Whether somebody had won the juego before it was this lance's turn at the count."""
    counted = result.how in (e.How.REFUSED, e.How.ORDAGO, e.How.NOBODY, e.How.VOID)
    return state.phase is Phase.OVER and not result.won and not counted


def _stones(result: LanceResult) -> int:
    """What was agreed; of a refused bet, what was paid for it."""
    if result.how is e.How.REFUSED and result.bet:
        return result.bet.deje
    return result.stones


def _how(result: LanceResult) -> str:
    if result.how is e.How.PASSED and result.lance in OWN_VALUES:
        return "passed_values"
    if result.how is not e.How.REFUSED:
        return str(result.how)
    bet = result.bet
    first = bet is None or not bet.base
    return (
        f"deje_{'first' if first else 'raise'}"
        if not (bet and bet.ordago)
        else ("deje_first_ordago" if first else "deje_ordago")
    )


def _decided(state: State, result: LanceResult, tongue: Tongue) -> list[str]:
    """Who won by the cards, over whom; before the count, that the cards will tell."""
    if result.seat is None:
        return [] if state.phase is Phase.COUNT else [tongue("why.unseen")]
    values = hand_values(state)
    if result.seat not in values:
        return []
    lance = result.lance
    name = state.seats[result.seat - 1]
    what = _worth(state, result.seat, values[result.seat], lance, tongue)
    other = _best_of_the_others(state, result, values)
    if other is None:
        return [tongue("why.winner", name=name, what=what)]
    rival = state.seats[other - 1]
    if values[other].key(lance) == values[result.seat].key(lance):
        return [tongue("why.tie", name=name, other=rival, what=what)]
    theirs = _worth(state, other, values[other], lance, tongue)
    return [
        tongue("why.winner", name=name, what=what),
        tongue("why.beats", other=rival, what=theirs),
    ]


def _best_of_the_others(
    state: State, result: LanceResult, values: dict[int, HandValue]
) -> int | None:
    """The best shown hand of another side that plays for the lance."""
    side = state.side_of(result.seat or 0)
    keys = {
        seat: key
        for seat in state.rivals_in(result)
        if state.side_of(seat) != side and seat in values
        if (key := values[seat].key(result.lance)) is not None
    }
    return max(keys, key=lambda seat: keys[seat], default=None)


def _worth(state: State, seat: int, hand: HandValue, lance: Lance, tongue: Tongue) -> str:
    """What a shown hand has in a lance: its cards, its pares, its points."""
    language = tongue.language
    if lance is Lance.PARES and hand.pares:
        one, *other = (language.rank(strength) for strength in hand.pares.ranks)
        if hand.pares.kind is not ParesKind.DUPLES:
            return language.fill(f"count.{hand.pares.kind.name.lower()}", rank=one)
        if other[0] == one:
            return language.fill("count.duples_four", rank=one)
        return language.fill("count.duples", rank=one, other=other[0])
    if lance in (Lance.JUEGO, Lance.PUNTO):
        return tongue.part("hand.points", points=hand.points)
    cards = state.hands[seat - 1] or ()
    return tongue.cards(cards, state.profile, low_first=lance is Lance.CHICA)
