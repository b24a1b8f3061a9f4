"""The parts of a snapshot: seats, lances, bets; and the brief one that a hall shows."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

from assistant.messages.codec import call_to_dict
from assistant.rules.calls import Bet, Raise
from assistant.rules.cards import HAND_SIZE
from assistant.rules.engine import LegalCall
from assistant.rules.legal import may_show
from assistant.rules.phases import AFTER_DEAL, LANCE_OF, Lance, Phase
from assistant.rules.state import SIDE_LETTERS, LanceResult, State, side_letters
from assistant.table.snapshot.shape import (
    ActionView,
    BetView,
    LanceView,
    SeatView,
    SideView,
    Status,
)

# ---- The parts of a snapshot that follow from the state alone -----------------------------------


AMARRACO = 5
"""Stones that one amarraco stands for (R42)."""
ADENTRO = 5
"""A side that needs no more than this is "adentro" (R43)."""
AMOUNTS = (2, 3, 4, 5, 6, 7, 8, 10, 15, 20)
"""The bets that stand ready as buttons; any other is said aloud."""
RAISES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
LAID_OPEN = (Phase.SHOWDOWN, *AFTER_DEAL)
"""Phases in which a hand may be laid open."""


def seat_view(
    state: State, seat: int, turn: int | None, speakers: Collection[int | None]
) -> SeatView:
    """One player; ``turn`` is whose turn it is, ``speakers`` the seats that may say anything."""
    hand, bet = state.hands[seat - 1], state.pending
    return {
        "seat": seat,
        "name": state.seats[seat - 1],
        "side": SIDE_LETTERS[(seat - 1) % state.sides],
        "mano": seat == state.mano,
        "turn": seat == turn,
        "may_speak": seat in speakers,
        "may_show": state.phase in LAID_OPEN and may_show(state, seat),
        "passed": seat in state.spoken and state.phase is not Phase.MUS,
        "wants_mus": seat in state.spoken and state.phase is Phase.MUS,
        "refused": bet is not None and seat in (*bet.refused, *bet.out),
        "accepted": bet is not None and seat in bet.accepted,
        "out": seat in state.incidents.out,
        "pares": state.pares[seat - 1],
        "juego": state.juego[seat - 1],
        "cards": state.cards_of(seat) if state.incidents.short else HAND_SIZE,
        "hand": [str(card) for card in hand] if hand is not None else None,
    }


def side_view(state: State, side: str) -> SideView:
    """One side and its stones."""
    place = SIDE_LETTERS.index(side)
    stones = state.stones[place]
    amarracos, piedras = divmod(stones, AMARRACO)
    return {
        "side": side,
        "names": [state.seats[seat - 1] for seat in sorted(state.seats_of(side))],
        "stones": stones,
        "amarracos": amarracos,
        "piedras": piedras,
        "juegos": state.juegos[place],
        "vacas": state.vacas[place],
        "adentro": state.profile.target - ADENTRO <= stones < state.profile.target,
    }


def bet_view(state: State) -> BetView | None:
    """The bet that waits for an answer, if one does."""
    bet = state.pending
    if bet is None:
        return None
    return {
        "lance": bet.lance,
        "seat": bet.seat,
        "side": bet.side,
        "stones": bet.stones,
        "deje": bet.deje,
        "ordago": bet.ordago,
        "refused": list(bet.refused),
        "accepted": list(bet.accepted),
        "choices": list(bet.choices),
    }


def lance_views(state: State) -> list[LanceView]:
    """The four lances in their order; the fourth becomes punto where nobody has juego."""
    closed = {result.lance: result for result in state.results}
    punto = state.phase is Phase.PUNTO or Lance.PUNTO in closed
    fourth = Lance.PUNTO if punto else Lance.JUEGO
    lances = (Lance.GRANDE, Lance.CHICA, Lance.PARES, fourth)
    return [_lance(state, lance, closed.get(lance)) for lance in lances]


def _lance(state: State, lance: Lance, result: LanceResult | None) -> LanceView:
    if result is None:
        status: Status = "now" if LANCE_OF.get(state.phase) is lance else "ahead"
        return {
            "lance": lance,
            "status": status,
            "how": None,
            "side": None,
            "seat": None,
            "bet": 0,
            "won": 0,
            "why": [],
            "claimed": None,
        }
    return {
        "lance": lance,
        "status": "closed",
        "how": result.how,
        "side": result.side,
        "seat": result.seat,
        "bet": result.stones,
        "won": result.won,
        "why": [str(why) for why in result.whys],
        "claimed": list(result.claimed) if result.claimed is not None else None,
    }


def action_view(number: int, legal: LegalCall, label: str) -> ActionView:
    """A legal call as a button; ``number`` is its place among them, ``label`` stands on it."""
    call = legal.call
    action: ActionView = {
        "id": f"c{number}",
        "label": label,
        "seat": call.seat,
        "call": call_to_dict(call),
    }
    amounts = RAISES if isinstance(call, Raise) else AMOUNTS
    if isinstance(call, Raise) or (isinstance(call, Bet) and not call.both):
        action["stones"] = [n for n in legal.among(amounts) if n >= call.stones]
    return action


# ---- A table in few words: what a hall shows of each of its tables ------------------------------


class Brief(TypedDict):
    """A table at one moment. ``seq`` is the journal's; codes are those of ``Snapshot``."""

    seq: int
    deal: int
    phase: str
    lance: str | None
    mano: int
    seats: list[str]
    sides: list[SideView]
    pending: BetView | None
    lances: list[LanceView]
    target: int
    juegos_to_win: int
    over: bool
    winner: str | None
    juego_won: str | None


def brief(state: State, seq: int) -> Brief:
    """What the state of seq ``seq`` shows from afar; the same here and where it is rebuilt."""
    return {
        "seq": seq,
        "deal": state.deal,
        "phase": state.phase,
        "lance": state.lance,
        "mano": state.mano,
        "seats": list(state.seats),
        "sides": [side_view(state, side) for side in side_letters(state.sides)],
        "pending": bet_view(state),
        "lances": lance_views(state),
        "target": state.profile.target,
        "juegos_to_win": state.profile.juegos,
        "over": state.phase is Phase.OVER,
        "winner": state.winner,
        "juego_won": state.juego_won,
    }
