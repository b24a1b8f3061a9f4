"""The hub's work is shared by leases: evenly, each part by one process, moved in seconds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from assistant.hall.hub.board import Hall, SliceBoard
from assistant.hall.hub.database import DatabaseError
from assistant.hall.hub.leases import TICK, Leases
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import SLICES, Batch, EventRow, Status, slice_of
from assistant.messages.codec import event_to_json
from scripts.lab.hubbench.hub_process import HubProcess
from scripts.lab.hubbench.servers import Broker, until
from tests.hall.hub.machines import TableMachine, agree
from tests.hall.hub.played import played

NAMES = [f"{number:02}" for number in range(SLICES)]
EVENING = played(2)
ROWS = tuple(EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in EVENING)
POSTGRESQL = pytest.mark.parametrize("where", ["postgresql"], indirect=True)
SQLITE = pytest.mark.parametrize("where", ["sqlite"], indirect=True)


@pytest.fixture
def stack(broker: Broker) -> Iterator[ExitStack]:
    assert broker  # it must outlive everything in this stack
    with ExitStack() as stack:
        yield stack


def processes(engine: Engine, count: int) -> list[Leases]:
    return [Leases(engine, f"hub-{number}", "intake", NAMES) for number in range(count)]


def settled(hubs: list[Leases]) -> list[int]:
    """Let all of them look a few times; how many slices each holds then."""
    for _ in range(4):
        for hub in hubs:
            hub.renew()
    held = [name for hub in hubs for name in hub.held]
    assert sorted(held) == NAMES  # each by one, and none by nobody
    return sorted(len(hub.held) for hub in hubs)


@POSTGRESQL
def test_processes_share_the_slices_evenly(engine: Engine) -> None:
    hubs = processes(engine, 3)
    assert settled(hubs[:1]) == [64]
    assert settled(hubs[:2]) == [32, 32]
    assert settled(hubs) == [20, 22, 22]


@POSTGRESQL
def test_whoever_stops_gives_its_slices_back_at_once(engine: Engine) -> None:
    hubs = processes(engine, 2)
    settled(hubs)
    hubs[0].end()
    assert len(hubs[1].renew()) == 64


@POSTGRESQL
def test_the_slices_of_a_killed_process_move_within_five_seconds(engine: Engine) -> None:
    hubs = processes(engine, 3)
    settled(hubs)
    killed = time.monotonic()
    while len(hubs[0].held) + len(hubs[1].held) < SLICES:
        assert time.monotonic() - killed < 5
        for hub in hubs[:2]:
            hub.renew()
        time.sleep(TICK)
    assert not hubs[0].held & hubs[1].held


@POSTGRESQL
def test_whoever_was_away_learns_what_it_has_lost(engine: Engine) -> None:
    """Its slices are not taken twice: it holds what nobody took, and its part of the rest."""
    away, other = processes(engine, 2)
    settled([away, other])
    with engine.begin() as connection:  # as after LASTS seconds without a renewal
        gone = text("UPDATE leases SET until = 0 WHERE owner = 'hub-0'")
        connection.execute(gone)
        connection.execute(text("DELETE FROM processes WHERE name = 'hub-0'"))
    assert len(other.renew()) == 64
    assert away.renew() == frozenset()
    assert settled([away, other]) == [32, 32]


@POSTGRESQL
def test_only_one_process_scores(engine: Engine) -> None:
    hubs = [Leases(engine, f"hub-{n}", "scoring", ["all"], share=False) for n in range(3)]
    for hub in (*hubs, *hubs):
        hub.renew()
    assert [hub.held for hub in hubs] == [{"all"}, set(), set()]
    hubs[0].end()
    assert hubs[2].renew() == {"all"}


@SQLITE
def test_the_only_process_on_a_file_holds_everything_and_writes_nothing(engine: Engine) -> None:
    hub = processes(engine, 1)[0]
    assert len(hub.renew()) == 64
    with engine.connect() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM leases")).scalar_one() == 0


# ---- The board: changes by their numbers ---------------------------------------------------------


def seqs(page: Hall) -> list[int]:
    """How far each table's game is shown; 0 where it has none."""
    return [view["brief"]["seq"] if view["brief"] else 0 for view in page.views()]


