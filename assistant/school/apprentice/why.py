"""Why a lance went as it did, and how likely one's side was to win it."""

from __future__ import annotations

from functools import lru_cache

from assistant.odds import Known, OddsError, chances
from assistant.rules import events as e
from assistant.rules.cards import HAND_SIZE, Hand, Rank, check_deal
from assistant.rules.errors import CardError
from assistant.rules.hands import HandValue, ParesKind
from assistant.rules.phases import AFTER_DEAL, ORDER, Lance, Phase
from assistant.rules.prizes import hand_values
from assistant.rules.profile import Profile
from assistant.rules.state import LanceResult, State
from assistant.school.apprentice.shape import ChanceView, WhyView
from assistant.school.apprentice.words import Tongue

# ---- Why a lance went as it did: how it was closed, what decides it, and who won it with what ---
# Of cards only those that lie open are told.


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


# ---- After the count: how likely one's side was to win each lance with the cards that one had ---
# The chance of a lance is what could be known when it was played: grande and chica before anybody
# spoke of pares, pares once all had declared them, juego and punto once all had declared that too.


SEATS, SIDES = 4, 2
"""The odds are counted for two pairs."""
UNPLAYED = (e.How.NOBODY, e.How.UNCONTESTED, e.How.VOID)
"""Lances that nobody could win from anybody."""
Declared = tuple[bool | None, ...]
NOBODY: Declared = (None,) * SEATS


def is_counted(state: State) -> bool:
    """Whether this deal is over and its cards are in the open: not before is anything told."""
    return state.phase in AFTER_DEAL and bool(state.results)


def may_tell(state: State, seat: int) -> bool:
    """Whether the one who learns may tell the page what he held: not before the count."""
    pairs = state.players == SEATS and state.sides == SIDES
    return pairs and is_counted(state) and state.hands[seat - 1] is None


def chance_views(state: State, seat: int, told: Hand | None, tongue: Tongue) -> list[ChanceView]:
    """The chances that a seat had, by its shown hand or the one that he ``told``.

    Empty before the count, and where nobody knows the hand. Raises OddsError for a hand that
    cannot have been his.
    """
    if state.players != SEATS or state.sides != SIDES or not is_counted(state):
        return []
    shown = state.hands[seat - 1]
    hand = told if shown is None else shown
    if hand is None or (shown is not None and len(shown) != HAND_SIZE):
        return []
    _check(state, seat, hand)
    ranks = tuple(card.rank for card in hand)
    played = sorted(state.results, key=lambda result: ORDER[result.lance])
    return [
        _view(state, seat, ranks, result.lance, tongue)
        for result in played
        if result.how not in UNPLAYED
    ]


def _check(state: State, seat: int, hand: Hand) -> None:
    if len(hand) != HAND_SIZE:
        raise OddsError(f"A hand has {HAND_SIZE} cards.")
    shown = [h for s, h in enumerate(state.hands, start=1) if h and s != seat]
    try:
        check_deal((*shown, hand), state.profile.kings)
    except CardError as error:
        raise OddsError(str(error)) from error


def _view(
    state: State, seat: int, ranks: tuple[Rank, ...], lance: Lance, tongue: Tongue
) -> ChanceView:
    early, late = (Lance.GRANDE, Lance.CHICA), (Lance.JUEGO, Lance.PUNTO)
    pares = NOBODY if lance in early else _of_the_others(state.pares, seat)
    juego = _of_the_others(state.juego, seat) if lance in late else NOBODY
    percent = round(100 * _chance(ranks, seat, state.mano, pares, juego, state.profile, lance))
    result = state.result(lance)
    won = result.side == state.side_of(seat) if result and result.side else None
    text = tongue("chance.had", percent=percent, lance=tongue.lance(lance)["lance"])
    if won is not None:
        text = f"{text} {tongue('chance.won' if won else 'chance.lost')}"
    return {"lance": lance, "percent": percent, "won": won, "text": text}


def _of_the_others(said: Declared, seat: int) -> Declared:
    """What the others declared; what one holds oneself, one knows, whatever one said of it."""
    return tuple([None if s == seat else holds for s, holds in enumerate(said, start=1)])


@lru_cache(maxsize=64)
def _chance(
    ranks: tuple[Rank, ...],
    seat: int,
    mano: int,
    pares: Declared,
    juego: Declared,
    profile: Profile,
    lance: Lance,
) -> float:
    """A side's chance of a lance, 0 to 1: a tenth of a second, so it is kept. Raises OddsError."""
    return chances(Known(ranks, seat, mano, pares=pares, juego=juego), profile)[lance].side
