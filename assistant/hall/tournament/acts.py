"""Acts: the facts of a tournament (draws, results, ...). Frozen, in the past tense, versioned."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from assistant.hall.tournament.errors import (
    MAX_CLOCK,
    MAX_JUEGOS,
    MAX_MINUTES,
    MAX_NUMBER,
    MAX_PAIRS,
    MAX_ROUNDS,
    MAX_SEED,
    MAX_STONES,
    MAX_TABLES,
    TournamentError,
    check_reason,
    check_score,
    check_text,
    check_within,
)
from assistant.hall.tournament.formats import FormatSheet, check_date, needs_start, parts_clubs
from assistant.hall.tournament.house_rules import check_rules
from assistant.messages.codec import (
    RARE,
    CodecError,
    Json,
    NewerVersionError,
    form_of,
    json_object,
    kinds,
    short,
)
from assistant.messages.documents import parse_json

# ---- The acts ------------------------------------------------------------------------------------

TIEBREAKS = ("juegos", "stones", "direct", "buchholz")
"""The tie-breaks between pairs with equally many wins. The order of the draw always comes last."""


class Format(StrEnum):
    """The formats: who meets whom, and when a pair is out; ``SHEET`` is given by its stages."""

    KNOCKOUT = "knockout"
    DOUBLE = "double"
    ROBIN = "robin"
    SWISS = "swiss"
    GROUPS = "groups"
    SHEET = "sheet"


@dataclass(frozen=True, slots=True)
class Options:
    """How a tournament is played. An option that the format does not have stays 0 or False.

    Attributes:
        juegos: How many juegos win a match.
        rounds: The number of rounds of a Swiss tournament.
        groups: The number of groups that are drawn.
        advance: How many pairs of each group go on to the knock-out.
        tiebreaks: What separates pairs with equally many wins, in this order.
        bronze: The losers of the semifinals play for the third place.
        clubs_apart: Pairs of one club meet in the first round, or in a group, only where no
            exchange avoids it.
        rules: The house rules of all its tables, as ``--rules`` takes them. "" leaves them to each
            table.
        profile: The name by which people know these rules. It settles nothing by itself.
    """

    juegos: int = 3
    rounds: int = 0
    groups: int = 0
    advance: int = 0
    tiebreaks: tuple[str, ...] = ("juegos", "stones", "direct")
    bronze: bool = False
    clubs_apart: bool = False
    rules: str = ""
    profile: str = ""

    def __post_init__(self) -> None:
        check_within(self.juegos, 1, MAX_JUEGOS, "A match is won with", "juegos")
        check_within(self.rounds, 0, MAX_ROUNDS, "There are", "Swiss rounds")
        check_within(self.groups, 0, MAX_PAIRS // 2, "There are", "groups")
        check_within(self.advance, 0, MAX_PAIRS, "From each group", "pairs go on")
        for name in self.tiebreaks:
            if name not in TIEBREAKS:
                known = ", ".join(TIEBREAKS)
                raise TournamentError("no_tiebreak", name=f"{name!r:.40}", known=known)
        if len(set(self.tiebreaks)) != len(self.tiebreaks):
            raise TournamentError("tiebreak_twice")
        check_rules(self.rules)
        check_text(self.profile, "The name of the rules", optional=True)


@dataclass(frozen=True, slots=True)
class Act:
    """Anything that was done in a tournament."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Opened(Act):
    """A tournament was announced: its name and how it is played.

    ``sheet`` has the stages of a format that comes from a file, written out, so that a file that
    changes later does not change the tournament.
    """

    name: str
    format: Format
    options: Options = Options()
    by: str = ""
    sheet: FormatSheet | None = None

    def __post_init__(self) -> None:
        check_text(self.name, "The tournament's name")
        check_text(self.by, "Who opened the tournament", optional=True)
        _suits(self.format, self.options)
        _suits_sheet(self.format, self.options, self.sheet)


