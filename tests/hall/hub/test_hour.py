"""Rounds that end by themselves at their hour: once, with what the tables show for certain."""

from __future__ import annotations

from typing import Any, cast

import pytest
from sqlalchemy import Engine

from assistant.hall.hub.calls import CallingThread
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.hour import LATE_S, WARN_S, TableNow
from assistant.hall.hub.ledger import ActLog, Ledger
from assistant.hall.hub.scoring import called
from assistant.hall.hub.wire import Called, WireError, pack_called, packed, read_called
from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    Opened,
    Options,
    PairEnrolled,
    PairLate,
    ResultEntered,
    RoundClockSet,
    RoundEnded,
    RoundResumed,
    Times,
    TimesSet,
    assign,
    draw,
    players,
    ready,
    seating,
)
from tests.hall.hub.test_tournaments import Clock

pytestmark = pytest.mark.parametrize("where", ["sqlite"], indirect=True)

MINUTES = 60
TABLES = ["mesa-1", "mesa-2", "mesa-3", "mesa-4"]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(engine: Engine, clock: Clock) -> Ledger:
    return Ledger(engine, clock)


class Tables:
    """What the tables of the hall show: the pairs of their matches sit there."""

    def __init__(self, ledger: Ledger, number: int) -> None:
        self._ledger = ledger
        self._number = number
        self.now: dict[str, TableNow] = {}

    def show(
        self, match: str, juegos: tuple[int, int], whole: tuple[int, int], **other: Any
    ) -> None:
        """A match as its table shows it, the first pair of the match on side A."""
        tournament = self._ledger.standing(self._number).tournament
        one, two = (tournament.pairs[p] for p in players(tournament, match) if isinstance(p, int))
        seats = seating(one, two)
        turned = other.pop("turned", False)
        names = [list(seats[::2]), list(seats[1::2])]
        sides = [{"names": own, "juegos": won} for own, won in zip(names, juegos, strict=True)]
        brief = {"sides": sides, "whole": list(whole), "given": [0, 0], "over": False}
        if turned:
            brief |= {"sides": sides[::-1], "whole": list(whole[::-1])}
        brief |= other.pop("brief", {})
        table = {"online": True, "lag": 0, "fault": "", "brief": brief, **other}
        self.now[tournament.tables[match]] = cast("TableNow", table)

    def look(self, table: str) -> TableNow | None:
        return self.now.get(table)


def playing(ledger: Ledger, form: Format = Format.KNOCKOUT, *, stops: bool = True) -> int:
    """Eight pairs, whose first matches are played at four tables; their round ends in an hour."""
    name = f"San Blas {len(ledger.listed()) + 1}"
    number = ledger.open(Opened(name, form, Options(juegos=3)))
    pairs: list[Act] = [PairEnrolled(n, f"P {n}", (f"Ana {n}", f"Luis {n}")) for n in range(1, 9)]
    ledger.do(number, lambda _t: pairs)
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7))])
    ledger.do(number, lambda t: list(assign(t, TABLES)))
    ends = int(ledger.clock()) + 60 * MINUTES
    ledger.do(number, lambda _t: [TimesSet(Times(10, 10, stops=stops)), RoundClockSet(ends)])
    return number


def first_matches(ledger: Ledger, number: int) -> list[str]:
    return [match.id for match in ready(ledger.standing(number).tournament)][:4]


def test_at_its_hour_and_not_before_each_match_counts_as_its_table_shows_it(
    ledger: Ledger, clock: Clock
) -> None:
    number = playing(ledger)
    tables, desk = Tables(ledger, number), Desk(ledger, list)
    one, two, three, four = first_matches(ledger, number)
    tables.show(one, (2, 1), (95, 80))
    tables.show(two, (0, 1), (30, 44))
    tables.show(three, (1, 2), (70, 80), turned=True)  # they changed sides
    tables.show(four, (1, 1), (50, 60))  # nobody is ahead
    clock.now += 60 * MINUTES - 1
    assert desk.end_rounds(tables.look) == 0
    clock.now += 1
    assert desk.end_rounds(tables.look) == 3
    results = ledger.standing(number).tournament.results
    assert {match: (r.juegos, r.stones, r.how) for match, r in results.items()} == {
        one: ((2, 1), (95, 80), "time"),
        two: ((0, 1), (30, 44), "time"),
        three: ((1, 2), (70, 80), "time"),
    }
    acts = [one["act"]["type"] for one in ActLog(ledger).described(number)]
    assert acts.count("RoundEnded") == 1
    assert desk.end_rounds(tables.look) == 0  # once
    latest = desk.show(number)["latest"]
    assert {*latest} == {one, two, three}


def test_what_no_table_tells_without_a_doubt_is_left_to_the_referee(
    ledger: Ledger, clock: Clock
) -> None:
    doubtful: list[dict[str, Any]] = [
        {"online": False},
        {"lag": 3},
        {"fault": "no cuadra"},
        {"brief": {"over": True}},
        {"brief": {"whole": [0, 0], "sides": [
            {"names": ["Otro", "Más"], "juegos": 2}, {"names": ["Eva", "Jon"], "juegos": 0},
        ]}},
        {"brief": None},
    ]  # fmt: skip
    for doubt in doubtful:
        number = playing(ledger)
        tables, desk = Tables(ledger, number), Desk(ledger, list)
        one, two, three, four = first_matches(ledger, number)
        tables.show(one, (2, 1), (95, 80))
        if doubt.get("brief", {}) is None:
            tables.show(two, (2, 1), (9, 9))
            tables.now[ledger.standing(number).tournament.tables[two]]["brief"] = None
        else:
            tables.show(two, (2, 1), (9, 9), **doubt)
        tables.show(three, (0, 0), (0, 0))  # nobody has said anything there yet
        clock.now += 60 * MINUTES
        assert desk.end_rounds(tables.look) == 1  # the fourth has no device
        assert ledger.standing(number).tournament.results.keys() == {one}
        assert four in ledger.standing(number).tournament.tables
        ledger.do(number, lambda _t: [RoundClockSet(0)])


