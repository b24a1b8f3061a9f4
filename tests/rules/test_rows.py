"""docs/rules.md and the tests have the same rows: each rule that the engine keeps has its test."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from assistant.rules.profile import OPTIONS, Profile

HERE = Path(__file__).resolve().parent
PAGE = (HERE.parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
TABLE = re.findall(r"^\| (R\d\d) \|.*\|([^|]*)\| (\w+) \|([^|]*)\|$", PAGE, flags=re.MULTILINE)
ROWS = [(row, keeper) for row, _options, keeper, _sources in TABLE]


def rows_tested() -> set[str]:
    source = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    return {f"R{n}" for n in re.findall(r"^def test_r(\d\d)_", source, flags=re.MULTILINE)}


def rows_shown() -> set[str]:
    games = (HERE.parent / "games").glob("*.mus")
    return set(re.findall(r"\bR\d\d\b", "".join(g.read_text(encoding="utf-8") for g in games)))


def test_the_page_has_every_row_once() -> None:
    assert [row for row, _keeper in ROWS] == [f"R{n:02}" for n in range(1, 61)]


def test_the_rows_of_the_rules_are_exactly_those_with_a_test_of_their_name_here() -> None:
    assert rows_tested() == {row for row, keeper in ROWS if keeper == "rules"}


def test_every_row_has_a_test_of_its_name_somewhere() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in HERE.parent.rglob("test_*.py"))
    tested = {f"R{n}" for n in re.findall(r"^def test_r(\d\d)_", source, flags=re.MULTILINE)}
    assert {row for row, _keeper in ROWS} == tested


def test_every_row_that_the_words_keep_has_a_golden_game() -> None:
    assert {row for row, keeper in ROWS if keeper == "words"} <= rows_shown()


def test_the_page_lists_the_keys_of_a_profile_in_order() -> None:
    documented = re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert documented == [field.name for field in fields(Profile)]


def test_every_row_lists_the_options_filed_under_it_and_no_unknown_ones() -> None:
    """A row may also list options that are filed under other rows."""
    of_row = {row: set(re.findall(r"`(\w+)`", options)) for row, options, _k, _s in TABLE}
    for key, rule in OPTIONS.items():
        if rule.row:
            assert key in of_row[rule.row], (key, rule.row)
    assert {key for keys in of_row.values() for key in keys} <= set(OPTIONS)


def test_every_row_has_a_source() -> None:
    assert [row for row, _options, _keeper, sources in TABLE if not sources.strip(" –")] == []
