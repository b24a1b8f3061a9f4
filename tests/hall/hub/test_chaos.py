"""Faults of all kinds: every event is stored once, and the board shows the tables' states.

Mosquitto and PostgreSQL are real, and the hubs run in processes of their own.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from assistant.files.settings import Address
from assistant.hall.hub.database import migrate, opened
from assistant.hall.hub.link import Link, LinkCallbacks, Subscription
from assistant.hall.hub.wire import MOST_BYTES, TABLES, EventRow, game_id, pack_batch, topic
from assistant.messages.codec import event_to_json
from scripts.lab.hubbench.hub_process import HubProcess
from scripts.lab.hubbench.servers import Broker, Postgres, running, until
from tests.hall.hub.cable import Cable
from tests.hall.hub.machines import (
    GAME,
    TableMachine,
    agree,
    at_random_moments,
    open_folder,
    own_picture,
    shown,
    stored,
)
from tests.hall.hub.played import played, some, with_undo

EVENING = with_undo(played(24))
OTHER = played(18, seed=8)


@pytest.fixture
def stack(broker: Broker) -> Iterator[ExitStack]:
    assert broker  # it must outlive everything in this stack
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def started(stack: ExitStack, tmp_path: Path, broker: Broker) -> Callable[..., HubProcess]:
    def start(where: str, name: str = "hub") -> HubProcess:
        hub = HubProcess(tmp_path, broker, where, name)
        hub.start()
        stack.callback(hub.stop)
        # Whoever is no table sends nothing again, so the hub has to listen before.
        until(lambda: hub.ask("readyz")["ready"] and "mus_hub_slices 0.0" not in hub.metrics())
        return hub

    return start


@pytest.fixture
def seated(stack: ExitStack, tmp_path: Path, broker: Broker) -> Callable[..., TableMachine]:
    def seat(name: str, address: Address | None = None, **how: object) -> TableMachine:
        table = TableMachine(tmp_path, address or broker.address(name), **how)  # type: ignore[arg-type]
        stack.callback(table.close)
        table.play(some(EVENING, 1))
        table.switch_on()
        return table

    return seat


SQLITE = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
POSTGRESQL = pytest.mark.parametrize("where", ["postgresql"], indirect=True)
"""For tests in which one kind of database proves as much as both."""
Started = Callable[..., HubProcess]
Seated = Callable[..., TableMachine]


@SQLITE
def test_every_event_survives_a_killed_broker(
    where: str, broker: Broker, started: Started, seated: Seated
) -> None:
    hub, tables = started(where), [seated("mesa-1"), seated("mesa-2")]
    playing = [table.played_beside(EVENING, 0.005) for table in tables]
    for pause in at_random_moments(1, 3, 0.3, 0.8):
        time.sleep(pause)
        broker.kill()
        time.sleep(0.2)
        broker.start()
    for thread in playing:
        thread.join()
    agree(hub, where, tables)
    until(lambda: all(table.confirmed for table in tables))


def test_every_event_survives_a_hub_killed_during_a_batch(
    where: str, started: Started, seated: Seated
) -> None:
    hub, tables = started(where), [seated("mesa-1"), seated("mesa-2"), seated("mesa-3")]
    playing = [table.played_beside(EVENING, 0.01) for table in tables]
    for pause in at_random_moments(2, 3, 0.1, 0.7):
        time.sleep(pause)
        hub.kill()
        hub.start()
    for thread in playing:
        thread.join()
    agree(hub, where, tables)


def test_a_hall_of_the_previous_schema_is_upgraded_while_its_tables_play(
    where: str, tmp_path: Path, postgres: Postgres, started: Started, seated: Seated
) -> None:
    """Its processes are stopped, and two of today start at once: one migrates, the other waits."""
    several = where.startswith("postgresql")
    before = postgres.create("before") if several else str(tmp_path / "before.sqlite3")
    hub, tables = started(before), [seated("mesa-1"), seated("mesa-2"), seated("mesa-3")]
    playing = [table.played_beside(EVENING, 0.02) for table in tables]
    until(lambda: all(stored(before, table) for table in tables))
    hub.kill()
    as_in_0003(before, where, evenings=100, events=200)
    with ThreadPoolExecutor() as pool:
        hubs = list(pool.map(lambda name: started(where, name), ("one", "two")[: 1 + several]))
    assert any(thread.is_alive() for thread in playing)  # they played all the while
    for thread in playing:
        thread.join()
    for hub in hubs:
        agree(hub, where, tables)
    with opened(where) as engine, engine.connect() as connection:
        old = text(
            "SELECT COUNT(*) FROM events JOIN games ON games.id = game_id WHERE game = 'old'"
        )
        assert connection.execute(old).scalar_one() == 100 * 200


def as_in_0003(source: str, where: str, evenings: int, events: int) -> None:
    """Make a database of the previous schema with a hall's games, and other evenings beside."""
    with opened(source) as engine, opened(where) as older:
        migrate(older, "0003")
        with engine.connect() as taken, older.begin() as given:
            for name in ("tables", "games", "events"):
                columns = ", ".join(column["name"] for column in inspect(given).get_columns(name))
                found = taken.execute(text(f"SELECT {columns} FROM {name}"))
                values = columns.replace(", ", ", :")
                given.execute(
                    text(f"INSERT INTO {name} ({columns}) VALUES (:{values})"),
                    [dict(row) for row in found.mappings()],
                )
            most = given.execute(text("SELECT MAX(id) FROM games")).scalar_one()
            numbers = range(most + 1, most + 1 + evenings)
            tables = [{"name": f"old-{number}", "n": number, "last": events} for number in numbers]
            given.execute(text("INSERT INTO tables (table_id, since) VALUES (:name, 0)"), tables)
            game = "(:n, :name, 'old', :last, :last, 0, 0)"
            given.execute(
                text(
                    "INSERT INTO games (id, table_id, game, stored, highest, touched, opened) "
                    f"VALUES {game}"
                ),
                tables,
            )
            given.execute(
                text("INSERT INTO events VALUES (:n, :seq, :seq, 0, 0, '{}')"),
                [{"n": n, "seq": seq} for n in numbers for seq in range(1, events + 1)],
            )
            if older.dialect.name == "postgresql":
                given.execute(text("SELECT setval('games_id_seq', (SELECT MAX(id) FROM games))"))


