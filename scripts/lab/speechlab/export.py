"""Export of a trained network as a folder that Vosk loads: am/, conf/, graph/."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from . import features, graph, lexicon_fst, nnet3, training, warm_start
from .net import FACTOR, OFFSETS, SLOW_FROM, Net
from .vocabulary import Vocabulary

MODEL_CONF = {
    "min-active": "200", "max-active": "1500", "beam": "13.0", "lattice-beam": "3.0",
    "acoustic-scale": "1.0", "frame-subsampling-factor": str(FACTOR), "frames-per-chunk": "30",
    "endpoint.silence-phones": "1", "endpoint.rule2.min-trailing-silence": "0.9",
    "endpoint.rule3.min-trailing-silence": "1.0", "endpoint.rule4.min-trailing-silence": "1.0",
}  # fmt: skip
"""Decoding options. A lattice beam of 6 overflows determinisation with the [unk] loop.

The weights do not fit a core's cache and are read once a chunk, so more frames a chunk cost less;
from 42 on a call is on the page later (docs/speech-model.md)."""


def export(
    checkpoint: Path, model: Path, vocabulary: Vocabulary, costs: lexicon_fst.Costs,
    before: Path | None = None, share: float = 1.0,
) -> None:  # fmt: skip
    """Write the whole model from a checkpoint of `training`.

    `before` is the model from which training went on. The new network gets `share` of the weights.
    A narrower one is widened first.
    """
    run = training.load(checkpoint)
    layers = folded(run.net)
    if before is not None and share < 1:
        maps = nnet3.read_affines(before / "am" / "final.mdl")
        wide = warm_start.as_wide(maps, [(layer.weights, layer.bias) for layer in layers])
        layers = mean(wide, layers, share)
    nnet3.write(model / "am" / "final.mdl", layers, features.CEPSTRA)
    conf = model / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    _write_options(conf / "mfcc.conf", features.MFCC_CONF)
    _write_options(conf / "model.conf", MODEL_CONF)
    bigram = run.bigram.follows.numpy().astype(np.float64)
    graph.build(model / "graph", vocabulary, bigram, costs)


def mean(
    before: Sequence[tuple[nnet3.Matrix, nnet3.Matrix]], layers: Sequence[nnet3.Layer], share: float
) -> list[nnet3.Layer]:
    """Return the weighted mean of two networks, `share` of it the second (Wortsman et al. 2022)."""
    return [
        replace(
            layer,
            weights=(1 - share) * weights + share * layer.weights,
            bias=(1 - share) * bias + share * layer.bias,
        )
        for (weights, bias), layer in zip(before, layers, strict=True)
    ]


def _write_options(path: Path, options: dict[str, str]) -> None:
    lines = (f"--{name}={value}\n" for name, value in options.items())
    path.write_text("".join(lines), encoding="utf-8")


def folded(net: Net) -> list[nnet3.Layer]:
    """Return the layers with the input's normalisation and the batch norms folded in."""
    net.eval()
    layers = []
    with torch.no_grad():
        for number, (affine, norm) in enumerate(zip(net.affines(), net.norms(), strict=True)):
            weights, bias = affine.weight.double(), affine.bias.double()
            if number == 0:
                times = len(OFFSETS[0])
                scale = net.deviation.double().reciprocal().repeat(times)
                bias = bias - weights @ (net.mean.double().repeat(times) * scale)
                weights = weights * scale
            spread = norm.get_buffer("running_var").double() + norm.eps
            gain = norm.weight.double() / spread.sqrt()
            bias = (bias - norm.get_buffer("running_mean").double()) * gain + norm.bias.double()
            step = FACTOR if number >= SLOW_FROM else 1
            frames = tuple(offset * step for offset in OFFSETS[number])
            layers.append(_layer(weights * gain[:, None], bias, frames))
        last = _layer(net.output.weight, net.output.bias, (0,))
    return [*layers, nnet3.Layer(last.weights, last.bias, last.offsets, relu=False)]


def _layer(weights: torch.Tensor, bias: torch.Tensor, offsets: tuple[int, ...]) -> nnet3.Layer:
    return nnet3.Layer(weights.float().numpy(), bias.float().numpy(), offsets)
