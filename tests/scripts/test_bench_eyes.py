"""The eye's bench: what it counts on one small run, and what it refuses."""

from __future__ import annotations

import json

import pytest

from scripts import bench_eyes, tune_eyes


def test_a_table_is_measured_and_told_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_eyes.main(["--tables", "1", "--only", "separated", "--jobs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["tables"], told["decks"]) == (1, 1)
    [(name, found)] = told["conditions"].items()
    assert name == "separated"
    assert found["cards"] == 16
    assert 0 <= found["wrong"] <= 16
    assert 0 <= found["coverage"] <= 1
    assert found["seconds"][0] > 0
    assert "cost" not in told


@pytest.mark.parametrize("asked", [["--only", "nowhere"], ["--tables", "0"]])
def test_what_cannot_be_measured_is_told(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_eyes.main(asked) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_no_table_is_both_worked_on_and_measured() -> None:
    most = 20 * bench_eyes.TABLES
    assert tune_eyes.FIRST_SEED + most < bench_eyes.FIRST_SEED
    assert tune_eyes.DECK_SEED + most < bench_eyes.DECK_SEED