def test_two_hubs_share_the_work_while_one_is_killed_and_restarted(
    postgres: Postgres, started: Started, seated: Seated
) -> None:
    where = postgres.create("shared")
    first, second = started(where, "first"), started(where, "second")
    tables = [seated("mesa-1"), seated("mesa-2"), seated("mesa-3")]
    playing = [table.played_beside(EVENING, 0.01) for table in tables]
    time.sleep(1.0)
    first.kill()
    time.sleep(0.5)
    first.start()
    for thread in playing:
        thread.join()
    agree(first, where, tables)
    agree(second, where, tables)


def test_both_of_two_hubs_store_events(
    postgres: Postgres, started: Started, seated: Seated
) -> None:
    where = postgres.create("both")
    hubs = [started(where, "first"), started(where, "second")]
    tables = [seated("mesa-1"), seated("mesa-2"), seated("mesa-3")]
    playing = [table.played_beside(EVENING, 0.002) for table in tables]
    for thread in playing:
        thread.join()
    for hub in hubs:
        agree(hub, where, tables)
        line = next(x for x in hub.metrics().splitlines() if x.startswith("mus_hub_events_stored_"))
        assert float(line.split()[1]) > 0


def test_every_event_survives_a_killed_database(
    started: Started, seated: Seated, stack: ExitStack
) -> None:
    server = Postgres(stack.enter_context(open_folder()) / "server")
    with running(server):
        where = server.url()
        hub, tables = started(where), [seated("mesa-1"), seated("mesa-2")]
        playing = [table.played_beside(EVENING, 0.01) for table in tables]
        for pause in at_random_moments(3, 2, 0.3, 0.8):
            time.sleep(pause)
            server.kill()
            until(lambda: not hub.ask("readyz")["ready"])
            server.start()
        for thread in playing:
            thread.join()
        agree(hub, where, tables)
        until(lambda: hub.ask("readyz")["ready"])
        hub.stop()


@SQLITE
def test_every_event_survives_a_network_outage_while_the_table_plays_on(
    where: str, broker: Broker, started: Started, seated: Seated, stack: ExitStack
) -> None:
    hub, cable = started(where), Cable(broker.port)
    stack.callback(cable.pull)
    cable.plug_in()
    table = seated("mesa-1", replace(broker.address("mesa-1"), port=cable.port))
    table.play(some(EVENING, 40))
    until(lambda: shown(hub, table) == own_picture(table))
    cable.pull()
    began = time.monotonic()
    table.play(EVENING)  # more than ten minutes of an evening, at once
    assert time.monotonic() - began < 5, "the table waits for the network"
    until(lambda: not hub.ask("api/hall/mesa-1")["online"])
    assert len(stored(where, table)) == len(some(EVENING, 40))
    cable.plug_in()
    agree(hub, where, [table])
    # the online tables are counted at intervals
    until(lambda: hub.ask("api/hall/mesa-1")["online"])


