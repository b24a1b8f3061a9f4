"""A table in a process of its own, used through the routes of its page."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.e2e.table_process import TIMEOUT, command

QUIET = ("--voice", "off", "--mic", "nobody's", "--port", "0")
"""The options of a table that neither hears nor speaks, and is only tapped."""
VOLATILE = ("version", "ear", "heard")
"""The parts of a snapshot that belong to this run and not to the game."""


class LiveTable:
    """A running ``mus play`` and the client of its page."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout
        self.url = process.stdout.readline().split()[-1]

    def snapshot(self) -> dict[str, Any]:
        """The snapshot that its page shows."""
        with urllib.request.urlopen(f"{self.url}api/snapshot", timeout=TIMEOUT) as answer:
            shown: dict[str, Any] = json.load(answer)
        return shown

    def game(self) -> dict[str, Any]:
        """The part of the snapshot about the game."""
        return {key: value for key, value in self.snapshot().items() if key not in VOLATILE}

    def press(self, label: str) -> list[dict[str, Any]]:
        """Tap the first button with this label; returns the outcomes."""
        shown = self.snapshot()
        call = next(action["call"] for action in shown["actions"] if action["label"] == label)
        body = json.dumps({"call": call, "seen": shown["seq"]}).encode()
        asked = urllib.request.Request(
            f"{self.url}api/press", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(asked, timeout=TIMEOUT) as answer:
            outcomes: list[dict[str, Any]] = json.load(answer)["outcomes"]
        return outcomes


@contextmanager
def live(journal: Path, *options: str | Path, within: Sequence[str] = ()) -> Iterator[LiveTable]:
    """Start a table, inside another command if one is given. It is ended in any case."""
    process = subprocess.Popen(
        [*within, *command("play", "--journal", journal, *QUIET, *options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield LiveTable(process)
        finally:
            process.kill()
