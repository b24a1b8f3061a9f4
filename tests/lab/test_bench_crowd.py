"""scripts/lab/bench_crowd: its figures come from a table in play."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_table_is_measured_without_and_with_slow_connections(checkout: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            str(checkout / "scripts" / "lab" / "bench_crowd.py"),
            *("--only", "nobody", "--only", "slow", "--seconds", "5", "--json"),
        ],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    nobody, slow = json.loads(done.stdout)
    assert [one["crowd"] for one in (nobody, slow)] == ["nobody", "slow"]
    for one in (nobody, slow):
        assert one["taps"] >= 3
        assert (one["ear"], one["tap_p95_s"] < 5.0) == ("listening", True)
    assert done.returncode == (not (nobody["held"] and slow["held"]))
