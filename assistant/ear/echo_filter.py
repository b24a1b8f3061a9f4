"""Adaptive echo filter: subtracts a known sound's echo, and suppresses what is left of it.

First a filter learns the path from loudspeaker to microphone and subtracts the echo that it
predicts: the partitioned-block frequency-domain Kalman filter (Enzner & Vary, Signal Processing 86,
2006). It weighs each frequency by how sure it is of the path there. So it does not unlearn the path
while somebody speaks, and does not distort his voice.

The residue of the echo is as loud as a whisper, and the recogniser would make words of it. Where
nobody but the assistant is heard, the room's own noise replaces it. Where somebody is heard, each
frequency is attenuated by what the echo usually leaves there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE

Signal = npt.NDArray[np.float64]
Spectrum = npt.NDArray[np.complex128]

PART = 256
"""Samples of a part of the path (16 ms), and of a step of the filter."""
PARTS = 14
"""Parts of the path: 0.22 s, after which a room with a reverberation time of 0.4 s is 33 dB
down."""
MEMORY = (PARTS + 1) * PART
"""Samples of what was played whose echo may still sound."""
KEEPS = 0.999
"""The share of the path that is the same after a step: people move, and the clocks drift apart."""
DECAY = 0.6
"""The decay of energy from part to part that is assumed before the path is known: about 0.4 s of
reverberation."""
SMOOTHING = 0.6
"""The share of the error's spectrum that is carried over to the next step."""
SILENT = 1e-3
"""A reference with less power than this (full scale 1, by its spectrum) teaches nothing."""

WINDOW, HOP = 512, 128
LAP = WINDOW - HOP
"""Samples that a frame has in common with the next."""
FRAMES = RATE // HOP
"""Frames a second."""
BAND = slice(6, 112)
"""Frequency bins that tell a voice from a residue: 190 to 3500 Hz."""
RINGS = 0.8
"""The most of the echo's power that is left a frame later, beyond the filter's end."""
MIDDLE = 50
"""The residue that an echo leaves is this percentile of the frames."""
QUIETER = 10
"""A sentence is compared with those before by this percentile of its frames: in these nobody
speaks, even if somebody speaks over nearly all of the sentence."""
REMEMBERED = 5 * 2 * FRAMES
"""Frames from which the residue is estimated: some five sentences."""
LOWERED, LEAST_GAIN = 2.0, 0.05
"""A frequency is attenuated by this many times the residue's power, down to this gain at least."""


def _power(decibels: float) -> float:
    return float(10 ** (decibels / 10))


OVER_ROOM, OVER_ECHO, OVER_RESIDUE = _power(8), _power(-7), 2.0
"""A voice begins where it stands so far over the room, over the echo, and over its residue ..."""
STILL_ROOM, STILL_ECHO, STILL_RESIDUE = _power(6), _power(-14), 1.2
"""... and goes on for as long as it stands so far over them."""
LEAST = round(0.05 * FRAMES)
"""A voice has at least this many frames that stand out."""
GAP = round(0.08 * FRAMES)
"""The longest pause within a voice, in frames: the silence of a p or a t."""
BEFORE, AFTER = round(0.06 * FRAMES), round(0.10 * FRAMES)
"""Frames kept before and after a voice, because s and f are faint."""
AHEAD = round(0.30 * FRAMES)
"""Look-ahead in frames before one is passed on: a call is heard later by this."""
CHANGED, OVER_CHANGED = _power(5), _power(5)
"""From this many times the usual residue on, something was moved or the filter is still learning; a
voice must then stand out from the echo by this much more than usual."""


