"""The store: each record is stored once, however often and in whatever order it comes."""

from __future__ import annotations

import random
from itertools import pairwise
from threading import Thread

import pytest
from sqlalchemy import Engine, select, text

from assistant.hall.hub.database import EVENTS, GAMES, DatabaseError, open_database
from assistant.hall.hub.store import REFUSALS_KEPT, JournalReader, Refusal, Store, Taken
from assistant.hall.hub.wire import Batch, EventRow, Status, WireError
from assistant.messages.codec import event_to_json
from tests.hall.hub.played import played

ROWS = tuple([EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in played(6)])


def batch(first: int, last: int, table: str = "mesa-1", game: str = "game-1") -> Batch:
    return Batch(table, game, 0.0, ROWS[first - 1 : last])


def kept(engine: Engine) -> list[EventRow]:
    """The events of the only game in the database."""
    with engine.connect() as connection:
        columns = (EVENTS.c.seq, EVENTS.c.batch, EVENTS.c.at, EVENTS.c.event)
        return [
            EventRow(*row) for row in connection.execute(select(*columns).order_by(EVENTS.c.seq))
        ]


@pytest.fixture
def store(engine: Engine) -> Store:
    return Store(engine)


def test_stored_records_equal_those_of_the_table(store: Store, engine: Engine) -> None:
    assert store.take([batch(1, 40)]) == [Taken("mesa-1", "game-1", 40, gap=False, new=40)]
    assert store.take([batch(41, 90)]) == [Taken("mesa-1", "game-1", 90, gap=False, new=50)]
    assert kept(engine) == list(ROWS[:90])


def test_repeated_records_are_stored_once(store: Store, engine: Engine) -> None:
    store.take([batch(1, 40)])
    assert store.take([batch(1, 40)]) == [Taken("mesa-1", "game-1", 40, gap=False, new=0)]
    assert store.take([batch(30, 50), batch(30, 50)])[0].new == 10
    assert kept(engine) == list(ROWS[:50])


def test_a_gap_is_noticed_and_closed(store: Store, engine: Engine) -> None:
    store.take([batch(1, 10)])
    assert store.take([batch(21, 30)]) == [Taken("mesa-1", "game-1", 10, gap=True, new=10)]
    assert store.take([batch(41, 50)]) == [Taken("mesa-1", "game-1", 10, gap=True, new=10)]
    assert store.take([batch(11, 20)]) == [Taken("mesa-1", "game-1", 30, gap=True, new=10)]
    assert store.take([batch(31, 40)]) == [Taken("mesa-1", "game-1", 50, gap=False, new=10)]
    assert kept(engine) == list(ROWS[:50])


def test_any_order_with_any_repeats_gives_the_same_result(store: Store, engine: Engine) -> None:
    dice = random.Random(3)
    cuts = [1, *sorted(dice.sample(range(2, len(ROWS)), 30)), len(ROWS) + 1]
    parts = [batch(a, b - 1) for a, b in pairwise(cuts)] * 2
    dice.shuffle(parts)
    while parts:
        many = dice.randint(1, 7)
        taken = store.take(parts[:many])
        parts = parts[many:]
    assert taken[0].stored == len(ROWS)
    assert not taken[0].gap
    assert kept(engine) == list(ROWS)


def test_another_record_with_a_stored_seq_is_refused_and_changes_nothing(
    store: Store, engine: Engine
) -> None:
    store.take([batch(1, 20)])
    other = EventRow(20, ROWS[19].batch, ROWS[19].at + 1, ROWS[19].event)
    taken = store.take([Batch("mesa-1", "game-1", 0.0, (other, *ROWS[20:25]))])
    assert taken[0].fault
    assert taken[0].fault.code == "conflict"
    assert (taken[0].stored, taken[0].new) == (20, 0)
    assert kept(engine) == list(ROWS[:20])


def test_of_two_contradicting_records_at_once_only_one_counts(store: Store, engine: Engine) -> None:
    other = EventRow(1, 1, 5.0, ROWS[0].event)
    taken = store.take([batch(1, 3), Batch("mesa-1", "game-1", 0.0, (other,))])
    assert taken[0].fault
    assert kept(engine) == list(ROWS[:3])


