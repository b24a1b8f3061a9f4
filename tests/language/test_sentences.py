"""The checker of text files: what it accepts, and what it refuses in one sentence."""

from __future__ import annotations

import pytest

from assistant.language.sentences import (
    SentenceError,
    Wording,
    check_sentences,
    flatten,
    joined,
    shape_of,
    wording_from,
    words_in,
)

SHAPE = {"title": "", "deal.mano": "name n", "deal.hints.0": "", "deal.hints.1": "name"}
TEXTS = {"title": "Mus", "deal": {"mano": "Mano: {name}", "hints": ["Uno", "Otro, {name}"]}}


def test_tables_and_lists_are_flattened_into_keys() -> None:
    assert check_sentences(TEXTS, SHAPE) == {
        "title": "Mus",
        "deal.mano": "Mano: {name}",
        "deal.hints.0": "Uno",
        "deal.hints.1": "Otro, {name}",
    }
    assert wording_from(TEXTS, SHAPE)("deal.mano", name="Ana", n=3) == "Mano: Ana"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"titel": "x"}, "titel: there is no such sentence; is it misspelt?"),
        ({"title": 3}, "title: a sentence is a text in quotes, not 3."),
        ({"title": {"x": "x"}}, "title.x: there is no such sentence"),
        ({"deal": {}}, "deal.mano: this sentence is missing."),
        ({"title": "{name}"}, "title: {name} is not known here; it may hold no words in braces."),
        ({"title": "{name"}, "title: '{name' has an unpaired brace."),
        (
            {"deal": {"mano": "{who}"}},
            "deal.mano: {who} is not known here; it may hold {n}, {name}.",
        ),
        ({"deal": {"mano": "{n:>3}"}}, "deal.mano: {n} is not known here"),
        ({"deal": {"mano": "{name!r}"}}, "deal.mano: {name} is not known here"),
        ({"deal": {"mano": "{}"}}, "deal.mano: {} is not known here"),
    ],
)
def test_a_mistake_is_refused_in_one_sentence(change: dict[str, object], said: str) -> None:
    shape = {key: words for key, words in SHAPE.items() if "hints" not in key}
    texts = {"title": "Mus", "deal": {"mano": "Mano: {name}"}}
    assert check_sentences(texts, shape)
    with pytest.raises(SentenceError) as raised:
        check_sentences({**texts, **change}, shape)
    assert said in str(raised.value)


def test_the_forms_of_a_sentence_share_their_placeholders() -> None:
    texts = {"n.one": "1 piedra", "n.many": "{n} piedras", "n.other": "x", "many": "{a}"}
    assert shape_of(texts) == {"n.one": "n", "n.many": "n", "n.other": "", "many": "a"}


def test_a_number_with_a_unit_has_plain_words_in_its_braces() -> None:
    assert words_in("a", "{x} {{y}} {z}") == {"x", "z"}
    for text in ("{x:>2}", "{x!r}", "{x.y}", "{0}", "{}"):
        with pytest.raises(SentenceError):
            words_in("a", text)


def test_names_are_joined_by_the_sentences_of_a_section() -> None:
    names = {"and": "{first} y {last}", "and_soft": "{first} e {last}", "comma": ", "}
    names["soft_before"] = "i í hi hí"
    texts = flatten({"names": names})
    assert Wording(texts).names(["Ana"]) == "Ana"
    assert Wording(texts).names(["Eva", "Luis", "Ana"]) == "Eva, Luis y Ana"
    assert joined(["Ana", "Iñaki"], texts, "names") == "Ana e Iñaki"
