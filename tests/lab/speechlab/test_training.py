"""Training: an interrupted run continues as if it had not been; silent clips get no crowd."""

import importlib.util
import random
from pathlib import Path

import numpy as np
import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "kaldi_native_fbank")):
    pytest.skip("needs the train extra", allow_module_level=True)

import torch

from scripts.lab.speechlab import features, lfmmi, net, recipe, specaug, training

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


def _pairs(work: Path, rounds: int) -> torch.Tensor:
    """The phone bigram of a training round."""
    return training.load(work / f"net-round{rounds}.pt").bigram.follows


@pytest.mark.parametrize("taken", [2, 4, 7], ids=["first", "between", "second"])
def test_an_interrupted_run_ends_with_the_same_network(
    work: Path, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    torch.set_num_threads(1)
    options = training.Options(seed=3)
    whole = _weights(training.train(work, _ROUNDS, options))
    pairs = [_pairs(work, number) for number in (1, 2)]
    for path in work.glob("net*.pt"):
        path.unlink()
    monkeypatch.setattr(training, "_SAVE_EVERY_S", 0.0)
    take, steps = training._step, iter(range(taken))

    def stops(*arguments: object) -> None:
        if next(steps, None) is None:
            raise KeyboardInterrupt
        take(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(training, "_step", stops)
    with pytest.raises(KeyboardInterrupt):
        training.train(work, _ROUNDS, options)
    monkeypatch.setattr(training, "_step", take)
    again = _weights(training.train(work, _ROUNDS, options))
    assert all(torch.equal(one, other) for one, other in zip(whole, again, strict=True))
    for number, before in enumerate(pairs, start=1):
        assert torch.equal(before, _pairs(work, number)), f"round {number}"


def _saved(path: Path, made_with: dict[str, object]) -> None:
    """The checkpoint of a run after its first round."""
    learns = net.Net(recipe.NetSize())
    bigram = lfmmi.Bigram(torch.zeros(2, 2), torch.zeros(2))
    optimizer = torch.optim.AdamW(learns.parameters())
    training.Run(learns, optimizer, bigram, training.Progress(1), made_with).save(path)


@pytest.mark.parametrize(
    ("other", "made_with"),
    [(training.Options(seed=4), {"seed": 3}),
     (training.Options(seed=3, scale=0.5), {"scale": 1.0}),
     (training.Options(seed=4, without=frozenset({"b", "a"})), {"seed": 3, "without": []})],
)  # fmt: skip
def test_a_run_is_not_resumed_with_other_options(
    tmp_path: Path, other: training.Options, made_with: dict[str, object]
) -> None:
    _saved(tmp_path / "net.pt", training.Options(seed=3).deciding())
    with pytest.raises(training.OtherOptionsError) as refused:
        training.train(tmp_path, _ROUNDS[:1], other)
    assert refused.value.made_with == made_with


def test_a_run_is_resumed_with_the_same_options_on_any_device(tmp_path: Path) -> None:
    options = training.Options(3, 0.5, "cuda", frozenset({"a", "b"}))
    _saved(tmp_path / "net.pt", options.deciding())
    here = training.Options(3, 0.5, "cpu", frozenset({"b", "a"}))
    assert training.train(tmp_path, _ROUNDS[:1], here).made_with == options.deciding()


def test_a_bigger_batch_takes_as_many_fewer_steps(work: Path) -> None:
    run = training.train(work, [recipe.Round(8, 1e-3, ("1",))], training.Options(3, batch=4))
    assert run.made_with["batch"] == 4
    checkpoint = torch.load(work / "net-round1.pt", weights_only=True)
    taken = {state["step"].item() for state in checkpoint["optimizer"]["state"].values()}
    assert taken == {2}


def test_a_network_of_another_size_is_trained_and_read_again(work: Path) -> None:
    training.train(work, [recipe.Round(1, 1e-3, ("1",))], training.Options(3, size="large"))
    again = training.load(work / "net.pt")
    widths = {len(norm.weight) for norm in again.net.norms()}
    assert widths == {recipe.SIZES["large"].first, recipe.SIZES["large"].hidden}


def test_a_checkpoint_without_stored_options_is_accepted(tmp_path: Path) -> None:
    checkpoint = tmp_path / "net.pt"
    _saved(checkpoint, {})
    state = torch.load(checkpoint, weights_only=True)
    del state["made_with"]
    torch.save(state, checkpoint)
    options = training.Options(seed=4)
    assert training.train(tmp_path, _ROUNDS[:1], options).made_with == options.deciding()


def test_a_clip_without_speech_gets_no_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specaug, "_CROWD_SHARE", 1.0)
    torch.manual_seed(random.Random(1).randrange(2**30))
    spectrum = torch.randn(6, 50, 40)
    spoken = torch.tensor([True, False, True, False, True, False])
    crowded = specaug._crowded(spectrum, spoken)
    changed = (crowded != spectrum).flatten(1).any(1)
    assert changed.tolist() == spoken.tolist()
    assert torch.isfinite(crowded).all()
