"""The second stage, which tells calls from talk: the shipped one, its file and its calibration."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.ear.second_stage import FILE, TURNS, Evidence, SecondStage
from assistant.ear.speech_model import ModelError
from assistant.files.paths import data_dir
from tests.tables import each_row

CLEAR = Evidence(
    margin=0.1, over_unknown=-1.2, unfinished=0.0, unknown=0.0, silent=0.0, legal=1.0, agrees=1.0,
    share=1.0, seconds=0.73, covered=1.4, words=2, call_in_front=0.7, in_front=1.0, below=0.2,
    crowded=False,
)  # fmt: skip
"""A call in a quiet room: the medians of the right ones."""
TALK = replace(
    CLEAR, margin=-2.0, over_unknown=-11.6, unfinished=-1.1, legal=0.08, agrees=0.03, share=0.74,
    seconds=1.44, covered=0.67, call_in_front=0.5, in_front=0.66, crowded=True,
)  # fmt: skip
"""Chat in front of talk behind the table: the medians of utterances without a call."""
OFF = 0.12
"""The largest difference between a probability and the share of right calls, where many had it."""
MANY = 150
"""The number of utterances from which a share is known to 0.1."""


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    told: dict[str, Any] = json.loads((data_dir("models") / "mus-es" / FILE).read_text())
    return told


def test_a_clear_call_is_believed_and_talk_is_not(shipped: dict[str, Any]) -> None:
    stage = SecondStage.told(shipped)
    assert stage.probability(CLEAR) > 0.9
    assert stage.probability(TALK) < 0.2


def test_unknown_speech_is_hardly_ever_believed_to_be_a_call(shipped: dict[str, Any]) -> None:
    stage = SecondStage.told(shipped)
    # The medians of unknown speech by every other hypothesis; 12% of it were calls.
    unknown = replace(
        CLEAR, margin=-4.5, over_unknown=-20.3, unfinished=-1.4, unknown=0.85, legal=0.0,
        agrees=0.0, share=0.66, seconds=1.6, covered=0.76, words=3, crowded=True,
    )  # fmt: skip
    assert stage.probability(unknown) < 0.3


def test_the_probabilities_of_the_second_stage_are_calibrated(shipped: dict[str, Any]) -> None:
    bins = [one for one in shipped["calibration"] if one["count"] >= MANY]
    assert len(bins) >= 3
    assert all(abs(one["said"] - one["right"]) < OFF for one in bins)


def test_the_network_for_calls_in_turn_is_calibrated_and_told_from_the_other() -> None:
    told = json.loads((data_dir("models") / "mus-es" / TURNS).read_text())
    bins = [one for one in told["calibration"] if one["count"] >= MANY]
    assert len(bins) >= 3
    assert all(abs(one["said"] - one["right"]) < OFF for one in bins)
    stage = SecondStage.of_model(data_dir("models") / "mus-es")
    assert stage is not None
    assert stage.turns is not None
    in_turn = replace(CLEAR, part=True, first=True, pause=0.15, louder=-2.0, over_unknown=-3.5)
    assert stage.turns.probability(in_turn) > 0.6 > stage.probability(in_turn)
    assert stage.turns.probability(replace(TALK, part=True, first=True, pause=0.15)) < 0.2


def test_a_model_may_lack_the_network_for_calls_in_turn(
    shipped: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / FILE.parent).mkdir()
    (tmp_path / FILE).write_text(json.dumps(shipped))
    stage = SecondStage.of_model(tmp_path)
    assert stage is not None
    assert stage.turns is None


def test_a_model_may_lack_a_second_stage(tmp_path: Path) -> None:
    assert SecondStage.of_model(tmp_path) is None


@pytest.mark.parametrize(
    "change",
    [
        {"features": ["margin"]},
        {"mean": [0.0]},
        {"hidden": [[1.0]]},
        {"output": "no numbers"},
        {"scale": None},
        {"mean": [float("nan")] * 20},
    ],
)
def test_a_damaged_second_stage_is_reported(
    shipped: dict[str, Any], tmp_path: Path, change: dict[str, Any]
) -> None:
    (tmp_path / FILE.parent).mkdir()
    (tmp_path / FILE).write_text(json.dumps({**shipped, **change}))
    with pytest.raises(ModelError, match=r"second-stage\.json is damaged: fetch the model again"):
        SecondStage.of_model(tmp_path)


@each_row("text", ["", "{", "[]", "[" * 100_000, "{}", "\0"])
def test_a_file_that_is_no_second_stage_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE.parent).mkdir()
    (tmp_path / FILE).write_text(text)
    with pytest.raises(ModelError, match="is damaged: fetch the model again"):
        SecondStage.of_model(tmp_path)


def test_an_untrained_second_stage_gives_even_odds() -> None:
    assert SecondStage.unfitted().probability(CLEAR) == 0.5