class PathFilter:
    """Learns the path from the loudspeaker to the microphone, and predicts the echo by it."""

    def __init__(self) -> None:
        bins = PART + 1
        self._path = np.zeros((PARTS, bins), np.complex128)
        self._unsure = np.zeros((PARTS, bins))
        self._sound = np.zeros((PARTS, bins), np.complex128)
        self._last = np.zeros(PART)
        self._error = np.full(bins, 1e-4)

    def forget(self, gain: float) -> None:
        """Forget the path, except how loud it is: ``gain``, the power of echo over reference."""
        shape = (1 - DECAY) * DECAY ** np.arange(PARTS)
        self._path[:] = 0
        self._unsure[:] = 2 * gain * shape[:, None]

    def restart(self, past: Signal) -> None:
        """Go on at another place: ``past`` is what was played just before, ``MEMORY`` samples."""
        starts = range(PARTS * PART, 0, -PART)
        self._sound = np.array([np.fft.rfft(past[at - PART : at + PART]) for at in starts])
        self._last = past[-PART:]

    def step(self, heard: Signal, played: Signal) -> Signal:
        """Learn from ``PART`` samples; return the echo that was predicted in them."""
        self._sound = np.roll(self._sound, 1, axis=0)
        self._sound[0] = np.fft.rfft(np.concatenate([self._last, played]))
        self._last = played
        echo: Signal = np.fft.irfft((self._sound * self._path).sum(axis=0))[PART:]
        power = np.square(np.abs(self._sound))
        if power.max() < SILENT:
            return echo
        error = np.fft.rfft(np.concatenate([np.zeros(PART), heard - echo]))
        self._error *= SMOOTHING
        self._error += (1 - SMOOTHING) * np.square(np.abs(error))
        # Half of each block overlaps with the one before, hence the halves.
        doubt = 0.5 * (power * self._unsure).sum(axis=0)
        step = self._unsure / (doubt + self._error + 1e-6)
        change = np.fft.irfft(step * self._sound.conj() * error, axis=1)
        change[:, PART:] = 0
        self._path = KEEPS * (self._path + np.fft.rfft(change, axis=1))
        self._unsure *= KEEPS**2 * (1 - 0.5 * step * power)
        self._unsure += (1 - KEEPS**2) * np.square(np.abs(self._path))
        np.maximum(self._unsure, 1e-7, out=self._unsure)
        return echo


