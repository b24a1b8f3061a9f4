"""The network outside Vosk: its answers, its gradients, and its adaptation to a voice."""

from __future__ import annotations

import itertools
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from assistant.ear import Recogniser
from assistant.ear.network import (
    CEPSTRA,
    FACTOR,
    Array,
    Layer,
    Network,
    cepstra,
    read_layers,
    write_layers,
)
from assistant.ear.speech_model import ModelError
from assistant.files.paths import data_dir
from assistant.speakers.fitting import LOWEST, VoiceReading, answers_to, fit, loss, unlikely
from tests.tables import each_row

MODEL = data_dir("models") / "mus-es"
FINAL = MODEL / "am" / "final.mdl"


@pytest.fixture
def dice() -> np.random.Generator:
    return np.random.default_rng(3)


@pytest.fixture
def small(dice: np.random.Generator) -> Network:
    """A network with the real one's context in time, but tiny."""
    widths = [CEPSTRA, 6, 5, 5, 8]
    offsets = [(-2, -1, 0, 1, 2), (-1, 0, 1), (-3, 0, 3), (0,)]
    return Network([
        Layer(dice.normal(size=(out, into * len(row))) / 9, dice.normal(size=out), row)
        for into, out, row in zip(widths[:-1], widths[1:], offsets, strict=True)
    ])  # fmt: skip


def bigram(phones: int) -> Array:
    """A phone graph in which any phone may follow any other."""
    return np.full((phones, phones), -math.log(phones))


def test_sound_becomes_forty_cepstra_every_ten_milliseconds(dice: np.random.Generator) -> None:
    assert cepstra(dice.normal(size=16_000)).shape == (98, CEPSTRA)
    assert cepstra(np.zeros(399)).shape == (0, CEPSTRA)
    assert np.isfinite(cepstra(np.zeros(4000))).all()


def test_the_cepstra_equal_kaldis(dice: np.random.Generator) -> None:
    knf = pytest.importorskip("kaldi_native_fbank", reason="needs the train extra")
    options = knf.MfccOptions()
    options.frame_opts.samp_freq, options.frame_opts.dither = 16_000, 0.0
    options.use_energy, options.mel_opts.num_bins, options.num_ceps = False, CEPSTRA, CEPSTRA
    options.mel_opts.low_freq, options.mel_opts.high_freq = 20, -400
    sound = np.round(dice.normal(size=8000) * 3000)
    extractor = knf.OnlineMfcc(options)
    extractor.accept_waveform(16_000, sound.tolist())
    extractor.input_finished()
    kaldis = [extractor.get_frame(at) for at in range(extractor.num_frames_ready)]
    assert np.abs(cepstra(sound / 32768) - np.asarray(kaldis)).max() < 0.02


def test_the_models_network_is_read_and_answers_every_thirty_milliseconds() -> None:
    network = Network(read_layers(FINAL))
    assert network.offsets[0] == (-2, -1, 0, 1, 2)
    assert network.offsets[-1] == (0,)
    answers = network.answers(np.zeros((90, CEPSTRA), np.float32))
    assert answers.shape == (90 // FACTOR, 52)


def test_written_weights_are_read_back_unchanged(tmp_path: Path) -> None:
    layers = read_layers(FINAL)
    layers[0].weights[0, 0] += 0.01
    layers[3].bias[2] = 1.5
    path = tmp_path / "final.mdl"
    write_layers(path, FINAL, layers)
    assert path.stat().st_size == FINAL.stat().st_size
    for old, new in zip(layers, read_layers(path), strict=True):
        assert np.abs(old.weights - new.weights).max() < np.ptp(old.weights) / 60_000
        assert np.array_equal(old.bias, new.bias)


@each_row("data", [b"", b"no model", b"\0B<TransitionModel> and no more"])
def test_a_file_that_is_no_network_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "final.mdl"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=r"final\.mdl"):
        read_layers(path)
    with pytest.raises(ModelError, match="cannot be read"):
        read_layers(tmp_path / "none.mdl")


