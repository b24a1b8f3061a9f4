"""The bench of the eye: one small run, and its refusals."""

from __future__ import annotations

import json

import pytest

from assistant.eye.deck import load_deck
from assistant.eye.read import Reader
from assistant.eye.view import AT_REST
from assistant.files.paths import data_dir
from scripts.lab import bench_eyes, tune_eyes
from scripts.lab.eyebench.answer import NEVER, answered
from scripts.lab.eyebench.decks import own
from scripts.lab.eyebench.footage import PER_SECOND
from scripts.lab.eyebench.trial import Condition


def test_a_table_is_measured_and_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_the_delay_of_reading_a_film_is_measured_with_the_watching_eye() -> None:
    art, seed = own().faces, tune_eyes.FIRST_SEED
    reader = Reader(load_deck(data_dir("models") / "decks" / "mus"))
    small = Condition("small", card_pixels=113.0, size=(1280, 720))
    # The eye waits for a still picture, so zero would be wrong.
    assert AT_REST - 2 / PER_SECOND < answered(small, art, reader, seed) < NEVER


@pytest.mark.parametrize("asked", [["--only", "nowhere"], ["--tables", "0"], ["--films", "0"]])
def test_an_impossible_request_is_refused(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_eyes.main(asked) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_no_table_is_used_for_development_and_measuring() -> None:
    most = 20 * bench_eyes.TABLES
    assert tune_eyes.FIRST_SEED + most < bench_eyes.FIRST_SEED
    assert tune_eyes.DECK_SEED + most < bench_eyes.DECK_SEED
