"""From the parsed TOML file to a Lexicon; every mistake is one sentence that names its place."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from assistant.lexicon import fields
from assistant.lexicon.cards import CardWords
from assistant.lexicon.context import Moment
from assistant.lexicon.errors import LexiconError
from assistant.lexicon.fields import Table
from assistant.lexicon.grammar import Said
from assistant.lexicon.index import Index
from assistant.lexicon.lexicon import Hearing, Lexicon, Parts
from assistant.lexicon.reading import Why
from assistant.lexicon.rows import COMMANDS, MEANINGS, SLOTS, Phrase, Row
from assistant.lexicon.seats import SeatWords
from assistant.lexicon.text import Tokens, fold, tokens_of
from assistant.rules.cards import HAND_SIZE, Rank, Suit
from assistant.rules.phases import Lance

V = TypeVar("V")

TOP = frozenset(
    {"hearing", "numbers", "lances", "cards", "seats", "fillers", "streams", "call", "talk"}
)
HEARING_KEYS = frozenset({"pause", "stretch", "floor"})
CARD_KEYS = frozenset({"one", "many", "suits", "joins", "of"})
STREAM_KEYS = frozenset({"weight", "phrases"})
SEAT_KEYS = frozenset({"mano", "postre"})
CALL_KEYS = frozenset({"means", "when", "also", "lance", "weight", "phrases"})
TALK_KEYS = frozenset({"why", "when", "weight", "phrases"})
MAX_WEIGHT = 50
MAX_SECONDS = 5.0
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def lexicon_from(mapping: Table) -> Lexicon:
    """Build a lexicon from a parsed ``models/lexicon/*.toml``. Raises LexiconError."""
    fields.only(mapping, TOP, "the lexicon")
    numbers = _spellings(fields.table(mapping, "numbers"), "[numbers]", _number)
    lances = _spellings(
        fields.table(mapping, "lances"),
        "[lances]",
        lambda key: fields.choice(Lance, key, "[lances]"),
    )
    fillers = fields.texts(mapping, "fillers", "the lexicon")
    seats = fields.table(mapping, "seats")
    fields.only(seats, SEAT_KEYS, "[seats]")
    mano, postre = (fields.texts(seats, key, "[seats]") for key in ("mano", "postre"))
    cards = fields.table(mapping, "cards")
    counts = _folded(numbers, "[numbers]")
    phrases = (*_calls(mapping), *_talk(mapping))
    return Lexicon(
        Parts(
            index=Index(phrases, counts, _folded(lances, "[lances]")),
            cards=_card_words(cards, counts),
            seats=SeatWords(_tokens(mano), _tokens(postre)),
            fillers=_tokens(fillers),
            hearing=_hearing(fields.table(mapping, "hearing")),
        ),
        Said(
            phrases=phrases,
            numbers=numbers,
            lances=tuple(lances),
            fillers=fillers,
            seats=(*mano, *postre),
            one=tuple(_card_spellings(cards, "one")),
            many=tuple(_card_spellings(cards, "many")),
            suits=tuple(_suit_spellings(cards)),
            joins=fields.texts(cards, "joins", "[cards]"),
            of=fields.texts(cards, "of", "[cards]"),
            streams=_streams(mapping),
        ),
    )


def expand(template: str) -> list[str]:
    """Every wording of a template: "a [b] c" is "a b c" and "a c". Raises LexiconError."""
    parts = _OPTIONAL.split(template)
    if any(char in part for part in parts for char in "[]"):
        raise LexiconError(f"The phrase {template!r} has a bracket without its partner.")
    # split() leaves the optional parts at the odd places.
    choices = [(part, "") if i % 2 else (part,) for i, part in enumerate(parts)]
    return [" ".join("".join(wording).split()) for wording in itertools.product(*choices)]


def _calls(mapping: Table) -> Iterator[Phrase]:
    for i, table in enumerate(fields.tables(mapping, "call"), start=1):
        place = f"[[call]] number {i}"
        fields.only(table, CALL_KEYS, place)
        means = fields.text(table, "means", place)
        if means not in MEANINGS:
            raise LexiconError(
                f"{place}: means = {means!r} is unknown; choose one of {', '.join(MEANINGS)}."
            )
        when = _moments(table, "when", place)
        if not when and means not in COMMANDS:
            raise LexiconError(f"{place}: say with 'when' at which moments it is a call.")
        row = Row(
            means=means,
            when=when or frozenset(Moment),
            also=_moments(table, "also", place),
            lance=_named_lance(table, place),
            weight=_weight(table, place),
        )
        yield from _phrases(table, place, row)


def _talk(mapping: Table) -> Iterator[Phrase]:
    for i, table in enumerate(fields.tables(mapping, "talk"), start=1):
        place = f"[[talk]] number {i}"
        fields.only(table, TALK_KEYS, place)
        why = fields.text(table, "why", place) if "why" in table else Why.TALK.value
        row = Row(
            means=None,
            when=_moments(table, "when", place) or frozenset(Moment),
            why=fields.choice(Why, why, place),
            weight=_weight(table, place),
        )
        yield from _phrases(table, place, row)


def _phrases(table: Table, place: str, row: Row) -> Iterator[Phrase]:
    for template in fields.texts(table, "phrases", place):
        for wording in expand(template):
            written = tuple(wording.split())
            pattern = tuple(word if word in SLOTS else fold(word) for word in written)
            braces = any("{" in word and word not in SLOTS for word in written)
            if not pattern or not all(pattern) or braces:
                raise LexiconError(
                    f"{place}: {template!r} may hold words, {' and '.join(SLOTS)}, and [words "
                    "that may be left out]; nothing else, and not nothing."
                )
            yield Phrase(written, pattern, row)


def _streams(mapping: Table) -> tuple[str, ...]:
    table = fields.table(mapping, "streams")
    fields.only(table, STREAM_KEYS, "[streams]")
    return fields.texts(table, "phrases", "[streams]") * _weight(table, "[streams]")


def _moments(table: Table, key: str, place: str) -> frozenset[Moment]:
    if key not in table:
        return frozenset()
    return frozenset(
        fields.choice(Moment, name, f"{place}, {key}") for name in fields.texts(table, key, place)
    )


def _named_lance(table: Table, place: str) -> Lance | None:
    if "lance" not in table:
        return None
    return fields.choice(Lance, fields.text(table, "lance", place), f"{place}, lance")


def _weight(table: Table, place: str) -> int:
    return int(fields.number(table, "weight", place, 0, MAX_WEIGHT)) if "weight" in table else 1


def _hearing(table: Table) -> Hearing:
    fields.only(table, HEARING_KEYS, "[hearing]")
    return Hearing(
        pause=fields.number(table, "pause", "[hearing]", 0, MAX_SECONDS),
        stretch=fields.number(table, "stretch", "[hearing]", 0, MAX_SECONDS),
        floor=fields.number(table, "floor", "[hearing]", 0, 1),
    )


def _number(key: str) -> int:
    if not (key.isascii() and key.isdigit()):
        raise LexiconError(f"[numbers]: {key!r} must be a whole number written in digits.")
    return int(key)


def _spellings(table: Table, place: str, value_of: Callable[[str], V]) -> dict[str, V]:
    """Each wording of a slot, as written, with its value."""
    found: dict[str, V] = {}
    for key in table:
        value = value_of(key)
        for wording in fields.texts(table, key, place):
            if found.setdefault(wording, value) != value:
                raise LexiconError(f"{place}: {wording!r} has two meanings.")
    return found


def _folded(spellings: Mapping[str, V], place: str) -> dict[Tokens, V]:
    found: dict[Tokens, V] = {}
    for wording, value in spellings.items():
        if found.setdefault(tokens_of(wording), value) != value:
            raise LexiconError(f"{place}: {wording!r} has two meanings.")
    return found


def _tokens(wordings: tuple[str, ...]) -> tuple[Tokens, ...]:
    return tuple(map(tokens_of, wordings))


def _card_spellings(cards: Table, key: str) -> dict[str, Rank]:
    place = f"[cards.{key}]"
    return _spellings(
        fields.table(cards, key), place, lambda rank: fields.choice(Rank, rank, place)
    )


def _suit_spellings(cards: Table) -> dict[str, Suit]:
    place = "[cards.suits]"
    return _spellings(
        fields.table(cards, "suits"), place, lambda suit: fields.choice(Suit, suit, place)
    )


def _card_words(cards: Table, numbers: Mapping[Tokens, int]) -> CardWords:
    fields.only(cards, CARD_KEYS, "[cards]")
    return CardWords(
        one=_single(_card_spellings(cards, "one"), "[cards.one]"),
        many=_single(_card_spellings(cards, "many"), "[cards.many]"),
        suits=_single(_suit_spellings(cards), "[cards.suits]"),
        counts={
            words[0]: n for words, n in numbers.items() if len(words) == 1 and 2 <= n <= HAND_SIZE
        },
        joins=frozenset(map(fold, fields.texts(cards, "joins", "[cards]"))),
        of=frozenset(map(fold, fields.texts(cards, "of", "[cards]"))),
    )


def _single(spellings: Mapping[str, V], place: str) -> dict[str, V]:
    """Spellings of one word each, folded."""
    found: dict[str, V] = {}
    for words, value in _folded(spellings, place).items():
        if len(words) != 1:
            raise LexiconError(f"{place}: {' '.join(words)!r} must be one word.")
        found[words[0]] = value
    return found
