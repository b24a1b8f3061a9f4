"""The computer players that ship: their files can be read, and errors in one are reported."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.rules.profile import Profile, Real31
from assistant.school.players import Novice, Player
from assistant.school.players.maestro import Maestro
from assistant.school.players.strength import Strength
from assistant.school.players.thinker import Thinker
from assistant.school.practice.game import TEMPERS, load_company, player_of, temper_named
from assistant.school.practice.levels import LEVELS, level_matches
from scripts.lab.playing.matches import Tally, matches, rivals_at


def test_each_shipped_player_plays_differently() -> None:
    shipped = {path.stem for path in (data_dir("models") / "players").glob("*.toml")}
    assert shipped == set(TEMPERS)
    assert len({temper_named(name) for name in TEMPERS}) == len(TEMPERS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cut = 'x'", "'cut' has to be a number"),
        ("cuts = 3", "'cuts' is no number of a player"),
        ("cut =", "prudente.toml"),
    ],
)
def test_a_wrong_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    (tmp_path / "models" / "players").mkdir(parents=True)
    (tmp_path / "models" / "players" / "prudente.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("assistant.school.practice.game.data_dir", lambda name: tmp_path / name)
    with pytest.raises(UsageError, match=told):
        temper_named("prudente")


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(UsageError, match="choose from fuerte"):
        temper_named("../x")


def seated(level: str, profile: Profile) -> list[Player]:
    dice, strength = random.Random(1), Strength(profile)
    return [player_of(one, level, profile, strength, dice) for one in load_company()]


def test_maestro_sits_at_the_strongest_level_and_novices_at_the_first() -> None:
    first, *between, last = LEVELS
    assert [type(one) for one in seated(first, Profile())] == [Novice] * 3
    assert [type(one) for one in seated(last, Profile())] == [Maestro] * 3
    assert len(between) == 3
    for level in between:
        assert [type(one) for one in seated(level, Profile())] == [Thinker] * 3


def test_who_slips_more_sits_at_a_lower_level() -> None:
    for one in load_company():
        slips = [one.slips[level] for level in LEVELS[1:]]
        assert slips == sorted(slips, reverse=True)
        assert slips[0] > slips[1] > slips[2]


def test_levels_rise() -> None:
    """By the file that the bench wrote: each wins more than half against the one below."""
    for match in level_matches():
        assert match.juegos >= 2000, match
        assert Tally(match.juegos, match.won, 1, 0.0).interval[0] > 0.5, match
    assert [match.level for match in level_matches()] == list(LEVELS[1:])


@pytest.mark.slow
@pytest.mark.parametrize(("level", "below"), [("normal", "paciente"), ("fuerte", "aprendiz")])
def test_two_levels_apart_the_higher_wins_most_juegos_as_they_are_played_today(
    level: str, below: str
) -> None:
    """On other juegos than the file's, so that players who were changed are noticed."""
    tally = matches(rivals_at(level), rivals_at(below), range(900_000, 900_400), jobs=1)
    assert tally.interval[0] > 0.5


@pytest.mark.parametrize(
    "text", ["", "[[match]]\nlevel = 'x'", "match = 3", None, "[[match]]\njuegos = 'many'"]
)
def test_figures_of_the_levels_that_are_missing_or_damaged_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    (tmp_path / "models" / "practice").mkdir(parents=True)
    if text is not None:
        (tmp_path / "models" / "practice" / "levels.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("assistant.school.practice.levels.data_dir", lambda name: tmp_path / name)
    with pytest.raises(UsageError, match=r"levels\.toml"):
        level_matches()


@pytest.mark.parametrize(
    "untaught", [Profile(kings=4), Profile(real31=Real31.SOTA), Profile(target=50)]
)
def test_under_rules_that_maestro_never_learnt_another_takes_its_seat(untaught: Profile) -> None:
    assert [type(one) for one in seated(LEVELS[-1], untaught)] == [Thinker] * 3
