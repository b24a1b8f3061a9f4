"""The reader of ONNX files, on a graph that is written here byte by byte."""

from pathlib import Path

import numpy as np
import pytest

from scripts.lab.speechlab import kokoro_weights, onnx_file


def varint(number: int) -> bytes:
    """Return an integer as a protocol buffer has it: seven bits a byte, the lowest first."""
    number &= 2**64 - 1
    head = b""
    while number > 127:
        head += bytes([number & 127 | 128])
        number >>= 7
    return head + bytes([number])


def field(number: int, content: bytes | int) -> bytes:
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


PADS = field(1, b"pads") + field(8, 1) + field(8, 2) + field(20, 7)
AXIS = field(1, b"axis") + field(3, -1) + field(20, 2)
NODE = (
    field(1, b"sound") + field(1, b"weight") + field(2, b"answer") + field(3, b"layer")
    + field(4, b"Conv") + field(5, PADS) + field(5, AXIS)
)  # fmt: skip
WEIGHT = np.array([[1.5, -2.0, 0.25], [0.0, 3.0, -1.0]], np.float32)
TENSORS = (
    field(1, bytes([2, 3])) + field(2, 1) + field(8, b"weight") + field(9, WEIGHT.tobytes()),
    field(1, 2) + field(2, 7) + field(7, bytes([5, 100])) + field(8, b"splits"),
)
GRAPH = field(1, NODE) + b"".join(field(5, tensor) for tensor in TENSORS)


def test_constants_and_nodes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(field(1, 8) + field(7, GRAPH))
    graph = onnx_file.read_graph(path)
    (node,) = graph.nodes
    assert (node.operation, node.inputs, node.outputs) == ("Conv", ("sound", "weight"), ("answer",))
    assert node.integers == {"pads": (1, 2), "axis": (-1,)}
    np.testing.assert_array_equal(graph.constants["weight"], WEIGHT)
    np.testing.assert_array_equal(graph.constants["splits"], [5, 100])


@pytest.mark.parametrize("content", [b"", b"no network", field(7, GRAPH)[:-5]])
def test_what_is_no_onnx_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(content)
    with pytest.raises(onnx_file.FormatError, match=r"net\.onnx is no ONNX file"):
        onnx_file.read_graph(path)


def test_another_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(field(7, GRAPH))
    with pytest.raises(onnx_file.FormatError, match="is not the quantised Kokoro-82M"):
        kokoro_weights.read_weights(path)
