"""The composition root: what is installed, in which order it begins, and in which it ends."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.cli.app import App, Session
from assistant.cli.mus_settings import add_arguments, settings_from
from assistant.files.settings import Settings
from assistant.rules.errors import MusError
from tests.test_surface import LISTED, routes

OF_A_CAMERA = ("/camera", "/api/camera", "/decks", "/api/decks")
OF_A_NETWORK = ("/api/enter", "/qr.svg")


class Part:
    """A feature that tells what becomes of it."""

    def __init__(self, name: str, told: list[str], *, fails: bool = False) -> None:
        self.name, self.told, self.fails = name, told, fails

    def start(self) -> None:
        self.told.append(f"{self.name} starts")

    def close(self) -> None:
        self.told.append(f"{self.name} ends")
        if self.fails:
            raise MusError(f"{self.name} failed.")


class Parts(App):
    """An app of such features."""

    def __init__(self, settings: Settings, opens: Callable[[Parts], None]) -> None:
        super().__init__(settings)
        self.opens = opens

    def _open(self) -> None:
        self.opens(self)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    words = ["--port", "0", "--voice", "off", "--mic", "none"]
    return settings_from(parser.parse_args([*words, "--journal", str(tmp_path / "t.sqlite3")]))


def test_what_was_started_last_ends_first_and_each_ends_once(settings: Settings) -> None:
    told: list[str] = []
    line, learner, ear = (Part(name, told) for name in ("line", "learner", "ear"))

    def opens(app: Parts) -> None:
        for part in (ear, learner, line):
            app._end(part)
        app._start(line, None, ear)

    with Parts(settings, opens):
        assert told == ["line starts", "ear starts"]
    assert told[2:] == ["ear ends", "line ends", "learner ends"]


def test_what_cannot_end_is_told_and_keeps_nothing_else_from_ending(settings: Settings) -> None:
    told: list[str] = []

    def opens(app: Parts) -> None:
        for part in (Part("first", told), Part("second", told, fails=True), Part("third", told)):
            app._end(part)

    with pytest.raises(MusError, match="second failed"), Parts(settings, opens):
        pass
    assert told == ["third ends", "second ends", "first ends"]


def test_what_cannot_be_opened_has_all_that_is_open_ended(settings: Settings) -> None:
    told: list[str] = []

    def opens(app: Parts) -> None:
        app._end(Part("first", told))
        raise MusError("There is no second.")

    with pytest.raises(MusError, match="no second"), Parts(settings, opens):
        pass
    assert told == ["first ends"]


def test_a_table_has_every_page_but_those_of_a_camera_and_of_a_network(settings: Settings) -> None:
    listed = {
        line
        for line in LISTED.read_text("utf-8").splitlines()
        if line.startswith("table ")
        if not line.split()[-1].startswith((*OF_A_CAMERA, *OF_A_NETWORK))
    }
    with Session(settings) as session:
        assert set(routes(session.house.app, "table")) == listed
