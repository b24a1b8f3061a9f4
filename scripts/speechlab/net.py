"""The network: a factored time-delay network (Povey et al. 2018, TDNN-F).

It reads 10 ms frames and answers every 30 ms, as Vosk expects (frame-subsampling-factor 3). Two
plain layers lead from the one to the other; then come blocks that squeeze a pair of moments through
a bottleneck, widen a pair of bottlenecks again, and add what went in.
"""

from dataclasses import dataclass

import torch
from torch import nn

from . import phones, recipe
from .features import CEPSTRA

FACTOR = 3


@dataclass(frozen=True, slots=True)
class Taps:
    """Inputs of the two maps of a block, in frames of 30 ms."""

    squeeze: tuple[int, ...]
    widen: tuple[int, ...]


FRONT: tuple[tuple[int, ...], ...] = ((-2, -1, 0, 1, 2), (-1, 0, 1))
"""Inputs of the plain layers, in frames of 10 ms; the second drops two frames of three."""

BLOCKS: tuple[Taps, ...] = (
    Taps((-1, 0), (0, 1)), Taps((-1, 0), (0, 1)), Taps((-1, 0), (0,)), Taps((-1, 0), (0, 1)),
    Taps((-2, 0), (0,)), Taps((-2, 0), (0, 1)), Taps((-3, 0), (0,)), Taps((-3, 0), (0, 1)),
)  # fmt: skip
"""More is looked at before than after: what comes after keeps the table waiting."""

LEFT = sum(-row[0] for row in FRONT) - FACTOR * sum(t.squeeze[0] + t.widen[0] for t in BLOCKS)
RIGHT = sum(row[-1] for row in FRONT) + FACTOR * sum(t.squeeze[-1] + t.widen[-1] for t in BLOCKS)
"""Frames of 10 ms that the network needs before and after the one it answers for."""


class Net(nn.Module):
    """Cepstra (batch, LEFT + time + RIGHT, 40) to log-likelihoods (batch, time / 3, outputs)."""

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, size: recipe.NetSize) -> None:
        super().__init__()
        self.first = Splice(CEPSTRA, size.first, FRONT[0])
        self.second = Splice(size.first, size.hidden, FRONT[1])
        self.blocks = nn.ModuleList(Block(size, taps) for taps in BLOCKS)
        self.output = nn.Linear(size.hidden, phones.OUTPUTS)
        self.register_buffer("mean", torch.zeros(CEPSTRA))
        self.register_buffer("deviation", torch.ones(CEPSTRA))

    def device(self) -> torch.device:
        """Return where the weights are."""
        return self.mean.device

    def each_block(self) -> list["Block"]:
        """Return the blocks, first to last."""
        return [module for module in self.blocks if isinstance(module, Block)]

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        """Answer once per three frames."""
        signal = self.first((frames - self.mean) / self.deviation)
        signal = self.second(signal, FACTOR)
        for block in self.blocks:
            signal = block(signal)
        answers: torch.Tensor = self.output(signal)
        return answers


class Splice(nn.Module):
    """An affine map of several moments, batch norm and ReLU."""

    def __init__(self, inputs: int, width: int, offsets: tuple[int, ...]) -> None:
        super().__init__()
        self.offsets = offsets
        self.affine = nn.Linear(inputs * len(offsets), width)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, signal: torch.Tensor, every: int = 1) -> torch.Tensor:
        """Return what each moment, or `every` third of them, gives."""
        joined: torch.Tensor = self.affine(spliced(signal, self.offsets, every))
        flat = self.norm(joined.reshape(-1, joined.shape[2]))
        return torch.relu(flat).view(joined.shape)


class Block(nn.Module):
    """A map in two factors, with its input added to what it gives."""

    def __init__(self, size: recipe.NetSize, taps: Taps) -> None:
        super().__init__()
        self.taps = taps
        self.squeeze = nn.Linear(size.hidden * len(taps.squeeze), size.bottleneck, bias=False)
        self.widen = Splice(size.bottleneck, size.hidden, taps.widen)
        self.dropout = nn.Dropout(size.dropout)

    def forward(self, signal: torch.Tensor) -> torch.Tensor:
        """Return the sum, for the moments that have all their neighbours."""
        squeezed = self.squeeze(spliced(signal, self.taps.squeeze))
        widened = self.dropout(self.widen(squeezed))
        before = -(self.taps.squeeze[0] + self.taps.widen[0])
        kept: torch.Tensor = widened + signal[:, before : before + widened.shape[1]]
        return kept


def spliced(signal: torch.Tensor, offsets: tuple[int, ...], every: int = 1) -> torch.Tensor:
    """Put moments beside one another: (batch, time, width) to (batch, fewer, width * offsets)."""
    if offsets == (0,) and every == 1:
        return signal
    kept = signal.shape[1] - (offsets[-1] - offsets[0])
    taps = [signal[:, at - offsets[0] : at - offsets[0] + kept : every] for at in offsets]
    return torch.cat(taps, 2)
