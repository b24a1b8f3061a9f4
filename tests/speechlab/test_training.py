"""Training: a run that was stopped goes on as if it had not been; nothing is learnt from nobody."""

import importlib.util
import random
from pathlib import Path

import numpy as np
import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "kaldi_native_fbank")):
    pytest.skip("needs the train extra", allow_module_level=True)

import torch

from scripts.speechlab import features, recipe, specaug, training

_ROUNDS = (recipe.Round(4, 1e-3, ("1",)), recipe.Round(6, 1e-3, ("1",)))


@pytest.fixture
def work(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    rows = (
        (
            features.Transcript(text, "v", False, number),
            rng.normal(0, 20, (90, features.CEPSTRA)).astype(np.float16),
        )
        for number, text in enumerate(["envido", "quiero", "paso", ""] * 60)
    )
    features.write(tmp_path / "features-1", rows)
    return tmp_path


def _weights(run: training.Run) -> list[torch.Tensor]:
    return [weights.detach().clone() for weights in run.net.parameters()]


def test_a_run_that_was_stopped_ends_with_the_same_network(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.set_num_threads(1)
    options = training.Options(seed=3)
    whole = _weights(training.train(work, _ROUNDS, options))
    for path in work.glob("net*.pt"):
        path.unlink()
    monkeypatch.setattr(training, "_SAVE_EVERY_S", 0.0)
    take, steps = training._step, iter(range(7))

    def fails_in_the_second_round(*arguments: object) -> None:
        if next(steps, None) is None:
            raise KeyboardInterrupt
        take(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(training, "_step", fails_in_the_second_round)
    with pytest.raises(KeyboardInterrupt):
        training.train(work, _ROUNDS, options)
    monkeypatch.setattr(training, "_step", take)
    again = _weights(training.train(work, _ROUNDS, options))
    assert all(torch.equal(one, other) for one, other in zip(whole, again, strict=True))


def test_a_clip_in_which_nobody_speaks_is_given_no_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specaug, "_CROWD_SHARE", 1.0)
    torch.manual_seed(random.Random(1).randrange(2**30))
    spectrum = torch.randn(6, 50, 40)
    spoken = torch.tensor([True, False, True, False, True, False])
    crowded = specaug._crowded(spectrum, spoken)
    changed = (crowded != spectrum).flatten(1).any(1)
    assert changed.tolist() == spoken.tolist()
    assert torch.isfinite(crowded).all()