def batch(table: str, first: int = 0, last: int = 40) -> Batch:
    return Batch(table, "game-1", 0.0, ROWS[first:last])


def test_each_slice_is_folded_by_one_board_and_read_by_every_page(engine: Engine) -> None:
    reader, store = JournalReader(engine), Store(engine)
    tables = [f"mesa-{number}" for number in range(1, 21)]
    store.take([batch(table) for table in tables])
    boards, pages = [SliceBoard(reader, store) for _ in range(2)], [Hall(reader) for _ in range(2)]
    for number, board in enumerate(boards):
        board.follow([one for one in range(SLICES) if one % 2 == number])
    shown: list[str] = []
    for number, board in enumerate(boards):
        assert board.look()
        there = [one.row.table for one in reader.shown_beyond(dict.fromkeys(range(SLICES), -1))
                 if one.view.brief and one.row.table not in shown]  # fmt: skip
        assert {slice_of(table) % 2 for table in there} == {number}
        shown += there
    assert sorted(shown) == sorted(tables)
    for page in pages:
        assert page.look()
        assert [view["table"] for view in page.views()] == sorted(tables)
        assert seqs(page) == [40] * len(tables)
        assert not page.look()


def test_a_board_that_takes_a_slice_over_goes_on_where_the_other_was(engine: Engine) -> None:
    reader, store = JournalReader(engine), Store(engine)
    store.take([batch("mesa-1")])
    first, second, page = SliceBoard(reader, store), SliceBoard(reader, store), Hall(reader)
    first.follow(range(SLICES))
    first.look()
    first.follow([])
    second.follow(range(SLICES))
    store.take([batch("mesa-1", 40, 80)])
    assert not first.look()
    assert second.look()
    page.look()
    assert seqs(page) == [80]


