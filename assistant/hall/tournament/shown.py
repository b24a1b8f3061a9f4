"""The state of a tournament: open matches, tables for them, seats, the podium; also as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from assistant.hall.tournament.acts import TableAssigned, Times
from assistant.hall.tournament.compared import BestShown, comparisons
from assistant.hall.tournament.draw import lengths
from assistant.hall.tournament.engine import under_way
from assistant.hall.tournament.errors import normalized
from assistant.hall.tournament.formats import FOR_POINTS, StageKind, date_of, main_stage
from assistant.hall.tournament.house_rules import notable_rules
from assistant.hall.tournament.late import takes_late_pair
from assistant.hall.tournament.model import (
    BYE,
    BestOf,
    EitherOf,
    FirstLossOf,
    LoserOf,
    Match,
    Pair,
    PairPenalty,
    PairSlot,
    PlaceOf,
    Player,
    SecondChance,
    Slot,
    Tournament,
    WinnerOf,
    pair_name,
)
from assistant.hall.tournament.ranking import Resolver, StandingRow
from assistant.hall.tournament.rounds import in_the_bag, rounds_left
from assistant.hall.tournament.seats import seating

# ---- Matches to be played, matches that wait, the podium, and tables for matches ----------------


@dataclass(frozen=True, slots=True)
class Podium:
    """The pairs on each place: none, one, or two thirds if no match was played for it."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    third: tuple[int, ...]


def ready(tournament: Tournament) -> tuple[Match, ...]:
    """The matches without a result whose pairs are known, in the order of play.

    They include those that are at a table already.
    """
    return tuple(_ready(tournament, Resolver(tournament)))


def awaiting(tournament: Tournament) -> tuple[Match, ...]:
    """The matches whose result still has to be countersigned."""
    return tuple(
        [
            match
            for match in tournament.matches.values()
            if match.id in tournament.results and not tournament.results[match.id].counts
        ]
    )


def finished(tournament: Tournament) -> bool:
    """Whether everything is decided."""
    if not tournament.order:
        return False
    resolver = Resolver(tournament)
    return all(resolver.over(phase, group) for phase, group in _groups(tournament))


def podium(tournament: Tournament) -> Podium | None:
    """Who came first, second and third; None while anything is still to be decided."""
    if not finished(tournament):
        return None
    return podium_of(Resolver(tournament), main_stage(tournament.stages))


def podium_of(resolver: Resolver, phase: int) -> Podium | None:
    """Who came first, second and third in the first group of a stage; None before its end."""
    places = resolver.places(phase)
    if places is None:
        return None
    first, second, third, *_ = [*places, (), (), ()]
    return Podium(first, second, third)


def podiums_by_category(tournament: Tournament) -> dict[str, Podium]:
    """Who came first, second and third in each category; {} before the end, and without any.

    Two categories are one if they differ only in accents or capitals. Pairs that are not in a stage
    are ordered by how far they came before it. Pairs that nothing separates share a step.
    """
    if not any(pair.category for pair in tournament.pairs.values()) or not finished(tournament):
        return {}
    places = _final_places(tournament)
    names = category_names(tournament)
    found: dict[str, list[tuple[int, ...]]] = {}
    for place in places:
        steps: dict[str, list[int]] = {}
        for number in place:
            category = tournament.pairs[number].category
            if category:
                steps.setdefault(normalized(category), []).append(number)
        for key, step in steps.items():
            found.setdefault(key, []).append(tuple(sorted(step)))
    ended = {}
    for key, name in names.items():
        first, second, third, *_ = [*found.get(key, []), (), (), ()]
        if first:
            ended[name] = Podium(first, second, third if len(first) + len(second) < 3 else ())
    return ended


def category_names(tournament: Tournament) -> dict[str, str]:
    """The categories as the first pair of each wrote it, by the name that all of them share."""
    found: dict[str, str] = {}
    for _, pair in sorted(tournament.pairs.items()):
        if pair.category:
            found.setdefault(normalized(pair.category), pair.category)
    return dict(sorted(found.items()))


