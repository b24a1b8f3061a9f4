"""What the network sees: mel cepstra every 10 ms, as Kaldi computes them (feat/feature-mfcc.cc).

The settings are those of the model's ``conf/mfcc.conf``: 40 cepstra of 40 mel bands, no energy.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from assistant.speech.audio import RATE
from assistant.speech.voices.arrays import Array

CEPSTRA = BANDS = 40
LOW, HIGH = 20.0, RATE / 2 - 400.0
WINDOW, STEP, FFT = RATE // 40, RATE // 100, 512
"""Samples: a window of 25 ms, a step of 10 ms."""
EMPHASIS, LIFTER = 0.97, 22.0
FULL = 32768.0
"""Kaldi works on numbers of 16 bits."""
LEAST = float(np.finfo(np.float32).eps)


def cepstra(samples: Array) -> Array:
    """The cepstra of sound in -1..1 at ``RATE``, of shape (frames, 40); none where it is short."""
    count = 1 + (len(samples) - WINDOW) // STEP
    if count < 1:
        return np.zeros((0, CEPSTRA), np.float32)
    starts = STEP * np.arange(count)[:, None] + np.arange(WINDOW)
    frames = np.asarray(samples, np.float64)[starts] * FULL
    frames -= frames.mean(axis=1, keepdims=True)
    frames -= EMPHASIS * np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    power = np.abs(np.fft.rfft(frames * _window(), FFT)) ** 2
    heard = np.log(np.maximum(power @ _bands().T, LEAST))
    return np.asarray(heard @ _cosines().T, np.float32)


@cache
def _window() -> Array:
    """Povey's window: Hann's to the power of 0.85."""
    hann = 0.5 - 0.5 * np.cos(2 * math.pi * np.arange(WINDOW) / (WINDOW - 1))
    return np.asarray(hann**0.85)


@cache
def _bands() -> Array:
    """Triangles in mel, shape (bands, bins of the FFT)."""
    low, high = _mel(LOW), _mel(HIGH)
    width = (high - low) / (BANDS + 1)
    bins = _mel(np.arange(FFT // 2 + 1) * RATE / FFT)
    left = low + width * np.arange(BANDS)[:, None]
    rising, falling = (bins - left) / width, (left + 2 * width - bins) / width
    weights = np.maximum(0.0, np.minimum(rising, falling))
    weights[:, -1] = 0.0  # Kaldi leaves the last bin out
    return np.asarray(weights)


@cache
def _cosines() -> Array:
    """The cosine transform and the lifter, shape (cepstra, bands)."""
    order, band = np.arange(CEPSTRA)[:, None], np.arange(BANDS)
    matrix = math.sqrt(2 / BANDS) * np.cos(math.pi / BANDS * (band + 0.5) * order)
    matrix[0] = math.sqrt(1 / BANDS)
    return np.asarray(matrix * (1 + 0.5 * LIFTER * np.sin(math.pi * order / LIFTER)))


def _mel(hertz: Array | float) -> Array:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))
