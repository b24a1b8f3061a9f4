"""The command that trains the network of the second check: one small run, and its refusals."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "onnx")):
    pytest.skip("needs the train extra", allow_module_level=True)

from scripts.lab import train_check


def test_a_small_run_leaves_a_model_and_a_second_one_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = ["--tables", "8", "--evenings", "2", "--rounds", "1"]
    asked = ["--work", str(tmp_path), *sizes, "--jobs", "1", "--json"]
    assert train_check.main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert 20_000 < told["numbers"] < 60_000
    assert set(told["right"]) == {"alike", "differs", "covered"}
    assert all(0 <= share <= 1 for share in told["cards"].values())
    assert (tmp_path / "check.onnx").stat().st_size > 50_000
    kept = [path for name in ("samples", "evenings") for path in (tmp_path / name).iterdir()]
    times = [path.stat().st_mtime_ns for path in kept]
    assert train_check.main(asked) == 0
    assert [path.stat().st_mtime_ns for path in kept] == times
    assert json.loads(capsys.readouterr().out) == told


@pytest.mark.parametrize(
    "asked", [["--tables", "0"], ["--rounds", "0"], ["--jobs", "0"], ["--evenings", "-1"]]
)
def test_an_impossible_request_is_refused(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train_check.main([*asked, "--work", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
