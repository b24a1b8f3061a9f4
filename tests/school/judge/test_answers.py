"""The report's judgement of answers: by what each left of the juego, or by the cards alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.review.report import report
from assistant.rules import calls as c
from assistant.rules.cards import parse_hand
from assistant.school.judge.answers import WORLDS, weigh
from assistant.school.judge.judging import shipped_judge
from assistant.school.players import sight_of
from tests.review.report.evenings import juego
from tests.school.practice.test_reasons import table

BET = (c.Cut(seat=1), c.Bet(stones=5, seat=1))


def test_an_answer_is_weighed_by_what_it_and_the_other_leave_of_the_juego() -> None:
    state, hand = table(*BET), parse_hand("R R R 4")
    found = weigh(state, 2, hand, ())
    assert found
    judged = shipped_judge().judge(sight_of(state, 2, hand), worlds=WORLDS)
    assert found.chance == judged.of(c.Accept(seat=2)).chance
    assert found.needed == judged.of(c.Refuse(seat=2)).chance
    assert found.gain == pytest.approx(100 * (found.chance - found.needed))
    assert found.gain > 0
    assert not found.alone
    poor = weigh(state, 2, parse_hand("7 6 5 4"), ())
    assert poor
    assert poor.gain < 0


def test_house_rules_that_nobody_learnt_are_weighed_by_the_cards_alone() -> None:
    state = table(*BET)
    four = replace(state, profile=replace(state.profile, kings=4))
    found = weigh(four, 2, parse_hand("R R R 4"), ())
    assert found
    assert found.alone
    assert found.needed == pytest.approx(4 / 10)


def test_cards_that_contradict_the_declarations_are_not_weighed() -> None:
    state = replace(table(*BET), pares=(None, True, None, None))
    assert weigh(state, 2, parse_hand("R C S 4"), ()) is None


def test_the_answers_of_an_evening_are_judged_by_the_juego() -> None:
    found = report([juego(1)], weigh)
    decisions = [one for player in found.players for one in player.decisions]
    assert len(decisions) > 10
    for one in decisions:
        assert not one.alone
        better = one.chance - one.needed
        assert one.gain == pytest.approx(100 * (better if one.accepted else -better))
        assert one.above == (better >= 0)
