"""The command ``mus`` in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

TIMEOUT = 120
"""Seconds. The longest recording here takes a few."""


def command(*args: str | Path) -> list[str]:
    """The words that start ``mus`` with these arguments."""
    return [sys.executable, "-m", "assistant.cli.main", *map(str, args)]


def mus(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        command(*args), capture_output=True, text=True, timeout=TIMEOUT, check=False
    )


def listen(wav: Path, *options: str | Path) -> dict[str, Any]:
    """Let the table hear a recording as fast as possible; returns the last snapshot."""
    played = mus("play", "--listen", wav, "--fast", "--port", "0", "--json", *options)
    assert played.returncode == 0, played.stderr
    assert "Traceback" not in played.stderr
    snapshot: dict[str, Any] = json.loads(played.stdout)
    return snapshot
