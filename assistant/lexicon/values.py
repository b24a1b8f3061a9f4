"""What hands are worth, as it is said when a lance is claimed: "duples y medias", "dos juegos"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assistant.lexicon.text import Tokens
from assistant.rules.phases import Lance

MAX_HANDS = 3
"""No side has more players (three against three, R56)."""

Value = tuple[Lance, int]


@dataclass(frozen=True, slots=True)
class ValueWords:
    """The names of what scores by itself: lance and stones of one hand (R13, R15).

    ``counts`` may stand before a name ("dos duples"), ``joins`` ("y") between two.
    """

    names: Mapping[Tokens, Value]
    counts: Mapping[str, int]
    joins: frozenset[str]

    def values(self, tokens: Tokens, start: int) -> Iterator[tuple[int, Lance, tuple[int, ...]]]:
        """Every list of hands that begins at ``start``: its end, its lance, stones by hand."""
        for end, lance, values in self._counted(tokens, start):
            yield from self._more(tokens, end, lance, values)

    def _more(
        self, tokens: Tokens, at: int, lance: Lance, values: tuple[int, ...]
    ) -> Iterator[tuple[int, Lance, tuple[int, ...]]]:
        yield at, lance, values
        if at < len(tokens) and tokens[at] in self.joins:
            for end, other, more in self._counted(tokens, at + 1):
                if other is lance and len(values) + len(more) <= MAX_HANDS:
                    yield from self._more(tokens, end, lance, values + more)

    def _counted(self, tokens: Tokens, at: int) -> Iterator[tuple[int, Lance, tuple[int, ...]]]:
        for end, (lance, stones) in self._named(tokens, at):
            yield end, lance, (stones,)
        count = self.counts.get(tokens[at], 0) if at < len(tokens) else 0
        if 0 < count <= MAX_HANDS:
            for end, (lance, stones) in self._named(tokens, at + 1):
                yield end, lance, (stones,) * count

    def _named(self, tokens: Tokens, at: int) -> Iterator[tuple[int, Value]]:
        for words, value in self.names.items():
            if tokens[at : at + len(words)] == words:
                yield at + len(words), value
