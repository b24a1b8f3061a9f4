"""How a tournament stands: open matches, tables for them, seats, the podium; and that as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from assistant.hall.tournament.acts import Format, TableAssigned, notable_rules
from assistant.hall.tournament.engine import under_way
from assistant.hall.tournament.model import (
    BYE,
    LoserOf,
    Match,
    Pair,
    PlaceOf,
    Player,
    SecondChance,
    Slot,
    Tournament,
    WinnerOf,
)
from assistant.hall.tournament.ranking import Resolver, StandingRow, standings

# ---- What can be played, what waits, who won, and which table a match gets ----------------------


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
    if not tournament.order or tournament.rounds < tournament.options.rounds:
        return False
    resolver = Resolver(tournament)
    return all(resolver.outcome(match) is not None for match in tournament.matches)


def podium(tournament: Tournament) -> Podium | None:
    """Who came first, second and third; None while anything is still to be decided."""
    if not finished(tournament):
        return None
    if tournament.format in {Format.ROBIN, Format.SWISS}:
        first, second, third, *_ = [*[(row.pair,) for row in standings(tournament)], (), ()]
        return Podium(first, second, third)
    resolver = Resolver(tournament)
    if tournament.format is Format.DOUBLE:
        return _of_double(tournament, resolver)
    return _of_knock_out(tournament, resolver)


def assign(tournament: Tournament, free_tables: Iterable[str]) -> tuple[TableAssigned, ...]:
    """Tables for the matches that can begin now, in the order of play and of ``free_tables``.

    A pair plays one match at a time. Tables where a match is under way are skipped. Each act may
    follow the ones before it.
    """
    resolver = Resolver(tournament)
    playing = under_way(tournament, resolver)
    busy = {player for match in playing for player in resolver.players(match)}
    taken = set(playing.values())
    tables = iter([table for table in dict.fromkeys(free_tables) if table not in taken])
    called = []
    for match in _ready(tournament, resolver):
        pairs = resolver.players(match.id)
        if match.id in playing or not busy.isdisjoint(pairs):
            continue
        table = next(tables, None)
        if table is None:
            break
        busy.update(pairs)
        called.append(TableAssigned(match.id, table))
    return tuple(called)


def _ready(tournament: Tournament, resolver: Resolver) -> list[Match]:
    return [
        match
        for match in tournament.matches.values()
        if match.id not in tournament.results
        and all(isinstance(player, int) for player in resolver.players(match.id))
        and resolver.outcome(match.id) is None
    ]


def _of_knock_out(tournament: Tournament, resolver: Resolver) -> Podium:
    matches = list(tournament.matches.values())
    final = _ended(resolver, matches[-1])
    bronze = [match for match in matches if match.stage == "bronze"]
    if bronze:
        return Podium(*final, _ended(resolver, bronze[0])[0])
    last_but_one = [
        m for m in matches if m.stage == "knockout" and m.round == matches[-1].round - 1
    ]
    lost = [pair for match in last_but_one for pair in _ended(resolver, match)[1]]
    return Podium(*final, tuple(lost))


def _of_double(tournament: Tournament, resolver: Resolver) -> Podium:
    *before, first, second = tournament.matches.values()
    champion, lost = _ended(resolver, second)
    runner_up = lost or _ended(resolver, first)[1]
    dropped = [match for match in before if match.stage == "losers"]
    return Podium(champion, runner_up, _ended(resolver, dropped[-1])[1] if dropped else ())


def _ended(resolver: Resolver, match: Match) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Winner and loser of a decided match, each none or one pair."""
    ended = resolver.outcome(match.id)
    assert ended is not None
    return _pairs(ended.winner), _pairs(ended.loser)


def _pairs(player: Player) -> tuple[int, ...]:
    return (player,) if isinstance(player, int) else ()


# ---- Who sits where in a match, and by which short name: a table knows a player by one word -----


MAX_NAME = 20
"""Letters of a name at a table; see ``assistant.language.script.read``."""


def seating(first: Pair, second: Pair) -> tuple[str, str, str, str]:
    """The names for seats 1 to 4: the first pair at 1 and 3, the second at 2 and 4.

    They are first names, if these differ; else first names with initials, or the whole names.
    """
    players = (first.players[0], second.players[0], first.players[1], second.players[1])
    for short in _SHORT:
        names = [short(_words(player)) for player in players]
        if len({name.casefold() for name in names}) == len(names):
            break
    else:  # two of the same name: numbered, as people do
        names = [f"{name[: MAX_NAME - 1]}{seat}" for seat, name in enumerate(names, 1)]
    return names[0], names[1], names[2], names[3]


