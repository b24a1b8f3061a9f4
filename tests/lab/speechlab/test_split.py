"""Training and measuring voices are kept apart: MBROLA's (their licence) and chosen people."""

import random
from pathlib import Path

import pytest

from scripts.lab.speechlab import neural_voices, recipe, split


def test_no_measuring_voice_is_among_the_training_voices() -> None:
    assert not set(split.MEASURING_ENGINES) & set(split.TRAINING_ENGINES)


def test_the_recipe_has_training_voices_only() -> None:
    named = {*recipe.SENTENCES, *recipe.MORE_SENTENCES} - {"espeak"}
    assert named <= set(split.TRAINING_ENGINES)


def test_every_voice_of_another_language_has_its_share_in_the_recipe() -> None:
    from scripts.lab.speechlab import festival_voices, phone_voices

    voices = {voice.name for voice in (*festival_voices.VOICES, *phone_voices.VOICES)}
    assert voices <= {*recipe.SENTENCES, *recipe.MORE_SENTENCES}


@pytest.mark.parametrize(
    "voice",
    [
        *split.MEASURING_ENGINES,
        "mb:es1",
        "gc_zohra_coudoin",
        "human:gc_zohra_coudoin",
        "human:asterisk_es_mx",
        "human:asterisk_es_co",
        "human:drascula_es_D",
        "human:drascula_es_BJ",
        "kokoro:ef_dora+af_bella",
        "kokoro:af_bella+am_michael",
        "kokoro:af_bella+am_puck",
    ],
)
def test_training_on_a_measuring_voice_is_refused(voice: str) -> None:
    with pytest.raises(ValueError, match="must not train"):
        split.check_trains(voice)


@pytest.mark.parametrize(
    "voice",
    ["es+f4", "pico", "it_lp", "pico_it", "human:gc_eva_romero", "human:drascula_es_VB",
     "kokoro:af_bella", "kokoro:af_bella+am_adam"],
)  # fmt: skip
def test_a_training_voice_may_train(voice: str) -> None:
    split.check_trains(voice)


def test_no_drawn_neural_voice_measures_or_is_a_blend_with_a_measuring_one() -> None:
    rng = random.Random(1)
    drawn = {neural_voices.draw(rng) for _ in range(3000)}
    for voice in drawn:
        split.check_trains(voice)
    parts = {part for voice in drawn for part in neural_voices.blended(voice)}
    assert parts == set(neural_voices.VOICES)
    assert any("+" in voice for voice in drawn)


def test_one_half_of_the_english_games_trains_and_the_other_measures() -> None:
    pytest.importorskip("soundfile", reason="needs the train extra")
    pytest.importorskip("scipy", reason="needs the train extra")
    from scripts.lab.speechlab import packaged

    behind = [row for row in packaged.bystanders() if row.speaker in split.DEVELOPING_SPEAKERS]
    assert not any(split.develops(row.path) for row in behind)


def test_one_part_of_a_recorded_noise_trains_and_the_other_measures() -> None:
    np = pytest.importorskip("numpy")
    noise = np.arange(1000, dtype=np.float32)
    trains, measures = (split.noise_part(noise, measuring=way) for way in (False, True))
    assert len(trains) == 600
    np.testing.assert_array_equal(np.concatenate([trains, measures]), noise)


def test_the_measuring_speaker_is_left_out_of_the_human_clips(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="needs the train extra")
    from scripts.lab.speechlab import human

    _record(tmp_path, ["gc_zohra_coudoin", "gc_eva_romero"], "dos\tes\tnumber")
    voices = [clip.voice for clip, _ in human.for_training(human.manifest(tmp_path))]
    assert voices == ["human:gc_eva_romero"]


def test_no_measuring_speaker_talks_in_the_background(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="needs the train extra")
    from scripts.lab.speechlab import human

    elsewhere = [*split.MEASURING_SPEAKERS, "gc_ca"]
    _record(tmp_path, elsewhere, "\tca\toov")
    assert [who for who, _ in human.bystanders(human.manifest(tmp_path))] == ["gc_ca"]
    _record(tmp_path, [*elsewhere, "es1"], "\tca\toov")
    with pytest.raises(ValueError, match="es1 is kept apart"):
        list(human.bystanders(human.manifest(tmp_path)))


def test_the_packages_manifests_have_no_measuring_speaker_in_the_background() -> None:
    pytest.importorskip("scipy", reason="needs the train extra")
    pytest.importorskip("soundfile", reason="needs the train extra")
    from scripts.lab.speechlab import neighbours, packaged

    rows = [*packaged.bystanders(), *neighbours.bystanders()]
    if not rows:
        pytest.skip("none of the packages with recordings is installed")
    for row in rows:
        split.check_trains(row.speaker)
        assert row.language != "es"


def _record(folder: Path, speakers: list[str], told: str) -> None:
    """Write a second of tone for each speaker, and a manifest with text, language and kind."""
    soundfile = pytest.importorskip("soundfile", reason="needs the train extra")
    np = pytest.importorskip("numpy")
    rows = ["path\ttext\tlang\tkind\tspeaker\tlicence"]
    for speaker in speakers:
        soundfile.write(folder / f"{speaker}.wav", 0.3 * np.sin(np.arange(16000) / 10), 16000)
        rows.append(f"{speaker}.wav\t{told}\t{speaker}\tGPL")
    (folder / "manifest.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
