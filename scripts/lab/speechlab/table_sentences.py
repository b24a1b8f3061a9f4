"""Sentences that a table says while it plays: named hands, and wordings of the lexicon.

The mixed sentences (vocabulary.py) teach each word. An ear hears a sequence badly that it has never
heard: "rey, seis, seis, tres" became "treinta y tres", and of "dos as" the "as" was lost.
"""

import math
import random
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from . import respelling

_SEATS = "norte", "sur", "este", "oeste"
_SORTED, _COUNTED, _JOINED, _SLANG = 0.8, 0.4, 0.15, 0.05
"""How often a hand is named from the highest card on, with a number before cards that are alike,
with "y" before the last, and a card by its second name; estimated, not counted."""

_HANDS, _ANSWERS, _BASQUE = 0.35, 0.12, 0.15
"""Shares of the sentences: hands, and answers to the assistant; the others are calls. And the share
of all of them that is Basque."""
_FILLED, _FILLER = 0.3, 0.08
"""How often an optional word is said, and a word that means nothing before a call."""
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_SMALL = 10
"""Stones up to which most bets are."""


class TableSentences:
    """Draws what a table says, rare wordings nearly as often as frequent ones."""

    def __init__(self, lexicon: Mapping[str, Any], basque: Mapping[str, Any] | None = None) -> None:
        """``lexicon``: the parsed file of a language; its rows, numbers, lances and names.

        ``basque``: the file of Basque, of which some sentences are, in a Spaniard's spelling.
        """
        self._basque = TableSentences(basque) if basque else None
        every = [*lexicon["call"], *lexicon["talk"], lexicon["streams"]]
        rows = [row for row in every if row.get("weight", 1)]  # the ear does not expect the others
        self._rows: list[Sequence[str]] = [row["phrases"] for row in rows]
        self._weights = [
            len(row["phrases"]) * math.sqrt(max(1.0, row.get("weight", 1.0))) for row in rows
        ]
        self._answers = [
            phrase
            for picks in lexicon["answers"].values()
            for phrases in picks.values()
            for phrase in phrases
        ]
        self._fillers: Sequence[str] = lexicon["fillers"]
        self._one: Mapping[str, Sequence[str]] = lexicon["cards"]["one"]
        self._many: Mapping[str, Sequence[str]] = lexicon["cards"]["many"]
        numbers = {int(n): words for n, words in lexicon["numbers"].items()}
        self._by_number: Mapping[int, Sequence[str]] = numbers
        self._numbers = [word for words in numbers.values() for word in words]
        self._small = [word for n, words in numbers.items() if n <= _SMALL for word in words]
        self._slots: dict[str, list[str]] = {
            "lance": [word for words in lexicon["lances"].values() for word in words],
            "player": [*_SEATS, *lexicon["seats"]["mano"], *lexicon["seats"]["postre"]],
            "whose": [*lexicon["seats"]["us"], *lexicon["seats"]["them"]],
            "values": [
                word
                for lance in ("pares", "juego")
                for words in lexicon["values"][lance].values()
                for word in words
            ],
        }

    def draw(self, rng: random.Random) -> str:
        """Return one sentence."""
        if self._basque and rng.random() < _BASQUE:
            return self._basque.respelt(rng)
        dice = rng.random()
        if dice < _HANDS:
            return self.hand(rng)
        if dice < _HANDS + _ANSWERS:
            return self._said(rng.choice(self._answers), rng)
        (row,) = rng.choices(self._rows, self._weights)
        said = self._said(rng.choice(row), rng)
        return f"{rng.choice(self._fillers)} {said}" if rng.random() < _FILLER else said

    def respelt(self, rng: random.Random) -> str:
        """Return one sentence of Basque that Spanish can spell, because engines read no Basque."""
        while True:
            if spelled := respelling.spanish_spelling(self.draw(rng), "eu"):
                return spelled

    def hand(self, rng: random.Random) -> str:
        """Return four cards of a deck, the highest first, or in any order.

        Equal cards stand together, counted ("dos ases") or one by one ("as as").
        """
        cards = rng.sample([rank for rank in self._one for _ in range(4)], 4)
        if rng.random() < _SORTED:
            cards.sort(key=tuple(self._one).index)
        named: list[str] = []
        for rank, alike in groupby(cards):
            count = len(list(alike))
            if count > 1 and rng.random() < _COUNTED:
                named.append(f"{self._by_number[count][0]} {_name(self._many[rank], rng)}")
            else:
                named += [_name(self._one[rank], rng) for _ in range(count)]
        joined = rng.random() < _JOINED and len(named) > 1
        return " ".join([*named[:-1], "y", named[-1]] if joined else named)

    def _said(self, phrase: str, rng: random.Random) -> str:
        spoken = _OPTIONAL.sub(lambda word: word[1] if rng.random() < _FILLED else "", phrase)
        return " ".join(_SLOT.sub(lambda slot: self._fill(slot[1], rng), spoken).split())

    def _fill(self, slot: str, rng: random.Random) -> str:
        if slot == "n":
            return str(rng.choice(self._small if rng.random() < 0.5 else self._numbers))
        return rng.choice(self._slots[slot])


def _name(names: Sequence[str], rng: random.Random) -> str:
    """One of a card's names, mostly the first."""
    return rng.choice(names) if rng.random() < _SLANG else names[0]
