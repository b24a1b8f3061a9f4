"""What one player may know: the own cards, and the table as everybody hears it.

The rules' state holds no card but those that lie open, for the engine never sees the others; so it
can be handed over whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rules import calls as c
from assistant.rules.cards import Hand
from assistant.rules.engine import legal_calls
from assistant.rules.state import State

SPOKEN = (c.Mus, c.Cut, c.Pass, c.Bet, c.Raise, c.Ordago, c.Accept, c.Refuse)
"""Kinds of call that a computer player makes; what it holds is declared for it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One moment as a player sees it.

    seat, hand  who looks, and the four cards in that hand
    state       the table, as everybody knows it
    legal       the calls that this seat can make now; bets and raises with their least stones
    """

    seat: int
    hand: Hand
    state: State
    legal: tuple[c.Call, ...]

    @property
    def rivals(self) -> tuple[int, ...]:
        """The seats that play against this one."""
        mine = self.state.side_of(self.seat)
        return tuple(seat for seat in self.state.order() if self.state.side_of(seat) != mine)

    @property
    def partners(self) -> tuple[int, ...]:
        """The seats that play with this one."""
        mine = self.state.side_of(self.seat)
        return tuple(
            seat
            for seat in self.state.order()
            if self.state.side_of(seat) == mine and seat != self.seat
        )

    def can(self, kind: type[c.Call]) -> c.Call | None:
        """The call of a kind, where it is allowed."""
        return next((call for call in self.legal if type(call) is kind), None)


def sight_of(state: State, seat: int, hand: Hand) -> Sight:
    """The moment as a seat sees it that holds these cards."""
    legal = tuple(
        call
        for call in legal_calls(state)
        if call.seat == seat
        and type(call) in SPOKEN
        and not getattr(call, "both", False)
        and not getattr(call, "plural", False)
    )
    return Sight(seat, hand, state, legal)
