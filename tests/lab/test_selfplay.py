"""The compiled simulator plays as the rules do, and what it trains is written as it is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.files.paths import data_dir
from assistant.rules.profile import Profile
from assistant.school.players.maestro import FIFTHS, LANCES, ODDS, Lore, read_lore
from scripts.lab.selfplay import export, learn
from scripts.lab.selfplay.beside import Beside, DifferError
from scripts.lab.selfplay.bots import FIELDS, ZOO, Arena, zoo
from scripts.lab.selfplay.deal import PHASE, ROW, SCORE, Numbers, act, begin, tables, to_act
from scripts.lab.selfplay.school import Response, School, deck_for
from scripts.lab.selfplay.speed import random_deals, room

pytestmark = pytest.mark.slow
SHIPPED = data_dir("models") / "players" / "maestro.npz"
NOTHING = np.zeros(0, dtype=np.uint8)


def hand_kinds(kings: int) -> Numbers:
    return learn.hand_classes(tables(kings))[0].astype(np.uint8)


def beside(kings: int) -> Beside:
    lore = Lore(kings, hand_kinds(kings), {}, NOTHING, NOTHING, np.zeros((0, 0), dtype=np.float32))
    return Beside(deck_for(kings), Profile(juegos=1, kings=kings), lore)


@pytest.mark.parametrize("kings", [8, 4])
def test_whole_juegos_of_random_calls_are_those_of_the_rules(kings: int) -> None:
    table = beside(kings)
    assert sum(table.play(seed) for seed in range(100)) > 300


def test_a_simulator_that_counts_one_stone_too_many_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = beside(8)
    stones = table.deck[1].copy()
    stones[0] += stones[0] > 0  # each hand with pares brings one more
    monkeypatch.setattr(table, "deck", (table.deck[0], stones, *table.deck[2:]))
    with pytest.raises(DifferError, match=r"stones|juego"):
        sum(table.play(seed) for seed in range(50))


def test_discards_neither_lose_nor_double_a_card() -> None:
    deck = deck_for(8)
    cards, row = room(deck)
    pack, left, _hands, held, thrown = cards
    random_deals(1, 3, deck, cards, row)
    whole = np.sort(deck[7])
    for _ in range(30):
        thrown[:] = np.random.default_rng(0).integers(1, 16, 4)
        meta = np.zeros(learn.META, dtype=np.int64)
        learn.exchange(meta, cards, deck)
        lies = np.concatenate([held.ravel(), pack[left[0] :], pack[: left[1]]])
        assert np.array_equal(np.sort(lies), whole)


def test_a_thousand_random_deals_reach_every_lance_and_no_score_beyond_the_target() -> None:
    deck = deck_for(8)
    cards, row = room(deck)
    juegos, calls = random_deals(1000, 1, deck, cards, row)
    assert 50 < juegos < 1000
    assert calls > 10_000
    assert row[SCORE] <= 40
    assert row[SCORE + 1] <= 40


@pytest.fixture
def opened() -> Numbers:
    row = np.zeros(ROW, dtype=np.int64)
    begin(row, 0, 0, 40, np.array([0, 100, 200, 329]))
    return row


def test_who_refused_is_out_for_good_r38(opened: np.ndarray) -> None:
    classes = tables().classes.astype(np.int64)
    act(opened, classes, 2, 2)  # mano envida
    assert to_act(opened) == 1
    act(opened, classes, 0, 0)  # the first rival refuses
    assert to_act(opened) == 3
    act(opened, classes, 2, 5)  # the other raises
    assert to_act(opened) == 0
    act(opened, classes, 2, 5)
    assert to_act(opened) == 3
    act(opened, classes, 0, 0)
    assert opened[PHASE] == 1
    assert opened[SCORE] == 7


def test_odds_are_written_as_the_nearest_fifths() -> None:
    sums = np.array([[0, 0, 0, 0, 0], [1, 0, 0, 0, 3], [0, 0, 0.02, 0.98, 0], [2, 2, 2, 2, 2]])
    codes = export.coded(sums.astype(np.float32), least=0.5)
    assert codes[0] == 0
    written = (ODDS[codes] * FIFTHS).round().astype(int).tolist()
    assert written[1] in ([1, 0, 0, 0, 4], [2, 0, 0, 0, 3])
    assert written[2:] == [[0, 0, 0, 5, 0], [1, 1, 1, 1, 1]]


def test_the_zoo_has_fifteen_players_and_no_number_that_is_not_read() -> None:
    assert len(zoo()) >= 15
    told = {line.split("=")[0].strip() for line in ZOO.read_text().splitlines() if "=" in line}
    assert told <= set(FIELDS)


def test_a_piece_of_training_is_the_same_again_and_its_file_is_read_back(tmp_path: Path) -> None:
    def trained(name: str) -> School:
        school = School.open(tmp_path / name, 8)
        school.learn(200)
        return school

    first, second = trained("a"), trained("b")
    assert all(np.array_equal(x, y) for x, y in zip(first.book, second.book, strict=True))
    path = tmp_path / "maestro.npz"
    export.write(path, 8, first.deck[2], first.deck[4], first.book, first.values, least=0.0)
    lore = read_lore(path)
    assert set(lore.odds) == set(LANCES)
    assert all(numbers.any() for numbers in lore.odds.values())


def test_a_pair_that_learns_beats_one_that_refuses_everything() -> None:
    """The best response finds what is there to be found, and its rival stays as it was."""
    lore = read_lore(SHIPPED)
    arena = Arena.of(lore)
    meek = tuple(np.zeros_like(odds) for odds in arena.policy)
    meek[0].reshape(-1, learn.ACTIONS)[:, 0] = 1.0
    response = Response.to(arena.deck, meek, lore.values)
    before = [numbers.copy() for numbers in response.fixed[::2]]
    for _ in range(3):
        response.learn(3000)
    assert all(np.array_equal(x, y) for x, y in zip(before, response.fixed[::2], strict=True))
    share, error = replace(arena, policy=response.policy).against_policy(meek, 1000, 0)
    assert share - error > 0.6
