"""How a model is measured: the count of errors, the noise, the grammar."""

import random

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from scripts.lab.speechlab import audio, mbrola, measuring, noise, split, trials, vocabulary


@pytest.mark.parametrize(
    ("said", "got", "errors"),
    [("a b c", "a b c", 0), ("a b c", "a c", 1), ("a b", "a x b", 1), ("a b", "", 2),
     ("", "a", 1), ("a b c", "c b a", 2)],
)  # fmt: skip
def test_errors_are_the_smallest_number_of_edits(said: str, got: str, errors: int) -> None:
    assert measuring.edit_distance(said.split(), got.split()) == errors


def test_mbrolas_voices_may_not_train() -> None:
    assert {voice.name for voice in mbrola.VOICES} < set(split.MEASURING_ENGINES)


def test_noise_has_the_given_signal_to_noise_ratio() -> None:
    rng = np.random.default_rng(1)
    speech, other = (noise.coloured(16000, rng, 0) for _ in range(2))
    added = audio.mixed(speech, other, 10.0) - speech
    ratio = 20 * np.log10(audio.rms(speech) / audio.rms(np.asarray(added, np.float32)))
    assert ratio == pytest.approx(10.0, abs=0.01)


def test_knocks_are_short_with_quiet_between_them() -> None:
    for trial in trials.knocks(5, seed=3):
        assert trial.text == ""
        assert 0.01 < np.abs(trial.samples).max() <= 3
        assert np.median(np.abs(trial.samples)) < 0.01


def test_the_grammar_of_the_bench_has_known_words_only() -> None:
    words = vocabulary.load()
    known = frozenset(words.words) - {"órdago"}
    forms = trials.common_forms(words, known)
    grammar = trials.grammar(forms, known, random.Random(1))
    assert {"treinta y uno", "envido más", "no quiero"} <= set(grammar)
    assert not any("órdago" in phrase or "{" in phrase for phrase in grammar)


def test_confusing_homophones_is_no_error() -> None:
    alike = vocabulary.load().alike
    assert measuring.edit_distance(["hordago", "nahi"], ["órdago", "nahi"], alike) == 0
    assert measuring.edit_distance(["hordago"], ["paso"], alike) == 1
