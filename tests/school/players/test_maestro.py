"""Maestro plays whole juegos by what it learnt, quickly, and says where it has learnt nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from assistant.files.paths import data_dir
from assistant.rules.calls import Call
from assistant.rules.profile import Profile, Real31, Sides
from assistant.school.players import Novice, Sight
from assistant.school.players.maestro import (
    ODDS,
    Maestro,
    UntaughtError,
    read_lore,
    why_untaught,
)
from scripts.lab.playing.juego import play
from scripts.lab.playing.matches import maestro, matches, novice

FILE = data_dir("models") / "players" / "maestro.npz"
MOST_BYTES = 10_000_000
MOST_MS = 20.0
JUEGOS = 12


class Timed(Maestro):
    """Counts how long it thinks."""

    seconds: list[float]

    def call(self, sight: Sight) -> Call:
        began = time.thread_time()
        said = super().call(sight)
        self.seconds.append(time.thread_time() - began)
        return said


def seated(seed: int) -> Timed:
    player = Timed(read_lore(FILE), Novice(), seed)
    player.seconds = []
    return player


def test_it_decides_within_20_ms_by_a_file_of_less_than_10_mb() -> None:
    four = [seated(seed) for seed in range(4)]
    for seed in range(JUEGOS):
        play(four, seed)
    thought = sorted(second for one in four for second in one.seconds)
    assert len(thought) > 300
    assert thought[int(0.99 * len(thought))] * 1000 < MOST_MS
    assert FILE.stat().st_size < MOST_BYTES


def test_it_knows_nearly_every_moment_of_a_juego_against_itself() -> None:
    four = [seated(seed) for seed in range(4)]
    for seed in range(JUEGOS):
        play(four, seed)
    assert sum(one.untold for one in four) < 0.02 * sum(one.asked for one in four)


def test_the_same_seed_plays_the_same_juego() -> None:
    first, second = (play([maestro(n) for n in range(4)], 5) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("target", [25, 30, 35, 40])
def test_it_plays_a_juego_to_each_usual_target(target: int) -> None:
    assert play([maestro(n) for n in range(4)], 1, profile=Profile(juegos=1, target=target)).deals


def test_a_novice_loses_to_it() -> None:
    low, _ = matches(maestro, novice, range(400), jobs=1).interval
    assert low > 0.5


@pytest.mark.parametrize(
    ("profile", "rule"),
    [
        (Profile(), None),
        (Profile(kings=4), "kings"),
        (Profile(real31=Real31.FIGURA), "real31"),
        (Profile(target=41), "target"),
        (Profile(sides=Sides.EACH), "sides"),
    ],
)
def test_it_tells_the_house_rule_that_it_never_learnt(profile: Profile, rule: str | None) -> None:
    assert why_untaught(profile, read_lore(FILE).kings) == rule


@pytest.mark.parametrize("bytes_", [b"", b"no archive", None])
def test_a_missing_or_damaged_file_is_told(tmp_path: Path, bytes_: bytes | None) -> None:
    path = tmp_path / "maestro.npz"
    if bytes_ is not None:
        path.write_bytes(bytes_)
    with pytest.raises(UntaughtError, match="install the program again"):
        read_lore(path)


def test_odds_are_fifths_that_make_one() -> None:
    assert ODDS[1:].sum(axis=1) == pytest.approx(1.0)
    assert not ODDS[0].any()
    assert len({tuple(row) for row in ODDS.tolist()}) == len(ODDS)
