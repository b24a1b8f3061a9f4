"""The stones that a call brings, where the cards leave no doubt, and the effect of assumptions."""

import pytest

from assistant.odds import Assumptions, CallWorth, Known, StakesSaid, chances, expected
from assistant.rules.cards import Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

TABLE = Profile()
Worth = dict[tuple[StakesSaid, int], float]


def ranks(text: str) -> tuple[Rank, ...]:
    return tuple(map(Rank, text))


def worth(calls: tuple[CallWorth, ...]) -> Worth:
    return {(call.said, call.bet): call.stones for call in calls}


SURE = Known(ranks("RRRR"), partner=ranks("7711"))
"""The hand of mano, duples of reyes: it wins grande and pares, 3 stones and the partner's 3."""


def test_r20_and_r24_at_grande_a_pass_and_a_refusal_bring_one_stone() -> None:
    grande = worth(expected(SURE, TABLE)[Lance.GRANDE])
    assert grande[StakesSaid.PASS, 0] == 1
    assert grande[StakesSaid.BET_ACCEPTED, 5] == grande[StakesSaid.ACCEPT, 5] == 5
    assert grande[StakesSaid.BET_REFUSED, 5] == 1
    assert grande[StakesSaid.REFUSE, 0] == -1


def test_r13_and_r28_pares_pay_both_hands_whatever_happens_to_the_bet() -> None:
    pares = worth(expected(SURE, TABLE)[Lance.PARES])
    assert pares[StakesSaid.PASS, 0] == 6
    assert pares[StakesSaid.BET_ACCEPTED, 2] == 2 + 6
    assert pares[StakesSaid.BET_REFUSED, 2] == 1 + 6
    assert pares[StakesSaid.REFUSE, 0] <= -1 - 1  # the rivals' own pares: one stone at least


def test_r29_punto_pays_one_more_with_a_bet_and_without() -> None:
    known = Known(ranks("R776"), partner=ranks("C775"))  # 30 as mano: no punto is better
    punto = worth(expected(known, TABLE)[Lance.PUNTO])
    assert punto[StakesSaid.PASS, 0] == 1
    assert punto[StakesSaid.BET_ACCEPTED, 2] == 3
    assert punto[StakesSaid.BET_REFUSED, 2] == 2
    assert punto[StakesSaid.REFUSE, 0] == -2


def test_r28_refusing_at_pares_leaves_the_rivals_their_own_stones() -> None:
    known = Known(ranks("7745"), mano=2)
    pares = worth(expected(known, TABLE, Assumptions(deje=4))[Lance.PARES])
    usual = worth(expected(known, TABLE)[Lance.PARES])
    assert pares[StakesSaid.REFUSE, 0] == pytest.approx(usual[StakesSaid.REFUSE, 0] - 3)
    assert usual[StakesSaid.BET_REFUSED, 2] > 1  # even with the worse hands


def test_the_value_of_a_bet_is_the_mean_of_its_two_answers() -> None:
    known = Known(ranks("RC54"), mano=3)
    assumed = Assumptions(bets=(3,), accepted=0.2)
    for calls in expected(known, TABLE, assumed).values():
        told = worth(calls)
        bet = 0.2 * told[StakesSaid.BET_ACCEPTED, 3] + 0.8 * told[StakesSaid.BET_REFUSED, 3]
        assert told[StakesSaid.BET, 3] == pytest.approx(bet)


def test_at_grande_the_stones_are_won_or_lost_by_the_chance_of_the_pair() -> None:
    known = Known(ranks("RC54"), mano=3)
    side = chances(known, TABLE)[Lance.GRANDE].side
    grande = worth(expected(known, TABLE)[Lance.GRANDE])
    assert grande[StakesSaid.ACCEPT, 5] == pytest.approx(5 * (2 * side - 1))


def test_r16_a_lance_that_only_one_pair_can_play_has_no_calls() -> None:
    nobody = Known(ranks("RC54"), pares=(False,) * 4, juego=(False,) * 4)
    assert set(expected(nobody, TABLE)) == {Lance.GRANDE, Lance.CHICA, Lance.PUNTO}
    rivals = Known(ranks("RC54"), pares=(False, True, False, True))
    assert Lance.PARES not in expected(rivals, TABLE)