def test_a_look_that_finds_nothing_new_reads_no_table(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, store = JournalReader(engine), Store(engine)
    store.take([batch("mesa-1")])
    store.statuses([Status("mesa-2", True)])
    board, page = SliceBoard(reader, store), Hall(reader)
    board.follow(range(SLICES))
    board.look()
    page.look()
    asked: list[dict[int, int]] = []

    def beyond(numbers: dict[int, int]) -> list[object]:
        asked.append(dict(numbers))
        return []

    for name in ("games_beyond", "shown_beyond"):
        monkeypatch.setattr(reader, name, beyond)
    board.look()
    page.look()
    assert asked == [{}, {}]
    store.statuses([Status("mesa-2", False)])
    page.look()
    assert [list(numbers) for numbers in asked[2:]] == [[slice_of("mesa-2")]]


@SQLITE
def test_a_table_is_silent_since_its_game_moved_last_whatever_becomes_of_its_line(
    engine: Engine,
) -> None:
    now = [1000.0]
    reader, store = JournalReader(engine), Store(engine)
    board, page = SliceBoard(reader, store), Hall(reader, lambda: now[0])
    board.follow(range(SLICES))
    for at, rows, online, moved in (
        (1000.0, ROWS[:8], True, 1000.0),
        (1300.0, ROWS[:8], False, 1000.0),  # its line is gone, and nobody says anything
        (1400.0, ROWS[:12], True, 1400.0),
    ):
        now[0] = at
        store.take([Batch("mesa-1", "game-1", 0.0, rows)])
        store.statuses([Status("mesa-1", online)])
        board.look()
        page.look()
        (view,) = page.views()
        assert (view["online"], view["moved"]) == (online, moved)


@SQLITE
def test_a_hub_that_starts_knows_since_when_each_table_is_silent(engine: Engine) -> None:
    now = [1000.0]
    reader, store = JournalReader(engine), Store(engine, lambda: now[0])
    board = SliceBoard(reader, store)
    board.follow(range(SLICES))
    store.take([Batch("mesa-1", "game-1", 0.0, ROWS[:8])])
    now[0] = 1500.0
    store.take([Batch("mesa-2", "game-1", 0.0, ROWS[:8])])
    store.statuses([Status("mesa-3", True)])  # it has no game yet
    board.look()
    now[0] = 2200.0
    store.statuses([Status("mesa-1", False), Status("mesa-1", True)])
    page = Hall(reader, lambda: now[0])  # another process, or the same one anew
    page.look()
    assert [view["moved"] for view in page.views()] == [1000.0, 1500.0, 2200.0]
    now[0] = 2300.0
    store.take([Batch("mesa-1", "game-1", 0.0, ROWS[8:12])])
    board.look()
    page.look()
    assert [view["moved"] for view in page.views()] == [2300.0, 1500.0, 2200.0]


@SQLITE
def test_a_page_that_nobody_looks_at_follows_nothing_and_is_up_to_date_when_somebody_does(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.hall.hub.board.NOBODY_S", 0.5)
    monkeypatch.setattr("assistant.hall.hub.board.ASLEEP_POLL", 0.1)
    reader, store = JournalReader(engine), Store(engine)
    page = Hall(reader)
    page.start()
    until(lambda: page.fresh)
    time.sleep(0.3)
    store.statuses([Status("mesa-1", True)])
    time.sleep(0.7)
    assert page.version == 0

    def stumble() -> dict[int, int]:
        raise DatabaseError("Away.")

    with monkeypatch.context() as patch:  # it still tells whether the database answers
        patch.setattr(reader, "shows", stumble)
        until(lambda: not page.fresh, 5)
    until(lambda: page.fresh, 10)
    assert [view["table"] for view in page.views()] == ["mesa-1"]  # at once
    store.statuses([Status("mesa-2", True)])
    assert page.wait(page.version, 2.0)
    until(lambda: len(page.views()) == 2, 2)
    page.stop()


@POSTGRESQL
def test_a_change_that_commits_late_is_not_missed(engine: Engine) -> None:
    """A slower transaction of the same slice waits for its number, so numbers come in order."""
    reader, store = JournalReader(engine), Store(engine)
    store.take([batch("mesa-1")])
    with engine.begin() as slow:
        slow.execute(text("SELECT change FROM slices WHERE slice = :n FOR UPDATE"), {"n": 42})
        before = reader.changes()[42]
        slow.execute(text("UPDATE slices SET change = change + 1 WHERE slice = 42"))
        slow.execute(text("UPDATE games SET highest = highest + 1, change = :n"), {"n": before + 1})
        assert reader.changes()[42] == before
    assert reader.changes()[42] == before + 1
    assert [row.highest for row in reader.games_beyond({42: before})] == [41]


# ---- Roles ---------------------------------------------------------------------------------------


@POSTGRESQL
def test_intake_board_scoring_and_page_may_run_apart(
    where: str, broker: Broker, stack: ExitStack, tmp_path: Path
) -> None:
    hubs = {
        roles: HubProcess(tmp_path, broker, where, roles.replace(",", "-"), roles)
        for roles in ("intake", "board,scoring", "page")
    }
    for hub in hubs.values():
        hub.start()
        stack.callback(hub.stop)
    table = TableMachine(tmp_path, broker.address("mesa-1"))
    stack.callback(table.close)
    table.play(EVENING[:10])
    table.switch_on()
    table.play(EVENING, 0.002)
    agree(hubs["page"], where, [table])
    until(lambda: table.confirmed)


@POSTGRESQL
def test_a_killed_hubs_tables_are_taken_in_by_the_other_within_seconds(
    where: str, engine: Engine, broker: Broker, stack: ExitStack, tmp_path: Path
) -> None:
    hubs = [HubProcess(tmp_path, broker, where, name) for name in ("one", "two")]
    for hub in hubs:
        hub.start()
        stack.callback(hub.stop)
    tables = [TableMachine(tmp_path, broker.address(f"mesa-{n}")) for n in (1, 2, 3)]
    for table in tables:
        stack.callback(table.close)
        table.play(EVENING[:10])
        table.switch_on()
    until(lambda: all(table.confirmed for table in tables))
    until(lambda: shared(engine) == [32, 32])
    hubs[0].kill()
    began = time.monotonic()
    for table in tables:
        table.play(EVENING)
    agree(hubs[1], where, tables)
    # The lease runs out, the other looks, greets the slice, and a table waits its random part.
    assert time.monotonic() - began < 5 + 2 + 3


def shared(engine: Engine) -> list[int]:
    with engine.connect() as connection:
        counted = text(
            "SELECT COUNT(*) FROM leases WHERE name LIKE 'intake-%' AND owner <> '' GROUP BY owner"
        )
        return list(connection.execute(counted).scalars())
