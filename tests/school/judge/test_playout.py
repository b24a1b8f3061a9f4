"""The rest of a deal in many worlds at once, compared with the real rules."""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from assistant.files.paths import data_dir
from assistant.rules import calls as c
from assistant.rules.engine import decide, missing_hands, open_game, to_speak
from assistant.rules.history import fold, number
from assistant.rules.phases import BEFORE_LANCES, BETTING, DECLARING, Phase
from assistant.rules.profile import Answer, Profile
from assistant.rules.state import State
from assistant.school.judge.judging import deals_of
from assistant.school.judge.playout import (
    ACCEPT,
    ALL_IN,
    BET,
    GRANDE,
    PASS,
    TURNS,
    WAYS,
    Deals,
    Tables,
    contexts,
    nodes,
    score_classes,
)
from assistant.school.players import sight_of
from assistant.school.players.maestro import CONTEXTS, LANCES, NODES, SCORES, read_lore
from assistant.school.practice import Pack, dealt
from assistant.school.practice.reasons import declaration

SEATS = ("Norte", "Oeste", "Sur", "Este")
Script = dict[int, list[tuple[int, int, int]]]
"""Lance -> its calls: the seat from mano, the kind, the stones."""


@cache
def tables() -> Tables:
    return Tables.of(read_lore(data_dir("models") / "players" / "maestro.npz"))


class Scripted(Deals):
    """A deal in which everybody says what a script tells, and whose turn it is is compared."""

    script: Script

    def _bet_in(self, lance: int, at: np.ndarray) -> None:
        for seat, kind, stones in self.script[lance]:
            assert self.to_act(lance, at).tolist() == [seat]
            self.act(lance, at, np.array([seat]), np.array([kind]), np.array([stones]))
        assert self.how[lance, 0] or self.winner[0] >= 0, "the lance goes on"


def hands_of(state: State, pack: Pack) -> np.ndarray:
    hands = tables().lore.hands
    numbers = [hands.number(card.rank for card in pack.hand(seat)) for seat in state.order()]
    return np.array([numbers])


def no_dice() -> np.ndarray:
    return np.zeros((1, 5, 4, TURNS))


def choose(state: State, seat: int, dice: random.Random) -> tuple[c.Call, int, int]:
    bet = state.pending
    bold = dice.random()
    if bet is None:
        if bold < 0.08:
            return c.Ordago(seat=seat), ALL_IN, 0
        if bold < 0.4:
            stones = state.profile.min_bet + dice.choice([0, 0, 1, 3, 8])
            return c.Bet(seat=seat, stones=stones), BET, stones
        return c.Pass(seat=seat), PASS, 0
    if not bet.ordago and bold < 0.05:
        return c.Ordago(seat=seat), ALL_IN, 0
    if not bet.ordago and bold < 0.3:
        stones = state.profile.min_raise + dice.choice([0, 1, 4])
        return c.Raise(seat=seat, stones=stones), BET, stones
    if bold < 0.6:
        return c.Accept(seat=seat), ACCEPT, 0
    return c.Refuse(seat=seat), PASS, 0


def looked_up(state: State, seat: int, hand: int, deals: Deals) -> int:
    """Where the arrays look a moment up."""
    lance = LANCES.index(BETTING[state.phase])
    place = np.array([(seat - state.mano) % 4])
    row = np.array([0])
    past = contexts(
        lance, place, deals.cutter, deals.how[:, row], deals.side[:, row], deals.holders[lance, row]
    )
    ours, theirs = (deals.target - deals.score[row, (place + n) % 2] for n in (0, 1))
    node = nodes(
        place,
        deals.bettor,
        deals.stones,
        deals.base,
        deals.all_in,
        deals.gone,
        deals.holders[lance, row],
    )
    kind = int(tables().lore.kinds[lance, hand])
    at = (kind * CONTEXTS[LANCES[lance]] + past) * SCORES + score_classes(ours, theirs)
    return int((at * NODES + node)[0])


def declared(state: State, pack: Pack) -> State:
    while state.phase in DECLARING:
        seat = to_speak(state)
        assert seat is not None
        state = decide(state, declaration(sight_of(state, seat, pack.hand(seat)))).state
    return state


