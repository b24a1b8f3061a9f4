"""Builds a Lexicon from the parsed TOML files; reports every mistake in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from assistant.language.lexicon import text as fields
from assistant.language.lexicon.answers import answers_of
from assistant.language.lexicon.context import Moment
from assistant.language.lexicon.grammar import CardsSaid, SpokenPattern
from assistant.language.lexicon.hearing import Aside, Negations, hearing_of
from assistant.language.lexicon.index import Index
from assistant.language.lexicon.lexicon import Lexicon, Parts
from assistant.language.lexicon.questions import Pick
from assistant.language.lexicon.rows import LexiconSource, Phrase, phrases_of, weight
from assistant.language.lexicon.seats import MAX_HANDS, CardWords, SeatWords, Value, ValueWords
from assistant.language.lexicon.text import E, LexiconError, Table, Tokens, fold, tokens_of
from assistant.rules.cards import HAND_SIZE, Rank, Suit
from assistant.rules.phases import Lance

# ---- Several languages at one table: the phrases of all files; no wording has two meanings ------
# Rows add up. The same wording in two files is one phrase if both give it the same meaning. If they
# do not, the row with ``overrides = true`` wins, whichever file comes first (if both have it, the
# later one wins). If neither has it, the files do not fit together.


def merge(files: Sequence[Iterable[Phrase]]) -> tuple[Phrase, ...]:
    """The phrases of all files, in their order. Raises LexiconError, naming both places."""
    kept: dict[Tokens, list[Phrase]] = {}
    for phrases in files:
        new: list[Phrase] = []
        for phrase in phrases:
            earlier = kept.get(phrase.pattern, [])
            for i, other in enumerate(earlier):
                earlier[i], phrase = _settled(other, phrase)
            new.append(phrase)
        for phrase in new:  # only now, because the index compares two rows of one file
            kept.setdefault(phrase.pattern, []).append(phrase)
    return tuple(phrase for found in kept.values() for phrase in found if phrase.row.moments)


def _settled(earlier: Phrase, later: Phrase) -> tuple[Phrase, Phrase]:
    """Both phrases, each with the moments that remain to it."""
    both = earlier.row.moments & later.row.moments
    if not both or earlier.row.excludes(later.row):
        return earlier, later
    if earlier.row.sense == later.row.sense:
        heavier = max(earlier.row.weight, later.row.weight)
        # It is listened for once; twice would make the wordings of only one language less likely.
        return _weighing(earlier, heavier), _without(_weighing(later, 0), both)
    if later.row.overrides:
        return _without(earlier, both), later
    if earlier.row.overrides:
        return earlier, _without(later, both)
    raise LexiconError(
        f"The phrase {' '.join(later.written)!r} means two things for the moment {min(both)!s}, "
        f"in {earlier.place} and in {later.place}: write overrides = true in the row that is right."
    )


def _weighing(phrase: Phrase, weight: int) -> Phrase:
    return replace(phrase, row=replace(phrase.row, weight=weight))


def _without(phrase: Phrase, moments: frozenset[Moment]) -> Phrase:
    row = phrase.row
    return replace(phrase, row=replace(row, when=row.when - moments, also=row.also - moments))


# ---- From the parsed TOML files to a Lexicon; every mistake is one sentence that names its place


V = TypeVar("V")

TOP = frozenset(
    {"language", "with", "hearing", "numbers", "lances", "cards", "values", "seats", "fillers"}
    | {"hesitates", "corrects", "yes", "no", "streams", "in_parts", "answers", "call", "talk"}
)
PARTIAL = frozenset({"language", "with", "call", "talk", "in_parts", "answers"})
"""Tables that the first file may lack; the other files may lack any table."""
LISTS = frozenset({"fillers", "hesitates", "corrects", "yes", "no"})
"""Lists of words that stand outside of any table."""
CARD_KEYS = frozenset({"one", "many", "suits", "joins", "of"})
STREAM_KEYS = frozenset({"weight", "phrases"})
SEAT_KEYS = frozenset({"mano", "postre", "us", "them", "joins", "endings"})
VALUE_KEYS = frozenset({"joins", Lance.PARES.value, Lance.JUEGO.value})


def lexicon_from(*mappings: Table) -> Lexicon:
    """Build a lexicon from parsed ``models/*/lexicon.toml``, one a language of the table.

    It has the rows of all files, and [hearing] of the first one. Raises LexiconError, also if two
    files contradict each other (see ``merge``).
    """
    sources = _sources(mappings)
    numbers = _spellings(_sections(sources, "numbers"), _number)
    in_parts = _spellings(_sections(sources, "in_parts"), _number)
    lances = _spellings(_sections(sources, "lances"), _choice(Lance))
    cards = _sections(sources, "cards", CARD_KEYS)
    seats = _sections(sources, "seats", SEAT_KEYS)
    values = _sections(sources, "values", VALUE_KEYS)
    fillers = _texts(sources, "fillers")
    asides = {
        words: aside
        for key, aside in (("hesitates", Aside.HESITATES), ("corrects", Aside.CORRECTS))
        for words in map(tokens_of, _optional_texts(sources, key))
    }
    yes, no = _optional_texts(sources, "yes"), _optional_texts(sources, "no")
    counts = _folded(in_parts) | _folded(numbers)
    worth = _worth(values)
    counted = [_counted(source) for source in sources if "cards" in source.table]
    seat_words = _seat_words(seats)
    phrases = merge([phrases_of(source) for source in sources])
    value_words = ValueWords(_folded(worth), _counts(counts, MAX_HANDS), _words(values, "joins"))

    def index_of(some: Iterable[Phrase]) -> Index:
        return Index(some, counts, _folded(lances), value_words)

    answers = answers_of(sources, {Pick.YES: yes, Pick.NO: no}, index_of)
    return Lexicon(
        Parts(
            index=index_of(phrases),
            answers=answers,
            cards=_card_words(cards, counted),
            seats=seat_words,
            fillers=tuple(map(tokens_of, fillers)),
            asides=asides,
            yes=frozenset(map(tokens_of, yes)),
            no=frozenset(map(tokens_of, no)),
            negations=Negations.of(
                *(tuple(map(tokens_of, said)) for said in (yes, no, fillers)),
            ),
            hearing=hearing_of(fields.table(sources[0].table, "hearing")),
        ),
        SpokenPattern(
            phrases=phrases,
            answers=answers.phrases,
            numbers=numbers,
            in_parts=tuple(in_parts),
            lances=tuple(lances),
            fillers=fillers,
            seats=(*_texts(seats, "mano"), *_texts(seats, "postre")),
            parties=(*_texts(seats, "us"), *_texts(seats, "them")),
            worth=worth,
            cards=tuple(said for said, _ in counted),
            value_joins=_texts(values, "joins"),
            streams=tuple(_streams(_sections(sources, "streams", STREAM_KEYS))),
        ),
    )


def _sources(mappings: Sequence[Table]) -> tuple[LexiconSource, ...]:
    if not mappings:
        raise LexiconError("A lexicon needs at least one file.")
    sources: list[LexiconSource] = []
    for i, mapping in enumerate(mappings, start=1):
        fields.only(mapping, TOP, "the lexicon")
        name = str(mapping.get("language", f"file {i}")) if len(mappings) > 1 else ""
        sources.append(LexiconSource(mapping, name))
    for key in sorted(TOP - PARTIAL - LISTS):
        fields.table(mappings[0], key)
    return tuple(sources)


def _sections(
    sources: Sequence[LexiconSource], key: str, known: frozenset[str] | None = None
) -> tuple[LexiconSource, ...]:
    """The table ``[key]`` of each file that has one."""
    found = []
    for source in sources:
        if key in source.table:
            place = source.place(f"[{key}]")
            table = fields.table(source.table, key)
            if known is not None:
                fields.only(table, known, place)
            found.append(LexiconSource(table, place))
    return tuple(found)


def _inner(sections: Sequence[LexiconSource], key: str) -> tuple[LexiconSource, ...]:
    """The table ``[section.key]`` of each section that has one; the first section must."""
    fields.table(sections[0].table, key)
    return _optional_inner(sections, key)


def _optional_inner(sections: Sequence[LexiconSource], key: str) -> tuple[LexiconSource, ...]:
    return tuple(
        LexiconSource(fields.table(section.table, key), f"{section.name[:-1]}.{key}]")
        for section in sections
        if key in section.table
    )


def _texts(sections: Sequence[LexiconSource], key: str) -> tuple[str, ...]:
    """The lists ``key`` of all sections as one, without repetitions; the first must have one."""
    found: dict[str, None] = {}
    for i, section in enumerate(sections):
        if i == 0 or key in section.table:
            found |= dict.fromkeys(fields.texts(section.table, key, section.name or "the lexicon"))
    return tuple(found)


def _optional_texts(sections: Sequence[LexiconSource], key: str) -> tuple[str, ...]:
    return _texts([section for section in sections if key in section.table], key)


def _words(sections: Sequence[LexiconSource], key: str) -> frozenset[str]:
    return frozenset(map(fold, _texts(sections, key)))


def _spellings(
    sections: Sequence[LexiconSource], value_of: Callable[[str, str], V]
) -> dict[str, V]:
    """Each wording of a slot, as written, with its value; one wording has one value."""
    found: dict[str, V] = {}
    values: dict[Tokens, tuple[V, str]] = {}
    for section in sections:
        for key in section.table:
            value = value_of(key, section.name)
            for wording in fields.texts(section.table, key, section.name):
                other, place = values.setdefault(tokens_of(wording), (value, section.name))
                if other != value:
                    where = section.name if place == section.name else f"{place} and {section.name}"
                    raise LexiconError(f"{where}: {wording!r} has two meanings.")
                found.setdefault(wording, value)
    return found


def _folded(spellings: Mapping[str, V]) -> dict[Tokens, V]:
    return {tokens_of(wording): value for wording, value in spellings.items()}


def _single(spellings: Mapping[str, V], place: str) -> dict[str, V]:
    """Spellings of one word each, folded."""
    found: dict[str, V] = {}
    for words, value in _folded(spellings).items():
        if len(words) != 1:
            raise LexiconError(f"{place}: {' '.join(words)!r} must be one word.")
        found[words[0]] = value
    return found


ORDER = {rank: place for place, rank in enumerate(Rank)}
"""The place of each rank in the deck, the highest first."""
Counted = dict[tuple[str, str], tuple[int, Rank]]


def _counted(source: LexiconSource) -> tuple[CardsSaid, Counted]:
    """The spoken cards of one file, and those that its own numbers count."""
    cards = _sections([source], "cards")
    numbers = _spellings(_sections([source], "numbers"), _number)
    many = _spellings(_optional_inner(cards, "many"), _choice(Rank))
    counts = _counts(_folded(numbers), HAND_SIZE)
    ranks = _single(many, "[cards.many]")
    several = {
        (count, name): (n, rank)
        for count, n in counts.items()
        if n > 1
        for name, rank in ranks.items()
    }
    names = _spellings(_optional_inner(cards, "one"), _choice(Rank))
    first = {rank: name for name, rank in reversed(names.items())}
    said = CardsSaid(
        one=tuple(names),
        first=tuple(first[rank] for rank in dict.fromkeys(names.values())),
        counted=tuple(
            f"{count} {name}"
            for count, n in numbers.items()
            if 2 <= n <= HAND_SIZE
            for name in many
        ),
        mistaken=frozenset(
            (count, name)
            for count, n in counts.items()
            if n == 2 and count in names
            for name, rank in names.items()
            if ORDER[rank] < ORDER[names[count]]
        ),
        suits=tuple(_spellings(_optional_inner(cards, "suits"), _choice(Suit))),
        joins=_optional_texts(cards, "joins"),
        of=_optional_texts(cards, "of"),
    )
    return said, several


def _card_words(
    sections: Sequence[LexiconSource], counted: Sequence[tuple[CardsSaid, Counted]]
) -> CardWords:
    one = _single(_spellings(_inner(sections, "one"), _choice(Rank)), "[cards.one]")
    many = _single(_spellings(_optional_inner(sections, "many"), _choice(Rank)), "[cards.many]")
    return CardWords(
        one=one,
        many=many,
        slurred=frozenset(f"{name}es" for name in one if name.endswith("s")) & many.keys(),
        counted={pair: found for _, several in counted for pair, found in several.items()},
        suits=_single(_spellings(_inner(sections, "suits"), _choice(Suit)), "[cards.suits]"),
        joins=_words(sections, "joins"),
        of=_words(sections, "of"),
    )


def _counts(numbers: Mapping[Tokens, int], most: int) -> dict[str, int]:
    """The numbers of one word that may count hands or cards."""
    return {words[0]: n for words, n in numbers.items() if len(words) == 1 and 1 <= n <= most}


def _number(key: str, place: str) -> int:
    if not (key.isascii() and key.isdigit()):
        raise LexiconError(f"{place}: {key!r} must be a whole number written in digits.")
    return int(key)


def _choice(kind: type[E]) -> Callable[[str, str], E]:
    return lambda key, place: fields.choice(kind, key, place)


def _worth(sections: Sequence[LexiconSource]) -> dict[str, Value]:
    """Every written name of a hand's value -> lance and stones."""
    found: dict[str, Value] = {}
    for lance in (Lance.PARES, Lance.JUEGO):
        stones = _spellings(_inner(sections, lance.value), _number)
        for wording, n in stones.items():
            if found.setdefault(wording, (lance, n)) != (lance, n):
                raise LexiconError(f"[values]: {wording!r} has two meanings.")
    return found


def _seat_words(sections: Sequence[LexiconSource]) -> SeatWords:
    def tokens(key: str) -> tuple[Tokens, ...]:
        return tuple(map(tokens_of, _texts(sections, key)))

    return SeatWords(
        mano=tokens("mano"),
        postre=tokens("postre"),
        us=tokens("us"),
        them=tokens("them"),
        joins=_words(sections, "joins"),
        endings=tuple(map(fold, _optional_texts(sections, "endings"))),
    )


def _streams(sections: Sequence[LexiconSource]) -> Iterator[str]:
    for section in sections:
        phrases = fields.texts(section.table, "phrases", section.name)
        yield from phrases * weight(section.table, section.name)
