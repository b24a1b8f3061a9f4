"""Clock synchronisation of the telephones' sound: clock maps, jitter buffers, fine alignment.

A telephone's clock is mapped to ours. A reader of its jitter buffer follows the drift. The sound
that all telephones hear shows by how much one lags behind the others.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, Floats
from assistant.ear.source import BLOCK

# ---- The telephone's clock ----------------------------------------------------------------------
# A packet says when it was recorded, by the telephone's clock, and we know when it came, by ours.
# The difference is the offset of the clocks plus the time that the packet travelled. Travelling
# takes a least time and seldom less, so the lower envelope of the differences is the offset (as in
# Moon, Skelly & Towsley 1999, "Estimation and removal of clock skew from network delay
# measurements"). A line through the least difference of every few seconds also gives the drift.


SLOT = 5.0
"""Length of a slot in seconds; its quickest packet counts."""
SLOTS = 60
"""Slots (five minutes) through which the line is laid."""
DRIFTS_FROM = 12
"""Slots (a minute) from which the drift is measured; before, it is taken to be 0. At 50 ppm that is
an error of 3 ms."""
CONGESTED = 0.002
"""Seconds above the line up to which a slot's quickest packet was not held up, and counts."""
USUAL_DRIFT = 40e-6
"""How far the clocks of sound cards usually are apart. A slope that is less certain than that
counts as none."""
LATE_AGAIN, RESYNC = 2.0, 0.15
"""If all packets of LATE_AGAIN seconds are RESYNC seconds late, the telephone's clock has stood
still (its page slept), and the offset is measured anew."""


class ClockMap:
    """Offset and drift of one telephone's clock. Times in seconds."""

    def __init__(self) -> None:
        self._slots: deque[tuple[float, float]] = deque(maxlen=SLOTS)
        self._slot: tuple[float, float] | None = None
        self._slot_ends = 0.0
        self._offset, self._drift, self._around = 0.0, 0.0, 0.0
        self._known = False
        self._late_since: float | None = None
        self._late_least = 0.0

    @property
    def known(self) -> bool:
        """Whether a packet has come yet."""
        return self._known

    @property
    def ppm(self) -> float:
        """By how many millionths the telephone's clock is slower than ours; negative: faster."""
        return self._drift * 1e6

    def note(self, at: float, arrived: float) -> float:
        """Take a packet whose sound ends ``at`` by the telephone; return by how much it is late.

        That is how much longer it took than the quickest packets.
        """
        difference = arrived - at
        if not self._known:
            self._restart(at, difference)
        late = difference - self.offset(at)
        if late < 0:
            self._offset += late
            late = 0.0
        if self._fell_behind(at, late):
            self._restart(at, self.offset(at) + self._late_least)
            late = 0.0
        if at >= self._slot_ends or self._slot is None:
            self._close_slot(at)
        if self._slot is None or difference < self._slot[1]:
            self._slot = (at, difference)
        return late

    @property
    def pace(self) -> float:
        """How many of the telephone's seconds pass in one of ours."""
        return 1 - self._drift

    def offset(self, at: float) -> float:
        """Our time less the telephone's, at its time ``at``."""
        return self._offset + self._drift * (at - self._around)

    def theirs(self, ours: float) -> float:
        """The telephone's time at one of ours."""
        at = ours - self._offset
        return at - self._drift * (at - self._around)

    def _restart(self, at: float, offset: float) -> None:
        self._slots.clear()
        self._slot = None
        self._offset, self._around, self._known = offset, at, True
        self._late_since = None

    def _fell_behind(self, at: float, late: float) -> bool:
        if late < RESYNC:
            self._late_since = None
            return False
        if self._late_since is None:
            self._late_since, self._late_least = at, late
        self._late_least = min(self._late_least, late)
        return at - self._late_since >= LATE_AGAIN

    def _close_slot(self, at: float) -> None:
        if self._slot is not None:
            self._slots.append(self._slot)
            self._fit()
        self._slot, self._slot_ends = None, at + SLOT

    def _fit(self) -> None:
        """Fit the line below the slots, except those in which every packet was held up."""
        ats, least = np.array(self._slots).T
        around, drift, offset = float(ats[-1]), 0.0, float(least.min())
        if len(ats) >= DRIFTS_FROM:
            kept = np.ones(len(ats), np.bool_)
            for _ in range(3):
                slope, offset = np.polyfit(ats[kept] - around, least[kept], 1).tolist()
                over = least - offset - slope * (ats - around)
                most = float(np.median(over[kept])) + 3 * float(np.std(over[kept]))
                kept = over <= max(CONGESTED, most)
            error = np.std(over[kept]) / (np.std(ats[kept]) * np.sqrt(np.count_nonzero(kept)))
            drift = slope / (1 + float(error / USUAL_DRIFT) ** 2)
            offset = float(np.percentile(least - drift * (ats - around), 10))
        self._offset, self._drift, self._around = offset, drift, around


# ---- The jitter buffer --------------------------------------------------------------------------


KEPT = 3 * RATE
"""Samples that are kept: more than the longest wait for a late packet."""
HALF = 8
"""Samples on each side from which the value between two samples is interpolated."""
PHASES = 256
"""Places between two samples for which the weights are computed once."""
GAP = 0.01
"""Seconds between two packets from which sound was lost: a smaller gap is a clock's unevenness."""
JUMP = 160
"""Error, in samples (10 ms), from which the reader jumps; a smaller one is resampled away."""
STEP = 0.002
"""The most by which the reader goes faster or slower: a voice 0.2% higher is the same voice."""
SLOWLY = 10 * BLOCK
"""Samples over which an error is worked off."""