def _final_places(tournament: Tournament) -> list[tuple[int, ...]]:
    """All pairs by how far they came: in the last stage, then in those before it."""
    resolver = Resolver(tournament)
    main = main_stage(tournament.stages)
    seen: set[int] = set()
    found = []
    for phase in range(main, 0, -1):
        if tournament.stages[phase - 1].is_side:
            continue
        groups = [
            resolver.places(phase, n + 1) or [] for n in range(len(tournament.entries[phase - 1]))
        ]
        for at in range(max(map(len, groups), default=0)):
            level = [pair for group in groups if at < len(group) for pair in group[at]]
            fresh = tuple([pair for pair in level if pair not in seen])
            seen.update(fresh)
            if fresh:
                found.append(fresh)
    return found


def _groups(tournament: Tournament) -> list[tuple[int, int]]:
    return [
        (phase, group)
        for phase, groups in enumerate(tournament.entries, 1)
        for group in range(1, len(groups) + 1)
    ]


def assign(
    tournament: Tournament, free_tables: Iterable[str], today: str = ""
) -> tuple[TableAssigned, ...]:
    """Tables for the matches that can begin now, in the order of play and of ``free_tables``.

    A pair plays one match at a time. Tables where a match is under way are skipped. A match whose
    date is after ``today`` (as 2027-01-31) waits for it. In a stage that is played in bars a match
    gets only tables whose names begin with that of its bar. Each act may follow the ones before it.
    """
    resolver = Resolver(tournament)
    playing = under_way(tournament, resolver)
    busy = {player for match in playing for player in resolver.players(match)}
    taken = set(playing.values())
    free = [table for table in dict.fromkeys(free_tables) if table not in taken]
    known = lengths(tournament.stages, tournament.matches.values())
    called = []
    for match in _ready(tournament, resolver):
        pairs = resolver.players(match.id)
        if match.id in playing or not busy.isdisjoint(pairs) or not free:
            continue
        round_ = date_of(tournament.stages, match.phase, match.round, known)
        if today and tournament.moved.get(match.id, round_) > today:
            continue
        table = _table_for(tournament, match, pairs, free)
        if table is None:
            continue
        free.remove(table)
        busy.update(pairs)
        called.append(TableAssigned(match.id, table))
    return tuple(called)


def _table_for(
    tournament: Tournament, match: Match, pairs: tuple[Player, Player], free: Sequence[str]
) -> str | None:
    """The first free table that a match may be played at."""
    if not tournament.stages[match.phase - 1].bars:
        return free[0]
    pair = pairs[0]
    assert isinstance(pair, int)  # the match is ready
    bar = normalized(tournament.pairs[pair].bar)
    return next((table for table in free if normalized(table).startswith(bar)), None)


def _ready(tournament: Tournament, resolver: Resolver) -> list[Match]:
    return [
        match
        for match in tournament.matches.values()
        if match.id not in tournament.results
        and all(isinstance(player, int) for player in resolver.players(match.id))
        and resolver.outcome(match.id) is None
    ]


# ---- The same as plain JSON values, for a page ---------------------------------------------------


class PairShown(TypedDict):
    """A pair; ``here``: it has not withdrawn. ``of``: the two of whom a round made the pair.

    ``category``: a group of pairs with a podium of its own, or "". ``late``: enrolled after the
    draw.
    ``defeats`` counts those in a stage in which a pair is out after several.
    """

    pair: int
    name: str
    players: list[str]
    club: str
    seed: int | None
    here: bool
    bar: str
    of: list[int]
    category: str
    late: bool
    defeats: int


class SlotShown(TypedDict):
    """A place in a match: a pair, a bye, or the source of its pair.

    ``source`` is ["winner", "K1.1"], ["loser", "W1.1"], ["place", group, place], ["of", stage,
    group, place] in a format from a file (group 0 where there is one alone), ["best", stage,
    place] and ["rest", stage, place] (one of those that the comparison of a place across the groups
    takes, or leaves), ["either", stage, group, place, group], ["again"] (the loser of the first
    final, if a second one is needed) or [].
    """

    pair: int | None
    bye: bool
    source: list[str | int]


class ResultShown(TypedDict):
    """How a match ended; ``game`` names the table's journal that the result comes from."""

    juegos: list[int]
    stones: list[int]
    by: str
    counts: bool
    game: str
    reason: str
    walkover: bool


