"""The engine against the second oracle, over random deals of 2 to 6 single players (R56)."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from assistant.rules import calls as c
from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.state import State
from tests.rules import oracle
from tests.rules.oracle_each import EachDeal, Talked, Word, holders, score
from tests.rules.play import cards, paso
from tests.rules.strategies import deal as deal_hands
from tests.rules.strategies import ranks
from tests.rules.tables import Table, each

DEALS = 1_500
SEEDS = tuple(range(5))


def random_words(random: Random, seats: tuple[int, ...]) -> tuple[Word, ...]:
    """Any course that a lance can take. Three lances in ten are passed."""
    if len(seats) < 2 or random.random() < 0.3:
        return ()
    talk = Talked(seats)
    first = "órdago" if random.random() < 0.05 else "envido"
    words = [(random.choice(seats), first, 0 if first == "órdago" else random.randint(2, 9))]
    talk.hear(words[0])
    while talk.waiting():
        words.append(random_answer(random, talk))
        talk.hear(words[-1])
    return tuple(words)


def random_answer(random: Random, talk: Talked) -> Word:
    raising = not talk.ordago and talk.stands < 40
    seats = talk.waiting()
    if raising and random.random() < 0.15:
        # Neither a player who has accepted nor one who is out may raise.
        what = "órdago" if random.random() < 0.1 else "más"
        return random.choice(seats), what, 0 if what == "órdago" else random.randint(1, 9)
    return random.choice(seats), random.choice(("quiero", "no", "no")), 0


def random_deal(random: Random) -> EachDeal:
    players = random.randint(2, 6)
    target = random.choice((25, 40))
    hands = tuple(ranks(hand) for hand in deal_hands(random, players))
    before = tuple(random.choice((0, random.randrange(target), target - 2)) for _ in hands)
    bare = EachDeal(random.randint(1, players), hands, {}, before, target)
    words = {lance: random_words(random, holders(bare, lance)) for lance in oracle.LANCES}
    return EachDeal(bare.mano, hands, words, before, target)


def as_call(word: Word) -> c.Call:
    seat, what, stones = word
    match what:
        case "envido":
            return c.Bet(seat=seat, stones=stones)
        case "más":
            return c.Raise(seat=seat, stones=stones)
        case "órdago":
            return c.Ordago(seat=seat)
        case "quiero":
            return c.Accept(seat=seat)
        case _:
            return c.Refuse(seat=seat)


def play(deal: EachDeal) -> Table:
    players = len(deal.hands)
    table = each(players, mano=deal.mano, stones=deal.before, target=deal.target)
    table.cut()
    while table.phase not in (Phase.SHOWDOWN, Phase.COUNT):
        if table.phase in DECLARING:
            declare(table, deal)
        elif table.state.lance is not None:
            say_lance(table, deal.words[table.state.lance.value])
    while missing := missing_hands(table.state):
        table.say(cards(missing[0], deal.hands[missing[0] - 1]))
    return table


def declare(table: Table, deal: EachDeal) -> None:
    pares = table.state.lance is Lance.PARES
    for seat in table.state.order():
        hand = deal.hands[seat - 1]
        holds = oracle.takes_part("pares" if pares else "juego", hand, 8)
        table.say(c.Declare(seat=seat, holds=holds))


def say_lance(table: Table, words: tuple[Word, ...]) -> None:
    if not words:
        lance = table.state.lance
        while table.state.lance is lance and table.phase not in DECLARING:
            table.say(paso(to_speak(table.state)))
        return
    for word in words:
        table.say(as_call(word))


@cache
def played(seed: int) -> list[tuple[EachDeal, State]]:
    """One part of the deals, each with the state in which the engine left it."""
    random = Random(seed)
    deals = [random_deal(random) for _ in range(DEALS // len(SEEDS))]
    return [(deal, play(deal).state) for deal in deals]


@pytest.mark.parametrize("seed", SEEDS)
def test_r56_the_engine_and_the_oracle_count_the_same_stones_for_single_players(seed: int) -> None:
    for deal, state in played(seed):
        assert state.phase is Phase.COUNT
        won = None if state.juego_won is None else "ABCDEF".index(state.juego_won) + 1
        assert (state.stones, won) == score(deal), deal


def test_r56_the_random_deals_take_every_course() -> None:
    """Otherwise the comparison above would prove less than it seems to."""
    states = [state for seed in SEEDS for _deal, state in played(seed)]
    results = [r for state in states for r in state.results]
    courses = {(r.lance.value, r.how.value) for r in results}
    for lance in oracle.LANCES:
        for how in ("passed", "accepted", "refused", "ordago"):
            assert (lance, how) in courses
    assert {("pares", "nobody"), ("pares", "uncontested"), ("juego", "uncontested")} <= courses
    assert {len(s.seats) for s in states} == {2, 3, 4, 5, 6}
    assert {len(r.bet.accepted) for r in results if r.bet and r.how == "accepted"} >= {1, 2, 3}
    assert {state.juego_won for state in states} == {None, *"ABCDEF"}


def test_r56_the_oracle_counts_a_deal_as_it_was_counted_by_hand() -> None:
    """Two accept 5 at grande; all refuse a raise at chica; three hold pares; punto is in paso."""
    deal = EachDeal(
        mano=2,
        hands=("RR54", "1167", "RC54", "S754", "7741"),
        words={
            "grande": (
                *((1, "envido", 5), (2, "no", 0), (3, "quiero", 0)),
                *((4, "no", 0), (5, "quiero", 0)),
            ),
            "chica": (
                *((2, "envido", 2), (3, "más", 3), (2, "no", 0)),
                *((1, "no", 0), (4, "no", 0), (5, "no", 0)),
            ),
            "pares": ((5, "envido", 4), (1, "quiero", 0), (2, "no", 0)),
        },
        before=(0, 0, 0, 0, 0),
        target=40,
    )
    # Seat 1: grande 5, pares 4 + 1. Seat 3: the deje of chica 2, and punto with 29 nearest to mano.
    assert score(deal) == ((10, 0, 3, 0, 0), None)
