"""Practice never hangs, whatever the house rules: shipped profiles and 200 drawn by chance.

Every player plays each of them to the end of the match. A call that the rules refuse, a player that
fails and a deal that does not end are errors of ``play``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from assistant.files.paths import data_dir
from assistant.files.profile_files import find_profile
from assistant.rules.calls import Call
from assistant.rules.profile import Profile, Real31, Sides
from assistant.school.players import Chancer, Novice, Player
from assistant.school.players.maestro import Maestro, read_lore, why_untaught
from assistant.school.players.strength import Strength
from assistant.school.players.thinker import Thinker
from assistant.school.practice.game import TEMPERS, load_company, player_of, temper_named
from assistant.school.practice.levels import LEVELS
from scripts.lab.playing.juego import play
from tests.rules.profiles import drawn_profile
from tests.school.practice.practising import offered, practising

pytestmark = pytest.mark.slow

PROFILES = {
    path.stem: find_profile(path.stem).profile
    for path in sorted((data_dir("models") / "profiles").glob("*.toml"))
}
RANDOM, CHUNK = 200, 20
CHUNKS = range(0, RANDOM, CHUNK)
KINDS = ["cut", "mus", "bet", "raise", "pass", "refuse", "accept", "ordago"]
"""The calls of a person who says anything."""


@lru_cache(maxsize=32)
def strength_of(profile: Profile) -> Strength:
    return Strength(profile)


def strength(profile: Profile) -> Strength:
    """Made once for all profiles that order hands alike."""
    return strength_of(
        Profile(kings=profile.kings, real31=profile.real31, real31_cards=profile.real31_cards)
    )


def thinking(name: str) -> Callable[[Profile, int], Player]:
    return lambda profile, seed: Thinker(strength(profile), temper_named(name), seed)


def maestro(profile: Profile, seed: int) -> Player:
    """Maestro, or who takes its seat where it never learnt the rules."""
    character = replace(load_company()[0], tempers=dict.fromkeys(LEVELS, "maestro"))
    return player_of(character, LEVELS[-1], profile, strength(profile), random.Random(seed))


PLAYERS: Mapping[str, Callable[[Profile, int], Player]] = {
    "chancer": lambda _profile, seed: Chancer(seed),
    "babbler": lambda _profile, seed: Chancer(seed, amounts=True),
    "novice": lambda _profile, _seed: Novice(),
    **{name: thinking(name) for name in TEMPERS},
    "maestro": maestro,
}


def tables(at: int) -> Iterator[tuple[str, ...]]:
    """Two tables at which every player sits, and one of four alike, another kind for each ``at``.

    Two of a kind once raised each other for ever.
    """
    names = [*PLAYERS, "maestro"]
    random.Random(at).shuffle(names)
    yield tuple(names[:4])
    yield tuple(names[4:])
    yield (list(PLAYERS)[at % len(PLAYERS)],) * 4


def finish(profile: Profile, names: tuple[str, ...], seed: int) -> None:
    four = [PLAYERS[name](profile, seed + seat) for seat, name in enumerate(names)]
    assert play(four, seed, seed % 4 + 1, profile).side


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("player", PLAYERS)
def test_four_of_each_player_end_a_match_by_every_shipped_profile(name: str, player: str) -> None:
    finish(PROFILES[name], (player,) * 4, 39)


def some(first: int) -> Iterator[tuple[int, Profile]]:
    """Profiles by their numbers. Matches are short, because one juego is played like another."""
    for at in range(first, first + CHUNK):
        dice = random.Random(at)
        yield (
            at,
            drawn_profile(dice, juegos=dice.randint(1, 2), vacas=dice.randint(1, 2)),
        )


def test_the_profiles_drawn_by_chance_have_every_kind_of_rule() -> None:
    drawn = [profile for first in CHUNKS for _, profile in some(first)]
    assert len(set(drawn)) == RANDOM
    assert {(p.sides, p.kings, p.real31) for p in drawn} == {
        (sides, kings, real) for sides in Sides for kings in (4, 8) for real in Real31
    }
    assert max(p.target for p in drawn) > 150
    assert min(p.target for p in drawn) < 10


@pytest.mark.parametrize("first", CHUNKS)
def test_all_players_end_a_match_by_any_house_rules(first: int) -> None:
    for at, profile in some(first):
        for names in tables(at):
            finish(profile, names, at)


@pytest.mark.parametrize("first", CHUNKS)
def test_a_practice_game_ends_by_any_house_rules_for_two_pairs(first: int) -> None:
    """The dealer's own game, at each level in turn, with a person who says anything."""
    for at, profile in some(first):
        dice = random.Random(at)
        juego = drawn_profile(
            random.Random(at), sides=Sides.TWO, juegos=1, vacas=1, target=min(40, profile.target)
        )

        def anything(view: dict[str, Any], dice: random.Random = dice) -> Call:
            return offered(view, *dice.sample(KINDS, len(KINDS)))

        with practising(seed=at, profile=juego) as game:
            game.begin(LEVELS[at % len(LEVELS)])
            game.play(anything)
            assert game.board.snapshot()["winner"] in ("A", "B")


def test_maestro_sits_where_it_learnt_the_rules_and_lends_its_seat_elsewhere() -> None:
    kings = read_lore(data_dir("models") / "players" / "maestro.npz").kings
    for first in CHUNKS:
        for at, profile in some(first):
            seated = isinstance(maestro(profile, at), Maestro)
            assert seated == (why_untaught(profile, kings) is None)
