"""PortAudio, a sound server and the ear together: sounds in the room are heard."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from assistant.ear.audio import RATE, read_wav
from assistant.files.paths import data_dir
from tests.e2e.pulse import Pulse
from tests.ear import wav

pytestmark = pytest.mark.audio

GRAMMAR = ["paso", "envido", "envido cinco", "no quiero", "quiero", "mus", "no hay mus", "[unk]"]
Line = tuple[str, str]


class Listener:
    """The listening process and the lines that it prints."""

    def __init__(self, pulse: Pulse, checkout: Path, *device: str) -> None:
        model = str(data_dir("models") / "mus-es")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.microphone_ear", model, json.dumps(GRAMMAR), *device],
            cwd=checkout,
            env=pulse.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # ALSA's library complains there of missing devices
            text=True,
        )
        self._lines: queue.Queue[Line] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, kind: str, seconds: float = 60.0) -> str:
        """The text of the next line of this kind. Lines of other kinds before it are skipped."""
        while True:
            found, text = self._lines.get(timeout=seconds)
            if found == kind:
                return text

    def stop(self) -> int:
        """End the process normally; returns its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            return self._process.wait(60)
        finally:
            self._process.kill()
            self._process.wait()
            self._reader.join()
            self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            kind, text = json.loads(line)
            self._lines.put((kind, text))


@contextmanager
def listening(pulse: Pulse, checkout: Path, *device: str) -> Iterator[Listener]:
    listener = Listener(pulse, checkout, *device)
    try:
        yield listener
    finally:
        assert listener.stop() == 0


@pytest.fixture
def pulse() -> Iterator[Pulse]:
    with Pulse() as server:
        yield server


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of "envido cinco"."""
    path = tmp_path_factory.mktemp("call") / "call.wav"
    try:
        subprocess.run(["espeak-ng", "-v", "es", "-w", str(path), "envido cinco"], check=True)
    except FileNotFoundError:
        pytest.skip("not installed: espeak-ng")
    return path


def test_speech_in_the_room_is_heard(pulse: Pulse, checkout: Path, call: Path) -> None:
    with listening(pulse, checkout) as listener:
        listener.wait_for("listening")
        pulse.play(call)
        assert listener.wait_for("heard") == "envido cinco"


def test_an_unplugged_microphone_is_reported_without_a_crash(
    pulse: Pulse, checkout: Path, call: Path
) -> None:
    with listening(pulse, checkout) as listener:
        listener.wait_for("listening")
        pulse.play(call)
        assert listener.wait_for("heard") == "envido cinco"
        pulse.stop()
        assert "went away" in listener.wait_for("lost")


def test_a_missing_microphone_gives_one_sentence(pulse: Pulse, checkout: Path) -> None:
    with listening(pulse, checkout, "Gramófono") as listener:
        assert "no microphone 'Gramófono'" in listener.wait_for("end")


def test_a_room_without_a_sound_server_gives_one_sentence(pulse: Pulse, checkout: Path) -> None:
    pulse.stop()
    with listening(pulse, checkout) as listener:
        assert "microphone" in listener.wait_for("end")


KITCHEN = {"sink_name": "kitchen", "sink_properties": "device.description=kitchen"}


@pytest.fixture
def kitchen(pulse: Pulse) -> Pulse:
    """A second room, whose microphone programs see as "KitchenMic"."""
    pulse.list_device("KitchenMic", "kitchen.monitor")
    return pulse


@pytest.mark.parametrize(("rate", "channels"), [(8_000, 1), (44_100, 2), (48_000, 4), (48_000, 6)])
def test_a_device_of_any_rate_and_channels_is_heard_by_a_part_of_its_name(
    kitchen: Pulse, checkout: Path, call: Path, rate: int, channels: int
) -> None:
    kitchen.plug("module-null-sink", **KITCHEN, rate=rate, channels=channels)
    with listening(kitchen, checkout, "mic KITCHEN", str(channels)) as listener:
        listener.wait_for("listening")
        kitchen.play(call, "kitchen")
        assert listener.wait_for("heard") == "envido cinco"


def test_a_microphone_that_is_plugged_in_again_is_heard_again(
    kitchen: Pulse, checkout: Path, call: Path
) -> None:
    # There is no other device, to which a sound server would move the stream by itself.
    for others in ("module-remap-source", "module-null-sink"):
        kitchen.unplug(others)
    plugged = kitchen.plug("module-null-sink", **KITCHEN)
    with listening(kitchen, checkout, "kitchen") as listener:
        listener.wait_for("listening")
        kitchen.unplug(plugged)
        assert "'KitchenMic' went away" in listener.wait_for("lost")
        kitchen.plug("module-null-sink", **KITCHEN)
        listener.wait_for("listening")
        kitchen.play(call, "kitchen")
        assert listener.wait_for("heard") == "envido cinco"


def test_one_seat_of_four_is_heard_though_other_channels_are_dead_or_noisy(
    kitchen: Pulse, checkout: Path, call: Path, tmp_path: Path
) -> None:
    order = "front-left,front-right,rear-left,rear-right"
    kitchen.plug("module-null-sink", **KITCHEN, rate=16_000, channels=4, channel_map=order)
    voice = np.concatenate([*read_wav(call), np.zeros(RATE, np.int16)]) / 32768 / 3
    voice = np.concatenate([np.zeros(4 * RATE), voice])  # by then the noise is known
    roar = np.random.default_rng(1).normal(0, 0.15, len(voice))
    clipped = np.sign(roar)
    seats = np.stack([np.zeros(len(voice)), clipped, voice, roar], axis=1)
    with listening(kitchen, checkout, "kitchen", "4") as listener:
        listener.wait_for("listening")
        spoken = wav.write_frames(tmp_path / "seats.wav", seats, RATE)
        kitchen.play(spoken, "kitchen", f"--channel-map={order}")
        assert listener.wait_for("heard") == "envido cinco"


def test_a_default_that_hears_the_loudspeaker_is_reported_with_a_better_one(
    pulse: Pulse, checkout: Path, call: Path
) -> None:
    pulse.take_by_default("room.monitor")
    with listening(pulse, checkout) as listener:
        told = listener.wait_for("log")
        while "hears what this machine plays" not in told:
            told = listener.wait_for("log")
        assert told.endswith("choose 'microphone' with: pactl set-default-source microphone.")
        assert listener.wait_for("listening") == "monitor"
        pulse.play(call)  # it is reported and kept, because no choice is changed silently
        assert listener.wait_for("heard") == "envido cinco"


def test_a_silent_microphone_is_reported_within_seconds_and_the_warning_removed_later(
    pulse: Pulse, checkout: Path, call: Path
) -> None:
    with listening(pulse, checkout) as listener:
        assert listener.wait_for("listening") == ""
        assert listener.wait_for("listening") == "dead"
        pulse.play(call)
        assert listener.wait_for("listening") == ""
