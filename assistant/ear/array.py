"""Several channels as one: an array of microphones is steered at whoever speaks.

An array's microphones stand a few centimetres apart, so a voice reaches them at almost the same
time, and what differs tells from where it comes. Here a beamformer of least variance (MVDR; Capon
1969) keeps the voice and takes away most of what comes from elsewhere. It is told nothing of the
array's shape: the noise's covariance is measured while nobody speaks, and where somebody sits is
the direction in which his voice stands out from it (covariance whitening; Markovich-Golan and
Gannot 2015). The seats that were heard are remembered, so a call is steered at from its first
sound on. Microphones that stand apart, as one before each seat, are not steered: of these
``ChannelChoice`` takes the best.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, SILENCE, ChannelChoice, Floats

Spectra = npt.NDArray[np.complex128]
Reals = npt.NDArray[np.float64]

OVERLAP = 4
"""Frames that overlap; a frame begins each hundredth of a second, and so has 40 ms."""
HELD_BACK = OVERLAP - 1
"""Hundredths of a second by which steered sound is late: so long after a sample its last frame
ends."""
TOP = RATE // 2
"""Hertz up to which sound is used: the ear hears no higher."""
JUDGED = (200.0, 7000.0)
"""Hertz between which places are told apart."""
BROAD = (300.0, 4000.0)
"""Hertz between which most of a voice's loudness lies."""

# ---- The noise: what is there while nobody speaks ------------------------------------------------

QUIETEST, WITHIN = 0.3, 3.0
"""A block is noise if it is at most so many dB louder than this share of the last blocks are."""
REMEMBERED = 200
"""Blocks (10 s) among which a quiet one is looked for."""
NOISE_LASTS = 400
"""Frames (4 s) over which the noise is averaged."""
NOISE_KNOWN = 50
"""Frames of noise from which on it is known well enough to tell a voice from it."""
LOADED = 0.02
"""Diagonal loading, as a share of the noise's mean power. Microphones are not quite alike, and
without it the beamformer would cancel the voice itself."""

# ---- Places: from where voices came --------------------------------------------------------------

RISES = 0.1
"""Nats by which the spectrum rises over the noise, on average, where somebody speaks."""
SHORTEST, LONGEST = 4, 30
"""Blocks of a voice from which its place is learnt: fewer are too few, more are more than one."""
PAUSE = 1
"""Blocks without a voice that do not end it."""
BARE = 2.0
"""In a few frames of noise the strongest direction has, by chance, so many times the mean power."""
SAME = 0.45
"""How like two directions of one place are at least; 1 is the same. Seats of a table are below 0.32
to each other, and most calls from one seat above 0.6 (rooms of bench_telephones, develop)."""
PLACES = 12
"""Places that are remembered: four seats, and others that talk; who has called least goes first."""
REFRESHED = 10
"""Blocks after which the beams follow the noise; they follow a new place at once."""
FRESH = 0.5
"""The share of the newest block in what chooses the place."""
CLEARER, CLEARER_IN_NOISE = 1.02, 1.15
"""Another place is chosen if the block stands out so many times as much there as at the present
one: the first while somebody speaks, the second otherwise."""

# ---- Telling an array from microphones that stand apart ------------------------------------------

LOW = (150.0, 450.0)
"""Hertz at which all microphones of an array hear the same, and microphones that stand apart do
not: half a metre is a good part of such a wave."""
ALIKE, THE_SAME = 0.9, 0.9995
"""Mean coherence of two channels there, from which on they are of one array; and from which on they
are one and the same microphone."""
LOUD, ENOUGH = 6.0, 60
"""Blocks so many dB over the quiet ones are compared, and so many of them are enough to decide."""


@dataclass(slots=True)
class _Place:
    """Where voices came from.

    ``outer``: by frequency, the weighted sum of their directions' outer products; ``direction``:
    the one that fits them best; ``calls``: how many voices came from it; ``heard``: the number of
    the block in which the last ended.
    """

    outer: Spectra
    direction: Spectra
    calls: int
    heard: int


