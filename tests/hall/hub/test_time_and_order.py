"""Lateness, time and sanctions at the desk: minutes from the hub's clock, calls by themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import ActLog, Ledger
from assistant.hall.hub.release import release, verify
from assistant.hall.hub.scoring import Scorer
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import game_id
from assistant.hall.tournament import (
    Act,
    BothLost,
    CallingSet,
    Degree,
    MatchStopped,
    Options,
    PairLate,
    PenaltyLifted,
    Sanctioned,
    TableAssigned,
    Times,
    TimesSet,
    TournamentError,
    players,
)
from assistant.messages.codec import CodecError, event_to_json
from assistant.rules.events import JuegoWon
from assistant.rules.history import Record, number
from assistant.school.players import Novice
from scripts.lab.playing.juego import FORTY_STONES, moves
from tests.hall.hub.test_release import MORE
from tests.hall.hub.test_tournaments import NAMES, OPENED, Clock, batch_of, begun
from tests.hall.tournament.playing import both

pytestmark = pytest.mark.parametrize("where", ["sqlite"], indirect=True)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(engine: Engine, clock: Clock) -> Ledger:
    return Ledger(engine, clock)


def four(ledger: Ledger, *acts: Act) -> int:
    """Four pairs, drawn for a match to one juego, with ten minutes of courtesy."""
    one = begun(ledger, pairs=MORE)
    ledger.do(one, lambda _t: [TimesSet(Times(10, 10), "Juez"), *acts])
    return one


def test_one_tap_says_that_a_pair_is_late_by_the_hubs_own_clock(
    ledger: Ledger, clock: Clock
) -> None:
    one = four(ledger, TableAssigned("K1.1", "mesa-1"))
    desk = Desk(ledger, list)
    tap = {"match": "K1.1", "pair": players(ledger.standing(one).tournament, "K1.1")[0]}
    clock.now += 9 * 60
    with pytest.raises(TournamentError, match="1 minutes of courtesy left"):
        desk.do(one, "late", {**tap, "by": "Juez"})
    clock.now += 60
    desk.do(one, "late", {**tap, "by": "Juez"})
    whole = desk.show(one)
    (penalty,) = whole["penalties"]
    assert (penalty["kind"], penalty["minutes"], penalty["juegos"]) == ("late", 10, 1)
    match = next(match for match in whole["matches"] if match["match"] == "K1.1")
    assert (match["how"], match["result"]["juegos"]) == ("late", [0, 1])
    assert desk.show(one)["called"]["K1.1"] == clock.now - 600


def test_a_pair_is_late_only_where_it_was_called(ledger: Ledger) -> None:
    one = four(ledger)
    desk = Desk(ledger, list)
    with pytest.raises(TournamentError, match="at no table"):
        desk.do(one, "late", {"match": "K1.1", "pair": 1, "by": "Juez"})
    for asked in ({"match": "K1.1"}, {"match": "K1.1", "pair": 1, "minutes": "9"}):
        with pytest.raises(CodecError):
            desk.do(one, "late", {**asked, "by": "Juez"})


def test_a_whole_round_is_stopped_at_once_or_not_at_all(ledger: Ledger) -> None:
    one = four(ledger)
    desk = Desk(ledger, list)
    now = ledger.standing(one).tournament
    winner = players(now, "K1.2")[1]
    asked: list[dict[str, Any]] = [
        {"match": "K1.1", "juegos": [0, 0], "stones": [30, 20], "winner": None},
        {"match": "K1.2", "juegos": [0, 0], "stones": [30, 31], "winner": winner},
    ]
    with pytest.raises(TournamentError, match=r"K1\.1"):
        desk.do(one, "stop", {"matches": asked, "by": "Juez"})
    assert not ledger.standing(one).tournament.results
    asked[0]["winner"] = players(now, "K1.1")[0]
    desk.do(one, "stop", {"matches": asked, "by": "Juez"})
    results = ledger.standing(one).tournament.results
    assert [result.how for result in results.values()] == ["time", "time"]
    assert results["K1.2"].winner == winner
    other = {"type": "Walkover", "match": "K2.1", "winner": 1, "reason": "x"}
    with pytest.raises(CodecError):  # nothing else is done under this name
        desk.do(one, "stop", {"matches": [other], "by": "Juez"})


def test_free_tables_are_called_by_themselves_until_that_is_paused(ledger: Ledger) -> None:
    one = four(ledger)
    desk = Desk(ledger, lambda: ["mesa-7"])
    assert desk.call() == 0
    ledger.do(one, lambda _t: [CallingSet(True, 1, "Juez")])
    assert desk.call() == 2
    tables = ledger.standing(one).tournament.tables
    assert tables == {"K1.1": "mesa-7", "K1.2": "mesa-1"}  # with a device first
    assert desk.call() == 0
    ledger.do(one, lambda _t: [CallingSet(False, 1, "Juez")])
    for match in ("K1.1", "K1.2"):
        winner = both(ledger.standing(one).tournament, match)[0]
        stopped = MatchStopped(match, (0, 0), (0, 0), "Juez", winner)
        ledger.do(one, lambda _t, act=stopped: [act])  # type: ignore[misc]
    assert desk.call() == 0
    ledger.do(one, lambda _t: [CallingSet(True, 1, "Juez")])
    assert desk.call() == 1
    assert ledger.standing(one).tournament.tables["K2.1"] == "mesa-7"


def test_a_table_of_another_tournament_is_not_called(ledger: Ledger) -> None:
    other = four(ledger, CallingSet(True, 1, "Juez"))
    desk = Desk(ledger, list)
    assert desk.call() == 1
    one = begun(ledger, replace(OPENED, name="Otro"), MORE)
    ledger.do(one, lambda _t: [CallingSet(True, 2, "Juez")])
    assert desk.call() == 1
    assert "mesa-1" in ledger.standing(other).tournament.tables.values()
    assert list(ledger.standing(one).tournament.tables.values()) == ["mesa-2"]


def test_the_log_tells_whom_a_sanction_met_and_what_was_taken_back(
    ledger: Ledger,
) -> None:
    one = four(ledger)
    name = ledger.standing(one).tournament.pairs[1].name
    ledger.do(one, lambda _t: [
        Sanctioned(1, Degree.WARNING, "Art. 6.a", "Juez", "Hablar"),
        BothLost("K1.2", "Juez", "No vino nadie"),
        PenaltyLifted(1, "Juez", "Recurso"),
    ])  # fmt: skip
    warned, lost, lifted = ActLog(ledger).described(one)[-3:]
    assert warned["name"] == name
    assert len(lost["pairs"]) == 2
    assert lifted["name"] == name
    assert lifted["was"] == {"kind": "warning", "article": "Art. 6.a", "match": ""}
    assert ActLog(ledger).latest(one, 9) == ["K1.2"]


def test_an_expulsion_taken_back_leaves_no_latest_result(ledger: Ledger) -> None:
    one = four(ledger)
    first = players(ledger.standing(one).tournament, "K1.1")[0]
    assert isinstance(first, int)
    ledger.do(one, lambda _t: [
        Sanctioned(first, Degree.MATCH, "Art. 6.c", "Juez", "Señas falsas", "K1.1"),
    ])  # fmt: skip
    assert ActLog(ledger).latest(one, 9) == ["K1.1"]
    ledger.do(one, lambda _t: [PenaltyLifted(1, "Juez", "Recurso")])
    assert ActLog(ledger).latest(one, 9) == []


def first_juego() -> tuple[list[Record], str]:
    """A game to two juegos after its first one, and the side that won it."""
    records: list[Record] = []
    profile = replace(FORTY_STONES, juegos=2)
    for _, events in moves([Novice()] * 4, 5, seats=NAMES, profile=profile):
        records += number(events, len(records), 1000.0 + len(records))
        won = next((event.side for event in events if isinstance(event, JuegoWon)), None)
        if won:
            return records, won
    raise AssertionError


def test_a_match_with_a_juego_given_ends_at_its_table_when_the_other_ones_suffice(
    ledger: Ledger, engine: Engine, clock: Clock, tmp_path: Path
) -> None:
    """The pairs stop at 1-0, for with the juego given it is 2-0; the released file shows it."""
    one = begun(ledger, replace(OPENED, options=Options(juegos=2)), MORE)
    records, side = first_juego()
    winners = {NAMES[0], NAMES[2]} if side == "A" else {NAMES[1], NAMES[3]}
    now = ledger.standing(one).tournament
    plays = {1: {"Ana", "José"}, 2: {"Jon", "Eva"}}
    winner = next(pair for pair, names in plays.items() if names == winners)
    loser = 3 - winner
    here = next(m for m in ("K1.1", "K1.2") if winner in players(now, m))
    assert loser in players(now, here)
    ledger.do(one, lambda _t: [
        TimesSet(Times(10, 10), "Juez"),
        TableAssigned(here, "mesa-1"),
        PairLate(here, loser, 12, "Juez"),
    ])  # fmt: skip
    Store(engine, clock).take([
        batch_of(records, game=game_id("game-1", records[0].at, event_to_json(records[0].event)))
    ])  # fmt: skip
    clock.now += 60
    assert Scorer(ledger, JournalReader(engine), clock=clock).score() == 1
    result = ledger.standing(one).tournament.results[here]
    assert (result.winner, max(result.juegos), min(result.juegos)) == (winner, 2, 0)
    release(engine, one, tmp_path / "san-blas.zip")
    found = verify(tmp_path / "san-blas.zip")
    assert (found.wrong, found.journals) == ((), 1)


def test_a_released_tournament_with_all_these_acts_is_verified(
    ledger: Ledger, engine: Engine, tmp_path: Path
) -> None:
    one = four(ledger, TableAssigned("K1.1", "mesa-1"), CallingSet(True, 4, "Juez"))
    late = players(ledger.standing(one).tournament, "K1.1")[0]
    assert isinstance(late, int)
    ledger.do(one, lambda _t: [
        PairLate("K1.1", late, 12, "Juez"),
        PenaltyLifted(1, "Juez", "Estaban en la barra"),
        PairLate("K1.1", late, 13, "Juez"),
        Sanctioned(late, Degree.EXPULSION, "Art. 6.c", "Juez", "Insultar", player=""),
        BothLost("K1.2", "Juez", "No vino nadie"),
    ])  # fmt: skip
    release(engine, one, tmp_path / "san-blas.zip")
    found = verify(tmp_path / "san-blas.zip")
    assert found.wrong == ()
    assert found.acts == len(ledger.entries(one))
