"""The fuzzer: no input gives a traceback or takes unbounded time or memory."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.lab.fuzzing.readers import READERS
from scripts.lab.fuzzing.spoiling import LONGEST, spoilt


def fuzz(checkout: Path, *options: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, str(checkout / "scripts" / "lab" / "fuzz.py"), "--json", *options],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert done.returncode == any(one["faults"] for one in found), done.stderr
    return found


def test_every_reader_accepts_its_undamaged_input(checkout: Path) -> None:
    found = fuzz(checkout, "--count", "8", "--seconds", "60")
    assert [one["reader"] for one in found] == list(READERS)
    for one in found:
        assert one["inputs"] == 8, one
        assert one["whole"] > 0, one
        assert one["faults"] == [], one


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("reader", READERS)
def test_no_reader_crashes_on_damaged_input(reader: str, checkout: Path) -> None:
    (found,) = fuzz(checkout, "--reader", reader, "--count", "200", "--seconds", "60")
    assert (found["inputs"], found["faults"]) == (200, [])


def test_damage_is_reproducible_and_keeps_the_input_short() -> None:
    seeds = [bytes(range(256)) * 100, b"1: mus\n"]
    twice = [[spoilt(seeds, random.Random(n)) for n in range(200)] for _ in range(2)]
    assert twice[0] == twice[1]
    assert len(set(twice[0])) > 150
    assert max(map(len, twice[0])) <= LONGEST
