"""Reader of ONNX files: a graph's constants and nodes.

ONNX is a protocol buffer. This reads the few of its fields that the weights of a network need, so
that the package onnx is not needed. The numbers of the fields are those of onnx.proto.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_TYPES = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64, 11: np.float64}
"""Element types of a tensor, by their numbers in onnx.proto."""
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
"""Wire types of a protocol buffer."""


class FormatError(ValueError):
    """The file is no ONNX graph, or has something that this reader does not support."""


@dataclass(frozen=True, slots=True)
class Node:
    """One operation: its inputs and outputs by name, and those attributes that are integers."""

    operation: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    integers: dict[str, tuple[int, ...]]


@dataclass(slots=True)
class Graph:
    """The nodes of a graph in their order, and its constants by name."""

    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)


def read_graph(path: Path) -> Graph:
    """Read the graph of an ONNX file.

    Raises OSError where the file cannot be read, FormatError where it is of another kind.
    """
    graph = Graph()
    try:
        for model_field, content in _fields(memoryview(path.read_bytes())):
            if model_field == 7:
                _read_into(graph, content)
    except (IndexError, KeyError, TypeError, UnicodeDecodeError, ValueError) as error:
        raise FormatError(f"{path} is no ONNX file that can be read here: {error!r}") from None
    if not graph.nodes:
        raise FormatError(f"{path} is no ONNX file: it has no nodes")
    return graph


def _read_into(graph: Graph, content: memoryview) -> None:
    for number, value in _fields(content):
        if number == 1:
            graph.nodes.append(_node(value))
        elif number == 5:
            name, constant = _tensor(value)
            graph.constants[name] = constant


def _node(content: memoryview) -> Node:
    inputs, outputs, operation, integers = [], [], "", {}
    for number, value in _fields(content):
        if number == 1:
            inputs.append(_text(value))
        elif number == 2:
            outputs.append(_text(value))
        elif number == 4:
            operation = _text(value)
        elif number == 5:
            name, numbers = _attribute(value)
            integers[name] = numbers
    return Node(operation, tuple(inputs), tuple(outputs), integers)


def _attribute(content: memoryview) -> tuple[str, tuple[int, ...]]:
    name, numbers = "", list[int]()
    for number, value in _fields(content):
        if number == 1:
            name = _text(value)
        elif number in (3, 8):
            numbers += _integers(value)
    return name, tuple(numbers)


def _tensor(content: memoryview) -> tuple[str, Array]:
    shape, kind, name, raw, listed = list[int](), 0, "", memoryview(b""), list[int]()
    for number, value in _fields(content):
        if number == 1:
            shape += _integers(value)
        elif number == 2:
            (kind,) = _integers(value)
        elif number in (5, 7):
            listed += _integers(value)
        elif number == 8:
            name = _text(value)
        elif number in (4, 9):
            raw = value
    whole = np.asarray(listed, _TYPES[kind]) if listed else np.frombuffer(raw, _TYPES[kind])
    return name, whole.reshape(shape)


def _text(value: memoryview) -> str:
    return bytes(value).decode()


def _integers(packed: memoryview) -> list[int]:
    numbers, at = [], 0
    while at < len(packed):
        number, at = _varint(packed, at)
        numbers.append(number - (1 << 64) if number >> 63 else number)
    return numbers


def _fields(content: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield each field's number and bytes. A single integer has the bytes of its varint."""
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        start, wire = at, key & 7
        if wire == _VARINT:
            _, at = _varint(content, at)
        elif wire == _BYTES:
            length, start = _varint(content, at)
            at = start + length
        elif wire in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if wire == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"wire type {wire}")
        if at > len(content):
            raise ValueError("it ends too early")
        yield key >> 3, content[start:at]


def _varint(content: memoryview, at: int) -> tuple[int, int]:
    """Return the integer that begins at `at`, seven bits a byte, and where the next field is."""
    number = shift = 0
    while content[at] & 0x80:
        number |= (content[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
    return number | content[at] << shift, at + 1
