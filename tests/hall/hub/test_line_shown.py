"""The table's link to the hall is shown: by its page during a game, by the doctor at any time."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from assistant.cli.app import Session
from assistant.cli.game import open_new
from assistant.cli.main import main
from assistant.cli.play_options import add_arguments, settings_from
from assistant.files.resources import load_lexicon, load_phrases
from assistant.files.settings import Settings, write_settings
from assistant.hall.uplinked import MatchNote, Uplinked, install
from assistant.page.board import TableBoard
from assistant.page.house import House
from assistant.table.runner import Runner
from scripts.lab.hubbench.servers import PASSWORD, Broker, until


def settings(*asked: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args(asked))


def begun(journal: Path) -> Runner:
    """A table with a game in which nobody has spoken."""
    game = open_new(settings("--journal", str(journal)), lambda _profile: load_lexicon(("es",)))
    game.begin()
    return Runner(game.table, game.journal, lambda: (game.journal, game.table))


def test_the_page_shows_the_loss_and_return_of_the_hall(tmp_path: Path, broker: Broker) -> None:
    runner = begun(tmp_path / "table.sqlite3")
    board = TableBoard(runner, load_phrases("es"))
    assert board.snapshot()["hall"] == "off"
    line = Uplinked(broker.address("mesa-1"), tmp_path / "table.sqlite3", runner, board.hall)
    line.start()
    try:
        until(lambda: board.snapshot()["hall"] == "there")
        broker.kill()
        until(lambda: board.snapshot()["hall"] == "away")
        broker.start()
        until(lambda: board.snapshot()["hall"] == "there")
    finally:
        line.close()


def hall_of(capsys: pytest.CaptureFixture[str]) -> tuple[str, str, str]:
    main(["doctor", "--json"])
    told = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    return told["sala"]["state"], told["sala"]["found"], told["sala"]["advice"]


@pytest.mark.usefixtures("in_spanish")
def test_the_doctor_reports_the_link_and_the_unsent_records(
    tmp_path: Path,
    broker: Broker,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert hall_of(capsys) == ("ok", "ninguna", "")
    (tmp_path / "secret").write_text(PASSWORD)
    where = f"mqtt://mesa-1@127.0.0.1:{broker.port}"
    write_settings({"hub": where, "hub_password_file": str(tmp_path / "secret")})
    journal = settings().journal
    assert journal
    assert hall_of(capsys) == ("ok", f"{where}; por enviar: 0", "")
    broker.stop()
    line = Uplinked(broker.address("mesa-1"), journal, begun(journal))
    line.start()
    line.close()
    state, found, advice = hall_of(capsys)
    assert (state, found) == ("warning", f"no se llega a {where}; por enviar: 1")
    assert "no contesta: mira si está en marcha" in advice


@pytest.mark.usefixtures("in_spanish")
def test_the_doctor_knows_the_hall_of_the_last_game_without_a_setting(
    tmp_path: Path,
    broker: Broker,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    where = f"mqtt://mesa-1@127.0.0.1:{broker.port}"
    common = ("--port", "0", "--voice", "off", "--mic", "none")
    with Session(settings(*common, "--hub", where.replace("@", f":{PASSWORD}@"))):
        pass
    state, found, _ = hall_of(capsys)
    assert (state, found) == ("ok", f"{where}; por enviar: 1")  # nobody has confirmed it
    for path in (tmp_path / "XDG_DATA_HOME" / "mus").glob("*.json"):
        assert path.stat().st_mode & 0o077 == 0
    with Session(settings(*common)):
        pass
    assert hall_of(capsys) == ("ok", "ninguna", "")


@pytest.mark.usefixtures("in_spanish")
def test_each_page_reads_of_the_match_in_its_own_language(tmp_path: Path, broker: Broker) -> None:
    runner = begun(tmp_path / "table.sqlite3")
    phrases = load_phrases("es")
    board = TableBoard(runner, phrases)
    told = settings("--journal", str(tmp_path / "table.sqlite3"))
    house = SimpleNamespace(
        settings=replace(told, hub=broker.address("mesa-1"), listen=tmp_path / "evening.wav"),
        phrases=phrases,
        runner=runner,
        board=board,
        tell=runner.listeners.append,
    )
    line = install(cast(House, house))
    assert line
    line.note = lambda: MatchNote(decided=True)  # type: ignore[method-assign]
    board.refresh()
    for code, words in (
        ("es", "Esta partida ya está decidida"),
        ("eu", "Partida hau epailearen mahaian"),
        ("en", "This match has been decided"),
    ):
        shown = cast(dict[str, dict[str, object]], board.in_language(code))
        assert words in str(shown["match"]["text"]), code
    line.close()
