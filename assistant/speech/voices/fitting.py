"""Fitting the network to the voices of one table, from a minute of readings each.

Only the two lowest layers change: they hear the voice and the room. What is above them has learnt
which sounds follow which, and would learn fifteen sentences by heart (docs/voices.md has figures).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.speech.voices.arrays import Array
from assistant.speech.voices.cepstra import cepstra
from assistant.speech.voices.mmi import loss
from assistant.speech.voices.model_file import Layer
from assistant.speech.voices.network import Network
from assistant.speech.voices.rooms import in_room

LOWEST = 2
"""Layers that change."""
PASSES, BATCH = 40, 8
STEP, PULL = 5e-5, 5e-4
"""Adam's step, and the share of the way back to the old weights after each."""
CALM = 5e-4
"""Weight of the answers' square in the loss: it keeps them on one scale."""
SLOW, SLOWER, LEAST = 0.9, 0.99, 1e-8
"""Adam's (Kingma and Ba 2015)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Something said: sound at 16 kHz in -1..1, its base phones, which of them may be left out."""

    sound: Array
    phones: tuple[int, ...]
    optional: tuple[bool, ...]


def fit(
    layers: Sequence[Layer],
    readings: Sequence[Reading],
    bigram: Array,
    rooms: Sequence[Array] = (),
    seed: int = 0,
    on_pass: Callable[[int], None] = lambda _done: None,
) -> list[Layer]:
    """The layers, fitted to the readings. ``on_pass`` is told of each of the ``PASSES``.

    ``rooms``: what the microphone heard between the readings, where it was not quiet.
    """
    network, dice = Network(layers), np.random.default_rng(seed)
    adam = _Adam([*network.weights[:LOWEST], *network.biases[:LOWEST]])
    copies = _Copies([reading.sound for reading in readings], rooms, dice)
    for done in range(PASSES):
        order = dice.permutation(len(readings))
        for start in range(0, len(order), BATCH):
            batch = [readings[at] for at in order[start : start + BATCH]]
            adam.step([_slopes(network, one, copies, bigram) for one in batch])
        on_pass(done + 1)
    return network.layers()


def answers_to(layers: Sequence[Layer], sound: Array) -> Array:
    """What the network makes of a sound at 16 kHz in -1..1: log-likelihoods (moments, outputs)."""
    return Network(layers).answers(cepstra(sound))


def unlikely(
    answers: Array, phones: Sequence[int], optional: Sequence[bool], bigram: Array
) -> float:
    """By how many nats a phone a sound is likelier to be anything than these phones."""
    return loss(answers, phones, optional, bigram)[0] / len(phones)


@dataclass(frozen=True, slots=True)
class _Copies:
    """What noisy copies are made of."""

    others: Sequence[Array]
    rooms: Sequence[Array]
    dice: np.random.Generator

    def of(self, sound: Array) -> Array:
        return in_room(sound, self.others, self.rooms, self.dice)


def _slopes(network: Network, reading: Reading, copies: _Copies, bigram: Array) -> list[Array]:
    """How the loss of a noisy copy changes with what may change."""
    seen = network.run(cepstra(copies.of(reading.sound)))
    answers = seen[-1].made
    _, wanted = loss(answers, reading.phones, reading.optional, bigram)
    slopes = network.slopes(seen, (wanted + CALM * answers).astype(np.float32))[:LOWEST]
    return [*(weights for weights, _ in slopes), *(biases for _, biases in slopes)]


class _Adam:
    """Changes parameters in place, and draws them back to what they were."""

    def __init__(self, parameters: Sequence[Array]) -> None:
        self._parameters = parameters
        self._home = [parameter.copy() for parameter in parameters]
        self._mean = [np.zeros_like(parameter) for parameter in parameters]
        self._square = [np.zeros_like(parameter) for parameter in parameters]
        self._steps = 0

    def step(self, slopes: Sequence[Sequence[Array]]) -> None:
        """Go one step down the mean of these slopes."""
        self._steps += 1
        for at, parameter in enumerate(self._parameters):
            slope = np.mean([row[at] for row in slopes], axis=0)
            self._mean[at] += (1 - SLOW) * (slope - self._mean[at])
            self._square[at] += (1 - SLOWER) * (slope**2 - self._square[at])
            mean = self._mean[at] / (1 - SLOW**self._steps)
            square = self._square[at] / (1 - SLOWER**self._steps)
            parameter -= STEP * mean / (np.sqrt(square) + LEAST)
            parameter -= PULL * (parameter - self._home[at])
