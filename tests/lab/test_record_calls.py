"""scripts/record_calls: it makes a labelled set for the training and the bench of the ear."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.ear.audio import RATE, wav_seconds
from scripts import record_calls
from tests.speakers.test_mus_enrol import reading

TEXTS = ["mus", "treinta y una", "paso", "ponme una caña"]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text("# read these\n" + "\n".join(TEXTS) + "\n", encoding="utf-8")
    return path


def record(folder: Path, texts: Path, *words: str) -> int:
    return record_calls.main([str(folder), "--speaker", "bar1", "--texts", str(texts), *words])


def test_a_recording_is_labelled_as_training_reads_it(
    tmp_path: Path, texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    human = pytest.importorskip("scripts.lab.speechlab.human", reason="needs the train extra")
    wav = reading(TEXTS, tmp_path)
    assert record(tmp_path / "set", texts, "--listen", str(wav), "--json") == 0
    assert json.loads(capsys.readouterr().out)["left"] == []
    rows = human.manifest(tmp_path / "set")
    assert [(row.text, row.kind) for row in rows] == [
        ("mus", "word"), ("treinta y una", "number"), ("paso", "word"),
        ("ponme una caña", "phrase"),
    ]  # fmt: skip
    for row in rows:
        assert (row.language, row.speaker, row.licence) == ("es", "bar1", "CC0-1.0")
        assert human.plausible(row.text, human.speech(row.path))


def test_an_interrupted_session_is_resumed(
    tmp_path: Path, texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, rest = tmp_path / "1", tmp_path / "2"
    first.mkdir()
    rest.mkdir()
    options = ["--listen", str(reading(TEXTS[:2], first)), "--json"]
    assert record(tmp_path / "set", texts, *options) == 1
    assert json.loads(capsys.readouterr().out)["left"] == TEXTS[2:]
    assert record(tmp_path / "set", texts, "--listen", str(reading(TEXTS[2:], rest))) == 0
    assert "4 frases de bar1; faltan 0." in capsys.readouterr().out
    lines = (tmp_path / "set" / "manifest.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 5
    row = dict(zip(lines[0].split("\t"), lines[1].split("\t"), strict=True))
    seconds = wav_seconds(tmp_path / "set" / row["path"])
    assert float(row["seconds"]) == pytest.approx(seconds, abs=0.01)
    assert int(row["orig_sr"]) == RATE


def test_a_reading_that_does_not_sound_like_its_text_is_not_kept(
    tmp_path: Path, texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wav = reading(["treinta y una", "mus"], tmp_path)
    assert record(tmp_path / "set", texts, "--listen", str(wav), "--limit", "1") == 1
    told = capsys.readouterr().out
    assert "No ha sonado a «mus»." in told
    assert "1 frases de bar1; faltan 3." in told


def test_nobody_is_recorded_without_consent(
    tmp_path: Path,
    texts: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "n")
    assert record(tmp_path / "set", texts) == 2
    out, error = capsys.readouterr()
    assert "licencia CC0-1.0" in out
    assert "nobody agreed" in error
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    ("words", "text", "told"),
    [
        (["--speaker", "Ana Pérez"], "mus", "no name"),
        (["--yes"], "señor, ¿qué?", "no text of Spanish letters"),
        (["--texts", "none.txt"], "mus", "none.txt"),
    ],
)
def test_bad_input_gives_one_sentence(
    tmp_path: Path, texts: Path, capsys: pytest.CaptureFixture[str],
    words: list[str], text: str, told: str,
) -> None:  # fmt: skip
    texts.write_text(text, encoding="utf-8")
    assert record(tmp_path / "set", texts, *words) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_every_text_has_a_pronunciation() -> None:
    from scripts.lab.speechlab import g2p

    texts = record_calls._texts(record_calls.TEXTS)
    assert texts
    for text in texts:
        assert all(g2p.phones_of(word) for word in text.split())
