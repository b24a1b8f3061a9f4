"""The start of a game: which one is resumed, and when a new one is opened."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.cli.game import Game, take_up
from assistant.cli.play_options import add_arguments, settings_from
from assistant.files.process import UsageError
from assistant.files.profile_files import rules_named
from assistant.files.resources import load_lexicon
from assistant.files.settings import Settings
from assistant.messages import CardsSeen, Command, Message, Pressed, batches
from assistant.rules.calls import Accept, Cut, Ordago
from assistant.rules.cards import parse_hand
from assistant.rules.errors import MusError
from assistant.rules.profile import Profile
from assistant.table.journal import latest_table
from tests.tables import each_row

LEXICON = load_lexicon()
NAMED = ("--seats", "Ana Luis Eva Juan", "--rules", "target=30 juegos=1")


def settings(journal: Path, *options: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args(["--journal", str(journal), *options]))


def start(journal: Path, *options: str) -> Game:
    game = take_up(settings(journal, *options), lambda _profile: LEXICON)
    game.begin()
    return game


def play(game: Game, *messages: Message) -> None:
    for message in messages:
        records = batches(game.table.propose(message), game.table.seq, at=1.0)
        assert records
        game.journal.append(records)
        game.table.commit(records)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "table.sqlite3"


def started_and_left(journal: Path, *messages: Message) -> None:
    game = start(journal, *NAMED)
    play(game, *messages)
    game.journal.close()


@pytest.mark.parametrize("options", [(), NAMED, ("--mano", "1")])
def test_the_same_command_resumes_the_game(journal: Path, options: tuple[str, ...]) -> None:
    started_and_left(journal, Pressed(Cut(seat=1)))
    game = start(journal, *options)
    assert game.resumed
    assert game.table.state.seats == ("Ana", "Luis", "Eva", "Juan")
    game.journal.close()


@pytest.mark.parametrize(
    "options",
    [
        ("--seats", "Ana Luis Eva Pep"),
        ("--rules", "target=40"),
        ("--profile", "vasco"),
        ("--mano", "2"),
    ],
)
def test_other_names_or_rules_do_not_end_a_game_in_progress(
    journal: Path, options: tuple[str, ...]
) -> None:
    started_and_left(journal, Pressed(Cut(seat=1)))
    with pytest.raises(UsageError, match="in progress"):
        start(journal, *options)
    start(journal).journal.close()  # the file was released


def test_a_game_without_any_call_is_replaced(journal: Path) -> None:
    started_and_left(journal)
    game = start(journal, "--seats", "Rosa Pedro Inés Joan")
    assert not game.resumed
    assert game.table.state.seats == ("Rosa", "Pedro", "Inés", "Joan")
    game.journal.close()


def test_a_start_that_fails_later_leaves_the_last_game_the_last(journal: Path) -> None:
    started_and_left(journal, Pressed(Cut(seat=1)))
    game = take_up(settings(journal, "--new"), lambda _profile: LEXICON)
    game.journal.close()  # the port was in use, so the game never began
    assert latest_table(journal) == "game-1"
    assert start(journal).resumed


THE_WHOLE_MATCH = (
    Pressed(Ordago(seat=1)),
    Pressed(Accept(seat=2)),
    CardsSeen(((1, parse_hand("R R R R")),)),
)


@pytest.mark.parametrize("hours_ago", [0.0, 2.9, -400.0])
def test_after_the_last_stone_a_power_cut_leaves_the_score_and_its_undo(
    journal: Path, hours_ago: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the clock was lost, so that the match seems to have ended in the future."""
    started_and_left(journal, *THE_WHOLE_MATCH)
    monkeypatch.setattr("assistant.cli.game.time.time", lambda: 1.0 + hours_ago * 3600)
    game = start(journal)
    assert (game.resumed, game.table.state.winner) == (True, "A")
    undone = game.table.propose(Pressed(Command.UNDO))
    game.table.commit(batches(undone, game.table.seq, at=1.0))
    assert game.table.state.winner is None
    game.journal.close()
    monkeypatch.setattr("assistant.cli.game.time.time", lambda: 1.0)
    other = start(journal, "--seats", "Rosa Pedro Inés Joan")
    assert not other.resumed  # the match was over, so other players may sit down
    other.journal.close()


def test_the_next_match_keeps_the_names_and_rules(journal: Path) -> None:
    started_and_left(journal, *THE_WHOLE_MATCH)
    game = start(journal)
    assert not game.resumed
    assert game.journal.table_id == "game-2"
    assert game.table.state.seats == ("Ana", "Luis", "Eva", "Juan")
    assert game.table.state.profile.target == 30
    game.journal.close()


def test_r56_a_table_of_three_single_players_can_be_opened(journal: Path) -> None:
    game = start(journal, "--rules", "sides=each", "--seats", "Ana Luis Eva", "--mano", "3")
    state = game.table.state
    assert (state.players, state.sides, state.mano) == (3, 3, 3)
    game.journal.close()
    assert start(journal).table.state == state


def test_a_table_of_six_has_the_usual_names(journal: Path) -> None:
    game = start(journal, "--seats", "6")
    assert (game.table.state.seats[4:], game.table.state.sides) == (("Valle", "Monte"), 2)
    game.journal.close()


def test_single_rules_override_those_of_a_profile(journal: Path) -> None:
    asked = settings(journal, "--profile", "vasco", "--rules", "target=30")
    assert asked.profile == replace(rules_named("vasco"), target=30)
    assert settings(journal, "--rules", "target=30 profile=vasco").profile == asked.profile
    assert settings(journal).profile is None


def test_a_profile_of_the_players_own_is_named_by_its_file(journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "torneo.toml"
    path.write_text('name = "torneo"\ntitle = "Torneo"\nexplains = "A 35."\n[rules]\ntarget = 35\n')
    assert settings(journal, "--profile", str(path)).profile == Profile(target=35)


@each_row(
    "options, said",
    [
        (("--profile", "nadie"), "choose from"),
        (("--rules", "kings"), "KEY=VALUE"),
        (("--rules", "kings=5"), "8 or 4"),
        (("--rules", "kings=4 kings=8"), "set twice"),
        (("--seats", "Ana"), "2 to 6"),
        (("--seats", "Ana Luis Eva ana"), "2 to 6 different"),
        (("--seats", "Ana Luis", "--mano", "3"), "only 2 play"),
        (("--seats", "3", "--rules", "sides=two"), "2, 4 or 6 play so"),
    ],
)
def test_impossible_settings_are_refused_before_anything_is_opened(
    journal: Path, options: tuple[str, ...], said: str
) -> None:
    with pytest.raises(MusError, match=said):
        settings(journal, *options)
    assert not journal.exists()


def test_an_old_game_whose_player_is_called_like_a_call_goes_on(journal: Path) -> None:
    seats = ("Ana", "paso", "Eva", "Juan")
    game = take_up(replace(settings(journal), seats=seats), lambda _profile: LEXICON)
    game.begin()
    play(game, Pressed(Cut(seat=1)))
    game.journal.close()
    again = start(journal)
    assert again.resumed
    assert again.table.state.seats == seats
    again.journal.close()


def test_players_who_do_not_fit_the_rules_leave_the_journal_as_it_was(journal: Path) -> None:
    started_and_left(journal)
    with pytest.raises(MusError, match="2, 4 or 6 play so, not 3; with sides=each they can"):
        start(journal, "--seats", "3", "--new")
    with pytest.raises(MusError):
        start(journal, "--mano", "5", "--new")
    assert latest_table(journal) == "game-1"
