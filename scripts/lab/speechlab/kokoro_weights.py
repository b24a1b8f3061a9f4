"""The weights of Kokoro-82M in floating point, read from its quantised ONNX file.

The file has most weights as integers of eight bits. The graph says which scale and zero point
belong to them. Each is stored under the name of its layer in the graph, as "encoder/shared".
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .onnx_file import Array, FormatError, Graph, Node, read_graph

Floats = npt.NDArray[np.float32]

WEIGHT, BIAS = ".weight", ".bias"
"""What follows a layer's name."""
SINES, SINES_BIAS = "sines.weight", "sines.bias"
"""How the harmonics of the voice are mixed: one number each."""
WINDOW = "window"
"""The window of the short-time Fourier transform, 20 samples."""

_GENERATOR = "decoder.decoder.generator."
_RENAMED = {
    "onnx::MatMul_6993": SINES,
    f"{_GENERATOR}m_source.l_linear.bias": SINES_BIAS,
    "/decoder/decoder/generator/Constant_17_output_0": WINDOW,
}
_LAYER_ENDS = (
    "_output_0_output_quantized", "_output_0_MatMul_output_quantized", "_output_quantized",
    "_output_0",
)  # fmt: skip
"""What follows a layer's name in the name of its output, longest first."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The steps and padding of a convolution, in frames, the same on both sides."""

    stride: int
    padding: int
    dilation: int


@dataclass(frozen=True, slots=True)
class Lstm:
    """Weights of a bidirectional LSTM, gates in the order of PyTorch (i f g o).

    Shapes: (2, inputs, 4 sizes), (2, sizes, 4 sizes), (2, 4 sizes), (2, 4 sizes).
    """

    inputs: Floats
    states: Floats
    inputs_bias: Floats
    states_bias: Floats


@dataclass(slots=True)
class Weights:
    """All that the network has learnt: arrays by name, geometry and LSTMs by layer."""

    arrays: dict[str, Floats] = field(default_factory=dict)
    geometry: dict[str, Geometry] = field(default_factory=dict)
    lstms: dict[str, Lstm] = field(default_factory=dict)


def read_weights(path: Path) -> Weights:
    """Read model.onnx (q8) of Kokoro-82M.

    Raises OSError where the file cannot be read, FormatError where it is another network.
    """
    graph = read_graph(path)
    try:
        return _Reader(graph).read()
    except (KeyError, ValueError, IndexError) as error:
        raise FormatError(f"{path} is not the quantised Kokoro-82M: {error!r}") from None