def _words(player: str) -> list[str]:
    """The words of a name, without the characters that no table can say."""
    kept = "".join(c if c.isalnum() or c in "'-" else " " for c in player)
    words = [word for word in kept.split() if any(c.isalpha() for c in word)]
    return words or ["Jugador"]


_SHORT: Sequence[Callable[[list[str]], str]] = (
    lambda words: words[0][:MAX_NAME],
    lambda words: (words[0] + "".join(word[0] for word in words[1:]))[:MAX_NAME],
    lambda words: "".join(words)[:MAX_NAME],
)


# ---- The same as plain JSON values, for a page ---------------------------------------------------


class PairShown(TypedDict):
    """A pair; ``here``: it has not withdrawn."""

    pair: int
    name: str
    players: list[str]
    club: str
    seed: int | None
    here: bool


class SlotShown(TypedDict):
    """A place in a match: a pair, a bye, or the source of its pair.

    ``source`` is ["winner", "K1.1"], ["loser", "W1.1"], ["place", group, place], ["again"] (the
    loser of the first final, if a second one is needed) or [].
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
    short names of the players of each pair; [] while the pairs are not known.
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


class TournamentShown(TypedDict):
    """A whole tournament. ``stage``: "enrolling", "playing" or "over".

    ``rules`` are the rules of all its tables that are worth showing, ``profile`` is their name. {}:
    each table plays by its own rules.
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
    stage: str
    pairs: list[PairShown]
    matches: list[MatchShown]
    standings: list[list[RowShown]]
    podium: list[list[int]] | None


def shown(tournament: Tournament) -> TournamentShown:
    """The whole tournament; one of 2,600 pairs takes less than a second."""
    resolver = Resolver(tournament)
    ended = podium(tournament)
    options = tournament.options
    return {
        "name": tournament.name,
        "format": tournament.format,
        "juegos": options.juegos,
        "rounds": options.rounds,
        "paired": tournament.rounds,
        "groups": [list(group) for group in tournament.groups],
        "clubs_apart": options.clubs_apart,
        "tiebreaks": list(options.tiebreaks),
        "rules": notable_rules(options.rules),
        "profile": options.profile,
        "seed": tournament.seed,
        "stage": "over" if ended else "playing" if tournament.order else "enrolling",
        "pairs": [_pair(tournament, pair) for pair in tournament.pairs.values()],
        "matches": [_match(tournament, resolver, m) for m in tournament.matches.values()],
        "standings": _standings(tournament, resolver),
        "podium": [list(p) for p in (ended.first, ended.second, ended.third)] if ended else None,
    }


def _pair(tournament: Tournament, pair: Pair) -> PairShown:
    return {
        "pair": pair.number,
        "name": pair.name,
        "players": list(pair.players),
        "club": pair.club,
        "seed": pair.seed,
        "here": pair.number not in tournament.gone | tournament.withdrawn,
    }


def _match(tournament: Tournament, resolver: Resolver, match: Match) -> MatchShown:
    players, outcome = resolver.players(match.id), resolver.outcome(match.id)
    result = tournament.results.get(match.id)
    winner = outcome.winner if outcome and isinstance(outcome.winner, int) else None
    return {
        "match": match.id,
        "stage": match.stage,
        "round": match.round,
        "group": match.group,
        "slots": [_slot(*place) for place in zip(players, (match.a, match.b), strict=True)],
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


def _slot(player: Player, slot: Slot) -> SlotShown:
    source: list[str | int] = []
    match slot:
        case WinnerOf():
            source = ["winner", slot.match]
        case LoserOf():
            source = ["loser", slot.match]
        case PlaceOf():
            source = ["place", slot.group, slot.place]
        case SecondChance():
            source = ["again"]
    return {
        "pair": player if isinstance(player, int) else None,
        "bye": player is BYE,
        "source": source,
    }


def _standings(tournament: Tournament, resolver: Resolver) -> list[list[RowShown]]:
    """One list for each group, or one for all that play for points; none for a bracket."""
    if not tournament.order:
        return []
    if tournament.format is Format.GROUPS:
        return [_rows(resolver.group(n)) for n in range(1, len(tournament.groups) + 1)]
    if tournament.format in {Format.ROBIN, Format.SWISS}:
        return [_rows(resolver.standings())]
    return []


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
