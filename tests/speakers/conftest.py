"""The shipped model, and prompts that espeak-ng reads in a quiet room."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.network import BaseNetwork, load_base
from assistant.ear.source import BLOCK, Block
from assistant.files.paths import data_dir

Read = Callable[..., list[Block]]


@pytest.fixture(scope="session")
def base() -> BaseNetwork:
    """The shipped model, from which voices are adapted."""
    return load_base(data_dir("models") / "mus-es")


@pytest.fixture(scope="session")
def read() -> Read:
    """``read("paso", 1.0, gain=2)``: texts and seconds of pause, as blocks of a quiet room."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    from scripts.lab.rendering.voices import Espeak, Manner, speak

    voice = Espeak("es")

    def blocks(*parts: str | float, gain: float = 1.0, hiss: float = 5e-4) -> list[Block]:
        dice = np.random.default_rng(0)
        pieces = [
            speak(voice, part, Manner()) * gain
            if isinstance(part, str)
            else np.zeros(round(part * RATE), np.float32)
            for part in parts
        ]
        sound = np.concatenate(pieces)
        sound += dice.normal(size=len(sound)).astype(np.float32) * np.float32(hiss)
        return list(in_blocks(to_int16(sound)))

    return blocks


def in_blocks(sound: Samples) -> Iterator[Block]:
    """The sound in blocks, as a source gives it."""
    for at in range(0, len(sound) - BLOCK + 1, BLOCK):
        yield Block(sound[at : at + BLOCK], (at + BLOCK) / RATE)
