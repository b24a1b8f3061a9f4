"""All phrases as one tree of words, so that reading costs the words heard and not the phrases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assistant.lexicon.errors import LexiconError
from assistant.lexicon.rows import LANCE, NUMBER, Phrase
from assistant.lexicon.text import Tokens
from assistant.rules.phases import Lance

V = TypeVar("V")

MAX_DIGITS = 4
"""A longer number on paper is no bet of any table; the rules refuse the rest."""


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found in the words, which it leaves at ``end``, with what filled its slots."""

    phrase: Phrase
    end: int
    number: int | None = None
    lance: Lance | None = None


@dataclass(slots=True)
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)
    phrases: list[Phrase] = field(default_factory=list)


class Index:
    """The phrases by their words; built once, then only read."""

    def __init__(
        self,
        phrases: Iterable[Phrase],
        numbers: Mapping[Tokens, int],
        lances: Mapping[Tokens, Lance],
    ) -> None:
        """Raises LexiconError where one wording means two things at one moment."""
        self._root = _Node()
        self._numbers = numbers
        self._lances = lances
        self._longest = max((len(words) for words in (*numbers, *lances)), default=0)
        for phrase in phrases:
            self._add(phrase)

    def matches(self, tokens: Tokens, start: int = 0) -> list[Match]:
        """Every phrase that begins at ``start``, of whatever length and moment."""
        return list(self._walk(self._root, tokens, start, None, None))

    def number(self, token: str) -> int | None:
        """The value of one word or of digits."""
        if token.isascii() and token.isdigit() and len(token) <= MAX_DIGITS:
            return int(token)
        return self._numbers.get((token,))

    def names_lance(self, tokens: Tokens, start: int) -> bool:
        """Whether a lance is named there, as in "a la chica"."""
        return any(self._fill(self._lances, tokens, start))

    def _add(self, phrase: Phrase) -> None:
        node = self._root
        for token in phrase.pattern:
            node = node.children.setdefault(token, _Node())
        for other in node.phrases:
            mine, theirs = phrase.row, other.row
            if both := (mine.when | mine.also) & (theirs.when | theirs.also):
                raise LexiconError(
                    f"The phrase {' '.join(phrase.written)!r} stands twice for the moment "
                    f"{min(both)!s}: take it out of one of the two lists."
                )
        node.phrases.append(phrase)

    def _walk(
        self, node: _Node, tokens: Tokens, at: int, number: int | None, lance: Lance | None
    ) -> Iterator[Match]:
        for phrase in node.phrases:
            yield Match(phrase, at, number, lance or phrase.row.lance)
        if at == len(tokens) or not node.children:
            return
        if child := node.children.get(tokens[at]):
            yield from self._walk(child, tokens, at + 1, number, lance)
        if child := node.children.get(NUMBER):
            for end, value in self._number_at(tokens, at):
                yield from self._walk(child, tokens, end, value, lance)
        if child := node.children.get(LANCE):
            for end, named in self._fill(self._lances, tokens, at):
                yield from self._walk(child, tokens, end, number, named)

    def _number_at(self, tokens: Tokens, at: int) -> Iterator[tuple[int, int]]:
        """The longest number there: "treinta y una más" is never thirty and one more."""
        if tokens[at].isdigit():
            value = self.number(tokens[at])
            return iter(() if value is None else ((at + 1, value),))
        return iter([*self._fill(self._numbers, tokens, at)][-1:])

    def _fill(self, slot: Mapping[Tokens, V], tokens: Tokens, at: int) -> Iterator[tuple[int, V]]:
        for end in range(at + 1, min(at + self._longest, len(tokens)) + 1):
            value = slot.get(tokens[at:end])
            if value is not None:
                yield end, value
