"""Lexicon files: a mistake is refused with one sentence that says where it is."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from assistant.language.lexicon import LexiconError, Spoken, lexicon_from, words_of
from assistant.language.lexicon.context import Context
from assistant.language.lexicon.rows import expand
from assistant.rules.calls import Accept, Pass, Raise
from assistant.rules.phases import Phase
from tests.tables import each_row

Change = Callable[[dict[str, Any]], object]


@each_row(
    "change, sentence",
    [
        (lambda t: t.update(fillerz=[]), "the lexicon: unknown key 'fillerz'"),
        (lambda t: t["hearing"].update(paus=1), r"\[hearing\]: unknown key 'paus'"),
        (lambda t: t["hearing"].update(pause="long"), "pause must be a number from 0 to 5"),
        (lambda t: t["hearing"].update(floor=2), "floor must be a number from 0 to 1"),
        (lambda t: t["hearing"].update(stretch=True), "stretch must be a number"),
        (lambda t: t.pop("numbers"), r"needs a table \[numbers\]"),
        (lambda t: t.update(fillers=[]), r'write fillers = \["..."'),
        (lambda t: t.update(corrects=[]), r'write corrects = \["..."'),
        (lambda t: t.update(hesitates="eh"), r'write hesitates = \["..."'),
        (lambda t: t["numbers"].update(x=["equis"]), r"\[numbers\]: 'x' must be a whole number"),
        (lambda t: t["numbers"].update({"41": ["dos"]}), "'dos' has two meanings"),
        (lambda t: t["numbers"].update({"41": ["Dós"]}), "'Dós' has two meanings"),
        (lambda t: t["lances"].update(media=["a media"]), "'media' is unknown; choose from grande"),
        (lambda t: t["cards"]["one"].update(X=["bufón"]), r"\[cards.one\]: 'X' is unknown"),
        (lambda t: t["cards"]["one"].update(R=["el rey"]), "'el rey' must be one word"),
        (lambda t: t["cards"].update(odd={}), r"\[cards\]: unknown key 'odd'"),
        (lambda t: t["seats"].update(dealer=["pie"]), r"\[seats\]: unknown key 'dealer'"),
        (lambda t: t["streams"].update(often=2), r"\[streams\]: unknown key 'often'"),
        (lambda t: t.update(call="mus"), r"under its own \[\[call\]\]"),
        (lambda t: t["call"][0].update(when=["lunch"]), "number 1, when: 'lunch' is unknown"),
        (lambda t: t["call"][0].pop("when"), "number 1: say with 'when'"),
        (lambda t: t["call"][0].update(means="sing"), "means = 'sing' is unknown"),
        (lambda t: t["call"][0].pop("means"), "number 1: write means ="),
        (lambda t: t["call"][0].update(phrases=[" "]), "number 1: write phrases ="),
        (lambda t: t["call"][0].update(phrases=["[mus"]), "a bracket without its partner"),
        (lambda t: t["call"][0].update(phrases=["[mus]"]), "and not nothing"),
        (lambda t: t["call"][0].update(phrases=["mus {x}"]), "may hold words"),
        (lambda t: t["call"][0].update(phrases=["mus ..."]), "may hold words"),
        (lambda t: t["call"][0].update(weight=-1), "weight must be a number from 0 to 50"),
        (lambda t: t["call"][0].update(lance="mus"), "lance: 'mus' is unknown"),
        (lambda t: t["talk"][0].update(why="because"), "'because' is unknown; choose from talk"),
        (lambda t: t["talk"][0].update(means="mus"), r"\[\[talk\]\] number 1: unknown key 'means'"),
    ],
)
def test_a_mistake_in_a_lexicon_is_refused_in_one_sentence(
    es_table: dict[str, Any], change: Change, sentence: str
) -> None:
    table = copy.deepcopy(es_table)
    change(table)
    with pytest.raises(LexiconError, match=sentence) as error:
        lexicon_from(table)
    assert "\n" not in str(error.value)


def test_one_wording_with_two_meanings_at_one_moment_is_refused(es_table: dict[str, Any]) -> None:
    table = copy.deepcopy(es_table)
    table["call"].append({"means": "accept", "when": ["bet"], "phrases": ["No quiero"]})
    with pytest.raises(LexiconError, match="'No quiero' stands twice for the moment bet"):
        lexicon_from(table)


def test_one_wording_may_mean_two_things_at_two_moments(es_table: dict[str, Any]) -> None:
    table = copy.deepcopy(es_table)
    table["call"].append({"means": "pass", "when": ["mus"], "phrases": ["no quiero"]})
    read = lexicon_from(table).read(words_of("no quiero"), Context(Phase.MUS))
    assert read == Spoken(Pass(), 2)


def test_a_player_adds_a_wording_with_one_line(es_table: dict[str, Any]) -> None:
    table = copy.deepcopy(es_table)
    row = next(row for row in table["call"] if row["means"] == "pass")
    row["phrases"].append("me planto [aquí]")
    lexicon = lexicon_from(table)
    for text in ("me planto", "Me planto aquí."):
        assert lexicon.read(words_of(text), Context(Phase.CHICA)) == Spoken(
            Pass(), len(text.split())
        )
    assert {"me planto", "me planto aquí"} <= set(lexicon.grammar())


def test_a_word_in_brackets_is_optional() -> None:
    assert expand("[a] b [c d] e") == ["a b c d e", "a b e", "b c d e", "b e"]


def test_one_wording_may_answer_an_ordago_and_another_bet_differently(
    es_table: dict[str, Any],
) -> None:
    table = copy.deepcopy(es_table)
    rows = [{"means": "accept", "needs": "ordago"}, {"means": "raise", "needs": "stones"}]
    table["call"] += [{**row, "when": ["bet"], "phrases": ["adelante"]} for row in rows]
    bet = Context(Phase.GRANDE, pending=True)
    for context, call in ((bet, Raise()), (replace(bet, ordago=True), Accept())):
        assert lexicon_from(table).read(words_of("adelante"), context) == Spoken(call, 1)
    table["call"].append({"means": "refuse", "when": ["bet"], "phrases": ["adelante"]})
    with pytest.raises(LexiconError, match="stands twice"):
        lexicon_from(table)
