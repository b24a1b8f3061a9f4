"""Tournaments in the database: saved, drawn, paired, and scored from the tables' games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from threading import Thread

import pytest
from sqlalchemy import Engine, insert

from assistant.hall.hub.database import ACTS, open_database
from assistant.hall.hub.desk import Desk, matcher
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.scoring import EVENING, Scorer, called
from assistant.hall.hub.scoring import played as end_of
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import Batch, EventRow, pack_called, read_called
from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    FormatSheet,
    Opened,
    Options,
    PairCorrected,
    PairEnrolled,
    ResultCorrected,
    ResultEntered,
    Stage,
    StageKind,
    TableAssigned,
    Tournament,
    TournamentError,
    act_to_json,
    draw,
    finished,
    pair_round,
    players,
    ready,
    standings,
)
from assistant.messages.codec import CodecError, event_to_json
from assistant.rules.history import Record, fold, number
from assistant.rules.profile import Profile
from assistant.school.players import Novice
from scripts.lab.playing.juego import BEGAN, FORTY_STONES, moves, recorded
from tests.hall.hub.played import with_undo

NAMES = ("José", "Eva", "Ana", "Jon")
GAME = recorded([Novice()] * 4, 5, seats=NAMES)
OPENED = Opened("San Blas", Format.KNOCKOUT, Options(juegos=1), by="Juez")
PAIRS = (
    PairEnrolled(1, "Los de la plaza", ("Ana", "José")),
    PairEnrolled(2, "Tres reyes", ("Jon", "Eva")),
)


def drawn(tournament: Tournament) -> Sequence[Act]:
    return [Drawn(7, draw(tournament.pairs.values(), 7))]


def begun(ledger: Ledger, opened: Opened = OPENED, pairs: Sequence[Act] = PAIRS) -> int:
    number = ledger.open(opened)
    ledger.do(number, lambda _t: pairs)
    ledger.do(number, drawn)
    return number


def batch_of(records: Sequence[Record], table: str = "mesa-1", game: str = "game-1") -> Batch:
    rows = tuple([EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in records])
    return Batch(table, game, 0.0, rows)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def recorded_vacas() -> list[Record]:
    """A match that two vacas of one juego win, as its table's journal has it."""
    records: list[Record] = []
    profile = replace(FORTY_STONES, juegos=1, vacas=2)
    for _, events in moves([Novice()] * 4, 6, seats=NAMES, profile=profile):
        records += number(events, len(records), BEGAN + 2.0 * len(records))
    return records


def test_another_process_reads_back_the_acts(engine: Engine) -> None:
    ledger, other = Ledger(engine), Ledger(engine)
    number = begun(ledger)
    assert [one.name for one in other.listed()] == ["San Blas"]
    assert other.standing(number).tournament == ledger.standing(number).tournament
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    assert other.standing(number).tournament.tables == {"K1.1": "mesa-1"}
    assert [entry.seq for entry in other.entries(number)] == [1, 2, 3, 4, 5]


def test_the_name_of_a_tournament_is_unique(engine: Engine) -> None:
    ledger = Ledger(engine)
    ledger.open(OPENED)
    with pytest.raises(TournamentError, match="name this one otherwise"):
        ledger.open(OPENED)
    assert len(ledger.listed()) == 1


def test_a_refused_act_leaves_nothing_behind(engine: Engine) -> None:
    ledger = Ledger(engine)
    number = begun(ledger)
    before = ledger.standing(number)
    with pytest.raises(TournamentError):
        ledger.do(
            number,
            lambda _t: [TableAssigned("K1.1", "mesa-1"), TableAssigned("K9.9", "mesa-2")],
        )
    assert Ledger(engine).standing(number) == before


def test_an_unknown_tournament_is_reported(engine: Engine) -> None:
    with pytest.raises(TournamentError, match="no tournament 9"):
        Ledger(engine).standing(9)


@pytest.mark.parametrize("text", ["{}", '{"type": "Walkover", "v": 99}', act_to_json(OPENED)])
def test_an_unreadable_tournament_stops_no_other(engine: Engine, text: str) -> None:
    """It is of a newer version, damaged, or has an act that today's rules refuse."""
    ledger = Ledger(engine)
    broken = ledger.open(Opened("Otro", Format.SWISS, Options(juegos=1, rounds=1), by="Juez"))
    number = begun(ledger)
    with engine.begin() as connection:
        connection.execute(insert(ACTS).values(tournament_id=broken, seq=2, at=1.0, act=text))
    again = Ledger(engine)
    with pytest.raises((TournamentError, CodecError)):
        again.standing(broken)
    assert [standing.id for standing in again.readable()] == [number]
    scorer = Scorer(again, JournalReader(engine))
    assert scorer.score() == 0
    assert scorer.doubts.keys() == {number}
    desk = Desk(again, lambda: ["mesa-1"], b"secret")
    assert {one["id"]: one["stage"] for one in desk.listed()}[broken] is None
    desk.do(number, "assign", {"by": "Juez"})
    assert again.standing(number).tournament.tables


