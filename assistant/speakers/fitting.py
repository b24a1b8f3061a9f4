"""Adaptation: the network fitted to the voices of one table, by lattice-free MMI."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.ear.audio import RATE
from assistant.ear.network import Array, Layer, Network, cepstra

# Lattice-free MMI (Hadian et al. 2018) of one utterance: its own text against any phone string. The
# numerator sums over all alignments of a phone string with optional silence between words, the
# denominator over all phone strings under a phone bigram. Each base phone has two outputs: its
# first frame and its further ones. Output 2p enters phone p, output 2p + 1 stays in it; phone 0 is
# silence.


NEVER = -1e30


def loss(answers: Array, phones: Sequence[int], optional: Sequence[bool], bigram: Array
         ) -> tuple[float, Array]:  # fmt: skip
    """The loss in nats, and its gradient by the answers: (moments, outputs).

    ``optional``: phones that may be left out. ``bigram``: log-probabilities; row 0: of the first
    phone.
    """
    any_, any_share = _any(answers, bigram)
    said, said_share = _said(answers, np.asarray(phones), np.asarray(optional))
    return any_ - said, any_share - said_share


def _any(answers: Array, bigram: Array) -> tuple[float, Array]:
    """The denominator, over all phone strings; each moment is scaled to sum 1 (Rabiner 1989)."""
    peak = answers.max(axis=1, keepdims=True)
    heard = np.exp((answers - peak).astype(np.float64))
    enter, stay = heard[:, 0::2], heard[:, 1::2]
    steps = np.exp(bigram.astype(np.float64))
    count, width = enter.shape
    alpha, arrived, scale = np.empty((count, width)), np.empty((count, width)), np.empty(count)
    arrived[0] = steps[0]
    for time in range(count):
        if time:
            arrived[time] = alpha[time - 1] @ steps
        now = arrived[time] * enter[time]
        if time:
            now += alpha[time - 1] * stay[time]
        scale[time] = now.sum()
        alpha[time] = now / scale[time]
    beta = np.ones((count, width))
    entered, stayed = enter / scale[:, None], stay / scale[:, None]
    for time in range(count - 1, 0, -1):
        beta[time - 1] = steps @ (entered[time] * beta[time]) + stayed[time] * beta[time]
    share = np.zeros(answers.shape)
    share[:, 0::2] = arrived * entered * beta
    share[1:, 1::2] = alpha[:-1] * stayed[1:] * beta[1:]
    return float(np.log(scale).sum() + peak.sum()), share


def _said(answers: Array, phones: Array, optional: Array) -> tuple[float, Array]:
    """The numerator, over all alignments of one phone string, in logarithms."""
    heard = answers.astype(np.float64)
    enter, stay = heard[:, 2 * phones], heard[:, 2 * phones + 1]
    count, states = enter.shape
    skips = np.full(states, NEVER)
    skips[2:] = np.where(optional[1:-1], 0.0, NEVER)
    alpha = np.full((count, states + 2), NEVER)  # two states before the first
    alpha[0, 2] = enter[0, 0]
    if optional[0]:
        alpha[0, 3] = enter[0, 1]
    for time in range(1, count):
        before = alpha[time - 1]
        arrived = np.logaddexp(before[1:-1], before[:-2] + skips) + enter[time]
        alpha[time, 2:] = np.logaddexp(arrived, before[2:] + stay[time])
    beta = np.full((count, states + 2), NEVER)  # two states after the last
    beta[-1, states - 1] = 0.0
    if optional[-1]:
        beta[-1, states - 2] = 0.0
    over = np.full(states, NEVER)
    over[:-2] = skips[2:]
    for time in range(count - 2, -1, -1):
        ahead = beta[time + 1].copy()
        leave = ahead[:-2] + stay[time + 1]
        ahead[:-2] += enter[time + 1]
        moved = np.logaddexp(ahead[1:-1], ahead[2:] + over)
        beta[time, :-2] = np.logaddexp(moved, leave)
    total = np.logaddexp.reduce(alpha[-1, 2:] + beta[-1, :-2])
    reach = beta[:, :-2] - total
    entered = np.empty_like(enter)
    entered[0] = alpha[0, 2:]
    entered[1:] = np.logaddexp(alpha[:-1, 1:-1], alpha[:-1, :-2] + skips) + enter[1:]
    stayed = np.full_like(enter, NEVER)
    stayed[1:] = alpha[:-1, 2:] + stay[1:]
    share = np.zeros((count, answers.shape[1]))
    np.add.at(share.T, 2 * phones, np.exp(entered + reach).T)
    np.add.at(share.T, 2 * phones + 1, np.exp(stayed + reach).T)
    return float(total), share


# ---- Augmentation: copies of a reading with noise, other voices and echo, as at the table -------


OWN = 0.4
"""This share of the copies has the noise of the room where the readings were made, if it is
noisy."""
QUIET = 30.0
"""A room this many dB below a reading has no noise worth learning."""
HISS, HUM = 0.25, 0.6
"""Of the other copies a quarter has hiss, a third the low-frequency noise of a room; the rest
people's talk."""
TALKERS = (2, 6)
PAUSE = (0.15, 0.35)
"""Seconds of the room before and after the reading."""
LOUDEST = 0.3


