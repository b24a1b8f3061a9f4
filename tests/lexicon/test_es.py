"""Every phrase of the Spanish lexicon is said by a case of es.toml, and read as the case says."""

import itertools
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.lexicon import Context, Filler, Lexicon, Moment, Spoken, Talk, fold, words_of
from assistant.lexicon.build import expand
from assistant.lexicon.rows import COMMANDS
from assistant.messages import Command
from assistant.rules import calls as c
from assistant.rules.phases import Phase

CASES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "es.toml").read_text("utf-8"))
NUMBERS: dict[str, int] = CASES["numbers"]
LANCES: dict[str, str] = CASES["lances"]
SEATS = ("Norte", "Ana María", "Sur", "Este")
CALL_NAMES = {
    c.Mus: "mus",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Bet: "bet",
    c.Raise: "raise",
    c.Reenvido: "reenvido",
    c.Ordago: "ordago",
    c.Accept: "accept",
    c.Refuse: "refuse",
    c.NextDeal: "next_deal",
}


def context_at(moment: str) -> Context:
    match moment:
        case "open":
            return Context(Phase.GRANDE, seats=SEATS)
        case "bet":
            return Context(Phase.GRANDE, pending=True, seats=SEATS)
        case _:
            return Context(Phase(moment), seats=SEATS)


def moments(case: dict[str, Any]) -> list[str]:
    return [moment.value for moment in Moment] if case["at"] == ["*"] else case["at"]


def in_short(what: c.Call | Command) -> str:
    """A call as the cases write it."""
    match what:
        case Command():
            return what.value
        case c.ShowHand(seat=seat, cards=cards):
            hand = "".join(map(str, cards))
            return f"show {hand}" if seat in (None, 1) else f"show {seat} {hand}"
        case c.Declare(holds=holds):
            words = ["yes" if holds else "no"]
        case c.Bet(stones=stones, both=both):
            words = ["bet", str(stones), *(["both"] if both else [])]
        case c.Raise(stones=stones):
            words = ["raise", str(stones)]
        case c.Ordago(both=True):
            words = ["ordago", "both"]
        case c.Refuse(plural=True):
            words = ["refuse", "plural"]
        case _:
            words = [CALL_NAMES[type(what)]]
    return " ".join([*words, *([what.lance.value] if what.lance else [])])


def heard(lexicon: Lexicon, text: str, at: str, then: list[str]) -> tuple[list[str], str | None]:
    """The calls of a text, and why the rest of it was none."""
    words = words_of(text)
    found: list[str] = []
    contexts = [at, *then]
    while words:
        context = context_at(contexts[min(len(found), len(contexts) - 1)])
        reading = lexicon.read(words, context)
        if isinstance(reading, Talk):
            return found, reading.why.value
        if isinstance(reading, Spoken):
            found.append(in_short(reading.what))
        assert 0 < reading.taken <= len(words)
        words = words[reading.taken :]
    return found, None


def filled(wording: str) -> Iterator[tuple[str, dict[str, str]]]:
    """A wording with its slots filled: every number, every lance, and some of both together."""
    numbers = [*NUMBERS.items()] if "{n}" in wording else [("", 0)]
    lances = [*LANCES.items()] if "{lance}" in wording else [("", "")]
    longest = max(len(numbers), len(lances))
    for (spelt, n), (tag, lance) in itertools.islice(
        zip(itertools.cycle(numbers), itertools.cycle(lances), strict=False), longest
    ):
        yield wording.replace("{n}", spelt).replace("{lance}", tag), {"n": str(n), "lance": lance}


def expected(call: str, slots: dict[str, str]) -> str:
    return " ".join(slots.get(word, word) for word in call.split())


SAID = [
    pytest.param(case, wording, id=f"{case['at'][0]}-{wording}")
    for case in CASES["case"]
    for wording in case["say"]
]


@pytest.mark.parametrize(("case", "wording"), SAID)
def test_what_is_said_is_read(es: Lexicon, case: dict[str, Any], wording: str) -> None:
    for at, (text, slots) in itertools.product(moments(case), filled(wording)):
        calls, why = heard(es, text, at, case.get("then", []))
        where = f"{text!r} at {at}: {calls}, {why}"
        assert calls == [expected(call, slots) for call in case.get("calls", [])], where
        if case.get("talk") == "any":
            assert why is not None, where
        else:
            assert why == case.get("talk"), where


def said_at() -> set[tuple[str, str]]:
    """Which wording the cases say, alone, at which moment."""
    return {
        (" ".join(map(in_slots, wording.split())), at)
        for case in CASES["case"]
        for wording in case["say"]
        for at in moments(case)
    }


def in_slots(word: str) -> str:
    return word if "{" in word else fold(word)


def test_every_phrase_is_said_at_each_of_its_moments(es_table: dict[str, Any]) -> None:
    said = said_at()
    every = [moment.value for moment in Moment]
    missing = [
        f"{wording!r} at {at}"
        for row in (*es_table["call"], *es_table["talk"])
        for template in row["phrases"]
        for wording in expand(template)
        for at in (*row.get("when", every), *row.get("also", []))
        if (" ".join(map(in_slots, wording.split())), at) not in said
    ]
    assert not missing, f"no case says: {', '.join(missing)}"


def test_every_number_lance_filler_card_and_seat_is_said(es_table: dict[str, Any]) -> None:
    texts = [f" {' '.join(map(fold, text.split()))} " for text, _ in said_at()]
    cards = es_table["cards"]
    wordings = [
        *es_table["fillers"],
        *cards["joins"],
        *cards["of"],
        *(w for table in ("one", "many", "suits") for ws in cards[table].values() for w in ws),
        *(w for ws in es_table["seats"].values() for w in ws),
    ]
    unsaid = [
        w for w in wordings if not any(f" {' '.join(map(fold, w.split()))} " in t for t in texts)
    ]
    unsaid += [w for ws in es_table["numbers"].values() for w in ws if w not in NUMBERS]
    unsaid += [w for ws in es_table["lances"].values() for w in ws if w not in LANCES]
    assert not unsaid, f"no case says: {', '.join(unsaid)}"


def test_every_command_has_words(es_table: dict[str, Any]) -> None:
    assert set(COMMANDS) <= {row["means"] for row in es_table["call"]}


def test_a_filler_is_told_from_a_call(es: Lexicon) -> None:
    assert es.read(words_of("a ver pues paso"), context_at("open")) == Filler(2)