class MatchShown(TypedDict):
    """A match. ``winner`` is a pair's number, even if nothing had to be played.

    ``state``: "later" (its pairs are not known yet), "ready", "playing" (called to a table),
    "waiting" (for a countersignature), "over", or "void" (nobody has to play it). ``seated``: the
    short names of the players of each pair; [] while the pairs are not known. ``phase`` is the
    number of its stage, and ``date`` that of its round, or "", ``moved`` its own. ``needed`` juegos
    win it; or so many vacas, where ``vacas`` says so. ``given``: the juegos that each pair has by
    what the other one lost by lateness or a sanction. ``how`` it ended: "time", "both", "late",
    "sanction", or "".
    """

    match: str
    stage: str
    round: int
    group: int
    slots: list[SlotShown]
    table: str | None
    state: str
    winner: int | None
    result: ResultShown | None
    seated: list[list[str]]
    phase: int
    date: str
    moved: str
    needed: int
    vacas: bool
    given: list[int]
    how: str


class PenaltyShown(TypedDict):
    """A sanction or a lateness: ``kind`` is "late", "warning", "juego", "match" or "expulsion"."""

    number: int
    pair: int
    kind: str
    match: str
    juegos: int
    minutes: int
    article: str
    player: str
    reason: str
    by: str
    lifted: str


class TimesShown(TypedDict):
    """The times of a tournament, in minutes, as in ``Times``."""

    courtesy: int
    each: int
    at_once: bool
    playing: int
    stops: bool


class RowShown(TypedDict):
    """A row of the standings; ``by`` is the criterion that separated it from the others."""

    place: int
    pair: int
    played: int
    won: int
    lost: int
    juegos: list[int]
    stones: list[int]
    buchholz: int
    by: str


class StageShown(TypedDict):
    """A stage of the format; ``title`` by language, {} for the name of its kind.

    ``bars``: the names of its groups, if these are bars (``in_bars``). ``side``: it is a
    consolation, with a ``podium`` of its own. ``defeats``: after so many a pair is out, if it is
    not out after one.
    """

    kind: str
    title: dict[str, str]
    in_bars: bool
    bars: list[str]
    divisions: bool
    side: bool
    defeats: int
    podium: list[list[int]] | None


class CategoryShown(TypedDict):
    """The podium of a category."""

    name: str
    podium: list[list[int]]


class CallShown(TypedDict):
    """A call of the referee to a match: who called, and why."""

    match: str
    by: str
    reason: str


class TournamentShown(TypedDict):
    """A whole tournament. ``stage``: "enrolling", "playing" or "over".

    ``rules`` are the rules of all its tables that are worth showing, ``profile`` is their name. {}:
    each table plays by its own rules. ``category_names`` has every category once, ``categories``
    their podiums at the end. ``title`` is that of a format from a file, by language.
    ``bag``: it was drawn by hand; ``to_draw`` has the numbers that are in the bag now.
    ``to_pair``: a round is still to be paired. ``standing_of`` tells the stage and the group of
    each list of ``standings``. ``annulled`` has the seed of each draw that does not count, and why.
    ``calls``: those of the referee that he has not seen to.
    ``ends``: when the round on the hall's clock ends, in Unix seconds, or 0. ``ended``: the end of
    it that came by itself, or 0, and ``stopped`` what that decided and can be taken back.
    ``calling``: free tables are called by themselves, also those of mesa-1 to so many as
    ``numbered`` says.
    """

    name: str
    format: str
    juegos: int
    rounds: int
    paired: int
    groups: list[list[int]]
    clubs_apart: bool
    tiebreaks: list[str]
    rules: dict[str, str]
    profile: str
    seed: int | None
    bag: bool
    to_draw: list[int]
    stage: str
    pairs: list[PairShown]
    matches: list[MatchShown]
    standings: list[list[RowShown]]
    title: dict[str, str]
    stages: list[StageShown]
    individual: bool
    to_pair: bool
    standing_of: list[list[int]]
    best: list[BestShown]
    annulled: list[list[int | str]]
    calls: list[CallShown]
    podium: list[list[int]] | None
    categories: list[CategoryShown]
    category_names: list[str]
    takes_late: bool
    times: TimesShown | None
    ends: int
    ended: int
    stopped: list[str]
    calling: bool
    numbered: int
    penalties: list[PenaltyShown]


