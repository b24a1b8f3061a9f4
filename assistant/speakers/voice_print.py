"""Speaker verification: for an utterance the probability of each enrolled player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.ear.audio import RATE, Samples, SpeechError
from assistant.ear.network import FACTOR, STEP, Array, Network, cepstra

# ---- Features: the cepstra of each phone, and statistics of a whole stretch ---------------------
# The speech model's network tells which phone is said when, so that an "o" is compared with the
# player's own "o". The output of its second layer also tells voices apart, in noise better than the
# cepstra do.


LEVEL = 105.0
"""The first cepstrum of loud frames is normalised to this, a clear voice's value: how loud somebody
speaks says nothing about who it is, and the layers would respond to it.
"""
LOUD = 15.0
"""Frames are loud down to this far below the loudest first cepstrum: fainter ones are the room."""
SLOPE = 2
"""A frame's slope is taken between so many frames before and after it."""
HIDDEN_LAYER = 1
"""The layer whose output tells voices apart."""
FEWEST_FRAMES = 6
"""A voice has at least so many loud frames (10 ms): less is a click."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The features of a stretch of sound.

    ``frames``: cepstra and their slopes, a row every 10 ms; ``phones``: the probability of each
    base phone in each row; ``cepstra`` and ``hidden``: mean and spread over the stretch.
    """

    frames: Array
    phones: Array
    cepstra: Array
    hidden: Array


