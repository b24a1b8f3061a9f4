"""A power cut during a hand: every committed record is there, and play goes on."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from assistant.rules.events import Event
from assistant.rules.history import Record, fold
from assistant.table.journal import JournalError, SqliteJournal, latest_table
from tests.e2e.conftest import EVENING, Heard
from tests.e2e.table_process import TIMEOUT, command, listen


def records_of(journal: Path) -> list[Record]:
    table_id = latest_table(journal)
    if table_id is None:
        return []
    kept = SqliteJournal(journal, table_id)
    records = kept.read()
    kept.close()
    return records


@pytest.fixture(scope="module")
def whole(heard_evening: Heard, tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """The events of an evening without interruption."""
    journal = tmp_path_factory.mktemp("whole") / "table.sqlite3"
    shutil.copyfile(heard_evening.journal, journal)
    return [record.event for record in records_of(journal)]


def opened(journal: Path) -> SqliteJournal | None:
    """The journal, as soon as the process has created it; otherwise None."""
    with suppress(JournalError):  # it was only half created: try again
        if name := latest_table(journal):
            return SqliteJournal(journal, name, read_only=True)
    return None


def killed_in_play(evening: Path, journal: Path, after: int, rng: random.Random) -> list[Record]:
    """Play, kill the process soon after ``after`` records, and return the records on the disk."""
    options: list[str | Path] = ["--cards", EVENING, "--voice", "off", "--port", "0"]
    process = subprocess.Popen(
        command("play", "--listen", evening, "--fast", "--journal", journal, *options),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    reader: SqliteJournal | None = None
    try:
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline and process.poll() is None:
            reader = reader or opened(journal)
            if reader is not None and reader.last_seq >= after:
                break
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait(TIMEOUT)
        if reader is not None:
            reader.close()
    return records_of(journal)


@pytest.mark.parametrize("after", [3, 60, 150])
def test_after_a_kill_at_any_moment_the_table_goes_on_where_it_was(
    evening: Path, silence: Path, whole: list[Event], tmp_path: Path, after: int
) -> None:
    journal, voice = tmp_path / "table.sqlite3", tmp_path / "said.wav"
    records = killed_in_play(evening, journal, after, random.Random(after))
    assert after <= len(records) < len(whole)
    assert [record.event for record in records] == whole[: len(records)]
    state = fold(records)
    assert state is not None
    again = listen(silence, "--voice", voice, "--journal", journal)
    assert again["seq"] == records[-1].seq
    assert again["phase"] == state.phase
    assert [side["stones"] for side in again["sides"]] == list(state.stones)
    (said,) = voice.with_suffix(".log").read_text(encoding="utf-8").splitlines()
    assert "Seguimos. " in said
