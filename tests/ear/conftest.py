"""The shipped speech model, and calls spoken by espeak-ng, for the tests of the ear."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.recogniser import Recogniser
from assistant.files.paths import data_dir

GRAMMAR = (
    "mus", "no hay mus", "paso", "envido", "envido cinco", "quiero", "no quiero", "órdago",
    "pares sí", "pares no", "juego sí", "juego no", "dos más", "cinco", "no", "sí", "[unk]",
)  # fmt: skip

Say = Callable[..., Samples]


@pytest.fixture(scope="session")
def model_dir() -> Path:
    """The speech model that ships."""
    folder = data_dir("models") / "mus-es"
    if not (folder / "am" / "final.mdl").is_file():
        pytest.skip("models/mus-es is not there: scripts/lab/train_model.py makes it")
    return folder


@pytest.fixture
def recogniser(model_dir: Path) -> Recogniser:
    """A fresh recogniser for the words of these tests."""
    return Recogniser(model_dir, GRAMMAR)


@pytest.fixture(scope="session")
def say() -> Say:
    """``say("paso", 0.5, "quiero")``: phrases and seconds of pause as one sound in a quiet room."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    # The scripts are part of a checkout, and not of an installed wheel.
    from scripts.lab.rendering.voices import Espeak, Manner, speak

    voice = Espeak("es")

    def said(*parts: str | float) -> Samples:
        rng = np.random.default_rng(0)
        pieces = [
            speak(voice, part, Manner())
            if isinstance(part, str)
            else np.zeros(round(part * RATE), np.float32)
            for part in parts
        ]
        sound = np.concatenate(pieces)
        return to_int16(sound + rng.standard_normal(len(sound)).astype(np.float32) * 0.0005)

    return said
