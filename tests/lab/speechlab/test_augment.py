"""Augmented copies of a clip: another speed moves the pitch and keeps the hiss of an s."""

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")

from scripts.lab.speechlab import augment
from scripts.lab.speechlab.audio import RATE


@pytest.mark.parametrize("factor", [0.84, 0.93, 1.0, 1.07])
def test_another_speed_moves_the_pitch_and_keeps_the_loudness(factor: float) -> None:
    hertz = 6000.0
    tone = np.sin(2 * np.pi * hertz * np.arange(RATE) / RATE).astype(np.float32)
    played = augment.at_speed(tone, factor)
    assert len(played) == pytest.approx(RATE / factor, rel=0.001)
    middle = played[1000:-1000]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    assert spectrum.argmax() * RATE / len(middle) == pytest.approx(hertz * factor, abs=3)
    assert middle.std() == pytest.approx(tone.std(), rel=0.1)
