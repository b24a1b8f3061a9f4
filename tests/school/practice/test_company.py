"""The computer players that ship: their files can be read, and errors in one are reported."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.rules.profile import Profile, Real31
from assistant.school.players import Player
from assistant.school.players.maestro import Maestro
from assistant.school.players.strength import Strength
from assistant.school.players.thinker import Thinker
from assistant.school.practice.game import TEMPERS, load_company, player_of, temper_named


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


def at_fuerte(profile: Profile) -> list[Player]:
    dice, strength = random.Random(1), Strength(profile)
    return [player_of(one, "fuerte", profile, strength, dice) for one in load_company()]


def test_maestro_sits_at_the_strongest_level() -> None:
    assert [type(one) for one in at_fuerte(Profile())] == [Maestro] * 3


@pytest.mark.parametrize(
    "untaught", [Profile(kings=4), Profile(real31=Real31.SOTA), Profile(target=50)]
)
def test_under_rules_that_maestro_never_learnt_another_takes_its_seat(untaught: Profile) -> None:
    assert [type(one) for one in at_fuerte(untaught)] == [Thinker] * 3
