"""The joint assignment of cards to places: the likeliest one, checked against all of them."""

from __future__ import annotations

from itertools import product
from math import log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.messages.showdown import LEAST, assigned

chances = st.floats(0.0, 1.0).map(lambda chance: round(chance, 3))
places = st.lists(
    st.dictionaries(st.sampled_from("abcde"), chances, max_size=4).map(
        lambda place: {
            thing: chance / max(1.0, sum(place.values())) for thing, chance in place.items()
        }
    ),
    max_size=4,
)


def likelihood(place: dict[str, float], thing: str | None) -> float:
    chance = place[thing] if thing else 1 - sum(place.values())
    return max(LEAST, chance)


def wholes(given_places: list[dict[str, float]]) -> list[tuple[str | None, ...]]:
    """All assignments in which no card is in two places."""
    found = []
    for whole in product(*([*place, None] for place in given_places)):
        things = [thing for thing in whole if thing]
        if len(things) == len(set(things)):
            found.append(whole)
    return found


def score(given_places: list[dict[str, float]], whole: tuple[str | None, ...]) -> float:
    return prod(likelihood(*pair) for pair in zip(given_places, whole, strict=True))


@given(places)
def test_no_other_assignment_is_likelier(given_places: list[dict[str, float]]) -> None:
    found = assigned(given_places)
    whole = tuple(thing for thing, _ in found)
    best = max(score(given_places, other) for other in wholes(given_places))
    assert log(score(given_places, whole)) == pytest.approx(log(best), abs=1e-9)


@given(places)
def test_the_probability_compares_with_the_best_assignment_without_that_card(
    given_places: list[dict[str, float]],
) -> None:
    found = assigned(given_places)
    best = score(given_places, tuple(thing for thing, _ in found))
    for at, (thing, sure) in enumerate(found):
        if thing is None:
            continue
        without = max(score(given_places, w) for w in wholes(given_places) if w[at] != thing)
        assert sure == pytest.approx(best / (best + without), abs=1e-9)


def test_a_card_that_is_clear_in_another_place_is_not_assigned_here() -> None:
    found = assigned([{"a": 0.5, "b": 0.49}, {"a": 0.999}])
    assert [thing for thing, _ in found] == ["b", "a"]
    assert found[0][1] > 0.95


def test_two_places_with_the_same_card_are_both_uncertain() -> None:
    found = assigned([{"a": 0.99}, {"a": 0.99}])
    assert max(sure for _, sure in found) <= 0.5


def test_no_places_give_an_empty_assignment() -> None:
    assert assigned([]) == ()
    assert assigned([{}]) == ((None, 0.0),)
