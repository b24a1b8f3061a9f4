"""The rows of a lexicon file: phrases that mean the same, and the moments when they do."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from assistant.language.lexicon import text as fields
from assistant.language.lexicon.context import Moment, Needs
from assistant.language.lexicon.hearing import TalkReason
from assistant.language.lexicon.text import (
    LANCE,
    NUMBER,
    PLAYER,
    SLOTS,
    VALUES,
    WHOSE,
    E,
    Filled,
    LexiconError,
    Table,
    Tokens,
    fold,
)
from assistant.messages import Command
from assistant.rules import calls as c
from assistant.rules.calls import Whose
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance
from assistant.rules.state import MAX_SEATS

# ---- The meaning of a row, and its wordings -----------------------------------------------------


Meaning = Callable[[Filled], c.Call | Command]


def _stones(said: Filled) -> int:
    return c.ENVIDO if said.number is None else said.number


def _adjust(sign: int) -> Meaning:
    return lambda f: c.AdjustStones(
        stones=sign * (f.number or 0), side=f.side, whose=f.whose, reason=f.said
    )


def _report(kind: Irregularity) -> Meaning:
    return lambda f: c.Report(kind=kind, player=f.player, cards=f.number or 0)


def _command(command: Command) -> Meaning:
    return lambda _: command


EVERYBODY = tuple(range(1, MAX_SEATS + 1))
"""All seats of any table."""

TAPPED = (Command.NOT_SAID,)
"""Commands that are only tapped: aloud, people answer the question (``[answers.sure]``)."""
COMMANDS: dict[str, Meaning] = {
    command.value: _command(command) for command in Command if command not in TAPPED
}
PLACES: dict[str, Meaning] = {
    "place": lambda f: c.Place(lance=f.lance),
    "place_mus": lambda _: c.Place(),
    "place_bet": lambda f: c.Place(lance=f.lance, told=c.Where.BET, stones=_stones(f)),
    "place_turn": lambda f: c.Place(told=c.Where.TURN, player=f.player),
    "place_nobody": lambda f: c.Place(lance=f.lance, told=c.Where.HOLDERS),
    "place_everybody": lambda f: c.Place(lance=f.lance, told=c.Where.HOLDERS, holders=EVERYBODY),
    "place_only": lambda f: c.Place(lance=f.lance, told=c.Where.HOLDERS, holders=f.players),
    "place_again": lambda f: c.Place(lance=f.lance, told=c.Where.AGAIN),
}
"""Meanings that say where the deal stands; the ear expects them equally at every moment."""
BY_HAND: dict[str, Meaning] = {
    "correct_bet": lambda f: c.CorrectBet(lance=f.lance, stones=_stones(f)),
    "give": _adjust(1),
    "take": _adjust(-1),
    "redeal": lambda _: c.Redeal(),
    "apply": lambda _: c.Verdict(apply=True),
    "waive": lambda _: c.Verdict(apply=False),
    **{kind.value: _report(kind) for kind in Irregularity},
    **PLACES,
}
"""Meanings that change the game from outside: corrections, reports, where it stands."""
MEANINGS: dict[str, Meaning] = {
    "mus": lambda f: c.Mus(lance=f.lance),
    "cut": lambda f: c.Cut(lance=f.lance),
    "pass": lambda f: c.Pass(lance=f.lance),
    "bet": lambda f: c.Bet(lance=f.lance, stones=_stones(f)),
    "bet_both": lambda f: c.Bet(stones=_stones(f), both=True),
    "raise": lambda f: c.Raise(lance=f.lance, stones=_stones(f)),
    "reenvido": lambda f: c.Reenvido(lance=f.lance),
    "ordago": lambda f: c.Ordago(lance=f.lance),
    "ordago_both": lambda _: c.Ordago(both=True),
    "accept": lambda f: c.Accept(lance=f.lance, stones=f.number),
    "refuse": lambda f: c.Refuse(lance=f.lance),
    "refuse_plural": lambda f: c.Refuse(lance=f.lance, plural=True),
    "holds": lambda f: c.Declare(lance=f.lance, holds=True),
    "lacks": lambda f: c.Declare(lance=f.lance, holds=False),
    "pedrete": lambda _: c.Pedrete(),
    "claim": lambda f: c.ClaimLance(lance=f.lance, side=f.side, whose=f.whose, values=f.values),
    "next_deal": lambda _: c.NextDeal(),
    "mano": lambda f: c.NextDeal(mano=f.player),
    **BY_HAND,
    **COMMANDS,
}
"""A row's ``means`` -> the call made of what filled its slots (R21-R23, R35, R54, R55)."""
SAID = (
    frozenset(MEANINGS)
    - frozenset(BY_HAND)
    - frozenset(COMMANDS)
    - {
        "pedrete",
        "claim",
        "next_deal",
        "mano",
    }
)
"""Meanings that are calls of the game: mus, what is bet and answered, and what is declared."""
NEEDED: dict[str, tuple[str, ...]] = {
    "claim": (LANCE, WHOSE),
    "correct_bet": (LANCE, NUMBER),
    "give": (NUMBER, WHOSE),
    "take": (NUMBER, WHOSE),
    "card_count": (NUMBER,),
    "peeked": (PLAYER,),
    "in_deck": (PLAYER,),
    "mano": (PLAYER,),
    "place": (LANCE,),
    "place_bet": (LANCE, NUMBER),
    "place_turn": (PLAYER,),
    "place_nobody": (LANCE,),
    "place_everybody": (LANCE,),
    "place_only": (LANCE, PLAYER),
    "place_again": (LANCE,),
}
"""The slots that a meaning needs; a row's ``lance`` and ``whose`` can stand in for two of them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One ``[[call]]`` or ``[[talk]]`` of the file; talk has no ``means``.

    when       the moments it belongs to
    also       moments when it is understood too, so that the rules can say why it is not allowed
    needs      a further condition; the row does not apply without it
    lance      the lance it speaks of without naming it ("duples"); ``whose``: the side ("nuestra")
    weight     how often it is listed in the recogniser's grammar; 0: read, but never listened for
    overrides  it wins against the file of another language at the table
    goes_on    of talk: the rest of the utterance belongs to it ("si echan órdago ... quiero")
    """

    means: str | None
    when: frozenset[Moment]
    also: frozenset[Moment] = frozenset()
    needs: Needs | None = None
    lance: Lance | None = None
    whose: c.Whose | None = None
    why: TalkReason = TalkReason.TALK
    weight: int = 1
    overrides: bool = False
    goes_on: bool = False
    command: bool = field(init=False, compare=False)
    """It asks the assistant for something, so it may have a question mark."""
    alone: bool = field(init=False, compare=False)
    """It must be alone in its segment; otherwise "cinco tantos" would ask for the score."""
    beside_calls: bool = field(init=False, compare=False)
    """Though it has to be alone, a call may stand beside it: "corrige, paso"; "paso, corrige"."""
    moments: frozenset[Moment] = field(init=False, compare=False)
    """All the moments when it is understood."""

    def __post_init__(self) -> None:
        """Compute the derived fields once, because a row is consulted at every word."""
        command = self.means in COMMANDS
        object.__setattr__(self, "command", command)  # past the frozen class
        object.__setattr__(self, "alone", command or self.means in BY_HAND)
        object.__setattr__(self, "beside_calls", self.means == "undo")
        object.__setattr__(self, "moments", self.when | self.also)

    @property
    def sense(self) -> tuple[object, ...]:
        """The meaning of the row; two rows of the same sense do not contradict each other."""
        return (self.means, self.needs, self.lance, self.whose, self.means or self.why)

    def excludes(self, other: Row) -> bool:
        """Whether the needs of the two rows are never met at once."""
        return {self.needs, other.needs} == {Needs.ORDAGO, Needs.STONES}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One wording of a row: as written, and as tokens to compare; slots are kept as they are.

    ``place`` is its place in the file, for error messages.
    """

    written: tuple[str, ...]
    pattern: Tokens
    row: Row
    place: str = ""

    @property
    def provides(self) -> frozenset[str]:
        """The slots that a match will fill."""
        found = {word for word in self.pattern if word.startswith("{")}
        if self.row.lance or VALUES in found:
            found.add(LANCE)
        if self.row.whose:
            found.add(WHOSE)
        return frozenset(found)


# ---- Reading the ``[[call]]`` and ``[[talk]]`` rows of a parsed file ----------------------------


CALL_KEYS = frozenset(
    {"means", "when", "also", "needs", "lance", "whose", "weight", "overrides", "phrases"}
)
TALK_KEYS = frozenset({"why", "when", "weight", "overrides", "phrases", "goes_on"})
MAX_WEIGHT = 50
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class LexiconSource:
    """A parsed file with its name, so that an error can say which; a single file needs no name."""

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
    # split() puts the optional parts at the odd places.
    choices = [(part, "") if i % 2 else (part,) for i, part in enumerate(parts)]
    return [" ".join("".join(wording).split()) for wording in itertools.product(*choices)]


def phrases_of(source: LexiconSource) -> tuple[Phrase, ...]:
    """Every phrase of a file. Raises LexiconError."""
    return (*_calls(source), *_talk(source))


def weight(table: Table, place: str) -> int:
    """How often a row's phrases are listed in the recogniser's grammar."""
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
