"""The words that a person would say for a call, drawn from the lexicon's own file."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from assistant.rules import calls as c
from assistant.rules.phases import Lance

_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_MEANS: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Bet: "bet",
    c.Raise: "raise",
    c.Ordago: "ordago",
    c.Accept: "accept",
}


PLAIN: dict[str, list[str]] = {
    "mus": ["mus"],
    "cut": ["no hay mus"],
    "pass": ["paso"],
    "bet": ["envido", "envido {n}", "{n}"],
    "raise": ["envido más", "{n} más"],
    "ordago": ["órdago"],
    "accept": ["quiero"],
    "refuse": ["no quiero"],
    "refuse_plural": ["no queremos"],
    "holds": ["pares sí", "juego sí"],
    "lacks": ["pares no", "juego no"],
}
"""The most usual wordings."""


class Wordings:
    """Draws a wording for a call by its weight, so frequent ones come more often."""

    def __init__(self, lexicon: Mapping[str, Any], plain: bool = False) -> None:
        """``lexicon`` is the parsed file, as ``lexicon_from`` takes it; ``plain``: only PLAIN."""
        self._numbers = {int(n): words for n, words in lexicon["numbers"].items()}
        self._lances = {Lance(name): words for name, words in lexicon["lances"].items()}
        self._phrases: dict[str, list[str]] = {}
        self._weights: dict[str, list[float]] = {}
        rows = lexicon["call"]
        if plain:
            rows = [{"means": means, "phrases": phrases} for means, phrases in PLAIN.items()]
        for row in rows:
            for phrase in row["phrases"]:
                self._phrases.setdefault(row["means"], []).append(phrase)
                self._weights.setdefault(row["means"], []).append(float(row.get("weight", 1)))

    def draw(self, call: c.Call, lance: Lance | None, rng: random.Random) -> str:
        """A wording that may say this call at this lance. The caller has to check it."""
        means = _means(call)
        (phrase,) = rng.choices(self._phrases[means], self._weights[means])
        phrase = _OPTIONAL.sub(lambda match: match[1] if rng.random() < 0.3 else "", phrase)
        if "{n}" in phrase:
            phrase = phrase.replace("{n}", rng.choice(self._numbers[_stones(call)]))
        if "{lance}" in phrase:
            phrase = phrase.replace("{lance}", rng.choice(self._lances[lance or Lance.GRANDE]))
        return " ".join(phrase.split())


def _means(call: c.Call) -> str:
    match call:
        case c.Declare(holds=holds):
            return "holds" if holds else "lacks"
        case c.Refuse(plural=plural):
            return "refuse_plural" if plural else "refuse"
        case _:
            return _MEANS[type(call)]


def _stones(call: c.Call) -> int:
    return call.stones if isinstance(call, c.Bet | c.Raise) else c.ENVIDO