def in_room(
    said: Array, others: Sequence[Array], rooms: Sequence[Array], dice: np.random.Generator
) -> Array:
    """A copy of a reading in a noisy room.

    ``others`` talk in the background; ``rooms``: what the microphone heard between the readings.
    """
    before, after = (np.zeros(int(RATE * dice.uniform(*PAUSE))) for _ in range(2))
    sound = np.concatenate([before, said, after])
    loud = [room for room in rooms if _level(room) > _level(said) * 10 ** (-QUIET / 20)]
    if loud and dice.random() < OWN:
        noise, snr = _looped(loud, len(sound), dice), dice.uniform(3, 25)
    else:
        noise, snr = _noise(len(sound), others, dice)
    sound = _echoed(sound + noise * _level(said) / _level(noise) * 10 ** (-snr / 20), dice)
    gain = LOUDEST * 10 ** (dice.uniform(-15, 3) / 20) / max(float(np.abs(sound).max()), 1e-9)
    return (sound * gain).astype(np.float32)


def _noise(count: int, others: Sequence[Array], dice: np.random.Generator) -> tuple[Array, float]:
    """Noise of ``count`` samples, and by how many dB the voice is louder."""
    kind = dice.random()
    if kind < HISS:
        return dice.normal(size=count), dice.uniform(25, 45)
    if kind < HUM:
        slow = np.cumsum(dice.normal(size=count + 1))
        slow -= np.convolve(slow, np.full(200, 1 / 200), "same")
        return np.diff(slow) + 0.2 * dice.normal(size=count), dice.uniform(3, 25)
    talk = np.zeros(count)
    for _ in range(dice.integers(*TALKERS)):
        talk += _looped(others, count, dice) * dice.uniform(0.3, 1)
    return talk, dice.uniform(5, 25)


