"""Maestro recognises the kind of its rivals by their calls, and then plays for their weak spots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from assistant.rules.calls import Call
from assistant.rules.engine import open_game
from assistant.rules.profile import MusOrder, Profile, Sides
from assistant.rules.state import State
from assistant.school.players import Novice, Player, Sight
from assistant.school.players.guess import SIGNS, Suspicion, heard, told_by
from assistant.school.players.maestro import KINDS, Maestro, read_lore
from assistant.school.practice.game import temper_named
from scripts.lab.playing.juego import SEATS, _after, moves, play
from scripts.lab.playing.matches import cautious, lore, maestro, matches, novice, thinker, thinking
from tests.school.players.test_maestro import FILE

JUEGOS = 24


class Listening(Maestro):
    """Keeps what it thinks of its rivals."""

    last: np.ndarray

    def call(self, sight: Sight) -> Call:
        said = super().call(sight)
        assert self._guess is not None
        self.last = self._guess.chances
        return said


def thought_of(rival: Callable[[int], Player]) -> np.ndarray:
    """What a seat thinks of such rivals at the end of a juego, on the average."""
    found = []
    for seed in range(JUEGOS):
        us = [Listening(lore(), Novice(), seed + n) for n in range(2)]
        them = [rival(4 * seed + n) for n in range(2)]
        play([us[0], them[0], us[1], them[1]], seed)
        found += [one.last for one in us]
    return np.asarray(np.mean(found, axis=0))


def without_mus(seed: int) -> Player:
    return Maestro(lore(), Novice(), seed, answer=None, mus=False)


@pytest.mark.parametrize(
    ("rival", "kind"),
    [(novice, 1), (thinking(temper_named("fuerte")), 2), (without_mus, 3)],
    ids=KINDS,
)
def test_a_juego_tells_of_what_kind_the_rivals_are(
    rival: Callable[[int], Player], kind: int
) -> None:
    """Three in twenty is what it thinks before."""
    thought = thought_of(rival)
    assert thought.argmax() == kind
    assert thought[kind] > 0.5


def test_it_takes_its_like_for_none_of_the_kinds() -> None:
    assert thought_of(cautious)[1 : len(KINDS) + 1].max() < 0.3


def test_it_beats_a_novice_by_more_than_its_cautious_policy_can() -> None:
    """The cautious policy wins 62%."""
    low, _ = matches(maestro, novice, range(400), jobs=1).interval
    assert low > 0.72


@pytest.mark.slow
def test_it_beats_fuerte_as_it_beats_nobody_by_caution() -> None:
    """The cautious policy wins 54% of fuerte."""
    low, _ = matches(maestro, thinking(temper_named("fuerte")), range(1000), jobs=1).interval
    assert low > 0.55


def test_before_anything_is_said_it_plays_as_against_anybody() -> None:
    player = Listening(lore(), Novice(), 0)
    assert player._answer is None
    assert player._guess is not None
    assert player._guess.chances[1 : len(KINDS) + 1].max() < 0.2


def test_each_sign_counts_once_however_often_it_is_looked_at() -> None:
    told = np.zeros((2, SIGNS))
    told[1] = 1.0
    guess = Suspicion(told, np.zeros(2))
    players = [thinker(temper_named("fuerte"), n) for n in range(4)]
    seen = 0
    for state, _ in moves(players, 3):
        seen += len(guess.look(state, 1))
        assert guess.look(state, 1) == []
    assert seen > 20
    assert guess.chances == pytest.approx(np.exp([0.0, seen]) / np.exp([0.0, seen]).sum())


def test_only_what_rivals_say_is_a_sign() -> None:
    """The partner's calls and the own ones tell nothing of the rivals."""
    players = [thinker(temper_named("fuerte"), n) for n in range(4)]
    for state, _ in moves(players, 4):
        keys = [key for key, _ in heard(state, 1)]
        assert len(set(keys)) == len(keys)
        assert {key[2] for key in keys if key[0] in ("mus", "open")} <= {2, 4}
        assert all(0 <= sign < SIGNS for _, sign in heard(state, 1))


def opened(profile: Profile) -> State:
    return _after(None, open_game(profile, SEATS, 1))


def test_where_mus_is_asked_in_another_order_it_tells_nothing() -> None:
    pairs = [
        replace(state, profile=replace(state.profile, mus_order=MusOrder.PAIR))
        for state, _ in moves([Novice()] * 4, 1)
    ]
    assert not any(key[0] == "mus" for state in pairs for key, _ in heard(state, 1))


def test_no_signs_where_everybody_plays_for_himself() -> None:
    assert list(heard(opened(Profile(sides=Sides.EACH)), 1)) == []


def test_a_place_that_a_kind_never_came_to_tells_nothing() -> None:
    counts = np.zeros((2, SIGNS))
    counts[0, :6] = (50, 50, 0, 0, 0, 0)
    told = told_by(counts)
    assert told[1, :2] - told[0, :2] == pytest.approx(0.0, abs=0.1)
    assert np.exp(told.reshape(2, -1, 6)).sum(axis=2) == pytest.approx(1.0)


def test_the_file_has_an_answer_for_each_kind() -> None:
    learnt = read_lore(FILE)
    assert set(learnt.answers) == set(KINDS)
    for answer in learnt.answers.values():
        assert set(answer.odds) == set(learnt.odds)
        assert answer.mus.shape == learnt.mus.shape
    assert learnt.signs is not None
    assert len(learnt.signs) > len(KINDS)
    assert learnt.signs.shape[1] == SIGNS


@pytest.mark.parametrize("answer", KINDS)
def test_whoever_it_takes_its_rivals_for_every_juego_ends(answer: str) -> None:
    """Answers are not mixed, so two who raise, or who say mus, might do so for ever."""
    for seed in range(30):
        four = [Maestro(lore(), Novice(), seed + n, answer=answer) for n in range(4)]
        assert play(four, seed).deals
