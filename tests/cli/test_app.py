"""The composition root: what is installed, and the order in which features start and close."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.cli.app import App, Session
from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear import EarState
from assistant.files.settings import TAPS, TELEPHONES, Settings
from assistant.rules.errors import MusError
from tests.test_surface import LISTED, routes

OF_A_CAMERA = ("/camera", "/api/camera")
OF_A_NETWORK = ("/api/enter", "/qr.svg")
OF_A_DEMO = ("/api/demo",)
OF_TELEPHONES = ("/microphone", "/api/telephones", "/authority.crt")


class Part:
    """A feature that records its start and its close."""

    def __init__(self, name: str, told: list[str], *, fails: bool = False) -> None:
        self.name, self.told, self.fails = name, told, fails

    def start(self) -> None:
        self.told.append(f"{self.name} starts")

    def close(self) -> None:
        self.told.append(f"{self.name} ends")
        if self.fails:
            raise MusError(f"{self.name} failed.")


class Parts(App):
    """An app made of such features."""

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


def test_features_close_in_reverse_order_and_only_once(settings: Settings) -> None:
    told: list[str] = []
    line, learner, ear = (Part(name, told) for name in ("line", "learner", "ear"))

    def opens(app: Parts) -> None:
        for part in (ear, learner, line):
            app._end(part)
        app._start(line, None, ear)

    with Parts(settings, opens):
        assert told == ["line starts", "ear starts"]
    assert told[2:] == ["ear ends", "line ends", "learner ends"]


def test_a_feature_that_fails_to_close_is_logged_and_the_others_close(settings: Settings) -> None:
    told: list[str] = []

    def opens(app: Parts) -> None:
        for part in (Part("first", told), Part("second", told, fails=True), Part("third", told)):
            app._end(part)

    with pytest.raises(MusError, match="second failed"), Parts(settings, opens):
        pass
    assert told == ["third ends", "second ends", "first ends"]


def test_a_failed_opening_closes_the_features_that_were_open(settings: Settings) -> None:
    told: list[str] = []

    def opens(app: Parts) -> None:
        app._end(Part("first", told))
        raise MusError("There is no second.")

    with pytest.raises(MusError, match="no second"), Parts(settings, opens):
        pass
    assert told == ["first ends"]


def test_a_table_has_every_page_except_those_of_camera_and_network(settings: Settings) -> None:
    listed = {
        line
        for line in LISTED.read_text("utf-8").splitlines()
        if line.startswith("table ")
        if not line.split()[-1].startswith(
            (*OF_A_CAMERA, *OF_A_NETWORK, *OF_TELEPHONES, *OF_A_DEMO)
        )
    }
    with Session(settings) as session:
        assert set(routes(session.house.app, "table")) == listed


def test_a_table_that_hears_with_telephones_has_their_pages_and_a_secure_address(
    settings: Settings,
) -> None:
    asked = replace(settings, hearing=TELEPHONES, https_port=0)
    with Session(asked) as session:
        found = set(routes(session.house.app, "table"))
        assert {f"table GET {path}" for path in OF_TELEPHONES} <= found
        assert session.server.secure_url
        assert {**session.board.snapshot()}["telephones"] == []
        port = session.server.secure.port if session.server.secure else 0
        session.open_anew(asked, greet=False)  # as after a change of the set-up
        assert session.server.secure_url == f"https://127.0.0.1:{port}/"


def test_a_table_that_is_tapped_opens_no_microphone(settings: Settings) -> None:
    with Session(replace(settings, hearing=TAPS)) as session:
        assert session.server.secure_url is None
        assert session.ear.ear.told == (EarState.OFF, "")
        assert session.ear.failure is None
