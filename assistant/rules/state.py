"""The table at one moment. Only ``apply``, in ``changes``, makes a new state."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rules import events as e
from assistant.rules.cards import Hand
from assistant.rules.phases import LANCE_OF, Lance, Phase
from assistant.rules.profile import Profile

SIDE_LETTERS = "ABCDEF"


@dataclass(frozen=True, slots=True)
class Pending:
    """A bet that waits for an answer.

    ``stones`` is what accepting agrees to, ``deje`` what refusing gives at once: what stood before
    the last raise, or 1 (R24, R25). ``refused`` lists who said "no quiero" alone (R35), and
    ``out`` who did so before the last raise: they are out of the lance for good (R38).
    """

    lance: Lance
    seat: int
    side: str
    stones: int
    deje: int = 1
    ordago: bool = False
    refused: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LanceResult:
    """A closed lance. ``stones`` were agreed, ``won`` were taken so far (deje, then the count)."""

    lance: Lance
    how: e.How
    side: str | None = None
    stones: int = 0
    won: int = 0
    seat: int | None = None
    whys: tuple[e.Why, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules know of the table. Seats count from 1; ``seats`` are their names."""

    profile: Profile
    seats: tuple[str, ...]
    sides: int
    stones: tuple[int, ...]
    juegos: tuple[int, ...]
    deal: int = 0
    mano: int = 1
    phase: Phase = Phase.COUNT
    spoken: tuple[int, ...] = ()
    """Who said mus, or passed, in the present phase; in the order of speaking."""
    pending: Pending | None = None
    both: e.BetMade | e.OrdagoMade | None = None
    """A bet called "a las dos" that still has to be made at chica (R55)."""
    pares: tuple[bool | None, ...] = ()
    juego: tuple[bool | None, ...] = ()
    results: tuple[LanceResult, ...] = ()
    hands: tuple[Hand | None, ...] = ()
    juego_won: str | None = None
    """The side that won the juego which the present deal ended, until the next deal."""
    winner: str | None = None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.seats)

    @property
    def lance(self) -> Lance | None:
        """The lance being played or declared."""
        return LANCE_OF.get(self.phase)

    def side_of(self, seat: int) -> str:
        """The letter of the side that a seat plays for."""
        return SIDE_LETTERS[(seat - 1) % self.sides]

    def seats_of(self, side: str) -> tuple[int, ...]:
        """The seats of a side."""
        return tuple(seat for seat in self.order() if self.side_of(seat) == side)

    def order(self, first: int | None = None) -> tuple[int, ...]:
        """All seats in the order of speaking, from mano or from another seat."""
        start, n = (first or self.mano) - 1, self.players
        return tuple((start + i) % n + 1 for i in range(n))

    def declared(self, lance: Lance) -> tuple[bool | None, ...]:
        """By seat: what was said of holding pares or juego."""
        return self.pares if lance is Lance.PARES else self.juego

    def holders(self, lance: Lance) -> tuple[int, ...]:
        """Who may speak in a lance, from mano (R16)."""
        if lance in (Lance.PARES, Lance.JUEGO):
            said = self.declared(lance)
            return tuple(seat for seat in self.order() if said[seat - 1])
        return self.order()

    def answerers(self) -> tuple[int, ...]:
        """Who may answer the pending bet, nearest after the bettor first."""
        if self.pending is None:
            return ()
        bet = self.pending
        holders = self.holders(bet.lance)
        return tuple(
            seat
            for seat in self.order(bet.seat)
            if seat in holders
            and self.side_of(seat) != bet.side
            and seat not in (*bet.refused, *bet.out)
        )

    def result(self, lance: Lance) -> LanceResult | None:
        """How a lance of this deal was closed, if it was."""
        return next((r for r in self.results if r.lance is lance), None)

    def stones_of(self, side: str) -> int:
        """A side's stones in this juego."""
        return self.stones[SIDE_LETTERS.index(side)]


def side_letters(sides: int) -> tuple[str, ...]:
    """The letters of so many sides."""
    return tuple(SIDE_LETTERS[:sides])
