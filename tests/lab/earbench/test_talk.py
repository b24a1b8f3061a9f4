"""The table talk of the bench: hours of it, reproducible, and without any call."""

from collections import Counter
from itertools import islice

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Context, Lexicon, Spoken, Talk, words_of
from assistant.rules.phases import BETTING, Phase
from scripts.lab.rendering import talk
from scripts.lab.speechlab import g2p

COUNT = 6000
"""The number of sentences, which last more than three hours."""
SEATS = ("Norte", "Oeste", "Sur", "Este")


@pytest.fixture(scope="module")
def said() -> list[talk.Sentence]:
    return list(islice(talk.sentences(talk.load(), seed=1), COUNT))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def _moments() -> list[Context]:
    """One context for each moment, with everything that a phrase may need."""
    contexts = {}
    for phase in Phase:
        for pending in (False, True) if phase in BETTING else (False,):
            context = Context(phase, pending, seats=SEATS, ordago=pending, proposal=True)
            contexts[context.moment] = context
    return list(contexts.values())


def _is_call(text: str, lexicon: Lexicon, context: Context) -> bool:
    words, called = words_of(text), False
    while words:
        reading = lexicon.read(words, context)
        if isinstance(reading, Talk):
            return False
        called |= isinstance(reading, Spoken)
        words = words[reading.taken :]
    return called


def test_there_are_hours_of_different_sentences(said: list[talk.Sentence]) -> None:
    assert len({sentence.text for sentence in said}) == COUNT


def test_no_template_and_no_kind_of_sentence_dominates(said: list[talk.Sentence]) -> None:
    templates = Counter(sentence.template for sentence in said)
    kinds = Counter(sentence.kind for sentence in said)
    assert len(templates) > 300
    assert max(templates.values()) < COUNT / 200
    assert max(kinds.values()) < COUNT / 5


def test_the_same_seed_gives_the_same_sentences(said: list[talk.Sentence]) -> None:
    again = list(islice(talk.sentences(talk.load(), seed=1), 500))
    other = list(islice(talk.sentences(talk.load(), seed=2), 500))
    assert again == said[:500]
    assert other != again


def test_sentences_have_the_length_of_natural_talk(said: list[talk.Sentence]) -> None:
    lengths = [len(sentence.text.split()) for sentence in said]
    assert min(lengths) >= 2
    assert max(lengths) <= 18


def test_every_word_has_a_pronunciation(said: list[talk.Sentence]) -> None:
    words = {word.strip(",") for sentence in said for word in sentence.text.split()}
    assert all(g2p.phones_of(word) for word in words)


def test_no_sentence_and_no_part_of_one_is_a_call(
    said: list[talk.Sentence], lexicon: Lexicon
) -> None:
    parts = {part for sentence in said for part in (sentence.text, *sentence.text.split(","))}
    contexts = _moments()
    assert len(contexts) == 9
    calls = [part for part in parts for at in contexts if _is_call(part, lexicon, at)]
    assert calls == []


def test_the_check_for_calls_finds_a_call(lexicon: Lexicon) -> None:
    assert any(_is_call("venga envido cinco", lexicon, at) for at in _moments())


def test_choices_options_and_slots_are_filled() -> None:
    templates = talk.Templates(
        {
            "slots": {"who": ["el rey", "la sota"], "lugar": ["el bar"]},
            "kind": [{"name": "x", "templates": ["(voy|va) [hoy] con {who} a {lugar}"]}],
        }
    )
    said = {sentence.text for sentence in talk.sentences(templates, seed=3)}
    assert len(said) == 8
    assert "voy hoy con el rey al bar" in said
