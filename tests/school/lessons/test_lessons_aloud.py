"""``mus lesson --mic``: a lesson answered aloud at a terminal, through a real microphone."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from tests.e2e.pulse import Pulse
from tests.e2e.table_process import command
from tests.speakers.test_mus_enrol import reading

pytestmark = pytest.mark.audio

WITHIN = 30.0


class Terminal:
    """The command at a terminal, and the lines that it prints."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._lines: Queue[str] = Queue()
        self._process = process
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)

    def until(self, text: str) -> str:
        """Wait for a line with this text."""
        deadline, seen = time.monotonic() + WITHIN, ""
        while time.monotonic() < deadline:
            try:
                seen += (line := self._lines.get(timeout=0.2))
            except Empty:
                continue
            if text in line:
                return line
        raise AssertionError(seen)


def test_answers_are_spoken_into_a_microphone(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    with Pulse() as pulse:
        env = {**pulse.env, "XDG_DATA_HOME": str(tmp_path)}
        with subprocess.Popen(
            command("lesson", "05-envidar-y-querer", "--mic", "--language", "es"),
            env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as process:  # fmt: skip
            terminal = Terminal(process)
            try:
                terminal.until("Te escucho")
                pulse.play(reading(["cinco"], folders[0]))
                terminal.until("No. Prueba otra vez. Para cinco tendría que decir")
                pulse.play(reading(["dos"], folders[1]))
                terminal.until("¡Bien! Un envido a secas son dos.")
                terminal.until("Apuesta cinco piedras, en voz alta.")
                terminal.until("Te escucho")
            finally:
                process.kill()
