"""What a chronicle holds. Seats count from 1; sides are letters; tuples of stones are by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.review.record.shape import RecordedBet
from assistant.rules.cards import Hand
from assistant.rules.events import Event
from assistant.rules.state import SIDE_LETTERS, side_letters


@dataclass(frozen=True, slots=True)
class TableTold:
    """Who plays: names by seat, how many sides, and to how many stones.

    ``adentro``: whether the table says "adentro" when a side needs five or fewer.
    """

    seats: tuple[str, ...]
    sides: int
    target: int
    adentro: bool

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the sides."""
        return side_letters(self.sides)

    def side_of(self, seat: int) -> str:
        """The letter of the side that a seat plays for."""
        return SIDE_LETTERS[(seat - 1) % self.sides]

    def names(self, side: str) -> tuple[str, ...]:
        """The players of a side."""
        return tuple(
            name for seat, name in enumerate(self.seats, start=1) if self.side_of(seat) == side
        )


@dataclass(frozen=True, slots=True)
class Point:
    """A moment when stones moved: ``stones`` to ``side`` (negative: from it), ``totals`` after it.

    ``deal`` is 0 before the first one. ``why`` is that of StonesWon, or "pedrete", "lost" (given
    back by an article) or "table" (put right by hand).
    """

    deal: int
    juego: int
    side: str
    stones: int
    why: str
    lance: str | None
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JuegoTold:
    """A juego that was won. ``number`` counts from 1 over the whole match; ``by``: see WonBy."""

    number: int
    deal: int
    side: str
    by: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LanceTold:
    """A closed lance: how, after which bets, and who took how many stones for what.

    ``side`` is None where nobody won it, or it was not counted; ``agreed`` was accepted for the
    count; ``seat`` held the best hand, where cards decided.
    """

    lance: str
    how: str
    bets: tuple[RecordedBet, ...]
    agreed: int
    side: str | None
    seat: int | None
    stones: int
    whys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandTold:
    """A hand that lay open, its best card at grande first.

    ``pares`` is "pareja", "medias", "duples" or None.
    """

    seat: int
    cards: Hand
    pares: str | None
    points: int
    juego: bool


@dataclass(frozen=True, slots=True)
class DealTold:
    """One deal. ``hands`` is by seat, None where it was not shown; times are Unix seconds.

    ``voided``: it counted for nothing; ``won``: the juego that it ended.
    """

    number: int
    juego: int
    mano: int
    table: TableTold
    began: float
    ended: float
    finished: bool
    voided: bool
    before: tuple[int, ...]
    after: tuple[int, ...]
    points: tuple[Point, ...]
    lances: tuple[LanceTold, ...]
    hands: tuple[HandTold | None, ...]
    won: JuegoTold | None


@dataclass(frozen=True, slots=True)
class OrdagoTold:
    """An órdago by ``seat``. ``winner`` took the juego, or what stood where it was refused."""

    deal: int
    lance: str
    seat: int
    side: str
    accepted: bool
    winner: str | None


@dataclass(frozen=True, slots=True)
class Wager:
    """A lance that was worth telling for its bet: ``stones`` agreed, ``raises`` over the first."""

    deal: int
    lance: str
    stones: int
    raises: int
    side: str | None


@dataclass(frozen=True, slots=True)
class SideTold:
    """One side's evening.

    won      lance -> how it closed -> how many this side won so
    by_why   what stones were won for -> how many, less those given back
    highest  the largest accepted bet that it won, 0 for none
    vacas    0 where the match is not played for them
    """

    side: str
    names: tuple[str, ...]
    stones: int
    juegos: int
    vacas: int
    won: Mapping[str, Mapping[str, int]]
    by_why: Mapping[str, int]
    highest: int

    def lances(self, lance: str) -> int:
        """How many of one lance it won."""
        return sum(self.won[lance].values())

    def closed(self, how: str) -> int:
        """How many lances it won that closed so."""
        return sum(row[how] for row in self.won.values())


@dataclass(frozen=True, slots=True)
class Dispute:
    """Something taken back, put right or decided: the events, in which deal, and why.

    ``kind``: "retracted", "set", "adjusted", "bet", "penalty", "waived", "voided", "reopened".
    ``reason`` is as it was said, or the article; "" where nobody gave one. ``at`` is Unix time.
    """

    deal: int
    at: float
    kind: str
    reason: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A match in figures. ``highest`` bet accepted and ``longest`` bidding; None without any."""

    table: TableTold
    began: float
    ended: float
    deals: tuple[DealTold, ...]
    points: tuple[Point, ...]
    juegos: tuple[JuegoTold, ...]
    sides: tuple[SideTold, ...]
    ordagos: tuple[OrdagoTold, ...]
    highest: Wager | None
    longest: Wager | None
    disputes: tuple[Dispute, ...]
    totals: tuple[int, ...]
    winner: str | None

    def deal(self, number: int) -> DealTold | None:
        """The deal of a number, the last one where it was dealt again; None for no such deal."""
        return next((deal for deal in reversed(self.deals) if deal.number == number), None)
