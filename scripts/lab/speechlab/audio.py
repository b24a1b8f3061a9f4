"""Sound in memory: float32 in [-1, 1], 16 kHz, one channel."""

import subprocess
from math import gcd
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import soundfile
from scipy.signal import resample_poly

RATE = 16000
Samples = npt.NDArray[np.float32]


_HEADERLESS: dict[str, dict[str, Any]] = {
    ".gsm": {"format": "RAW", "subtype": "GSM610", "samplerate": 8000, "channels": 1},
    ".ALS": {"format": "RAW", "subtype": "PCM_U8", "samplerate": 11025, "channels": 1},
}
"""Telephone prompts in GSM 06.10, and the speech of the game Drascula."""


def read(source: Path | BinaryIO) -> Samples:
    """Read a sound file as 16 kHz mono. Raises soundfile.LibsndfileError if it is none.

    The suffix identifies sounds without a header. ffmpeg reads .g722.
    """
    suffix = source.suffix if isinstance(source, Path) else ""
    if isinstance(source, Path) and suffix == ".g722":
        return _g722(source)
    raw = _HEADERLESS.get(suffix, {})
    samples, rate = soundfile.read(source, dtype="float32", always_2d=True, **raw)
    mono = samples.mean(1)
    if rate != RATE:
        common = gcd(rate, RATE)
        mono = resample_poly(mono, RATE // common, rate // common)
    return np.asarray(mono, np.float32)


def _g722(path: Path) -> Samples:
    """Decode with ffmpeg (Debian: ffmpeg). Raises OSError if it is missing or fails."""
    command = ["ffmpeg", "-v", "error", "-f", "g722", "-i", str(path), "-f", "s16le", "-"]
    try:
        decoded = subprocess.run(command, capture_output=True, check=True).stdout
    except subprocess.CalledProcessError:
        raise OSError(f"{path} is no G.722 sound that ffmpeg can read") from None
    return np.asarray(np.frombuffer(decoded, np.int16) / 32768, np.float32)


def trimmed(samples: Samples, floor: float = 0.003) -> Samples | None:
    """Cut the silence around speech and set the peak to 0.7; None if there is no speech."""
    loud = np.flatnonzero(np.abs(samples) > floor)
    if len(loud) < 1500:
        return None
    kept = samples[max(0, loud[0] - 800) : loud[-1] + 1200]
    return np.asarray(kept / np.abs(kept).max() * 0.7, np.float32)


def rms(samples: Samples) -> float:
    """Return the root mean square. It is never zero, so that one may divide by it."""
    return float(np.sqrt(np.mean(np.square(samples)))) + 1e-9


def mixed(speech: Samples, noise: Samples, snr_db: float) -> Samples:
    """Add `noise`, of at least the same length, `snr_db` under the speech."""
    gain = rms(speech) / rms(noise[: len(speech)]) * 10 ** (-snr_db / 20)
    return np.asarray(speech + noise[: len(speech)] * gain, np.float32)
