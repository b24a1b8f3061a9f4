"""Four cards named aloud, as at the showdown: "dos reyes caballo as", "tres sietes y sota"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assistant.lexicon.text import Tokens
from assistant.rules.cards import HAND_SIZE, Card, Hand, Rank, Suit

DIGIT_RANKS = frozenset("1234567")


@dataclass(frozen=True, slots=True)
class CardWords:
    """The names of cards: one of them ("rey"), their suits, and several alike ("dos", "reyes").

    ``counted`` holds what goes together in one language: "dos as" is two cards in Spanish, "bi as"
    two ases in Basque. ``joins`` ("y", "un") may stand before a card, ``of`` ("de") before a suit.
    """

    one: Mapping[str, Rank]
    counted: Mapping[tuple[str, str], tuple[int, Rank]]
    suits: Mapping[str, Suit]
    joins: frozenset[str]
    of: frozenset[str]

    def hands(self, tokens: Tokens, start: int) -> Iterator[tuple[Hand, int]]:
        """Every four cards that begin at ``start``, with where they end, the likeliest first.

        Basque has no plural after a number: "lau errege" is four reyes, or a cuatro and a rey.
        """
        yield from self._rest(tokens, start, ())

    def begins(self, tokens: Tokens) -> bool:
        """Whether tokens are the first cards of a hand, which has more."""
        return self._is_part(tokens, 0, 0)

    def _is_part(self, tokens: Tokens, at: int, cards: int) -> bool:
        while at < len(tokens) and tokens[at] in self.joins:
            at += 1
        if at >= len(tokens):
            return 0 < cards < HAND_SIZE
        return any(
            self._is_part(tokens, end, cards + len(group))
            for group, end in self._groups(tokens, at)
        )

    def _rest(self, tokens: Tokens, at: int, cards: Hand) -> Iterator[tuple[Hand, int]]:
        if len(cards) == HAND_SIZE:
            yield cards, at
        if len(cards) >= HAND_SIZE:
            return
        while at < len(tokens) and tokens[at] in self.joins:
            at += 1
        for group, end in self._groups(tokens, at):
            yield from self._rest(tokens, end, cards + group)

    def _groups(self, tokens: Tokens, at: int) -> Iterator[tuple[Hand, int]]:
        """Several cards alike, or one card."""
        if at >= len(tokens):
            return
        token = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        # "dos reyes" counts, "dos rey" names two cards: the plural tells them apart.
        if several := self.counted.get((token, following)):
            yield (Card(several[1]),) * several[0], at + 2
        rank = Rank(token) if token in DIGIT_RANKS else self.one.get(token)
        if rank is None:
            return
        if following in self.of and at + 2 < len(tokens) and tokens[at + 2] in self.suits:
            yield (Card(rank, self.suits[tokens[at + 2]]),), at + 3
        else:
            yield (Card(rank),), at + 1
