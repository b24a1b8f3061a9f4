"""A table that is only ever switched on and off: it ends at once, and is there again soon."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from assistant.table.journal.copy import check_journal
from tests.e2e.live_table import LiveTable, live

pytestmark = pytest.mark.alone

ENDS_WITHIN, BACK_WITHIN = 3.0, 5.0
"""Seconds."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "table.sqlite3"


def play_on(table: LiveTable) -> None:
    """Into the middle of a hand, with a bet that waits for its answer."""
    table.press("Mus")
    table.press("No hay mus")
    table.press("Envido 2")


def test_a_table_that_is_told_to_end_in_a_hand_ends_soon_and_well(journal: Path) -> None:
    with live(journal, "--mano", "1") as table:
        play_on(table)
        shown = table.game()
        asked = time.monotonic()
        table.process.send_signal(signal.SIGTERM)
        assert table.process.wait(ENDS_WITHIN) == 0
        assert time.monotonic() - asked < ENDS_WITHIN
        assert table.process.stderr
        assert "Traceback" not in table.process.stderr.read()
    assert [path.name for path in journal.parent.glob("*-wal")] == []
    check_journal(journal)
    with live(journal) as table:
        assert table.game() == shown


def test_a_table_that_was_killed_shows_the_same_again_within_seconds(journal: Path) -> None:
    with live(journal, "--mano", "1") as table:
        play_on(table)
        shown = table.game()
        table.process.kill()
        table.process.wait(ENDS_WITHIN)
    began = time.monotonic()
    with live(journal) as table:
        again = table.game()
        took = time.monotonic() - began
    assert again == shown
    assert shown["pending"]["stones"] == 2
    assert took < BACK_WITHIN
