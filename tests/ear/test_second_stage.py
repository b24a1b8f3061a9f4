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
    margin=0.07, over_unknown=0.1, unfinished=0.0, unknown=0.0, silent=0.0, legal=1.0, agrees=1.0,
    share=1.0, seconds=0.85, covered=1.25, words=2, call_in_front=0.73, in_front=1.0, below=0.26,
    crowded=False,
)  # fmt: skip
"""A call in a quiet room: the medians of the right ones by which the second stage was fitted."""
TALK = replace(
    CLEAR, margin=-1.83, over_unknown=-10.0, unfinished=-0.99, legal=0.08, agrees=0.04, share=0.89,
    seconds=1.3, covered=0.5, words=1, call_in_front=0.43, in_front=0.53, below=0.0, crowded=True,
)  # fmt: skip
"""Chat in front of talk behind the table: the medians of utterances without a call."""
IN_TURN = replace(
    CLEAR, over_unknown=-0.73, seconds=0.77, covered=1.12, call_in_front=0.79, in_front=0.95,
    below=0.0, part=True, first=True, pause=0.25, louder=-1.03,
)  # fmt: skip
"""A call in turn: the medians of the right ones."""
NO_TURN = replace(
    CLEAR, margin=0.04, over_unknown=-2.64, agrees=0.9, seconds=0.51, covered=1.05,
    call_in_front=0.92, in_front=0.97, below=0.0, part=True, first=True, pause=0.03, louder=-0.95,
)  # fmt: skip
"""A piece of a sentence that is no call: the medians of those that the other network believes."""
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
    # The medians of unknown speech by every other hypothesis; 23% of it were calls.
    unknown = replace(
        CLEAR, margin=-6.15, over_unknown=-22.6, unfinished=-1.21, unknown=0.97, legal=0.0,
        agrees=0.0, share=0.87, seconds=1.56, covered=0.55, words=2, call_in_front=0.54,
        in_front=0.71, below=0.0, crowded=True,
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
    assert stage.turns.probability(IN_TURN) > 0.75
    assert stage.turns.probability(NO_TURN) < 0.6 < stage.probability(NO_TURN)
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
