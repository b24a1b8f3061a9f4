"""The intake of the hub: it goes on whatever comes, and faults of one table harm no other."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import Engine

from assistant.hall.hub.board import Hall
from assistant.hall.hub.database import DatabaseError
from assistant.hall.hub.service import ENOUGH, Hub, Intake, Metrics
from assistant.hall.hub.store import JournalReader, Refusal, Store, Taken
from assistant.hall.hub.wire import Batch, EventRow, Status, Stored, pack_batch, pack_status, topic
from assistant.messages.codec import event_to_json
from scripts.lab.hubbench.servers import Broker, until
from tests.hall.hub.played import played

ROWS = [EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in played(2)]
BAD = ("\ud800", "1.0\0")


class Post:
    """A hub's intake without its broker."""

    def __init__(self, engine: Engine, store: Store | None = None) -> None:
        self.words: list[tuple[str, Stored]] = []
        self.done = 0
        self.reader = JournalReader(engine)
        self.intake = Intake(store or Store(engine), self._reply, Metrics())

    def send(self, name: str, payload: bytes) -> None:
        self.intake.post(name, payload, self._deal)

    def status(self, table: str, **changes: object) -> None:
        body = json.loads(pack_status(Status(table, True, (), time.time(), "1.0")))
        self.send(topic(table, "status"), json.dumps(body | changes).encode())

    def batch(self, table: str, rows: Sequence[EventRow] = ROWS) -> None:
        self.send(topic(table, "events"), pack_batch("game-1", 0.0, rows))

    def here(self) -> list[str]:
        return [row.table for row in self.reader.tables() if row.online]

    def codes(self) -> list[str]:
        return sorted(refusal.code for refusal in self.reader.refusals())

    def _deal(self) -> None:
        self.done += 1

    def _reply(self, table: str, stored: Stored) -> None:
        self.words.append((table, stored))


@pytest.fixture
def post(engine: Engine) -> Iterator[Post]:
    post = Post(engine)
    yield post
    post.intake.stop()


def test_a_status_that_the_database_cannot_store_is_refused_and_others_are_stored(
    post: Post,
) -> None:
    post.status("mesa-1")
    for version in BAD:
        post.status("mesa-2", version=version)
    post.status("mesa-3")
    post.batch("mesa-4")
    post.intake.start()
    until(lambda: post.done == 5)
    assert post.here() == ["mesa-1", "mesa-3", "mesa-4"]
    assert post.codes() == ["malformed", "malformed"]
    post.status("mesa-5")  # as after a restart, when retained messages come again
    until(lambda: post.done == 6)
    assert "mesa-5" in post.here()
    assert post.intake.alive


def test_records_with_unstorable_names_are_refused_and_other_tables_stored(post: Post) -> None:
    for table, name in (("mesa-1", "\\ud800"), ("mesa-2", "Norte"), ("mesa-3", "\\u0000")):
        first = replace(ROWS[0], event=ROWS[0].event.replace("Norte", name))
        post.batch(table, [first, *ROWS[1:]])
    post.intake.start()
    until(lambda: post.done == 3)
    assert [table for table, _ in post.words] == ["mesa-2"]
    assert post.codes() == ["malformed", "malformed"]


@pytest.mark.parametrize("version", ["\ud800", "1.0\0", None])
def test_a_status_that_the_database_rejects_stops_no_other(
    post: Post, monkeypatch: pytest.MonkeyPatch, version: str | None
) -> None:
    def read(name: str, _payload: bytes) -> Status:
        table = name.split("/")[-2]
        return Status(table, True, (), 0.0, version if table == "mesa-2" else "1.0")  # type: ignore[arg-type]

    monkeypatch.setattr("assistant.hall.hub.service.read_status", read)
    for table in ("mesa-1", "mesa-2", "mesa-3"):
        post.status(table)
    post.intake.start()
    until(lambda: post.done == 3)
    refused = post.codes()
    assert post.here() == [f"mesa-{n}" for n in (1, 2, 3) if not (refused and n == 2)]
    assert set(refused) <= {"database"}


def test_the_database_knows_which_texts_it_cannot_store(engine: Engine) -> None:
    with pytest.raises(DatabaseError, match="keeps no such text"):
        Store(engine).statuses([Status("mesa-1", True, (), 0.0, "\ud800")])


class Stumbling(Store):
    """A store with a bug: it fails for one table."""

    def take(self, batches: Sequence[Batch]) -> list[Taken]:
        if any(batch.table == "mesa-2" for batch in batches):
            raise KeyError("mesa-2")
        return super().take(batches)

    def refuse(self, refusals: Sequence[Refusal]) -> None:
        super().refuse(refusals)
        raise ZeroDivisionError


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_bug_of_the_hub_is_logged_and_costs_one_message(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    post = Post(engine, Stumbling(engine))
    for table in ("mesa-1", "mesa-2", "mesa-3"):
        post.batch(table)
    post.intake.start()
    until(lambda: post.done == 3)
    assert [table for table, _ in post.words] == ["mesa-1", "mesa-3"]
    assert post.codes() == ["mistake"]
    post.batch("mesa-4")
    until(lambda: post.done == 4)
    assert post.intake.alive
    post.intake.stop()
    told = [record.message for record in caplog.records if record.exc_info]
    assert any("mesa-2" in line for line in told)
    assert any("intake met what it should not have" in line for line in told)


class Counting(Store):
    """A store that notes how many statuses each transaction had."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.together: list[int] = []

    def statuses(self, statuses: Sequence[Status]) -> list[dict[str, int]]:
        found = super().statuses(statuses)
        self.together.append(len(statuses))
        return found


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_message_after_a_calm_waits_for_nothing_and_those_after_it_share_a_transaction(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.hall.hub.service.GATHER", 60.0)
    store = Counting(engine)
    post = Post(engine, store)
    post.intake.start()
    post.status("mesa-0")
    until(lambda: store.together == [1])
    for number in range(1, ENOUGH):
        post.status(f"mesa-{number}")
    time.sleep(0.3)
    assert (store.together, post.intake.waiting) == ([1], ENOUGH - 1)
    post.status(f"mesa-{ENOUGH}")
    until(lambda: store.together == [1, ENOUGH])
    assert len(post.here()) == ENOUGH + 1
    post.intake.stop()


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_few_messages_are_stored_soon_after_the_last_transaction(engine: Engine) -> None:
    store = Counting(engine)
    post = Post(engine, store)
    post.intake.start()
    post.status("mesa-0")
    until(lambda: store.together == [1])
    post.status("mesa-1")
    post.status("mesa-2")
    until(lambda: len(post.here()) == 3)
    post.intake.stop()


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_failing_board_is_reported_and_recovers(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(JournalReader(engine))
    hall.start()
    until(lambda: hall.fresh)
    assert hall.views() == []  # somebody looks, so it follows

    def stumble() -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(hall, "look", stumble)
    until(lambda: not hall.fresh)
    monkeypatch.undo()
    until(lambda: hall.fresh)
    assert hall.alive
    hall.stop()
    assert not hall.alive


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_hub_with_a_dead_thread_is_not_ready(engine: Engine, broker: Broker) -> None:
    hub = Hub(broker.address("hub"), engine)
    assert hub.health().dead == ("hall", "board", "intake", "scoring", "leases")
    hub.start()
    until(lambda: hub.health().ready)
    assert hub.state()["dead"] == ()
    hub.intake.stop()
    until(lambda: not hub.health().ready)
    assert hub.state()["dead"] == ("intake",)
    hub.stop()
