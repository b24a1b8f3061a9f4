"""From a trained network to a folder that Vosk loads: am/, conf/, graph/."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from . import features, graph, lexicon_fst, nnet3, recipe, training
from .net import FACTOR, FRONT, Net, Splice
from .vocabulary import Vocabulary

MODEL_CONF = {
    "min-active": "200", "max-active": "1500", "beam": "13.0", "lattice-beam": "3.0",
    "acoustic-scale": "1.0", "frame-subsampling-factor": str(FACTOR), "frames-per-chunk": "21",
    "endpoint.silence-phones": "1", "endpoint.rule2.min-trailing-silence": "0.5",
    "endpoint.rule3.min-trailing-silence": "0.75", "endpoint.rule4.min-trailing-silence": "1.0",
}  # fmt: skip
"""Decoding options. A lattice beam of 6 overflows determinisation with the [unk] loop."""


def export(checkpoint: Path, model: Path, vocabulary: Vocabulary, costs: lexicon_fst.Costs) -> None:
    """Write the whole model from a checkpoint of `training`."""
    run = training.load(checkpoint, recipe.NetSize())
    nnet3.write(model / "am" / "final.mdl", folded(run.net), features.CEPSTRA)
    conf = model / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    _write_options(conf / "mfcc.conf", features.MFCC_CONF)
    _write_options(conf / "model.conf", MODEL_CONF)
    bigram = run.bigram.follows.numpy().astype(np.float64)
    graph.build(model / "graph", vocabulary, bigram, costs)


def _write_options(path: Path, options: dict[str, str]) -> None:
    lines = (f"--{name}={value}\n" for name, value in options.items())
    path.write_text("".join(lines), encoding="utf-8")


def folded(net: Net) -> list[nnet3.Layer]:
    """Return the layers with the input's normalisation and the batch norms folded in."""
    net.eval()
    with torch.no_grad():
        layers = [_first(net), _splice(net.second, FRONT[1])]
        for block in net.each_block():
            before = tuple(FACTOR * at for at in block.taps.squeeze)
            after = tuple(FACTOR * at for at in block.taps.widen)
            weights = block.squeeze.weight
            layers.append(_layer(weights, torch.zeros(len(weights)), before, relu=False))
            layers.append(_splice(block.widen, after, bypass=2))
        layers.append(_layer(net.output.weight, net.output.bias, (0,), relu=False))
    return layers


def _first(net: Net) -> nnet3.Layer:
    """The first layer, on cepstra as they come."""
    plain = _splice(net.first, FRONT[0])
    scale = 1 / net.deviation.double().numpy()
    centre = net.mean.double().numpy() * scale
    weights, times = plain.weights.astype(np.float64), len(FRONT[0])
    bias = plain.bias - weights @ np.tile(centre, times)
    return replace(
        plain,
        weights=(weights * np.tile(scale, times)).astype(np.float32),
        bias=bias.astype(np.float32),
    )


def _splice(splice: Splice, offsets: tuple[int, ...], bypass: int = 0) -> nnet3.Layer:
    norm = splice.norm
    spread = norm.get_buffer("running_var").double() + norm.eps
    gain = norm.weight.double() / spread.sqrt()
    bias = (splice.affine.bias.double() - norm.get_buffer("running_mean").double()) * gain
    weights = splice.affine.weight.double() * gain[:, None]
    return _layer(weights, bias + norm.bias.double(), offsets, bypass=bypass)


def _layer(
    weights: torch.Tensor, bias: torch.Tensor, offsets: tuple[int, ...], *, relu: bool = True,
    bypass: int = 0,
) -> nnet3.Layer:  # fmt: skip
    return nnet3.Layer(
        weights.float().numpy(), bias.float().numpy(), offsets, relu=relu, bypass=bypass
    )