@dataclass(frozen=True, slots=True)
class Listened:
    """The network's view of a sound: cepstra every 10 ms; phones and hidden layer every 30 ms."""

    cepstra: Array
    phones: Array
    hidden: Array

    def between(self, start: float, end: float) -> Traits | None:
        """The features between two times in seconds of this sound; None if it is too short."""
        first, last = (max(0, round(at * RATE / STEP)) for at in (start, end))
        heard = self.cepstra[first:last].copy()
        loud = _loud(heard)
        if loud.sum() < FEWEST_FRAMES:
            return None
        heard[:, 0] += LEVEL - heard[loud, 0].mean()
        slow = np.minimum((first + np.flatnonzero(loud)) // FACTOR, len(self.phones) - 1)
        return Traits(
            np.concatenate([heard, _slopes(heard)], axis=1)[loud],
            self.phones[slow],
            _mean_and_spread(heard[loud]),
            _mean_and_spread(self.hidden[np.unique(slow)]),
        )

    def whole(self) -> Traits | None:
        """The features of all of it; None if it is too short."""
        return self.between(0.0, len(self.cepstra) * STEP / RATE)


def listened(sound: Array, network: Network) -> Listened:
    """Run the network over sound in -1..1 at 16 kHz, of any level."""
    heard = cepstra(sound)
    if not len(heard):
        return Listened(heard, np.zeros((0, 0)), np.zeros((0, 0)))
    level = heard.copy()
    level[:, 0] += LEVEL - level[_loud(level), 0].mean()
    seen = network.run(level)
    answers = seen[-1].made
    shares = np.exp(answers - answers.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    phones = shares[:, 0::2] + shares[:, 1::2]  # a phone's first frame and its further ones
    return Listened(heard, phones, seen[HIDDEN_LAYER].made)


def _loud(heard: Array) -> Array:
    return np.asarray(heard[:, 0] > np.max(heard[:, 0], initial=-np.inf) - LOUD)


def _slopes(heard: Array) -> Array:
    padded = np.pad(heard, ((SLOPE, SLOPE), (0, 0)), mode="edge")
    return np.asarray(padded[2 * SLOPE :] - padded[: -2 * SLOPE])


def _mean_and_spread(rows: Array) -> Array:
    return np.concatenate([rows.mean(axis=0), rows.std(axis=0)])


class EnrolmentError(SpeechError):
    """A voice that cannot be learnt from its recordings."""


# ---- Augmentation: copies of a recording in a louder room, with coloured noise or talk ----------
# Fitting the network (fitting.py) uses milder noise, in which words can still be understood. Voices
# can be told apart in more noise than words.


HISS, COLOURED = 0.2, 0.75
"""Cumulative shares: a fifth of the copies has hiss, then up to three quarters coloured noise; the
others have talk."""
HISS_BELOW, NOISE_BELOW, TALK_BELOW = (10, 40), (0, 20), (3, 20)
"""How many dB each lies below the voice."""
STEEPEST = 2.2
"""Exponent of the fall of a noise's spectrum: 0 is white, 1 pink, 2 brown."""
WAVES = 8
"""Points between which a noise's level is interpolated."""
TALKERS = (3, 8)
AROUND = 0.15
"""The most seconds of the room before and after, because words are seldom cut exactly."""
ECHO, LATE, WEAK = 0.3, (0.01, 0.05), (0.1, 0.4)
"""The share of copies with the echo of a wall; its delay in seconds, and its gain."""


def disturbed(said: Array, others: Sequence[Array], dice: np.random.Generator) -> Array:
    """A noisy copy of sound in -1..1; ``others``: voices that may talk in it, or backwards."""
    sound = np.pad(said, dice.integers(0, round(AROUND * RATE), 2))
    noise, below = _noise(len(sound), others, dice)
    sound = sound + noise * (_level(said) / _level(noise) * 10 ** (-below / 20))
    if dice.random() < ECHO:
        late = int(RATE * dice.uniform(*LATE))
        echo = np.zeros_like(sound)
        echo[late:] = sound[:-late] * dice.uniform(*WEAK)
        sound = sound + echo
    return np.asarray(sound)


def _noise(count: int, others: Sequence[Array], dice: np.random.Generator) -> tuple[Array, float]:
    """Noise of ``count`` samples, and by how many dB it is fainter than the voice."""
    kind = dice.random()
    if kind < HISS:
        return dice.normal(size=count), dice.uniform(*HISS_BELOW)
    if kind < COLOURED:
        swell = np.interp(np.linspace(0, 1, count), np.linspace(0, 1, WAVES),
                          dice.uniform(0.3, 1, WAVES))  # fmt: skip
        return _coloured(count, dice.uniform(0, STEEPEST), dice) * swell, dice.uniform(*NOISE_BELOW)
    talk = np.zeros(count)
    for _ in range(dice.integers(*TALKERS)):
        voice = others[int(dice.integers(len(others)))][:: int(dice.choice((1, -1)))]
        voice = np.roll(np.tile(voice, 1 + count // len(voice)), dice.integers(len(voice)))
        talk += voice[:count] * dice.uniform(0.3, 1)
    return talk, dice.uniform(*TALK_BELOW)


def _coloured(count: int, slope: float, dice: np.random.Generator) -> Array:
    frequencies = np.fft.rfftfreq(count, 1 / RATE)
    frequencies[0] = frequencies[1]
    spectrum = dice.normal(size=len(frequencies)) + 1j * dice.normal(size=len(frequencies))
    return np.asarray(np.fft.irfft(spectrum * frequencies ** (-slope / 2), count))


def _level(sound: Array) -> float:
    return float(np.sqrt(np.mean(np.square(sound)))) + 1e-9


# ---- Verification: the probability of each enrolled player, and of somebody else ----------------
# Three pieces of evidence are added. The first compares each frame with the player's own frames of
# that phone (Gaussians about means adapted as by Gauvain and Lee 1994, one covariance for all). The
# others are linear discriminants of mean and spread, of the cepstra and of the hidden layer. All
# are fitted to the recordings of the enrolment and to noisy copies; docs/who-spoke.md has the
# figures.


COPIES = 12
"""Noisy copies of each recording."""
KNOWN = 8.0
"""After so many frames of a phone in each copy, a player's own mean weighs as much as anybody's."""
SHRUNK = 0.05
"""Shrinkage of the frames' covariance towards its diagonal."""
ROUND_CEPSTRA, ROUND_HIDDEN = 0.1, 0.3
"""Shrinkage of the utterances' covariances towards a multiple of the identity."""
FARTHEST = 5.0
"""A feature is limited to so many spreads from its mean: values outside the enrolment's range are
no evidence."""
SCARCE = 0.2
"""The least spread of a feature, as a share of the mean spread. Otherwise one that hardly varied in
the enrolment would outweigh all others when it does vary."""
FRAMES, CEPSTRA, HIDDEN = 0.030, 0.14, 0.13
"""Weight of a nat of each piece of evidence: neighbouring frames and features repeat each other.
Fitted to voices that train, in their noise."""
OTHER, STRANGER = 0.38, -1.3
"""The weight of the evidence for somebody else against the likeliest player, because nobody knows
how others sound; and its prior in nats: one call in ten is a bystander's.
"""
FULL = 32768.0
LEAST = 1e-3


@dataclass(frozen=True, slots=True)
class _Sounds:
    """Each player's mean of each phone (players, phones, width); anybody's mean is the last."""

    means: Array
    precision: Array
    wider: float

    def nats(self, traits: Traits) -> Array:
        found = [
            -0.5 * _squares(off, self.precision).sum()
            for off in (traits.frames - traits.phones @ means for means in self.means)
        ]
        found[-1] = _of_anybody(found[-1], self.wider, traits.frames.size)
        return np.array(found)


@dataclass(frozen=True, slots=True)
class _Whole:
    """Each player's mean of whole utterances; anybody's mean is the last."""

    scale: Array
    means: Array
    precision: Array
    wider: float

    def nats(self, whole: Array) -> Array:
        middle = self.means[-1]
        off = middle + np.clip(whole / self.scale - middle, -FARTHEST, FARTHEST) - self.means
        found = -0.5 * _squares(off, self.precision)
        found[-1] = _of_anybody(found[-1], self.wider, len(whole))
        return np.asarray(found)


class Voiceprints:
    """The voiceprints of a table. ``players``: the keys of the enrolment, in order."""

    def __init__(
        self, players: tuple[int, ...], network: Network, sounds: _Sounds, wholes: Sequence[_Whole]
    ) -> None:
        self.players = players
        self._network = network
        self._sounds = sounds
        self._cepstra, self._hidden = wholes

    @classmethod
    def fit(
        cls,
        recordings: Mapping[int, Sequence[Samples]],
        network: Network,
        seed: int = 0,
        on_player: Callable[[int], None] = lambda _player: None,
    ) -> Voiceprints:
        """The voiceprints of players from recordings of calls, each cut to what is said.

        ``network``: the speech model's; ``on_player`` is called after each player.

        Raises EnrolmentError if there are no players, or one has no audible recording.
        """
        if not recordings:
            raise EnrolmentError("Nobody has enrolled: run 'mus enrol' first.")
        players = tuple(sorted(recordings))
        dice = np.random.default_rng(seed)
        everybody = [sound / FULL for each in recordings.values() for sound in each]
        known: list[Traits] = []
        whose: list[int] = []
        for at, player in enumerate(players):
            heard = [
                found
                for sound in recordings[player]
                for found in _copies(sound / FULL, everybody, network, dice)
            ]
            if not heard:
                raise EnrolmentError(
                    "Nothing is heard of player {player}: enrol him once more.", player=player
                )
            known += heard
            whose += [at] * len(heard)
            on_player(player)
        of = np.array(whose)
        wholes = (
            _whole([each.cepstra for each in known], of, ROUND_CEPSTRA),
            _whole([each.hidden for each in known], of, ROUND_HIDDEN),
        )
        return cls(players, network, _sounds(known, of), wholes)

    def listen(self, samples: Samples) -> Listened:
        """Run the network over sound, for ``of_traits`` of its stretches."""
        return listened(samples / FULL, self._network)

    def of(self, samples: Samples) -> tuple[float, ...]:
        """The probability of each of ``players``; the rest to 1 is that of somebody else.

        Empty if the sound is too short.
        """
        return self.of_traits(self.listen(samples).whole())

    def of_traits(self, traits: Traits | None) -> tuple[float, ...]:
        """The same for the features of a stretch of ``listen``'s sound."""
        if traits is None:
            return ()
        nats = FRAMES * self._sounds.nats(traits)
        nats += CEPSTRA * self._cepstra.nats(traits.cepstra)
        nats += HIDDEN * self._hidden.nats(traits.hidden)
        nats -= nats[:-1].max()
        nats[-1] = OTHER * nats[-1] + STRANGER
        shares = np.exp(nats - nats.max())
        return tuple((shares / shares.sum())[:-1].tolist())


def _copies(
    sound: Array, others: Sequence[Array], network: Network, dice: np.random.Generator
) -> list[Traits]:
    """The features of a recording and of its noisy copies; none if it is not audible."""
    own = listened(sound, network).whole()
    if own is None:
        return []
    copies = (listened(disturbed(sound, others, dice), network).whole() for _ in range(COPIES))
    return [own, *(traits for traits in copies if traits is not None)]


def _sounds(known: Sequence[Traits], of: Array) -> _Sounds:
    count, phones = of.max() + 1, known[0].phones.shape[1]
    heard = np.zeros((count, phones))
    summed = np.zeros((count, phones, known[0].frames.shape[1]))
    for traits, player in zip(known, of, strict=True):
        heard[player] += traits.phones.sum(axis=0)
        summed[player] += traits.phones.T @ traits.frames
    anybody = summed.sum(axis=0) / (heard.sum(axis=0)[:, None] + LEAST)
    prior = KNOWN * (1 + COPIES)
    own = (summed + prior * anybody) / (heard[..., None] + prior)
    off = np.concatenate([
        traits.frames - traits.phones @ own[player]
        for traits, player in zip(known, of, strict=True)
    ])  # fmt: skip
    spread = off.T @ off / len(off)
    precision = np.linalg.inv((1 - SHRUNK) * spread + SHRUNK * np.diag(np.diag(spread)))
    apart = np.concatenate([
        traits.phones @ (own[player] - anybody)
        for traits, player in zip(known, of, strict=True)
    ])  # fmt: skip
    means = np.concatenate([own, anybody[None]])
    return _Sounds(means, precision, _wider(apart, precision))


def _whole(rows: Sequence[Array], of: Array, round_: float) -> _Whole:
    heard = np.array(rows, np.float64)
    scale = heard.std(axis=0)
    scale = np.hypot(scale, SCARCE * scale.mean())
    heard /= scale
    own = np.array([heard[of == player].mean(axis=0) for player in range(of.max() + 1)])
    off = heard - own[of]
    spread = off.T @ off / len(off)
    ball = np.trace(spread) / len(spread) * np.eye(len(spread))
    precision = np.linalg.inv((1 - round_) * spread + round_ * ball)
    anybody = own.mean(axis=0)
    means = np.concatenate([own, anybody[None]])
    return _Whole(scale, means, precision, _wider(own - anybody, precision))


def _wider(apart: Array, precision: Array) -> float:
    """By what factor anybody's variance is larger than a player's own."""
    return float(1 + _squares(apart, precision).mean() / apart.shape[1])


def _squares(rows: Array, precision: Array) -> Array:
    """The square of each row's length, measured in spreads."""
    return np.asarray(((rows @ precision) * rows).sum(axis=1))


def _of_anybody(nats: float, wider: float, numbers: int) -> float:
    """The log likelihood of somebody unknown, around anybody's mean."""
    return float(nats / wider - 0.5 * numbers * np.log(wider))