def test_the_gradients_match_small_changes_of_each_weight(
    small: Network, dice: np.random.Generator
) -> None:
    frames = dice.normal(size=(24, CEPSTRA))
    phones, optional = (0, 2, 3, 0), (True, False, False, True)

    def now() -> float:
        return loss(small.answers(frames), phones, optional, bigram(4))[0]

    seen = small.run(frames)
    wanted = loss(seen[-1].made, phones, optional, bigram(4))[1]
    slopes = small.slopes(seen, wanted, len(small.weights))
    for some, whole in zip(small.slopes(seen, wanted, 2), slopes[:2], strict=True):
        assert all(np.array_equal(one, other) for one, other in zip(some, whole, strict=True))
    before = now()
    for layer, (weights, biases) in enumerate(slopes):
        for parameter, slope in ((small.weights[layer], weights), (small.biases[layer], biases)):
            at = np.unravel_index(np.abs(slope).argmax(), slope.shape)
            parameter[at] += 1e-5
            assert (now() - before) / 1e-5 == pytest.approx(slope[at], rel=1e-3)
            parameter[at] -= 1e-5


def test_the_loss_equals_that_of_all_paths_counted_one_by_one(dice: np.random.Generator) -> None:
    answers = dice.normal(size=(4, 6))  # three phones
    steps = np.log(dice.dirichlet(np.ones(3), size=3))

    def sum_of(allowed: set[tuple[int, ...]] | None) -> float:
        total = -math.inf
        for path in itertools.product(range(3), (True, False), repeat=4):
            phones, enters = path[::2], path[1::2]
            if not enters[0]:
                continue
            if any(not e and phones[t] != phones[t - 1] for t, e in enumerate(enters)):
                continue
            said = tuple(p for p, e in zip(phones, enters, strict=True) if e)
            if allowed is not None and said not in allowed:
                continue
            score = sum(
                answers[time, 2 * phone + (not enter)]
                for time, (phone, enter) in enumerate(zip(phones, enters, strict=True))
            )
            if allowed is None:
                score += steps[0, said[0]] + sum(steps[a, b] for a, b in itertools.pairwise(said))
            total = np.logaddexp(total, score)
        return float(total)

    found, _ = loss(answers, (0, 1, 2, 0), (True, False, False, True), steps)
    ways = {(1, 2), (0, 1, 2), (1, 2, 0), (0, 1, 2, 0)}
    assert found == pytest.approx(sum_of(None) - sum_of(ways), abs=1e-9)


@pytest.mark.slow
@pytest.mark.timeout(900)  # it computes, and the machine may be busy
def test_adaptation_makes_the_readings_likelier_and_changes_only_the_lowest_layers() -> None:
    layers = read_layers(FINAL)
    table = np.loadtxt(MODEL / "graph" / "phones" / "bigram.txt")
    dice = np.random.default_rng(1)
    sound = np.convolve(dice.normal(size=16_000), np.ones(20) / 20, "same") * 0.2
    reading = VoiceReading(sound, (0, 14, 5, 16, 0), (True, False, False, False, True))
    passes: list[int] = []
    fitted = fit(layers, [reading] * 8, table, on_pass=passes.append)
    before, after = (
        unlikely(answers_to(row, sound), reading.phones, reading.optional, table)
        for row in (layers, fitted)
    )
    assert after < before
    assert passes == list(range(1, len(passes) + 1))
    for number, (old, new) in enumerate(zip(layers, fitted, strict=True)):
        assert np.array_equal(old.weights, new.weights) == (number >= LOWEST)


def test_the_same_readings_make_the_same_network() -> None:
    layers = read_layers(FINAL)
    table = np.loadtxt(MODEL / "graph" / "phones" / "bigram.txt")
    sound = np.random.default_rng(2).normal(size=8000) * 0.1
    reading = VoiceReading(sound, (0, 1, 0), (True, False, True))
    one, other = (fit(layers, [reading], table, seed=4) for _ in range(2))
    assert all(np.array_equal(a.weights, b.weights) for a, b in zip(one, other, strict=True))


def test_vosk_opens_a_written_network(tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(MODEL, model)
    (model / "SHA256SUMS").unlink()
    write_layers(model / "am" / "final.mdl", FINAL, read_layers(FINAL))
    assert Recogniser(model, ["paso", "[unk]"])
