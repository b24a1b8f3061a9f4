"""A power cut: every committed batch is there, and no batch is there in part."""

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from assistant.rules.history import Record
from assistant.table.journal import SqliteJournal
from tests.table.journal.appender import batch_after

pytestmark = pytest.mark.slow

CUTS = 12


def play_until_killed(checkout: Path, path: Path, seconds: float) -> int:
    """Kill an appending process ``seconds`` after its first commit.

    Returns the last seq it printed.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.table.journal.appender", str(path)],
        cwd=checkout,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    first = process.stdout.readline()
    time.sleep(seconds)
    process.kill()
    rest, errors = process.communicate()
    assert process.returncode < 0, errors.decode()
    promised = [line for line in (first + rest).splitlines(keepends=True) if line.endswith(b"\n")]
    return int(promised[-1])


def test_a_kill_at_any_moment_leaves_whole_batches_and_every_printed_one(
    checkout: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mus.sqlite3"
    moments = random.Random(40)
    before = 0
    for _ in range(CUTS):
        promised = play_until_killed(checkout, path, moments.uniform(0.0, 0.05))
        with closing(SqliteJournal(path, "mesa")) as journal:
            records = journal.read()
        expected: list[Record] = []
        while len(expected) < len(records):
            expected += batch_after(len(expected))
        assert records == expected
        assert len(records) >= promised > before
        before = len(records)
