"""Make the tones before an órdago, the end of a juego and that of the match (``models/sounds``).

    python scripts/lab/make_tones.py            # write the three WAV files
    python scripts/lab/make_tones.py --check    # only say whether they are up to date

The page makes the same tones itself (``web/static/js/tones.js``). A test compares them.
"""

from __future__ import annotations

import argparse
import io
import sys
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.files.paths import data_dir

RATE = 22_050
"""Samples a second, as espeak-ng has, so that nothing is resampled beside it."""
TONE_S = 0.16
FADE_S = 0.02
AFTER_S = 0.12
"""Seconds of silence before the voice begins."""
LOUDNESS = 0.2
"""Of the full scale: clearly under the voice, whose peaks are at 0.6 and more."""
MOMENTS: dict[str, tuple[int, ...]] = {
    "ordago": (196, 294, 392),
    "juego": (392, 523, 659),
    "match": (392, 523, 659, 523, 659, 784),
}
"""The tones of each moment in hertz, one after the other."""


def main() -> int:
    """Write the files, or compare them. The exit status is 1 if a compared file differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing, and only compare with the files that are there",
    )
    args = parser.parse_args()
    folder, wrong = data_dir("models") / "sounds", 0
    for name, tones in MOMENTS.items():
        path, made = folder / f"{name}.wav", wav_of(tones)
        same = path.is_file() and path.read_bytes() == made
        wrong += args.check and not same
        if not args.check:
            folder.mkdir(exist_ok=True)
            path.write_bytes(made)
        print(f"{path.name}: {'as made' if same else 'other' if args.check else 'written'}")
    return 1 if wrong else 0


def wav_of(tones: tuple[int, ...]) -> bytes:
    """Tones as a 16-bit mono WAV file."""
    samples = np.concatenate([*map(_tone, tones), np.zeros(round(AFTER_S * RATE))])
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, RATE, 0, "NONE", "not compressed"))
        sound.writeframes(np.round(samples * 32_767).astype("<i2").tobytes())
    return file.getvalue()


def _tone(hertz: int) -> NDArray[np.float64]:
    """A triangle wave with a fast attack that dies away, as that of the page."""
    at = np.arange(round(TONE_S * RATE)) / RATE
    wave_ = 2 / np.pi * np.arcsin(np.sin(2 * np.pi * hertz * at))
    volume = np.minimum(at / FADE_S, (TONE_S - at) / (TONE_S - FADE_S))
    shaped: NDArray[np.float64] = LOUDNESS * wave_ * volume
    return shaped


if __name__ == "__main__":
    sys.exit(main())
