"""``mus enrol``: a voice is read, kept, used by the ear, and forgotten on request."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from assistant.cli.main import main
from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear import Recogniser
from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.network import NETWORK
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml, model_dir
from assistant.speakers.enrolled import (
    DESCRIPTION,
    MOST,
    ear_model,
    enrolled,
    fitted,
    fitted_dir,
    keep,
    names,
    own_dir,
    write_wav,
)
from assistant.speakers.enrolment import SaidPrompt
from tests.tables import each_row

pytestmark = pytest.mark.usefixtures("own_folder")


def prompts() -> list[str]:
    """The prompts to read."""
    return [call["say"] for call in load_toml(data_dir("models") / "es" / "prompts.toml")["calls"]]


def reading(texts: list[str], folder: Path) -> Path:
    """A recording of the texts with a pause after each."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    from scripts.lab.rendering.voices import Espeak, Manner, speak

    pieces = [np.zeros(RATE, np.float32)]
    for text in texts:
        pieces += [speak(Espeak("es"), text, Manner()), np.zeros(round(1.1 * RATE), np.float32)]
    sound = np.concatenate(pieces)
    hiss = np.random.default_rng(0).normal(size=len(sound)) * 5e-4
    path = folder / "reading.wav"
    write_wav(path, to_int16((sound + hiss).astype(np.float32)))
    return path


def a_sound() -> Samples:
    """A short sound."""
    return to_int16(np.random.default_rng(0).normal(size=RATE // 2).astype(np.float32) * 0.1)


def heard_with() -> Path:
    """The model that ``mus play`` uses when none is named."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args([]), {}).model


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
@pytest.mark.timeout(900)  # it computes, and the machine may be busy
def test_a_voice_is_read_learnt_used_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wav = reading(prompts(), tmp_path)
    assert main(["enrol", "Ana", "--listen", str(wav)]) == 0
    told = capsys.readouterr().out
    assert "1/15  MUS" in told
    assert told.count("✓") == 15
    assert main(["enrol", "--list", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["voices"]
    assert (row["name"], row["calls"]) == ("Ana", 15)
    assert row["fitted"]
    assert heard_with() == fitted_dir()
    old, new = ((folder / NETWORK).read_bytes() for folder in (model_dir(), fitted_dir()))
    assert len(old) == len(new)
    assert old != new
    assert Recogniser(fitted_dir(), ["paso", "[unk]"]), "the checksums and the graph fit"
    assert main(["enrol", "--delete", "Ana"]) == 0
    assert "borradas" in capsys.readouterr().out
    assert not list(own_dir().iterdir()), "no recording is left"
    assert not fitted_dir().exists(), "no adapted model is left"
    assert heard_with() == model_dir()


@pytest.mark.slow
def test_a_recording_is_heard_with_the_shipped_model(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args(["--listen", str(reading(["mus"], tmp_path))])
    shutil.copytree(model_dir(), fitted_dir())
    assert settings_from(args, {}).model == model_dir()


@pytest.mark.slow
def test_a_model_of_other_voices_or_of_an_older_release_is_not_used() -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())] * 8)
    assert main(["enrol", "--fit"]) == 0
    assert ear_model() == fitted_dir()
    keep("Luis", "es", [SaidPrompt("mus", a_sound())] * 8)
    assert ear_model() == model_dir(), "the model was made without Luis"
    shutil.rmtree(own_dir() / "Luis")
    told = json.loads((fitted_dir() / "voices.json").read_text(encoding="utf-8"))
    (fitted_dir() / "voices.json").write_text(json.dumps(told | {"base": "x"}), encoding="utf-8")
    assert ear_model() == model_dir(), "it was made from another model"
    (fitted_dir() / "voices.json").write_text("{", encoding="utf-8")
    assert fitted() is None
    assert ear_model() == model_dir()


@pytest.mark.slow
def test_too_few_readings_keep_no_voice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wav = reading(prompts()[:3], tmp_path)
    assert main(["enrol", "Ana", "--listen", str(wav)]) == 2
    assert "Only 3 of 15 calls" in capsys.readouterr().err
    assert not names()
    assert not fitted_dir().exists()


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
def test_the_fault_of_a_reading_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["enrol", "Ana", "--listen", str(reading(["no hay mus", "bueno, vamos"], tmp_path))])
    told = capsys.readouterr().out
    assert "Ha sonado a «no hay mus», y tocaba «mus». Otra vez." in told
    assert "No ha sonado a «mus»." in told


@each_row(
    "given, told",
    [
        (["../Ana"], "cannot be called"),
        (["--delete", "Ana"], "There is no voice 'Ana'"),
        (["--delete", "../decks"], "There is no voice"),
        (["Ana", "--fit"], "one of --list, --delete and --fit"),
        (["Ana", "--listen", "none.wav"], "none.wav cannot be read"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    given: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["enrol", *given]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.slow
def test_a_voice_is_replaced_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())] * 8)
    assert main(["enrol", "Ana"]) == 2
    assert "add --replace" in capsys.readouterr().err
    wav = reading(prompts(), tmp_path)
    assert main(["enrol", "Ana", "--replace", "--no-fit", "--listen", str(wav)]) == 0
    assert len(enrolled("Ana").said) == 15
    assert "mus enrol --fit" in capsys.readouterr().out


def test_there_are_no_more_voices_than_two_minutes_of_adaptation_allow(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for number in range(MOST):
        keep(f"v{number}", "es", [SaidPrompt("mus", a_sound())])
    assert main(["enrol", "Ana"]) == 2
    assert "delete one" in capsys.readouterr().err


def test_a_broken_voice_is_reported_with_its_name() -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())])
    (own_dir() / "Ana" / "01.wav").write_bytes(b"x")
    with pytest.raises(UsageError, match="'Ana' cannot be read: learn it again"):
        enrolled("Ana")
    (own_dir() / "Ana" / DESCRIPTION).write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match="'Ana' cannot be read"):
        enrolled("Ana")


def test_the_files_of_a_voice_are_readable_by_their_owner_alone() -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())])
    assert (own_dir() / "Ana").stat().st_mode & 0o077 == 0


def test_the_remains_of_an_interrupted_enrolment_are_no_voice() -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())])
    shutil.copytree(own_dir() / "Ana", own_dir() / ".Luis.part")
    assert names() == ["Ana"]
