"""Writer and reader of am/final.mdl: Kaldi's TransitionModel and nnet3 network in binary.

It supports only what Vosk needs and we use: the chain topology with one state for each phone,
FixedAffine and RectifiedLinear components. Weights take 16 bits each, which Kaldi reads wherever it
reads a matrix (CompressedMatrix, "CM2"). Source: Kaldi hmm/hmm-topology.cc,
hmm/transition-model.cc, nnet3/nnet-nnet.cc, nnet3/nnet-simple-component.cc,
nnet3/am-nnet-simple.cc, matrix/compressed-matrix.cc (their Write methods).
"""

import math
import struct
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from . import phones

Matrix = npt.NDArray[np.float32]
_WEIGHTS = b"<LinearParams> "
_STEPS = 65535
"""Steps of a 16-bit number between the least and the greatest of a matrix."""


@dataclass(frozen=True, slots=True)
class Layer:
    """An affine map of spliced inputs, with ReLU except for the last one.

    weights: (outputs, inputs * offsets); bias: (outputs,); offsets: in frames of 10 ms.
    """

    weights: Matrix
    bias: Matrix
    offsets: tuple[int, ...]
    relu: bool = True


class _Writer:
    """Kaldi's binary primitives: tokens, sized numbers, float vectors and matrices."""

    def __init__(self) -> None:
        self.out = BytesIO()
        self.out.write(b"\0B")

    def tokens(self, *tokens: str) -> None:
        for token in tokens:
            self.out.write(token.encode() + b" ")

    def text(self, text: str) -> None:
        self.out.write(text.encode())

    def ints(self, *values: int) -> None:
        for value in values:
            self.out.write(b"\x04" + struct.pack("<i", value))

    def single(self, value: float) -> None:
        self.out.write(b"\x04" + struct.pack("<f", value))

    def double(self, value: float) -> None:
        self.out.write(b"\x08" + struct.pack("<d", value))

    def int_vector(self, values: list[int]) -> None:
        self.out.write(b"\x04" + struct.pack("<i", len(values)))
        self.out.write(np.asarray(values, "<i4").tobytes())

    def vector(self, values: Matrix) -> None:
        self.tokens("FV")
        self.ints(len(values))
        self.out.write(np.asarray(values, "<f4").tobytes())

    def matrix(self, values: Matrix) -> None:
        """Write a matrix in 16 bits a number, linearly from its least to its greatest."""
        least, span = float(values.min()), float(np.ptp(values)) or 1.0
        self.tokens("CM2")
        self.out.write(struct.pack("<ffii", least, span, *values.shape))
        steps = np.rint((values.astype(np.float64) - least) / span * _STEPS)
        self.out.write(steps.astype("<u2").tobytes())


def write(path: Path, layers: list[Layer], inputs: int) -> None:
    """Write the model file for `layers`, first to last, on `inputs` features a frame."""
    writer = _Writer()
    _transition_model(writer)
    _network(writer, layers, inputs)
    writer.tokens("<LeftContext>")
    writer.ints(0)
    writer.tokens("<RightContext>")
    writer.ints(0)
    writer.tokens("<Priors>")
    writer.vector(np.zeros(0, np.float32))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(writer.out.getvalue())


def _transition_model(writer: _Writer) -> None:
    writer.tokens("<TransitionModel>", "<Topology>")
    _topology(writer, len(phones.POSITIONED))
    writer.tokens("</Topology>", "<Tuples>")
    writer.ints(len(phones.POSITIONED))
    for phone, number in phones.PHONE_ID.items():
        base = phones.base_of(phone)
        writer.ints(number, 0, phones.forward_output(base), phones.loop_output(base))
    writer.tokens("</Tuples>", "<LogProbs>")
    writer.vector(np.array([0.0] + [math.log(0.5)] * phones.TRANSITIONS, np.float32))
    writer.tokens("</LogProbs>", "</TransitionModel>")


def _topology(writer: _Writer, count: int) -> None:
    """One entry for all phones: state 0 stays or leaves, state 1 is final.

    The -1 before the number of entries marks a topology whose self-loop has an output of its own.
    """
    writer.int_vector(list(range(1, count + 1)))
    writer.int_vector([-1] + [0] * count)
    writer.ints(-1, 1, 2)
    writer.ints(0, 1)  # forward class 0, self-loop class 1
    writer.ints(2, 0)
    writer.single(0.5)
    writer.ints(1)
    writer.single(0.5)
    writer.ints(-1, -1, 0)