@POSTGRESQL
def test_duplicated_reordered_and_truncated_messages_do_no_harm(
    where: str, broker: Broker, started: Started, seated: Seated
) -> None:
    hub, table = started(where), seated("mesa-1")
    table.switch_off()  # another client speaks in its place
    table.play(EVENING)
    rows = [EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in EVENING]
    game = game_id(GAME, rows[0].at, rows[0].event)
    parts = [pack_batch(game, 0.0, rows[n : n + 20]) for n in range(0, len(rows), 20)]
    dice = random.Random(4)
    garbled = [part[: dice.randrange(len(part))] for part in parts]
    messages = [*parts, *parts, *garbled]
    dice.shuffle(messages)
    link = Link(
        broker.address("mesa-1"), "mesa-1", LinkCallbacks(lambda: None, lambda: None, _nobody)
    )
    link.start()
    until(lambda: link.up)
    for message in messages:
        link.publish(topic("mesa-1", "events"), message)
    agree(hub, where, [table])
    until(lambda: f'code="malformed"}} {float(len(garbled))}' in hub.metrics())
    link.stop()


@SQLITE
def test_a_new_machine_may_continue_with_the_same_journal(
    where: str, broker: Broker, started: Started, seated: Seated, tmp_path: Path, stack: ExitStack
) -> None:
    hub, old = started(where), seated("mesa-1")
    old.play(some(EVENING, 60))
    agree(hub, where, [old])
    old.close()
    (tmp_path / "new").mkdir()
    shutil.copy(old.path, tmp_path / "new" / old.path.name)
    new = TableMachine(tmp_path / "new", broker.address("mesa-1"))
    stack.callback(new.close)
    new.switch_on()
    new.play(EVENING)
    agree(hub, where, [new])
    assert [view["table"] for view in hub.ask("api/hall")["tables"]] == ["mesa-1"]


@POSTGRESQL
def test_a_machine_without_its_cursor_sends_everything_again_without_effect(
    where: str, broker: Broker, started: Started, seated: Seated, tmp_path: Path, stack: ExitStack
) -> None:
    hub, old = started(where), seated("mesa-1")
    old.play(some(EVENING, 60))
    agree(hub, where, [old])
    old.close()
    (tmp_path / "new").mkdir()
    new = TableMachine(tmp_path / "new", broker.address("mesa-1"))
    stack.callback(new.close)
    new.play(EVENING)  # the same evening in a journal without a cursor
    new.switch_on()
    agree(hub, where, [new])


def test_a_hub_that_lost_its_database_gets_everything_again(
    postgres: Postgres, started: Started, seated: Seated
) -> None:
    where, other = postgres.create("lost"), postgres.create("found")
    hub, table = started(where), seated("mesa-1")
    table.play(EVENING)
    agree(hub, where, [table])
    until(lambda: table.confirmed)
    hub.stop()
    agree(started(other), other, [table])


@SQLITE
def test_a_clock_that_is_an_hour_off_is_reported_and_changes_nothing(
    where: str, started: Started, seated: Seated
) -> None:
    hub = started(where)
    right, wrong = seated("mesa-1"), seated("mesa-2", clock=lambda: time.time() + 3600)
    wrong.play(EVENING)
    right.play(EVENING)
    agree(hub, where, [right, wrong])
    assert abs(hub.ask("api/hall/mesa-1")["clock"]) < 60
    assert 3540 < hub.ask("api/hall/mesa-2")["clock"] < 3660


@POSTGRESQL
def test_a_client_that_publishes_as_another_is_refused_and_does_no_harm(
    where: str, broker: Broker, started: Started, seated: Seated
) -> None:
    hub, honest = started(where), seated("mesa-1")
    rows = [EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in OTHER]
    told = game_id(GAME, EVENING[0].at, event_to_json(EVENING[0].event))
    thief = Link(
        broker.address("mesa-2"), "thief", LinkCallbacks(lambda: None, lambda: None, _nobody)
    )
    thief.start()
    until(lambda: thief.up)
    for kind in ("events", "status", "snapshot", "stored"):
        thief.publish(topic("mesa-1", kind), pack_batch(told, 0.0, rows[:20]))
    honest.play(EVENING)
    agree(hub, where, [honest])
    assert [view["table"] for view in hub.ask("api/hall")["tables"]] == ["mesa-1"]
    until(lambda: broker.log().count("Denied PUBLISH from thief") == 4)
    assert "authorized" in thief.trouble
    thief.stop()


