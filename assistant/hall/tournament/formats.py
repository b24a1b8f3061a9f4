"""Formats as data: a sheet of stages, each with its kind, and where its entries come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType

from assistant.hall.tournament.errors import (
    MAX_JUEGOS,
    MAX_PAIRS,
    MAX_ROUNDS,
    MAX_TEXT,
    TournamentError,
    check_text,
    check_within,
)
from assistant.messages.codec import RARE

Words = tuple[tuple[str, str], ...]
"""A text by language: (("es", "Consolación"), ("eu", "Kontsolazioa")); () for none."""

MAX_STAGES = 12
MAX_DEFEATS = 9
MAX_LAPS = 4
MAX_DAYS = 60
"""Most days between two rounds of a league."""
MAX_WORDS = 600
"""The most letters of the text that explains a format."""


class StageKind(StrEnum):
    """The kinds of stages: who meets whom, and when the stage is over."""

    KNOCKOUT = "knockout"
    DOUBLE = "double"
    ROBIN = "robin"
    SWISS = "swiss"
    REDRAW = "redraw"
    LIVES = "lives"
    INDIVIDUAL = "individual"


ROUND_BY_ROUND = frozenset(
    {StageKind.SWISS, StageKind.REDRAW, StageKind.LIVES, StageKind.INDIVIDUAL}
)
"""Kinds whose rounds are paired one after the other, when the one before is decided."""
ELIMINATING = frozenset({StageKind.REDRAW, StageKind.LIVES})
"""Those kinds in which a pair is out after a number of defeats."""
FOR_POINTS = frozenset({StageKind.ROBIN, StageKind.SWISS, StageKind.INDIVIDUAL})
"""Kinds with standings."""
BYES = ("rotate", "first")
PAIRINGS = ("lots", "equal")
COMPARISONS = ("last", "average")

FIELDS: Mapping[str, frozenset[StageKind]] = MappingProxyType(
    {
        "bronze": frozenset({StageKind.KNOCKOUT}),
        "defeats": frozenset({StageKind.LIVES}),
        "byes": frozenset({StageKind.REDRAW}),
        "pairing": frozenset({StageKind.LIVES}),
        "rounds": frozenset({StageKind.SWISS, StageKind.INDIVIDUAL}),
        "laps": frozenset({StageKind.ROBIN}),
        "divisions": frozenset({StageKind.ROBIN}),
        "promote": frozenset({StageKind.ROBIN}),
    }
)
"""The fields that only some kinds have."""


class SheetError(TournamentError):
    """A sheet that cannot be played; ``stage`` counts from 1, and ``key`` is at fault there."""

    def __init__(self, code: str, stage: int, key: str, **facts: object) -> None:
        super().__init__(code, **facts)
        self.stage = stage
        self.key = key


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a tournament. A field that the kind does not have keeps its default.

    Attributes:
        kind: Who meets whom.
        title: What players call it; () takes the name of its kind.
        source: The number of the stage that its entries come from; 0: all that are drawn.
        first: The best place of each group of the source that enters.
        last: The worst such place; 0: all.
        best: Beside these places, so many of the next place enter: the best of all groups.
        fill: In place of ``best``: as many of the next place as fill the bracket.
        compare: How pairs of unequal groups are compared for that. "last" leaves out what they
            played against the last of larger groups; "average" counts per match.
        losers: The pairs that lost their first match in the source, a knock-out, enter.
        groups: The number of groups that play the stage side by side.
        size: In place of ``groups``: as many groups as there can be of so many pairs or more.
        bars: Each bar in which pairs enrolled is such a group.
        divisions: The groups are strong and weak, not equal: the first pairs form the first.
        promote: So many pairs of each division change places with the next one's, between stages.
        bronze: The losers of the semifinals play for the third place.
        defeats: A pair that has lost so often is out.
        byes: "rotate" exempts one pair of an odd number in every round; "first" exempts in the
            first round as many as leave a power of two.
        pairing: "lots" draws freely; "equal" puts pairs with equally many defeats together.
        rounds: The number of rounds.
        laps: How often everybody meets everybody.
        juegos: How many juegos win a match, or a vaca; 0: as the tournament says.
        vacas: How many vacas win a match. From 2 on, results count vacas.
        starts: The date of the first round; "" with ``every``: after the stage before.
        every: The days from round to round.
        dates: The date of each round, in place of these two.
    """

    kind: StageKind
    title: Words = ()
    source: int = 0
    first: int = 1
    last: int = 0
    losers: bool = False
    groups: int = 1
    size: int = 0
    bars: bool = False
    divisions: bool = False
    promote: int = 0
    bronze: bool = False
    defeats: int = 0
    byes: str = "rotate"
    pairing: str = "lots"
    rounds: int = 0
    laps: int = 1
    juegos: int = 0
    vacas: int = 1
    starts: str = ""
    every: int = 0
    dates: tuple[str, ...] = ()
    best: int = field(default=0, metadata={RARE: True})
    fill: bool = field(default=False, metadata={RARE: True})
    compare: str = field(default="last", metadata={RARE: True})

    def __post_init__(self) -> None:
        _check_words(self.title)
        check_within(self.source, 0, MAX_STAGES, "A stage is", "")
        check_within(self.first, 1, MAX_PAIRS, "A place is", "")
        check_within(self.last, 0, MAX_PAIRS, "A place is", "")
        check_within(self.best, 0, MAX_PAIRS, "A place is", "")
        check_within(self.groups, 1, MAX_PAIRS // 2, "There are", "groups")
        check_within(self.size, 0, MAX_PAIRS, "A group has", "pairs")
        check_within(self.promote, 0, MAX_PAIRS, "From each group", "pairs go on")
        check_within(self.defeats, 0, MAX_DEFEATS, "A pair is out after", "defeats")
        check_within(self.rounds, 0, MAX_ROUNDS, "There are", "rounds")
        check_within(self.laps, 1, MAX_LAPS, "All meet all", "times")
        check_within(self.juegos, 0, MAX_JUEGOS, "A match is won with", "juegos")
        check_within(self.vacas, 1, MAX_JUEGOS, "A match is won with", "vacas")
        check_within(self.every, 0, MAX_DAYS, "Between two rounds are", "days")
        if len(self.dates) > MAX_ROUNDS * MAX_LAPS:
            raise TournamentError("many_dates", most=MAX_ROUNDS * MAX_LAPS)
        for text in (*self.dates, *([self.starts] if self.starts else [])):
            check_date(text)

    @property
    def is_side(self) -> bool:
        """Whether it is a consolation: its winner does not win the tournament."""
        return self.losers or self.first > 1

    def group_count(self, entries: int) -> int:
        """The number of groups of so many entries."""
        return max(1, entries // self.size) if self.size else self.groups

    @property
    def takes_best(self) -> bool:
        """Whether the best of the place after its last enter, too."""
        return self.fill or self.best > 0

    @property
    def grouped(self) -> bool:
        """Whether it may have several groups."""
        return self.bars or self.groups > 1 or self.size > 0

    @property
    def dated(self) -> bool:
        """Whether its rounds have dates."""
        return bool(self.dates or self.every)


@dataclass(frozen=True, slots=True)
class FormatSheet:
    """A format as an organiser writes it: its stages, the first of which takes the draw.

    ``juegos`` win a match if nobody chose otherwise. The texts are by language.
    """

    name: str
    title: Words
    stages: tuple[Stage, ...]
    explains: Words = ()
    juegos: int = 3

    def __post_init__(self) -> None:
        check_text(self.name, "The format's name", most=40)
        _check_words(self.title)
        _check_words(self.explains, MAX_WORDS)
        check_within(self.juegos, 1, MAX_JUEGOS, "A match is won with", "juegos")
        check_within(len(self.stages), 1, MAX_STAGES, "A format has", "stages")
        for number, stage in enumerate(self.stages, 1):
            _check_stage(number, stage, self.stages[: number - 1])
        main = main_stage(self.stages)
        stage = self.stages[main - 1]
        if stage.grouped and not stage.divisions:
            key = "bars" if stage.bars else "size" if stage.size else "groups"
            raise SheetError("no_end", main, key)

    @property
    def individual(self) -> bool:
        """Whether people enrol alone, and get a new partner each round."""
        return self.stages[0].kind is StageKind.INDIVIDUAL


def main_stage(stages: Sequence[Stage]) -> int:
    """The number of the stage whose winner wins the tournament: the last that is no consolation."""
    return max([number for number, stage in enumerate(stages, 1) if not stage.is_side], default=1)


def parts_clubs(stages: Sequence[Stage]) -> bool:
    """Whether clubs can be kept apart at the beginning, because the draw's order says who meets."""
    first = stages[0]
    if first.bars or first.divisions:
        return False
    drawn = {StageKind.KNOCKOUT, StageKind.DOUBLE, StageKind.SWISS}
    return first.kind in drawn or (first.kind is StageKind.ROBIN and first.grouped)


def check_date(text: str) -> None:
    """Raise TournamentError for a text that is no date."""
    try:
        date.fromisoformat(text)
    except ValueError:
        raise TournamentError("no_date", text=f"{text!r:.40}") from None


def date_of(stages: Sequence[Stage], phase: int, round_: int, lengths: Sequence[int]) -> str:
    """The date of a round, as 2027-01-11; "" where the stage has none.

    ``lengths``: the number of rounds of each stage. A stage without a first day of its own begins
    one step after the last round of the one before.
    """
    stage = stages[phase - 1]
    if stage.dates:
        return stage.dates[min(round_, len(stage.dates)) - 1]
    steps = round_ - 1
    while stage.every and not stage.starts and phase > 1:
        phase -= 1
        stage = stages[phase - 1]
        steps += lengths[phase - 1]
    if not stage.every or not stage.starts:
        return ""
    return (date.fromisoformat(stage.starts) + timedelta(days=stage.every * steps)).isoformat()


def needs_start(stages: Sequence[Stage]) -> bool:
    """Whether somebody has to say on which day the league begins."""
    first = next((stage for stage in stages if stage.every), None)
    return first is not None and not first.starts and not first.dates


def _check_words(words: Words, most: int = MAX_TEXT) -> None:
    for _, text in words:
        check_text(text, "A text of the format", most=most)


def _check_stage(number: int, stage: Stage, before: Sequence[Stage]) -> None:
    """Raise SheetError for a stage that cannot be played after those before it."""
    usual = Stage(stage.kind)
    for key, kinds in FIELDS.items():
        if getattr(stage, key) != getattr(usual, key) and stage.kind not in kinds:
            raise SheetError("key_unused", number, key, name=key, kinds=", ".join(sorted(kinds)))
    if stage.kind in {StageKind.SWISS, StageKind.INDIVIDUAL} and not stage.rounds:
        raise SheetError("stage_rounds", number, "rounds")
    if stage.kind is StageKind.LIVES and not stage.defeats:
        raise SheetError("stage_defeats", number, "defeats")
    if stage.byes not in BYES:
        raise SheetError("no_choice", number, "byes", name="byes", known=", ".join(BYES))
    if stage.pairing not in PAIRINGS:
        raise SheetError("no_choice", number, "pairing", name="pairing", known=", ".join(PAIRINGS))
    if stage.compare not in COMPARISONS:
        known = ", ".join(COMPARISONS)
        raise SheetError("no_choice", number, "compare", name="compare", known=known)
    if stage.last and stage.last < stage.first:
        raise SheetError("places_turned", number, "places")
    if stage.best and stage.fill:
        raise SheetError("best_filled", number, "best")
    if stage.dates and stage.every:
        raise SheetError("dates_twice", number, "dates")
    if stage.size and stage.groups > 1:
        raise SheetError("groups_twice", number, "size")
    if stage.bars and (number > 1 or stage.groups > 1 or stage.size):
        raise SheetError("bars_late", number, "bars")
    if stage.kind is StageKind.INDIVIDUAL and (number > 1 or stage.grouped):
        raise SheetError("individual_late", number, "kind")
    _check_source(number, stage, before)


def _check_source(number: int, stage: Stage, before: Sequence[Stage]) -> None:
    if not stage.source:
        if number > 1:
            raise SheetError("source_missing", number, "from")
        if stage.first > 1 or stage.last or stage.losers or stage.promote or stage.takes_best:
            raise SheetError("source_unused", number, "from")
        return
    if stage.source >= number:
        raise SheetError("source_later", number, "from")
    source = before[stage.source - 1]
    if source.kind is StageKind.INDIVIDUAL:
        raise SheetError("individual_on", number, "from")
    if stage.losers and source.kind is not StageKind.KNOCKOUT:
        raise SheetError("losers_of", number, "losers")
    alike = (source.groups, source.size) == (stage.groups, stage.size)
    if stage.promote and not (source.divisions and stage.divisions and alike):
        raise SheetError("promote_of", number, "promote")
    if stage.divisions and source.divisions and not stage.promote:
        raise SheetError("promote_missing", number, "divisions")
    if not (stage.losers or stage.promote or stage.last):
        raise SheetError("places_missing", number, "places")
    if stage.takes_best:
        _check_best(number, stage, before)


def _check_best(number: int, stage: Stage, before: Sequence[Stage]) -> None:
    """Raise SheetError where the best of the next place cannot be found, or are found twice."""
    key, source = "fill" if stage.fill else "best", before[stage.source - 1]
    if stage.losers or stage.promote or source.kind is not StageKind.ROBIN or source.divisions:
        raise SheetError("best_of", number, key)
    for other in before:
        if (other.source, other.last) == (stage.source, stage.last) and other.takes_best:
            raise SheetError("best_twice", number, key)
