"""``mus tournament`` for time and order, as an organiser types it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from sqlalchemy import Engine

from assistant.cli.main import main
from assistant.hall.hub.ledger import Ledger
from assistant.hall.tournament import (
    Drawn,
    Format,
    FormatSheet,
    Opened,
    Options,
    PairEnrolled,
    RoundClockSet,
    RoundEnded,
    Stage,
    StageKind,
    TableAssigned,
    Times,
    Tournament,
    order_of,
    players,
)
from tests.hall.hub.test_release import MORE
from tests.hall.hub.test_tournaments import begun

pytestmark = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
Run = Callable[..., int]


@pytest.fixture
def ledger(engine: Engine) -> Ledger:
    ledger = Ledger(engine)
    begun(ledger, pairs=MORE)
    ledger.do(1, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    return ledger


@pytest.fixture
def run(where: str, ledger: Ledger) -> Run:
    assert ledger.listed()
    return lambda job, *words: main(["tournament", job, "1", *words, "--database", where])


def now(ledger: Ledger) -> Tournament:
    return ledger.standing(1).tournament


def test_times_are_set_and_what_is_left_out_stays(run: Run, ledger: Ledger) -> None:
    assert run("times", "--courtesy", "15", "--each", "5", "--first", "later") == 0
    assert run("times", "--round", "60") == 0
    assert now(ledger).times == Times(15, 5, False, 60)
    assert now(ledger).ends == 0


def test_the_round_ends_the_next_time_that_the_clock_shows_it(run: Run, ledger: Ledger) -> None:
    assert run("times", "--ends", "19:45") == 0
    ends = now(ledger).ends
    assert time.strftime("%H:%M:%S", time.localtime(ends)) == "19:45:00"
    assert 0 < ends - time.time() <= 86_400 + 3_600  # a night of summer time has 25 hours
    assert run("times", "--ends", "0") == 0
    assert now(ledger).ends == 0


def test_a_round_ends_by_itself_if_the_times_say_so_and_is_resumed(
    run: Run, ledger: Ledger, where: str
) -> None:
    assert run("times", "--courtesy", "10", "--by-itself", "on") == 0
    assert now(ledger).times == Times(10, stops=True)
    assert run("times", "--by-itself", "off") == 0
    assert now(ledger).times == Times(10)
    why = ("--why", "el reloj iba mal", "--by", "Maite")
    assert run("resume", *why) == 2  # none has ended so
    assert ledger.open(Opened("Otro", Format.KNOCKOUT, Options(juegos=3))) == 2
    ledger.do(2, lambda _t: [PairEnrolled(n, f"P {n}", (f"A {n}", f"B {n}")) for n in (1, 2)])
    ledger.do(2, lambda t: [Drawn(7, order_of(t, 7)), TableAssigned("K1.1", "mesa-2")])
    ledger.do(2, lambda _t: [RoundClockSet(100)])
    ledger.do(2, lambda _t: [RoundEnded(100, (("K1.1", (2, 1), (9, 9)),))])
    assert main(["tournament", "resume", "2", *why, "--database", where]) == 0
    assert ledger.standing(2).tournament.results == {}
    assert ledger.standing(2).tournament.tables == {"K1.1": "mesa-2"}


@pytest.mark.usefixtures("in_spanish")
def test_a_tournament_is_drawn_from_a_bag_and_its_rounds_too(
    where: str, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = Ledger(engine)
    sheet = FormatSheet("rondas", (), (Stage(StageKind.REDRAW),))
    opened = Opened("San Blas", Format.SHEET, Options(juegos=1), sheet=sheet)
    assert ledger.open(opened) == 1
    ledger.do(1, lambda _t: [
        PairEnrolled(n, f"Pareja {n}", (f"Ana {n}", f"Luis {n}")) for n in range(1, 5)
    ])  # fmt: skip

    def run(job: str, *words: str) -> tuple[int, str, str]:
        status = main(["tournament", job, "1", *words, "--by", "Juez", "--database", where])
        told = capsys.readouterr()
        return status, told.out, told.err

    status, _, err = run("draw", "--bag", "4,2,1")
    assert (status, "El número 3 no ha salido" in err) == (2, True)
    assert run("draw", "--bag", "4,x")[0] == 2
    assert run("draw", "--bag", "4,2,1,3", "--seed", "7")[:2] == (
        0,
        "Sorteo con bolas: 4, 2, 1, 3\n",
    )
    status, out, _ = run("pair", "--bag", "3 1 4 2")
    assert (status, out) == (0, "D1.1: Pareja 3 – Pareja 1\nD1.2: Pareja 4 – Pareja 2\n")
    assert run("pair")[0] == 2  # nothing is decided yet


@pytest.mark.usefixtures("in_spanish")
def test_a_match_is_moved_to_another_day_and_back(
    run: Run, ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    why = ("--why", "trabajan", "--by", "Juez")
    assert run("move", "K1.1", "2027-02-14", *why) == 0
    assert capsys.readouterr().out == "K1.1 se juega el 2027-02-14.\n"
    assert (now(ledger).moved, now(ledger).tables) == ({"K1.1": "2027-02-14"}, {})
    assert run("move", "K1.1", "round", *why) == 0
    assert capsys.readouterr().out == "K1.1 se juega con su ronda.\n"
    assert now(ledger).moved == {}
    assert run("move", "K1.1", "14/2/2027", *why) == 2
    assert "fecha" in capsys.readouterr().err


def test_calls_go_on_and_pause_with_the_tables_that_were_said(run: Run, ledger: Ledger) -> None:
    assert run("calls", "on", "--tables", "32") == 0
    assert run("calls", "pause") == 0
    assert (now(ledger).calling, now(ledger).numbered) == (False, 32)


def test_a_late_pair_and_its_lateness_taken_back(
    run: Run, ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    run("times", "--courtesy", "10")
    late = players(now(ledger), "K1.1")[0]
    assert isinstance(late, int)
    assert run("late", "K1.1", str(late), "--by", "Maite") == 2
    assert "10 minut" in capsys.readouterr().err
    assert run("late", "K1.1", str(late), "--minutes", "12", "--by", "Maite") == 0
    assert now(ledger).pairs[late].name in capsys.readouterr().out
    assert run("lift", "1", "--why", "Estaban en la barra", "--by", "Maite") == 0
    assert "K1.1" not in now(ledger).results


def test_matches_are_stopped_and_lost_by_both(run: Run, ledger: Ledger) -> None:
    winner = players(now(ledger), "K1.1")[1]
    level = ("K1.1", "0-0", "--by", "Maite")
    assert run("stop", *level) == 2
    assert run("stop", *level, "--stones", "25-30", "--winner", str(winner)) == 0
    result = now(ledger).results["K1.1"]
    assert (result.winner, result.stones) == (winner, (25, 30))
    assert run("both-lost", "K1.2", "--why", "No vino nadie", "--by", "Maite") == 0
    assert now(ledger).results["K1.2"].winner is None


def test_a_sanction_has_its_article_and_its_name(
    run: Run, ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--article", "Interpeñas 9.1", "--why", "Pensar", "--by", "Maite")
    assert run("sanction", "1", "warning", *words, "--player", "Ana", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"seq": ledger.standing(1).seq}
    (penalty,) = now(ledger).penalties
    assert (penalty.article, penalty.player, penalty.by) == ("Interpeñas 9.1", "Ana", "Maite")
    assert run("sanction", "1", "juego", *words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_cannot_be_done_is_told_in_a_sentence(
    run: Run, ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    before = ledger.standing(1).seq
    assert run("times") == 2
    for words in (("times", "--ends", "7 y media"), ("stop", "K1.1", "2:1", "--by", "Maite")):
        assert run(*words) == 2
    assert ledger.standing(1).seq == before
    assert [line[:4] for line in capsys.readouterr().err.splitlines()] == ["mus:"] * 3
