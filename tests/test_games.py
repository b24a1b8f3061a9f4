"""The golden games: whole deals in the words of the table, each with its expected stones."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from assistant.cli.mus_score import Play, play_script
from assistant.language.lexicon import Lexicon
from assistant.language.script import Expect, Script, parse_script, write_script
from assistant.rules.events import How, LanceClosed
from assistant.rules.history import effective, fold
from assistant.rules.phases import Lance
from tests.lexicons import spanish
from tests.tables import each_row

GAMES = sorted((Path(__file__).parent / "games").glob("*.mus"))
ROW = re.compile(r"\bR[0-6]\d\b")
each_game = each_row("game", GAMES, name=lambda path: path.stem)


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return spanish()


def read_script(path: Path) -> Script:
    return parse_script(path.read_text(encoding="utf-8"))


@cache
def played(path: Path, lexicon: Lexicon) -> Play:
    return play_script(read_script(path), lexicon)


def test_there_are_at_least_twenty_five_golden_games() -> None:
    assert len(GAMES) >= 25


@each_game
def test_a_golden_game_ends_with_its_expected_stones(game: Path, lexicon: Lexicon) -> None:
    failure = played(game, lexicon).failure
    assert failure is None, f"{game}:{failure.line}: {failure.message}"


@each_game
def test_a_golden_game_says_what_it_shows_and_names_its_rule(game: Path) -> None:
    comment = game.read_text(encoding="utf-8").partition("mano:")[0]
    assert comment.startswith("# ")
    assert ROW.search(comment)


@each_game
def test_a_golden_game_ends_with_an_expectation(game: Path) -> None:
    assert isinstance(read_script(game).steps[-1], Expect)


@each_game
def test_every_expected_stone_is_checked(game: Path, lexicon: Lexicon) -> None:
    """One stone more in any 'expect' line fails the game at that line."""
    script = read_script(game)
    for index, step in enumerate(script.steps):
        if not isinstance(step, Expect):
            continue
        for at, (key, value) in enumerate(step.items):
            if not value.isdigit():
                continue
            wrong = (*step.items[:at], (key, str(int(value) + 1)), *step.items[at + 1 :])
            steps = [*script.steps[:index], replace(step, items=wrong), *script.steps[index + 1 :]]
            failure = play_script(replace(script, steps=tuple(steps)), lexicon).failure
            assert failure is not None
            assert (failure.line, failure.message.split("=")[0]) == (step.line, f"expected {key}")


@each_game
def test_a_golden_game_written_as_a_script_has_the_same_events(
    game: Path, lexicon: Lexicon
) -> None:
    records = played(game, lexicon).table.records
    again = play_script(parse_script(write_script(records)), lexicon)
    assert again.failure is None
    told = [record.event for record in effective(records)]
    assert [record.event for record in effective(again.table.records)] == told
    assert fold(again.table.records) == fold(records)


def test_the_golden_games_show_every_way_a_lance_can_end(lexicon: Lexicon) -> None:
    ends = {
        (record.event.lance, record.event.how)
        for path in GAMES
        for record in played(path, lexicon).table.records
        if isinstance(record.event, LanceClosed)
    }
    bets = (How.PASSED, How.ACCEPTED, How.REFUSED, How.ORDAGO)
    assert {(lance, how) for lance in Lance for how in bets} <= ends
    assert {(Lance.PARES, How.UNCONTESTED), (Lance.JUEGO, How.UNCONTESTED)} <= ends
    assert (Lance.PARES, How.NOBODY) in ends
