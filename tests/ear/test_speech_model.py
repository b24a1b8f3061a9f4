"""A speech model's stand-ins and its grammar."""

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ear.audio import RATE, Samples
from assistant.ear.recogniser import Partial, Recogniser
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import (
    GRAPH,
    MOST,
    UNKNOWN,
    WORDS,
    ModelError,
    StandIns,
    choose,
    fit,
    load_model,
    load_stand_ins,
    spellings,
    vocabulary,
)
from assistant.files.resources import languages, load_lexicon
from assistant.messages import Heard
from tests.ear.conftest import GRAMMAR, Say
from tests.ear.other_models import lacking, named_in_graph
from tests.tables import each_row

# ---- Stand-ins: a word that a model lacks is heard by other words and reported as ours ----------


OURS = frozenset({"órdago", "reenvido", "envido", "no", "a"})
SPELT = {"órdago": "ordago", "hordago": "horda", "envido": "embido", "enbido": "ez-enbido"}
"""A model with one stand-in for each of two Spanish words, and without the Basque words."""


def heard_in(recogniser: Recogniser, sound: Samples) -> list[Heard | Partial]:
    found: list[Heard | Partial] = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        found += recogniser.feed(Block(samples, (start + len(samples)) / RATE))
    return [*found, *recogniser.flush()]


def test_a_word_of_the_model_needs_no_stand_in() -> None:
    assert choose(OURS, lambda _word: True, {"órdago": ("hordago",)}).chosen == {}


def test_curated_stand_ins_come_before_spellings_and_only_known_words_are_used() -> None:
    known = {"envido", "no", "a", "ordago", "hordago", "re"}
    curated = {"órdago": ("or dago", "hordago"), "reenvido": ("rien vido", "re envido")}
    chosen = choose(OURS, known.__contains__, curated).chosen
    assert chosen == {
        "órdago": (("hordago",), ("ordago",)),
        "reenvido": (("re", "envido"),),
    }


def test_a_word_of_ours_is_no_stand_in_for_another() -> None:
    known = {"envido", "no", "a"}
    assert choose(OURS, known.__contains__, {"órdago": ("no", "a no")}).chosen == {}


def test_no_two_words_have_the_same_stand_in() -> None:
    chosen = choose(
        {"bale", "vale"}, {"bhale"}.__contains__, {"bale": ("bhale",), "vale": ("bhale",)}
    )
    assert list(chosen.chosen) == ["bale"]


def test_a_word_has_no_more_stand_ins_than_its_phrases_can_hold() -> None:
    curated = {"órdago": ("uno", "dos", "tres", "cuatro")}
    chosen = choose({"órdago"}, lambda word: word != "órdago", curated).chosen
    assert len(chosen["órdago"]) == MOST


@each_row(
    "word, other",
    [
        ("órdago", "ordago"),
        ("hordago", "ordago"),
        ("órdago", "hordago"),
        ("envido", "enbido"),
        ("bai", "vai"),
        ("llevo", "yevo"),
        ("kieroa", "quieroa"),
        ("karta", "carta"),
    ],
)
def test_words_that_sound_alike_by_rule_are_spellings_of_each_other(word: str, other: str) -> None:
    assert other in spellings(word)
    assert word not in spellings(word)


def test_letters_other_than_stressed_vowels_keep_their_marks() -> None:
    assert "pequena" not in spellings("pequeña")


def test_the_grammar_has_a_phrase_with_every_stand_in() -> None:
    stand_ins = StandIns({"órdago": (("hordago",), ("or", "dago"))})
    grammar = fit(["órdago a grande", "no hay", "[unk]"], OURS.__contains__, stand_ins)
    assert grammar.phrases == ("[unk]",)
    grammar = fit(["no órdago", "hay"], {"no"}.__contains__, stand_ins)
    assert grammar.phrases == ("no hordago", "no or dago")
    assert grammar.left_out == ("hay",)
    assert grammar.missing == ("hay", "órdago")


def test_the_longest_stand_in_wins() -> None:
    stand_ins = StandIns({"reenvido": (("re", "envido"),), "rey": (("re",),)})
    assert list(stand_ins.ours(("re", "re", "envido", "envido"))) == [
        ("rey", 1), ("reenvido", 2), ("envido", 1),
    ]  # fmt: skip


@given(st.lists(st.sampled_from(sorted(OURS)), max_size=6))
def test_every_form_of_a_phrase_is_reported_as_that_phrase(words: list[str]) -> None:
    known = {"hordago", "ordago", "re", "envido", "no", "a"}
    stand_ins = choose(OURS, known.__contains__, {"reenvido": ("re envido",)})
    for way in stand_ins.phrases(tuple(words)):
        assert known.issuperset(way)
        assert [word for word, _ in stand_ins.ours(way)] == words