class Residue:
    """Suppresses what the filter leaves of an echo, and keeps other voices.

    It takes the microphone's sound less the echo, and the echo. It returns a sound of the same
    length, later, with the room's noise wherever nobody but the assistant is heard.
    """

    def __init__(self) -> None:
        self._dice = np.random.default_rng(0)
        bins = WINDOW // 2 + 1
        self._window = np.sqrt(np.hanning(WINDOW + 1)[:WINDOW])
        self._usual = np.ones(bins)
        self._usual_ratio = 1.0
        self._known: list[Signal] = []
        self._ratios: list[float] = []
        self._room = np.full(bins, 1e-9)
        self.begin(self._room, np.zeros(LAP))

    def begin(self, room: Signal, before: Signal) -> None:
        """A sentence begins.

        ``room``: the power of the room's noise by frequency; ``before``: the last ``LAP`` samples.
        """
        self._room = room
        self._rest, self._echo = before, np.zeros(LAP)
        self._skip = LAP
        self._ringing = np.zeros(len(room))
        self._frames: list[tuple[Spectrum, Signal]] = []
        self._strong: list[bool] = []
        self._weak: list[bool] = []
        self._given = 0
        self._sum = np.zeros(WINDOW)
        self._now: list[Signal] = []
        self._now_ratios: list[float] = []
        self._asked, self._known_path = FRAMES // 8, True

    def feed(self, rest: Signal, echo: Signal) -> Signal:
        """Take both, of the same length; return what is finished by now, in order."""
        self._rest = np.concatenate([self._rest, rest])
        self._echo = np.concatenate([self._echo, echo])
        while len(self._rest) >= WINDOW:
            self._look(self._rest[:WINDOW], self._echo[:WINDOW])
            self._rest, self._echo = self._rest[HOP:], self._echo[HOP:]
        return self._up_to(len(self._strong) - AHEAD)

    def flush(self) -> Signal:
        """Return the rest, without looking ahead."""
        return self._up_to(len(self._strong))

    def end(self) -> None:
        """The sentence is over: the next one is expected to leave the same residue."""
        self._known = (self._known + self._now)[-REMEMBERED:]
        self._ratios = (self._ratios + self._now_ratios)[-REMEMBERED:]
        if self._known:
            # A frequency that the assistant's voice lacks tells nothing, and is not attenuated.
            known = np.array(self._known)
            usual = np.ones(known.shape[1])
            said = ~np.isnan(known).all(axis=0)
            usual[said] = np.nanpercentile(known[:, said], MIDDLE, axis=0)
            self._usual = np.convolve(np.minimum(usual, 1.0), np.full(9, 1 / 9), "same")
            self._usual_ratio = float(np.percentile(self._ratios, QUIETER))

    def _up_to(self, ready: int) -> Signal:
        if ready <= self._given:
            return np.zeros(0)
        spoken = self._spoken()
        sound = np.concatenate([self._give(at, spoken[at]) for at in range(self._given, ready)])
        skipped = min(self._skip, len(sound))
        self._skip -= skipped
        return sound[skipped:]

    def _look(self, rest: Signal, echo: Signal) -> None:
        """Judge a frame by itself."""
        spectrum: Spectrum = np.fft.rfft(rest * self._window)
        power = np.square(np.abs(spectrum))
        self._ringing = np.maximum(
            np.square(np.abs(np.fft.rfft(echo * self._window))), self._ringing * RINGS
        )
        loud = self._ringing > 10 * self._room
        if loud[BAND].sum() > 10:
            left = np.maximum(power - self._room, 1e-12) / np.maximum(self._ringing, 1e-12)
            self._now.append(np.where(loud, left, np.nan))
            self._now_ratios.append(float(power[BAND].sum() / self._ringing[BAND].sum()))
        residue = self._usual * self._ringing
        lowered = np.sqrt(np.maximum(1 - LOWERED * residue / np.maximum(power, 1e-12), 0))
        gain = np.convolve(np.maximum(lowered, LEAST_GAIN), np.full(3, 1 / 3), "same")
        self._frames.append((spectrum, gain))
        self._judge((gain**2 * power)[BAND].sum(), residue[BAND].sum())

    def _is_known(self) -> bool:
        """Whether this sentence leaves about as much as those before it."""
        if len(self._now_ratios) >= self._asked + FRAMES // 8:
            self._asked = len(self._now_ratios)
            ratio = float(np.percentile(self._now_ratios, QUIETER))
            self._known_path = ratio < CHANGED * self._usual_ratio
        return self._known_path

    def _judge(self, said: float, residue: float) -> None:
        room, echo = self._room[BAND].sum(), self._ringing[BAND].sum()
        echo *= 1 if self._is_known() else OVER_CHANGED
        strong = OVER_ROOM * room, OVER_ECHO * echo, OVER_RESIDUE * residue
        weak = STILL_ROOM * room, STILL_ECHO * echo, STILL_RESIDUE * residue
        self._strong.append(said > max(strong))
        self._weak.append(said > max(weak))

    def _spoken(self) -> npt.NDArray[np.bool_]:
        """In which frames so far somebody speaks."""
        strong = np.array(self._strong)
        stands = np.flatnonzero(strong | np.array(self._weak))
        spoken = np.zeros(len(strong), bool)
        if len(stands):
            cuts = np.flatnonzero(np.diff(stands) > GAP + 1)
            firsts, lasts = np.r_[stands[0], stands[cuts + 1]], np.r_[stands[cuts], stands[-1]]
            for first, last in zip(firsts, lasts, strict=True):
                if strong[first : last + 1].sum() >= LEAST:
                    spoken[max(0, first - BEFORE) : last + 1 + AFTER] = True
        return spoken

    def _give(self, at: int, spoken: bool) -> Signal:
        """The sound of a frame's first ``HOP`` samples, to which no later frame adds."""
        spectrum, gain = self._frames.pop(0)
        kept = gain * spectrum if spoken else np.zeros_like(spectrum)
        missing = np.sqrt(np.maximum(self._room - np.square(np.abs(kept)), 0))
        # Twice, because independent frames add up to only a quarter of the power.
        noise = 2 * missing * np.exp(2j * np.pi * self._dice.random(len(missing)))
        self._sum += np.fft.irfft(kept + noise) * self._window / (WINDOW / HOP / 2)
        given = self._sum[:HOP].copy()
        self._sum = np.concatenate([self._sum[HOP:], np.zeros(HOP)])
        self._given = at + 1
        return given
