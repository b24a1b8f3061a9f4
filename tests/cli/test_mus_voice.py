"""``mus voice``: the voices and styles that are there, and a sample of each."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from assistant.cli import mus_voice
from assistant.cli.main import main
from assistant.cli.mus_voice import calls_in, template
from assistant.files.resources import load_phrases
from assistant.files.settings import read_settings, write_settings
from assistant.files.style_files import find_style, load_style, own_styles
from assistant.language.phrases import Level
from assistant.language.phrases.sample import NAMED, sample
from assistant.voice.engines import read_piece
from tests.language.phrases.test_styles import SHIPPED
from tests.tables import each_row
from tests.voice.parts import needs_speech


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LANGUAGE", "es")


@each_row(
    "style, said",
    [
        ("sobrio", "Una para Ane y Miren. Una a cero."),
        ("peña", "Corta Jon. Una para Ane y Miren. Una a cero."),
        (
            "maestro",
            "Corta Jon: se juega con lo que hay. Dos a la grande: a contestar, Jon y Luis. "
            "Una para Ane y Miren: no se quiso el envite a la grande.",
        ),
    ],
)
def test_a_sample_is_what_the_style_says_of_a_small_deal(style: str, said: str) -> None:
    one, phrases = find_style(style), load_phrases("es")
    assert sample(phrases.styled(one), one.level(Level.ESSENTIAL)) == said


def test_a_sample_has_the_tables_names_where_four_play() -> None:
    phrases, names = load_phrases("eu"), ("Ana", "Luis", "Íñigo", "Eva")
    assert "Ana eta Íñigo" in sample(phrases, Level.ESSENTIAL, names)
    assert NAMED[0] in sample(phrases, Level.ESSENTIAL, names[:3])


@pytest.mark.slow
@needs_speech
def test_the_voices_and_styles_are_listed_with_those_that_are_set(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_settings({"style": "sobrio", "voice_name": "Spanish (Spain)"})
    assert main(["voice", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [style["name"] for style in told["styles"]] == list(SHIPPED)
    assert (told["style"], told["voice_name"]) == ("sobrio", "Spanish (Spain)")
    assert "Spanish (Spain)" in told["voices"]
    assert main(["voice"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines if line.startswith("*")] == [
        "* Spanish (Spain)",
        "* sobrio",
    ]
    assert (lines[0], lines[1]) == ("Voces:", "  la del idioma")


@pytest.mark.slow
@needs_speech
def test_a_sample_is_written_into_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "maestro.wav"
    assert main(["voice", "--out", str(path), "--style", "maestro", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    piece = read_piece(path)
    assert told["seconds"] == pytest.approx(len(piece.samples) / piece.rate, abs=0.1)
    assert (told["style"], told["said"][:10]) == ("maestro", "Corta Jon:")


@pytest.mark.parametrize("asked", [["--style", "maestro"], ["--name", "Spain"]])
def test_whoever_names_a_style_or_a_voice_hears_it(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[tuple[str, str]] = []
    monkeypatch.setattr(
        mus_voice, "say_once", lambda said, sound, _gate: heard.append((said, sound.name))
    )
    assert main(["voice", *asked]) == 0
    assert capsys.readouterr().out == f"{heard[0][0]}\n"
    assert (heard[0][0][:13] == "Corta Jon: se") == ("maestro" in asked)
    assert (heard[0][1] == "Spain") == ("Spain" in asked)


@pytest.mark.slow
def test_a_voice_that_is_not_there_is_told_with_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["voice", "--out", str(tmp_path / "a.wav"), "--name", "piper: davefx"]) == 2
    told = capsys.readouterr().err
    assert told == (
        "mus: Piper no está instalado: instálalo (pip install piper-tts), o elige otra voz.\n"
    )


def test_a_style_of_ones_own_begins_with_every_sentence_as_it_is_said_now(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["voice", "--new", "casa", "--style", "maestro"]) == 0
    path = own_styles() / "casa.toml"
    assert capsys.readouterr().out == f"{path}\n"
    assert load_style(path).words == find_style("maestro").words
    assert main(["settings", "style", "casa"]) == 0
    assert read_settings()["style"] == "casa"
    assert main(["voice", "--new", "casa"]) == 2
    assert "casa" in capsys.readouterr().err


def test_every_line_of_a_new_style_may_be_used() -> None:
    """Whoever takes away a "# " has a style that loads."""
    text = template("casa", find_style("peña"), "es")
    used = "\n".join(
        line.removeprefix("# ").replace(' # or ""', "") if " = " in line else line
        for line in text.splitlines()
    )
    table = tomllib.loads(used)
    assert table["words"]["es"]["say"]["cut"] == list(find_style("peña").of("es")["say.cut"])
    path = own_styles() / "casa.toml"
    path.parent.mkdir(parents=True)
    path.write_text(used)
    assert load_style(path).of("es")["reason.paused"]


@pytest.mark.slow
def test_a_broken_style_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    own_styles().mkdir(parents=True)
    (own_styles() / "rota.toml").write_text("title = 3\n")
    main(["voice", "--json"])
    told = capsys.readouterr()
    assert [style["name"] for style in json.loads(told.out)["styles"]] == list(SHIPPED)
    assert "rota.toml" in told.err


def test_a_style_of_ones_own_that_says_a_call_is_named() -> None:
    own_styles().mkdir(parents=True)
    (own_styles() / "casa.toml").write_text(
        'title = "Casa"\nexplains = "La nuestra."\n[words.es.say]\n'
        'cut = "{name} corta."\nrefuse = ["{name} no quiere.", "No quiero."]\n'
    )
    (fault,) = calls_in(find_style("casa"))
    assert str(fault) == (
        "The style casa says 'No quiero.' (es.say.refuse), which is a call: word it otherwise."
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_no_style_that_ships_is_named(name: str) -> None:
    assert list(calls_in(find_style(name))) == []


def test_a_style_is_set_by_its_name_and_one_that_is_gone_can_be_unset(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["settings", "style", "pena"]) == 0
    assert read_settings()["style"] == "peña"
    assert main(["settings", "style", "bar"]) == 2
    assert "maestro, peña, sobrio" in capsys.readouterr().err
    write_settings({"style": "casa"})  # whose file was taken away since
    assert main(["play", "--voice", "off", "--port", "0"]) == 2
    assert "casa" in capsys.readouterr().err
    assert main(["settings", "style", "--unset"]) == 0
    assert "style" not in read_settings()
