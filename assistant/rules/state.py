"""The table at one moment. Only ``apply``, in ``changes``, makes a new state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from assistant.rules import events as e
from assistant.rules.cards import HAND_SIZE, Hand
from assistant.rules.phases import COUNT, GRANDE, JUEGO, LANCE_OF, PARES, Lance, Phase
from assistant.rules.profile import MusOrder, Profile

SIDE_LETTERS = "ABCDEF"
MAX_SEATS = 6
"""As many as one deck serves with discards (R56)."""


# Pending, LanceResult, Incidents and State have no slots: ``evolve`` copies their dicts.
@dataclass(frozen=True)
class Pending:
    """A bet that waits for an answer.

    ``stones`` is what accepting agrees to, ``base`` what stood before the last raise (0 before the
    first). ``refused`` lists who said "no quiero" alone (R35), ``out`` who did so before the last
    raise: they are out of the lance for good (R38). ``accepted`` lists who accepted; with more than
    two sides each answers for himself. ``choices``: the amounts of two partners, if the rivals
    choose between them (S2 4.1).
    """

    lance: Lance
    seat: int
    side: str
    stones: int
    base: int = 0
    ordago: bool = False
    refused: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    accepted: tuple[int, ...] = ()
    choices: tuple[int, ...] = ()

    @property
    def deje(self) -> int:
        """The stones that a refusal pays: the bet before the last raise, or 1 (R24, R25)."""
        return self.base or 1

    @property
    def answered(self) -> bool:
        """Whether anybody has answered it, even for himself alone."""
        return bool(self.refused or self.accepted)


@dataclass(frozen=True)
class LanceResult:
    """A closed lance. ``stones`` were agreed, ``won`` were taken so far (deje, then the count).

    ``bet`` is the bet as it was answered; ``claimed`` the values of the hands if the lance was
    claimed without cards. ``owed`` is a deje that is paid only at the count. ``limited`` is true if
    an article leaves no more of the bet than the negada.
    """

    lance: Lance
    how: e.How
    side: str | None = None
    stones: int = 0
    won: int = 0
    seat: int | None = None
    whys: tuple[e.Why, ...] = ()
    bet: Pending | None = None
    claimed: tuple[int, ...] | None = None
    owed: int = 0
    limited: bool = False


BLANK_RESULT = LanceResult(GRANDE, e.PASSED)
"""The template from which ``evolve`` makes a result, in half the time of setting all fields."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An article that fits what happened; ``seat`` is the offender."""

    article: str
    remedy: e.Remedy
    seat: int | None = None
    lance: Lance | None = None


@dataclass(frozen=True)
class Incidents:
    """The irregularities of a deal, and the decisions about them.

    proposals  articles that wait for the table's decision
    applied, waived  articles that were decided on
    corrected  declarations put right, as (seat, lance)
    peeked     who looked at his cards again, as (seat, lance)
    out        seats whose hand is out of play (S2 1.5)
    short      how many cards a seat was said to hold, as (seat, cards) (S2 1.5)
    forced     nobody cuts the mus, because a card was exposed in dealing (R08)
    """

    proposals: tuple[Proposal, ...] = ()
    applied: tuple[Proposal, ...] = ()
    waived: tuple[Proposal, ...] = ()
    corrected: tuple[tuple[int, Lance], ...] = ()
    peeked: tuple[tuple[int, Lance], ...] = ()
    out: tuple[int, ...] = ()
    short: tuple[tuple[int, int], ...] = ()
    forced: bool = False


NO_INCIDENTS = Incidents()