def shown(state: State, pack: Pack) -> State:
    while state.phase is Phase.SHOWDOWN and (missing := missing_hands(state)):
        seat = missing[0]
        state = decide(state, c.ShowHand(seat=seat, cards=pack.hand(seat))).state
    return state


def one_deal(state: State, dice: random.Random) -> tuple[State, int]:
    """Play a deal by the rules and, from each call on, by the arrays; how many were compared."""
    while state.phase in BEFORE_LANCES:
        seat = to_speak(state)
        assert seat is not None
        state = decide(state, (c.Mus if dice.random() < 0.6 else c.Cut)(seat=seat)).state
    pack = dealt(dice)
    begun: list[tuple[State, Script]] = []
    while (state := declared(state, pack)).phase in BETTING:
        seat = to_speak(state)
        assert seat is not None
        deals = deals_of(tables(), state, hands_of(state, pack), no_dice())
        hand = int(deals.hands[0, (seat - state.mano) % 4])
        assert looked_up(state, seat, hand, deals) == tables().lore.place(state, seat, hand)
        begun.append((state, defaultdict(list)))
        call, kind, stones = choose(state, seat, dice)
        for _, script in begun:
            script[LANCES.index(BETTING[state.phase])].append(
                ((seat - state.mano) % 4, kind, stones)
            )
        state = decide(state, call).state
    ended = shown(state, pack)
    for start, script in begun:
        deals = deals_of(tables(), start, hands_of(start, pack), no_dice())
        deals.__class__ = Scripted
        deals.script = script  # type: ignore[attr-defined]
        lance = LANCES.index(BETTING[start.phase])
        deals.play(lance, began=True)
        deals.play_on(lance + 1)
        deals.count()
        side = (start.mano - 1) % 2
        won = None if deals.winner[0] < 0 else "AB"[(int(deals.winner[0]) + side) % 2]
        assert won == (ended.juego_won or ended.winner)
        if won is None:
            assert tuple(np.roll(deals.score[0], side)) == ended.stones
    return ended, len(begun)


@pytest.mark.parametrize(
    "profile",
    [
        Profile(juegos=1),
        Profile(juegos=1, target=30, min_bet=3, min_raise=2),
        Profile(juegos=1, answer=Answer.ANY),
    ],
    ids=["estandar", "a-30", "uno-por-los-dos"],
)
def test_a_deal_played_on_in_arrays_ends_as_by_the_rules_from_every_call(profile: Profile) -> None:
    compared = juegos = 0
    for seed in range(25):
        dice = random.Random(seed)
        state = fold(number(open_game(profile, SEATS, seed % 4 + 1), 0, 0.0))
        assert state is not None
        while state.phase is not Phase.OVER:
            state, calls = one_deal(state, dice)
            compared += calls
            if state.phase is Phase.COUNT:
                state = decide(state, c.NextDeal()).state
        juegos += 1
    assert juegos == 25
    assert compared > 500


def test_each_world_is_played_in_its_own_way() -> None:
    """A row's end is that of its own way of playing, whatever way the rows beside it are played."""
    worlds, ways = 200, Tables.of(tables().lore, WAYS)
    random_ = np.random.default_rng(7)
    copies = ways.lore.hands.deck.copies
    pack = np.repeat(np.arange(len(copies)), copies)
    cards = np.array([random_.permutation(pack)[:16].reshape(4, 4) for _ in range(worlds)])
    hands = ways.index[tuple(np.moveaxis(cards, 2, 0))]
    dice = random_.random((worlds, 5, 4, TURNS))
    score = np.full((worlds, 2), 20)

    def ends(way: list[int]) -> np.ndarray:
        many = len(way)
        deals = Deals(
            ways,
            np.tile(hands, (many, 1)),
            np.tile(score, (many, 1)),
            np.tile(dice, (many, 1, 1, 1)),
            Profile(juegos=1),
            np.repeat(way, worlds),
        )
        deals.play_on(GRANDE)
        deals.count()
        return deals.chances().reshape(many, worlds)

    assert ways.ways == 1 + len(WAYS)
    together = ends([0, 1, 2, 3])
    for way in range(4):
        assert (together[way] == ends([way])[0]).all()
        assert way == 0 or (together[way] != together[0]).mean() > 0.2
