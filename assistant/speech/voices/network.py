"""The network outside Vosk: what it answers, and how its weights would have to change.

A time-delay network (Peddinti et al. 2015): it reads frames of 10 ms, and answers every 30 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.speech.voices.arrays import Array
from assistant.speech.voices.model_file import Layer

FACTOR = 3
"""Frames of 10 ms for each answer."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a layer was given (moments, inputs * offsets), and what it made of it."""

    given: Array
    made: Array


class Network:
    """Layers with weights that may be changed."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self.weights = [layer.weights.copy() for layer in layers]
        self.biases = [layer.bias.copy() for layer in layers]
        self.offsets = [layer.offsets for layer in layers]
        self._slow = _slow_from(self.offsets)
        self.left = -sum(min(row) for row in self.offsets)
        self.right = sum(max(row) for row in self.offsets)

    def layers(self) -> list[Layer]:
        """The layers as they are now."""
        return [Layer(*row) for row in zip(self.weights, self.biases, self.offsets, strict=True)]

    def answers(self, frames: Array) -> Array:
        """Log-likelihoods (moments, outputs) of cepstra (frames, 40)."""
        return self.run(frames)[-1].made

    def run(self, frames: Array) -> list[Seen]:
        """What each layer was given and made of cepstra; the edges are repeated, as Vosk does."""
        signal = np.pad(frames, ((self.left, self.right), (0, 0)), mode="edge")
        seen: list[Seen] = []
        last = len(self.weights) - 1
        for number, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            given = np.concatenate(self._taps(number, signal), axis=1)
            made = given @ weights.T + bias
            if number < last:
                np.maximum(made, 0, out=made)
            seen.append(Seen(given, made))
            signal = made
        return seen

    def slopes(self, seen: Sequence[Seen], wanted: Array) -> list[tuple[Array, Array]]:
        """How a loss would change with weights and biases, from its slope by the answers."""
        found: list[tuple[Array, Array]] = []
        slope = wanted
        for number in range(len(seen) - 1, -1, -1):
            if number < len(seen) - 1:
                slope = slope * (seen[number].made > 0)
            found.append((slope.T @ seen[number].given, slope.sum(axis=0)))
            if number:
                slope = self._spread(number, slope @ self.weights[number], seen[number - 1].made)
        return found[::-1]

    def _taps(self, number: int, signal: Array) -> list[Array]:
        row, stride = self._row(number)
        count = len(signal) - (row[-1] - row[0])
        return [signal[tap - row[0] : tap - row[0] + count : stride] for tap in row]

    def _spread(self, number: int, slope: Array, below: Array) -> Array:
        """The slope of what a layer was given, back to the places it was taken from."""
        row, stride = self._row(number)
        width = below.shape[1]
        whole = np.zeros_like(below)
        count = len(below) - (row[-1] - row[0])
        for place, tap in enumerate(row):
            start = tap - row[0]
            whole[start : start + count : stride] += slope[:, place * width : (place + 1) * width]
        return whole

    def _row(self, number: int) -> tuple[tuple[int, ...], int]:
        """A layer's offsets in its own steps, and how many of those it leaves out."""
        if number < self._slow:
            return self.offsets[number], FACTOR if number == self._slow - 1 else 1
        return tuple(offset // FACTOR for offset in self.offsets[number]), 1


def _slow_from(offsets: Sequence[tuple[int, ...]]) -> int:
    """The first layer that works at 30 ms, as do all after it."""
    slow = len(offsets)
    while slow and all(offset % FACTOR == 0 for offset in offsets[slow - 1]):
        slow -= 1
    return slow
