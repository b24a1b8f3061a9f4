"""The judge hears calls as they were said, and rates them sharply, quickly and fairly."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from assistant.odds import Known, chances
from assistant.odds.deck import NO_KEY
from assistant.rules import calls as c
from assistant.rules.cards import Card, Rank, parse_hand
from assistant.rules.engine import decide, open_game
from assistant.rules.history import fold, number
from assistant.rules.phases import BEFORE_LANCES, BETTING, Lance
from assistant.rules.profile import Profile, Real31, Sides
from assistant.rules.state import State
from assistant.school.judge.judging import Judge, shipped_judge, whoever_plays
from assistant.school.judge.openings import openings
from assistant.school.judge.playout import ACCEPT, BET, PASS, SEATS, WAYS
from assistant.school.judge.ranges import Ranges, said_in_lances
from assistant.school.players import sight_of
from assistant.school.players.maestro import CONTEXTS, LANCES, NODES, ODDS, SCORES
from tests.school.judge.moments import Moment, moments

SEEDS = (1, 2, 3)
MOST_SECONDS = 0.15


def lances(seed: int) -> list[Moment]:
    return [one for one in moments(seed) if one.sight.state.phase in BETTING]


@pytest.mark.parametrize("seed", SEEDS)
def test_each_call_is_looked_up_where_maestro_looked_it_up_when_it_was_made(seed: int) -> None:
    judge = shipped_judge()
    lore = judge.tables.lore
    looked = 0
    for moment in lances(seed)[::5]:
        state = moment.sight.state
        heard = said_in_lances(state, moment.sight.events)
        made = [(before, call) for before, call in moment.calls if before.phase in BETTING]
        assert len(heard) == len(made)
        mine = lore.hands.number(card.rank for card in moment.sight.hand)
        ranges = Ranges(judge.tables, state, mine, moment.sight.events)
        for said, (before, call) in zip(heard, made, strict=True):
            assert before.lance is LANCES[said.lance]
            assert call.seat is not None
            found = ranges.odds_of(said)
            for hand in range(0, len(found), 41):
                place = lore.place(before, call.seat, hand)
                assert found[hand] == lore.odds[before.lance][place]
                looked += 1
    assert looked > 500


def test_without_the_events_a_plain_bet_and_its_answers_are_told_by_the_state() -> None:
    compared = 0
    for seed in SEEDS:
        for moment in lances(seed):
            raised = any(isinstance(call, c.Raise | c.Ordago) for _, call in moment.calls)
            if not raised:
                state = moment.sight.state
                assert said_in_lances(state) == said_in_lances(state, moment.sight.events)
                compared += 1
    assert compared > 100


def test_no_hidden_hand_contradicts_what_its_player_declared() -> None:
    judge, checked = shipped_judge(), 0
    for moment in lances(1):
        state = moment.sight.state
        if None in state.pares:
            continue
        mine = judge.tables.lore.hands.number(card.rank for card in moment.sight.hand)
        ranges = Ranges(judge.tables, state, mine, moment.sight.events)
        holds = judge.tables.classes[LANCES.index(Lance.PARES)] != NO_KEY
        for seat in {1, 2, 3, 4} - {moment.sight.seat}:
            assert ranges.of(seat, {})[holds != state.pares[seat - 1]].sum() == 0
            checked += 1
    assert checked > 20


def test_where_nobody_has_spoken_the_chance_of_a_lance_is_that_of_the_exact_odds() -> None:
    judge = shipped_judge()
    for cards in ("RRC1", "7654", "C775", "RR11"):
        known = Known(tuple(map(Rank, cards)), 1, 1)
        hand = tuple(Card(rank) for rank in known.hand)
        for state in openings(known, (0, 0), Profile()):
            found = judge.judge(sight_of(state, 1, hand), heard=False, worlds=4000)
            assert state.lance is not None
            exact = chances(known, Profile())[state.lance].side
            assert found.wins == pytest.approx(exact, abs=0.03)


def test_a_rival_who_bet_is_taken_to_hold_more() -> None:
    known = Known(tuple(map(Rank, "RRC1")), 1, 2)
    state = next(openings(known, (0, 0), Profile()))
    hand = tuple(Card(rank) for rank in known.hand)
    judge = shipped_judge()
    before = replace(state, spoken=())
    bet = decide(before, c.Bet(seat=2, stones=5)).state
    passed = decide(before, c.Pass(seat=2)).state
    by_bet = judge.judge(sight_of(bet, 1, hand))
    by_pass = judge.judge(sight_of(passed, 1, hand))
    assert by_bet.wins is not None
    assert by_pass.wins is not None
    assert by_bet.wins < by_pass.wins - 0.03


def test_other_dice_judge_nearly_alike() -> None:
    judge, lost, off = shipped_judge(), [], []
    for moment in moments(2)[::9]:
        if not judge.able(moment.sight):
            continue
        one = judge.judge(moment.sight, seed=1)
        other = judge.judge(moment.sight, seed=2, worlds=3000)
        lost.append(other.lost(one.advised.call))
        off.append(abs(other.of(one.best.call).chance - one.best.chance) * 100)
    assert len(lost) >= 15
    assert np.mean(lost) < 0.5
    assert np.mean(off) < 1.5


def test_a_judgement_is_ready_within_the_time_that_a_page_waits() -> None:
    judge, moment = shipped_judge(), lances(1)[3]
    seconds = []
    for seed in range(5):
        began = time.thread_time()
        judge.judge(moment.sight, seed=seed)
        seconds.append(time.thread_time() - began)
    assert min(seconds) < MOST_SECONDS


def test_the_same_dice_judge_the_same() -> None:
    judge, moment = shipped_judge(), lances(1)[5]
    assert judge.judge(moment.sight, seed=7) == judge.judge(moment.sight, seed=7)


def test_every_kind_of_call_that_may_be_made_is_valued_and_costs_no_less_than_nothing() -> None:
    judge, checked = shipped_judge(), 0
    for moment in moments(3)[::3]:
        sight = moment.sight
        found = judge.judge(sight, worlds=100)
        kinds = {type(one.call) for one in found.calls}
        if sight.state.phase in BEFORE_LANCES:
            assert kinds == {c.Mus, c.Cut}
        elif sight.state.pending is None:
            assert kinds == {c.Pass, c.Bet, c.Ordago}
        elif sight.state.pending.ordago:
            assert kinds == {c.Accept, c.Refuse}
        else:
            assert kinds == {c.Accept, c.Refuse, c.Raise, c.Ordago}
        assert all(found.lost(one.call) >= 0 for one in found.calls)
        assert all(0 <= one.chance <= 1 for one in found.calls)
        checked += 1
    assert checked > 20


@pytest.mark.parametrize(
    "profile",
    [Profile(kings=4), Profile(real31=Real31.SOTA), Profile(sides=Sides.EACH), Profile(target=50)],
    ids=["kings", "real31", "sides", "target"],
)
def test_house_rules_that_maestro_never_learnt_are_not_judged(profile: Profile) -> None:
    state: State = replace(lances(1)[0].sight.state, profile=profile)
    assert not shipped_judge().able(replace(lances(1)[0].sight, state=state))


def test_a_throw_keeps_what_wins_and_every_throw_is_valued() -> None:
    state = moments(1)[0].sight.state
    for seat in state.order():
        state = _mus(state, seat)
    sight = sight_of(state, 1, parse_hand("R R 7 4"))
    throws = shipped_judge().judge_throw(sight)
    assert throws[0].places == (2, 3)
    assert len(throws) == 11  # two reyes are alike: one of them is thrown in one way
    assert all(one.chance >= other.chance for one, other in pairwise(throws))


# ---- Whichever way the others play --------------------------------------------------------------


def test_a_call_is_better_only_if_it_is_better_whichever_way_the_others_play() -> None:
    usual, surely, perhaps, never = range(4)
    chances = np.array([[0.50, 0.56, 0.70, 0.48], [0.40, 0.43, 0.30, 0.35]])
    worth, depends = whoever_plays(chances, usual)
    assert worth[usual] == pytest.approx(0.45)
    assert worth[surely] == pytest.approx(0.45 + 0.03)
    assert worth[perhaps] == pytest.approx(0.45)
    assert worth[never] == pytest.approx(0.45 - 0.02)
    assert depends == [False, False, True, False]


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize(
    ("cards", "call"),
    [
        ("R 3 3 1", c.Cut), ("R R R 1", c.Cut), ("R R R C", c.Cut),
        ("4 5 6 7", c.Mus), ("C 6 5 4", c.Mus), ("S 7 6 4", c.Mus),
    ],
)  # fmt: skip
def test_a_good_hand_cuts_and_a_poor_one_gives_mus(place: int, cards: str, call: type) -> None:
    """As the lessons teach it, wherever the hand sits: nothing else is better by a point."""
    state = _first_mus(mano=(4 - place) % 4 + 1)
    for seat in state.order(state.mano)[:place]:
        state = _mus(state, seat)
    sight = sight_of(state, 1, parse_hand(cards))
    assert isinstance(shipped_judge().judge(sight).advised.call, call)


def test_who_plays_by_the_cards_cuts_with_good_ones_alone() -> None:
    tables = shipped_judge().tables
    hands = len(tables.good)
    assert tables.mus.shape == (1 + len(WAYS), tables.lore.mus.size)
    assert (tables.mus[0] == tables.lore.mus).all()
    for way in tables.mus[1:]:
        gives = way.reshape(hands, -1)
        assert (gives == gives[:, :1]).all()
        assert tables.good[gives[:, 0] == 255].max() < tables.good[gives[:, 0] == 0].min()


def test_who_plays_by_the_cards_bets_and_accepts_with_good_ones_and_never_raises() -> None:
    tables = shipped_judge().tables
    assert tables.ways == 1 + len(WAYS)
    for way in range(1, tables.ways):
        for n, lance in enumerate(LANCES):
            learnt = tables.odds[lance][way].reshape(-1, CONTEXTS[lance] * SCORES, NODES)
            odds = ODDS[learnt[tables.lore.kinds[n]][:, 0]]
            rank = tables.ranked[n]
            best, worst = rank.argmax(), rank.argmin()
            assert odds[best, 0, BET : BET + 2].sum() == 1
            assert odds[best, SEATS, ACCEPT] == 1
            assert odds[worst, 0, PASS] == odds[worst, SEATS, PASS] == 1
            assert not odds[:, SEATS:, BET:].any()
            accepted = odds[:, SEATS, ACCEPT] == 1
            assert rank[accepted].min() > rank[~accepted].max() - 0.1
    assert [accepts for _, accepts in WAYS] == sorted(accepts for _, accepts in WAYS)


def test_what_pays_against_maestro_alone_is_not_advised() -> None:
    """The moment is searched for: an órdago that is best against maestro, and not the advice."""
    judge, found = shipped_judge(), 0
    alone = Judge(judge.tables.lore, ())
    for moment in moments(4) + moments(5):
        if moment.sight.state.phase in BEFORE_LANCES or not judge.able(moment.sight):
            continue
        by_one = alone.judge(moment.sight)
        if isinstance(by_one.best.call, c.Ordago) and by_one.lost(by_one.calls[1].call) > 1:
            advised = judge.judge(moment.sight).advised.call
            found += not isinstance(advised, c.Ordago)
    assert found >= 3


def _first_mus(mano: int) -> State:
    opened = open_game(Profile(juegos=1), ("Norte", "Oeste", "Sur", "Este"), mano)
    state = fold(number(opened, 0, 0.0))
    assert state is not None
    return decide(state, c.NextDeal(mano=mano)).state if state.deal == 0 else state


def _mus(state: State, seat: int) -> State:
    return decide(state, c.Mus(seat=seat)).state
