"""The settings file: read strictly, written atomically, and overridden by the command line."""

from __future__ import annotations

import argparse
import json
import tomllib
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from assistant.cli.main import main
from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear.audio import RATE
from assistant.ear.catalogue import models_dir
from assistant.files.process import UsageError
from assistant.files.settings import (
    EVERYWHERE,
    LOCALHOST,
    MICROPHONE,
    OPTIONS,
    TELEPHONES,
    Settings,
    SettingsError,
    Value,
    read_settings,
    settings_path,
    write_settings,
)
from assistant.speakers.enrolled import write_wav
from tests.tables import each_row

FILE, ANOTHER = str(Path(__file__)), str(Path(__file__).parent / "test_atomic.py")
HUB = "mqtts://mesa-1@hub.local"
OTHER: dict[str, Value] = {
    "hub": HUB, "hub_password_file": FILE, "hub_ca": FILE, "hub_cert": FILE, "hub_key": FILE,
    "channels": 4, "seat_channels": "2 1 4 3", "array": True, "learn": False,
    "mic": "jabra", "camera": "1", "deck": "mus", "voice": False, "voice_name": "spanish",
    "rate": 200, "volume": 0.5, "level": "full", "style": "sobrio",
    "sounds": False, "port": 9000, "lan": True, "language": "en",
    "hearing": "taps", "https_port": 9500, "models": "otro", "profile": "vasco",
    "rules": "target=30 kings=8", "seats": "Ana Luis Eva Juan",
}  # fmt: skip
ALONG: dict[str, dict[str, Value]] = {
    "https_port": {"lan": True},
    "hub_password_file": {"hub": HUB},
    "hub_ca": {"hub": HUB},
    "hub_cert": {"hub": HUB, "hub_cert": ANOTHER, "hub_key": FILE},
    "hub_key": {"hub": HUB, "hub_cert": FILE, "hub_key": ANOTHER},
}
"""Other settings that a setting needs to have an effect."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (models_dir() / str(OTHER["models"])).mkdir(parents=True)


def asked(*words: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args(words))


def shown(settings: Settings) -> dict[str, object]:
    return {field.name: getattr(settings, field.name) for field in fields(settings)}


def test_without_a_file_every_setting_has_its_default() -> None:
    assert read_settings() == {}
    settings = asked()
    assert (settings.port, settings.level, settings.voice) == (8765, "essential", "on")
    assert (settings.mic, settings.camera, settings.usual_seats) == (None, None, None)


@each_row("key", OPTIONS)
def test_the_table_accepts_every_setting(key: str) -> None:
    settings_path().unlink(missing_ok=True)
    write_settings(ALONG.get(key, {}))
    before = shown(asked())
    write_settings({key: OTHER[key]})
    assert shown(asked()) != before


@each_row("key", OPTIONS)
def test_a_written_setting_is_read_back_and_can_be_removed(key: str) -> None:
    settings_path().unlink(missing_ok=True)
    write_settings(OTHER)
    assert read_settings() == OTHER
    write_settings({key: None})
    assert read_settings() == {other: value for other, value in OTHER.items() if other != key}


def test_the_command_line_overrides_the_file() -> None:
    write_settings(OTHER)
    words = "--port 7000 --level silent --voice on --mic x --no-lan"
    settings = asked(*words.split())
    assert (settings.port, settings.level, settings.voice) == (7000, "silent", "on")
    assert (settings.mic, settings.host) == ("x", "127.0.0.1")


def test_a_recording_is_heard_without_the_settings_of_the_table(tmp_path: Path) -> None:
    write_settings(OTHER)
    wav = tmp_path / "deal.wav"
    write_wav(wav, np.zeros(RATE, np.int16))
    settings = asked("--listen", str(wav))
    assert (settings.mic, settings.camera, settings.deck) == (None, None, None)
    assert (settings.usual_profile, settings.usual_seats) == (None, None)
    assert settings.port == 9000


@each_row("language", ["eu", "en"])
def test_the_demo_is_spoken_in_the_set_language_and_heard_in_spanish(language: str) -> None:
    write_settings({"language": language})
    settings = asked("--demo")
    assert settings.profile
    assert (settings.profile.voice, settings.profile.calls) == (language, ("es",))
    assert settings.aloud
    assert settings.demo
    assert not asked("--demo", "--fast").aloud


def test_a_comment_explains_each_setting() -> None:
    write_settings({"port": 9000})
    text = settings_path().read_text("utf-8")
    assert all(option.means in text and f"{key} = " in text for key, option in OPTIONS.items())
    assert tomllib.loads(text) == {"port": 9000}


@each_row(
    "text, said",
    [
        ("lvel = 'full'", "did you mean 'level'?"),
        ("colour = 1", "choose from mic"),
        ("port = '80'", "port must be a whole number"),
        ("port = true", "port must be a whole number"),
        ("port = 70000", "it goes from 0 to 65535"),
        ("rate = 20", "it goes from 80 to 450"),
        ("volume = nan", "it goes from 0 to 1"),
        ("level = 'loud'", "choose from silent"),
        ("seats = 'Ana'", "seats cannot be"),
        ("seat_channels = '1 1'", "one channel for each seat"),
        ("seat_channels = '0 1'", "one channel for each seat"),
        ('mic = "a\\nb"', "one line"),
        ("mic = 3", "in quotes"),
        ("voice = 'on'", "true or false"),
        ("voice = [true]", "true or false"),
        ("[voice]", "true or false"),
        ("port = ", "no TOML file"),
        ("\x00", "no TOML file"),
    ],
)
def test_a_fault_in_the_file_is_reported_with_its_name(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings_path().parent.mkdir(exist_ok=True)
    settings_path().write_text(text)
    assert main(["settings"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert str(settings_path()) in told
    assert told.count("\n") == 1


def test_a_file_that_is_no_text_is_reported() -> None:
    settings_path().parent.mkdir()
    settings_path().write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings()


def test_a_wrong_value_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    write_settings({"rate": 200})
    for words in (["rate", "20"], ["rate", "fast"], ["lan", "perhaps"], ["seats", "Ana"]):
        assert main(["settings", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert read_settings() == {"rate": 200}


def test_settings_are_shown_set_and_unset_by_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["settings", "lan", "sí"]) == 0
    assert main(["settings", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(told) == set(OPTIONS)
    assert told["lan"] == {"value": True, "set": True}
    assert told["port"] == {"value": 8765, "set": False}
    assert main(["settings", "lan", "--unset"]) == 0
    assert read_settings() == {}
    assert main(["settings", "--path"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(settings_path())


@each_row("words", [["--unset"], ["lan", "on", "--unset"], ["lvel", "--unset"]])
def test_an_impossible_unset_is_refused(words: list[str]) -> None:
    assert main(["settings", *words]) == 2


@each_row(
    "text",
    ["a = " + "[" * 5_000, "a = " + "9" * 5_000, "a = " + "[" * 99 + "]" * 99, "#" * 100_001],
)
def test_an_absurd_file_gives_one_sentence(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text)
    assert main(["play"]) == 2
    said = capsys.readouterr().err
    assert (said.count("\n"), str(settings_path()) in said) == (1, True)


@each_row(
    "words, host, port",
    [
        ("", LOCALHOST, None),
        ("--lan", EVERYWHERE, 9208),
        ("--lan --port 9000", EVERYWHERE, 9443),
        ("--lan --port 0", EVERYWHERE, 0),
        ("--lan --port 65500", EVERYWHERE, 0),
        ("--lan --https-port 9999", EVERYWHERE, 9999),
        ("--https-port 0", LOCALHOST, 0),
        ("--telephones", EVERYWHERE, 9208),
        ("--telephones --no-lan", LOCALHOST, None),
    ],
)
def test_the_secure_page_is_there_for_other_devices(
    words: str, host: str, port: int | None
) -> None:
    settings_path().unlink(missing_ok=True)
    settings = asked(*words.split())
    assert (settings.host, settings.https_port) == (host, port)


def test_telephones_are_asked_for_by_option_or_setting_and_not_for_a_recording() -> None:
    assert asked().hearing == MICROPHONE
    assert asked("--telephones").hearing == TELEPHONES
    write_settings({"hearing": TELEPHONES, "https_port": 9300})
    settings = asked()
    assert (settings.hearing, settings.host, settings.https_port) == (TELEPHONES, EVERYWHERE, 9300)
    assert asked("--demo").hearing == MICROPHONE
    with pytest.raises(UsageError, match="leave out --listen"):
        asked("--demo", "--telephones")
