"""The LF-MMI loss and the exported network, where torch is installed."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")

from scripts.lab.speechlab import batches, export, lfmmi, net, phones, recipe  # noqa: E402


def _bigram(size: int) -> lfmmi.Bigram:
    rows = torch.rand(size, size) + 0.1
    first = torch.rand(size) + 0.1
    return lfmmi.Bigram((rows / rows.sum(1, keepdim=True)).log(), (first / first.sum()).log())


def _paths(size: int, times: int) -> list[list[tuple[int, bool]]]:
    """All paths through `times` outputs, as (phone, enters) for each."""
    steps = [(phone, enters) for phone in range(size) for enters in (True, False)]
    lines = (list(line) for line in itertools.product(steps, repeat=times))
    return [
        line
        for line in lines
        if line[0][1] and all(b[1] or b[0] == a[0] for a, b in itertools.pairwise(line))
    ]


def _score(line: list[tuple[int, bool]], answers: object) -> float:
    assert isinstance(answers, torch.Tensor)
    return sum(float(answers[t, 2 * p + (not enters)]) for t, (p, enters) in enumerate(line))


def test_the_denominator_sums_over_every_phone_string() -> None:
    torch.manual_seed(1)
    size, times = 3, 4
    answers, bigram = torch.randn(times, 2 * size), _bigram(size)
    total = 0.0
    for line in _paths(size, times):
        strings = [p for p, enters in line if enters]
        price = float(bigram.begins[strings[0]]) + sum(
            float(bigram.follows[a, b]) for a, b in itertools.pairwise(strings)
        )
        total += math.exp(price + _score(line, answers))
    made = lfmmi.denominator(answers[None], torch.tensor([times]), bigram)
    assert float(made[0]) == pytest.approx(math.log(total), abs=1e-4)


def test_the_numerator_sums_over_alignments_with_and_without_silences() -> None:
    torch.manual_seed(2)
    times = 5
    answers = torch.randn(times, 6)
    allowed = {(0, 1, 2, 0), (1, 2, 0), (0, 1, 2), (1, 2)}
    total = sum(
        math.exp(_score(line, answers))
        for line in _paths(3, times)
        if tuple(p for p, enters in line if enters) in allowed
    )
    transcript = lfmmi.Transcripts(
        torch.tensor([[0, 1, 2, 0]]), torch.tensor([[1.0, 0, 0, 1]]), torch.tensor([4])
    )
    made = lfmmi.numerator(answers[None], torch.tensor([times]), transcript)
    assert float(made[0]) == pytest.approx(math.log(total), abs=1e-4)


def test_padding_does_not_change_the_loss() -> None:
    torch.manual_seed(3)
    answers, bigram = torch.randn(1, 6, 6), _bigram(3)
    transcript = lfmmi.Transcripts(
        torch.tensor([[0, 1, 0]]), torch.tensor([[1.0, 0, 1]]), torch.tensor([3])
    )
    short = lfmmi.losses(answers[:, :4], torch.tensor([4]), transcript, bigram)
    padded = lfmmi.losses(answers, torch.tensor([4]), transcript, bigram)
    assert float(short[0]) == pytest.approx(float(padded[0]), abs=1e-5)


@pytest.mark.parametrize("part", ["denominator", "numerator"])
def test_the_gradient_is_the_change_of_the_sum(part: str) -> None:
    torch.manual_seed(5)
    answers, bigram = torch.randn(2, 6, 6, dtype=torch.float64), _bigram(3)
    lengths = torch.tensor([6, 4])
    transcripts = lfmmi.Transcripts(
        torch.tensor([[0, 1, 2, 0], [0, 2, 0, 0]]),
        torch.tensor([[1.0, 0, 0, 1], [1, 0, 1, 0]]),
        torch.tensor([4, 3]),
    )

    def total(moved: Any) -> Any:
        if part == "numerator":
            return lfmmi.numerator(moved, lengths, transcripts)
        wide = lfmmi.Bigram(bigram.follows.double(), bigram.begins.double())
        return lfmmi.denominator(moved, lengths, wide)

    assert torch.autograd.gradcheck(total, answers.requires_grad_(), atol=1e-5)


def test_a_transcript_has_an_optional_silence_around_each_word() -> None:
    string, optional = batches.phone_string("no cinco", seseo=True)
    spelled = [phones.BASES[index] for index in string]
    assert spelled == "SIL n o SIL s i n k o SIL".split()
    assert [spelled[i] for i, skip in enumerate(optional) if skip] == ["SIL"] * 3


def test_the_exported_layers_give_the_output_of_the_trained_network() -> None:
    torch.manual_seed(4)
    model = net.Net(recipe.NetSize(first=8, hidden=12))
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            module.get_buffer("running_mean").normal_()
            module.get_buffer("running_var").uniform_(0.5, 2)
    model.mean.normal_()
    model.deviation.uniform_(0.5, 2)
    model.eval()
    frames = torch.randn(1, net.LEFT + 9 + net.RIGHT, 40)
    with torch.no_grad():
        wanted = model(frames)[0].numpy()

    signal = {t - net.LEFT: row.numpy() for t, row in enumerate(frames[0])}
    for layer in export.folded(model):
        spliced = {
            t: np.concatenate([signal[t + offset] for offset in layer.offsets])
            for t in signal
            if all(t + offset in signal for offset in layer.offsets)
        }
        signal = {t: layer.weights @ row + layer.bias for t, row in spliced.items()}
        if layer.relu:
            signal = {t: np.maximum(row, 0) for t, row in signal.items()}
    answers = np.stack([signal[t] for t in (0, 3, 6)])
    np.testing.assert_allclose(answers, wanted, atol=1e-4)
