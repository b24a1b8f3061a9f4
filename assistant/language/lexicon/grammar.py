"""The recogniser's grammar: the phrases from which it makes a bigram model (word pairs).

The grammar is broad: it has every call, command and card, and table talk beside them, so that
talk is not heard as calls. The lexicon's reader rejects what the word pairs join wrongly. Phrases
that fit the state of the table are likelier than the rest: a player who is asked for pares says
"tengo", and not "rey".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from assistant.language.lexicon.context import Context, Moment, Needs
from assistant.language.lexicon.questions import ANY, EVERY, OpenQuestion, Pick
from assistant.language.lexicon.rows import Phrase, Row
from assistant.language.lexicon.seats import SeatWords, Value
from assistant.language.lexicon.text import LANCE, NUMBER, PLAYER, UNKNOWN, VALUES, WHOSE

EXAMPLES = (2, 3, 5, 10)
"""The only numbers with which longer phrases are listed. In a bigram model the two-word phrases
already lead into and out of every number; more would only make calls without a number less
likely."""

LIKELIER = 12
"""How many times as often a phrase that fits the table is listed: 2.5 nats (docs/ear.md)."""

CHAIN, CHAINED, FIRST = 8, 3, 3
"""CHAIN: cards in a chain of a hand's grammar. CHAINED: how many times each chain is listed. FIRST:
how many times as often a card's first name is listed as its others: people say "as"; "pito" is
slang."""

RESUMES = "resume"
"""The meaning of what resumes the assistant after a pause."""

TALK = 0.001
"""Unknown speech, as a share of all phrases. It fits every moment, and the phrases that are listed
more often would otherwise make it too unlikely."""


@dataclass(frozen=True, slots=True)
class CardsSaid:
    """The names of cards in one language; ``counted``: "dos reyes".

    ``first``: of each card the name that the file has first. ``mistaken``: two cards in a row that
    are rather two of a kind: "dos caballo" is nearly always "dos caballos", because players name
    the higher cards first.
    """

    one: tuple[str, ...]
    first: tuple[str, ...]
    counted: tuple[str, ...]
    mistaken: frozenset[tuple[str, str]]
    suits: tuple[str, ...]
    joins: tuple[str, ...]
    of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpokenPattern:
    """Everything that can be said, as written in the file."""

    phrases: tuple[Phrase, ...]
    answers: Mapping[tuple[str, Pick], tuple[Phrase, ...]]
    numbers: Mapping[str, int]
    in_parts: tuple[str, ...]
    lances: tuple[str, ...]
    fillers: tuple[str, ...]
    seats: tuple[str, ...]
    parties: tuple[str, ...]
    worth: Mapping[str, Value]
    cards: tuple[CardsSaid, ...]
    value_joins: tuple[str, ...]
    streams: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Company:
    """The spoken names of the players, and those of partners in one breath."""

    names: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """The part of a context that a grammar depends on; ``met``: the needs that are met."""

    moment: Moment | None = None
    met: frozenset[Needs] = frozenset()
    seats: tuple[str, ...] = ()
    sides: int = 1
    question: OpenQuestion | None = None

    @classmethod
    def of(cls, context: Context) -> Situation:
        """The situation of a context."""
        met = frozenset(need for need in Needs if context.has(need))
        return cls(context.moment, met, context.seats, context.sides, context.question)

    def fits(self, row: Row) -> bool:
        """Whether a row's call belongs to it."""
        needed = row.needs is None or row.needs in self.met
        return row.means is not None and self.moment in row.when and needed


