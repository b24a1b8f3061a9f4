"""Exercises that the rules grade: one right answer, from easy to hard, without end."""

from __future__ import annotations

import random

import pytest

from assistant.files.profile_files import house_rules
from assistant.rules.cards import Hand, check_deal
from assistant.rules.hands import value, winners
from assistant.rules.phases import PUNTO, Lance
from assistant.rules.profile import Profile
from assistant.school.drills.exercises import (
    LEVELS,
    MAKERS,
    SKILLS,
    DrillError,
    Exercise,
    drilled,
    gap,
    name_of,
    pares_name,
    parts_of,
)
from assistant.school.drills.positions import exercise_of
from scripts.lab.bench_drills import MISTAKEN, share_wrong
from tests.school.drills.making import made
from tests.tables import each_row

FOUR, EIGHT = Profile(kings=4), Profile()
SEEDS = range(6)
RULED = tuple(MAKERS)


def each_made(profile: Profile = EIGHT) -> list[Exercise]:
    return [
        made(name_of(skill, level, seed), profile)
        for skill in RULED
        for level in range(1, LEVELS + 1)
        for seed in SEEDS
    ]


def expected(exercise: Exercise, profile: Profile) -> str:
    """The right answer by the rules, worked out apart from how the exercise was made."""
    hand: Hand = exercise.hands[0]
    worth = value(hand, profile)
    match exercise.skill.partition(".")[::2]:
        case "gana", lance:
            won = winners(exercise.hands, profile)[Lance(lance)]
            return str(won)
        case _, "puntos":
            return str(worth.points)
        case _, "pares":
            return pares_name(hand, profile)
        case _, "piedras":
            return str(worth.juego_stones or 1)
    assert exercise.counted is not None
    result = exercise.counted.result(exercise.lance or PUNTO)
    assert result is not None
    return str(result.won)


@pytest.mark.parametrize("profile", [EIGHT, FOUR], ids=["eight", "four"])
def test_each_exercise_has_one_right_answer_and_it_is_that_of_the_rules(profile: Profile) -> None:
    for exercise in each_made(profile):
        right = [choice.key for choice in exercise.choices if choice.right]
        assert right == [expected(exercise, profile)], exercise.name
        assert len({choice.key for choice in exercise.choices}) == len(exercise.choices) > 1
        assert exercise.choices[exercise.best].right
        check_deal(exercise.hands, profile.kings)


def test_the_stones_of_a_counted_lance_are_those_that_the_table_wrote_down() -> None:
    for seed in range(30):
        state = made(name_of("vale.cuenta", seed % LEVELS + 1, seed)).counted
        assert state is not None
        for number, side in enumerate("AB"):
            won = sum(result.won for result in state.results if result.side == side)
            assert state.stones[number] == won


def test_a_name_makes_the_same_exercise_each_time_and_another_name_another_one() -> None:
    names = [name_of("gana.pares", 3, seed) for seed in range(50)]
    hands = [made(name).hands for name in names]
    assert [exercise_of(name, EIGHT, None).hands for name in names] == hands  # none is kept
    assert len(set(hands)) == len(names)


@pytest.mark.parametrize("lance", ["grande", "chica", "pares", "juego", "punto"])
def test_hands_of_a_harder_level_are_closer(lance: str) -> None:
    means = []
    for level in (1, 2, 3, 4):
        made_here = [made(name_of(f"gana.{lance}", level, seed)) for seed in range(25)]
        means.append(sum(gap(Lance(lance), one.hands, EIGHT) for one in made_here) / 25)
    two, four = means[:2], means[2:]
    assert two[0] > two[1] > 0
    assert four[0] > four[1] > 0


@pytest.mark.parametrize("kind", ["gana", "vale"])
def test_newcomers_get_more_wrong_the_higher_the_level(kind: str) -> None:
    """They read treses and doses as printed, forget who is mano, or take close hands for equal."""
    skills = [skill for skill in RULED if skill.startswith(kind)]
    shares = [
        sum(share_wrong(skill, level, who, 20) for skill in skills for who in MISTAKEN)
        for level in range(1, LEVELS + 1)
    ]
    assert shares == sorted(shares)
    assert shares[0] < 0.5 * shares[-1]


def test_every_shipped_table_has_exercises() -> None:
    for name, profile in house_rules().items():
        rules = drilled(profile)
        for skill in RULED:
            exercise = made(name_of(skill, 2, 1), profile)
            assert [one.key for one in exercise.choices if one.right] == [
                expected(exercise, rules)
            ], (name, skill)


@each_row(
    "name",
    [
        *("", "gana", "gana.pares", "gana.pares-3", "gana.pares-0-1", "gana.pares-6-1"),
        *("gana.pares-3-01", "gana.pares-3--1", "gana.pares-3-12345678", "gana.pares-3-1-1"),
        *("gana.mus-3-1", "gana.pares-٣-1", "gana.pares-3-x", "../gana.pares-3-1"),
    ],
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(DrillError):
        parts_of(name)


def test_a_name_goes_there_and_back() -> None:
    dice = random.Random(1)
    for skill in SKILLS:
        parts = skill, dice.randint(1, LEVELS), dice.randrange(10**6)
        assert parts_of(name_of(*parts)) == parts