@dataclass(frozen=True, slots=True)
class PairEnrolled(Act):
    """Two players enrolled as pair number ``pair``; ``seed`` 1 is the strongest, None unseeded.

    ``namesakes``: somebody confirmed that a player with the name of another is another person.
    ``category``: a group of pairs with a podium of its own, such as "mixta"; "" for none.
    ``late``: it came after the draw, and takes the place of the last bye.
    """

    pair: int
    name: str
    players: tuple[str, str]
    club: str = ""
    seed: int | None = None
    by: str = ""
    namesakes: bool = False
    bar: str = ""
    category: str = ""
    late: bool = False

    def __post_init__(self) -> None:
        check_within(self.pair, 1, MAX_NUMBER, "The number of a pair is", "")
        _named(self.name, self.players, self.club)
        check_text(self.bar, "The bar", optional=True)
        check_text(self.category, "The category", optional=True)
        check_text(self.by, "Who enrolled the pair", optional=True)
        if self.seed is not None:
            check_within(self.seed, 1, MAX_PAIRS, "The place of a seeded pair is", "")


@dataclass(frozen=True, slots=True)
class PlayerEnrolled(Act):
    """One player enrolled for a tournament in which everybody gets a new partner each round.

    ``pair`` is the player's number. ``namesakes`` and ``category`` are as in ``PairEnrolled``.
    """

    pair: int
    name: str
    club: str = ""
    by: str = ""
    namesakes: bool = False
    category: str = ""

    def __post_init__(self) -> None:
        check_text(self.category, "The category", optional=True)
        check_within(self.pair, 1, MAX_NUMBER, "The number of a pair is", "")
        check_text(self.name, "A player's name")
        check_text(self.club, "The club", optional=True)
        check_text(self.by, "Who enrolled the pair", optional=True)


@dataclass(frozen=True, slots=True)
class PairCorrected(Act):
    """A pair's name, players or club changed; it keeps its number and its matches.

    ``bar`` None leaves the bar in which it plays its first matches, ``category`` None its category.
    """

    pair: int
    name: str
    players: tuple[str, str]
    club: str
    by: str
    reason: str
    namesakes: bool = False
    bar: str | None = None
    category: str | None = None

    def __post_init__(self) -> None:
        _named(self.name, self.players, self.club)
        check_text(self.bar or "", "The bar", optional=True)
        check_text(self.category or "", "The category", optional=True)
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class PairWithdrawn(Act):
    """A pair withdrew: before the draw it is removed, later it loses what it has not played."""

    pair: int
    reason: str
    by: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class Drawn(Act):
    """The pairs were drawn: ``order`` is what ``draw`` gives for the pairs enrolled then.

    ``namesakes``: somebody confirmed that players of one name are different people. ``bag``: the
    numbers in the order in which people drew them; then these are the lots, and not the seed's.
    """

    seed: int
    order: tuple[int, ...]
    by: str = ""
    namesakes: bool = False
    bag: tuple[int, ...] = field(default=(), metadata={RARE: True})

    def __post_init__(self) -> None:
        check_within(self.seed, 0, MAX_SEED, "The seed of a draw is", "")
        check_text(self.by, "Who drew", optional=True)


@dataclass(frozen=True, slots=True)
class DrawAnnulled(Act):
    """The draw was annulled before the first result, so that pairs can come in and it is repeated.

    The seed that was printed, and the reason, stay in the log for everybody to see.
    """

    by: str
    reason: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class RoundPaired(Act):
    """Who meets whom in a Swiss round; None in place of an opponent is a bye."""

    number: int
    pairings: tuple[tuple[int, int | None], ...]
    by: str = ""

    def __post_init__(self) -> None:
        check_within(self.number, 1, MAX_ROUNDS, "The number of a round is", "")
        check_text(self.by, "Who paired", optional=True)


Side = tuple[int, ...]
"""Who plays on one side: a pair, two players of an individual tournament, or nobody: a bye."""


