"""Fine alignment of several channels, by what all of them hear."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, Floats
from assistant.ear.source import BLOCK

# A telephone's clock tells when its page was given a sound, and not when the microphone took it:
# browsers hold it back by some 10 to 100 ms, and do not say by how much. What all channels hear
# shows it: the lag at which the phases of two spectra agree (GCC-PHAT; Knapp & Carter, IEEE Trans.
# ASSP 24, 1976). A voice is nearer to one telephone than to another by up to a metre (3 ms), now
# here, now there, so that lag is the mean over those who speak.

WINDOW = 20
"""Blocks (1 s) that are compared at a time."""
EVERY = 10
"""Blocks between two comparisons."""
VOICED = 6
"""So many of these blocks must hold a voice."""
FARTHEST = 0.1
"""Seconds of lag that are looked for."""
BAND = (200.0, 4000.0)
"""Hertz between which voices are heard in all channels."""
FORGETS = 0.75
"""What the past weighs at each comparison."""
CERTAIN = 7.0
"""A lag is believed if it stands out by this many standard deviations, as often as ..."""
AGREEING, NEARBY = 3, 0.004
"""... so many comparisons in a row find one within so many seconds."""

_SIZE = 1 << math.ceil(math.log2(2 * WINDOW * BLOCK))
_HERTZ = np.fft.rfftfreq(_SIZE, 1 / RATE)
_USED = (BAND[0] <= _HERTZ) & (BAND[1] >= _HERTZ)
_HANN = np.hanning(WINDOW * BLOCK).astype(np.float32)
_FARTHEST = round(FARTHEST * RATE)

Spectrum = npt.NDArray[np.complex128]


class Alignment:
    """By how much each channel lags behind the first. Channels have names that are numbers."""

    def __init__(self) -> None:
        self._sound: dict[int, deque[Floats]] = {}
        self._voiced: deque[bool] = deque(maxlen=WINDOW)
        self._cross: dict[int, Spectrum] = {}
        self._found: dict[int, deque[float]] = {}
        self._blocks = 0

    def feed(self, blocks: Mapping[int, Floats], voiced: bool) -> dict[int, float]:
        """A block of each channel; the lags, in seconds, that are certain by now.

        ``voiced``: whether somebody or something stands out in them. Whoever corrects a lag says
        so by ``corrected``.
        """
        for gone in self._sound.keys() - blocks.keys():
            del self._sound[gone]
            self.corrected(gone)
        for channel, sound in blocks.items():
            self._sound.setdefault(channel, deque(maxlen=WINDOW)).append(sound)
        self._voiced.append(voiced)
        self._blocks += 1
        if self._blocks % EVERY or len(blocks) < 2 or sum(self._voiced) < VOICED:
            return {}
        return self._compare()

    def corrected(self, channel: int) -> None:
        """The lag of this channel is another from now on."""
        self._cross.pop(channel, None)
        self._found.pop(channel, None)
        if channel in self._sound:
            self._sound[channel].clear()

    def _compare(self) -> dict[int, float]:
        full = [at for at, kept in sorted(self._sound.items()) if len(kept) == WINDOW]
        spectra = {at: np.fft.rfft(np.concatenate(self._sound[at]) * _HANN, _SIZE) for at in full}
        certain = {}
        for channel in full[1:]:
            cross = spectra[channel] * spectra[full[0]].conj()
            cross = np.where(_USED, cross / np.maximum(np.abs(cross), 1e-12), 0)
            self._cross[channel] = self._cross.get(channel, 0) * FORGETS + cross
            lag, certainty = _peak(self._cross[channel])
            found = self._found.setdefault(channel, deque(maxlen=AGREEING))
            if certainty < CERTAIN:
                found.clear()
                continue
            found.append(lag)
            if len(found) == AGREEING and max(found) - min(found) <= NEARBY:
                certain[channel] = float(np.median(found))
        return certain


def _peak(cross: Spectrum) -> tuple[float, float]:
    """The lag in seconds at which the channels agree best, and by how much it stands out."""
    alike = np.fft.irfft(cross, _SIZE)
    near = np.concatenate([alike[-_FARTHEST:], alike[: _FARTHEST + 1]])
    # A room's echoes agree a little at lags beside the true one: they are counted together.
    near = np.convolve(np.abs(near), np.ones(5) / 5, "same")
    at = int(np.argmax(near))
    spread = float(np.std(near))
    return (at - _FARTHEST) / RATE, float((near[at] - np.mean(near)) / max(spread, 1e-12))
