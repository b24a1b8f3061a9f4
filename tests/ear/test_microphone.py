"""Microphones: choosing a device by name, and a stale JACK registry."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.ear import microphone as devices
from assistant.ear.microphone import (
    Device,
    advice,
    behind,
    better,
    clear_registry,
    is_monitor,
    named,
)
from tests.tables import each_row

# ---- Choosing a device by its name, and noticing a source that is no microphone -----------------


LISTED = [
    Device(name, index, 2, 48_000)
    for index, name in enumerate(
        ["HDA Intel PCH: ALC257 (hw:0,0)", "Jabra Speak 510: USB (hw:1,0)", "Jabra", "pulse",
         "Monitor of Jabra", "default"]
    )
]  # fmt: skip
NAMES = [device.name for device in LISTED]


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_pactl", lambda *_words: [])


@each_row("wanted, found", [
    ("Jabra", 2), ("jabra speak", 1), ("hda", 0), ("ALC257", 0), ("usb JABRA", 1), ("JABRA", 2),
])  # fmt: skip
def test_a_device_is_found_by_its_name_its_beginning_or_some_of_its_words(
    wanted: str, found: int
) -> None:
    device = named(wanted, LISTED)
    assert device
    assert device.index == found


def test_no_other_device_is_taken_where_none_fits() -> None:
    assert named("Yeti", LISTED) is None


@each_row("name", ["alsa_output.hdmi.monitor", "Monitor of Jabra", "Stereo Mix"])
def test_a_source_of_the_machines_own_sound_is_recognised(name: str) -> None:
    assert is_monitor(name)
    assert not is_monitor("Jabra Speak 510")


def test_the_first_real_microphone_is_better_than_a_default_that_is_none() -> None:
    assert better("default", NAMES) == NAMES[0]
    assert better(NAMES[0], NAMES) == NAMES[1]
    assert better("default", ["pulse", "default", "dmix"]) == ""


def test_the_advice_says_which_device_to_choose_and_how() -> None:
    assert "mus settings mic 'Jabra'" in advice("default", ["default", "Jabra"])
    assert advice("default", ["default"]).startswith("plug a microphone in")


def test_a_sound_server_is_asked_what_its_default_is(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"info": ["Server Name: pulse", "Default Source: hdmi.monitor"],
            "list": ["0\thdmi.monitor\tm\ts16le", "1\tusb.mic\tm\ts16le"]}  # fmt: skip
    monkeypatch.setattr(devices, "_pactl", lambda *words: said[words[0]])
    assert behind("default") == "hdmi.monitor"
    assert behind("Jabra") == "Jabra"
    assert advice("default", ["default"]) == (
        "choose 'usb.mic' with: pactl set-default-source usb.mic"
    )


# ---- A killed program's JACK registry must not keep the next one from its devices ---------------


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    folder = tmp_path / "jack_db-0"
    folder.mkdir()
    (folder / "__db.001").write_bytes(bytes(mmap.PAGESIZE))
    return folder


def test_a_registry_that_nobody_uses_is_removed(registry: Path) -> None:
    assert clear_registry(registry)
    assert not registry.exists()


def test_a_registry_in_use_by_this_process_stays(registry: Path) -> None:
    with (registry / "__db.001").open("r+b") as file, mmap.mmap(file.fileno(), 0):
        assert not clear_registry(registry)
    assert (registry / "__db.001").exists()


@pytest.mark.slow
def test_a_registry_in_use_by_another_process_stays(registry: Path) -> None:
    holds = (
        "import mmap, sys\n"
        "file = open(sys.argv[1], 'r+b')\n"
        "held = mmap.mmap(file.fileno(), 0)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(registry / "__db.001")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        assert not clear_registry(registry)
        other.communicate()
    assert clear_registry(registry)


def test_without_a_registry_nothing_is_removed(tmp_path: Path) -> None:
    assert not clear_registry(tmp_path / "jack_db-0")
