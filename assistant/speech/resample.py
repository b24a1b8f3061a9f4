"""Changing the rate of a stream of samples, with the aliases filtered away.

A polyphase filter: each output sample is the input around its place in time, weighted by a
windowed sinc (Kaiser; Oppenheim & Schafer, Discrete-Time Signal Processing, 7.5). The weights
repeat with the ratio of the two rates, so that they are computed once.
"""

from __future__ import annotations

from math import ceil, gcd

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

CROSSINGS = 32
"""Zero crossings of the sinc on each side: with the window, 80 dB and a band of 6% to fall in."""
KAISER_BETA = 8.0
PASSBAND = 0.94
"""Where the filter is 6 dB down, as a share of the lower half-rate."""
PIECE = 2_048
"""Output samples at a time: bounds the memory that the weighting takes."""


class Resampler:
    """Turns a stream at ``rate_in`` into one at ``rate_out`` (both in Hz), without a shift."""

    def __init__(self, rate_in: int, rate_out: int) -> None:
        divisor = gcd(rate_in, rate_out)
        self._up, self._down = rate_out // divisor, rate_in // divisor
        self._half = 0
        self._weights = np.zeros((0, 0), np.float32)
        if rate_in != rate_out:
            stretch = max(1.0, rate_in / rate_out)
            self._half = ceil(CROSSINGS * stretch)
            self._weights = _weights(self._up, self._half, PASSBAND / stretch)
        # The sound begins with `half` samples of silence, so that the first output has neighbours.
        self._input = np.zeros(self._half, np.float32)
        self._dropped = -self._half  # place in the stream of the first sample still kept
        self._made = 0

    def feed(self, samples: Floats) -> Floats:
        """The output that ``samples`` (float32, mono) complete; the rest comes later."""
        if self._half == 0:
            return samples
        self._input = np.concatenate([self._input, samples])
        end = self._dropped + len(self._input)
        # Output n stands at n*down/up and looks `half` input samples beyond that.
        ready = max(self._made, ((end - self._half - 1) * self._up) // self._down + 1)
        pieces = [
            self._make(first, min(first + PIECE, ready))
            for first in range(self._made, ready, PIECE)
        ]
        self._made = ready
        self._forget()
        return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)

    def finish(self) -> Floats:
        """The last samples, as if silence followed."""
        if self._half == 0:
            return np.zeros(0, np.float32)
        end = self._dropped + len(self._input)
        total = ceil(max(0, end) * self._up / self._down)
        tail = self.feed(np.zeros(self._half + 1, np.float32))
        surplus = self._made - total
        return tail[: len(tail) - surplus] if surplus > 0 else tail

    def _make(self, first: int, last: int) -> Floats:
        places = np.arange(first, last, dtype=np.int64) * self._down
        starts = places // self._up - self._half + 1 - self._dropped
        windows = np.lib.stride_tricks.sliding_window_view(self._input, 2 * self._half)[starts]
        made: Floats = np.einsum("ij,ij->i", windows, self._weights[places % self._up])
        return made

    def _forget(self) -> None:
        """Drop the input that no later output looks at."""
        keep_from = (self._made * self._down) // self._up - self._half + 1
        drop = max(0, min(len(self._input), keep_from - self._dropped))
        self._input = self._input[drop:]
        self._dropped += drop


def _weights(phases: int, half: int, cutoff: float) -> Floats:
    """One row of ``2 * half`` weights for each place between two input samples."""
    offsets = np.arange(-half + 1, half + 1)[None, :] - np.arange(phases)[:, None] / phases
    window = np.i0(KAISER_BETA * np.sqrt(np.clip(1 - (offsets / half) ** 2, 0, None)))
    weights = np.sinc(offsets * cutoff) * window
    # Each row sums to one: no ripple of the level from phase to phase.
    rows: Floats = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return rows
