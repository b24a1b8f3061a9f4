"""What is written beside a network: the options that the shipped model is heard with."""

import importlib.util
from pathlib import Path

import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "kaldi_native_fbank")):
    pytest.skip("needs the train extra", allow_module_level=True)
pytest.importorskip("kaldifst", reason="needs the train extra")

from scripts.speechlab import export, features

CONF = Path(__file__).parents[2] / "models" / "mus-es" / "conf"


@pytest.mark.parametrize(
    ("name", "options"),
    [("model.conf", export.MODEL_CONF), ("mfcc.conf", features.MFCC_CONF)],
)
def test_a_new_model_has_the_options_of_the_one_that_ships(
    name: str, options: dict[str, str]
) -> None:
    lines = (CONF / name).read_text(encoding="utf-8").splitlines()
    shipped = dict(line.removeprefix("--").split("=") for line in lines)
    assert options == shipped
