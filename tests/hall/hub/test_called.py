"""Matches called to tables: the players sit down there, and the result comes from there."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assistant.cli.game import open_new
from assistant.cli.play_options import add_arguments, settings_from
from assistant.files.resources import load_lexicon
from assistant.files.settings import Settings
from assistant.hall.hub.service import Hub
from assistant.hall.hub.wire import Called
from assistant.hall.tournament import (
    Drawn,
    Format,
    Opened,
    Options,
    PairEnrolled,
    TableAssigned,
    draw,
)
from assistant.hall.uplinked import Uplinked
from assistant.language.lexicon import Lexicon
from assistant.messages import Pressed
from assistant.rules.calls import Cut
from assistant.rules.events import GameOpened
from assistant.rules.profile import Profile
from assistant.table.journal import Journal
from assistant.table.runner import Runner
from assistant.table.table import Table
from scripts.lab.hubbench.servers import Broker, until

pytestmark = pytest.mark.usefixtures("frequent_looks")
PAIRS = (
    PairEnrolled(1, "Los de la plaza", ("Ana Gil", "Luis Paz")),
    PairEnrolled(2, "Tres reyes", ("Eva", "Jon")),
)


@pytest.fixture
def hub(engine: Engine, broker: Broker) -> Iterator[Hub]:
    hub = Hub(broker.address("hub"), engine)
    hub.start()
    yield hub
    hub.stop()


class Room:
    """A table as ``mus play --hub`` wires it, without ear, voice and page."""

    def __init__(self, stack: ExitStack, folder: Path, broker: Broker) -> None:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        self._words: Lexicon = load_lexicon(("es",))
        self.journal = path = folder / "table.sqlite3"
        self._settings: Settings = settings_from(parser.parse_args(["--journal", str(path)]))
        game = open_new(self._settings, lambda _profile: self._words)
        game.begin()
        self.runner = Runner(game.table, game.journal, self._new_game)
        self.line = Uplinked(broker.address("mesa-1"), path, self.runner)
        stack.callback(self.line.close)
        self.runner.listeners.append(self.line)
        self.line.start()
        self.runner.start()
        stack.callback(self.runner.stop)

    def _new_game(self) -> tuple[Journal, Table]:
        last = self.runner.table.state
        game = open_new(
            self._settings,
            lambda _profile: self._words,
            last,
            self.line.called,
            self.runner.journal,
        )
        game.begin()
        return game.journal, game.table

    @property
    def seats(self) -> tuple[str, ...]:
        return self.runner.table.state.seats


@pytest.fixture
def room(tmp_path: Path, broker: Broker) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(stack, tmp_path, broker)


def shown(hub: Hub) -> list[str]:
    """The players of the table on the hall's board."""
    view = hub.hall.view("mesa-1")
    return view["brief"]["seats"] if view and view["brief"] else []


def called(hub: Hub, rules: str = "") -> int:
    """A tournament whose only match is called to the table."""
    options = Options(juegos=2, rules=rules)
    number = hub.ledger.open(Opened("San Blas", Format.KNOCKOUT, options))
    hub.ledger.do(number, lambda _t: PAIRS)
    hub.ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7))])
    hub.ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    return number


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_the_players_of_a_match_sit_down_at_its_table(hub: Hub, room: Room) -> None:
    called(hub)
    until(lambda: set(room.seats) == {"Ana", "Luis", "Eva", "Jon"})
    assert {room.seats[0], room.seats[2]} in ({"Ana", "Luis"}, {"Eva", "Jon"})
    profile: Profile = room.runner.table.state.profile
    assert profile.juegos == 2
    until(lambda: shown(hub) == list(room.seats))


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_game_in_progress_is_not_interrupted_and_the_match_follows_it(
    hub: Hub, room: Room
) -> None:
    before = room.seats
    room.runner.post(Pressed(Cut(seat=1))).result(5)
    called(hub)
    until(lambda: room.line.called is not None)
    room.runner.drain()
    assert room.seats == before
    room.runner.begin_anew(lambda _table: True).result(5)  # as if the match were over
    assert set(room.seats) == {"Ana", "Luis", "Eva", "Jon"}


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_match_is_played_by_the_rules_of_its_tournament(hub: Hub, room: Room) -> None:
    called(hub, "kings=4 target=30")
    until(lambda: set(room.seats) == {"Ana", "Luis", "Eva", "Jon"})
    records = room.runner.journal.read()
    opened = records[0].event
    assert isinstance(opened, GameOpened)  # it carries the rules
    assert (opened.profile.kings, opened.profile.target, opened.profile.juegos) == (4, 30, 2)


def opened_by(room: Room) -> tuple[int, int]:
    profile = room.runner.table.state.profile
    return profile.kings, profile.target


def test_the_same_players_start_again_by_other_rules_unless_they_are_playing(
    room: Room,
) -> None:
    one, two, three, four = room.seats
    match = Called("San Blas K1.1", (one, two, three, four), 3)
    room.line._call(match)
    room.runner.drain()
    assert opened_by(room) == (8, 40)
    room.line._call(replace(match, rules="kings=4"))
    until(lambda: opened_by(room) == (4, 40))
    room.runner.post(Pressed(Cut(seat=1))).result(5)
    room.line._call(replace(match, rules="target=30"))
    room.runner.drain()
    assert opened_by(room) == (4, 40)
