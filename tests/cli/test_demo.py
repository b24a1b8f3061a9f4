"""The demo: its captions in the snapshot, its end, and the way from it to a table of people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.cli.demo import install
from assistant.files.resources import load_phrases
from assistant.messages import Heard, Word
from assistant.page import Keys
from assistant.page.board import TableBoard
from assistant.page.house import House
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.table.journal import MemoryJournal
from assistant.table.runner import Runner
from assistant.table.table import Table
from tests.lexicons import spanish
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard


class DemoTable:
    """A running table that plays the demo, or not, with its board and its pages."""

    def __init__(self, *, plays: bool = True) -> None:
        opening = number(open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"), 1), 0, at=1.0)
        journal = MemoryJournal()
        journal.append(opening)
        table = Table(spanish(), opening)
        self.runner = Runner(table, journal, lambda: (journal, table))
        self.board = TableBoard(self.runner, load_phrases())
        self.left = 0
        settings = SimpleNamespace(demo=plays)
        house = House(cast(Any, settings), load_phrases(), self.runner, self.board, Flask("demo"))
        self.demo = install(cast(House, _Doors(house)), self._leave)
        house.tell(self.board)

    def _leave(self) -> None:
        self.left += 1

    def say(self, text: str) -> None:
        words = (Word(word, i / 3, i / 3 + 0.2) for i, word in enumerate(text.split()))
        self.runner.post(Heard(tuple(words))).result(60)

    def caption(self) -> dict[str, Any]:
        return cast(dict[str, Any], {**self.board.snapshot()}["demo"])


class _Doors:
    """A house whose pages are nobody's concern here."""

    def __init__(self, house: House) -> None:
        self.settings, self.board, self.tell = house.settings, house.board, house.tell

    def show(self, pages: object) -> None:
        """Leave the pages alone."""


@pytest.fixture
def table() -> Iterator[DemoTable]:
    table = DemoTable()
    table.runner.start()
    yield table
    table.runner.stop()


def test_each_call_is_captioned_with_the_player_that_the_table_takes_it_for(
    table: DemoTable,
) -> None:
    assert table.caption() == {"over": False, "words": "", "seat": None}
    for words, seat in (
        ("no hay mus", 1),
        ("paso", 1),
        ("envido", 2),
        ("cinco más", 3),
        ("no quiero", 4),
    ):
        table.say(words)
        assert table.caption() == {"over": False, "words": words, "seat": seat}


def test_the_caption_and_what_the_table_made_of_it_come_in_one_snapshot(table: DemoTable) -> None:
    table.say("no hay mus")
    version = table.board.snapshot()["version"]
    table.say("paso")
    shown = table.board.wait(version, 0)
    assert shown is not None
    assert shown["version"] == version + 1
    assert shown["heard"] is not None
    assert shown["heard"]["text"] == table.caption()["words"] == "paso"


def test_words_that_are_no_call_are_nobodys(table: DemoTable) -> None:
    table.say("no hay mus")
    table.say("quiero")
    assert table.caption() == {"over": False, "words": "quiero", "seat": None}


def test_the_end_is_published_and_the_last_words_stay(table: DemoTable) -> None:
    table.say("no hay mus")
    version = table.board.snapshot()["version"]
    assert table.demo is not None
    table.demo.over()
    assert table.board.snapshot()["version"] == version + 1
    assert table.caption() == {"over": True, "words": "no hay mus", "seat": 1}


def test_a_table_of_people_has_no_captions() -> None:
    table = DemoTable(plays=False)
    assert table.demo is None
    assert "demo" not in table.board.snapshot()


# ---- The way out --------------------------------------------------------------------------------


@pytest.fixture
def asked() -> list[str]:
    return []


def client_of(checkout: Path, asked: list[str], keys: Keys | None = None) -> FlaskClient:
    leave = lambda: asked.append("leave")  # noqa: E731
    return create_app(FakeBoard(), web_dir=checkout / "web", keys=keys, leave=leave).test_client()


def test_the_demo_is_left_by_its_button(checkout: Path, asked: list[str]) -> None:
    answer = client_of(checkout, asked).post("/api/demo/end", json={})
    assert (answer.status_code, answer.json, asked) == (200, {"ended": True}, ["leave"])


def test_a_device_without_the_pin_ends_no_demo(checkout: Path, asked: list[str]) -> None:
    client = client_of(checkout, asked, Keys(b"secret", "123456"))
    answer = client.post("/api/demo/end", json={}, environ_overrides={"REMOTE_ADDR": "192.168.1.7"})
    assert (answer.status_code, asked) == (403, [])
