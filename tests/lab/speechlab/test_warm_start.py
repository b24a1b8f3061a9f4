"""Training from a finished model: the network gives the model's output and can learn on."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "kaldi_native_fbank")):
    pytest.skip("needs the train extra", allow_module_level=True)

import torch

from scripts.lab.speechlab import (
    batches,
    export,
    features,
    graph,
    nnet3,
    recipe,
    training,
    warm_start,
)

MODEL = Path(__file__).parents[3] / "models" / "mus-es"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    slow = np.cumsum(rng.normal(0, 3, (60, 120, features.CEPSTRA)), axis=1)
    rows = (
        (features.Transcript(text, "v", False, number), slow[number % 60].astype(np.float16))
        for number, text in enumerate(["envido", "quiero", "paso", ""] * 30)
    )
    features.write(tmp_path / "features-1", rows)
    return tmp_path


def _sample(work: Path) -> list[batches.Utterance]:
    return training.synthetic_pool(work, recipe.Round(1, 1e-4, ("1",)))


def test_the_network_gives_the_output_of_the_model(work: Path) -> None:
    net = warm_start.network(MODEL, _sample(work))
    again = [(layer.weights, layer.bias) for layer in export.folded(net)]
    for (weights, bias), (ours, our_bias) in zip(
        nnet3.read_affines(MODEL / "am" / "final.mdl"), again, strict=True
    ):
        np.testing.assert_allclose(ours, weights, atol=2e-4)
        np.testing.assert_allclose(our_bias, bias, atol=2e-3)


def test_in_training_mode_the_output_is_almost_the_same_before_the_first_step(work: Path) -> None:
    sample = _sample(work)
    net = warm_start.network(MODEL, sample)
    frames = batches.collate(sample).frames
    with torch.no_grad():
        finished = net.eval()(frames)
        learning = net.train()(frames)
    assert (finished - learning).abs().mean() < 0.02 * finished.abs().mean()


def test_a_run_from_a_model_keeps_its_phone_bigram_and_starts_from_its_network(work: Path) -> None:
    torch.set_num_threads(1)
    options = training.Options(seed=3, begin=MODEL)
    run = training.train(work, [recipe.Round(2, 1e-5, ("1",))], options)
    kept = torch.tensor(graph.read_bigram(MODEL / "graph"), dtype=torch.float32)
    assert torch.equal(run.bigram.follows, kept)
    begun = training.load(work / "net-round0.pt")
    moved = [
        (one - other).abs().max()
        for one, other in zip(run.net.parameters(), begun.net.parameters(), strict=True)
    ]
    assert 0 < max(moved) < 1e-3
    with pytest.raises(training.OtherOptionsError):
        training.train(work, [recipe.Round(2, 1e-5, ("1",))], training.Options(seed=3))


def test_a_run_that_goes_on_keeps_what_its_norms_measured(work: Path) -> None:
    torch.set_num_threads(1)
    plan = recipe.Round(2, 1e-5, ("1",), dropout=0.2)
    run = training.train(work, [plan], training.Options(seed=3, begin=MODEL))
    begun = training.load(work / "net-round0.pt")
    for before, after in zip(begun.net.norms(), run.net.norms(), strict=True):
        assert torch.equal(before.get_buffer("running_mean"), after.get_buffer("running_mean"))
        assert torch.equal(before.get_buffer("running_var"), after.get_buffer("running_var"))


def test_a_network_of_another_size_is_refused(work: Path, tmp_path: Path) -> None:
    layers = [nnet3.Layer(np.ones((4, 40), np.float32), np.zeros(4, np.float32), (0,), relu=False)]
    nnet3.write(tmp_path / "am" / "final.mdl", layers, 40)
    with pytest.raises(warm_start.OtherNetworkError, match="another shape"):
        warm_start.network(tmp_path, _sample(work))


@pytest.mark.parametrize(("jitter", "apart"), [(0.0, 1e-4), (0.02, 1e-4)])
def test_a_network_that_is_made_wider_gives_the_same_output(
    work: Path, jitter: float, apart: float
) -> None:
    sample = _sample(work)
    net = warm_start.network(MODEL, sample)
    wide = warm_start.widened(net, recipe.SIZES["large"], jitter)
    assert len(wide.affines()[1].bias) == recipe.SIZES["large"].hidden
    frames = batches.collate(sample[:8]).frames
    with torch.no_grad():
        narrow, other = net.eval()(frames), wide.eval()(frames)
    assert (narrow - other).abs().max() < apart * narrow.abs().max()


def test_a_finished_network_in_the_widths_of_a_wider_one_is_that_one_before_it_learns(
    work: Path,
) -> None:
    net = warm_start.widened(
        warm_start.network(MODEL, _sample(work)), recipe.SIZES["large"], jitter=0
    )
    begun = [(layer.weights, layer.bias) for layer in export.folded(net)]
    made = warm_start.as_wide(nnet3.read_affines(MODEL / "am" / "final.mdl"), begun)
    for (weights, bias), (ours, our_bias) in zip(begun, made, strict=True):
        np.testing.assert_allclose(ours, weights, atol=2e-4)
        np.testing.assert_allclose(our_bias, bias, atol=2e-3)


def test_copies_of_a_unit_learn_apart(work: Path) -> None:
    torch.set_num_threads(1)
    options = training.Options(seed=3, begin=MODEL, size="large")
    run = training.train(work, [recipe.Round(2, 1e-3, ("1",))], options)
    weights = run.net.affines()[2].weight
    unit, copy = (
        weights[0],
        weights[len(warm_start.network(MODEL, _sample(work)).norms()[2].weight)],
    )
    assert (unit - copy).abs().max() > 0


def test_a_network_that_is_wide_enough_stays(work: Path) -> None:
    net = warm_start.network(MODEL, _sample(work))
    assert warm_start.widened(net, recipe.SIZES["small"]) is net
