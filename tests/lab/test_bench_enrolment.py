"""The bench of enrolment: one small run, and its refusals."""

from __future__ import annotations

import json

import pytest

from scripts.lab import bench_enrolment


@pytest.mark.slow
def test_a_deck_in_rows_is_measured_and_printed_as_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["--decks", "1", "--only", "rows, plane", "--scale", "0.5", "--develop", "--json"]
    assert bench_enrolment.main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["conditions"]) == {"rows, plane", "rows, plane, dim"}
    for found in told["conditions"].values():
        assert found["cards"] == found["right"] + found["wrong"] + found["asked"] == 40
        assert found["first"] <= found["photographs"]


@pytest.mark.parametrize("asked", [["--only", "nowhere"], ["--decks", "0"], ["--scale", "0.1"]])
def test_an_impossible_request_is_refused(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_enrolment.main(asked) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_no_photograph_is_used_for_development_and_measuring() -> None:
    most = 20 * bench_enrolment.DECKS
    assert bench_enrolment.DEVELOP_SEED + most < bench_enrolment.FIRST_SEED
