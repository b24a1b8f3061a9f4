"""The ways to hear an utterance: probabilities that add up, and words as sure as they are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ear.decoder import likely, surest
from assistant.messages import Word

PASO = (Word("paso", 0.1, 0.4),)
VASO = (Word("vaso", 0.1, 0.4),)
YO_PASO = (Word("yo", 0.0, 0.1), Word("paso", 0.1, 0.4))


def test_scores_become_probabilities_the_likeliest_first() -> None:
    ways = likely([(VASO, -11.0), (PASO, -10.0)])
    assert [way.words for way in ways] == [PASO, VASO]
    assert ways[0].probability == pytest.approx(1 / (1 + math.exp(-1)))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=10))
def test_the_probabilities_of_all_ways_add_up(scores: list[float]) -> None:
    ways = likely([(PASO, score) for score in scores])
    assert sum(way.probability for way in ways) == pytest.approx(1)


def test_silence_is_nothing_heard() -> None:
    assert likely([((), -3.0), ((), -4.0)]) == ()
    assert likely([]) == ()


def test_silence_among_the_ways_takes_its_share() -> None:
    ways = likely([((), 0.0), (PASO, 0.0)])
    assert [way.probability for way in ways] == [0.5, 0.5]
    assert surest(ways) == (Word("paso", 0.1, 0.4, confidence=0.5),)


def test_a_word_is_as_sure_as_all_the_ways_that_have_it_there() -> None:
    words = surest(likely([(YO_PASO, 0.0), (PASO, 0.0), (VASO, 0.0)]))
    assert {word.text: round(word.confidence, 3) for word in words} == {"yo": 0.333, "paso": 0.667}


def test_the_same_word_elsewhere_makes_it_no_surer() -> None:
    later = (Word("paso", 0.5, 0.8),)
    (word,) = surest(likely([(PASO, 0.5), (later, 0.0)]))
    assert word.confidence < 0.7