class Grammars:
    """The grammars of a table; each is made once, and is the same tuple until something changes."""

    def __init__(self, said: SpokenPattern, names: SeatWords) -> None:
        self._said, self._names = said, names
        self._broad = cache(self._made_broad)
        self._expected = cache(self._made_expected)
        self._hands = cache(self._made_hands)

    def broad(self, context: Context | None) -> tuple[str, ...]:
        """Every call, and talk; in a ``context`` its calls are listed more often."""
        return self._broad(Situation.of(context) if context else Situation())

    def whole(self, seats: tuple[str, ...]) -> tuple[str, ...]:
        """Every phrase of any grammar, with the names of these players."""
        return self._broad(Situation(seats=seats, question=EVERY))

    def expected(self, context: Context) -> tuple[str, ...]:
        """The phrases that may be said now, and no others."""
        return self._expected(Situation.of(context))

    def hands(self, context: Context) -> tuple[str, ...]:
        """The phrases of hands that are named aloud, and no others."""
        return self._hands(context.seats)

    def _made_broad(self, now: Situation) -> tuple[str, ...]:
        shown = now.moment is Moment.SHOWDOWN
        return grammar_of(self._said, now.fits, self._company(now), now.question, shown)

    def _made_expected(self, now: Situation) -> tuple[str, ...]:
        return expected_of(self._said, now.fits, self._company(now), now.question)

    def _made_hands(self, seats: tuple[str, ...]) -> tuple[str, ...]:
        return hands_of(self._said, self._company(Situation(seats=seats)))

    def _company(self, now: Situation) -> Company:
        partners = self._names.partners(now.seats, now.sides)
        return Company(self._names.spoken(now.seats), partners)


def grammar_of(
    said: SpokenPattern,
    fits: Callable[[Row], bool],
    company: Company,
    question: OpenQuestion | None = None,
    cards_fit: bool = False,
) -> tuple[str, ...]:
    """The phrases, frequent ones more than once, and the mark of unknown speech last.

    A phrase for which ``fits`` is true is listed LIKELIER times as often. The streams of several
    players are not, or "yo sí" would become "no sí" (docs/ear.md). ``question``: its answers are
    included, and those with a number are many already. ``cards_fit``: the names of cards are listed
    more often, because hands are shown.
    """
    weighed = any(fits(phrase.row) for phrase in said.phrases)
    calls = (
        wording
        for phrase in said.phrases
        for wording in _fill(phrase.written, said, said.seats, said.parties)
        for _ in range(phrase.row.weight * (LIKELIER if fits(phrase.row) else 1))
    )
    answers = (
        wording
        for phrase in _answers(said, question)
        for wording in _fill(
            phrase.written,
            said,
            (*said.seats, *company.names),
            (*said.parties, *company.names),
        )
        for _ in range(LIKELIER if weighed and NUMBER not in phrase.written else 1)
    )
    rest = (*_named(said, company), *said.in_parts, *said.streams, *said.fillers)
    cards = hands_of(said, company) * LIKELIER if cards_fit else tuple(_cards(said, company))
    phrases = (*calls, *answers, *rest, *cards)
    return (*phrases, *[UNKNOWN] * (round(TALK * len(phrases)) if weighed else 1))


def expected_of(
    said: SpokenPattern,
    fits: Callable[[Row], bool],
    company: Company,
    question: OpenQuestion | None = None,
) -> tuple[str, ...]:
    """Only the phrases for which ``fits`` is true, and the answers to a ``question``.

    Unknown speech, talk, and phrases of other moments of the deal are left out. So is what resumes
    after a pause, because "sí llevo" sounds like "sigue"; in a pause the first hearing is enough.
    """
    calls = (
        phrase
        for phrase in said.phrases
        if fits(phrase.row) and phrase.row.means != RESUMES
        for _ in range(phrase.row.weight)
    )
    players, parties = (*said.seats, *company.names), (*said.parties, *company.names)
    told = (
        wording
        for phrase in (*calls, *_answers(said, question))
        for wording in _fill(phrase.written, said, players, parties)
    )
    return (*told, *said.in_parts, *said.fillers)


def _answers(said: SpokenPattern, question: OpenQuestion | None) -> Iterator[Phrase]:
    """The wordings of the answers that pick something of a question; each once."""
    if question is None:
        return
    told: set[tuple[str, ...]] = set()
    for (code, pick), phrases in said.answers.items():
        if question is EVERY or (code in (question.code, ANY) and pick in question.picks):
            yield from (phrase for phrase in phrases if phrase.written not in told)
            told.update(phrase.written for phrase in phrases)


def hands_of(said: SpokenPattern, company: Company) -> tuple[str, ...]:
    """Only the phrases of hands, without unknown speech.

    Most are chains of several cards, so that the bigram model expects another card after each card;
    if only pairs of cards were listed, every second card would end a phrase. Few people name suits,
    or say whose the hand is.
    """
    every = [
        chain
        for cards in said.cards
        for chain in (*_chains(cards.one, cards.mistaken), *cards.counted)
    ]
    first = [
        chain
        for cards in said.cards
        for chain in (*_chains(cards.first, cards.mistaken), *_counted(cards))
    ]
    return (*_cards(said, company), *every * CHAINED, *first * (CHAINED * FIRST))


