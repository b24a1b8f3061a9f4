"""``mus play --log FILE``: the messages of a table, in log files that are rotated."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.cli.mus_play import LOG_BYTES, LOG_FILES
from tests.e2e.live_table import live
from tests.e2e.table_process import TIMEOUT, command, mus

pytestmark = pytest.mark.slow


def played(journal: Path, log: Path) -> None:
    """Start a table and end it."""
    with live(journal, "--log", log) as table:
        table.process.terminate()
        assert table.process.wait(TIMEOUT) == 0


def until(what: Callable[[], bool]) -> None:
    """Wait for another process."""
    end = time.monotonic() + TIMEOUT
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_each_start_and_each_warning_is_kept(tmp_path: Path) -> None:
    journal, log = tmp_path / "table.sqlite3", tmp_path / "mus.log"
    (tmp_path / "backups").write_text("no folder: today's copy fails, and that is told")
    for number in (1, 2):
        with live(journal, "--log", log) as table:
            assert table.process.stderr
            terminal = ""
            while "Today's copy" not in terminal:  # it comes a while after the page is there
                line = table.process.stderr.readline()
                assert line, terminal
                terminal += line
            until(lambda: log.read_text("utf-8").count("Today's copy") == number)  # noqa: B023
            table.process.terminate()
            assert table.process.wait(TIMEOUT) == 0
            terminal += table.process.stderr.read()
        assert "mus: Today's copy of the journal was not made" in terminal
        assert " begins" not in terminal
    lines = log.read_text("utf-8").splitlines()
    assert sum(line.endswith(" begins") for line in lines) == 2
    assert sum("WARNING mus.backup: Today's copy" in line for line in lines) == 2


def test_the_log_is_rotated_and_its_oldest_file_deleted(tmp_path: Path) -> None:
    log = tmp_path / "mus.log"
    log.write_bytes(b"x" * (LOG_BYTES - 1))
    for number in range(1, LOG_FILES):
        log.with_name(f"mus.log.{number}").write_text(f"old {number}")
    played(tmp_path / "table.sqlite3", log)
    assert len(list(tmp_path.glob("mus.log*"))) == LOG_FILES
    assert log.stat().st_size < LOG_BYTES
    assert log.with_name("mus.log.1").stat().st_size == LOG_BYTES - 1
    assert log.with_name("mus.log.4").read_text() == "old 3"


def test_a_log_that_cannot_be_written_is_reported_before_the_game(tmp_path: Path) -> None:
    done = mus("play", "--log", tmp_path / "none" / "mus.log", "--journal", tmp_path / "t.sqlite3")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "no such file or directory; choose another file" in done.stderr
    assert not (tmp_path / "t.sqlite3").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="not there: /dev/full")
def test_a_log_on_a_full_disk_ends_no_game(tmp_path: Path) -> None:
    with live(tmp_path / "table.sqlite3", "--log", "/dev/full") as table:
        assert table.snapshot()["seq"] > 0
        table.process.terminate()
        assert table.process.wait(TIMEOUT) == 0
        assert table.process.stderr
        assert "Traceback" not in table.process.stderr.read()


WHILE_MICROPHONES_ARE_LOOKED_FOR = """
import os, sys
from assistant.cli.mus_play import own_terminal
terminal = own_terminal()
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # as sounddevice does meanwhile
print("thrown away", file=sys.stderr)
print("told", file=terminal)
"""


def test_a_warning_is_logged_while_microphones_are_listed() -> None:
    program = [sys.executable, "-c", WHILE_MICROPHONES_ARE_LOOKED_FOR]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert done.stderr == "told\n"


def test_the_help_names_the_option() -> None:
    done = subprocess.run(command("play", "--help"), capture_output=True, text=True, check=True)
    assert "--log FILE" in done.stdout
