"""Whether a phrase can go on: a complete call ends the utterance early, an open one does not."""

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Context, GoesOn, Lexicon, words_of
from assistant.rules.phases import Phase
from tests.tables import each_row

OPEN, BET = Context(Phase.GRANDE), Context(Phase.GRANDE, pending=True)
MUS, PARES = Context(Phase.MUS), Context(Phase("pares?"))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


@each_row(
    "text, context",
    [("no hay mus", MUS), ("no quiero", BET), ("no queremos", BET), ("envido más", BET),
     ("dos más", BET), ("echo dos", OPEN), ("pares no", PARES), ("juego sí", OPEN)],
)  # fmt: skip
def test_a_call_that_no_word_can_follow_does_not_go_on(
    lexicon: Lexicon, text: str, context: Context
) -> None:
    assert lexicon.goes_on(text, context) is GoesOn.NO


def test_a_wording_that_is_only_read_does_not_keep_the_ear_waiting(lexicon: Lexicon) -> None:
    """ "Pares no tengo" is understood, but "pares no" ends as soon as ever."""
    for whole, said, context in (
        ("pares no tengo", "pares no", PARES),
        ("no quiero órdago", "no quiero", BET),
    ):
        assert lexicon.is_one_call(words_of(whole), context)
        assert lexicon.goes_on(said, context) is GoesOn.NO


@each_row("text", ["otras treinta", "subo treinta", "quiero las treinta"])
def test_a_number_that_may_grow_often_goes_on(lexicon: Lexicon, text: str) -> None:
    assert lexicon.goes_on(text, BET) is GoesOn.OFTEN


@each_row("text, context", [("paso", OPEN), ("paso", BET), ("mus", MUS), ("órdago", OPEN)])
def test_a_frequent_call_that_seldom_begins_another_rarely_goes_on(
    lexicon: Lexicon, text: str, context: Context
) -> None:
    assert lexicon.goes_on(text, context) is GoesOn.RARELY


@each_row(
    "text, context",
    [("envido", OPEN), ("quiero", BET), ("cinco", OPEN), ("a la chica", OPEN),
     ("sí", PARES), ("tengo", PARES),
     ("[unk]", OPEN), ("paso [unk]", OPEN), ("", OPEN),
     ("no quiero", OPEN), ("cómo vamos", OPEN)],
)  # fmt: skip
def test_words_that_may_become_another_call_often_go_on(
    lexicon: Lexicon, text: str, context: Context
) -> None:
    assert lexicon.goes_on(text, context) is GoesOn.OFTEN


@each_row(
    "text, context",
    [("no", BET), ("no", PARES), ("no lo", BET), ("no las", BET), ("yo no", BET),
     ("no hay", MUS), ("no quiero", MUS), ("corto el", MUS), ("si echan", OPEN),
     ("corrige", BET), ("asistente corrige", OPEN)],
)  # fmt: skip
def test_words_that_would_be_two_other_calls_if_cut_are_costly_to_cut(
    lexicon: Lexicon, text: str, context: Context
) -> None:
    """After "no" comes "quiero" or "tengo", which alone would be the opposite."""
    assert lexicon.goes_on(text, context) is GoesOn.DEARLY
