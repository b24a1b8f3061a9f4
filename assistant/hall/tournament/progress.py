"""The progress of a tournament: open matches, tables for them, seats, and the podium."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from assistant.hall.tournament.acts import Format, TableAssigned
from assistant.hall.tournament.engine import under_way
from assistant.hall.tournament.model import Match, Pair, Player, Tournament
from assistant.hall.tournament.ranking import Resolver, standings

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
