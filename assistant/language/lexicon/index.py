"""All phrases as one tree of words (a trie): the cost of reading depends only on the words read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from assistant.language.lexicon.rows import Phrase
from assistant.language.lexicon.seats import Names, ValueWords
from assistant.language.lexicon.text import (
    LANCE,
    NUMBER,
    PLAYER,
    SLOTS,
    VALUES,
    WHOSE,
    Filled,
    LexiconError,
    Tokens,
)
from assistant.rules.calls import Whose
from assistant.rules.phases import Lance

V = TypeVar("V")

MAX_DIGITS = 4
"""The digits of the longest number that is read; the rules refuse what is still too large."""
NOTHING = Filled()


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A phrase found in the words, the place after its last word, and the content of its slots."""

    phrase: Phrase
    end: int
    filled: Filled = NOTHING


@dataclass(slots=True)
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)
    slots: list[tuple[str, _Node]] = field(default_factory=list)
    phrases: list[Phrase] = field(default_factory=list)
    below: list[tuple[Phrase, Tokens]] | None = None
    """Every phrase that goes on from here, with the rest of its pattern; listed on demand."""

    def child(self, token: str) -> _Node:
        if token not in self.children:
            self.children[token] = _Node()
            if token in SLOTS:
                self.slots.append((token, self.children[token]))
        return self.children[token]


class Index:
    """The phrases by their words; built once, then only read."""

    def __init__(
        self,
        phrases: Iterable[Phrase],
        numbers: Mapping[Tokens, int],
        lances: Mapping[Tokens, Lance],
        values: ValueWords,
    ) -> None:
        """Raises LexiconError where one wording means two things at one moment."""
        self._root = _Node()
        self._numbers = numbers
        self._lances = lances
        self._values = values
        self._longest = max((len(words) for words in (*numbers, *lances)), default=0)
        self._begins: Mapping[str, frozenset[str]] = {
            NUMBER: frozenset(words[0] for words in numbers),
            LANCE: frozenset(words[0] for words in lances),
            VALUES: values.begins,
        }
        """Slot -> the words it may begin with; players' names come from the table."""
        for phrase in phrases:
            self._add(phrase)

    def matches(self, tokens: Tokens, names: Names, start: int = 0) -> list[PhraseMatch]:
        """Every phrase that begins at ``start``, of whatever length and moment."""
        found: list[PhraseMatch] = []
        begins, named = self._begins, names.begins
        waiting = [(self._root, start, NOTHING)]
        while waiting:  # depth first; in each node the words come before the slots
            node, at, filled = waiting.pop()
            for phrase in node.phrases:
                found.append(PhraseMatch(phrase, at, filled))
            if at == len(tokens):
                continue
            token = tokens[at]
            for slot, child in reversed(node.slots):
                if token in begins.get(slot, named) or (slot == NUMBER and token.isdigit()):
                    ways = list(self._fill(slot, filled, tokens, at, names))
                    for end, more in reversed(ways):
                        waiting.append((child, end, more))
            if child_of_word := node.children.get(token):
                waiting.append((child_of_word, at + 1, filled))
        return found

    def longer(self, tokens: Tokens, names: Names) -> Iterator[tuple[Phrase, Tokens]]:
        """Every phrase that begins with all these words and goes on, and the rest of its pattern.

        A phrase that can be read in two ways comes twice.
        """
        for node in self._nodes(self._root, tokens, 0, names):
            if node.below is None:
                node.below = list(_below(node, ()))
            yield from node.below

    def number(self, token: str) -> int | None:
        """The value of one word or of digits."""
        if token.isascii() and token.isdigit() and len(token) <= MAX_DIGITS:
            return int(token)
        return self._numbers.get((token,))

    def value(self, tokens: Tokens) -> int | None:
        """The number that all the words together are; None if they are anything else."""
        return next((n for end, n in self._number_at(tokens, 0) if end == len(tokens)), None)

    def lance(self, tokens: Tokens) -> Lance | None:
        """The lance that all the words together name; None if they are anything else."""
        return self._lances.get(tokens)

    def number_grows(self, tokens: Tokens) -> bool:
        """Whether the number at the end may become another: "treinta", and then "y dos"."""
        last = [tokens[at:] for at in range(len(tokens)) if tokens[at:] in self._numbers]
        return any(
            len(longer) > len(said) and longer[: len(said)] == said
            for said in last
            for longer in self._numbers
        )

    def names_lance(self, tokens: Tokens, start: int) -> bool:
        """Whether a lance is named there, as in "a la chica"."""
        return any(self._spelt(self._lances, tokens, start))

    def _add(self, phrase: Phrase) -> None:
        node = self._root
        for token in phrase.pattern:
            node = node.child(token)
        for other in node.phrases:
            if (both := phrase.row.moments & other.row.moments) and not phrase.row.excludes(
                other.row
            ):
                raise LexiconError(
                    f"The phrase {' '.join(phrase.written)!r} stands twice for the moment "
                    f"{min(both)!s}: take it out of one of the two lists."
                )
        node.phrases.append(phrase)

    def _nodes(self, node: _Node, tokens: Tokens, at: int, names: Names) -> Iterator[_Node]:
        """The nodes of the tree that the words lead to."""
        if at == len(tokens):
            yield node
            return
        if child := node.children.get(tokens[at]):
            yield from self._nodes(child, tokens, at + 1, names)
        for slot, child in node.slots:
            for end, _ in self._fill(slot, NOTHING, tokens, at, names):
                yield from self._nodes(child, tokens, end, names)

    def _fill(
        self, slot: str, filled: Filled, tokens: Tokens, at: int, names: Names
    ) -> Iterator[tuple[int, Filled]]:
        """Every way to fill a slot there, with the place where it ends."""
        if slot == NUMBER:
            for end, number in self._number_at(tokens, at):
                yield end, replace(filled, number=number)
        elif slot == LANCE:
            for end, lance in self._spelt(self._lances, tokens, at):
                yield end, replace(filled, lance=lance)
        elif slot == WHOSE:
            for end, whose in names.whose(tokens, at):
                if isinstance(whose, Whose):  # Whose is a str too; else it is a letter
                    yield end, replace(filled, whose=whose)
                else:
                    yield end, replace(filled, side=whose)
        elif slot == PLAYER:
            for end, seat in names.player(tokens, at):
                yield end, replace(filled, player=seat, players=(*filled.players, seat))
        elif slot == VALUES:
            for end, lance, values in self._values.values(tokens, at):
                yield end, replace(filled, lance=lance, values=values)

    def _number_at(self, tokens: Tokens, at: int) -> Iterator[tuple[int, int]]:
        """The longest number there: "treinta y una más" is never thirty and one more."""
        if tokens[at].isdigit():
            value = self.number(tokens[at])
            return iter(() if value is None else ((at + 1, value),))
        return iter([*self._spelt(self._numbers, tokens, at)][-1:])

    def _spelt(self, slot: Mapping[Tokens, V], tokens: Tokens, at: int) -> Iterator[tuple[int, V]]:
        for end in range(at + 1, min(at + self._longest, len(tokens)) + 1):
            value = slot.get(tokens[at:end])
            if value is not None:
                yield end, value


def _below(node: _Node, path: Tokens) -> Iterator[tuple[Phrase, Tokens]]:
    for token, child in node.children.items():
        rest = (*path, token)
        for phrase in child.phrases:
            yield phrase, rest
        yield from _below(child, rest)
