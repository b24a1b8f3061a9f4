"""scripts/lab/count_tests: it counts every row of every table and reports lost ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from scripts.lab import count_tests
from scripts.lab.count_tests import Counted, as_text, compare

BEFORE = Counted(
    Counter({"a.py::test_x": 3, "a.py::test_y": 1, "b.py::test_z": 2}),
    Counter({"a.py::test_x": 3, "a.py::test_y": 1, "b.py::test_z": 2}),
)
NOW = Counted(
    Counter({"a.py::test_x": 1, "a.py::test_y": 1, "b.py::test_z": 1}),
    Counter({"a.py::test_x": 3, "a.py::test_y": 1, "b.py::test_z": 1}),
)


def test_a_table_counts_its_rows_and_a_test_that_lost_rows_is_named() -> None:
    found = compare(BEFORE, NOW)
    assert found["files"]["a.py"] == {
        "items_before": 4, "items": 2, "rows_before": 4, "rows": 4,
    }  # fmt: skip
    assert found["fewer"] == {"b.py::test_z": {"rows_before": 2, "rows": 1}}
    *_, total, lost = as_text(found).splitlines()
    assert total.split() == ["6", "3", "6", "5", "all"]
    assert lost == "fewer rows: b.py::test_z, 2 -> 1"


def test_without_an_earlier_commit_the_present_tests_are_listed() -> None:
    assert compare(None, NOW)["fewer"] == {}


@pytest.mark.slow
def test_the_tests_of_the_table_helper_are_counted_with_their_rows(
    capsys: pytest.CaptureFixture[str], checkout: Path
) -> None:
    assert checkout == count_tests.ROOT
    assert count_tests.main(["tests/test_tables.py"]) == 0
    items, rows = map(int, capsys.readouterr().out.splitlines()[-1].split()[1:4:2])
    assert rows == items + 2  # one of its tests walks a table of three rows


@pytest.mark.slow
def test_a_test_that_cannot_be_collected_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert count_tests.main(["tests/no_such_file.py"]) == 2
    assert "pytest ended with" in capsys.readouterr().err
