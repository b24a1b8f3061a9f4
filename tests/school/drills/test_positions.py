"""Exercises that the yardstick grades: moments of real deals, and what each answer costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from assistant.rules import calls as c
from assistant.rules.engine import decide
from assistant.rules.phases import BEFORE_LANCES
from assistant.rules.profile import Profile
from assistant.school.drills import positions
from assistant.school.drills.exercises import DrillError, DrillKind, Exercise, kind_of, name_of
from assistant.school.drills.positions import RIGHT_UP_TO, exercise_of, is_judged, places_of
from assistant.school.drills.schedule import skills_of
from assistant.school.judge import Judge
from tests.school.drills.making import EIGHT, judge_of, made

pytestmark = pytest.mark.slow
"""A moment is looked for in many deals, and judged in many worlds."""

JUDGED = [skill for skill in skills_of((), judged=True) if is_judged(kind_of(skill))]


@pytest.fixture(scope="module")
def each() -> list[Exercise]:
    return [made(name_of(skill, level, 11)) for skill in JUDGED for level in (1, 4)]


def test_each_answer_costs_something_or_nothing_and_one_at_least_is_wrong(
    each: list[Exercise],
) -> None:
    for exercise in each:
        costs = [choice.cost for choice in exercise.choices]
        assert all(cost is not None and 0 <= cost <= 100 for cost in costs), exercise.name
        assert costs[exercise.best] == 0.0
        assert [one.right for one in exercise.choices] == [
            (cost or 0.0) <= RIGHT_UP_TO for cost in costs
        ]
        assert not all(one.right for one in exercise.choices), exercise.name


def test_each_answer_is_a_call_that_the_rules_allow_there(each: list[Exercise]) -> None:
    for exercise in each:
        sight = exercise.sight
        assert sight is not None
        if exercise.kind is DrillKind.THROWS:
            assert [choice.key for choice in exercise.choices] == [str(n) for n in range(1, 16)]
            continue
        for choice in exercise.choices:
            assert choice.call is not None
            assert decide(sight.state, choice.call).events


def test_a_bet_waits_for_the_learner_in_the_lance_that_is_asked(each: list[Exercise]) -> None:
    for exercise in each:
        sight = exercise.sight
        assert sight is not None
        if exercise.kind is DrillKind.WANTS:
            pending = sight.state.pending
            assert pending is not None
            assert exercise.skill.endswith(f".{pending.lance}")
            assert sight.state.side_of(sight.seat) != pending.side
            assert {c.Accept, c.Refuse} <= {type(one.call) for one in exercise.choices}
        if exercise.kind is DrillKind.CUTS:
            assert sight.state.phase in BEFORE_LANCES
            assert [type(one.call) for one in exercise.choices] == [c.Mus, c.Cut]


def test_the_learner_is_shown_no_cards_but_his_own(each: list[Exercise]) -> None:
    for exercise in each:
        assert exercise.sight is not None
        assert exercise.hands == (exercise.sight.hand,)
        assert not any(exercise.sight.state.hands)


def test_alike_cards_make_alike_throws() -> None:
    for seed in range(20):
        exercise = made(name_of("tiras", 1, seed))
        ranks = [card.rank for card in exercise.hands[0]]
        if len(set(ranks)) < 4:
            break
    by_ranks: dict[tuple[str, ...], set[float | None]] = {}
    for bits, choice in enumerate(exercise.choices, start=1):
        thrown = tuple(sorted(ranks[place] for place in places_of(bits)))
        by_ranks.setdefault(thrown, set()).add(choice.cost)
    assert len(by_ranks) < len(exercise.choices)
    assert all(len(costs) == 1 for costs in by_ranks.values())


def test_an_exercise_costs_the_same_whenever_it_is_asked() -> None:
    name = name_of("cortas", 3, 5)
    again = exercise_of(name, EIGHT, Judge(judge_of().tables.lore))
    assert again is not made(name)
    assert again == made(name)


def test_a_deal_given_up_early_would_not_have_asked_the_learner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Deals that are played to their end give the same exercises, only later."""
    played, deal = [0], positions._deal

    def whole(*args: Any, **kwargs: Any) -> Iterator[positions.DrillMoment]:
        played[0] += 1
        return deal(*args, **kwargs)

    monkeypatch.setattr(positions, "_deal", whole)
    monkeypatch.setattr(positions, "_may_come", lambda *_: True)
    judge = Judge(judge_of().tables.lore)
    for skill in ("cortas", "quieres.pares", "quieres.juego", "quieres.punto"):
        name = name_of(skill, 2, 3)
        assert exercise_of(name, EIGHT, judge) == made(name)
    assert played[0] > 50


@pytest.mark.parametrize("profile", [Profile(kings=4), EIGHT])
def test_without_a_yardstick_that_knows_the_rules_there_are_only_the_kinds_of_the_rules(
    profile: Profile,
) -> None:
    judge = None if profile is EIGHT else judge_of()
    with pytest.raises(DrillError):
        exercise_of(name_of("cortas", 1, 1), profile, judge)
    assert exercise_of(name_of("gana.pares", 1, 1), profile, judge).hands
