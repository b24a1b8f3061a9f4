"""A trainable network from a finished model, to go on training from there.

A finished model has its batch norms folded into its affine maps. Here each map gets a batch norm
again. Some speech gives the mean and variance that it subtracts and divides by, and its own gain
and shift undo just that. So the network answers as the model does, and learns like one that was
never folded.
"""

import math
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from . import nnet3, recipe
from .batches import Utterance, collate
from .net import OFFSETS, Net

Map = tuple[nnet3.Matrix, nnet3.Matrix]
"""An affine map: its weights and its bias."""


class OtherNetworkError(Exception):
    """A model whose network has another shape than the recipe's."""


def network(model: Path, sample: Sequence[Utterance], batch: int = 64) -> Net:
    """Return the network of a model's folder, with its batch norms measured on some speech.

    Raises OtherNetworkError for another shape, OSError if it cannot be read.
    """
    try:
        maps = nnet3.read_affines(model / "am" / "final.mdl")
    except ValueError as error:
        raise OtherNetworkError(str(error)) from None
    widths = [len(bias) for _, bias in maps]
    net = Net(recipe.NetSize(*widths[:2]) if len(widths) > 1 else recipe.NetSize())
    linear = [*net.affines(), net.output]
    if [tuple(weights.shape) for weights, _ in maps] != [tuple(one.weight.shape) for one in linear]:
        raise OtherNetworkError(f"{model} has a network of another shape than the recipe's")
    groups = [sample[at : at + batch] for at in range(0, len(sample), batch)]
    with torch.no_grad():
        _measure_input(net, groups)
        for one, (weights, bias) in zip(linear, maps, strict=True):
            one.weight.copy_(torch.from_numpy(weights))
            one.bias.copy_(torch.from_numpy(bias))
        _unfold_input(net)
        _measure_norms(net, groups)
    return net


def widened(net: Net, size: recipe.NetSize, jitter: float = 0.02) -> Net:
    """Return a wider network that answers as this one does; or this one, if it is wide enough.

    Each further unit is a copy of an existing one. The next layer reads a copied unit with one
    weight, shared by all its copies (Chen, Goodfellow and Shlens 2016, Net2Net). `jitter` is the
    relative difference of the shares, because copies that are read alike would learn alike.
    """
    old, new = ([len(norm.weight) for norm in one.norms()] for one in (net, Net(size)))
    if all(more <= few for few, more in zip(old, new, strict=True)):
        return net
    wide = Net(recipe.NetSize(max(old[0], new[0]), max(old[1], new[1])))
    wide.mean.copy_(net.mean)
    wide.deviation.copy_(net.deviation)
    reads = torch.arange(len(net.mean))
    with torch.no_grad():
        for at, (one, other) in enumerate(zip(net.affines(), wide.affines(), strict=True)):
            norm, target = net.norms()[at], wide.norms()[at]
            copied = torch.arange(len(target.weight)) % len(norm.weight)
            other.weight.copy_(_shared(one.weight, reads, len(OFFSETS[at]), jitter)[copied])
            other.bias.copy_(one.bias[copied])
            for name, values in norm.state_dict().items():
                if values.dim():
                    target.state_dict()[name].copy_(values[copied])
            reads = copied
        wide.output.weight.copy_(_shared(net.output.weight, reads, 1, jitter))
        wide.output.bias.copy_(net.output.bias)
    return wide


def as_wide(maps: Sequence[Map], wide: Sequence[Map]) -> list[Map]:
    """Return a network's maps in the widths of a wider one's. It answers as before.

    Its units are where `widened` puts them, so the two are near each other, weight by weight.
    """
    found: list[Map] = []
    reads = torch.arange(maps[0][0].shape[1] // len(OFFSETS[0]))
    for at, ((weights, bias), (_, more)) in enumerate(zip(maps, wide, strict=True)):
        times = len(OFFSETS[at]) if at < len(OFFSETS) else 1
        copied = torch.arange(len(more)) % len(bias)
        shared = _shared(torch.from_numpy(weights), reads, times, jitter=0)
        found.append((shared[copied].numpy(), bias[copied.numpy()]))
        reads = copied
    return found


def _shared(weights: torch.Tensor, reads: torch.Tensor, times: int, jitter: float) -> torch.Tensor:
    """Return weights, in `times` blocks of columns, for the copies of units that `reads` names.

    The shares of a unit's copies add up to the weight that read the unit.
    """
    rows, columns = weights.shape
    blocks = weights.view(rows, times, columns // times)[:, :, reads]
    parts = 1 + jitter * torch.randn_like(blocks)
    sums = torch.zeros(rows, times, columns // times).index_add_(2, reads, parts)
    return (blocks * parts / sums[:, :, reads]).reshape(rows, -1)


def _measure_input(net: Net, groups: Sequence[Sequence[Utterance]]) -> None:
    frames = torch.cat([collate(group).frames.flatten(0, 1) for group in groups])
    net.mean.copy_(frames.mean(0))
    net.deviation.copy_(frames.std(0) + 1e-3)


def _unfold_input(net: Net) -> None:
    """Take the input's normalisation out of the first map, and scale all rows like a fresh one's.

    The optimiser takes steps of one size, so a weight that is small for its kind would lose most.
    """
    first, times = net.affines()[0], len(OFFSETS[0])
    first.bias.add_(first.weight @ net.mean.repeat(times))
    first.weight.mul_(net.deviation.repeat(times))
    for affine, norm in zip(net.affines(), net.norms(), strict=True):
        size = affine.weight.norm(dim=1) * math.sqrt(3)
        affine.weight.div_(size[:, None])
        affine.bias.div_(size)
        norm.get_buffer("running_mean").zero_()
        norm.get_buffer("running_var").fill_(1 - norm.eps)
        norm.weight.copy_(size)
        norm.bias.zero_()


def _measure_norms(net: Net, groups: Sequence[Sequence[Utterance]]) -> None:
    """Set each norm to the mean and variance of its input. Its answer stays the same."""
    sums = [torch.zeros(3, norm.num_features, dtype=torch.float64) for norm in net.norms()]

    def hear(total: torch.Tensor, entering: torch.Tensor) -> None:
        rows = entering.double()
        total += torch.stack([torch.ones_like(rows).sum(0), rows.sum(0), rows.square().sum(0)])

    hooks = [
        norm.register_forward_pre_hook(lambda _, given, total=total: hear(total, given[0]))
        for norm, total in zip(net.norms(), sums, strict=True)
    ]
    net.eval()
    for group in groups:
        net(collate(group).frames)
    for hook in hooks:
        hook.remove()
    for norm, (count, total, squares) in zip(net.norms(), sums, strict=True):
        _set(norm, mean=total / count, variance=squares / count - (total / count).square())


def _set(norm: nn.BatchNorm1d, mean: torch.Tensor, variance: torch.Tensor) -> None:
    size = norm.weight.double()
    spread = (variance.clamp(min=0) + norm.eps).sqrt()
    norm.get_buffer("running_mean").copy_(mean)
    norm.get_buffer("running_var").copy_(variance.clamp(min=0))
    norm.weight.copy_(size * spread)
    norm.bias.copy_(size * mean)