def shown(tournament: Tournament) -> TournamentShown:
    """The whole tournament; one of 2,600 pairs takes less than a second."""
    resolver = Resolver(tournament)
    ended = podium(tournament)
    options = tournament.options
    known = lengths(tournament.stages, tournament.matches.values())
    listed = _listed(tournament, resolver)
    lost = _defeats(tournament, resolver)
    return {
        "name": tournament.name,
        "format": tournament.format,
        "juegos": options.juegos,
        "rounds": _round_count(tournament),
        "paired": tournament.rounds,
        "groups": [list(group) for group in tournament.groups],
        "clubs_apart": options.clubs_apart,
        "tiebreaks": list(options.tiebreaks),
        "rules": notable_rules(options.rules),
        "profile": options.profile,
        "seed": tournament.seed,
        "bag": tournament.bag,
        "to_draw": list(in_the_bag(tournament)),
        "stage": "over" if ended else "playing" if tournament.order else "enrolling",
        "pairs": [_pair(tournament, pair, lost) for pair in tournament.pairs.values()],
        "matches": [_match(tournament, resolver, m, known) for m in tournament.matches.values()],
        "standings": [_rows(resolver.standings(*key)) for key in listed],
        "title": dict(tournament.sheet.title) if tournament.sheet else {},
        "stages": [_stage(tournament, resolver, n + 1) for n in range(len(tournament.stages))],
        "individual": tournament.individual,
        "to_pair": rounds_left(tournament),
        "standing_of": [list(key) for key in listed],
        "best": comparisons(tournament, resolver),
        "annulled": [[seed, reason] for seed, reason in tournament.annulled],
        "calls": [
            {"match": match, "by": by, "reason": reason}
            for match, (by, reason) in tournament.calls.items()
        ],
        "podium": _steps(ended),
        "categories": [
            {"name": name, "podium": [list(one.first), list(one.second), list(one.third)]}
            for name, one in podiums_by_category(tournament).items()
        ],
        "category_names": list(category_names(tournament).values()),
        "takes_late": takes_late_pair(tournament),
        "times": _times(tournament.times),
        "ends": tournament.ends,
        "ended": tournament.ended,
        "stopped": list(tournament.stopped),
        "calling": tournament.calling,
        "numbered": tournament.numbered,
        "penalties": [_penalty(penalty) for penalty in tournament.penalties],
    }


def _times(times: Times | None) -> TimesShown | None:
    if times is None:
        return None
    return {
        "courtesy": times.courtesy,
        "each": times.each,
        "at_once": times.at_once,
        "playing": times.playing,
        "stops": times.stops,
    }


def _penalty(penalty: PairPenalty) -> PenaltyShown:
    return {
        "number": penalty.number,
        "pair": penalty.pair,
        "kind": penalty.kind,
        "match": penalty.match,
        "juegos": penalty.juegos,
        "minutes": penalty.minutes,
        "article": penalty.article,
        "player": penalty.player,
        "reason": penalty.reason,
        "by": penalty.by,
        "lifted": penalty.lifted,
    }


def _defeats(tournament: Tournament, resolver: Resolver) -> Counter[int]:
    """The defeats of each pair in a stage in which a pair is out after several."""
    lost: Counter[int] = Counter()
    for phase, group in _groups(tournament):
        if tournament.stages[phase - 1].kind is StageKind.LIVES:
            lost += resolver.defeats(phase, group)
    return lost


def _steps(ended: Podium | None) -> list[list[int]] | None:
    return [list(p) for p in (ended.first, ended.second, ended.third)] if ended else None


def _round_count(tournament: Tournament) -> int:
    """How many rounds are played, if that is known of a format with a single stage."""
    return tournament.stages[0].rounds if len(tournament.stages) == 1 else 0


def _stage(tournament: Tournament, resolver: Resolver, phase: int) -> StageShown:
    stage = tournament.stages[phase - 1]
    groups = tournament.entries[phase - 1] if tournament.entries else ()
    first = [group[0] for group in groups] if stage.bars else []
    bars = [tournament.pairs[slot.pair].bar for slot in first if isinstance(slot, PairSlot)]
    ended = podium_of(resolver, phase) if groups and stage.is_side else None
    return {
        "kind": stage.kind,
        "title": dict(stage.title),
        "in_bars": stage.bars,
        "bars": bars,
        "divisions": stage.divisions,
        "side": stage.is_side,
        "defeats": stage.defeats,
        "podium": _steps(ended),
    }