class Beamformer:
    """Steers an array at whoever speaks. Its sound is ``HELD_BACK`` hundredths of a second late."""

    def __init__(self, count: int, rate: int) -> None:
        """``count``: channels; ``rate``: samples a second."""
        self._hop = rate // 100
        self._length = OVERLAP * self._hop
        self._window = np.sqrt(np.hanning(self._length + 1)[:-1]).astype(np.float32)
        top = min(self._length // 2, TOP * self._length // rate) + 1
        hertz = np.arange(top) * rate / self._length
        self._judged = _between(hertz, JUDGED)
        self._broad = _between(hertz, BROAD)
        self._low = _between(hertz, LOW)
        self._taken_in = np.zeros((self._length - self._hop, count), np.float32)
        self._going_out = np.zeros(self._length, np.float32)
        # Blocks that are no whole number of hops wait for the next frame.
        self._ready: Floats = np.zeros(0 if rate % 100 == 0 else self._hop, np.float32)
        self._plain = np.zeros((top, count), np.complex128)
        self._noise = np.zeros((top, count, count), np.complex128)
        self._noise_frames = 0
        self._levels: deque[float] = deque(maxlen=REMEMBERED)
        self._blocks = 0
        self._voice: Spectra | None = None
        self._voice_blocks = self._pause = 0
        self._places: list[_Place] = []
        self._scores = np.zeros(1)
        self._chosen = -1
        self._loud = np.zeros((top, count, count), np.complex128)
        self._loud_blocks = 0
        self._own = np.zeros((top, count))
        self._whiten: Spectra = self._noise
        self._inverse: Spectra = self._noise
        self._weights: Spectra = np.zeros((0, top, count), np.complex128)
        self._through = np.zeros((0, top))
        self._stale, self._prepared = True, 0
        self.levels = np.full(PLACES, SILENCE)
        """How loud the last block is from each of the places, in dB below full scale."""

    def mix(self, frames: Floats, plain: int) -> Floats:
        """A block of shape (frames, channels) as mono, as long as it is.

        ``plain``: the channel to take where no place is known, or none is better.
        """
        self._taken_in = np.concatenate([self._taken_in, frames])
        count = (len(self._taken_in) - self._length) // self._hop + 1
        if count > 0:
            views = np.lib.stride_tricks.sliding_window_view(self._taken_in, self._length, axis=0)
            pieces = views[:: self._hop][:count] * self._window
            seen = np.fft.rfft(pieces, axis=2)[:, :, : len(self._judged)].transpose(0, 2, 1)
            self._taken_in = self._taken_in[count * self._hop :]
            self._learn(seen)
            self._put_out(np.einsum("fc,nfc->nf", self._steering(plain).conj(), seen))
        given: Floats = self._ready[: len(frames)]
        self._ready = self._ready[len(frames) :]
        return given

    def coherence(self) -> Reals | None:
        """How alike each two channels are at low frequencies; None before enough was heard."""
        if self._loud_blocks < ENOUGH:
            return None
        low = self._loud[self._low]
        power = np.einsum("fcc->fc", low).real + 1e-20
        each = np.abs(low) / np.sqrt(power[:, :, None] * power[:, None, :])
        return np.asarray(each.mean(axis=0))

    def _put_out(self, spectra: Spectra) -> None:
        """Add frames to the sound that is going out, and let go of what is whole."""
        sounds = np.fft.irfft(spectra, self._length, axis=1) * self._window / (OVERLAP / 2)
        done = [self._ready]
        for sound in sounds.astype(np.float32):
            self._going_out += sound
            done.append(self._going_out[: self._hop].copy())
            self._going_out[: -self._hop] = self._going_out[self._hop :]
            self._going_out[-self._hop :] = 0
        self._ready = np.concatenate(done)

    def _steering(self, plain: int) -> Spectra:
        if 0 <= self._chosen < len(self._weights):
            return np.asarray(self._weights[self._chosen])
        self._plain[:] = 0
        self._plain[:, plain] = 1
        return self._plain

    def _learn(self, seen: Spectra) -> None:
        """Learn from a block's frames, of shape (frames, frequencies, channels)."""
        self._blocks += 1
        by_frequency = seen.transpose(1, 0, 2)
        heard = by_frequency.transpose(0, 2, 1) @ by_frequency.conj() / len(seen)
        power = np.einsum("fcc->f", heard[self._broad]).real.mean() / heard.shape[1]
        self._levels.append(float(10 * np.log10(power + 1e-12)))
        over = self._levels[-1] - float(np.quantile(self._levels, QUIETEST))
        if over < WITHIN:
            self._noise_frames += len(seen)
            share = len(seen) / min(self._noise_frames, NOISE_LASTS)
            self._noise = self._noise + min(1.0, share) * (heard - self._noise)
            self._stale = self._stale or self._blocks >= self._prepared + REFRESHED
        elif over > LOUD:
            self._loud += heard
            self._loud_blocks += 1
        if self._noise_frames < NOISE_KNOWN:
            return
        self._prepare()
        rise = np.einsum("fcd,fdc->f", self._inverse, heard).real / heard.shape[1]
        voice = float(np.log(np.maximum(rise, 0.1))[self._judged].mean()) > RISES
        self._hear(heard, voice)
        self._prepare()
        self._choose(seen, voice)

    def _prepare(self) -> None:
        """Compute what follows from noise and places, where they have changed."""
        if not self._stale:
            return
        self._stale, self._prepared = False, self._blocks
        power = np.einsum("fcc->f", self._noise).real / self._noise.shape[1]
        alone = np.eye(self._noise.shape[1])
        loaded = self._noise + (LOADED * power + 1e-12)[:, None, None] * alone
        self._own = np.einsum("fcc->fc", loaded).real
        self._whiten = np.asarray(np.linalg.inv(np.linalg.cholesky(loaded)), np.complex128)
        self._inverse = self._whiten.conj().transpose(0, 2, 1) @ self._whiten
        if self._places:
            directions = np.stack([place.direction for place in self._places])
            pointed = np.einsum("fcd,kfd->kfc", self._inverse, directions)
            gains = np.einsum("kfc,kfc->kf", directions.conj(), pointed).real
            self._weights = pointed / gains[:, :, None]
            self._through = 1 / gains

    def _hear(self, heard: Spectra, voice: bool) -> None:
        """Follow a voice from block to block, and learn where it comes from."""
        if voice:
            self._voice = heard if self._voice is None else self._voice + heard
            self._voice_blocks += 1
            self._pause = 0
            if self._voice_blocks == SHORTEST:
                self._place(self._voice, begins=True)
        else:
            self._pause += 1
        if self._voice is not None and (self._pause > PAUSE or self._voice_blocks >= LONGEST):
            if self._voice_blocks >= SHORTEST:
                self._place(self._voice, begins=False)
            self._voice, self._voice_blocks = None, 0

    def _place(self, voice: Spectra, *, begins: bool) -> None:
        """Learn the place of a voice; one that only begins makes a new place, and improves none."""
        whiten = self._whiten
        strengths, ways = np.linalg.eigh(whiten @ voice @ whiten.conj().transpose(0, 2, 1))
        strength = strengths[:, -1] / max(1, self._voice_blocks) / BARE
        counts = np.log(np.maximum(strength, 1)) * self._judged
        if not counts.any():
            return
        way = ways[:, :, -1]
        likeness = [self._likeness(place, way, counts) for place in self._places]
        direction = np.einsum("fcd,fd->fc", np.linalg.inv(whiten), way)
        direction /= np.linalg.norm(direction, axis=1)[:, None]
        outer = counts[:, None, None] * direction[:, :, None] * direction[:, None, :].conj()
        best = int(np.argmax(likeness)) if likeness else -1
        if likeness and likeness[best] > SAME:
            if begins:
                return
            place = self._places[best]
            place.outer = place.outer + outer
        else:
            place = _Place(outer + 1e-6 * np.eye(outer.shape[1]), direction, 0, self._blocks)
            self._remember(place)
        place.heard = self._blocks
        place.calls += not begins
        place.direction = _direction(place.outer, counts)
        self._stale = True

    def _likeness(self, place: _Place, way: Spectra, counts: Reals) -> float:
        known = np.einsum("fcd,fd->fc", self._whiten, place.direction)
        known /= np.linalg.norm(known, axis=1)[:, None]
        both = np.abs(np.einsum("fc,fc->f", known.conj(), way)) ** 2
        return float((counts * both).sum() / counts.sum())

    def _remember(self, place: _Place) -> None:
        if len(self._places) < PLACES:
            self._places.append(place)
            self._scores = np.append(self._scores, 0.0)
            return
        seldom = min(range(PLACES), key=lambda at: (self._places[at].calls, self._places[at].heard))
        self._places[seldom] = place

    def _choose(self, seen: Spectra, voice: bool) -> None:
        """Steer at the place from which the block stands out most; at none if none is better.

        While nobody speaks it changes seldom. Each place has a noise of its own, and a change from
        one noise to another sounds as if a voice began.
        """
        if not self._places:
            self._measure(np.zeros((0, seen.shape[1])), seen)
            return
        out = np.abs(np.einsum("kfc,nfc->knf", self._weights.conj(), seen)) ** 2
        self._measure(out.mean(axis=1), seen)
        clear = np.log1p(out / self._through[:, None, :])[:, :, self._judged].mean((1, 2))
        alone = np.log1p(np.abs(seen) ** 2 / self._own)[:, self._judged].mean()
        # The last stands for no place.
        self._scores = (1 - FRESH) * self._scores + FRESH * np.append(clear, alone)
        best = int(np.argmax(self._scores))
        known = best < len(self._places)
        if voice or known:
            clearer = CLEARER if voice else CLEARER_IN_NOISE
            if self._scores[best] > clearer * self._scores[self._chosen]:
                self._chosen = best if known else -1

    def _measure(self, beams: Reals, seen: Spectra) -> None:
        """Set ``levels``. A place that is not known yet is as loud as the whole sound."""
        full = self._length * np.square(self._window).sum() / 2
        power = np.full(PLACES, np.square(np.abs(seen[:, self._judged])).sum(axis=1).mean())
        power[: len(beams)] = beams[:, self._judged].sum(axis=1)
        self.levels = 10 * np.log10(power / full + 10 ** (SILENCE / 10))


def _between(hertz: Reals, limits: tuple[float, float]) -> npt.NDArray[np.bool_]:
    return np.asarray((hertz >= limits[0]) & (hertz <= limits[1]))


def _direction(outer: Spectra, counts: Reals) -> Spectra:
    """The direction that fits best by frequency: as strong as the mean of all channels.

    Its phase is that of the channel that holds the voice best, so that it sounds as in that one.
    """
    ways = np.linalg.eigh(outer)[1][:, :, -1] * np.sqrt(outer.shape[1])
    best = int(np.argmax((counts[:, None] * np.abs(ways) ** 2).sum(axis=0)))
    return np.asarray(ways * np.exp(-1j * np.angle(ways[:, best]))[:, None])


def array_in(coherence: Reals) -> list[int]:
    """The channels that are of one array, by how alike each two are; empty where none are.

    A device may have others besides: one without sound, one with what it plays.
    """
    alike = coherence >= ALIKE
    middle = int(np.argmax(alike.sum(axis=1)))
    group = np.flatnonzero(alike[middle])
    among = coherence[np.ix_(group, group)]
    return group.tolist() if len(group) > 1 and among.mean() < THE_SAME else []


class Channels:
    """The channels of a device as one: those of an array steered, or else the best of them."""

    def __init__(self, count: int, rate: int, *, steers: bool) -> None:
        """``count``: channels, two or more; ``rate``: samples a second.

        ``steers``: whether to look for an array among them.
        """
        self._rate = rate
        self._choice = ChannelChoice(count)
        self._array = Beamformer(count, rate) if steers else None
        self._group = list(range(count))
        self.steered = False
        """Whether there is an array among the channels."""

    def mix(self, frames: Floats) -> tuple[Floats, tuple[float, ...]]:
        """A block of shape (frames, channels) as mono, and dB below full scale of each channel.

        Of an array they are the levels of its places, which tell more of who spoke.
        """
        best, levels = self._choice.mix(frames)
        if self._array is None:
            return best, levels
        steered = self._array.mix(frames[:, self._group], self._plain())
        if not self.steered:
            self._decide(self._array)
            return best, levels
        return steered, tuple(round(float(level), 1) for level in self._array.levels)

    def _plain(self) -> int:
        """The best channel of those that are steered."""
        taken = self._choice.taken
        return self._group.index(taken) if taken in self._group else 0

    def _decide(self, array: Beamformer) -> None:
        """Look for an array among the channels, once enough was heard to tell."""
        coherence = array.coherence()
        if coherence is None:
            return
        found = array_in(coherence)
        self.steered = bool(found)
        if not found:
            self._array = None
        elif found != self._group:
            self._group = found
            self._array = Beamformer(len(found), self._rate)