def test_level_matches_end_level_where_pairs_play_for_points_once_they_have_begun(
    ledger: Ledger, clock: Clock
) -> None:
    number = playing(ledger, Format.ROBIN)
    tables, desk = Tables(ledger, number), Desk(ledger, list)
    one, two, *_ = first_matches(ledger, number)
    tables.show(one, (1, 1), (50, 60))
    tables.show(two, (0, 0), (0, 0))
    clock.now += 60 * MINUTES
    assert desk.end_rounds(tables.look) == 1
    assert ledger.standing(number).tournament.results[one].winner is None


def test_juegos_that_were_given_are_counted_once(ledger: Ledger, clock: Clock) -> None:
    number = playing(ledger)
    tables, desk = Tables(ledger, number), Desk(ledger, list)
    one, two, *_ = first_matches(ledger, number)
    for match in (one, two):
        late = players(ledger.standing(number).tournament, match)[1]
        assert isinstance(late, int)
        ledger.do(number, lambda _t, m=match, p=late: [PairLate(m, p, 10, "Juez")])  # type: ignore[misc]
    tables.show(one, (1, 0), (40, 20))  # the game does not know it
    tables.show(two, (2, 1), (40, 20), brief={"given": [1, 0]})  # it was opened with it
    clock.now += 60 * MINUTES
    assert desk.end_rounds(tables.look) == 2
    results = ledger.standing(number).tournament.results
    assert [results[match].juegos for match in (one, two)] == [(2, 0), (2, 1)]


def test_by_default_and_long_after_its_hour_the_referee_ends_a_round(
    ledger: Ledger, clock: Clock
) -> None:
    plain = playing(ledger, stops=False)
    shows = Tables(ledger, plain)
    shows.show(first_matches(ledger, plain)[0], (2, 1), (95, 80))
    clock.now += 60 * MINUTES
    assert Desk(ledger, list).end_rounds(shows.look) == 0
    late = playing(ledger)
    tables = Tables(ledger, late)
    tables.show(first_matches(ledger, late)[0], (2, 1), (95, 80))
    clock.now += 60 * MINUTES + LATE_S + 1  # the hub was away
    assert Desk(ledger, list).end_rounds(tables.look) == 0


def test_the_end_is_taken_back_and_comes_again_at_the_next_hour(
    ledger: Ledger, clock: Clock
) -> None:
    number = playing(ledger)
    tables, desk = Tables(ledger, number), Desk(ledger, list)
    one, two, *_ = first_matches(ledger, number)
    tables.show(one, (2, 1), (95, 80))
    clock.now += 60 * MINUTES
    assert desk.end_rounds(tables.look) == 1
    ledger.do(number, lambda _t: [RoundResumed("Juez", "El reloj iba mal")])
    assert desk.end_rounds(tables.look) == 0
    assert ledger.standing(number).tournament.results == {}
    entered = ResultEntered(
        one, (3, 1), (0, 0), ledger.standing(number).tournament.tables[one], "g"
    )
    ledger.do(number, lambda _t: [entered])
    tables.show(two, (2, 1), (9, 9))
    ledger.do(number, lambda _t: [RoundClockSet(int(clock.now) + 5 * MINUTES)])
    clock.now += 5 * MINUTES
    assert desk.end_rounds(tables.look) == 1
    assert ledger.standing(number).tournament.results.keys() == {one, two}


def test_two_hubs_end_a_round_once(ledger: Ledger, engine: Engine, clock: Clock) -> None:
    number = playing(ledger)
    tables = Tables(ledger, number)
    tables.show(first_matches(ledger, number)[0], (2, 1), (95, 80))
    clock.now += 60 * MINUTES
    threads = [
        CallingThread(Desk(Ledger(engine, clock), list), every=0.01, look=tables.look)
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in range(500):
            if Ledger(engine, clock).standing(number).tournament.results:
                break
            threads[0]._thread.ends.wait(0.01)
    finally:
        for thread in threads:
            thread.stop()
    done = [one["act"]["type"] for one in ActLog(Ledger(engine, clock)).described(number)]
    assert done.count("RoundEnded") == 1


def test_the_tables_are_told_when_the_end_is_near_and_only_if_it_comes_by_itself(
    ledger: Ledger, clock: Clock
) -> None:
    number, plain = playing(ledger), playing(ledger, stops=False)
    ends = ledger.standing(number).tournament.ends
    for left, told in ((WARN_S + 1, 0), (WARN_S, ends), (1, ends), (0, 0)):
        now = ends - left
        assert {one.ends for one in called(ledger.standing(number), now).values()} == {told}
        assert {one.ends for one in called(ledger.standing(plain), now).values()} == {0}
    clock.now += 60 * MINUTES
    ledger.do(number, lambda t: [RoundEnded(t.ends, ())])
    assert {one.ends for one in called(ledger.standing(number), ends - 1).values()} == {0}


@pytest.mark.usefixtures("engine")
def test_the_end_travels_with_the_match() -> None:
    match = Called("San Blas K1.1", ("Ana", "Eva", "Luis", "Jon"), 3, ends=1_800_000_000)
    assert read_called(pack_called(match)) == match
    for wrong in (-1, "20:30", 2**60):
        body = {"v": 1, "match": "K1.1", "seats": list(match.seats), "juegos": 3, "ends": wrong}
        with pytest.raises(WireError):
            read_called(packed(body))
