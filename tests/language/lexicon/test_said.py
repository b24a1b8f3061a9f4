"""Every phrase of a lexicon has a case in its language, and is read as the case says."""

import itertools
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Filler, Lexicon, Moment, fold, words_of
from assistant.language.lexicon.rows import COMMANDS, expand
from tests.language.lexicon.cases import (
    Cases,
    context_at,
    expected,
    heard,
    in_slots,
    load,
    moments,
    wordings,
)
from tests.tables import each_row

LANGUAGES = ("es", "eu", "iparralde", "interpenas", "mixed")
"""The languages with cases. "mixed" is a table of all of them and has no file of its own."""
TABLES = {"mixed": ("es", "eu", "iparralde")}
FILES = [code for code in LANGUAGES if code not in TABLES]


@cache
def cases_of(code: str) -> Cases:
    return load(code)


@cache
def lexicon_of(code: str) -> Lexicon:
    return load_lexicon(TABLES.get(code, (code,)))


@cache
def file_of(code: str) -> dict[str, Any]:
    path = Path(__file__).parents[3] / f"models/{code}/lexicon.toml"
    return tomllib.loads(path.read_text("utf-8"))


def all_cases() -> list[tuple[str, dict[str, Any], str]]:
    return [(code, *said) for code in LANGUAGES for said in wordings(cases_of(code))]


@each_row(
    "code, case, wording", all_cases, name=lambda row: f"{row[0]} at {row[1]['at'][0]}: {row[2]}"
)
def test_each_case_is_read_as_it_says(code: str, case: dict[str, Any], wording: str) -> None:
    for at, (text, meant) in itertools.product(moments(case), cases_of(code).filled(wording)):
        contexts = [at, *case.get("then", [])]
        calls, why = heard(lexicon_of(code), text, contexts, case.get("needs", ""))
        where = f"{text!r} at {at}: {calls}, {why}"
        assert calls == [expected(call, meant) for call in case.get("calls", [])], where
        if case.get("talk") == "any":
            assert why is not None, where
        else:
            assert why == case.get("talk"), where


@each_row("code", FILES)
def test_every_phrase_has_a_case_at_each_of_its_moments(code: str) -> None:
    table = file_of(code)
    found = cases_of(code).said_at()
    every = [moment.value for moment in Moment]
    missing = [
        f"{wording!r} at {at}"
        for row in (*table["call"], *table.get("talk", []))
        for template in row["phrases"]
        for wording in expand(template)
        for at in (*row.get("when", [] if "also" in row else every), *row.get("also", []))
        if (" ".join(map(in_slots, wording.split())), at) not in found
    ]
    assert not missing, f"no case says: {', '.join(missing)}"


def every_word(table: dict[str, Any]) -> list[str]:
    """The wordings outside of slots and phrases."""
    cards, seats = table.get("cards", {}), table.get("seats", {})
    return [
        *table.get("fillers", []),
        *cards.get("joins", []),
        *cards.get("of", []),
        *table.get("values", {}).get("joins", []),
        *seats.get("joins", []),
        *(w for key in ("one", "many", "suits") for ws in cards.get(key, {}).values() for w in ws),
        *(w for key in ("mano", "postre") for w in seats.get(key, [])),
    ]


@each_row("code", FILES)
def test_every_number_lance_filler_card_and_seat_has_a_case(code: str) -> None:
    table, slots = file_of(code), cases_of(code).slots
    texts = [f" {' '.join(map(fold, text.split()))} " for text, _ in cases_of(code).said_at()]
    texts += [f" {fold_all(said)} " for values in slots.values() for said in values]
    unsaid = [w for w in every_word(table) if not any(f" {fold_all(w)} " in t for t in texts)]
    unsaid += [w for ws in table.get("numbers", {}).values() for w in ws if w not in slots["n"]]
    unsaid += [w for ws in table.get("lances", {}).values() for w in ws if w not in slots["lance"]]
    parties = [w for key in ("us", "them") for w in table.get("seats", {}).get(key, [])]
    unsaid += [w for w in parties if w not in slots["whose"]]
    worth = table.get("values", {})
    names = [w for key in ("pares", "juego") for ws in worth.get(key, {}).values() for w in ws]
    unsaid += [w for w in names if w not in slots["values"]]
    ends = table.get("seats", {}).get("endings", [])
    spoken = {fold_all(said) for said in (*slots["whose"], *slots["player"])}
    unsaid += [end for end in ends if not any(name.endswith(end) for name in spoken)]
    assert not unsaid, f"no case says: {', '.join(unsaid)}"


def fold_all(text: str) -> str:
    return " ".join(map(fold, text.split()))


@each_row("code", ["es", "eu"])
def test_every_command_has_words(code: str) -> None:
    assert set(COMMANDS) <= {row["means"] for row in file_of(code)["call"]}


def test_a_filler_before_a_call_is_read_separately(es: Lexicon) -> None:
    assert es.read(words_of("a ver pues paso"), context_at("open")) == Filler(2)
