"""A telephone's WebSocket, served: sound arrives, seats are kept, and bad input ends it."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from assistant.page import door as door_module
from assistant.telephones import page as page_module
from assistant.telephones.seats import Closing
from tests.telephones.sound_table import SoundTable

WAIT = 60.0


@pytest.fixture
def table(checkout: Path) -> Iterator[SoundTable]:
    table = SoundTable(checkout / "web")
    table.server.start()
    yield table
    table.server.stop()


def hello(seat: int = 1, key: str = "a", *, take: bool = False) -> str:
    told = {"is": "hello", "seat": seat, "key": key, "name": f"móvil {key}", "take": take}
    return json.dumps(told)


def piece(number: int, value: int = 0, samples: int = 640) -> bytes:
    return struct.pack("<IQ", number, number * 40_000) + np.full(samples, value, "<i2").tobytes()


def answer(talk: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while (told := json.loads(talk.recv(WAIT)))["is"] != kind:
        pass
    found: dict[str, Any] = told
    return found


def closed(talk: ClientConnection) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as end:  # noqa: PT012
        while True:
            talk.recv(WAIT)
    assert end.value.rcvd
    return end.value.rcvd.code, end.value.rcvd.reason


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.01)


def test_a_telephone_that_says_goodbye_is_not_shown_as_gone(table: SoundTable) -> None:
    with table.connect() as talk:
        talk.send(hello(2))
        answer(talk, "seated")
        talk.send('{"is":"bye"}')
        until(lambda: table.seats.views() == [])


def test_sound_arrives_in_order_with_its_time_and_its_losses(table: SoundTable) -> None:
    with table.connect() as talk:
        talk.send(hello(2))
        assert answer(talk, "seated") == {"is": "seated", "seat": 2}
        for number in (0, 1, 4, 5):
            talk.send(piece(number, number))
        until(lambda: len(table.lines.all[0].pieces) == 4)
        line = table.lines.all[0]
        assert (line.seat, line.name) == (2, "móvil a")
        assert [(at, int(samples[0]), lost) for at, samples, lost in line.pieces] == [
            (0.0, 0, 0), (0.04, 1, 0), (0.16, 4, 2 * 640), (0.2, 5, 0),
        ]  # fmt: skip
        told = answer(talk, "status")
        assert (told["state"], told["level"], told["delay"]) == ("there", -30.0, 0.12)
        talk.send('{"is":"ping","at":77.5,"battery":0.4,"charging":false}')
        assert answer(talk, "pong")["at"] == 77.5
    until(lambda: table.lines.all[0].left)
    assert [view["state"] for view in table.seats.views()] == ["gone"]
    assert table.changes >= 2


def test_the_second_microphone_of_a_seat_is_told_and_may_take_it(table: SoundTable) -> None:
    with table.connect() as first, table.connect() as second:
        first.send(hello(1, "a"))
        answer(first, "seated")
        second.send(hello(1, "b"))
        assert answer(second, "taken")["name"] == "móvil a"
        assert closed(second)[0] == Closing.TAKEN
        with table.connect() as third:
            third.send(hello(1, "b", take=True))
            answer(third, "seated")
            assert answer(first, "replaced")["name"] == "móvil b"
            assert closed(first)[0] == Closing.REPLACED
            assert table.lines.there[1].name == "móvil b"


def test_a_telephone_whose_line_broke_comes_back_before_that_was_noticed(
    table: SoundTable,
) -> None:
    with table.connect() as lost, table.connect() as back:
        lost.send(hello(3, "a"))
        answer(lost, "seated")
        back.send(hello(3, "a"))
        answer(back, "seated")
        assert closed(lost)[0] == Closing.REPLACED
        assert list(table.lines.there) == [3]


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([piece(0)], Closing.BAD),
        (["nonsense"], Closing.BAD),
        ([hello(9)], Closing.NO_SEAT),
        ([hello(), "nonsense"], Closing.BAD),
        ([hello(), hello()], Closing.BAD),
        ([hello(), b"\0"], Closing.BAD),
        ([hello(), piece(5), piece(4)], Closing.BAD),
        ([hello(), *(piece(n, samples=1600) for n in range(80))], Closing.TOO_MUCH),
        ([hello(), *['{"is":"ping","at":1,"battery":null,"charging":false}'] * 60],
         Closing.TOO_MUCH),
    ],
)  # fmt: skip
def test_bad_input_ends_it_with_one_code_and_one_sentence(
    table: SoundTable, messages: list[str | bytes], code: Closing
) -> None:
    with table.connect() as talk:
        for one in messages:
            try:
                talk.send(one)
            except ConnectionClosed:
                break
        told, sentence = closed(talk)
    assert told == code
    assert sentence.endswith(".")
    until(lambda: not table.lines.there)


def test_who_says_nothing_is_gone(table: SoundTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "HELLO_S", 0.2)
    monkeypatch.setattr(page_module, "QUIET_S", 0.4)
    with table.connect() as silent:
        assert closed(silent)[0] == Closing.TOO_SLOW
    with table.connect() as sleeping:
        sleeping.send(hello())
        answer(sleeping, "seated")
        assert closed(sleeping)[0] == Closing.TOO_SLOW
    until(lambda: not table.lines.there)


def test_a_device_without_the_pin_is_no_microphone(
    table: SoundTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_module, "AT_HOME", ())
    with pytest.raises(InvalidStatus) as refused:
        table.connect()
    assert refused.value.response.status_code == 403


def test_sound_from_another_device_is_not_taken_unencrypted(
    table: SoundTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "AT_HOME", ())
    with table.connect() as talk:
        assert closed(talk)[0] == Closing.INSECURE
    assert table.lines.all == []
