"""A tournament as a page shows it: plain JSON values."""

from __future__ import annotations

from typing import TypedDict

from assistant.hall.tournament.acts import Format
from assistant.hall.tournament.house_rules import notable_rules
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
from assistant.hall.tournament.progress import podium, seating
from assistant.hall.tournament.ranking import Resolver, StandingRow


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
