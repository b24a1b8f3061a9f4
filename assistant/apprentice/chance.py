"""After the count: how likely one's side was to win each lance with the cards that one had.

The chance of a lance is what could be known when it was played: grande and chica before anybody
spoke of pares, pares once all had declared them, juego and punto once all had declared that too.
"""

from __future__ import annotations

from functools import lru_cache

from assistant.apprentice.shape import ChanceView
from assistant.apprentice.words import Tongue
from assistant.odds import Known, OddsError, chances
from assistant.rules import events as e
from assistant.rules.cards import HAND_SIZE, Hand, Rank, check_deal
from assistant.rules.errors import CardError
from assistant.rules.phases import AFTER_DEAL, ORDER, Lance
from assistant.rules.profile import Profile
from assistant.rules.state import State

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
