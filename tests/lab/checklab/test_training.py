"""Training of the network of the second check: it learns, goes on, and OpenCV can read it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "onnx")):
    pytest.skip("needs the train extra", allow_module_level=True)

import torch

from assistant.eye.compare import CELLS
from scripts.lab.checklab import training
from scripts.lab.checklab.net import REACHES, CheckNet, export, restored
from scripts.lab.checklab.samples import COVERED, DIFFERS, Samples, samples


def some() -> list[Samples]:
    torch.set_num_threads(1)
    return [samples(seed) for seed in range(8)]


def test_training_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = some()
    whole = training.train(parts, 2, tmp_path / "whole.pt")
    steps = 2 * (sum(len(one.cells) for one in parts) // training.BATCH)

    class StoppedError(Exception):
        pass

    save = training._save

    def stopping(path: Path, *rest: Any) -> None:
        save(path, *rest)
        if rest[-1] == steps // 2:
            raise StoppedError

    monkeypatch.setattr(training, "SAVE_EVERY", 1)
    monkeypatch.setattr(training, "_save", stopping)
    with pytest.raises(StoppedError):
        training.train(parts, 2, tmp_path / "stopped.pt")
    monkeypatch.setattr(training, "_save", save)
    again = training.train(parts, 2, tmp_path / "stopped.pt")
    for name, value in whole.state_dict().items():
        assert torch.allclose(value.float(), again.state_dict()[name].float(), atol=1e-3), name


def test_training_learns_what_it_is_shown(tmp_path: Path) -> None:
    parts = some()
    before = training.right_shares(CheckNet(), parts)
    told = training.right_shares(training.train(parts, 14, tmp_path / "net.pt"), parts)
    assert told["alike"] > 0.9
    assert told["alike"] + told["differs"] + told["covered"] > sum(before.values()) + 0.3


def test_opencv_reads_what_was_exported_for_any_number_of_cards(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net, path = CheckNet().eval(), tmp_path / "check.onnx"
    export(net, path)
    assert path.stat().st_size < 250_000
    read = cv2.dnn.readNetFromONNX(str(path))
    for count in (1, 3):
        given = np.random.default_rng(count).normal(size=(count, 7, 176, 112)).astype(np.float32)
        read.setInput(given)
        with torch.no_grad():
            wanted = net(torch.from_numpy(given)).numpy()
        assert wanted.shape == (count, 3, *CELLS)
        assert np.allclose(read.forward(), wanted, atol=1e-4)


def test_kinds_are_counted_by_their_names() -> None:
    assert (DIFFERS, COVERED) == (1, 2)
    shares = training.right_shares(CheckNet(), some()[:2])
    assert set(shares) == {"alike", "differs", "covered"}
    assert all(0 <= share <= 1 for share in shares.values())


def test_a_network_that_was_exported_answers_alike_and_can_be_trained_on(tmp_path: Path) -> None:
    parts, path = some(), tmp_path / "check.onnx"
    net = training.train(parts, 2, tmp_path / "net.pt")
    export(net, path)
    pictures = training.some_pictures(parts)
    again = restored(path, pictures)
    with torch.no_grad():
        assert torch.allclose(again(pictures[:4]), net(pictures[:4]), atol=1e-3)
    deeper = restored(path, pictures, (*REACHES, 2))
    assert len(deeper.layers) == len(REACHES) + 1
    before = training.right_shares(again, parts)
    after = training.right_shares(training.train(parts, 6, tmp_path / "on.pt", start=again), parts)
    assert sum(after.values()) > sum(before.values())


def test_cards_are_counted_as_doubted_or_missed() -> None:
    shares = training.card_shares(CheckNet(), some())
    assert {name.split(",")[0] for name in shares} == {"doubted", "missed"}
    assert all(0 <= share <= 1 for share in shares.values())
