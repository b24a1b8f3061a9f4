"""The layers of Kokoro-82M in PyTorch, for batches of sounds of unequal length.

The architecture is that of StyleTTS 2 (Li et al. 2023) with the vocoder iSTFTNet. Sounds shorter
than the longest of their batch are masked, so that they sound as they do alone.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812  (the usual name in texts on PyTorch)

from .kokoro_weights import BIAS, WEIGHT, Lstm, Weights

Lengths = npt.NDArray[np.int64]

GENERATOR = "decoder/decoder/generator"
_ALPHAS = "decoder.decoder.generator"
_RECTIFIER = 0.2
"""Slope of the rectifiers below zero, but for the generator's own."""


class Within(NamedTuple):
    """Masks that say where each sound of a batch is, and where padding is.

    `mask`: ones and zeros, shape (batch, 1, frames). `counts`: (batch, 1, 1), the frames of each.
    """

    mask: Tensor
    counts: Tensor


class Affine(NamedTuple):
    """A style's effect on a normalised layer: factor and offset, each (batch, channels, 1)."""

    factor: Tensor
    offset: Tensor


class Layers:
    """The weights on their device, and the layers that use them, each by its name in the graph."""

    def __init__(self, weights: Weights, device: torch.device) -> None:
        self.device = device
        self.weights = {name: self.upload(array) for name, array in weights.arrays.items()}
        self._geometry = weights.geometry
        self._lstms = {name: self._built(lstm) for name, lstm in weights.lstms.items()}
        self._styles = {half: self._joined_styles(half) for half in ("encoder", "decoder")}

    def upload(self, array: npt.NDArray[np.generic]) -> Tensor:
        """Copy an array to the device."""
        return torch.from_numpy(np.array(array)).to(self.device)

    def within(self, lengths: Lengths, longest: int) -> Within:
        """Return the masks of sounds of these lengths in a batch of `longest` frames."""
        counts = self.upload(lengths.reshape(-1, 1, 1))
        mask = torch.arange(longest, device=self.device) < counts
        return Within(mask.float(), counts.float())

    def linear(self, x: Tensor, name: str) -> Tensor:
        return F.linear(x, self.weights[name + WEIGHT], self.weights[name + BIAS])

    def layer_norm(self, x: Tensor, weight: str, bias: str, epsilon: float = 1e-12) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], self.weights[weight], self.weights[bias], epsilon)

    def convolution(self, x: Tensor, name: str) -> Tensor:
        how = self._geometry[name]
        weight, bias = self.weights[name + WEIGHT], self.weights.get(name + BIAS)
        return F.conv1d(x, weight, bias, how.stride, how.padding, how.dilation)

    def transposed(self, x: Tensor, name: str) -> Tensor:
        """Upsample by a transposed convolution, to `stride` frames for each."""
        stride, weight = self._geometry[name].stride, self.weights[name + WEIGHT]
        padding = (weight.shape[2] - stride) // 2
        return F.conv_transpose1d(x, weight, self.weights[name + BIAS], stride, padding)

    def lstm(self, x: Tensor, lengths: Lengths, name: str) -> Tensor:
        """Run a bidirectional LSTM on (batch, frames, channels), each sound only to its own end."""
        if (lengths == x.shape[1]).all():
            said: Tensor = self._lstms[name](x)[0]
            return said
        packed = torch.nn.utils.rnn.pack_padded_sequence(
            x, torch.from_numpy(lengths), batch_first=True, enforce_sorted=False
        )
        ended, _ = self._lstms[name](packed)
        padded, _ = torch.nn.utils.rnn.pad_packed_sequence(
            ended, batch_first=True, total_length=x.shape[1]
        )
        return padded

    def affines(self, styles: Tensor, half: str) -> dict[str, Affine]:
        """Return the effect of styles (batch, 128) on each layer of the encoder or decoder."""
        names, sizes, weight, bias = self._styles[half]
        whole = F.linear(styles, weight, bias).unsqueeze(2)
        halves = (part.chunk(2, 1) for part in torch.split(whole, sizes, 1))
        return {
            name: Affine(1 + factor, offset)
            for name, (factor, offset) in zip(names, halves, strict=True)
        }

    def normalised(self, x: Tensor, affine: Affine, within: Within) -> Tensor:
        """Normalise each channel within its sound, and give it the style; x is overwritten."""
        mean = x.mul_(within.mask).sum(2, keepdim=True) / within.counts
        x = (x - mean).mul_(within.mask)
        power = torch.linalg.vector_norm(x, dim=2, keepdim=True).square_() / within.counts
        return torch.addcmul(affine.offset, x, affine.factor * (power + 1e-5).rsqrt())

    def block(
        self, x: Tensor, name: str, affines: Mapping[str, Affine], before: Within,
        after: Within | None = None,
    ) -> Tensor:  # fmt: skip
        """Run a residual block. With `after`, the masks after it, it doubles the frames."""
        h = self._rectified(self.normalised(x, affines[name + "/norm1"], before), before)
        if after is None:
            after = before
        else:
            weight, bias = self.weights[f"{name}/pool{WEIGHT}"], self.weights[f"{name}/pool{BIAS}"]
            h = F.conv_transpose1d(h, weight, bias, 2, 1, 1, groups=weight.shape[0])
            h.mul_(after.mask)
            x = x.repeat_interleave(2, 2)
        h = self.convolution(h, name + "/conv1")
        h = self._rectified(self.normalised(h, affines[name + "/norm2"], after), after)
        h = self.convolution(h, name + "/conv2")
        if f"{name}/conv1x1{WEIGHT}" in self.weights:
            x = self.convolution(x, name + "/conv1x1")
        return h.add_(x).mul_(1 / math.sqrt(2))

    def generator_block(
        self, x: Tensor, name: str, affines: Mapping[str, Affine], within: Within
    ) -> Tensor:
        """Run one of the generator's residual blocks: three pairs of convolutions."""
        for pair in range(3):
            h = x
            for half in (1, 2):
                affine = affines[f"{GENERATOR}/{name}/adain{half}.{pair}"]
                alpha = self.weights[f"{_ALPHAS}.{name}.alpha{half}.{pair}"]
                h = self.normalised(h, affine, within)
                h.addcdiv_((h * alpha).sin_().square_(), alpha).mul_(within.mask)
                h = self.convolution(h, f"{GENERATOR}/{name}/convs{half}.{pair}")
            x = h.add_(x)
        return x

    def _rectified(self, x: Tensor, within: Within) -> Tensor:
        return F.leaky_relu_(x, _RECTIFIER).mul_(within.mask)

    def _joined_styles(self, half: str) -> tuple[list[str], list[int], Tensor, Tensor]:
        """Join the affine maps of all styles of one half: one product instead of fifty."""
        end = "/fc" + WEIGHT
        names = sorted(
            name.removesuffix(end)
            for name in self.weights
            if name.startswith(half + "/") and name.endswith(end)
        )
        weights = [self.weights.pop(name + end) for name in names]
        biases = [self.weights.pop(f"{name}/fc{BIAS}") for name in names]
        sizes = [weight.shape[0] for weight in weights]
        return names, sizes, torch.cat(weights), torch.cat(biases)

    def _built(self, lstm: Lstm) -> torch.nn.LSTM:
        net = torch.nn.LSTM(
            lstm.inputs.shape[1], lstm.states.shape[1], batch_first=True, bidirectional=True
        )
        parameters = {
            f"{kind}_l0{end}": torch.from_numpy(np.ascontiguousarray(both[direction].T))
            for direction, end in enumerate(("", "_reverse"))
            for kind, both in (
                ("weight_ih", lstm.inputs), ("weight_hh", lstm.states),
                ("bias_ih", lstm.inputs_bias), ("bias_hh", lstm.states_bias),
            )
        }  # fmt: skip
        net.load_state_dict(parameters)
        net = net.to(self.device).eval().requires_grad_(False)
        net.flatten_parameters()
        return net