def _looped(sounds: Sequence[Array], count: int, dice: np.random.Generator) -> Array:
    """One of the sounds, from a random place on, repeated until it has ``count`` samples."""
    sound = sounds[int(dice.integers(len(sounds)))]
    sound = np.tile(sound, 1 + count // len(sound))
    return np.asarray(np.roll(sound, dice.integers(len(sound)))[:count])


def _echoed(sound: Array, dice: np.random.Generator) -> Array:
    """The sound with the echo of a near wall, in three cases of ten."""
    if dice.random() > 0.3:
        return sound
    late = int(RATE * dice.uniform(0.01, 0.05))
    echo = np.zeros_like(sound)
    echo[late:] = sound[:-late] * dice.uniform(0.1, 0.4)
    return np.asarray(sound + echo)


def _level(sound: Array) -> float:
    return float(np.sqrt(np.mean(np.square(sound)))) + 1e-9


# ---- Fitting the network to the voices of one table, from a minute of readings each -------------
# Only the two lowest layers change, because they respond to the voice and the room. The layers
# above have learnt which sounds follow which, and would overfit to fifteen sentences
# (docs/voices.md has the figures).


LOWEST = 2
"""Layers that change."""
PASSES, BATCH = 40, 8
STEP, PULL = 5e-5, 5e-4
"""Adam's step size, and how far weights are drawn back to the old ones after each step."""
CALM = 5e-4
"""Weight of the answers' squares in the loss, which keeps them on one scale."""
SLOW, SLOWER, LEAST = 0.9, 0.99, 1e-8
"""Adam's decay rates and epsilon (Kingma and Ba 2015)."""


@dataclass(frozen=True, slots=True)
class VoiceReading:
    """Sound at 16 kHz in -1..1, its base phones, and which of them are optional."""

    sound: Array
    phones: tuple[int, ...]
    optional: tuple[bool, ...]


def fit(
    layers: Sequence[Layer],
    readings: Sequence[VoiceReading],
    bigram: Array,
    rooms: Sequence[Array] = (),
    seed: int = 0,
    on_pass: Callable[[int], None] = lambda _done: None,
    passes: int = PASSES,
) -> list[Layer]:
    """The layers, fitted to the readings. ``on_pass`` is called after each of the ``passes``.

    ``rooms``: the rooms' sound between the readings.
    """
    network, dice = Network(layers), np.random.default_rng(seed)
    adam = _Adam([*network.weights[:LOWEST], *network.biases[:LOWEST]])
    copies = _Copies([reading.sound for reading in readings], rooms, dice)
    for done in range(passes):
        order = dice.permutation(len(readings))
        for start in range(0, len(order), BATCH):
            batch = [readings[at] for at in order[start : start + BATCH]]
            adam.step([_slopes(network, one, copies, bigram) for one in batch])
        on_pass(done + 1)
    return network.layers()


def answers_to(layers: Sequence[Layer], sound: Array) -> Array:
    """The network's log-likelihoods of a sound at 16 kHz in -1..1: (moments, outputs)."""
    return Network(layers).answers(cepstra(sound))


def unlikely(
    answers: Array, phones: Sequence[int], optional: Sequence[bool], bigram: Array
) -> float:
    """By how many nats a phone any phone string is likelier for a sound than these phones."""
    return loss(answers, phones, optional, bigram)[0] / len(phones)


@dataclass(frozen=True, slots=True)
class _Copies:
    """Makes noisy copies of a sound."""

    others: Sequence[Array]
    rooms: Sequence[Array]
    dice: np.random.Generator

    def of(self, sound: Array) -> Array:
        return in_room(sound, self.others, self.rooms, self.dice)


def _slopes(network: Network, reading: VoiceReading, copies: _Copies, bigram: Array) -> list[Array]:
    """The gradient of a noisy copy's loss by the parameters that may change."""
    seen = network.run(cepstra(copies.of(reading.sound)))
    answers = seen[-1].made
    _, wanted = loss(answers, reading.phones, reading.optional, bigram)
    slopes = network.slopes(seen, (wanted + CALM * answers).astype(np.float32), LOWEST)
    return [*(weights for weights, _ in slopes), *(biases for _, biases in slopes)]


class _Adam:
    """Adam, in place, with weights drawn back to their old values."""

    def __init__(self, parameters: Sequence[Array]) -> None:
        self._parameters = parameters
        self._home = [parameter.copy() for parameter in parameters]
        self._mean = [np.zeros_like(parameter) for parameter in parameters]
        self._square = [np.zeros_like(parameter) for parameter in parameters]
        self._steps = 0

    def step(self, slopes: Sequence[Sequence[Array]]) -> None:
        """Take one step along the mean of these gradients."""
        self._steps += 1
        for at, parameter in enumerate(self._parameters):
            slope = np.mean([row[at] for row in slopes], axis=0)
            self._mean[at] += (1 - SLOW) * (slope - self._mean[at])
            self._square[at] += (1 - SLOWER) * (slope**2 - self._square[at])
            mean = self._mean[at] / (1 - SLOW**self._steps)
            square = self._square[at] / (1 - SLOWER**self._steps)
            parameter -= STEP * mean / (np.sqrt(square) + LEAST)
            parameter -= PULL * (parameter - self._home[at])
