"""The daily copy of the journal: one a day, a week of them, without harm to the game."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from assistant.cli.mus_play import KEPT, back_up, start_backup
from assistant.table.journal import SqliteJournal
from assistant.table.journal.copy import check_journal
from tests.table.journal.appender import batch_after

DAY = date(2026, 5, 28)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Path]:
    """The path of a journal that is being written."""
    path = tmp_path / "table.sqlite3"
    with closing(SqliteJournal(path, "mesa")) as writer:
        writer.append(batch_after(0))
        yield path


def copies(journal: Path) -> list[str]:
    return sorted(path.name for path in (journal.parent / "backups").iterdir())


def test_the_first_start_of_a_day_makes_a_copy_and_the_next_does_not(journal: Path) -> None:
    copy = back_up(journal, DAY)
    assert copy is not None
    check_journal(copy)
    assert back_up(journal, DAY) is None
    assert copies(journal) == ["table-2026-05-28.sqlite3"]


def test_a_week_of_copies_is_kept_and_other_files_stay(journal: Path) -> None:
    folder = journal.parent / "backups"
    folder.mkdir()
    (folder / "table-mine.sqlite3").touch()
    for days in range(KEPT + 3):
        back_up(journal, DAY + timedelta(days))
    assert copies(journal) == [
        *(f"table-{DAY + timedelta(days)}.sqlite3" for days in range(3, KEPT + 3)),
        "table-mine.sqlite3",
    ]


def test_a_clock_without_a_date_still_makes_a_copy(journal: Path) -> None:
    for days in range(KEPT):
        back_up(journal, DAY + timedelta(days))
    assert back_up(journal, date(1970, 1, 1))
    assert copies(journal)[0] == "table-1970-01-01.sqlite3"
    assert len(copies(journal)) == KEPT


def test_a_nearly_full_disk_is_left_to_the_game(journal: Path) -> None:
    free = shutil.disk_usage(journal.parent).free
    with pytest.raises(OSError, match="too little room"):
        back_up(journal, DAY, room=2 * free)
    assert copies(journal) == []


def test_a_failed_copy_is_logged_and_harms_nothing(
    journal: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (journal.parent / "backups").write_text("no folder")
    with caplog.at_level(logging.WARNING):
        start_backup(journal).join()
    (told,) = caplog.messages
    assert told.startswith("Today's copy of the journal was not made: ")
    assert "\n" not in told


def test_the_copy_is_made_in_the_background(journal: Path) -> None:
    start_backup(journal).join()
    (name,) = copies(journal)
    assert name.startswith("table-20")
