"""The cases of one language, as its file here holds them, and what the lexicon reads in them."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.language.lexicon import START, Context, Lexicon, Moment, Spoken, Talk, fold, words_of
from assistant.messages import Command
from assistant.rules import calls as c
from assistant.rules.phases import Phase

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
    c.Pedrete: "pedrete",
    c.Redeal: "redeal",
}
SLOTS = ("numbers", "lances", "parties", "players", "values")
NAMES = {
    "numbers": "n",
    "lances": "lance",
    "parties": "whose",
    "players": "player",
    "values": "values",
}


@dataclass(frozen=True)
class Cases:
    """One language: the slots with their meanings, and the cases."""

    case: list[dict[str, Any]]
    slots: dict[str, dict[str, str]] = field(default_factory=dict)

    def filled(self, wording: str) -> Iterator[tuple[str, dict[str, str]]]:
        """A wording with its slots filled: every value of each slot, and some combinations."""
        found = [(name, self.slots[name]) for name in self.slots if f"{{{name}}}" in wording]
        longest = max((len(values) for _, values in found), default=1)
        for i in range(longest):
            text, meant = wording, {}
            for name, values in found:
                spelt, meaning = [*values.items()][i % len(values)]
                text, meant[name] = text.replace(f"{{{name}}}", spelt), meaning
            yield text, meant

    def said_at(self) -> set[tuple[str, str]]:
        """The wordings that the cases say alone, each with its moment."""
        return {
            (" ".join(map(in_slots, wording.split())), at)
            for case in self.case
            for wording in case["say"]
            for at in moments(case)
        }


def load(name: str) -> Cases:
    """The cases of a language."""
    path = Path(__file__).with_name(f"{name}.toml")
    table = tomllib.loads(path.read_text("utf-8"))
    slots = {
        NAMES[key]: {said: str(meaning) for said, meaning in table.get(key, {}).items()}
        for key in SLOTS
    }
    return Cases(table["case"], slots)


def moments(case: dict[str, Any]) -> list[str]:
    return [moment.value for moment in Moment] if case["at"] == ["*"] else case["at"]


def context_at(moment: str, needs: str = "") -> Context:
    phase = Phase.GRANDE if moment in ("open", "bet") else Phase(moment)
    return Context(
        phase,
        pending=moment == "bet",
        seats=SEATS,
        ordago=needs == "ordago",
        proposal=needs == "proposal",
    )


def in_short(what: c.Call | Command) -> str:
    """A call in the notation of the cases."""
    match what:
        case Command():
            return f"command {what.value}" if what is Command.COUNT else what.value
        case c.ShowHand(seat=seat, cards=cards):
            hand = "".join(map(str, cards))
            return f"show {hand}" if seat in (None, 1) else f"show {seat} {hand}"
        case c.ClaimLance(lance=lance, side=side, whose=whose, values=values):
            return " ".join(map(str, ["claim", side or whose, lance, *values]))
        case c.AdjustStones(stones=stones, side=side, whose=whose):
            return f"{'give' if stones > 0 else 'take'} {abs(stones)} {side or whose}"
        case c.Report(kind=kind, player=player, cards=cards):
            return " ".join([kind.value, *([str(player)] if player else []), *_some(cards)])
        case c.NextDeal(mano=int() as mano):
            return f"mano {mano}"
        case c.Verdict(apply=apply):
            return "apply" if apply else "waive"
        case c.Place():
            return _in_place(what)
        case c.CorrectBet(stones=stones):
            words = ["correct", str(stones)]
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
        case c.Accept(stones=stones):
            words = ["accept", *_some(stones)]
        case _:
            words = [CALL_NAMES[type(what)]]
    return " ".join([*words, *([what.lance.value] if what.lance else [])])


def _in_place(told: c.Place) -> str:
    words = ["place", *([told.told.value] if told.told is not c.Where.LANCE else [])]
    if told.told is c.Where.HOLDERS:
        seats = {0: "none", 6: "all"}.get(len(told.holders))
        words.append(seats or " ".join(map(str, told.holders)))
    words += [*_some(told.stones), *_some(told.player), *([told.lance.value] if told.lance else [])]
    return " ".join(words)


def heard(
    lexicon: Lexicon, text: str, contexts: Sequence[str], needs: str = ""
) -> tuple[list[str], str | None]:
    """The calls of a text at these moments, one after another, and why the rest is no call."""
    words, link = words_of(text), START
    found: list[str] = []
    while words:
        context = context_at(contexts[min(len(found), len(contexts) - 1)], needs)
        reading = lexicon.read(words, context, link)
        if isinstance(reading, Talk):
            return found, reading.why.value
        if isinstance(reading, Spoken):
            found.append(in_short(reading.what))
        assert 0 < reading.taken <= len(words)
        words, link = words[reading.taken :], reading.link
    return found, None


def expected(call: str, meant: dict[str, str]) -> str:
    return " ".join(meant.get(word, word) for word in call.split())


def in_slots(word: str) -> str:
    return word if "{" in word else fold(word)


def wordings(cases: Cases) -> list[tuple[dict[str, Any], str]]:
    return list(itertools.chain.from_iterable(((c, w) for w in c["say"]) for c in cases.case))


def _some(number: int | None) -> list[str]:
    return [str(number)] if number else []
