"""The ``[[call]]`` and ``[[talk]]`` rows of one parsed file, as phrases."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.language.lexicon import text as fields
from assistant.language.lexicon.context import Moment, Needs
from assistant.language.lexicon.reading import TalkReason
from assistant.language.lexicon.rows import COMMANDS, MEANINGS, NEEDED, PLACES, Phrase, Row
from assistant.language.lexicon.text import SLOTS, E, LexiconError, Table, Tokens, fold
from assistant.rules.calls import Whose
from assistant.rules.phases import Lance

CALL_KEYS = frozenset(
    {"means", "when", "also", "needs", "lance", "whose", "weight", "overrides", "phrases"}
)
TALK_KEYS = frozenset({"why", "when", "weight", "overrides", "phrases", "goes_on"})
MAX_WEIGHT = 50
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class LexiconSource:
    """One file of several, so that a message can say which; a single one needs no name."""

    table: Table
    name: str = ""

    def place(self, place: str) -> str:
        """A place in this file, as a message names it."""
        return f"{self.name}, {place}" if self.name else place


def expand(template: str) -> list[str]:
    """Every wording of a template: "a [b] c" is "a b c" and "a c". Raises LexiconError."""
    parts = _OPTIONAL.split(template)
    if any(char in part for part in parts for char in "[]"):
        raise LexiconError(f"The phrase {template!r} has a bracket without its partner.")
    # split() leaves the optional parts at the odd places.
    choices = [(part, "") if i % 2 else (part,) for i, part in enumerate(parts)]
    return [" ".join("".join(wording).split()) for wording in itertools.product(*choices)]


def phrases_of(source: LexiconSource) -> tuple[Phrase, ...]:
    """Every phrase of a file. Raises LexiconError."""
    return (*_calls(source), *_talk(source))


def weight(table: Table, place: str) -> int:
    """How often the recogniser is told of what stands there."""
    return int(fields.number(table, "weight", place, 0, MAX_WEIGHT)) if "weight" in table else 1


def _calls(source: LexiconSource) -> Iterator[Phrase]:
    for i, table in enumerate(fields.tables(source.table, "call"), start=1):
        place = source.place(f"[[call]] number {i}")
        fields.only(table, CALL_KEYS, place)
        means = fields.text(table, "means", place)
        if means not in MEANINGS:
            raise LexiconError(
                f"{place}: means = {means!r} is unknown; choose one of {', '.join(MEANINGS)}."
            )
        when = _moments(table, "when", place)
        also = _moments(table, "also", place)
        if not when and means not in COMMANDS and not (also and means in PLACES):
            raise LexiconError(f"{place}: say with 'when' at which moments it is a call.")
        row = Row(
            means=means,
            when=frozenset(Moment) if means in COMMANDS and not when else when,
            also=also,
            needs=_member(Needs, table, "needs", place),
            lance=_member(Lance, table, "lance", place),
            whose=_member(Whose, table, "whose", place),
            weight=weight(table, place),
            overrides=fields.switch(table, "overrides", place),
        )
        yield from _phrases(table, place, row)


def _talk(source: LexiconSource) -> Iterator[Phrase]:
    for i, table in enumerate(fields.tables(source.table, "talk"), start=1):
        place = source.place(f"[[talk]] number {i}")
        fields.only(table, TALK_KEYS, place)
        why = fields.text(table, "why", place) if "why" in table else TalkReason.TALK.value
        row = Row(
            means=None,
            when=_moments(table, "when", place) or frozenset(Moment),
            why=fields.choice(TalkReason, why, place),
            weight=weight(table, place),
            overrides=fields.switch(table, "overrides", place),
            goes_on=fields.switch(table, "goes_on", place),
        )
        yield from _phrases(table, place, row)


def wordings_of(template: str, place: str) -> Iterator[tuple[tuple[str, ...], Tokens]]:
    """Every wording of a template, as written and as a pattern. Raises LexiconError."""
    for wording in expand(template):
        written = tuple(wording.split())
        pattern = tuple(word if word in SLOTS else fold(word) for word in written)
        braces = any("{" in word and word not in SLOTS for word in written)
        if not pattern or not all(pattern) or braces:
            raise LexiconError(
                f"{place}: {template!r} may hold words, {' and '.join(SLOTS)}, and [words "
                "that may be left out]; nothing else, and not nothing."
            )
        yield written, pattern


def _phrases(table: Table, place: str, row: Row) -> Iterator[Phrase]:
    for template in fields.texts(table, "phrases", place):
        for written, pattern in wordings_of(template, place):
            phrase = Phrase(written, pattern, row, place)
            missing = set(NEEDED.get(row.means or "", ())) - phrase.provides
            if missing:
                raise LexiconError(
                    f"{place}: {template!r} needs {' and '.join(sorted(missing))}, or nobody "
                    f"knows what {row.means} is about."
                )
            yield phrase


def _moments(table: Table, key: str, place: str) -> frozenset[Moment]:
    if key not in table:
        return frozenset()
    return frozenset(
        fields.choice(Moment, name, f"{place}, {key}") for name in fields.texts(table, key, place)
    )


def _member(kind: type[E], table: Table, key: str, place: str) -> E | None:
    if key not in table:
        return None
    return fields.choice(kind, fields.text(table, key, place), f"{place}, {key}")