@dataclass(frozen=True)
class State:
    """Everything that the rules know about the table. Seats count from 1; ``seats``: the names."""

    profile: Profile
    seats: tuple[str, ...]
    sides: int
    stones: tuple[int, ...]
    juegos: tuple[int, ...]
    vacas: tuple[int, ...]
    deal: int = 0
    mano: int = 1
    phase: Phase = COUNT
    spoken: tuple[int, ...] = ()
    """The seats that said mus, or passed, in the present phase; in the order of speaking."""
    pending: Pending | None = None
    both: e.BetMade | e.OrdagoMade | None = None
    """A bet called "a las dos" that still has to be made at chica (R55)."""
    pares: tuple[bool | None, ...] = ()
    juego: tuple[bool | None, ...] = ()
    results: tuple[LanceResult, ...] = ()
    """The closed lances, in the order of the lances: a later one cannot close before."""
    hands: tuple[Hand | None, ...] = ()
    juego_won: str | None = None
    """The side that won the juego which the present deal ended, until the next deal."""
    vaca_won: str | None = None
    winner: str | None = None
    corrido: bool = False
    """Whether this deal has a mus corrido, in which the cutter becomes mano (R06)."""
    discards: int = 0
    cutter: int | None = None
    """Who cut the mus of this deal, in whatever words; None before, and where no mus was asked."""
    sung: tuple[int, ...] = ()
    """Who sang a pedrete since the last discard (R54)."""
    dealt_mano: int = 1
    """Mano when the deal began; a mus corrido may move it on."""
    last_mano: int | None = None
    """Mano of the deal before."""
    before: tuple[int, ...] = ()
    """The stones when the deal began; a void deal goes back to them."""
    voided: int | None = None
    """After a void deal: the mano of the deal in its place."""
    incidents: Incidents = NO_INCIDENTS
    uncounted: State | None = None
    """The state before the count, kept because a count may have to be made again."""
    past: tuple[int, ...] = ()
    """The stones of each side in the juegos that are over; () before the second one."""
    given: tuple[int, ...] = ()
    """The juegos that each side had before the first deal; () for none."""

    @property
    def whole(self) -> tuple[int, ...]:
        """The stones of each side in all juegos of the match so far."""
        past = self.past or (0,) * self.sides
        return tuple([one + other for one, other in zip(past, self.stones, strict=True)])

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.seats)

    @property
    def lance(self) -> Lance | None:
        """The lance being played or declared."""
        return LANCE_OF.get(self.phase)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Articles that wait for the table's decision."""
        return self.incidents.proposals

    @property
    def out(self) -> tuple[int, ...]:
        """Seats whose hand is out of play (S2 1.5)."""
        return self.incidents.out

    def side_of(self, seat: int) -> str:
        """The letter of the side that a seat plays for."""
        return SIDE_LETTERS[(seat - 1) % self.sides]

    def seats_of(self, side: str) -> tuple[int, ...]:
        """The seats of a side."""
        letters, sides = SIDE_LETTERS, self.sides  # ``side_of``, written out
        return tuple([seat for seat in self.order() if letters[(seat - 1) % sides] == side])

    def order(self, first: int | None = None) -> tuple[int, ...]:
        """All seats in the order of speaking, from mano or from another seat."""
        return _ORDERS[len(self.seats)][(first or self.mano) - 1]

    def mus_order(self) -> tuple[int, ...]:
        """The order in which mus is asked: seat by seat, or mano's side first (R03)."""
        order = self.order()
        if self.profile.mus_order is MusOrder.SEAT:
            return order
        return tuple(sorted(order, key=lambda seat: (seat - self.mano) % self.sides))

    def declared(self, lance: Lance) -> tuple[bool | None, ...]:
        """By seat: whether it said that it holds pares or juego; ``None`` if it has not spoken."""
        return self.pares if lance is PARES else self.juego

    def holders(self, lance: Lance) -> tuple[int, ...]:
        """Who may speak in a lance, from mano (R16)."""
        order = self.in_play() if self.incidents.out else _ORDERS[len(self.seats)][self.mano - 1]
        if lance is PARES:
            said = self.pares
        elif lance is JUEGO:
            said = self.juego
        else:
            return order
        return tuple([seat for seat in order if said[seat - 1]])

    def in_play(self) -> tuple[int, ...]:
        """The seats whose hands count, from mano."""
        out, order = self.incidents.out, _ORDERS[len(self.seats)][self.mano - 1]
        return tuple([seat for seat in order if seat not in out]) if out else order

    def answerers(self) -> tuple[int, ...]:
        """Who may answer the pending bet, nearest after the bettor first."""
        bet = self.pending
        if bet is None or (bet.accepted and self.sides == 2):
            return ()
        bettor, sides, holders = bet.seat, self.sides, self.holders(bet.lance)
        gone = (*bet.refused, *bet.out, *bet.accepted)
        return tuple(
            [
                seat
                for seat in self.order(bettor)
                if (seat - bettor) % sides and seat in holders and seat not in gone  # a rival
            ]
        )

    def result(self, lance: Lance) -> LanceResult | None:
        """How a lance of this deal was closed, if it was."""
        for result in self.results:
            if result.lance is lance:
                return result
        return None

    def rivals_in(self, result: LanceResult) -> tuple[int, ...]:
        """The seats that play for a closed lance, from mano.

        These are all holders; with more than two sides, only the bettor and those who accepted.
        """
        holders, bet = self.holders(result.lance), result.bet
        if self.sides == 2 or bet is None:
            return holders
        return tuple([s for s in holders if s == bet.seat or s in bet.accepted])

    def cards_of(self, seat: int) -> int:
        """How many cards a player plays with (S2 1.5)."""
        for proposal in self.incidents.applied:
            if proposal.remedy is e.Remedy.SHORT and proposal.seat == seat:
                return dict(self.incidents.short).get(seat, HAND_SIZE)
        return HAND_SIZE

    def stones_of(self, side: str) -> int:
        """A side's stones in this juego."""
        return self.stones[SIDE_LETTERS.index(side)]


Answer = TypeVar("Answer")


def once_a_state(work_out: Callable[[State], Answer]) -> Callable[[State], Answer]:
    """The same function with a cache of one: it computes once for each state and keeps the last.

    A state never changes, so the next question about the very same state gets the same answer. Any
    thread may ask, because the kept answer is replaced as a whole.
    """
    kept: list[tuple[State, Answer]] = []

    @wraps(work_out)
    def asked(state: State) -> Answer:
        for held, answer in kept:
            if held is state:
                return answer
        answer = work_out(state)
        kept[:] = [(state, answer)]
        return answer

    return asked


Part = TypeVar("Part", State, Pending, LanceResult, Incidents)


def evolve(part: Part, **changes: Any) -> Part:
    """A state, or a part of one, with some fields changed.

    ``dataclasses.replace`` sets two dozen fields one by one through ``object.__setattr__``; one new
    dict costs a tenth of that, and a deal makes some fifty states.
    """
    new = _new(type(part))
    _set(new, "__dict__", part.__dict__ | changes)  # past the frozen class
    return new


_new, _set = object.__new__, object.__setattr__


def side_letters(sides: int) -> tuple[str, ...]:
    """The letters of so many sides."""
    return _LETTERS[sides]


_LETTERS = tuple(tuple(SIDE_LETTERS[:sides]) for sides in range(len(SIDE_LETTERS) + 1))
"""Number of sides -> their letters."""
_ORDERS: dict[int, tuple[tuple[int, ...], ...]] = {
    n: tuple(tuple((start + i) % n + 1 for i in range(n)) for start in range(n))
    for n in range(2, MAX_SEATS + 1)
}
"""Players -> first seat -> all seats in the order of speaking."""
