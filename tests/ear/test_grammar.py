"""A phrase is heard whole or not at all."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.ear.speech_model import UNKNOWN, fit

KNOWN = {"paso", "no", "hay", "mus"}


def test_a_phrase_with_an_unknown_word_is_left_out_and_not_halved() -> None:
    grammar = fit(["hay órdago", "no hay mus", "paso"], KNOWN.__contains__)
    assert grammar.phrases == ("no hay mus", "paso")
    assert grammar.left_out == ("hay órdago",)
    assert grammar.missing == ("órdago",)


def test_the_mark_of_unknown_speech_always_stays() -> None:
    assert fit(["paso", UNKNOWN], KNOWN.__contains__).phrases == ("paso", UNKNOWN)


def test_a_phrase_said_often_keeps_its_weight() -> None:
    assert fit(["paso", "paso", "mus"], KNOWN.__contains__).phrases == ("paso", "paso", "mus")


def test_empty_phrases_are_nothing() -> None:
    assert fit(["", "  "], KNOWN.__contains__).phrases == ()


@given(st.lists(st.text(" abcno", max_size=8)))
def test_every_word_that_stays_is_known(phrases: list[str]) -> None:
    known = {"a", "b", "no"}
    grammar = fit(phrases, known.__contains__)
    assert {word for phrase in grammar.phrases for word in phrase.split()} <= known
    assert not set(grammar.phrases) & set(grammar.left_out)
