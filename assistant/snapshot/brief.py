"""A table in few words: what a hall shows of each of its tables."""

from __future__ import annotations

from typing import TypedDict

from assistant.rules.phases import Phase
from assistant.rules.state import State, side_letters
from assistant.snapshot.shape import BetView, LanceView, SideView
from assistant.snapshot.views import bet_view, lance_views, side_view


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
