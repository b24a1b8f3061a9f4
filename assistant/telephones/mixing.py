"""The mixture of several channels: who speaks, freed from what all telephones hear alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assistant.ear.audio import Floats
from assistant.ear.source import BLOCK
from assistant.telephones.spectra import FFT, FRAMES, HOP, WINDOW, Frames, Powers

# What the others hear, too, is taken out by spectral subtraction (Boll 1979), the noise being
# measured at this very moment and not before. Sound is mixed in overlapping frames, which is also
# the crossfade where the channel changes.

SUBTRACTED = 1.0
"""How much of what the others hear is taken out; 1 is all."""
LEFT = 4.0
"""dB by which any frequency is made fainter at the most: more sounds like drops of water, and is
misheard."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a channel gives to a block of the mixture.

    weight     the factor of its sound
    alone      whether what the others hear, too, is taken out of it
    """

    weight: float
    alone: bool


class Mixture:
    """Mixes block after block."""

    def __init__(self) -> None:
        self._tail = np.zeros(HOP)

    def mix(self, frames: Frames, shares: Mapping[int, Share]) -> Floats:
        """A block of the mixture; ``shares``: of those channels that are heard."""
        mixed = np.zeros((FRAMES, FFT // 2 + 1), np.complex128)
        for channel, share in shares.items():
            spectra = frames.frames[channel] * share.weight
            if share.alone:
                spectra = spectra * _own_part(frames, channel)
            mixed += spectra
        pieces = np.fft.irfft(mixed, FFT)[:, : 2 * HOP] * WINDOW
        sound = np.zeros(BLOCK + HOP)
        sound[:HOP] = self._tail
        for at, piece in enumerate(pieces):
            sound[at * HOP : (at + 2) * HOP] += piece
        self._tail = sound[BLOCK:]
        return np.asarray(sound[:BLOCK], np.float32)


def _own_part(frames: Frames, channel: int) -> Powers:
    """The factor of each frame and frequency that leaves what this channel alone has."""
    own, room = frames.powers[channel], frames.room(channel)
    if room is None:
        return np.ones_like(own)
    left = 1 - SUBTRACTED * room / own
    return np.asarray(np.sqrt(np.maximum(left, 10 ** (-LEFT / 10))))