def test_every_curated_word_is_a_word_of_the_table() -> None:
    known = frozenset().union(
        *(vocabulary(load_lexicon([code]).grammar()) for code in languages("lexicon"))
    )
    assert set(load_stand_ins()) <= known


@pytest.mark.parametrize("call", ["órdago", "envido cinco"])
def test_a_call_that_the_model_spells_otherwise_is_heard_as_ours(
    model_dir: Path, tmp_path: Path, say: Say, call: str
) -> None:
    other = lacking(model_dir, tmp_path / "other", **SPELT)
    sound = say(0.5, call, 0.8)
    found = heard_in(Recogniser(other, GRAMMAR, curated=load_stand_ins()), sound)
    heard = [one for one in found if isinstance(one, Heard)]
    ours = [
        one for one in heard_in(Recogniser(model_dir, GRAMMAR), sound) if isinstance(one, Heard)
    ]
    assert [one.text for one in heard] == [call]
    assert heard == ours, "the times and confidences are the same"
    assert {one.text for one in found if isinstance(one, Partial)} <= {call, call.split()[0]}


def test_a_stand_in_of_two_words_is_one_word_with_the_times_of_both(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
    # The model has "dos" and "más", and our word for both is one.
    other = lacking(model_dir, tmp_path / "other", dos="doss")
    recogniser = Recogniser(other, ("dosmás", "no", "[unk]"), curated={"dosmás": ("doss más",)})
    (heard,) = (
        one for one in heard_in(recogniser, say(0.5, "dos más", 0.8)) if isinstance(one, Heard)
    )
    assert heard.text == "dosmás"
    assert heard.words[0].end - heard.words[0].start == pytest.approx(
        len(say("dos más")) / RATE, abs=0.15
    )


def test_words_that_cannot_be_heard_are_logged_and_those_with_a_stand_in_are_not(
    model_dir: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = lacking(model_dir, tmp_path / "other", **SPELT, paso="pazo")
    with caplog.at_level(logging.INFO, "mus.ear"):
        recogniser = Recogniser(other, GRAMMAR, curated=load_stand_ins())
    assert "hears envido by embido, órdago by ordago." in caplog.text
    assert "lacks: 1 (paso). Phrases that cannot be heard: 1." in caplog.text
    assert recogniser.grammar.left_out == ("paso",)
    assert recogniser.stand_ins.chosen["órdago"] == (("ordago",),)


def test_a_model_in_the_form_of_vosks_small_ones_is_accepted(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
    other = named_in_graph(model_dir, tmp_path / "other")
    assert not (other / WORDS).exists()
    found = heard_in(Recogniser(other, GRAMMAR), say(0.5, "envido cinco", 0.8))
    assert [one.text for one in found if isinstance(one, Heard)] == ["envido cinco"]


def test_a_model_that_names_its_words_nowhere_is_refused(model_dir: Path, tmp_path: Path) -> None:
    other = named_in_graph(model_dir, tmp_path / "other")
    (other / GRAPH).write_bytes((model_dir / GRAPH).read_bytes())
    with pytest.raises(ModelError, match=r"lacks graph/words\.txt"):
        load_model(other)


# ---- The grammar: a phrase is heard completely or not at all ------------------------------------


KNOWN = {"paso", "no", "hay", "mus"}


def test_a_phrase_with_an_unknown_word_is_left_out_and_not_shortened() -> None:
    grammar = fit(["hay órdago", "no hay mus", "paso"], KNOWN.__contains__)
    assert grammar.phrases == ("no hay mus", "paso")
    assert grammar.left_out == ("hay órdago",)
    assert grammar.missing == ("órdago",)


def test_the_mark_of_unknown_speech_always_stays() -> None:
    assert fit(["paso", UNKNOWN], KNOWN.__contains__).phrases == ("paso", UNKNOWN)


def test_a_frequent_phrase_keeps_its_weight() -> None:
    assert fit(["paso", "paso", "mus"], KNOWN.__contains__).phrases == ("paso", "paso", "mus")


def test_empty_phrases_are_left_out() -> None:
    assert fit(["", "  "], KNOWN.__contains__).phrases == ()


@given(st.lists(st.text(" abcno", max_size=8)))
def test_every_word_of_the_grammar_is_known_to_the_model(phrases: list[str]) -> None:
    known = {"a", "b", "no"}
    grammar = fit(phrases, known.__contains__)
    assert {word for phrase in grammar.phrases for word in phrase.split()} <= known
    assert not set(grammar.phrases) & set(grammar.left_out)