def test_games_of_one_name_at_two_tables_are_two_games(store: Store, engine: Engine) -> None:
    taken = store.take([batch(1, 3), batch(1, 5, table="mesa-2"), batch(1, 7, game="game-2")])
    assert [one.stored for one in taken] == [3, 5, 7]
    assert [row.table for row in JournalReader(engine).tables()] == ["mesa-1", "mesa-2"]


def test_a_failed_batch_leaves_nothing_behind(store: Store, engine: Engine) -> None:
    store.take([batch(1, 3)])
    bad = EventRow(4, 4, 0.0, None)  # type: ignore[arg-type]  # as a database would refuse it
    with pytest.raises(DatabaseError):
        store.take([batch(1, 3, table="mesa-2"), Batch("mesa-1", "game-1", 0.0, (bad,))])
    assert kept(engine) == list(ROWS[:3])
    with engine.connect() as connection:
        assert connection.execute(select(GAMES.c.table_id)).scalars().all() == ["mesa-1"]


def test_several_processes_may_store_the_same_records(engine: Engine) -> None:
    where = engine.url.render_as_string(hide_password=False)
    parts = [batch(n, n + 9, table=f"mesa-{m}") for m in (1, 2, 3) for n in range(1, 101, 10)]
    failed: list[BaseException] = []

    def work(seed: int) -> None:
        own = open_database(where)
        mine = random.Random(seed).sample(parts, len(parts))
        try:
            for start in range(0, len(mine), 5):
                Store(own).take(mine[start : start + 5])
        except BaseException as error:
            failed.append(error)
        own.dispose()

    threads = [Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    reader = JournalReader(engine)
    for table in ("mesa-1", "mesa-2", "mesa-3"):
        (game,) = reader.games(table)
        assert (game.stored, game.highest) == (100, 100)
        assert len(reader.records(game.id, 0, 100)) == 100
    with engine.connect() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM events")).scalar_one() == 300


def test_a_game_that_was_pruned_meanwhile_begins_again(store: Store, engine: Engine) -> None:
    store.take([batch(1, 10)])
    with engine.begin() as connection:
        connection.execute(GAMES.delete())
    assert store.take([batch(1, 5)])[0].stored == 5
    assert kept(engine) == list(ROWS[:5])


def test_a_status_tells_who_is_online_since_when_and_whose_clock_is_off(engine: Engine) -> None:
    now = [1000.0]
    store, reader = Store(engine, lambda: now[0]), JournalReader(engine)
    store.take([batch(1, 5)])
    games = (("game-1", 9), ("game-2", 1))
    have = store.statuses([Status("mesa-1", True, games, 4600.0, "1.0"), Status("mesa-9", False)])
    assert have == [{"game-1": 5, "game-2": 0}, {}]
    now[0] = 1010.0
    store.statuses([Status("mesa-1", True, (), 4610.0, "1.0")])
    row, _ = reader.tables()
    assert (row.online, row.since, row.clock, row.version) == (True, 1000.0, 3600.0, "1.0")
    store.statuses([Status("mesa-1", False)])
    row, _ = reader.tables()
    assert (row.online, row.since, row.clock) == (False, 1010.0, 3600.0)


def test_refused_messages_are_kept_for_a_while(store: Store, engine: Engine) -> None:
    topic = "mus/1/t/\x00'; DROP TABLE games;--<b>ñ"
    store.refuse([Refusal(topic, b"\x00\xff" * 500, WireError("malformed", "Nonsense ñ\x00."))])
    (row,) = JournalReader(engine).refusals()
    assert row.code == "malformed"
    assert row.head == (b"\x00\xff" * 100).hex()
    assert "DROP TABLE" in row.topic
    many = [Refusal("t", b"", WireError("topic", str(n))) for n in range(REFUSALS_KEPT)]
    store.refuse(many)
    assert JournalReader(engine).refusals(limit=REFUSALS_KEPT + 9)[-1].why == "0"
