"""Recordings of a Russian speaker with their phones, in Spanish spelling."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("soundfile", reason="needs the train extra")
pytest.importorskip("scipy", reason="needs the train extra")

import soundfile

from scripts.lab.speechlab import g2p, russian, split

WORDS = [
    ("s t oo l", "stol", "s t o l"),
    ("nn ee b a", "neba", "n e b a"),
    ("m oo j a", "moya", "m o y a"),
    ("k r aa j", "krai", "k r a j"),
    ("tt oo p l a", "tiopla", "t j o p l a"),
    ("g ee r b", "guerb", "g e r b"),
    ("h ll ee p", "jlep", "x l e p"),
    ("ch aa s", "chas", "tS a s"),
]


@pytest.mark.parametrize(("labels", "letters", "phones"), WORDS)
def test_phones_are_spelled_as_spanish_would_read_them(
    labels: str, letters: str, phones: str
) -> None:
    assert russian.spelled(labels.split()) == letters
    assert " ".join(g2p.phones_of(letters)) == phones


def test_stretches_between_pauses_are_clips_without_sounds_that_spanish_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "wav").mkdir()
    ends = [(0.5, "pau"), (0.7, "m"), (0.9, "aa"), (1.1, "m"), (1.3, "a"), (1.8, "pau")]
    ends += [(2.0, "zh"), (2.4, "yy"), (2.6, "zz"), (3.0, "pau")]
    lines = ["#", *(f"{end:.3f} 125 {phone}" for end, phone in ends)]
    (tmp_path / "lab" / "a.lab").write_text("\n".join(lines) + "\n", encoding="ascii")
    tone = 0.3 * np.sin(np.arange(3 * 16000) / 10)
    soundfile.write(tmp_path / "wav" / "a.wav", tone, 16000)
    monkeypatch.setattr(russian, "ROOT", tmp_path)
    ((clip, samples),) = russian.for_training()
    assert (clip.text, clip.voice, clip.seseo) == ("mama", "human:festvox_ru", True)
    assert 0.7 < len(samples) / 16000 < 0.9
    split.check_trains(clip.voice)