@dataclass(frozen=True, slots=True)
class RoundDrawn(Act):
    """Who meets whom in a round of a stage that is paired round by round.

    ``phase`` is the number of the stage, ``group`` that of its group; both count from 1. In place
    of an opponent, () is a bye; two numbers on a side are partners for this round. ``bag`` is as in
    ``Drawn``.
    """

    phase: int
    group: int
    number: int
    meetings: tuple[tuple[Side, Side], ...]
    by: str = ""
    bag: tuple[int, ...] = field(default=(), metadata={RARE: True})

    def __post_init__(self) -> None:
        check_within(self.number, 1, MAX_NUMBER, "The number of a round is", "")
        check_text(self.by, "Who paired", optional=True)


@dataclass(frozen=True, slots=True)
class TableAssigned(Act):
    """A match was called to a table, or moved to another; ``table`` is the hall's name for it."""

    match: str
    table: str
    by: str = ""

    def __post_init__(self) -> None:
        check_text(self.table, "The table's name")
        check_text(self.by, "Who assigned the table", optional=True)


@dataclass(frozen=True, slots=True)
class MatchMoved(Act):
    """A match is played on another day than its round, as 2027-01-31; "" for its round's again."""

    match: str
    date: str
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)
        if self.date:
            check_date(self.date)


@dataclass(frozen=True, slots=True)
class RefereeCalled(Act):
    """Somebody called the referee to a match, because its pairs do not agree."""

    match: str
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class CallSettled(Act):
    """The referee has seen to a call. A result that he corrected is an act of its own."""

    match: str
    by: str

    def __post_init__(self) -> None:
        check_text(self.by, "Who did it")


@dataclass(frozen=True, slots=True)
class ResultEntered(Act):
    """How a match ended, in the order of its two pairs.

    ``game`` names the table's journal that the result comes from. Without one the result counts
    once somebody else has countersigned it. ``stones`` are those of the whole match, or (0, 0) if
    nobody counted them.
    """

    match: str
    juegos: tuple[int, int]
    stones: tuple[int, int]
    by: str
    game: str = ""

    def __post_init__(self) -> None:
        check_score(self.juegos, self.stones)
        check_text(self.by, "Who enters a result")
        check_text(self.game, "The game's name", optional=True)


@dataclass(frozen=True, slots=True)
class ResultCountersigned(Act):
    """Somebody other than its author confirmed a result, so it counts."""

    match: str
    by: str

    def __post_init__(self) -> None:
        check_text(self.by, "Who countersigns")


@dataclass(frozen=True, slots=True)
class ResultCorrected(Act):
    """A result that counted was wrong; this one replaces it and counts at once."""

    match: str
    juegos: tuple[int, int]
    stones: tuple[int, int]
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_score(self.juegos, self.stones)
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class Walkover(Act):
    """A match was awarded to one of its pairs without being played."""

    match: str
    winner: int
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class MatchVoided(Act):
    """The result of a match was annulled; the match is open again."""

    match: str
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)


# ---- Time and order: lateness, ends of rounds, sanctions. No act reads a clock -------------------


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a tournament, in minutes.

    Attributes:
        courtesy: After its call, a match waits so long for a pair.
        each: Every so many minutes after the courtesy the pair loses one more juego; 0: it loses
            the whole match at the end of the courtesy.
        at_once: The first juego is lost when the courtesy ends, rather than ``each`` minutes later.
        playing: How long a round lasts; 0: it has no end.
        stops: A round ends at its hour by itself, with what the tables show then.
    """

    courtesy: int
    each: int = 0
    at_once: bool = True
    playing: int = 0
    stops: bool = field(default=False, metadata={RARE: True})

    def __post_init__(self) -> None:
        check_within(self.courtesy, 0, MAX_MINUTES, "The courtesy lasts", "minutes")
        check_within(self.each, 0, MAX_MINUTES, "A juego is lost every", "minutes")
        check_within(self.playing, 0, MAX_MINUTES, "A round lasts", "minutes")

    def lost(self, minutes: int) -> int | None:
        """The juegos that a pair has lost so many minutes after the call; None: the whole match."""
        over = minutes - self.courtesy
        if over < 0:
            return 0
        return over // self.each + self.at_once if self.each else None


@dataclass(frozen=True, slots=True)
class TimesSet(Act):
    """The organiser set the times, which apply from now on."""

    times: Times
    by: str = ""

    def __post_init__(self) -> None:
        check_text(self.by, "Who did it", optional=True)


@dataclass(frozen=True, slots=True)
class RoundClockSet(Act):
    """The round on the hall's clock ends at this moment, in Unix seconds; 0: it shows no end."""

    ends: int
    by: str = ""

    def __post_init__(self) -> None:
        check_within(self.ends, 0, MAX_CLOCK, "The end of a round is", "")
        check_text(self.by, "Who did it", optional=True)


