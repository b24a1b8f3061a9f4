"""The network of the second check. It says of each cell whether the print is the same.

The answers are: the same print, another print, or a thing upon it.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import nn

from assistant.eye.compare import SIZE

WIDE, DEEP = 16, 32
"""Channels at half the resolution, and for each cell."""
REACHES = (1, 2, 4, 8, 1)
"""Reach of the layers for each cell, in cells. Together they see the whole card, so a part of a
thing that lies on bare paper helps to recognise it."""
KINDS = 3


class CheckNet(nn.Module):
    """From (n, 7, height, width) to (n, 3, rows, columns): logits of the kinds of each cell."""

    def __init__(self) -> None:
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
            for reach in REACHES
        )
        self.last = nn.Conv2d(DEEP, KINDS, 1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        apart = torch.abs(pictures[:, :3] - pictures[:, 3:6])
        found = self.first(torch.cat([pictures, apart], dim=1))
        for layer in self.layers:
            found = found + layer(found)
        told: torch.Tensor = self.last(found)
        return told


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
