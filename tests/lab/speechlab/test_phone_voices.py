"""Pico's and flite's voices of other languages: they say what they have phones for."""

import random
import shutil
from pathlib import Path

import pytest

from scripts.lab.speechlab.festival_voices import has_seseo
from scripts.lab.speechlab.phone_voices import VOICES, PhoneVoice


def voice_named(name: str) -> PhoneVoice:
    return next(voice for voice in VOICES if voice.name == name)


def test_only_english_has_theta() -> None:
    assert {voice.name for voice in VOICES if not has_seseo(voice)} == {
        "pico_gb", "pico_us", "flite_awb", "flite_rms",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"), [("pico_it", "juego"), ("pico_fr", "quiero"), ("flite_awb", "al juego")]
)
def test_a_voice_does_not_say_a_phone_that_it_lacks(name: str, text: str, tmp_path: Path) -> None:
    pytest.importorskip("soundfile", reason="needs the train extra")
    from scripts.lab.speechlab import phone_engines

    said = phone_engines.speak(voice_named(name), text, random.Random(1), tmp_path)
    assert said is None


@pytest.mark.parametrize("name", [voice.name for voice in VOICES])
def test_a_voice_says_a_call_in_a_plausible_time(name: str, tmp_path: Path) -> None:
    pytest.importorskip("soundfile", reason="needs the train extra")
    from scripts.lab.speechlab import phone_engines

    voice = voice_named(name)
    command = "pico2wave" if voice.engine == "pico" else "flite"
    if shutil.which(command) is None:
        pytest.skip(f"not installed: {command}")
    said = phone_engines.speak(voice, "ni una ni dos", random.Random(1), tmp_path)
    assert said is not None
    # If the markup were read out ("quot"), it would take three times as long.
    assert 0.6 < len(said) / 16000 < 2.5
