"""A table that is switched off and on: it ends at once and is soon there again."""

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
    """Play into the middle of a hand, up to a pending bet."""
    table.press("Mus")
    table.press("No hay mus")
    table.press("Envido 2")


def test_a_table_told_to_end_during_a_hand_ends_soon_and_without_error(journal: Path) -> None:
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


def test_a_killed_table_shows_the_same_again_within_seconds(journal: Path) -> None:
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
