"""The network of the second check. It says of each cell whether the print is the same.

The answers are: the same print, another print, or a thing upon it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import nn

from assistant.eye.compare import SIZE

WIDE, DEEP = 16, 32
"""Channels at half the resolution, and for each cell."""
REACHES = (1, 2, 4, 8, 1)
"""Reach of the layers for each cell, in cells. Together they see the whole card, so a part of a
thing that lies on bare paper helps to recognise it."""
KINDS = 3
NEW_SCALE = 0.1
"""Weight of a layer that is added to a trained network, so that it changes little at first."""


class CheckNet(nn.Module):
    """From (n, 7, height, width) to (n, 3, rows, columns): logits of the kinds of each cell."""

    def __init__(self, reaches: Sequence[int] = REACHES) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(10, WIDE, 5, 2, 2, bias=False), nn.BatchNorm2d(WIDE), nn.ReLU(),
            nn.Conv2d(WIDE, WIDE, 3, 1, 1, bias=False), nn.BatchNorm2d(WIDE), nn.ReLU(),
            nn.Conv2d(WIDE, DEEP, 3, 2, 1, bias=False), nn.BatchNorm2d(DEEP), nn.ReLU(),
        )  # fmt: skip
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(DEEP, DEEP, 3, 1, reach, dilation=reach, bias=False),
                nn.BatchNorm2d(DEEP),
                nn.ReLU(),
            )
            for reach in reaches
        )
        self.last = nn.Conv2d(DEEP, KINDS, 1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        apart = torch.abs(pictures[:, :3] - pictures[:, 3:6])
        found = self.first(torch.cat([pictures, apart], dim=1))
        for layer in self.layers:
            found = found + layer(found)
        told: torch.Tensor = self.last(found)
        return told


def restored(path: Path, pictures: torch.Tensor, reaches: Sequence[int] = REACHES) -> CheckNet:
    """The network of an ONNX file, which answers as it did, and can be trained on.

    Layers of ``reaches`` that the file lacks are added. The file holds each batch normalisation
    within its convolution, so the means and variances are measured on ``pictures``.
    """
    held = [onnx.numpy_helper.to_array(one) for one in onnx.load(str(path)).graph.initializer]
    last, trained = held[:2], held[2:]
    net = CheckNet(reaches)
    convolutions = [one for one in net.modules() if isinstance(one, nn.Conv2d)][:-1]
    norms: list[nn.BatchNorm2d] = [one for one in net.modules() if isinstance(one, nn.BatchNorm2d)]
    with torch.no_grad():
        for parameter, values in zip((net.last.weight, net.last.bias), last, strict=True):
            assert parameter is not None
            parameter.copy_(torch.tensor(values))
        for convolution, values in zip(convolutions, trained[::2], strict=False):
            convolution.weight.copy_(torch.tensor(values))
        biases = [torch.tensor(values) for values in trained[1::2]]
        for norm in norms[len(biases) :]:
            norm.weight.fill_(NEW_SCALE)
        hooks = [norm.register_forward_pre_hook(_measured(bias))
                 for norm, bias in zip(norms, biases, strict=False)]  # fmt: skip
        net.eval()(pictures)
    for hook in hooks:
        hook.remove()
    return net


def _measured(bias: torch.Tensor) -> Any:
    """A hook that makes a batch normalisation add ``bias`` and change nothing else."""

    def measure(norm: Any, given: tuple[torch.Tensor]) -> None:
        norm.running_mean.copy_(given[0].mean(dim=(0, 2, 3)))
        norm.running_var.copy_(given[0].var(dim=(0, 2, 3)) + norm.eps)
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias.copy_(norm.running_mean + bias)

    return measure


def export(net: CheckNet, path: Path) -> None:
    """Write the network as ONNX, for any number of cards at once."""
    net.eval()
    wide, high = SIZE
    axes = {"cards": {0: "n"}, "cells": {0: "n"}}
    example = torch.zeros(1, 7, high, wide)
    with warnings.catch_warnings():
        # The newer exporter needs one more package and writes the same file.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            net,
            (example,),
            str(path),
            dynamo=False,
            dynamic_axes=axes,
            input_names=["cards"],
            output_names=["cells"],
        )
