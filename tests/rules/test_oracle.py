"""Thousands of random deals, scored by the engine call by call and by the oracle in one go."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.profile import Corrido, Penalty, Profile, Real31
from assistant.rules.state import State
from tests.rules.oracle import (
    LANCES,
    Deal,
    Scored,
    Talk,
    hands_value,
    pares_stones,
    points,
    score,
    side,
    takes_part,
    winning_side,
)
from tests.rules.play import (
    Game,
    cards,
    envido,
    juego,
    mas,
    no_queremos,
    no_quiero,
    ordago,
    pares,
    paso,
    quiero,
)
from tests.rules.strategies import deal as deal_hands
from tests.rules.strategies import ranks

DEALS = 4_000
"""The number of deals. Each takes about a millisecond."""
SEEDS = tuple(range(8))


def random_talk(random: Random, hands: tuple[str, ...], lance: str, kings: int) -> Talk:
    """Any course that a lance can take. Órdagos are rare, so that most deals are played out."""
    seats = [s for s in (1, 2, 3, 4) if takes_part(lance, hands[s - 1], kings)]
    if random.random() < 0.3 or not seats:
        return Talk()
    bets = [random.randint(2, 9) for _ in range(random.random() < 0.9)]
    bets += [random.randint(1, 9) for _ in range(random.choice((0, 0, 1, 1, 2, 3)))] if bets else []
    with_ordago = not bets or random.random() < 0.1
    accepted = random.random() < (0.3 if with_ordago else 0.6)
    return Talk(random.choice(seats), tuple(bets), with_ordago, accepted)


def random_deal(random: Random) -> Deal:
    hands = tuple(ranks(hand) for hand in deal_hands(random))
    target = random.choice((25, 30, 40))
    kings = random.choice((8, 8, 4))
    before = tuple(random.choice((0, random.randrange(target), target - 2)) for _ in "AB")
    return Deal(
        mano=random.randint(1, 4),
        hands=hands,
        talk={lance: random_talk(random, hands, lance, kings) for lance in LANCES},
        before=(before[0], before[1]),
        target=target,
        kings=kings,
        real31=random.choice(("off", "sota")),
    )


def play(random: Random, deal: Deal) -> Game:
    """Say all the calls of the deal at a table that counts its stones with the engine."""
    profile = Profile(
        kings=deal.kings,
        target=deal.target,
        real31=Real31(deal.real31),
        corrido=Corrido.OFF,
        penalty=Penalty.OFF,
    )
    game = Game(profile, mano=deal.mano, stones=deal.before).cut()
    while game.phase not in (Phase.SHOWDOWN, Phase.COUNT):
        if game.phase in DECLARING:
            declare(game, deal)
        elif game.state.lance is not None:
            talk_over(random, game, deal.talk[game.state.lance.value])
    for seat in missing_hands(game.state):
        game.say(cards(seat, deal.hands[seat - 1]))
    return game


def declare(game: Game, deal: Deal) -> None:
    for seat in game.state.order():
        hand = deal.hands[seat - 1]
        if game.state.lance is Lance.PARES:
            game.say(pares(seat, pares_stones(hand, deal.kings) > 0))
        else:
            game.say(juego(seat, points(hand, deal.kings) >= 31))


def talk_over(random: Random, game: Game, talk: Talk) -> None:
    if talk.words == 0:
        game.all_pass()
        return
    while random.random() < 0.5 and to_speak(game.state) not in (talk.opener, None):
        game.say(paso(to_speak(game.state)))
    first, *more = talk.bets or (None,)
    game.say(envido(talk.opener, first) if first else ordago(talk.opener))
    for stones in more:
        game.say(mas(some_answerer(random, game.state), stones))
    if talk.bets and talk.ordago:
        game.say(ordago(some_answerer(random, game.state)))
    if talk.accepted:
        game.say(quiero(some_answerer(random, game.state)))
    elif random.random() < 0.5:
        game.say(no_queremos(some_answerer(random, game.state)))
    else:
        for seat in game.state.answerers():
            game.say(no_quiero(seat))


def some_answerer(random: Random, state: State) -> int:
    return random.choice(state.answerers())


def scored(state: State) -> Scored:
    won = state.juego_won
    return Scored((state.stones[0], state.stones[1]), None if won is None else "AB".index(won))


@cache
def played(seed: int) -> list[tuple[Deal, State]]:
    """One part of the deals, each with the state in which the engine left it."""
    random = Random(seed)
    deals = [random_deal(random) for _ in range(DEALS // len(SEEDS))]
    return [(deal, play(random, deal).state) for deal in deals]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_and_the_oracle_count_the_same_stones(seed: int) -> None:
    for deal, state in played(seed):
        assert state.phase is Phase.COUNT
        assert scored(state) == score(deal), deal


def test_the_random_deals_take_every_course() -> None:
    """Otherwise the comparison above would prove less than it seems to."""
    states = [state for seed in SEEDS for _deal, state in played(seed)]
    courses = {(r.lance.value, r.how.value) for state in states for r in state.results}
    for lance in LANCES:
        for how in ("passed", "accepted", "refused", "ordago"):
            assert (lance, how) in courses
    assert {("pares", "nobody"), ("pares", "uncontested"), ("juego", "uncontested")} <= courses
    assert {state.juego_won for state in states} == {None, "A", "B"}


def test_the_oracle_counts_a_deal_as_it_was_counted_by_hand() -> None:
    """R R 5 4 / 1 1 6 7 / R C 5 4 / S 7 5 4, mano 1: grande 5 accepted, chica 2 +3 refused."""
    deal = Deal(
        mano=1,
        hands=("RR54", "1167", "RC54", "S754"),
        talk={
            "grande": Talk(1, (5,), accepted=True),
            "chica": Talk(1, (2, 3)),
            "pares": Talk(),
            "juego": Talk(),
            "punto": Talk(2, (4,), accepted=True),
        },
    )
    # A: grande 5, the better pareja 1, punto 29 with its bet 4 and 1; B: chica's deje 2.
    assert score(deal) == Scored((11, 2), None)
    assert (side(3), winning_side("chica", deal), hands_value("pares", 1, deal)) == (0, 1, 1)
