"""scripts/lab/trace_call: the cost of a spoken call, which must not rise unnoticed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CALLS, MOVES = 950, 118
"""Python calls, and moves between rooms, of one spoken call. Neither number may rise."""


@pytest.mark.slow
def test_a_spoken_call_costs_no_more_than_before(checkout: Path) -> None:
    command = [sys.executable, str(checkout / "scripts" / "lab" / "trace_call.py")]
    options = ["--json", "--calls", "12"]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, timeout=110, check=True
    )
    report = json.loads(done.stdout)
    assert report["traced"] == 12
    assert report["calls"]["median"] <= CALLS
    assert report["moves"]["median"] <= MOVES


def test_a_missing_recording_gives_one_sentence(checkout: Path) -> None:
    command = [sys.executable, str(checkout / "scripts" / "lab" / "trace_call.py")]
    done = subprocess.run(
        [*command, "--listen", "nowhere.wav"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("trace_call: ")
