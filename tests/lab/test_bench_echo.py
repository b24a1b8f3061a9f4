"""The bench of calls over the assistant's voice: one run, and its refusals."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.voice.parts import needs_speech

pytest.importorskip("pyroomacoustics")
pytestmark = needs_speech

SCRIPT = Path(__file__).parents[2] / "scripts" / "lab" / "bench_echo.py"


def bench(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=110)


@pytest.mark.slow
def test_a_shut_gate_hears_nothing_and_the_canceller_has_its_own_row() -> None:
    done = bench("--calls", "3", "--ratios", "-6", "--voices", "es+f2", "--plain", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    rows = {row["way"]: row for row in report["calls"]}
    assert set(rows) == {"silent", "gate", "echo"}
    assert rows["gate"]["right"] == 0
    assert rows["silent"]["calls"] == rows["echo"]["calls"] == 3
    assert report["alone"][0]["minutes"] > 0
    assert 0 < report["cost"]["share_of_a_core"] < 1


def test_an_unknown_method_gives_one_sentence() -> None:
    done = bench("--ways", "whisper")
    assert done.returncode == 2
    assert done.stderr == "bench_echo: There is no way 'whisper': choose of silent, gate, echo.\n"
