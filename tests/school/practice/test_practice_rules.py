"""A practice game under every profile, and its refusals of impossible options."""

from __future__ import annotations

import argparse
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.cli.app import PracticeSession
from assistant.cli.mus_practice import add_parser, practice_settings, unnamed
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.messages import Pressed
from assistant.page import BoardError
from assistant.rules.calls import Bet, Call, NextDeal, Raise
from assistant.school.players import Sight
from assistant.school.players.thinker import Thinker
from assistant.school.practice.game import load_company
from tests.school.practice.practising import offered
from tests.tables import each_row

PROFILES = sorted(path.stem for path in (data_dir("models") / "profiles").glob("*.toml"))
EACH = "individual"
"""A profile in which each plays for himself."""
GIVEN = Path(__file__).parents[3] / "scripts" / "lab" / "speechlab" / "names.toml"
WAIT = 60.0


def session(*options: str, name: str = "Álex") -> PracticeSession:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    args = parser.parse_args(["practice", "--voice", "off", "--port", "0", *options])
    args.name = name
    return PracticeSession(practice_settings(args), name=name, speed=1000, seed=3, listens=False)


def play(game: PracticeSession) -> None:
    """Play by taps until somebody has won the match."""
    deadline = time.monotonic() + WAIT
    while not (shown := game.board.snapshot())["over"]:
        assert time.monotonic() < deadline, (shown["phase"], shown["to_speak"], shown["proposal"])
        view = dict(shown)["practice"]
        assert isinstance(view, dict)
        seen = game.runner.table.seq
        if view["throws"]:
            game.practice.throw([0])
        elif view["offers"]:
            call = offered(view, "cut", "bet", "accept", "pass")
            game.runner.post(Pressed(call, seen)).result(60)
        elif shown["phase"] == "count":
            game.runner.post(Pressed(NextDeal(), seen)).result(60)
        time.sleep(0.002)


def test_a_company_call_that_the_rules_refuse_is_replaced_by_the_least_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_little(_player: object, sight: Sight) -> Call:
        bet = sight.can(Bet) or sight.can(Raise)
        return replace(bet, stones=1) if isinstance(bet, Bet | Raise) else sight.legal[0].call

    monkeypatch.setattr(Thinker, "call", too_little)
    with session("--rules", "min_bet=4 min_raise=4") as game:
        game.practice.begin("normal")
        play(game)


def test_r21_a_game_ends_where_the_minimum_bet_is_high() -> None:
    with session("--rules", "min_bet=4 min_raise=4") as game:
        game.practice.begin("normal")
        play(game)


@pytest.mark.parametrize(("rules", "code"), [("voice=eu", "eu"), ("kings=8", "es")])
def test_a_house_is_spoken_to_in_the_language_of_its_voice(rules: str, code: str) -> None:
    with session("--rules", rules) as game:
        assert game.house.phrases.code == code


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != EACH])
def test_a_game_ends_under_every_profile(profile: str) -> None:
    with session("--profile", profile) as game:
        game.practice.begin("normal")
        play(game)
        assert game.board.snapshot()["winner"] in ("A", "B")


@pytest.mark.parametrize(
    ("options", "voice", "understood"),
    [
        ((), "eu", {"es", "eu"}),
        (("--language", "es"), "es", {"es", "eu"}),
        (("--language", "en"), "en", {"es", "eu"}),
    ],
)
def test_a_named_profile_is_spoken_in_the_requested_language(
    options: tuple[str, ...], voice: str, understood: set[str]
) -> None:
    with session("--profile", "vasco", *options) as game:
        profile = game.runner.table.state.profile
        assert (profile.kings, profile.voice) == (4, voice)
        assert set(profile.calls) == understood


def test_practice_is_refused_where_there_are_no_partners() -> None:
    with pytest.raises(UsageError, match="two pairs"), session("--profile", EACH):
        pass


@each_row("name", ["", "R2D2", "Maximiliano Fernández", "<b>"])
def test_an_impossible_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="--name"):
        session(name=name)


@each_row("language, name", [("es", "Álex"), ("eu", "Alex"), ("en", "Alex")])
def test_who_gives_no_name_gets_a_given_name_so_that_every_sentence_is_right(
    language: str, name: str
) -> None:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    settings = practice_settings(parser.parse_args(["practice", "--language", language]))
    assert unnamed(settings) == name
    known = tomllib.loads(GIVEN.read_text("utf-8"))["spanish"]
    assert name.lower() in known["men"].split()  # so the ear knows it
    assert name not in [one.name for one in load_company()]


def test_a_name_of_the_company_is_refused() -> None:
    with pytest.raises(UsageError, match="choose another"):
        session(name="Maite")


def test_an_unknown_level_is_refused() -> None:
    with session() as game, pytest.raises(BoardError, match="no level 'brutal'"):
        game.practice.begin("brutal")