@dataclass(frozen=True, slots=True)
class CallingSet(Act):
    """Matches are called to free tables automatically from now on; or no longer, if not ``on``.

    ``tables``: the hall has mesa-1 to mesa-``tables``, also those without a device.
    """

    on: bool
    tables: int = 0
    by: str = ""

    def __post_init__(self) -> None:
        check_within(self.tables, 0, MAX_TABLES, "A hall has", "tables")
        check_text(self.by, "Who did it", optional=True)


@dataclass(frozen=True, slots=True)
class PairLate(Act):
    """A pair was not at its table so many minutes after the call. The times say what it loses."""

    match: str
    pair: int
    minutes: int
    by: str

    def __post_init__(self) -> None:
        check_within(self.minutes, 0, MAX_MINUTES, "A pair is late by", "minutes")
        check_text(self.by, "Who did it")


@dataclass(frozen=True, slots=True)
class MatchStopped(Act):
    """Time was up, and the match counts as it stood, before anybody had won it.

    ``stones`` are those of the whole match, as in ``ResultEntered``. ``winner`` is the pair that
    wins if the juegos are level; None for nobody, which only a stage played for points allows.
    """

    match: str
    juegos: tuple[int, int]
    stones: tuple[int, int]
    by: str
    winner: int | None = None

    def __post_init__(self) -> None:
        for won in self.juegos:
            check_within(won, 0, MAX_JUEGOS, "A pair wins", "juegos")
        for count in self.stones:
            check_within(count, 0, MAX_STONES, "A pair has", "stones")
        check_text(self.by, "Who did it")


HALL = "hub"
"""The author of acts for matches that end by themselves."""
StoppedMatch = tuple[str, tuple[int, int], tuple[int, int]]
"""A match that counts as it stood: its name, the juegos and the stones of its two pairs."""


@dataclass(frozen=True, slots=True)
class RoundEnded(Act):
    """The round on the clock ended at its hour by itself: these matches count as they stood.

    ``ends`` is that hour. The pair with more juegos has won; level matches are in it only if pairs
    play for points. A match that its table does not show clearly is left to the referee.
    """

    ends: int
    matches: tuple[StoppedMatch, ...]
    by: str = ""

    def __post_init__(self) -> None:
        check_within(self.ends, 0, MAX_CLOCK, "The end of a round is", "")
        check_text(self.by, "Who did it", optional=True)
        for _, juegos, stones in self.matches:
            for won in juegos:
                check_within(won, 0, MAX_JUEGOS, "A pair wins", "juegos")
            for count in stones:
                check_within(count, 0, MAX_STONES, "A pair has", "stones")


@dataclass(frozen=True, slots=True)
class RoundResumed(Act):
    """An automatic end of a round was taken back: its matches go on, at their tables."""

    by: str
    reason: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class BothLost(Act):
    """Both pairs of a match lost it, for instance because neither came."""

    match: str
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_reason(self.reason, self.by)


class Degree(StrEnum):
    """The cost of a sanction: nothing yet, a juego of a match, the match, the whole tournament."""

    WARNING = "warning"
    JUEGO = "juego"
    MATCH = "match"
    EXPULSION = "expulsion"


@dataclass(frozen=True, slots=True)
class Sanctioned(Act):
    """A judge sanctioned a pair, by an article of the regulations.

    ``match`` is the one in which it happened, "" for a warning or an expulsion outside of one.
    ``player``: which of the two it was; "" for both.
    """

    pair: int
    degree: Degree
    article: str
    by: str
    reason: str
    match: str = ""
    player: str = ""

    def __post_init__(self) -> None:
        check_text(self.article, "The article")
        check_text(self.player, "The player", optional=True)
        check_reason(self.reason, self.by)


