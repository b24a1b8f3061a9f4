"""The files beside an exported network: the options with which the model is heard."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "kaldi_native_fbank")):
    pytest.skip("needs the train extra", allow_module_level=True)
pytest.importorskip("kaldifst", reason="needs the train extra")

from scripts.lab.speechlab import export, features, nnet3

CONF = Path(__file__).parents[3] / "models" / "mus-es" / "conf"


@pytest.mark.parametrize(
    ("name", "options"),
    [("model.conf", export.MODEL_CONF), ("mfcc.conf", features.MFCC_CONF)],
)
def test_a_new_model_has_the_options_of_the_shipped_one(name: str, options: dict[str, str]) -> None:
    lines = (CONF / name).read_text(encoding="utf-8").splitlines()
    shipped = dict(line.removeprefix("--").split("=") for line in lines)
    assert options == shipped


def test_the_mean_of_two_networks_weights_each_by_its_share() -> None:
    before = [(np.full((2, 3), 1, np.float32), np.full(2, 4, np.float32))]
    layer = nnet3.Layer(np.full((2, 3), 5, np.float32), np.zeros(2, np.float32), (0,), relu=False)
    (mean,) = export.mean(before, [layer], share=0.25)
    assert (mean.weights == 2).all()
    assert (mean.bias == 3).all()
    assert (mean.offsets, mean.relu) == (layer.offsets, layer.relu)