def _pair(tournament: Tournament, pair: Pair, lost: Mapping[int, int]) -> PairShown:
    return {
        "pair": pair.number,
        "name": pair_name(pair),
        "players": list(pair.players),
        "club": pair.club,
        "seed": pair.seed,
        "here": pair.number not in tournament.gone | tournament.withdrawn,
        "bar": pair.bar,
        "of": list(pair.of),
        "category": pair.category,
        "late": pair.late,
        "defeats": lost[pair.number],
    }


def _match(
    tournament: Tournament, resolver: Resolver, match: Match, known: Sequence[int]
) -> MatchShown:
    players, outcome = resolver.players(match.id), resolver.outcome(match.id)
    result = tournament.results.get(match.id)
    winner = outcome.winner if outcome and isinstance(outcome.winner, int) else None
    return {
        "match": match.id,
        "stage": match.stage,
        "round": match.round,
        "group": match.group,
        "slots": [
            _slot(tournament, player, slot)
            for player, slot in zip(players, (match.a, match.b), strict=True)
        ],
        "table": tournament.tables.get(match.id),
        "state": _state(tournament, match, players, over=outcome is not None),
        "winner": winner,
        "result": {
            "juegos": list(result.juegos),
            "stones": list(result.stones),
            "by": result.by,
            "counts": result.counts,
            "game": result.game,
            "reason": result.reason,
            "walkover": result.walkover,
        }
        if result
        else None,
        "seated": _seated(tournament, players),
        "phase": match.phase,
        "date": date_of(tournament.stages, match.phase, match.round, known),
        "moved": tournament.moved.get(match.id, ""),
        "needed": tournament.needed(match.id),
        "vacas": tournament.stage_of(match.id).vacas > 1,
        "given": list(tournament.given(match.id, players)),
        "how": result.how if result else "",
    }


def _seated(tournament: Tournament, players: tuple[Player, Player]) -> list[list[str]]:
    first, second = players
    if not isinstance(first, int) or not isinstance(second, int):
        return []
    names = seating(tournament.pairs[first], tournament.pairs[second])
    return [list(names[::2]), list(names[1::2])]


def _state(
    tournament: Tournament, match: Match, players: tuple[Player, Player], *, over: bool
) -> str:
    if match.id in tournament.results:
        return "over" if tournament.results[match.id].counts else "waiting"
    if over:
        return "void"
    if not all(isinstance(player, int) for player in players):
        return "later"
    return "playing" if match.id in tournament.tables else "ready"


def _slot(tournament: Tournament, player: Player, slot: Slot) -> SlotShown:
    source: list[str | int] = []
    match slot:
        case WinnerOf():
            source = ["winner", slot.match]
        case LoserOf() | FirstLossOf():
            source = ["loser", slot.match]
        case PlaceOf() if tournament.sheet is not None:
            alone = len(tournament.entries[slot.phase - 1]) == 1
            source = ["of", slot.phase, 0 if alone else slot.group, slot.place]
        case PlaceOf():
            source = ["place", slot.group, slot.place]
        case BestOf():
            taken = tournament.stages[slot.into - 1].last < slot.place
            source = ["best" if taken else "rest", slot.phase, slot.place]
        case EitherOf():
            one, other = slot.usual, slot.other
            source = ["either", one.phase, one.group, one.place, other.group]
        case SecondChance():
            source = ["again"]
    return {
        "pair": player if isinstance(player, int) else None,
        "bye": player is BYE,
        "source": source,
    }


def _listed(tournament: Tournament, resolver: Resolver) -> list[tuple[int, int]]:
    """The groups that play for points, and have standings: those with pairs in them."""
    return [
        (phase, group)
        for phase, group in _groups(tournament)
        if tournament.stages[phase - 1].kind in FOR_POINTS
        and any(isinstance(player, int) for player in resolver.entered(phase, group))
    ]


def _rows(rows: tuple[StandingRow, ...]) -> list[RowShown]:
    return [
        {
            "place": row.place,
            "pair": row.pair,
            "played": row.played,
            "won": row.won,
            "lost": row.lost,
            "juegos": list(row.juegos),
            "stones": list(row.stones),
            "buchholz": row.buchholz,
            "by": row.by,
        }
        for row in rows
    ]
