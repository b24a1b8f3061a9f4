"""What one player knows, and what he is told of a lance."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.odds.deck import Bools, Deck, Hands, OddsError, hands_of
from assistant.rules.cards import Rank

SEATS = 4
Declared = tuple[bool | None, ...]
"""What each seat, from seat 1, said it has; ``None`` where it has not spoken yet."""
NOBODY: Declared = (None,) * SEATS


@dataclass(frozen=True, slots=True)
class Known:
    """One's own four cards, where one sits, and what has been seen and said.

    Seats are 1 to 4 anticlockwise; 1 and 3 are a pair, 2 and 4 the other. ``partner`` is the
    partner's hand where it is known. Raises OddsError for a seat that is not of the table.
    """

    hand: tuple[Rank, ...]
    seat: int = 1
    mano: int = 1
    partner: tuple[Rank, ...] | None = None
    pares: Declared = NOBODY
    juego: Declared = NOBODY

    def __post_init__(self) -> None:
        for seat in (self.seat, self.mano):
            if seat not in range(1, SEATS + 1):
                raise OddsError(f"There is no seat {seat}: seats are 1 to {SEATS}.")
        if len(self.pares) != SEATS or len(self.juego) != SEATS:
            raise OddsError(f"Declarations are one for each of {SEATS} seats.")

    def after(self, others: int) -> int:
        """The seat so many places after mine."""
        return (self.seat - 1 + others) % SEATS + 1

    def before(self, one: int, other: int) -> bool:
        """Whether a seat speaks before another, and so wins a tie (R39)."""
        return (one - self.mano) % SEATS < (other - self.mano) % SEATS

    def declared(self, seat: int) -> tuple[bool | None, bool | None]:
        """What a seat said of pares and of juego."""
        return self.pares[seat - 1], self.juego[seat - 1]


@dataclass(frozen=True, slots=True)
class LanceChance:
    """Chances of one lance before it is played, each of 0 to 1 and of all deals that are possible.

    ``side == won_contested + uncontested``. For the chance of winning it once both pairs take part,
    divide ``won_contested`` by ``contested``.
    """

    best: float
    """My own hand is the best of the four, and takes part."""
    side: float
    """My pair wins it, contested or not."""
    contested: float
    """Both pairs take part."""
    won_contested: float
    """Both pairs take part, and mine wins."""
    uncontested: float
    """Only my pair takes part (R17)."""
    played: float
    """Somebody takes part at all; of punto: nobody has juego."""


def allowed(hands: Hands, said: tuple[bool | None, bool | None]) -> Bools:
    """Which hands agree with what a seat declared of pares and juego."""
    pares, juego = said
    fits = hands.pares == pares if pares is not None else hands.pares | True
    return fits & (hands.juego == juego) if juego is not None else fits


def check(known: Known, deck: Deck) -> tuple[int, int | None]:
    """The numbers of my hand and my partner's. Raises OddsError where they cannot be."""
    hands = hands_of(deck)
    mine = hands.number(known.hand)
    theirs = None if known.partner is None else hands.number(known.partner)
    for seat, hand in ((known.seat, mine), (known.after(2), theirs)):
        if hand is not None and not allowed(hands, known.declared(seat))[hand]:
            raise OddsError(
                f"Seat {seat} did not declare what it holds: look at its pares and juego again."
            )
    if theirs is not None and (hands.counts[mine] + hands.counts[theirs] > deck.copies).any():
        raise OddsError("One deck cannot deal these two hands: a rank is in them too often.")
    return mine, theirs
