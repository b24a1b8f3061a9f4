"""The model file in Kaldi's format: what is written is read back."""

import struct
from pathlib import Path

import numpy as np
import pytest

from scripts.lab.speechlab import nnet3, phones


def _layers() -> list[nnet3.Layer]:
    rng = np.random.default_rng(1)

    def matrix(*shape: int) -> nnet3.Matrix:
        return rng.standard_normal(shape).astype(np.float32)

    return [
        nnet3.Layer(matrix(4, 6), matrix(4), (-1, 0, 1)),
        nnet3.Layer(matrix(phones.OUTPUTS, 4), matrix(phones.OUTPUTS), (0,), relu=False),
    ]


def test_weights_survive_the_round_trip(tmp_path: Path) -> None:
    path, layers = tmp_path / "am" / "final.mdl", _layers()
    nnet3.write(path, layers, inputs=2)
    read = nnet3.read_affines(path)
    assert len(read) == len(layers)
    for (weights, bias), layer in zip(read, layers, strict=True):
        step = float(np.ptp(layer.weights)) / 65535
        np.testing.assert_allclose(weights, layer.weights, atol=0.51 * step, rtol=0)
        np.testing.assert_array_equal(bias, layer.bias)


def test_the_network_splices_its_inputs_as_the_layers_say(tmp_path: Path) -> None:
    path = tmp_path / "final.mdl"
    nnet3.write(path, _layers(), inputs=2)
    data = path.read_bytes()
    assert b"input-node name=input dim=2\n" in data
    assert b"input=Append(Offset(input, -1), input, Offset(input, 1))\n" in data
    assert b"output-node name=output input=layer1.affine objective=linear\n" in data
    assert b"<NumComponents> " + b"\x04" + struct.pack("<i", 3) in data


def test_constant_weights_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "final.mdl"
    flat = nnet3.Layer(np.full((3, 2), 0.25, np.float32), np.zeros(3, np.float32), (0,))
    nnet3.write(path, [flat], inputs=2)
    ((weights, _),) = nnet3.read_affines(path)
    np.testing.assert_array_equal(weights, flat.weights)


def test_a_phone_has_a_tuple_with_its_two_outputs(tmp_path: Path) -> None:
    path = tmp_path / "final.mdl"
    nnet3.write(path, _layers(), inputs=2)
    data = path.read_bytes()
    at = data.index(b"<Tuples> ") + len(b"<Tuples> ")
    numbers = struct.unpack_from("<" + "xi" * 9, data, at)
    assert numbers == (len(phones.POSITIONED), 1, 0, 0, 1, 2, 0, 2, 3)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "final.mdl"
    path.write_bytes(b"RIFF")
    with pytest.raises(ValueError, match="no Kaldi model"):
        nnet3.read_affines(path)


def test_the_shipped_network_is_small_and_has_an_output_for_each_phone() -> None:
    path = Path(__file__).parents[3] / "models" / "mus-es" / "am" / "final.mdl"
    assert path.stat().st_size < 12_000_000
    assert len(nnet3.read_affines(path)[-1][1]) == phones.OUTPUTS
