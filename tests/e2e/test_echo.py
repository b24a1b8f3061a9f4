"""Echo: the table's voice sounds in the room, and the table hears others but not itself."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.live_table import LiveTable, live
from tests.e2e.pulse import Pulse

pytestmark = pytest.mark.audio

NEAR, FAR = 20, 140
"""Milliseconds from the loudspeaker to the microphone, directly and by way of a wall."""
SOON = 60.0
"""The seconds in which a voice must begin or end, on a busy machine."""


class Room(Pulse):
    """A sound server with a loudspeaker; its sound and its echo reach the microphone."""

    def start(self) -> None:
        super().start()
        self.plug("module-null-sink", sink_name="speaker", rate=48000, channels=2)
        for late in (NEAR, FAR):
            self.plug("module-loopback", source="speaker.monitor", sink="room", latency_msec=late)
        self._pactl("set-default-sink", "speaker").check_returncode()

    def speaks(self) -> bool:
        """Whether a sound is being played."""
        listed = self._pactl("list", "short", "sink-inputs").stdout.decode()
        return "protocol-native" in listed

    def until(self, speaks: bool) -> None:
        """Wait until a sound is played, or until none has been for a second."""
        deadline, since = time.monotonic() + SOON, time.monotonic()
        while time.monotonic() < deadline:
            if self.speaks():
                if speaks:
                    return
                since = time.monotonic()
            elif not speaks and time.monotonic() - since > 1.0:
                return
            time.sleep(0.05)
        raise AssertionError(f"nobody {'spoke' if speaks else 'was silent'} within {SOON} s")


@pytest.fixture
def room() -> Iterator[Room]:
    with Room() as made:
        yield made


@pytest.fixture
def table(room: Room, tmp_path: Path) -> Iterator[LiveTable]:
    """A table that speaks softly into the room and hears everything in it."""
    config = tmp_path / "config" / "mus"
    config.mkdir(parents=True)
    (config / "settings.toml").write_text("volume = 0.3\n", "utf-8")
    env = {**room.env, "XDG_CONFIG_HOME": str(config.parent)}
    changed = [f"{key}={value}" for key, value in env.items() if os.environ.get(key) != value]
    options = (
        "--voice",
        "on",
        "--level",
        "full",
        "--mic",
        "default",
        "--mano",
        "1",
        "--seats",
        "4",
    )
    with live(tmp_path / "t.sqlite3", *options, within=["env", *changed]) as running:
        room.until(speaks=True)
        room.until(speaks=False)
        yield running


def heard(journal: Path) -> list[tuple[str, str, str]]:
    """The heard log: the words, the outcome and the reason of each utterance."""
    with sqlite3.connect(journal) as database:
        rows = database.execute("SELECT text, outcome, detail FROM heard ORDER BY entry").fetchall()
    return [(str(text), str(kind), str(detail)) for text, kind, detail in rows]


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of "envido cinco", slow and loud."""
    path = tmp_path_factory.mktemp("call") / "call.wav"
    words = ["espeak-ng", "-v", "es", "-s", "120", "-a", "180", "-w", str(path), "envido cinco"]
    try:
        subprocess.run(words, check=True)
    except FileNotFoundError:
        pytest.skip("not installed: espeak-ng")
    return path


def test_a_table_never_hears_its_own_calls_and_count(
    table: LiveTable, room: Room, tmp_path: Path
) -> None:
    for label in ("No hay mus", "Envido 2", "Quiero", "Órdago", "Quiero"):
        table.press(label)
        room.until(speaks=True)
        room.until(speaks=False)
    before = table.snapshot()
    time.sleep(2.0)
    assert heard(tmp_path / "t.sqlite3") == []
    assert table.snapshot()["seq"] == before["seq"]
    assert before["question"] is None


def test_a_call_spoken_over_the_voice_counts_or_is_asked_about_once(
    table: LiveTable, room: Room, call: Path, tmp_path: Path
) -> None:
    table.press("No hay mus")
    room.until(speaks=True)
    seq = table.snapshot()["seq"]
    room.play(call)
    room.until(speaks=False)
    time.sleep(6.0)
    ((text, kind, _),) = heard(tmp_path / "t.sqlite3")
    if kind == "accepted":
        assert text == "envido cinco"
        return
    assert kind == "ask"
    assert table.snapshot()["seq"] == seq
    room.play(call)
    deadline = time.monotonic() + SOON
    while table.snapshot()["seq"] == seq and time.monotonic() < deadline:
        time.sleep(0.1)
    assert heard(tmp_path / "t.sqlite3")[-1][:2] == ("envido cinco", "accepted")
