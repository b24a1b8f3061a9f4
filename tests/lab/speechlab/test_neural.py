"""Neural voices: a part is reproducible, and only training voices speak in it."""

import random
import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from scripts.lab.rendering import kokoro
from scripts.lab.speechlab import clips, neural, neural_voices, split, vocabulary
from scripts.lab.speechlab.audio import Samples

WORDS = vocabulary.load()


@pytest.fixture
def sampler() -> vocabulary.Sampler:
    return vocabulary.Sampler(WORDS, ("mesa", "silla"))


class Humming:
    """Says every third sentence so that nothing is heard, and hums the others."""

    def __init__(self) -> None:
        self.heard: list[neural.Sentence] = []

    def __call__(self, sentences: Sequence[neural.Sentence]) -> list[Samples | None]:
        self.heard += sentences
        return [self._one(sentence.clip.text) for sentence in sentences]

    def _one(self, text: str) -> Samples | None:
        return None if len(text) % 3 == 0 else np.full(1600 + 10 * len(text), 0.1, np.float32)


def test_a_part_has_the_requested_number_of_sentences_and_is_reproducible(
    tmp_path: Path, sampler: vocabulary.Sampler
) -> None:
    for name in ("one", "other"):
        assert neural.make_part(tmp_path / name, sampler, "1 neural-1", 20, Humming()) == 20
    neural.make_part(tmp_path / "third", sampler, "1 neural-2", 20, Humming())
    one, other, third = (clips.ClipStore(tmp_path / n).clips for n in ("one", "other", "third"))
    assert one == other != third
    for clip in one:
        split.check_trains(clip.voice)
    assert {clip.seseo for clip in one} == {True, False}


def test_a_part_has_the_first_sentences_that_can_be_heard_in_the_order_of_the_draws(
    tmp_path: Path, sampler: vocabulary.Sampler
) -> None:
    speaker = Humming()
    neural.make_part(tmp_path / "part", sampler, "1 neural-1", 20, speaker)
    drawn = list(islice(neural.drawn(sampler, random.Random("1 neural-1")), len(speaker.heard)))
    assert speaker.heard == drawn
    audible = [sentence.clip for sentence in drawn if len(sentence.clip.text) % 3]
    assert clips.ClipStore(tmp_path / "part").clips == audible
    assert len(audible) == 20 < len(drawn)


def test_a_voice_that_measures_is_not_drawn(
    sampler: vocabulary.Sampler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neural_voices, "draw", lambda _rng: "kokoro:af_bella+ef_dora")
    with pytest.raises(ValueError, match="kept apart and must not train"):
        next(neural.drawn(sampler, random.Random(1)))


@pytest.mark.skipif(
    bool(neural.missing("cuda")) or shutil.which("espeak-ng") is None,
    reason="needs espeak-ng, and Kokoro: see docs/bench-ears.md",
)
def test_a_gpu_is_given_the_sentences_that_the_cpu_says(
    sampler: vocabulary.Sampler, monkeypatch: pytest.MonkeyPatch
) -> None:
    kokoro_torch = pytest.importorskip("scripts.lab.speechlab.kokoro_torch", reason="needs torch")
    given: list[kokoro.Inputs] = []

    class Silence:
        def __init__(self, _path: Path, device: str) -> None:
            assert device == "cuda:7"

        def said(self, sentences: Sequence[kokoro.Inputs]) -> list[kokoro.Floats]:
            given.extend(sentences)
            return [np.full(2400 * index, 0.2, np.float32) for index in range(1, 4)]

    monkeypatch.setattr(kokoro_torch, "Network", Silence)
    sentences = list(islice(neural.drawn(sampler, random.Random(5)), 3))
    said = neural.speaker_on("cuda:7")(sentences)
    assert [samples is not None and len(samples) for samples in said] == [1600, 3200, 4800]
    assert [one.speed for one in given] == [sentence.speed for sentence in sentences]
    asked: list[tuple[str, str, float]] = []

    def note(speaker: str, ipa: str, speed: float) -> kokoro.Floats:
        asked.append((speaker, ipa, speed))
        return np.zeros(2400, np.float32)

    monkeypatch.setattr(kokoro, "said", note)
    assert neural.speaker_on("cpu")(sentences) == [None] * 3
    for one, wanted in zip(given, asked, strict=True):
        there = kokoro.inputs(*wanted)
        assert (one.tokens, one.speed) == (there.tokens, there.speed)
        np.testing.assert_array_equal(one.style, there.style)


@pytest.mark.skipif(bool(neural.missing()), reason="needs Kokoro: see docs/bench-ears.md")
def test_a_blend_is_a_third_voice_between_two() -> None:
    ipa = "enβˈiðo"
    alone = [kokoro.said(name, ipa, 1.0) for name in ("af_bella", "am_puck")]
    blend = kokoro.said("af_bella+am_puck", ipa, 1.0)
    assert all(len(blend) != len(one) or not np.allclose(blend, one) for one in alone)


def test_the_voices_are_those_of_the_network_without_measuring_ones_and_their_twins() -> None:
    voices = (*neural_voices.VOICES, *neural_voices.SECOND_STAGE)
    names = {voice.removeprefix(neural_voices.FAMILY) for voice in voices}
    assert len(names) == len(voices) == 44
    assert not names & {*kokoro.SPEAKERS, "em_santa", "pm_santa"}
