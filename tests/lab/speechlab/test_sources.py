"""The list of a model's sources, which has no measuring voice in it."""

import json
from pathlib import Path

import pytest

pytest.importorskip("soundfile", reason="needs the train extra")

import numpy as np

from scripts.lab.speechlab import clips, recipe, sources, split

MODEL = Path(__file__).parents[3] / "models" / "mus-es"


def _store(base: Path, *voices: str) -> None:
    second = np.zeros(16000, np.float32)
    clips.write(base, [(clips.Clip("paso", "call", voice, False), second) for voice in voices])


def test_clips_and_hours_are_counted_by_voice_over_all_parts(tmp_path: Path) -> None:
    _store(tmp_path / "speech-1", "pico", "pico", "it_lp")
    _store(tmp_path / "speech-human", "human:gc_eva_romero", "human:left_out")
    found = sources.tally(tmp_path, ("1", "2", "human"), without={"left_out"})
    assert found == {
        "human:gc_eva_romero": sources.Amount(1, 0.0),
        "it_lp": sources.Amount(1, 0.0),
        "pico": sources.Amount(2, 0.001),
    }
    sources.write(tmp_path, found, seed=7)
    written = json.loads((tmp_path / sources.NAME).read_text(encoding="utf-8"))
    assert written["voices"]["pico"] == {"clips": 2, "hours": 0.001}
    assert written["seed"] == 7
    assert "background" not in written, "the speakers in the background are unknown"


def test_a_model_trained_from_another_lists_the_sources_of_both(tmp_path: Path) -> None:
    before = {"pico": sources.Amount(9, 0.9), "human:a": sources.Amount(1, 0.1)}
    sources.write(tmp_path, before, 7, {"human:ca": sources.Amount(3, 0.3)})
    learnt, heard = sources.read(tmp_path)
    assert (learnt, heard) == (before, {"human:ca": sources.Amount(3, 0.3)})
    now = {"pico": sources.Amount(2, 0.2), "human:b": sources.Amount(4, 0.4)}
    assert sources.joined(learnt, now) == {
        "human:a": sources.Amount(1, 0.1),
        "human:b": sources.Amount(4, 0.4),
        "pico": sources.Amount(9, 0.9),
    }


def test_voices_in_the_background_are_listed(tmp_path: Path) -> None:
    assert sources.background(tmp_path) is None
    second = np.zeros(16000, np.float32)
    sources.note_background(tmp_path, [("ca", second), ("nl", second), ("ca", second[:3600])])
    behind = sources.background(tmp_path)
    assert behind == {
        "human:ca": sources.Amount(2, 0.0),
        "human:nl": sources.Amount(1, 0.0),
    }
    sources.write(tmp_path, {}, 7, behind)
    written = json.loads((tmp_path / sources.NAME).read_text(encoding="utf-8"))
    assert written["background"]["human:ca"] == {"clips": 2, "hours": 0.0}


def test_a_measuring_voice_in_the_background_stops_the_export(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must not train"):
        sources.note_background(tmp_path, [("asterisk_es_mx", np.zeros(16000, np.float32))])


@pytest.mark.parametrize("voice", ["el", "es1", "human:gc_zohra_coudoin"])
def test_a_measuring_voice_in_the_corpus_stops_the_export(tmp_path: Path, voice: str) -> None:
    _store(tmp_path / "speech-1", "pico", voice)
    with pytest.raises(ValueError, match="must not train"):
        sources.tally(tmp_path, recipe.PART_NAMES)


@pytest.mark.skipif(not (MODEL / sources.NAME).exists(), reason="the model has no sources.json")
def test_the_sources_of_the_shipped_model_have_no_measuring_voice() -> None:
    told = json.loads((MODEL / sources.NAME).read_text(encoding="utf-8"))
    assert told["voices"]
    for voice in (*told["voices"], *told.get("background", ())):
        split.check_trains(voice)
