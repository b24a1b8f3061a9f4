"""The doctor: it checks every part, gives advice for each fault, and never hangs."""

from __future__ import annotations

import argparse
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest

from assistant.cli import mus_doctor as checks
from assistant.cli import mus_doctor as doctor
from assistant.cli.main import main
from assistant.cli.mus_doctor import CHECKS, CheckFinding, CheckState, CheckTold, CheckWords
from assistant.cli.play_options import add_arguments, settings_from
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import languages, load_toml
from assistant.files.settings import Settings, settings_path, write_settings
from assistant.speakers.enrolled import keep
from assistant.speakers.enrolment import SaidPrompt
from assistant.voice import VoiceError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_spanish")]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    # The result must not depend on whether this machine has a microphone.
    monkeypatch.setattr(checks, "microphones", lambda: ["Jabra Speak 510", "HDA Intel"])
    monkeypatch.setattr(checks, "is_silent", lambda _mic: False)
    monkeypatch.setattr(checks, "channels_of", lambda _mic: 2)
    monkeypatch.setattr(checks, "behind", lambda name: name)
    monkeypatch.setattr(checks, "served", lambda _name: "")
    monkeypatch.setattr(checks, "try_player", lambda: ("aplay", "-q"))


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def examined() -> dict[str, CheckTold]:
    return {one.name: one for one in doctor.examined()}


def wrong() -> dict[str, CheckTold]:
    return {name: one for name, one in examined().items() if one.state is CheckState.WRONG}


def test_every_part_is_reported_with_a_state(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert len(told) == len(CHECKS)
    assert {one["state"] for one in told} <= {"ok", "warning", "wrong"}
    assert all(bool(one["advice"]) == (one["state"] != "ok") for one in told)


def test_the_results_are_printed_as_readable_lines(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert status == int(any(line.startswith("✗") for line in lines))
    assert "✓ micrófono     Jabra Speak 510, HDA Intel" in lines


def test_voices_that_the_ear_is_not_adapted_to_are_reported() -> None:
    keep("Ana", "es", [SaidPrompt("mus", np.zeros(1600, np.int16))])
    told = examined()["voces"]
    assert (told.found, told.state) == ("Ana", CheckState.WARNING)
    assert "mus enrol --fit" in told.advice


def test_a_port_in_use_is_reported(taken: int) -> None:
    write_settings({"port": taken})
    assert "mus settings port" in wrong()["puerto"].advice


def test_a_missing_microphone_is_reported_with_the_available_ones() -> None:
    write_settings({"mic": "yeti"})
    assert wrong()["micrófono"].found == "Jabra Speak 510, HDA Intel"
    write_settings({"mic": "jabra"})
    assert "micrófono" not in wrong()


def test_a_table_without_a_microphone_in_the_middle_needs_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checks, "microphones", list)
    for hearing, found in (
        ("telephones", "los móviles de los jugadores"),
        ("taps", "no hace falta: se toca"),
    ):
        write_settings({"hearing": hearing})
        told = examined()["micrófono"]
        assert (told.state, told.found) == (CheckState.OK, found)


def test_a_default_that_hears_the_loudspeaker_is_reported_with_a_better_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checks, "behind", lambda _name: "hdmi.monitor")
    told = examined()["micrófono"]
    assert told.state is CheckState.WARNING
    assert "mus settings mic 'Jabra Speak 510'" in told.advice
    monkeypatch.setattr(checks, "microphones", lambda: ["default", "pulse"])
    assert "Conecta un micrófono" in examined()["micrófono"].advice
    monkeypatch.setattr(checks, "served", lambda _name: "usb.mic")
    assert "pactl set-default-source usb.mic" in examined()["micrófono"].advice


def test_a_silent_microphone_is_reported_with_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checks, "is_silent", lambda _mic: True)
    write_settings({"mic": "Jabra Speak 510"})
    told = examined()["micrófono"]
    assert (told.state, "HDA Intel" in told.advice) == (CheckState.WARNING, True)


def test_an_array_of_which_one_channel_is_heard_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "channels_of", lambda _mic: 6)
    write_settings({"mic": "Jabra Speak 510"})
    told = examined()["micrófono"]
    assert told.state is CheckState.OK
    assert "mus settings channels 6" in told.advice
    write_settings({"channels": 6})
    assert not examined()["micrófono"].advice


