"""Whether a bet was worth accepting by the cards alone, with numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.odds import Known, chances
from assistant.review.report.tally import weigh_alone
from assistant.rules import calls as c
from assistant.rules.cards import Hand, parse_hand
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from assistant.rules.state import State
from tests.school.practice.test_reasons import table

KINGS = parse_hand("R R R 4")


def chance(hand: Hand, lance: Lance, **said: tuple[bool | None, ...]) -> float:
    found = chances(Known(tuple(card.rank for card in hand), 2, 1, None, **said), Profile())[lance]
    return found.won_contested / found.contested


def bet(stones: int, *more: c.Call) -> State:
    return table(c.Cut(seat=1), c.Bet(stones=stones, seat=1), *more)


def test_five_at_grande_with_a_deje_of_one_needs_four_tenths() -> None:
    weighed = weigh_alone(bet(5), 2, KINGS)
    assert weighed
    assert weighed.chance == pytest.approx(chance(KINGS, Lance.GRANDE))
    assert weighed.needed == pytest.approx(0.4)
    assert weighed.gain == pytest.approx(10 * weighed.chance - 4)


def test_after_a_raise_the_deje_is_the_bet_before_it() -> None:
    weighed = weigh_alone(bet(2, c.Raise(stones=4, seat=2)), 1, KINGS)
    assert weighed
    assert weighed.needed == pytest.approx((6 - 2) / 12)


def test_an_ordago_is_compared_with_the_stones_left_in_the_juego() -> None:
    state = replace(table(c.Cut(seat=1), c.Ordago(seat=1)), stones=(20, 10))
    weighed = weigh_alone(state, 2, KINGS)
    assert weighed
    assert weighed.needed == pytest.approx(19 / (30 + 19))  # they need 20 stones, less the deje
    assert weighed.gain == pytest.approx((weighed.chance - weighed.needed) * 40)


def test_a_deje_that_ends_the_juego_needs_no_chance_to_accept() -> None:
    state = replace(table(c.Cut(seat=1), c.Ordago(seat=1)), stones=(39, 10))
    weighed = weigh_alone(state, 2, KINGS)
    assert weighed
    assert weighed.needed == 0.0


def test_cards_that_contradict_the_declarations_are_not_evaluated() -> None:
    state = replace(bet(2), pares=(None, True, None, None))
    assert weigh_alone(state, 2, parse_hand("R C S 4")) is None


def test_a_single_player_is_not_evaluated() -> None:
    state = bet(2)
    alone = replace(state, seats=("Uno", "Dos"))
    assert weigh_alone(alone, 2, KINGS) is None
