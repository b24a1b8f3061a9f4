"""Recordings of whole tables: the real ear, rules and journal come to the right stones."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from assistant.rules.events import BetRaised, HandShown, SeatInferred
from assistant.rules.history import fold
from assistant.table.journal import SqliteJournal, latest_table
from tests.e2e.conftest import CLAIMS, EVENING, Heard
from tests.e2e.table_process import listen, mus


def counted(script: Path) -> Any:
    """The stones that the script itself expects."""
    return json.loads(mus("score", script, "--json").stdout)


def by_side(snapshot: dict[str, Any], key: str) -> dict[str, int]:
    return {side["side"]: side[key] for side in snapshot["sides"]}


def test_four_deals_in_four_voices_are_counted_right(heard_evening: Heard) -> None:
    shown, journal = heard_evening.snapshot, heard_evening.journal
    wanted = counted(EVENING)
    assert by_side(shown, "stones") == wanted["stones"]
    assert by_side(shown, "juegos") == wanted["juegos"]
    table_id = latest_table(journal)
    assert table_id is not None
    kept = SqliteJournal(journal, table_id, read_only=True)
    records, heard = kept.read(), kept.heard(limit=1000)
    kept.close()
    state = fold(records)
    assert state is not None
    assert state.juegos == tuple(wanted["juegos"].values())
    assert any(isinstance(record.event, BetRaised) for record in records)
    assert any(isinstance(record.event, SeatInferred) for record in records)
    assert sum(isinstance(record.event, HandShown) for record in records) == 15
    assert {entry.outcome for entry in heard} == {"accepted"}
    assert "Órdago de Este a pares." in heard_evening.said
    assert len(re.findall(r"(?<!\w)\w+ para \w+ y \w+\.", heard_evening.said)) == 5


def test_a_restarted_table_resumes_the_game_and_repeats_nothing(
    heard_evening: Heard, silence: Path, tmp_path: Path
) -> None:
    journal, voice = tmp_path / "table.sqlite3", tmp_path / "said.wav"
    shutil.copyfile(heard_evening.journal, journal)
    again = listen(silence, "--voice", voice, "--journal", journal)
    for key in ("seq", "deal", "phase", "sides", "lances", "log"):
        assert again[key] == heard_evening.snapshot[key], key
    (said,) = voice.with_suffix(".log").read_text(encoding="utf-8").splitlines()
    assert "Seguimos. " in said


def test_a_showdown_without_cards_is_settled_by_voice(claims: Path, tmp_path: Path) -> None:
    """Lances are claimed, hands are named aloud, and one word decides on an article (R46, R47)."""
    voice = tmp_path / "said.wav"
    shown = listen(claims, "--voice", voice, "--rules", "corrido=off articles=interpenas")
    wanted = counted(CLAIMS)
    assert by_side(shown, "stones") == wanted["stones"] == {"A": 6, "B": 3}
    said = voice.with_suffix(".log").read_text(encoding="utf-8")
    assert "Artículo 5.3" in said
    assert "¿Se aplica?" in said
    assert "los otros chica una y pares dos. Seis a tres." in said  # one of the two is the negada


def test_the_shipped_demo_ends_as_written(checkout: Path) -> None:
    script = checkout / "models" / "demo" / "deals.mus"
    shown = listen(script.with_suffix(".wav"), "--cards", script, "--voice", "off")
    assert by_side(shown, "stones") == counted(script)["stones"]


def test_transcribe_prints_words_times_and_calls(evening: Path) -> None:
    rows = json.loads(mus("transcribe", evening, "--json").stdout)
    assert rows[0].keys() == {"start", "end", "words", "confidence", "calls"}
    assert rows[0]["words"] == "mus"
    assert rows[0]["calls"][0]["type"] == "Mus"
    assert all(0 <= row["start"] < row["end"] for row in rows)
    assert [row["start"] for row in rows] == sorted(row["start"] for row in rows)
