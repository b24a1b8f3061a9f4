"""The quoted figures of bench_ears come from voices that never trained; the manifests prove it."""

import json
from pathlib import Path

import pytest

from assistant.files.paths import data_dir
from scripts.lab.earbench.plan import held_out
from scripts.lab.rendering.voices import FAMILIES
from scripts.lab.speechlab import split

HELD_OUT = ("el", "mbrola", "kokoro")
"""The groups of voices that may be quoted."""
TRAINING = ("pico", "espeak")


@pytest.fixture(scope="module")
def sources() -> set[str]:
    """The voices that the network learnt from, as it says itself."""
    told = (data_dir("models") / "mus-es" / "sources.json").read_text(encoding="utf-8")
    return set(json.loads(told)["voices"])


def _voices(group: str) -> tuple[str, ...]:
    return tuple(voice.name for voice in FAMILIES[group])


@pytest.mark.parametrize("group", HELD_OUT)
def test_training_refuses_every_voice_that_is_quoted(group: str) -> None:
    assert held_out(group)
    for voice in _voices(group):
        with pytest.raises(ValueError, match="must not train"):
            split.check_trains(voice)


@pytest.mark.parametrize("group", TRAINING)
def test_a_training_group_is_never_quoted(group: str) -> None:
    assert not held_out(group)


@pytest.mark.parametrize(("voice", "quoted"), [("es1", True), ("es", False), ("es+f2", False)])
def test_a_single_voice_is_quoted_if_it_only_measures(voice: str, quoted: bool) -> None:
    assert held_out(voice) is quoted


def test_training_refuses_every_person_that_is_quoted() -> None:
    for speaker in split.MEASURING_SPEAKERS:
        with pytest.raises(ValueError, match="must not train"):
            split.check_trains(f"human:{speaker}")


def test_no_network_learnt_from_a_measuring_voice(sources: set[str]) -> None:
    assert sources
    for voice in sources:
        split.check_trains(voice)


def test_the_training_groups_are_among_the_sources_of_the_model(sources: set[str]) -> None:
    learnt = {voice.casefold() for voice in sources}  # espeak-ng's "Max" is the file "max"
    for group in TRAINING:
        assert {voice.casefold() for voice in _voices(group)} <= learnt, group


def test_no_recorded_noise_measures_the_model_that_it_trained(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="needs the train extra")
    soundfile = pytest.importorskip("soundfile", reason="needs the train extra")
    np = pytest.importorskip("numpy")
    from scripts.lab.earbench import rooms
    from scripts.lab.speechlab import human

    rows = ["path\ttext\tlang\tkind\tspeaker\tlicence"]
    ramp = np.arange(10_000) / 32768
    for name in ("cafe_short", "kitchen", "room"):
        soundfile.write(tmp_path / f"{name}.wav", ramp, 16000)
        rows.append(f"{name}.wav\t\t-\tnoise\t{name}\tMIT")
    (tmp_path / "manifest.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    sounds, notes = rooms.rooms(tmp_path, seed=1)
    assert set(sounds) == {"café", "kitchen"}
    assert all("4000" not in note and "0.2 s that trained nothing" in note for note in notes)
    trained = human.noises(tmp_path)
    for name, measures in rooms.recorded_parts(tmp_path, measuring=True):
        assert len(measures) == 4000, name
        assert all(part.max() < measures.min() for part in trained)
    for sound in sounds.values():
        assert all(part.max() < sound.min() for part in trained)
    chosen_by, _ = rooms.rooms(tmp_path, seed=1, development=True)
    for name, sound in chosen_by.items():
        assert sound.max() < sounds[name].min()
