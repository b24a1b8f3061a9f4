"""Tables for the tests of the apprentice: the golden games step by step, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from assistant.cli.mus_score import play_script
from assistant.language.script import parse_script
from assistant.messages import Outcome
from assistant.rules.history import Record, fold
from assistant.rules.state import State
from assistant.school.apprentice import ApprenticeView, Tongue, apprentice_view
from assistant.school.apprentice.page import load_tongue
from tests.lexicons import spanish
from tests.rules.play import Game

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.mus"))
LANGUAGES = ("es", "eu", "en")
SPANISH = load_tongue("es", "es")


@cache
def records_of(game: Path) -> tuple[Record, ...]:
    """The journal of a golden game."""
    return tuple(play_script(parse_script(game.read_text("utf-8")), spanish()).table.records)


@cache
def steps(game: Path) -> tuple[tuple[State, tuple[Record, ...]], ...]:
    """The state after each call of a golden game, with the records so far."""
    records = records_of(game)
    found = []
    for _, batch in groupby(records, key=lambda record: record.batch):
        until = records[: list(batch)[-1].seq]
        state = fold(until)
        assert state is not None
        found.append((state, until))
    return tuple(found)


def all_steps() -> Iterator[tuple[State, tuple[Record, ...]]]:
    """Every step of every golden game."""
    for game in GAMES:
        yield from steps(game)


def view_of(game: Game, seat: int, *outcomes: Outcome, tongue: Tongue = SPANISH) -> ApprenticeView:
    """The view of the game for a seat."""
    return apprentice_view(game.state, game.records, outcomes, seat, tongue)


def texts_of(view: ApprenticeView) -> Iterator[str]:
    """Every sentence of a view."""
    yield view["now"]
    yield view["turn"]["text"]
    if said := view["said"]:
        yield said["means"]
        yield from said["then"]
    for choice in view["may"]:
        yield choice["means"]
        for way in choice["ways"]:
            yield way["say"]
            yield from (stake["text"] for stake in way["stakes"])
    yield from (one["text"] for one in view["why"])
    yield from (one["text"] for one in view["chances"])
    if view["mistake"]:
        yield view["mistake"]["text"]
