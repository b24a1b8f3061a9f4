"""The network in a model's ``am/final.mdl``: reading it, and writing it with other weights.

The file is Kaldi's binary form of FixedAffine and RectifiedLinear components in a row. Its weights
take 16 bits each ("CM2"), and other weights take as many bytes, so they are written in place.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.speech.errors import ModelError
from assistant.speech.voices.arrays import Array

HEAD = b"\0B<TransitionModel> "
_AFFINE, _BIAS = b"<LinearParams> CM2 ", b"<BiasParams> FV \x04"
_NODE = re.compile(r"component=(layer\d+\.affine) input=(.+)")
_OFFSET = re.compile(r"Offset\([\w.]+, (-?\d+)\)|[\w.]+")
_STEPS = 65535


@dataclass(frozen=True, slots=True)
class Layer:
    """An affine map of spliced inputs: weights (outputs, inputs * offsets), bias, frames of 10 ms.

    Each but the last is followed by a ReLU.
    """

    weights: Array
    bias: Array
    offsets: tuple[int, ...]


def read_layers(path: Path) -> list[Layer]:
    """The layers, first to last. Raises ModelError where the file is none of ours."""
    data = _bytes(path)
    found = [Layer(_weights(data, at), _bias(data, at), offsets)
             for at, offsets in zip(_places(data), _offsets(data), strict=True)]  # fmt: skip
    if not found:
        raise ModelError(f"{path} holds no network that could learn.")
    return found


def write_layers(path: Path, base: Path, layers: list[Layer]) -> None:
    """Write the model ``base`` with the weights of these layers, which have its shapes."""
    data = bytearray(_bytes(base))
    for at, layer in zip(_places(bytes(data)), layers, strict=True):
        rows, columns = layer.weights.shape
        least, span = float(layer.weights.min()), float(np.ptp(layer.weights)) or 1.0
        struct.pack_into("<ffii", data, at, least, span, rows, columns)
        steps = np.rint((layer.weights.astype(np.float64) - least) / span * _STEPS)
        body = at + 16
        data[body : body + 2 * rows * columns] = steps.astype("<u2").tobytes()
        start = _bias_at(bytes(data), at)
        data[start : start + 4 * rows] = layer.bias.astype("<f4").tobytes()
    path.write_bytes(data)


def _bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}.") from error
    if not data.startswith(HEAD):
        raise ModelError(f"{path} is no Kaldi model in binary form.")
    return data


def _places(data: bytes) -> list[int]:
    """Where the numbers of each matrix begin: least, span, rows, columns."""
    found, at = [], 0
    while (at := data.find(_AFFINE, at)) >= 0:
        at += len(_AFFINE)
        found.append(at)
    return found


def _offsets(data: bytes) -> list[tuple[int, ...]]:
    """The frames that each affine takes, from the network's description."""
    text = data[data.find(b"<Nnet3>") : data.find(b"<NumComponents>")].decode("ascii", "replace")
    inputs = [found[2] for line in text.splitlines() if (found := _NODE.search(line))]
    return [tuple(int(offset or 0) for offset in _OFFSET.findall(spliced.removeprefix("Append")))
            for spliced in inputs]  # fmt: skip


def _weights(data: bytes, at: int) -> Array:
    least, span, rows, columns = struct.unpack_from("<ffii", data, at)
    steps = np.frombuffer(data, "<u2", rows * columns, at + 16)
    values = np.asarray(least + steps * (span / _STEPS), np.float32)
    return values.reshape(rows, columns)


def _shape(data: bytes, at: int) -> tuple[int, int]:
    rows, columns = struct.unpack_from("<ii", data, at + 8)
    return int(rows), int(columns)


def _bias_at(data: bytes, at: int) -> int:
    rows, columns = _shape(data, at)
    return at + 16 + 2 * rows * columns + len(_BIAS) + 4


def _bias(data: bytes, at: int) -> Array:
    rows, _ = _shape(data, at)
    return np.frombuffer(data, "<f4", rows, _bias_at(data, at)).astype(np.float32)
