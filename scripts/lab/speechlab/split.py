"""Which voices train and which only measure: one list of each, and one guard between them."""

import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from . import festival_voices, neural_voices, phone_voices, text_voices

if TYPE_CHECKING:
    from .audio import Samples

_KOKORO = (
    "kokoro:ef_dora", "kokoro:pf_dora", "kokoro:if_sara", "kokoro:ff_siwis",
    "kokoro:em_alex", "kokoro:pm_alex", "kokoro:im_nicola", "kokoro:am_michael",
)  # fmt: skip
"""Eight voices of Kokoro, held back. Those of neural_voices.py may train."""

MEASURING_ENGINES = ("es1", "es2", "es3", "es4", "mx1", "mx2", "vz1", "el", *_KOKORO)
"""MBROLA's Spanish voices and Festival's: for non-commercial use only, so they may not train.

Settings of the ear were chosen with figures of MBROLA's in view; of the others, none.
"""

UNSEEN_ENGINES = ("el", *_KOKORO)
"""Nobody looks at the errors of these, because one would correct what is known of them."""

MEASURING_SPEAKERS = frozenset({
    "gc_zohra_coudoin", "asterisk_es_mx", "asterisk_es_co", "drascula_es_D", "drascula_es_BJ",
})  # fmt: skip
"""People kept out of training and tuning.

Numbers recorded in 2001 with another microphone, the telephone prompts of a Mexican and of a
Colombian, and the roles Drascula and B.J. of the Castilian Drascula (each file of the game's speech
begins with its role).
"""

DEVELOPING_SPEAKERS = frozenset({"drascula_en", "amazon_queen_en"})
"""``develops`` divides their clips. One half is the background by which settings are chosen, and
the other may train."""

TRAINING_ENGINES = (
    *text_voices.VOICES,
    text_voices.PICO,
    *(voice.name for voice in festival_voices.VOICES),
    *(voice.name for voice in phone_voices.VOICES),
    *neural_voices.VOICES,
)


NOISE_FOR_TRAINING = 0.6
"""The beginning of each recording of a room, café or kitchen trains; the rest only measures."""


def noise_part(samples: "Samples", measuring: bool) -> "Samples":
    """Return the part of a recorded noise that trains, or the one that measures."""
    border = round(NOISE_FOR_TRAINING * len(samples))
    return samples[border:] if measuring else samples[:border]


def develops(clip: Path) -> bool:
    """Whether a clip of DEVELOPING_SPEAKERS is in the half that may not train, by its name."""
    return zlib.crc32(clip.name.encode()) % 2 == 0


def check_trains(speaker: str) -> None:
    """Raise ValueError if `speaker` (a voice or a person) must not teach the speech model.

    It may be kept for measuring, or for the second stage. For a blend, one such voice is enough.
    """
    name = speaker.removeprefix("human:").removeprefix("mb:")
    kept = {*MEASURING_ENGINES, *MEASURING_SPEAKERS, *neural_voices.SECOND_STAGE}
    if name in kept or not kept.isdisjoint(neural_voices.blended(name)):
        raise ValueError(f"{speaker} is kept apart and must not train")
