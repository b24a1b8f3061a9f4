"""Messages between a table and the hub: every field is checked."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.hub.wire import (
    MOST_BYTES,
    MOST_RECORDS,
    SLICES,
    Called,
    EventRow,
    Status,
    Stored,
    WireError,
    body_of,
    fitting,
    game_id,
    pack_batch,
    pack_called,
    pack_status,
    pack_stored,
    read_batch,
    read_called,
    read_status,
    read_stored,
    slice_of,
    table_of,
    topic,
)
from assistant.messages.codec import event_to_json
from tests.hall.hub.played import played
from tests.tables import each_row

EVENTS = topic("mesa-1", "events")
ROWS = [EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in played(2)]


def body(**changes: Any) -> bytes:
    """A valid message with these changes; None removes a field."""
    whole = json.loads(pack_batch("game-1", 5.0, ROWS[:3])) | changes
    return json.dumps({key: value for key, value in whole.items() if value is not None}).encode()


def record(*changed: Any) -> list[list[Any]]:
    """One record with this change."""
    seq, batch, at, event = ROWS[0].seq, ROWS[0].batch, ROWS[0].at, ROWS[0].event
    return [[*changed, *[seq, batch, at, event][len(changed) :]]]


def refused(payload: bytes, name: str = EVENTS) -> str:
    with pytest.raises(WireError) as error:
        read_batch(name, payload)
    return error.value.code


def test_a_batch_arrives_unchanged() -> None:
    batch = read_batch(EVENTS, pack_batch("game-1", 5.0, ROWS[:50]))
    assert (batch.table, batch.game, batch.sent) == ("mesa-1", "game-1", 5.0)
    assert list(batch.rows) == ROWS[:50]


def test_the_topic_decides_the_table_whatever_the_message_says() -> None:
    assert read_batch(EVENTS, body(table="mesa-2")).table == "mesa-1"


@each_row(
    "name",
    [*(topic(table, "events") for table in ("mesa 1", "", "MESA", "a'; DROP TABLE games;--")),
     topic("a" * 33, "events"), "mus/1/t/mesa-1/events", "x", ""],
)  # fmt: skip
def test_a_topic_of_no_table_is_refused(name: str) -> None:
    assert refused(body(), name) == "topic"


def test_a_table_that_writes_into_another_slice_is_refused() -> None:
    """So all messages of a table meet the same process of the hub, whatever the table wants."""
    own = f"/{slice_of('mesa-1')}/"
    for number in range(SLICES):
        told = EVENTS.replace(own, f"/{number}/")
        if told == EVENTS:
            assert read_batch(told, body()).table == "mesa-1"
        else:
            assert refused(body(), told) == "topic"


def test_tables_fall_evenly_into_slices_that_never_change() -> None:
    counted = Counter(slice_of(f"mesa-{number}") for number in range(1, 1301))
    assert len(counted) == SLICES
    assert max(counted.values()) < 2 * 1300 / SLICES
    # Another function would send a table of today past a hub of tomorrow.
    assert [slice_of(f"mesa-{number}") for number in (1, 2, 3, 1300)] == [42, 16, 6, 44]


@each_row(
    "payload",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{",
        b'{"v":1}',
        b"[" * 60_000,
        body(v="1"),
        body(v=None),
        body(records=[]),
        body(records={}),
        body(records=[[2, 2, 0.0, "x"]] * (MOST_RECORDS + 1)),
        body(game="a b"),
        body(game="x" * 65),
        body(game=None),
        body(sent="now"),
        body(sent=1e300),
        body(sent=True),
        body(records=record(0)),
        body(records=record(True)),
        body(records=record(10**30)),
        body(records=record("1")),
        body(records=record(1, 2)),
        body(records=record(1, 1, None)),
        body(records=record(1, 1, 0.0, None)),
        body(records=record(1, 1, 0.0, "{}")),
        body(records=record(1, 1, 0.0, '{"type":"MusCut","v":1,"seat":1}')),
        body(records=record(2, 2)),
        body(records=[[1, 1, 0.0]]),
        body(records=[[1, 1, 0.0, ROWS[0].event + "\n"]]),
        body(records=[[1, 1, 0.0, ROWS[0].event.replace("Norte", "\\ud800")]]),
        body(records=[[1, 1, 0.0, ROWS[0].event.replace("Norte", "\\uDFFF\\ud83d")]]),
        body(records=[[1, 1, 0.0, ROWS[0].event.replace("Norte", "Ana\\u0000")]]),
        body(game="game-\ud800"),
        body(game="game-\0"),
        body(records=[[1, 1, 0.0, ROWS[0].event.replace("Norte", "Ñorte")]]),
        pack_batch("game-1", 0.0, [ROWS[0], ROWS[2]]),
        pack_batch("game-1", 0.0, [ROWS[1], ROWS[0]]),
        body().replace(b"5.0", b"NaN"),
        body().replace(b"5.0", b"Infinity"),
        pack_batch("game-1", 5.0, ROWS[:3])[:-1],
    ],
)
def test_a_malformed_message_is_refused(payload: bytes) -> None:
    assert refused(payload) == "malformed"


def test_a_message_of_a_newer_version_is_refused_as_newer() -> None:
    assert refused(body(v=2)) == "newer"
    later = ROWS[0].event.replace('"v":2', '"v":99')
    assert later != ROWS[0].event
    assert refused(body(records=record(1, 1, 0.0, later))) == "newer"
    assert refused(body(records=[[2, 1, 0.0, '{"type":"Invented","v":1}']])) == "newer"


def test_too_large_a_message_is_refused_before_it_is_parsed() -> None:
    assert refused(b" " * (MOST_BYTES + 1)) == "oversized"


@given(st.binary(max_size=300))
def test_any_bytes_give_a_batch_or_a_refusal(payload: bytes) -> None:
    for read in (read_batch, read_status):
        with pytest.raises(WireError):
            read(EVENTS, payload)
    with pytest.raises(WireError):
        read_stored(payload)


@given(st.integers(0, len(pack_batch("game-1", 5.0, ROWS[:9])) - 1))
def test_a_truncated_message_is_refused(length: int) -> None:
    refused(pack_batch("game-1", 5.0, ROWS[:9])[:length])


def test_names_with_sql_or_html_are_only_names() -> None:
    event = ROWS[0].event.replace("Norte", "<script>alert(1)</script>'); DROP TABLE games;--")
    batch = read_batch(EVENTS, pack_batch("game-1", 5.0, [EventRow(1, 1, 0.0, event)]))
    assert batch.rows[0].event == event


def test_rows_are_split_into_messages_of_limited_size() -> None:
    wide = [EventRow(n, n, 0.0, '{"' + "x" * 2000 + '"}') for n in range(1, 200)]
    rest = wide
    while rest:
        taken = fitting(rest)
        assert taken == rest[: len(taken)]
        assert taken
        assert len(pack_batch("game-1", 1e10, taken)) <= MOST_BYTES
        rest = rest[len(taken) :]


def test_a_status_and_a_confirmation_arrive_unchanged() -> None:
    status = Status("mesa-1", True, (("game-1", 3), ("game-2", 0)), 5.0, "1.2")
    assert read_status(topic("mesa-1", "status"), pack_status(status)) == status
    stored = Stored("game-1", 9, again=True)
    assert read_stored(pack_stored(stored)) == stored


@each_row("version", ["\ud800", "1.2\0", "1.2\n", "1.2ñ", 5, None])
def test_a_version_text_that_no_database_can_store_is_refused(version: object) -> None:
    whole = json.loads(pack_status(Status("mesa-1", True))) | {"version": version}
    with pytest.raises(WireError, match="A version"):
        read_status(topic("mesa-1", "status"), json.dumps(whole).encode())


def test_names_in_any_alphabet_are_accepted() -> None:
    for name in ("Íñigo", "\U0001f600", "\\u0000", "\u2028"):
        event = ROWS[0].event.replace("Norte", json.dumps(name)[1:-1])
        assert read_batch(EVENTS, pack_batch("game-1", 5.0, [EventRow(1, 1, 0.0, event)])).rows


def test_the_call_of_a_match_arrives_unchanged() -> None:
    called = Called("San Blas K1.1", ("Ana", "Eva", "Luis", "Jon"), 3)
    assert read_called(pack_called(called)) == called
    ruled = replace(called, rules="kings=4 target=30")
    assert read_called(pack_called(ruled)) == ruled


def test_a_table_of_an_older_version_refuses_a_match_with_rules_and_accepts_one_without() -> None:
    called = Called("San Blas K1.1", ("Ana", "Eva", "Luis", "Jon"), 3)
    assert set(body_of(pack_called(called))) == {"v", "match", "seats", "juegos"}
    with pytest.raises(WireError, match="newer version of mus") as refused:
        body_of(pack_called(replace(called, rules="kings=4")))
    assert refused.value.code == "newer"


@each_row(
    "change",
    [
        {"seats": ["a", "b", "c"]},
        {"seats": ["a", "b", "c", ""]},
        {"seats": ["a", "b", "c", "d\n"]},
        {"seats": "abcd"},
        {"match": 5},
        {"match": "x" * 500},
        {"juegos": 0},
        {"juegos": "3"},
        {"rules": 5},
        {"rules": "kings=5"},
        {"rules": "kings"},
        {"rules": "nobody=1"},
        {"rules": "x" * 5000},
        {"v": 4},
        {"vacas": 0},
    ],
)
def test_a_malformed_call_of_a_match_is_refused(change: dict[str, Any]) -> None:
    whole = json.loads(pack_called(Called("K1.1", ("a", "b", "c", "d"), 3)))
    with pytest.raises(WireError):
        read_called(json.dumps(whole | change).encode())


def test_games_of_one_name_are_told_apart_by_their_opening() -> None:
    first = game_id("game-1", 1.0, ROWS[0].event)
    assert first == game_id("game-1", 1.0, ROWS[0].event)
    assert first != game_id("game-1", 1.5, ROWS[0].event)
    assert first != game_id("game-1", 1.0, ROWS[0].event.replace("Norte", "Ana"))
    assert table_of(EVENTS) == ("mesa-1", "events")
