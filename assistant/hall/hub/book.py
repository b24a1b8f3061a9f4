"""The organisers' book of a tournament: telephones, the fee, and who has paid it.

Acts are public, signed and kept for ever. So telephones and payments are no acts: no page but the
referee's shows them, no released or published tournament has them, and telephones can be deleted.
Payments are only added, each with its time and the person who took the money.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine, delete, insert, select, update

from assistant.hall.hub.database import CONTACTS, PAYMENTS, TOURNAMENTS, database_errors
from assistant.hall.tournament import Tournament, TournamentError
from assistant.hall.tournament.errors import check_text
from assistant.hall.tournament.lists import telephone_keys

MOST_CENTS = 100_000_00
"""The highest fee."""


@dataclass(frozen=True, slots=True)
class Payment:
    """The sum that a pair has paid, in cents; 0 if no fee was set when it paid."""

    cents: int
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class BookPage:
    """The book of one tournament. Money is in cents, the keys are the numbers of the pairs."""

    fee: int = 0
    telephones: Mapping[int, str] = field(default_factory=dict)
    paid: Mapping[int, Payment] = field(default_factory=dict)

    def owing(self, tournament: Tournament) -> list[int]:
        """The pairs that play and have not paid, in the order of their numbers."""
        return [pair for pair in _payers(tournament) if pair not in self.paid]

    def total(self, pairs: Iterable[int] | None = None) -> int:
        """The sum that these pairs have paid; by default of all, also of withdrawn ones."""
        wanted = self.paid if pairs is None else set(pairs)
        return sum(one.cents or self.fee for pair, one in self.paid.items() if pair in wanted)

    def same_telephone(self, telephone: str, but: int) -> int | None:
        """Another pair than ``but`` with one of these telephones."""
        keys = telephone_keys(telephone)
        return next(
            (
                pair
                for pair, other in self.telephones.items()
                if pair != but and keys & telephone_keys(other)
            ),
            None,
        )


def _payers(tournament: Tournament) -> list[int]:
    """Those who enrolled and are still in."""
    return [
        number
        for number, pair in sorted(tournament.pairs.items())
        if not pair.of and number not in tournament.withdrawn
    ]


class Book:
    """The books of a hall's tournaments. Each method raises DatabaseError."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._reading = engine.execution_options(reads=True)
        self._clock = clock

    def page(self, tournament: int) -> BookPage:
        """The book of a tournament."""
        with database_errors(self._engine), self._reading.connect() as connection:
            fee = connection.execute(
                select(TOURNAMENTS.c.fee).where(TOURNAMENTS.c.id == tournament)
            ).scalar()
            contacts = connection.execute(
                select(CONTACTS.c.pair, CONTACTS.c.telephone)
                .where(CONTACTS.c.tournament_id == tournament)
                .order_by(CONTACTS.c.pair)
            ).all()
            payments = connection.execute(
                select(PAYMENTS.c.pair, PAYMENTS.c.cents, PAYMENTS.c.by, PAYMENTS.c.at)
                .where(PAYMENTS.c.tournament_id == tournament)
                .order_by(PAYMENTS.c.id)
            ).all()
        telephones = {row.pair: row.telephone for row in contacts}
        paid: dict[int, Payment] = {}
        for pair, cents, by, at in payments:
            if cents is None:  # it was taken back
                paid.pop(pair, None)
            else:
                paid[pair] = Payment(cents, by, at)
        return BookPage(fee or 0, telephones, paid)

    def set_fee(self, tournament: int, cents: int) -> None:
        """Set the fee of a pair."""
        with database_errors(self._engine), self._engine.begin() as connection:
            connection.execute(
                update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament).values(fee=cents)
            )

    def note(
        self,
        tournament: int,
        by: str,
        telephones: Mapping[int, str] | None = None,
        paid: Mapping[int, bool] | None = None,
    ) -> None:
        """Write down telephones ("" deletes one), and who has paid or has not after all."""
        with database_errors(self._engine), self._engine.begin() as connection:
            self.note_in(connection, tournament, by, telephones or {}, paid or {})

    def note_in(
        self,
        connection: Connection,
        tournament: int,
        by: str,
        telephones: Mapping[int, str],
        paid: Mapping[int, bool],
    ) -> None:
        """As ``note``, in a transaction that is under way."""
        if telephones:
            connection.execute(
                delete(CONTACTS).where(
                    CONTACTS.c.tournament_id == tournament, CONTACTS.c.pair.in_(list(telephones))
                )
            )
            rows = [
                {"tournament_id": tournament, "pair": pair, "telephone": telephone}
                for pair, telephone in telephones.items()
                if telephone
            ]
            if rows:
                connection.execute(insert(CONTACTS), rows)
        if paid:
            fee = connection.execute(
                select(TOURNAMENTS.c.fee).where(TOURNAMENTS.c.id == tournament)
            ).scalar_one()
            now = self._clock()
            connection.execute(
                insert(PAYMENTS),
                [
                    {
                        "tournament_id": tournament,
                        "pair": pair,
                        "cents": fee if has else None,
                        "by": by,
                        "at": now,
                    }
                    for pair, has in paid.items()
                ],
            )

    def forget_telephones(self, tournament: int) -> int:
        """Delete the telephones of a tournament; returns how many pairs had one."""
        with database_errors(self._engine), self._engine.begin() as connection:
            done = connection.execute(
                delete(CONTACTS).where(CONTACTS.c.tournament_id == tournament)
            )
            return int(done.rowcount)


def check_payer(tournament: Tournament, pair: int, by: str) -> None:
    """Raise TournamentError unless there is such a pair, and somebody who writes it down."""
    check_text(by, "Who did it")
    if pair not in tournament.pairs or tournament.pairs[pair].of:
        raise TournamentError("no_pair", pair=pair)


def cents_of(text: str) -> int:
    """An amount such as 20, 20,50 or 20.50 € in cents. Raises TournamentError."""
    plain = text.strip().removesuffix("\u20ac").strip().replace(",", ".")
    whole, point, rest = plain.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 6) or (
        point and not (rest.isascii() and rest.isdigit() and len(rest) <= 2)
    ):
        raise TournamentError("no_fee", text=f"{text!r:.40}")
    cents = int(whole) * 100 + int(rest.ljust(2, "0") or "0")
    if cents > MOST_CENTS:
        raise TournamentError("no_fee", text=f"{text!r:.40}")
    return cents
