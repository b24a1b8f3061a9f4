"""Noise that is added to utterances anew at every training step."""

import pytest

pytest.importorskip("torch", reason="needs the train extra")
pytest.importorskip("kaldi_native_fbank", reason="needs the train extra")

import torch

from scripts.lab.speechlab import specaug

LOUD, QUIET = 8.0, -3.0


def spectrum_of(log_energies: torch.Tensor) -> torch.Tensor:
    return log_energies @ specaug._TO_CEPSTRA


def test_noise_is_below_the_utterance_by_the_given_decibels() -> None:
    torch.manual_seed(1)
    speech = torch.full((200, 50, 40), LOUD)
    noise = spectrum_of(torch.full((300, 40), QUIET))
    everyone = torch.ones(200, dtype=torch.bool)
    mixed = specaug._noisy(speech, everyone, specaug.Noise(noise, 1.0))
    added_db = 10 * torch.log10((mixed.exp() - speech.exp()).mean((1, 2)) / speech.exp().mean())
    assert added_db.max() < 0.1
    assert added_db.min() > -20.1
    assert added_db.min() < -15 < -5 < added_db.max()


def test_silence_gets_no_noise_and_a_share_of_zero_adds_none() -> None:
    torch.manual_seed(1)
    speech = torch.full((6, 20, 40), LOUD)
    noise = spectrum_of(torch.full((30, 40), QUIET))
    spoken = torch.tensor([True, False] * 3)
    mixed = specaug._noisy(speech, spoken, specaug.Noise(noise, 1.0))
    changed = (mixed != speech).flatten(1).any(1)
    assert changed.tolist() == spoken.tolist()
    assert torch.equal(specaug._noisy(speech, spoken, specaug.Noise(noise, 0.0)), speech)


def test_a_batch_keeps_its_shape_and_stays_finite() -> None:
    torch.manual_seed(1)
    frames = torch.randn(5, 40, 40)
    noise = specaug.Noise(torch.randn(30, 40), 0.5)
    varied = specaug.varied(frames, torch.ones(5, dtype=torch.bool), noise)
    assert varied.shape == frames.shape
    assert torch.isfinite(varied).all()