Places = npt.NDArray[np.float64]


class JitterBuffer:
    """One telephone's newest sound, by its own clock, and the position of its reader."""

    def __init__(self) -> None:
        self._sound = np.zeros(0, np.float32)
        self._there = np.zeros(0, np.bool_)
        self._first = 0
        self._begin: float | None = None
        self._place: float | None = None

    @property
    def end(self) -> float:
        """The telephone's time at which the newest sound ends."""
        return (self._begin or 0.0) + (self._first + len(self._sound)) / RATE

    def write(self, sound: Floats, at: float) -> int:
        """Keep a packet, full scale 1, whose first sample is ``at``; return the samples missing.

        A gap before it becomes silence and counts as lost. If a packet is older than the buffer, or
        far newer, the buffer begins anew.
        """
        if self._begin is None:
            self._begin = at
        off = round((at - self.end) * RATE)
        if abs(off) <= GAP * RATE:
            off = 0
        if abs(off) > KEPT:
            self._begin, self._first, off = at, 0, 0
            self._sound, self._there = self._sound[:0], self._there[:0]
            self._place = None
        if off < 0:  # a packet out of order fills the hole that was left for it
            self._fill(sound, len(self._sound) + off)
            sound = sound[-off:]
        lost = max(0, off)
        self._sound = np.concatenate([self._sound, np.zeros(lost, np.float32), sound])
        self._there = np.concatenate(
            [self._there, np.zeros(lost, np.bool_), np.ones(len(sound), np.bool_)]
        )
        if (surplus := len(self._sound) - KEPT) > 0:
            self._sound, self._there = self._sound[surplus:], self._there[surplus:]
            self._first += surplus
        return lost

    def read(self, at: float, count: int, steady: float | None = None) -> tuple[Floats, float]:
        """``count`` samples from the telephone's time ``at`` on, and the share that is missing.

        The reader goes on from its position, a little faster or slower, until it has reached
        ``at``; only if that is far does it jump. ``steady``: a pace to keep instead, whatever
        ``at`` is.
        """
        wanted = (at - (self._begin or 0.0)) * RATE
        place = wanted if self._place is None else self._place
        if steady is None and abs(wanted - place) > JUMP:
            place = wanted
        pace = 1 + float(np.clip((wanted - place) / SLOWLY, -STEP, STEP))
        pace = pace if steady is None else steady
        places: Places = place + np.arange(count, dtype=np.float64) * pace
        self._place = place + count * pace
        return self._between(places - self._first)

    def _fill(self, sound: Floats, start: int) -> None:
        first, last = max(0, start), min(len(self._sound), start + len(sound))
        if first < last:
            self._sound[first:last] = sound[first - start : last - start]
            self._there[first:last] = True

    def _between(self, places: Places) -> tuple[Floats, float]:
        """The sound at places between its samples; silence where there is none."""
        whole = np.floor(places).astype(np.int64)
        low, high = int(whole[0]) - HALF + 1, int(whole[-1]) + HALF + 1
        before, after = max(0, -low), max(0, high - len(self._sound))
        inner = slice(max(0, low), max(0, min(high, len(self._sound))))
        piece, there = self._sound[inner], self._there[inner]
        if before or after:
            length = high - low
            before, after = min(before, length), min(after, length)
            piece = np.concatenate(
                [np.zeros(before, np.float32), piece, np.zeros(after, np.float32)]
            )[:length]
            there = np.concatenate([np.zeros(before, np.bool_), there, np.zeros(after, np.bool_)])[
                :length
            ]
        return interpolated(piece, places - low), 1.0 - float(np.mean(there))


def interpolated(sound: Floats, places: Places) -> Floats:
    """A sound at places between its samples; ``HALF`` samples must lie on each side of them."""
    whole = np.floor(places).astype(np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(sound, 2 * HALF)[whole - HALF + 1]
    phases = np.floor((places - whole) * PHASES).astype(np.int64)
    made: Floats = np.einsum("ij,ij->i", windows, _WEIGHTS[phases])
    return made


def _weights() -> Floats:
    """One row of weights, a windowed sinc, for each place between two samples."""
    offsets = np.arange(-HALF + 1, HALF + 1)[None, :] - (np.arange(PHASES)[:, None] + 0.5) / PHASES
    weights = np.sinc(offsets) * np.square(np.cos(np.pi / 2 * np.clip(offsets / HALF, -1, 1)))
    rows: Floats = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return rows


_WEIGHTS = _weights()


# ---- Fine alignment of several channels, by what all of them hear -------------------------------
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
"""How many of these blocks must hold a voice."""
FARTHEST = 0.1
"""The greatest lag, in seconds, that is looked for."""
BAND = (200.0, 4000.0)
"""Hertz between which voices are heard in all channels."""
FORGETS = 0.75
"""The weight of the past at each comparison."""
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
    """The lag of each channel behind the first. A channel's name is a number."""

    def __init__(self) -> None:
        self._sound: dict[int, deque[Floats]] = {}
        self._voiced: deque[bool] = deque(maxlen=WINDOW)
        self._cross: dict[int, Spectrum] = {}
        self._found: dict[int, deque[float]] = {}
        self._blocks = 0

    def feed(self, blocks: Mapping[int, Floats], voiced: bool) -> dict[int, float]:
        """A block of each channel; the lags, in seconds, that are certain by now.

        ``voiced``: whether somebody or something stands out in them. A caller that corrects a lag
        calls ``corrected``.
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