def test_a_missing_camera_is_reported(tmp_path: Path) -> None:
    write_settings({"camera": str(tmp_path / "none.jpg")})
    assert "No hay fichero" in wrong()["cámara"].advice


def test_a_missing_voice_is_reported_with_the_available_ones() -> None:
    write_settings({"voice_name": "Pavarotti"})
    assert "Pavarotti" in wrong()["voz"].advice
    write_settings({"voice": False})
    assert "voz" not in wrong()


def test_a_file_that_is_no_journal_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "XDG_DATA_HOME" / "mus" / "table.sqlite3"
    path.parent.mkdir(parents=True)
    path.write_text("this was a shopping list")
    assert wrong()["diario"].advice


def test_a_wrong_settings_file_is_reported_and_the_other_checks_go_on() -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("lvel = 1")
    found = examined()
    assert "¿querías decir 'level'?" in found["ajustes"].advice
    assert found["modelo"].state is CheckState.OK


def test_a_check_that_hangs_is_reported_and_delays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()

    def hang(_settings: Settings) -> CheckFinding:
        never.wait(30)
        return checks.well("at last")

    monkeypatch.setattr(doctor, "WITHIN", 0.5)
    monkeypatch.setattr(doctor, "CHECKS", {"clock": checks.clock, "camera": hang})
    found = examined()
    never.set()
    assert found["reloj"].state is CheckState.OK
    assert (found["cámara"].state, found["cámara"].found) == (CheckState.WRONG, "no contesta")


def test_every_check_has_its_texts_in_every_language_of_the_voice() -> None:
    """Each language has the same keys and placeholders as Spanish."""
    spanish = load_toml(data_dir("models") / "es" / "checks.toml")
    for language in languages("phrases"):
        table = load_toml(data_dir("models") / language / "checks.toml")
        assert shape(table) == shape(spanish), language
        assert set(CHECKS) == set(table) - {"any"}


def shape(table: dict[str, Any]) -> set[tuple[str, ...]]:
    """The key and the placeholders of each text."""
    return {
        (check, code, str(place), *sorted(name or "" for _, name, _, _ in Formatter().parse(text)))
        for check, texts in table.items()
        for code, said in texts.items()
        for place, text in enumerate([said] if isinstance(said, str) else said)
    }


@pytest.mark.parametrize(("language", "word"), [("", "reloj"), ("eu", "erlojua"), ("en", "clock")])
def test_the_doctor_speaks_the_language_that_is_set(language: str, word: str) -> None:
    write_settings({"language": language})
    assert word in examined()


@pytest.mark.parametrize(
    ("locale", "word"),
    [
        ("C.UTF-8", "reloj"),
        ("es_ES.UTF-8", "reloj"),
        ("eu_ES.UTF-8", "erlojua"),
        ("en_GB.UTF-8", "clock"),
    ],
)
@pytest.mark.parametrize("profile", ["", "vasco"])
def test_the_doctor_speaks_the_machines_language_whatever_the_table_speaks(
    monkeypatch: pytest.MonkeyPatch, profile: str, locale: str, word: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("LANG", locale)
    write_settings({"profile": profile} if profile else {})
    monkeypatch.setattr(doctor, "CHECKS", {"clock": checks.clock, "hub": checks.hub})
    assert next(iter(examined())) == word


def test_missing_texts_are_reported_in_one_sentence() -> None:
    with pytest.raises(UsageError, match=r"\[clock\] has no good words for stopped"):
        CheckWords("es").told("clock", checks.well("stopped"))


def test_a_loudspeaker_that_plays_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The installed player, whichever it is, is asked to play."""

    def unheard() -> tuple[str, ...]:
        raise VoiceError("Nobody hears the voice (aplay: no card): connect a loudspeaker.")

    monkeypatch.setattr("assistant.cli.mus_doctor.try_player", unheard)
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    settings = settings_from(parser.parse_args(["--voice", "on"]))
    found = checks.looked(CHECKS["loudspeaker"], settings)
    assert (found.state, "connect a loudspeaker" in str(found.params)) == (CheckState.WRONG, True)
