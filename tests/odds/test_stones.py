"""What a call brings, where the cards leave no doubt, and how the assumptions enter."""

import pytest

from assistant.odds import Assumptions, CallWorth, Known, Said, chances, expected
from assistant.rules.cards import Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

TABLE = Profile()
Worth = dict[tuple[Said, int], float]


def ranks(text: str) -> tuple[Rank, ...]:
    return tuple(map(Rank, text))


def worth(calls: tuple[CallWorth, ...]) -> Worth:
    return {(call.said, call.bet): call.stones for call in calls}


SURE = Known(ranks("RRRR"), partner=ranks("7711"))
"""As mano, with duples of reyes: grande and pares are won, 3 stones and 3 of the partner."""


def test_r20_and_r24_at_grande_a_pass_is_one_stone_and_so_is_a_refusal() -> None:
    grande = worth(expected(SURE, TABLE)[Lance.GRANDE])
    assert grande[Said.PASS, 0] == 1
    assert grande[Said.BET_ACCEPTED, 5] == grande[Said.ACCEPT, 5] == 5
    assert grande[Said.BET_REFUSED, 5] == 1
    assert grande[Said.REFUSE, 0] == -1
    assert grande[Said.ACCEPT_ORDAGO, 0] == TABLE.target


def test_r13_and_r28_pares_pay_both_hands_whatever_became_of_the_bet() -> None:
    pares = worth(expected(SURE, TABLE)[Lance.PARES])
    assert pares[Said.PASS, 0] == 6
    assert pares[Said.BET_ACCEPTED, 2] == 2 + 6
    assert pares[Said.BET_REFUSED, 2] == 1 + 6
    assert pares[Said.REFUSE, 0] <= -1 - 1  # the rivals' own: one stone at least
    assert pares[Said.ORDAGO_ACCEPTED, 0] == TABLE.target  # R32: and nothing else


def test_r29_the_punto_pays_one_more_with_a_bet_and_without() -> None:
    known = Known(ranks("R776"), partner=ranks("C775"))  # 30 as mano: no punto is better
    punto = worth(expected(known, TABLE)[Lance.PUNTO])
    assert punto[Said.PASS, 0] == 1
    assert punto[Said.BET_ACCEPTED, 2] == 3
    assert punto[Said.BET_REFUSED, 2] == 2
    assert punto[Said.REFUSE, 0] == -2


def test_r28_who_refuses_at_pares_leaves_the_rivals_their_own_stones() -> None:
    known = Known(ranks("7745"), mano=2)
    pares = worth(expected(known, TABLE, Assumptions(deje=4))[Lance.PARES])
    usual = worth(expected(known, TABLE)[Lance.PARES])
    assert pares[Said.REFUSE, 0] == pytest.approx(usual[Said.REFUSE, 0] - 3)
    assert usual[Said.BET_REFUSED, 2] > 1  # with the worse hands, too


def test_a_bet_lies_between_its_two_answers_as_often_as_it_is_accepted() -> None:
    known = Known(ranks("RC54"), mano=3)
    assumed = Assumptions(bets=(3,), accepted=0.2, ordago_accepted=0.1, juego=30)
    for calls in expected(known, TABLE, assumed).values():
        told = worth(calls)
        bet = 0.2 * told[Said.BET_ACCEPTED, 3] + 0.8 * told[Said.BET_REFUSED, 3]
        assert told[Said.BET, 3] == pytest.approx(bet)
        ordago = 0.1 * told[Said.ORDAGO_ACCEPTED, 0] + 0.9 * told[Said.ORDAGO_REFUSED, 0]
        assert told[Said.ORDAGO, 0] == pytest.approx(ordago)
        assert abs(told[Said.ORDAGO_ACCEPTED, 0]) <= 30


def test_at_grande_the_stones_are_the_chance_twice_less_once() -> None:
    known = Known(ranks("RC54"), mano=3)
    side = chances(known, TABLE)[Lance.GRANDE].side
    grande = worth(expected(known, TABLE)[Lance.GRANDE])
    assert grande[Said.ACCEPT, 5] == pytest.approx(5 * (2 * side - 1))


def test_r16_a_lance_that_the_pairs_cannot_both_play_has_no_calls() -> None:
    nobody = Known(ranks("RC54"), pares=(False,) * 4, juego=(False,) * 4)
    assert set(expected(nobody, TABLE)) == {Lance.GRANDE, Lance.CHICA, Lance.PUNTO}
    rivals = Known(ranks("RC54"), pares=(False, True, False, True))
    assert Lance.PARES not in expected(rivals, TABLE)
