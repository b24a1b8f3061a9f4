"""PortAudio, a sound server and the ear together: what sounds in the room is heard."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.paths import data_dir
from tests.e2e.pulse import Pulse

pytestmark = pytest.mark.audio

GRAMMAR = ["paso", "envido", "envido cinco", "no quiero", "quiero", "mus", "no hay mus", "[unk]"]
Line = tuple[str, str]


class Listener:
    """The listening process, by the lines it prints."""

    def __init__(self, pulse: Pulse, checkout: Path, *device: str) -> None:
        model = str(data_dir("models") / "mus-es")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.microphone_ear", model, json.dumps(GRAMMAR), *device],
            cwd=checkout,
            env=pulse.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # ALSA's library complains there of devices nobody has
            text=True,
        )
        self._lines: queue.Queue[Line] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, kind: str, seconds: float = 15.0) -> str:
        """The text of the next line of a kind; the lines before it are passed over."""
        while True:
            found, text = self._lines.get(timeout=seconds)
            if found == kind:
                return text

    def stop(self) -> int:
        """End it in order; its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            return self._process.wait(15)
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


def test_what_is_played_in_the_room_is_heard(pulse: Pulse, checkout: Path, call: Path) -> None:
    with listening(pulse, checkout) as listener:
        listener.wait_for("listening")
        pulse.play(call)
        assert listener.wait_for("heard") == "envido cinco"


def test_an_unplugged_microphone_is_told_and_is_no_crash(
    pulse: Pulse, checkout: Path, call: Path
) -> None:
    with listening(pulse, checkout) as listener:
        listener.wait_for("listening")
        pulse.play(call)
        assert listener.wait_for("heard") == "envido cinco"
        pulse.stop()
        assert "went away" in listener.wait_for("lost")


def test_a_microphone_that_nobody_has_is_one_sentence(pulse: Pulse, checkout: Path) -> None:
    with listening(pulse, checkout, "Gramófono") as listener:
        assert "no microphone 'Gramófono'" in listener.wait_for("end")


def test_a_room_without_sound_server_is_one_sentence(pulse: Pulse, checkout: Path) -> None:
    pulse.stop()
    with listening(pulse, checkout) as listener:
        assert "microphone" in listener.wait_for("end")