@dataclass(frozen=True, slots=True)
class PenaltyLifted(Act):
    """A sanction, or a lateness, was taken back: its cost is given back."""

    number: int
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_within(self.number, 1, MAX_NUMBER, "The number of a sanction is", "")
        check_reason(self.reason, self.by)


def _named(name: str, players: tuple[str, str], club: str) -> None:
    """Raise TournamentError for names that a pair, its players or its club cannot have."""
    check_text(name, "The pair's name")
    for player in players:
        check_text(player, "A player's name")
    check_text(club, "The club", optional=True)


def _suits(form: Format, options: Options) -> None:
    """Raise TournamentError for options that the format does not have, or needs and lacks."""
    swiss, groups = form is Format.SWISS, form is Format.GROUPS
    if swiss != (options.rounds > 0):
        raise TournamentError("rounds_needed" if swiss else "rounds_unused")
    if groups and (options.groups < 2 or options.advance < 1):
        raise TournamentError("groups_needed")
    if not groups and (options.groups or options.advance):
        raise TournamentError("groups_unused")
    if options.bronze and form not in {Format.KNOCKOUT, Format.GROUPS}:
        raise TournamentError("bronze_unused")
    if options.clubs_apart and form is Format.ROBIN:
        raise TournamentError("apart_unused")
    if "buchholz" in options.tiebreaks and not swiss and form is not Format.SHEET:
        raise TournamentError("buchholz_unused")


def _suits_sheet(form: Format, options: Options, sheet: FormatSheet | None) -> None:
    """Raise TournamentError unless a format from a file has its sheet, and no other has one."""
    if (form is Format.SHEET) != (sheet is not None):
        raise TournamentError("sheet_needed" if sheet is None else "sheet_unused")
    if sheet is None:
        return
    if needs_start(sheet.stages):
        raise TournamentError("starts_needed")
    if options.clubs_apart and not parts_clubs(sheet.stages):
        raise TournamentError("apart_unused")


# ---- Acts as JSON, by the same forms as the events of a table ------------------------------------


MAX_ACT = 65_536
"""Letters of an act as JSON. A draw of the most pairs allowed has less than half of it."""

ACT_TYPES: dict[str, type[Act]] = kinds(sys.modules[__name__], Act)
"""Every kind of act, by its name in JSON."""


def act_to_dict(act: Act) -> Json:
    """Write an act as JSON values."""
    kind = type(act)
    return {"type": kind.__name__, "v": kind.VERSION, **form_of(kind).encode(act)}


def act_from_dict(value: object) -> Act:
    """Read an act. Raises CodecError, or NewerVersionError for a type or version unknown here."""
    body = dict(json_object(value, "An act"))
    name, version = body.pop("type", None), body.pop("v", None)
    if type(name) is not str or type(version) is not int:
        raise CodecError(f"An act has a type and a version: {short(value)}.")
    kind = ACT_TYPES.get(name)
    if kind is None or version > kind.VERSION:
        raise NewerVersionError(
            f"The act {short(name)} version {short(version)} is unknown here: "
            "update mus, or look how it is written."
        )
    if version < kind.VERSION:
        raise CodecError(f"Nothing reads {name} version {short(version)} any more.")
    act: Act = form_of(kind).decode(body)
    return act


def act_to_json(act: Act) -> str:
    """Write an act as one line of compact JSON, in ASCII."""
    return json.dumps(act_to_dict(act), separators=(",", ":"))


def act_from_json(text: str) -> Act:
    """Read what ``act_to_json`` wrote, or a stranger did. Raises CodecError, NewerVersionError."""
    if len(text) > MAX_ACT:
        raise CodecError(f"An act has {MAX_ACT} letters at most, not {len(text)}.")
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        raise CodecError(f"This is no JSON: {short(text)}.") from None
    return act_from_dict(value)
