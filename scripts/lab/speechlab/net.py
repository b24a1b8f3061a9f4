"""The network: a time-delay network (Peddinti et al. 2015) of affine, ReLU and batch norm.

It reads 10 ms frames and answers every 30 ms, as Vosk expects (frame-subsampling-factor 3).
"""

import torch
from torch import nn

from . import phones, recipe
from .features import CEPSTRA

FACTOR = 3
OFFSETS: tuple[tuple[int, ...], ...] = (
    (-2, -1, 0, 1, 2), (-1, 0, 1), (-1, 0, 1), (-1, 0, 1), (-2, 0, 2), (-3, 0, 1), (0,),
)  # fmt: skip
"""Inputs of each layer, in its own frames: 10 ms for the first two layers, then 30 ms."""

SLOW_FROM = 2
"""The first layer that works at 30 ms; the one before it drops two frames of three."""


def _reach(side: int) -> int:
    steps = [FACTOR if layer >= SLOW_FROM else 1 for layer in range(len(OFFSETS))]
    edges = [abs(row[side]) for row in OFFSETS]
    return sum(step * edge for step, edge in zip(steps, edges, strict=True))


LEFT, RIGHT = _reach(0), _reach(-1)
"""Frames of 10 ms that the network needs before and after the one it answers for."""


class Net(nn.Module):
    """Cepstra (batch, LEFT + time + RIGHT, 40) to log-likelihoods (batch, time / 3, outputs)."""

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, size: recipe.NetSize) -> None:
        super().__init__()
        widths = [size.first] + [size.hidden] * (len(OFFSETS) - 1)
        inputs = [CEPSTRA, *widths[:-1]]
        self.affine = nn.ModuleList(
            nn.Linear(width_in * len(row), width)
            for width_in, width, row in zip(inputs, widths, OFFSETS, strict=True)
        )
        self.norm = nn.ModuleList(nn.BatchNorm1d(width) for width in widths)
        self.dropout = 0.0
        self.output = nn.Linear(widths[-1], phones.OUTPUTS)
        self.register_buffer("mean", torch.zeros(CEPSTRA))
        self.register_buffer("deviation", torch.ones(CEPSTRA))

    def device(self) -> torch.device:
        """Return where the weights are."""
        return self.mean.device

    def affines(self) -> list[nn.Linear]:
        """Return the affine maps, first to last, without the output's."""
        return [module for module in self.affine if isinstance(module, nn.Linear)]

    def norms(self) -> list[nn.BatchNorm1d]:
        """Return the batch norms, first to last."""
        return [module for module in self.norm if isinstance(module, nn.BatchNorm1d)]

    def keep_norms(self) -> None:
        """Let the norms use what they measured so far, not the batch, until `train` is called.

        A network that goes on from a finished one had its norms measured on clean speech without
        dropout. A batch in noise, with units dropped, has other means and spreads. Normalised by
        those, the network would answer as if it had learnt little.
        """
        for norm in self.norms():
            norm.eval()

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        """Answer once per three frames."""
        signal = (frames - self.mean) / self.deviation
        for layer, row in enumerate(OFFSETS):
            signal = self._layer(layer, row, signal)
            if layer > 0:
                signal = self._dropped(signal)
        answers: torch.Tensor = self.output(signal)
        return answers

    def _dropped(self, signal: torch.Tensor) -> torch.Tensor:
        """Drop units for a whole utterance, as Kaldi does; moment by moment costs a third more."""
        if not self.training:
            return signal
        batch, _, width = signal.shape
        kept = torch.rand(batch, 1, width, device=signal.device) >= self.dropout
        return signal * (kept / (1 - self.dropout)).to(signal.dtype)

    def _layer(self, layer: int, row: tuple[int, ...], signal: torch.Tensor) -> torch.Tensor:
        kept = signal.shape[1] - (row[-1] - row[0])
        taps = [signal[:, offset - row[0] : offset - row[0] + kept] for offset in row]
        if layer == SLOW_FROM - 1:
            taps = [tap[:, ::FACTOR] for tap in taps]
        joined = self.affine[layer](torch.cat(taps, 2))
        batch, time, width = joined.shape
        return torch.relu(self.norm[layer](joined.reshape(-1, width)).view(batch, time, width))
