"""The compiled rivals decide as the real ones do, and an answer to them is written as read."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.rules import calls as c
from assistant.rules.cards import Card, Hand
from assistant.rules.engine import open_game
from assistant.rules.hands import value
from assistant.rules.phases import BEFORE_LANCES
from assistant.rules.profile import Profile
from assistant.school.players import Novice, Player, Sight, sight_of
from assistant.school.players.beginners import _cuts, _worth
from assistant.school.players.maestro import Maestro, read_lore
from assistant.school.players.thinker import SIZES, Thinker
from assistant.school.practice.game import temper_named
from scripts.lab.playing.juego import FORTY_STONES, SEATS, _after, play
from scripts.lab.playing.matches import maestro, matches, novice, strength
from scripts.lab.selfplay import answers, rivals
from scripts.lab.selfplay.deal import (
    BET,
    GO_ALL_IN,
    HAND,
    LANCES,
    PHASE,
    ROW,
    WINNER,
    Arrays,
    act,
    begin,
    to_act,
)
from scripts.lab.selfplay.school import against, deck_for
from scripts.lab.selfplay.seated import row_of, seat_bot, seat_policy
from tests.lab.test_selfplay import SHIPPED

pytestmark = pytest.mark.slow
FUERTE = replace(temper_named("fuerte"), bluff=0.0)


@pytest.fixture(scope="module")
def thinks() -> Arrays:
    """A deck in which the first pair is a calm thinker."""
    return against(deck_for(8), 8, rivals.THINKER, FUERTE)


def every_hand() -> list[Hand]:
    return [tuple(Card(rank) for rank in ranks) for ranks in strength().hands.ranks]


def number(call: c.Call) -> int:
    if isinstance(call, c.Bet | c.Raise):
        return 2 + SIZES.index(call.stones)
    return {c.Accept: 1, c.Ordago: 6}.get(type(call), 0)


class Compared:
    """A thinker who never learns of its rivals, and what the compiled one says at each moment."""

    def __init__(self, deck: Arrays) -> None:
        self.deck = deck
        self.said: list[tuple[int, int]] = []

    def call(self, sight: Sight) -> c.Call:
        calm = Thinker(strength(), FUERTE, 0)
        if sight.state.phase in BEFORE_LANCES:
            return calm.call(sight)
        # Past ``call``, which counts even the bet that it is asked about.
        call = calm._answer(sight) if sight.state.pending else calm._open(sight)
        row, seat = row_of(sight)
        numbers, below = self.deck[rivals.NUMBERS][0], self.deck[rivals.BELOW]
        self.said.append((number(call), rivals.thinks(row, seat, self.deck, numbers, below)))
        return call

    def discard(self, sight: Sight) -> tuple[int, ...]:
        return strength().thrown(sight.hand)


def test_the_compiled_thinker_says_what_a_calm_one_says(thinks: Arrays) -> None:
    said = []
    for seed in range(8):
        them = [Compared(thinks) for _ in range(2)]
        us: list[Player] = [maestro(4 * seed + n) for n in range(2)]
        play([us[0], them[0], us[1], them[1]], seed)
        said += [pair for one in them for pair in one.said]
    assert len(said) > 150
    # The compiled one looks leans up in steps.
    assert sum(real == made for real, made in said) > 0.96 * len(said)
    assert len({real for real, _ in said}) >= 5


def test_the_compiled_novice_finds_each_hand_as_good_as_the_real_one() -> None:
    deck, row = deck_for(8), np.zeros(ROW, dtype=np.int64)
    for n, hand in enumerate(every_hand()):
        held = value(hand, Profile())
        for at, lance in enumerate(LANCES):
            row[PHASE], row[HAND] = at, n
            if deck[0][at, n] >= 0:
                assert rivals.novice_worth(row, 0, deck) == _worth(held, lance), (hand, lance)


def test_the_compiled_novice_cuts_and_throws_as_the_real_one() -> None:
    mus, throws = rivals.fixed_habits(8, rivals.NOVICE, FUERTE)
    state = _after(None, open_game(FORTY_STONES, SEATS, 1))
    for n, hand in enumerate(every_hand()):
        assert mus[n] == (not _cuts(value(hand, Profile())))
        thrown = Novice().discard(sight_of(state, 1, hand))
        assert throws[n] == sum(1 << place for place in thrown), hand


@pytest.mark.parametrize(("stones", "kind"), [(2, BET), (5, BET), (6, BET), (40, GO_ALL_IN)])
def test_the_compiled_novice_wants_a_dear_bet_with_the_best_alone(stones: int, kind: int) -> None:
    deck = deck_for(8)
    worth = [rivals.novice_worth(_opened(n, 0, 0), 1, deck) for n in range(330)]
    for wanted in (0, 1, 2):
        row = _opened(worth.index(wanted), kind, stones)
        assert to_act(row) == 1
        rivals.novice_speaks(row, 1, deck)
        takes = wanted > (stones > 5)
        over = row[PHASE] != 0 or row[WINNER] >= 0  # the lance is closed, or the juego
        assert bool(over) == takes


def _opened(hand: int, kind: int, stones: int) -> np.ndarray:
    row = np.zeros(ROW, dtype=np.int64)
    begin(row, 0, 0, 40, np.full(4, hand))
    if stones:
        act(row, deck_for(8)[0], kind, stones)
    return row


def test_a_bot_at_the_table_plays_whole_juegos() -> None:
    def bot(seed: int) -> Player:
        return seat_bot("ordago-85", seed)

    tally = matches(maestro, bot, range(40), jobs=1)
    assert tally.share > 0.5


def test_an_answer_is_learnt_from_a_rival_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "maestro.npz"
    shutil.copy(SHIPPED, path)
    lore = read_lore(path)
    response = answers.response_to(lore, "novato")
    for _ in range(3):
        response.learn(4000)
    answers.put(path, answers.entries(response, lore, "novato"))
    read_lore.cache_clear()
    again = read_lore(path)
    assert all(np.array_equal(again.odds[lance], lore.odds[lance]) for lance in lore.odds)
    assert any((again.answers["novato"].odds[lance] > 0).any() for lance in lore.odds)
    assert seat_policy(path, 0)

    def learnt(seed: int) -> Player:
        return Maestro(again, Novice(), seed, answer="novato")

    def cautious(seed: int) -> Player:
        return Maestro(again, Novice(), seed, answer=None)

    seeds = range(200)
    share = matches(learnt, novice, seeds, jobs=1).share
    assert share > matches(cautious, novice, seeds, jobs=1).share


def test_moods_are_shares_that_make_one() -> None:
    moods = answers.moods_of(read_lore(SHIPPED), "fuerte", 6)
    assert moods[:, 0].sum() == pytest.approx(1.0)
    assert (np.diff(moods[:, 0]) <= 0).all()
    assert (moods[:, 1:4] > 0).all()
    assert ((moods[:, 4] >= 0) & (moods[:, 4] <= 1)).all()
