"""Kokoro-82M, a neural voice that speaks espeak-ng's phonetic letters.

Its weights and voices are Apache-2.0. docs/bench-ears.md says how to fetch them into the folder
that MUS_KOKORO names, or into ~/.cache/mus-kokoro.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

RATE = 24000
SPEAKERS = (
    "ef_dora", "pf_dora", "if_sara", "ff_siwis", "em_alex", "pm_alex", "im_nicola", "am_michael",
)  # fmt: skip
"""Four women and four men, whose own languages are Spanish, Portuguese, Italian, French, English.

"ef_dora" and "pf_dora", "em_alex" and "pm_alex" are nearly one voice each (cosine of their styles
0.95), so both of a pair are here. Voices that train: scripts/lab/speechlab/neural_voices.py.
"""
MODEL = "model.onnx"
_STYLES = 510
"""Styles of a voice: one for each length of what it says, in sounds."""
_STYLE = 256
_ENDS = 0
"""The token before and after everything that is said."""

_JOINED = {"aɪ": "I", "aʊ": "W", "eɪ": "A", "oɪ": "Y", "tʃ": "ʧ", "dʒ": "ʤ"}
"""Sounds that espeak-ng writes with two letters and the network with one."""
_TOKENS = {
    ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, " ": 16, "A": 24, "I": 25, "W": 39, "Y": 41,
    "a": 43, "b": 44, "d": 46, "e": 47, "f": 48, "h": 50, "i": 51, "j": 52, "k": 53, "l": 54,
    "m": 55, "n": 56, "o": 57, "p": 58, "r": 60, "s": 61, "t": 62, "u": 63, "v": 64, "w": 65,
    "x": 66, "z": 68, "β": 75, "ð": 81, "ʤ": 82, "ə": 83, "ɛ": 86, "ɟ": 90, "ɡ": 92, "ɪ": 102,
    "ʝ": 103, "ŋ": 112, "ɲ": 114, "θ": 119, "ɾ": 125, "ʃ": 131, "ʧ": 133, "ʊ": 135, "ɣ": 139,
    "ʎ": 143, "ʒ": 147, "ˈ": 156, "ˌ": 157, "ː": 158,
}  # fmt: skip
"""The part of the network's own table that Spanish needs."""


class Inputs(NamedTuple):
    """One sentence as the network takes it.

    It has the tokens with those at both ends, a style of shape (1, 256), and a factor of speed.
    """

    tokens: list[int]
    style: Floats
    speed: float


def folder() -> Path:
    """The folder of the network and the voices."""
    return Path(os.environ.get("MUS_KOKORO") or "~/.cache/mus-kokoro").expanduser()


def installed(speaker: str) -> bool:
    """Whether the network, its runtime and this voice are installed."""
    return find_spec("onnxruntime") is not None and has_files(speaker)


def has_files(speaker: str) -> bool:
    """Whether the files of the network and of this voice are there."""
    files = (folder() / MODEL, *(folder() / f"{name}.bin" for name in speaker.split("+")))
    return all(file.is_file() for file in files)


def tokens(ipa: str) -> list[int]:
    """The network's numbers for espeak-ng's letters. Unknown letters are left out."""
    for apart, joined in _JOINED.items():
        ipa = ipa.replace(apart, joined)
    return [_TOKENS[letter] for letter in " ".join(ipa.split()) if letter in _TOKENS]


def inputs(speaker: str, ipa: str, speed: float) -> Inputs:
    """Return what the network needs so that the voice says this. ``speed`` is a factor.

    "af_bella+am_puck" is a blend: the mean of two voices' styles, which sounds like a third person.
    Raises OSError if its files cannot be read, ValueError if the text is too long.
    """
    spoken = tokens(ipa)
    if len(spoken) >= _STYLES:
        raise ValueError(f"{len(spoken)} sounds are too many to be said at once")
    return Inputs([_ENDS, *spoken, _ENDS], _style(speaker, len(spoken)), speed)


def said(speaker: str, ipa: str, speed: float) -> Floats:
    """What the voice says, at ``RATE``. It takes and raises what ``inputs`` does."""
    given = inputs(speaker, ipa, speed)
    (sound,) = _network(folder() / MODEL).run(
        None,
        {
            "tokens": np.asarray([given.tokens], np.int64),
            "style": given.style,
            "speed": np.asarray([given.speed], np.float32),
        },
    )
    return np.asarray(sound, np.float32)


@cache
def _network(path: Path) -> Any:
    """One network in each process, on one core. Benches share the cores among processes."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _style(speaker: str, sounds: int) -> Floats:
    blended = [_styles(folder() / f"{name}.bin")[sounds] for name in speaker.split("+")]
    return np.asarray(np.mean(blended, axis=0, keepdims=True), np.float32)


@cache
def _styles(path: Path) -> Floats:
    return np.fromfile(path, np.float32).reshape(_STYLES, _STYLE)