def test_simultaneous_writers_wait_for_each_other(engine: Engine) -> None:
    where = engine.url.render_as_string(hide_password=False)
    number = Ledger(engine).open(OPENED)
    failed: list[BaseException] = []

    def enrol(first: int) -> None:
        own = open_database(where)
        ledger = Ledger(own)
        try:
            for pair in range(first, first + 5):
                act = PairEnrolled(pair, f"Pareja {pair}", (f"a{pair}", f"b{pair}"))
                ledger.do(number, lambda _t, act=act: [act])  # type: ignore[misc]
        except BaseException as error:
            failed.append(error)
        own.dispose()

    threads = [Thread(target=enrol, args=(1 + 5 * n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(Ledger(engine).standing(number).tournament.pairs) == list(range(1, 16))


def test_a_swiss_tournament_is_paired_by_the_best_matching(engine: Engine) -> None:
    ledger = Ledger(engine)
    pairs = [PairEnrolled(n, f"Pareja {n}", (f"a{n}", f"b{n}")) for n in range(1, 12)]
    number = begun(ledger, Opened("Suizo", Format.SWISS, Options(juegos=3, rounds=4)), pairs)
    dice = random.Random(2)
    met: list[frozenset[object]] = []
    for _ in range(4):
        standing = ledger.do(number, lambda t: [pair_round(t, matcher)])
        for match in ready(standing.tournament):
            met.append(frozenset(players(standing.tournament, match.id)))
            won = dice.choice([(3, 0), (1, 3)])
            ledger.do(number, lambda _t, m=match, w=won: [  # type: ignore[misc]
                ResultEntered(m.id, w, (0, 0), "mesa-1", "game")])  # fmt: skip
    assert len(set(met)) == len(met) == 4 * 5
    end = ledger.standing(number).tournament
    assert finished(end)
    assert len(standings(end)) == 11


@pytest.mark.parametrize("swapped", [False, True])
def test_a_result_comes_from_the_table_whichever_side_the_pair_sits_on(
    engine: Engine, swapped: bool
) -> None:
    clock = Clock()
    ledger, store = Ledger(engine, clock), Store(engine, clock)
    pairs = PAIRS if not swapped else tuple(replace(pair, pair=3 - pair.pair) for pair in PAIRS)
    number = begun(ledger, pairs=pairs)
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    store.take([batch_of(GAME[:-1])])
    clock.now += 60
    assert scorer.score() == 0  # the match is not over
    store.take([batch_of(GAME[-1:])])
    assert scorer.score() == 0  # it may still be undone
    clock.now += 60
    assert scorer.score() == 1
    assert scorer.score() == 0
    tournament = ledger.standing(number).tournament
    result = tournament.results["K1.1"]
    state = fold(GAME)
    assert state
    end = end_of(GAME)
    assert end
    ana = next(p for p in tournament.pairs.values() if "Ana" in p.players)
    juegos = dict(zip(result.pairs, result.juegos, strict=True))
    stones = dict(zip(result.pairs, result.stones, strict=True))
    assert juegos[ana.number] == state.juegos[0]  # José and Ana are side A
    assert stones[ana.number] == end.stones[0]
    assert (result.by, result.counts) == ("mesa-1", True)


@pytest.mark.parametrize("vacas", [1, 2, 3])
def test_a_match_of_vacas_takes_its_result_from_the_table(engine: Engine, vacas: int) -> None:
    clock = Clock()
    ledger, store = Ledger(engine, clock), Store(engine, clock)
    sheet = FormatSheet("vacas", (), (Stage(StageKind.KNOCKOUT, vacas=vacas),), juegos=1)
    begun_ = replace(OPENED, format=Format.SHEET, sheet=sheet)
    number_ = begun(ledger, begun_)
    ledger.do(number_, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    called_ = called(ledger.standing(number_), clock.now)["mesa-1"]
    assert (called_.vacas, called_.juegos) == (vacas, 1)
    assert read_called(pack_called(called_)) == called_
    assert called_.profile(Profile()).vacas == vacas
    records = recorded_vacas()
    state = fold(records)
    assert state is not None
    assert max(state.vacas) == 2
    store.take([batch_of(records)])
    clock.now += 60
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    assert scorer.score() == (vacas == 2)
    results = ledger.standing(number_).tournament.results
    if vacas != 2:
        assert results == {}
        assert scorer.left == {number_: {"K1.1": "juegos"}}
        return
    result = results["K1.1"]
    assert result.counts
    assert dict(zip(result.pairs, result.juegos, strict=True))[1] == state.vacas[0]  # Ana and José


@pytest.mark.parametrize("why", ["names", "juegos", "earlier", "elsewhere", "gap", "undone"])
def test_a_game_that_is_not_clearly_the_matchs_is_left_to_people(engine: Engine, why: str) -> None:
    clock = Clock()
    ledger, store = Ledger(engine, clock), Store(engine, clock)
    options = Options(juegos=3 if why == "juegos" else 1)
    pairs = [PAIRS[0], replace(PAIRS[1], players=("Jon", "Iker"))] if why == "names" else PAIRS
    number = begun(ledger, replace(OPENED, options=options), pairs)
    table = "mesa-2" if why == "elsewhere" else "mesa-1"
    if why == "earlier":
        store.take([batch_of(GAME[:3])])
        clock.now += 60
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    clock.now += 60
    records = GAME
    if why == "undone":
        records = with_undo(GAME)
    store.take([batch_of(records if why != "gap" else [*GAME[:40], *GAME[41:]][:40], table)])
    if why == "gap":
        store.take([batch_of(GAME[41:], table)])
    clock.now += 600
    assert Scorer(ledger, JournalReader(engine), clock=clock).score() == 0
    assert ledger.standing(number).tournament.results == {}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (Options(juegos=1, rules="kings=4"), "rules"),
        (Options(juegos=3), "juegos"),
        (Options(juegos=1), "names"),
        (Options(juegos=1, rules="kings=8 target=40"), ""),
    ],
)
def test_a_game_by_other_rules_is_left_to_people_with_the_reason(
    engine: Engine, options: Options, why: str
) -> None:
    clock = Clock()
    ledger, store = Ledger(engine, clock), Store(engine, clock)
    pairs = [PAIRS[0], replace(PAIRS[1], players=("Jon", "Iker"))] if why == "names" else PAIRS
    number = begun(ledger, replace(OPENED, options=options), pairs)
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    desk = Desk(ledger, list, left=lambda n: scorer.left.get(n, {}))
    before = desk.version(number)
    store.take([batch_of(GAME)])
    clock.now += 60
    assert scorer.score() == (not why)
    assert desk.show(number)["left"] == ({"K1.1": why} if why else {})
    if not why:
        return
    assert desk.version(number) != before
    again = Scorer(ledger, JournalReader(engine), clock=clock)  # a restarted hub
    again.score()
    assert again.left == {number: {"K1.1": why}}
    juegos = options.juegos
    ledger.do(number, lambda _t: [ResultEntered("K1.1", (juegos, 0), (0, 0), "Judge")])
    scorer.score()
    assert desk.show(number)["left"] == {}


def test_calling_a_match_again_forgets_the_reason_of_the_last_game(engine: Engine) -> None:
    clock = Clock()
    ledger, store = Ledger(engine, clock), Store(engine, clock)
    number = begun(ledger, replace(OPENED, options=Options(juegos=1, rules="kings=4")))
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    store.take([batch_of(GAME)])
    clock.now += 60
    scorer.score()
    assert scorer.left[number] == {"K1.1": "rules"}
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer.score()
    assert scorer.left[number] == {}


def test_a_table_is_sent_the_rules_of_its_match(engine: Engine) -> None:
    ledger, clock = Ledger(engine, Clock()), Clock()
    number = begun(ledger, replace(OPENED, options=Options(juegos=1, rules="kings=4")))
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    scorer.score()
    assert scorer.called["mesa-1"].rules == "kings=4"


def test_a_result_whose_game_was_undone_afterwards_is_doubted(engine: Engine) -> None:
    clock = Clock()
    ledger, store = Ledger(engine, clock), Store(engine, clock)
    number = begun(ledger)
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    desk = Desk(ledger, list, doubts=lambda n: scorer.doubts.get(n, ()))
    store.take([batch_of(GAME)])
    clock.now += 60
    assert scorer.score() == 1
    scorer.score()
    assert desk.show(number)["doubts"] == []
    before = desk.version(number)
    undone = with_undo(GAME)
    store.take([batch_of(undone[len(GAME) :])])
    clock.now += 60
    assert scorer.score() == 0
    assert desk.show(number)["doubts"] == ["K1.1"]
    assert desk.version(number) != before
    # others may already play on with it
    assert "K1.1" in ledger.standing(number).tournament.results
    again = Scorer(ledger, JournalReader(engine), clock=clock)  # a restarted hub
    again.score()
    assert again.doubts == {number: {"K1.1"}}
    result = ledger.standing(number).tournament.results["K1.1"]
    corrected = ResultCorrected("K1.1", result.juegos, result.stones, "Seen it", "Judge")
    ledger.do(number, lambda _t: [corrected])
    scorer.score()
    assert desk.show(number)["doubts"] == []


def test_a_call_to_a_table_ends_with_its_evening(engine: Engine) -> None:
    clock = Clock()
    ledger = Ledger(engine, clock)
    number = begun(ledger)
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    scorer.score()
    assert scorer.called["mesa-1"].match == "San Blas K1.1"
    clock.now += EVENING
    scorer.score()
    assert scorer.called == {}


def test_a_corrected_pair_is_sent_to_its_table_again(engine: Engine) -> None:
    ledger, clock = Ledger(engine, Clock()), Clock()
    number = begun(ledger)
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    scorer.score()
    assert "Eva" in scorer.called["mesa-1"].seats
    to = PairCorrected(2, "Tres reyes", ("Jon", "Miren"), "", "Juez", "Eva está enferma")
    ledger.do(number, lambda _t: [to])
    scorer.score()
    assert "Eva" not in scorer.called["mesa-1"].seats
    assert "Miren" in scorer.called["mesa-1"].seats
