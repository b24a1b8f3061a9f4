"""An edited phrase file is loaded completely or refused with one clear sentence."""

import copy
from typing import Any

import pytest

from assistant.language.phrases import phrases_from
from assistant.language.sentences import SentenceError
from tests.tables import each_row


def edited(table: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """A copy of the file with one phrase changed, or removed with ``None``."""
    changed = copy.deepcopy(table)
    *sections, name = key.split(".")
    place = changed
    for section in sections:
        place = place[section]
    if value is None:
        del place[name]
    else:
        place[name] = value
    return changed


@each_row(
    "key, value, told",
    [
        ("say.bet", None, "say.bet: this sentence is missing."),
        ("lance.to.pares", None, "lance.to.pares: this sentence is missing."),
        ("say.apuesta", "Hola.", "say.apuesta: there is no such sentence; is it misspelt?"),
        ("say.bet", 5, "say.bet: a sentence is a text in quotes, not 5."),
        ("say.cut", "Corta {nombre}.", "say.cut: {nombre} is not known here; it may hold {name}."),
        ("say.discard", "{name}", "say.discard: {name} is not known here; it may hold no words"),
        ("say.cut", "Corta {name!r}.", "say.cut: {name} is not known here"),
        ("say.cut", "Corta {name:>9}.", "say.cut: {name} is not known here"),
        ("say.cut", "Corta {name.upper}.", "say.cut: {name.upper} is not known here"),
        ("say.cut", "Corta {}.", "say.cut: {} is not known here"),
        ("say.cut", "Corta {name.", "has an unpaired brace."),
        ("reason", "No.", "reason: there is no such sentence"),
        ("longest_count", None, "longest_count is the number of letters that a count may have"),
        ("longest_count", "80", "longest_count is the number of letters that a count may have"),
        ("longest_count", 0, "longest_count is the number of letters that a count may have"),
        ("sounds", "mus", "[sounds] is a table of words as the voice reads them"),
        ("sounds", {"mus": 1}, "[sounds] is a table of words as the voice reads them"),
    ],
)
def test_a_wrong_phrase_is_named_in_the_error(
    es_table: dict[str, Any], key: str, value: object, told: str
) -> None:
    with pytest.raises(SentenceError) as refused:
        phrases_from(edited(es_table, key, value))
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_sentence_may_leave_out_a_placeholder(es_table: dict[str, Any]) -> None:
    phrases = phrases_from(edited(es_table, "reason.declare_first", "Primero se canta."))
    assert phrases.reason("declare_first", {"phase": "pares?"}) == "Primero se canta."


def test_a_doubled_brace_stands_for_itself(es_table: dict[str, Any]) -> None:
    phrases = phrases_from(edited(es_table, "reason.noise", "{{ruido}}"))
    assert phrases.reason("noise") == "{Ruido}"