def vocabulary_of(phrases: tuple[str, ...]) -> frozenset[str]:
    """The words of the phrases, as written, without the mark of unknown speech."""
    return frozenset(word for phrase in phrases for word in phrase.split()) - {UNKNOWN}


def _named(said: SpokenPattern, company: Company) -> Iterator[str]:
    """Each player's name, and the names of partners, once with each word that may stand beside it.

    In a bigram model this leads into and out of the name in every phrase. The complete
    phrases with all names would make "cartas" and "para" likelier than they are.
    """
    beside = {
        phrase.written[max(at - 1, 0) : at + 2]
        for phrase in said.phrases
        for at, word in enumerate(phrase.written)
        if word in (WHOSE, PLAYER) and phrase.row.weight
    }
    for words in sorted(beside):
        if company.names:
            yield from _fill(words, said, company.names, company.names)
    yield from company.partners


def _fill(
    words: Sequence[str], said: SpokenPattern, players: Sequence[str], parties: Sequence[str]
) -> Iterator[str]:
    """Words with their slots filled; ``players`` and ``parties`` are the names for them."""
    short = len(words) <= 2 and words.count(NUMBER) == 1
    numbers = [word for word, n in said.numbers.items() if short or n in EXAMPLES]
    slots: dict[str, list[str]] = {
        NUMBER: numbers,
        LANCE: list(said.lances),
        WHOSE: list(parties),
        PLAYER: list(players),
        VALUES: _values(said),
    }
    found = {word: slots[word] for word in words if word in slots}
    if not found:
        yield " ".join(words)
        return
    # Each number and each lance once, side by side: all pairs of them would be hundreds.
    longest = max(len(values) for values in found.values())
    for i in range(longest):
        yield " ".join(found[w][i % len(found[w])] if w in found else w for w in words)


def _values(said: SpokenPattern) -> list[str]:
    """The values of one hand, and of two hands; for two, only the first name of each value."""
    first: dict[Value, str] = {}
    for name, value in said.worth.items():
        first.setdefault(value, name)
    pairs = [
        f"{one} {join} {other}"
        for (lance, _), one in first.items()
        for (second, _), other in first.items()
        for join in said.value_joins
        if lance is second and one != other
    ]
    counts = [word for word, n in said.numbers.items() if n == 2]
    return [
        *said.worth,
        *pairs,
        *(f"{count} {name}" for count in counts for name in first.values()),
    ]


def _chains(cards: Sequence[str], mistaken: frozenset[tuple[str, str]]) -> Iterator[str]:
    """Chains of CHAIN cards at most, which together have each pair of cards once but ``mistaken``.

    They are cut from a cycle of de Bruijn (all words of two letters, by Lyndon words in order).
    """
    cycle = [
        card
        for at, first in enumerate(cards)
        for pair in ((first,), *((first, other) for other in cards[at + 1 :]))
        for card in pair
    ]
    chain = cycle[:1]
    for card in (*cycle[1:], cycle[0]):
        if len(chain) == CHAIN or (chain[-1], card) in mistaken:
            yield " ".join(chain)
            chain = [] if (chain[-1], card) in mistaken else chain[-1:]
        chain.append(card)
    yield " ".join(chain)


def _counted(cards: CardsSaid) -> Iterator[str]:
    """Each count of cards with another card after it."""
    yield from map(" ".join, zip(cards.counted, itertools.cycle(cards.first), strict=False))


def _cards(said: SpokenPattern, company: Company) -> Iterator[str]:
    """Every pair of cards in a row, counted cards, cards with suits, and seats before them.

    Languages are not mixed, because nobody names half a hand in one and half in another.
    """
    for cards in said.cards:
        yield from (" ".join(pair) for pair in itertools.product(cards.one, repeat=2))
        yield from cards.counted
        yield from (
            f"{card} {of} {suit}" for of in cards.of for card in cards.one for suit in cards.suits
        )
        yield from (f"{join} {card}" for join in cards.joins for card in cards.one)
        seats = (*said.seats, *company.names)
        yield from (f"{seat} {card}" for seat in seats for card in cards.one)