def _network(writer: _Writer, layers: list[Layer], inputs: int) -> None:
    config, components = [f"input-node name=input dim={inputs}"], 0
    last = "input"
    for number, layer in enumerate(layers):
        affine = f"layer{number}.affine"
        source = _spliced(last, layer.offsets)
        config.append(f"component-node name={affine} component={affine} input={source}")
        last, components = affine, components + 1
        if layer.relu:
            last = f"layer{number}.relu"
            config.append(f"component-node name={last} component={last} input={affine}")
            components += 1
    config.append(f"output-node name=output input={last} objective=linear")
    writer.tokens("<Nnet3>")
    writer.text("\n" + "\n".join(config) + "\n\n")
    writer.tokens("<NumComponents>")
    writer.ints(components)
    for number, layer in enumerate(layers):
        _affine(writer, f"layer{number}.affine", layer)
        if layer.relu:
            _relu(writer, f"layer{number}.relu", len(layer.bias))
    writer.tokens("</Nnet3>")


def _spliced(node: str, offsets: tuple[int, ...]) -> str:
    if offsets == (0,):
        return node
    taps = (node if offset == 0 else f"Offset({node}, {offset})" for offset in offsets)
    return f"Append({', '.join(taps)})"


def _affine(writer: _Writer, name: str, layer: Layer) -> None:
    writer.tokens("<ComponentName>", name, "<FixedAffineComponent>", "<LinearParams>")
    writer.matrix(layer.weights)
    writer.tokens("<BiasParams>")
    writer.vector(layer.bias)
    writer.tokens("</FixedAffineComponent>")


def _relu(writer: _Writer, name: str, width: int) -> None:
    """Write a ReLU with the statistics that Kaldi keeps in training, all empty."""
    nothing = np.zeros(0, np.float32)
    writer.tokens("<ComponentName>", name, "<RectifiedLinearComponent>", "<Dim>")
    writer.ints(width)
    for token in ("<ValueAvg>", "<DerivAvg>"):
        writer.tokens(token)
        writer.vector(nothing)
    writer.tokens("<Count>")
    writer.double(0.0)
    writer.tokens("<OderivRms>")
    writer.vector(nothing)
    for token in ("<OderivCount>", "<NumDimsSelfRepaired>", "<NumDimsProcessed>"):
        writer.tokens(token)
        writer.double(0.0)
    writer.tokens("</RectifiedLinearComponent>")


def read_affines(path: Path) -> list[tuple[Matrix, Matrix]]:
    """Return (weights, bias) of each affine component of a model file that `write` made.

    Raises ValueError if the file is no such model.
    """
    data = path.read_bytes()
    if not data.startswith(b"\0B<TransitionModel> "):
        raise ValueError(f"{path} is no Kaldi model in binary form")
    found, at = [], 0
    while (at := data.find(_WEIGHTS, at)) >= 0:
        weights, at = _matrix(data, at + len(_WEIGHTS))
        at += len(b"<BiasParams> FV ") + 5
        bias = np.frombuffer(data, "<f4", len(weights), at).astype(np.float32)
        found.append((weights, bias))
    return found


def _matrix(data: bytes, at: int) -> tuple[Matrix, int]:
    """Read a matrix of 16-bit or of whole numbers; return it and where it ends."""
    if data.startswith(b"FM ", at):
        rows, columns = struct.unpack_from("<xixi", data, at + 3)
        values = np.frombuffer(data, "<f4", rows * columns, at + 13).astype(np.float32)
        return values.reshape(rows, columns), at + 13 + 4 * rows * columns
    least, span, rows, columns = struct.unpack_from("<ffii", data, at + len(b"CM2 "))
    at += len(b"CM2 ") + 16
    steps = np.frombuffer(data, "<u2", rows * columns, at)
    values = (least + steps * (span / _STEPS)).astype(np.float32)
    return values.reshape(rows, columns), at + 2 * rows * columns