@SQLITE
def test_a_table_that_joins_the_hubs_shared_subscription_takes_no_messages(
    where: str, broker: Broker, started: Started, seated: Seated, stack: ExitStack
) -> None:
    def joined(number: int) -> Link:
        wishes = [
            Subscription(f"$share/{group}/{TABLES}/+/+/events") for group in ("hub", "mus", "0")
        ]
        ears = LinkCallbacks(lambda: None, lambda: None, _nobody)
        return Link(broker.address("mesa-2"), f"thief-{number}", ears, wishes)

    thieves = [joined(number) for number in range(9)]
    for thief in thieves:
        thief.start()
        stack.callback(thief.stop)
    hub, honest = started(where), seated("mesa-1")
    until(lambda: all(thief.up for thief in thieves))
    honest.play(EVENING, 0.005)
    agree(hub, where, [honest], 5)


@SQLITE
def test_a_table_cannot_disconnect_another(
    where: str, broker: Broker, started: Started, seated: Seated
) -> None:
    hub, honest = started(where), seated("mesa-1")
    agree(hub, where, [honest])
    thief = Link(
        broker.address("mesa-2"), "mesa-1", LinkCallbacks(lambda: None, lambda: None, _nobody)
    )
    thief.start()
    until(lambda: thief.up)
    honest.play(EVENING)
    agree(hub, where, [honest])
    assert "already connected" not in broker.log()
    thief.stop()


def test_a_second_machine_with_a_tables_name_is_reported(
    broker: Broker, seated: Seated, tmp_path: Path, stack: ExitStack
) -> None:
    seated("mesa-1")
    until(lambda: "mesa-1" in broker.log())
    (tmp_path / "new").mkdir()
    second = TableMachine(tmp_path / "new", broker.address("mesa-1"))
    stack.callback(second.close)
    second.play(some(EVENING, 1))
    second.switch_on()
    until(lambda: "already connected" in broker.log())


def test_a_client_without_the_password_is_refused(broker: Broker) -> None:
    link = Link(
        broker.address("mesa-1", "falsa"), "x", LinkCallbacks(lambda: None, lambda: None, _nobody)
    )
    link.start()
    until(lambda: "lets nobody in" in link.trouble)
    assert "check the name and the password (--password-file" in link.trouble
    link.stop()


def test_malformed_oversized_and_newer_messages_are_refused_and_logged(
    where: str, broker: Broker, started: Started, seated: Seated
) -> None:
    hub, honest = started(where), seated("mesa-1")
    rows = [EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in OTHER]
    good = pack_batch("game-x", 0.0, rows[:5])
    evil = Link(
        broker.address("mesa-2"), "evil", LinkCallbacks(lambda: None, lambda: None, _nobody)
    )
    evil.start()
    until(lambda: evil.up)
    for payload in (
        b"\x00\xff",
        good.replace(b'"v":1,"game"', b'"v":2,"game"'),
        good + b" " * MOST_BYTES,
        pack_batch("x'; DROP TABLE events;--", 0.0, rows[:5]),
    ):
        evil.publish(topic("mesa-2", "events"), payload)
    name = "<script>alert(1)</script>'); DROP TABLE events;--"
    opening = replace(rows[0], event=rows[0].event.replace("Norte", name))
    evil.publish(topic("mesa-2", "events"), pack_batch("game-y", 0.0, [opening, *rows[1:5]]))
    honest.play(EVENING)
    agree(hub, where, [honest])
    until(lambda: (hub.ask("api/hall/mesa-2").get("brief") or {}).get("seats", [""])[0] == name)
    metrics = hub.metrics()
    for code, count in (("malformed", 2), ("newer", 1), ("oversized", 1)):
        assert f'code="{code}"}} {float(count)}' in metrics
    assert sum("Refused" in line["message"] for line in hub.log()) == 4
    evil.stop()


@SQLITE
def test_a_contradictory_journal_is_reported_and_the_others_are_stored(
    where: str, broker: Broker, started: Started, seated: Seated
) -> None:
    hub, honest = started(where), seated("mesa-1")
    rows = [EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in OTHER[:6]]
    lie = EventRow(7, 7, 0.0, '{"type":"MatchWon","v":1,"side":"Z"}')
    evil = Link(
        broker.address("mesa-2"), "evil", LinkCallbacks(lambda: None, lambda: None, _nobody)
    )
    evil.start()
    until(lambda: evil.up)
    evil.publish(topic("mesa-2", "events"), pack_batch("game-z", 0.0, [*rows, lie]))
    honest.play(EVENING)
    agree(hub, where, [honest])
    until(lambda: hub.ask("api/hall/mesa-2").get("fault"))
    evil.stop()


def _nobody(_topic: str, _payload: bytes, _done: Callable[[], None]) -> None:
    """Ignore the message."""
