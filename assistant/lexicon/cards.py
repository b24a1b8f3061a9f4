"""Four cards named aloud, as at the showdown: "dos reyes caballo as", "tres sietes y sota"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.lexicon.text import Tokens
from assistant.rules.cards import HAND_SIZE, Card, Hand, Rank, Suit

DIGIT_RANKS = frozenset("1234567")


@dataclass(frozen=True, slots=True)
class CardWords:
    """The names of cards: one of them ("rey"), several ("reyes"), their suits, how many.

    ``joins`` ("y", "un") may stand before a card, ``of`` ("de") before a suit.
    """

    one: Mapping[str, Rank]
    many: Mapping[str, Rank]
    suits: Mapping[str, Suit]
    counts: Mapping[str, int]
    joins: frozenset[str]
    of: frozenset[str]

    def hand(self, tokens: Tokens, start: int) -> tuple[Hand, int] | None:
        """The four cards that begin at ``start`` and where they end, or ``None``."""
        cards: list[Card] = []
        at = start
        while len(cards) < HAND_SIZE:
            while at < len(tokens) and tokens[at] in self.joins:
                at += 1
            found = self._group(tokens, at)
            if found is None:
                return None
            group, at = found
            cards += group
        return (tuple(cards), at) if len(cards) == HAND_SIZE else None

    def _group(self, tokens: Tokens, at: int) -> tuple[list[Card], int] | None:
        """One card, or several alike."""
        if at >= len(tokens):
            return None
        token = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        count = self.counts.get(token)
        # "dos reyes" counts, "dos rey" names two cards: the plural tells them apart.
        if count and following in self.many:
            return [Card(self.many[following])] * count, at + 2
        rank = Rank(token) if token in DIGIT_RANKS else self.one.get(token)
        if rank is None:
            return None
        if following in self.of and at + 2 < len(tokens) and tokens[at + 2] in self.suits:
            return [Card(rank, self.suits[tokens[at + 2]])], at + 3
        return [Card(rank)], at + 1
