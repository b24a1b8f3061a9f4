"""The two commands of the speech lab: one sentence and exit code 2 for whatever they lack."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_training_without_its_packages_says_what_to_install(tmp_path: Path) -> None:
    ended = _run("scripts/lab/train_model.py", "--work", str(tmp_path))
    assert ended.returncode == 2
    assert ended.stderr.strip() == "train_model: torch is missing: pip install '.[train]'"


@pytest.mark.skipif(importlib.util.find_spec("scipy") is not None, reason="scipy is installed")
def test_measuring_without_its_packages_says_what_to_install() -> None:
    ended = _run("scripts/lab/bench_model.py", "models/mus-es")
    assert ended.returncode == 2
    assert "is missing: pip install '.[train]'" in ended.stderr


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs the train extra")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("--stage", "export"), "run --stage train first"),
     (("--stage", "synth", "--parts", "99"), "no part '99'"),
     (("--stage", "train", "--from", "nowhere"), "nowhere is no model: it has no am/final.mdl"),
     (("--stage", "pack"), "there is no speech in"),
     (("--stage", "export", "--share", "0.5"), "--share needs --from"),
     (("--stage", "export", "--from", "models/mus-es", "--share", "2"), "from 0 (the model")],
)  # fmt: skip
def test_training_refuses_an_impossible_request(
    arguments: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    ended = _run("scripts/lab/train_model.py", "--work", str(tmp_path), *arguments)
    assert ended.returncode == 2
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs the train extra")
@pytest.mark.parametrize("stage", ["neural", "train"])
def test_a_missing_gpu_is_reported(stage: str, tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    ended = _run(
        "scripts/lab/train_model.py", "--work", str(tmp_path), "--stage", stage, "--device", "cuda"
    )
    assert ended.returncode == 2
    assert ended.stderr.strip() == (
        "train_model: --device cuda: PyTorch finds none here; --device cpu needs no GPU"
    )


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs the train extra")
@pytest.mark.parametrize("stage", ["train", "export"])
def test_a_run_with_other_options_is_reported(stage: str, tmp_path: Path) -> None:
    import torch

    from scripts.lab.speechlab import lfmmi, net, recipe, training

    learns = net.Net(recipe.NetSize())
    bigram = lfmmi.Bigram(torch.zeros(2, 2), torch.zeros(2))
    options = training.Options(7, 0.5, without=frozenset({"somebody", "another"}))
    training.Run(
        learns, torch.optim.AdamW(learns.parameters()), bigram, training.Progress(),
        options.deciding(),
    ).save(tmp_path / "net.pt")  # fmt: skip
    ended = _run(
        "scripts/lab/train_model.py", "--work", str(tmp_path), "--model", str(tmp_path / "model"),
        "--stage", stage, "--seed", "7",
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.strip() == (
        f"train_model: {tmp_path / 'net.pt'} was made with --steps 0.5 and --without "
        "another,somebody: give that again, or remove the file to begin anew"
    )


def test_adding_a_word_needs_kaldifst_and_a_model_of_ours() -> None:
    ended = _run("scripts/lab/train_model.py", "--stage", "graph", "--model", "nowhere")
    installed = importlib.util.find_spec("kaldifst") is not None
    assert ended.returncode == 2
    assert ("no model of ours" if installed else "kaldifst is missing: pip install") in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(importlib.util.find_spec("scipy") is None, reason="needs the train extra")
@pytest.mark.skipif(importlib.util.find_spec("soundfile") is None, reason="needs the train extra")
def test_measuring_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    ended = _run("scripts/lab/bench_model.py", str(tmp_path))
    assert ended.returncode == 2
    assert "words.txt" in ended.stderr
    assert "Traceback" not in ended.stderr