class _Reader:
    def __init__(self, graph: Graph) -> None:
        self._constants = graph.constants
        self._nodes = graph.nodes
        self._maker = {name: node for node in graph.nodes for name in node.outputs}
        self._users: dict[str, list[Node]] = {}
        for node in graph.nodes:
            for name in node.inputs:
                self._users.setdefault(name, []).append(node)
        self._found = Weights()

    def read(self) -> Weights:
        for node in self._nodes:
            if node.operation == "MatMulInteger":
                self._matrix(node)
            elif node.operation == "ConvInteger":
                self._quantised_convolution(node)
            elif node.operation in ("Conv", "ConvTranspose"):
                self._convolution(node)
            elif node.operation == "DynamicQuantizeLSTM":
                self._lstm(node)
            elif node.operation == "DequantizeLinear":
                self._embedding(node)
            elif node.operation in ("LayerNormalization", "SkipLayerNormalization"):
                self._keep(name for name in node.inputs if "Constant" not in name)
        self._keep(n for n in self._constants if n.endswith(("inverse_basis", "window_sum")))
        self._keep(name for name in self._constants if ".alpha" in name)
        for name, renamed in _RENAMED.items():
            self._found.arrays[renamed] = _floats(self._constants[name])
        return self._found

    def _keep(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self._constants:
                self._found.arrays[name] = _floats(self._constants[name])

    def _matrix(self, node: Node) -> None:
        layer = _layer(node.outputs[0])
        multiplied = self._scaled(self._only_user(node.outputs[0], "Cast"))
        weight = self._dequantised(node, self._scale_of(multiplied))
        self._found.arrays[layer + WEIGHT] = np.ascontiguousarray(weight.T)
        biases = {
            name
            for user in self._users.get(multiplied.outputs[0], [])
            if user.operation in ("Add", "FastGelu")
            for name in user.inputs
            if name in self._constants
        }
        (bias,) = biases
        self._found.arrays[layer + BIAS] = _floats(self._constants[bias])

    def _quantised_convolution(self, node: Node) -> None:
        layer, said = _layer(node.outputs[0]), node.outputs[0]
        after = self._only_user(said, "Cast", "Add")
        if after.operation == "Add":  # the bias, divided by the scale and made an integer
            reshaped = self._maker[_other(after, said)]
            rounded = self._maker[reshaped.inputs[0]]
            division = self._maker[self._maker[rounded.inputs[0]].inputs[0]]
            self._found.arrays[layer + BIAS] = _floats(self._constants[division.inputs[0]])
            after = self._only_user(after.outputs[0], "Cast")
        scale = self._scale_of(self._scaled(after))
        self._found.arrays[layer + WEIGHT] = self._dequantised(node, scale)
        self._found.geometry[layer] = _geometry(node)

    def _convolution(self, node: Node) -> None:
        layer = _layer(node.outputs[0])
        for name, end in zip(node.inputs[1:], (WEIGHT, BIAS), strict=False):
            self._found.arrays[layer + end] = _floats(self._constants[name])
        self._found.geometry[layer] = _geometry(node)

    def _lstm(self, node: Node) -> None:
        """Keep an LSTM; the graph's gates stand in the order i o f g."""
        parts = []
        for weight, scale, zero in ((1, 8, 9), (2, 10, 11)):
            factor, nought = (_floats(self._constants[node.inputs[at]]) for at in (scale, zero))
            factor, nought = (each.reshape(each.shape[0], 1, -1) for each in (factor, nought))
            whole = _floats(self._constants[node.inputs[weight]])
            parts.append(_gates((whole - nought) * factor))
        both = np.split(_floats(self._constants[node.inputs[3]]), 2, axis=1)
        layer = node.outputs[0].strip("/").rpartition("/")[0]
        self._found.lstms[layer] = Lstm(*parts, *(_gates(bias) for bias in both))

    def _embedding(self, node: Node) -> None:
        table = self._maker[node.inputs[0]].inputs[0]
        scale, zero = (_floats(self._constants[name]) for name in node.inputs[1:])
        name = table.removesuffix("_quantized").removesuffix(WEIGHT) + WEIGHT
        self._found.arrays[name] = (_floats(self._constants[table]) - zero) * scale

    def _dequantised(self, node: Node, scale: Array) -> Floats:
        zero = _floats(self._constants[node.inputs[3]]) if len(node.inputs) > 3 else np.float32(0)
        return _floats((_floats(self._constants[node.inputs[1]]) - zero) * _floats(scale))

    def _only_user(self, name: str, *operations: str) -> Node:
        (found,) = [node for node in self._users[name] if node.operation in operations]
        return found

    def _scaled(self, cast: Node) -> Node:
        return self._only_user(cast.outputs[0], "Mul")

    def _scale_of(self, multiplied: Node) -> Array:
        """Return the constant among what the product of an integer layer is scaled by."""
        (factors,) = [
            self._maker[name].inputs
            for name in multiplied.inputs
            if self._maker[name].operation == "Mul"
        ]
        (scale,) = [name for name in factors if name in self._constants]
        return self._constants[scale]


def _other(node: Node, name: str) -> str:
    (other,) = [each for each in node.inputs if each != name]
    return other


def _layer(output: str) -> str:
    """Return the name of the layer whose output this is: without numbers that ONNX added."""
    for end in _LAYER_ENDS:
        if output.endswith(end):
            output = output.removesuffix(end)
            break
    folder = output.strip("/").rpartition("/")[0]
    if "albert" not in folder:
        return folder
    stems = (part.rpartition("_") for part in folder.split("/"))
    return "/".join(s if last.isdigit() else f"{s}{mark}{last}" for s, mark, last in stems)


def _geometry(node: Node) -> Geometry:
    (padding,) = set(node.integers["pads"])
    return Geometry(node.integers["strides"][0], padding, node.integers["dilations"][0])


def _gates(weights: Floats) -> Floats:
    inward, outward, forget, cell = np.split(weights, 4, axis=-1)
    return np.concatenate([inward, forget, cell, outward], axis=-1)


def _floats(values: Array) -> Floats:
    return np.asarray(values, np.float32)
