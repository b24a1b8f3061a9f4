"""Scenes for tuning: reproducible, with calls at known times, and without measuring voices."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
COMMAND = "scripts/lab/tune_voice_activity.py"


@pytest.mark.skipif(importlib.util.find_spec("scipy") is not None, reason="scipy is installed")
def test_tuning_without_its_packages_says_what_to_install() -> None:
    ended = subprocess.run(
        [sys.executable, COMMAND, "--audio", "."], cwd=ROOT, capture_output=True, text=True
    )
    assert ended.returncode == 2
    assert "is missing: pip install '.[train]'" in ended.stderr


@pytest.fixture
def audio_folder(tmp_path: Path) -> Path:
    """Three noises, and a word by a speaker who may train and by one who may not."""
    soundfile = pytest.importorskip("soundfile", reason="needs the train extra")
    pytest.importorskip("scipy", reason="needs the train extra")
    rng = np.random.default_rng(1)
    for name in ("noise/cafe_short/a", "noise/kitchen/a", "noise/room/a", "es/x/uno", "es/y/dos"):
        path = tmp_path / f"{name}.ogg"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, 0.2 * rng.standard_normal(16_000).astype(np.float32), 16_000)
    rows = ("es/x/uno.ogg\tuno\tes\tnumber\tsomebody\tsince", "es/y/dos.ogg\tdos\tes\tnumber\t"
            "gc_zohra_coudoin\tsince")  # fmt: skip
    lines = ("path\ttext\tlang\tkind\tspeaker\tlicence", *rows, "")
    (tmp_path / "manifest.tsv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_the_same_seed_makes_the_same_noise_of_every_kind(audio_folder: Path) -> None:
    from scripts.lab.speechlab import scenes

    recorded = scenes.recordings(audio_folder / "noise")
    first, again = (list(scenes.of_noise(10, recorded, np.random.default_rng(4))) for _ in range(2))
    assert [scene.kind for scene in first] == [*scenes.MADE, *scenes.RECORDED]
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one.samples, other.samples)
        assert np.isfinite(one.samples).all()
        assert not one.said


def test_measuring_speakers_are_not_used_for_tuning(audio_folder: Path) -> None:
    from scripts.lab.speechlab import scenes

    recorded = scenes.recordings(audio_folder / "noise")
    made = list(scenes.of_people(audio_folder, 10, recorded, np.random.default_rng(4)))
    assert [said.text for scene in made for said in scene.said] == ["uno"]


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="not installed: espeak-ng")
def test_a_call_sounds_at_the_time_of_its_scene(audio_folder: Path) -> None:
    from scripts.lab.rendering.voices import Espeak
    from scripts.lab.speechlab import scenes

    recorded = scenes.recordings(audio_folder / "noise")
    texts = ["paso", "no quiero", "envido"]
    (scene,) = scenes.of_calls(texts, [Espeak("es")], recorded, np.random.default_rng(4))
    assert scene.kind == "quiet"
    assert [said.text for said in scene.said] == texts
    for said in scene.said:
        inside = scene.samples[round(said.start * 16_000) : round(said.end * 16_000)]
        before = scene.samples[round((said.start - 0.4) * 16_000) : round(said.start * 16_000)]
        assert inside.std() > 3 * before.std()


def test_a_folder_without_the_noises_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="needs the train extra")
    from scripts.lab.speechlab import scenes

    with pytest.raises(FileNotFoundError, match="holds no recordings of cafe_short"):
        scenes.recordings(tmp_path)
