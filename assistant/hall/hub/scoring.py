"""Scoring: results of matches from the tables' own journals, and the thread that takes them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from assistant.hall.hub.hour import WARN_S
from assistant.hall.hub.ledger import Ledger, Scored, Standing
from assistant.hall.hub.store import GameRow, JournalReader
from assistant.hall.hub.wire import Called
from assistant.hall.hub.worker import Worker
from assistant.hall.tournament import Act, ResultEntered, Tournament, players, seating
from assistant.hall.tournament.errors import normalized
from assistant.hall.tournament.house_rules import plays_by
from assistant.review.chronicle import chronicle
from assistant.rules.errors import HistoryError, MusError
from assistant.rules.history import Record, fold
from assistant.rules.profile import Profile
from assistant.rules.state import State

# ---- Results from the tables' own journals ------------------------------------------------------
# A result is taken automatically only if nothing is in doubt. The match was called to the table
# before the game was opened. The game is over, its journal folds, and nothing has changed for a
# while, because the last call may still be taken back. It was played for the right number of juegos
# and by the tournament's rules, if it has any. The names at the table are those of the two pairs.
# All other results have to be entered by hand; the referee sees why if the reason is the names, the
# juegos, the rules, or a sanction whose time is unknown. If the journal changes afterwards, the
# referee sees it. The result stays, because other matches may depend on it.


log = logging.getLogger("mus.hub.scoring")

SETTLED = 20.0
"""Seconds without a change of a finished game before its result is taken."""
COMPARED = 86_400.0
"""Seconds before the start of the hub: journals that changed since are compared with their
results."""
EVENING = 86_400.0
"""Seconds that a match stays called to a table: longer than the longest evening."""
CLOCK = 1.0
"""Seconds by which the clocks of several hub processes on one database may differ."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game ended, by side: A, B; ``profile`` has its house rules.

    ``vacas`` and ``juegos`` are those that were won at the end; of several vacas the juegos are
    those of the last. ``each`` has the side and the stones of every juego in order. ``over``: the
    game came to its end. ``given``: the juegos with which it was opened, by a referee's decision.
    """

    profile: Profile
    names: tuple[tuple[str, ...], tuple[str, ...]]
    juegos: tuple[int, int]
    stones: tuple[int, int]
    vacas: tuple[int, int] = (0, 0)
    each: tuple[tuple[str, tuple[int, ...]], ...] = ()
    over: bool = True
    given: tuple[int, ...] = ()


def played(records: Sequence[Record], unfinished: bool = False) -> Played | None:
    """How a finished game of two pairs ended; None for any other game. Raises HistoryError.

    With ``unfinished`` also how far a game came: a match in which juegos were given may be over
    before its game is.
    """
    state = fold(records)
    if state is None or state.sides != 2 or not (state.winner or unfinished):
        return None
    juegos = chronicle(records).juegos
    totals = [juego.totals for juego in juegos]
    return Played(
        profile=state.profile,
        names=(_names(state, "A"), _names(state, "B")),
        juegos=(state.juegos[0], state.juegos[1]),
        stones=(sum(t[0] for t in totals), sum(t[1] for t in totals)),
        vacas=(state.vacas[0], state.vacas[1]),
        each=tuple([(juego.side, juego.totals) for juego in juegos]),
        over=state.winner is not None,
        given=state.given,
    )


def result_of(tournament: Tournament, match: str, game: str, end: Played) -> ResultEntered | str:
    """The result of a match from a game at its table, or why the game may not be the match.

    The reason is "names", "rules", "juegos" or "given", whichever differs from the match; or
    "unfinished". The juegos that a pair was given by a penalty are added, unless the game was
    opened with them; once they suffice, the match is over. "given": the time of a sanction is
    unknown, and several times give different results; or the game ended by juegos that were taken
    back since.
    """
    given = tournament.given(match, players(tournament, match))
    if not end.over and not any(given):
        return "unfinished"
    pairs = [tournament.pairs[p] for p in players(tournament, match) if isinstance(p, int)]
    if len(pairs) != 2:
        return "names"
    there = [_people(names) for names in end.names]
    short = seating(*pairs)
    # The names as enrolled, or the short names that the table was given.
    ways = [[_people(pair.players) for pair in pairs], [_people(short[::2]), _people(short[1::2])]]
    if there not in ways and there[::-1] not in ways:
        return "names"
    if not plays_by(end.profile, tournament.options.rules):
        return "rules"
    vacas = tournament.stage_of(match).vacas
    if (end.profile.vacas, end.profile.juegos) != (vacas, tournament.juegos_of(match)):
        return "juegos"
    if there not in ways:
        end = _turned(end)
    won, stones = end.vacas if vacas > 1 else end.juegos, end.stones
    if any(given) or any(end.given):
        readings = _readings(tournament, match, end)
        if len(readings) > 1:
            return "given" if end.over or None not in readings else "unfinished"
        (reached,) = readings
        if reached is None:
            return "given" if end.over else "unfinished"
        won, stones = reached
    if max(won) != tournament.needed(match):
        return "juegos"
    return ResultEntered(match, won, stones, by=tournament.tables[match], game=game)


def _turned(end: Played) -> Played:
    """The same game with its sides in the other order."""
    return replace(
        end,
        names=end.names[::-1],
        juegos=end.juegos[::-1],
        stones=end.stones[::-1],
        vacas=end.vacas[::-1],
        given=end.given[::-1],
        each=tuple([("AB"[side == "A"], totals[::-1]) for side, totals in end.each]),
    )


Ended = tuple[tuple[int, int], tuple[int, int]]
"""The juegos or vacas that two pairs won, and their stones."""
TOO_LATE: Ended = ((-1, -1), (-1, -1))
"""The end of a reading in which a sanction came after the match: then it would cost nothing."""
MOST_READINGS = 2
"""The most juegos lost by sanctions at unknown times for which all readings are compared."""


def _readings(tournament: Tournament, match: str, end: Played) -> set[Ended | None]:
    """The possible ends of a match with juegos given; None for a reading in which it is not over.

    A lateness comes before the first deal, and so do the juegos that the game was opened with. The
    journal does not say when a sanction came: before which juego, or after the last.
    """
    pairs = players(tournament, match)
    late, given = tournament.given(match, pairs, late=True), tournament.given(match, pairs)
    opened = end.given or (0, 0)
    first = [
        min(all_, max(before, known))
        for all_, before, known in zip(given, late, opened, strict=True)
    ]
    left = [side for side in (0, 1) for _ in range(given[side] - first[side])]
    if len(left) > MOST_READINGS:
        return {None, ((0, 0), (0, 0))}  # too many readings to compare
    places = range(len(end.each) + 1)
    readings = [
        _played_out(end, (first[0], first[1]), sorted(zip(when, left, strict=True)))
        for when in product(places, repeat=len(left))
    ]
    return {reading for reading in readings if reading != TOO_LATE}


def _played_out(
    end: Played, first: tuple[int, int], added: Sequence[tuple[int, int]]
) -> Ended | None:
    """The juegos or vacas won, and the stones, when a pair had enough; None if none has.

    ``first``: the juegos before the first deal. ``added``: more of them, each as the number of
    juegos that were played before it, and its side. It is ``TOO_LATE`` if one comes after the end.
    """
    needed, vacas_needed = end.profile.juegos, end.profile.vacas
    vacas = [juegos // needed for juegos in first]
    juegos = [juegos % needed for juegos in first]
    stones = [0, 0]
    # Every juego in order: its side, its stones, and whether it was added.
    course: list[tuple[int, tuple[int, ...], bool]] = []
    for place in range(len(end.each) + 1):
        course += [(side, (0, 0), True) for at, side in added if at == place]
        course += [
            ("AB".index(side), totals, False) for side, totals in end.each[place : place + 1]
        ]
    for place, (side, totals, _) in enumerate(course, 1):
        juegos[side] += 1
        stones = [stones[at] + totals[at] for at in (0, 1)]
        if juegos[side] < needed:
            continue
        vacas[side] += 1
        if vacas[side] == vacas_needed:
            if any(is_added for *_, is_added in course[place:]):
                return TOO_LATE
            won = vacas if vacas_needed > 1 else juegos
            return (won[0], won[1]), (stones[0], stones[1])
        juegos = [0, 0]
    return None


def called(standing: Standing, now: float) -> dict[str, Called]:
    """The match that each table of a tournament is called to play and that has no result yet.

    ``now`` is the hub's clock. A call ends after ``EVENING`` seconds, so that a tournament that
    nobody finished holds no table.
    """
    tournament = standing.tournament
    found: dict[str, Called] = {}
    for match, table in tournament.tables.items():
        pairs = [tournament.pairs[p] for p in players(tournament, match) if isinstance(p, int)]
        lasts = standing.called[match] > now - EVENING
        if lasts and match not in tournament.results and len(pairs) == 2:
            name = f"{tournament.name} {match}"
            juegos, vacas = tournament.juegos_of(match), tournament.stage_of(match).vacas
            seats = seating(*pairs)
            given = tournament.given(match, players(tournament, match))
            rules, ends = tournament.options.rules, _soon(tournament, now)
            found[table] = Called(name, seats, juegos, rules, vacas, given, ends)
    return found


def _soon(tournament: Tournament, now: float) -> int:
    """When the round ends by itself, if that is near enough to be sent to the tables; else 0."""
    stops = tournament.times is not None and tournament.times.stops
    near = 0 < tournament.ends - now <= WARN_S and tournament.ends != tournament.ended
    return tournament.ends if stops and near else 0


class Scorer:
    """Takes the results of all tournaments from the tables' journals."""

    def __init__(
        self,
        ledger: Ledger,
        reader: JournalReader,
        settled: float = SETTLED,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._ledger = ledger
        self._reader = reader
        self._settled = settled
        self._clock = clock
        self._seen: set[tuple[int, int, tuple[int, int]]] = set()
        self._touched: dict[tuple[str, str], GameRow] = {}
        self._ends: dict[tuple[int, int, bool], Played | None] = {}
        self._since = clock() - COMPARED
        self.called: dict[str, Called] = {}
        """By table: the match that it is called to play, as of the last look."""
        self.named: frozenset[str] = frozenset()
        """Every table that a tournament ever named."""
        self.doubts: dict[int, frozenset[str]] = {}
        """By tournament: the matches whose journals contradict their results."""
        self.left: dict[int, dict[str, str]] = {}
        """By tournament: the matches whose finished game was not taken, and why not."""
        self._misfits: dict[tuple[int, str], tuple[GameRow, str]] = {}

    def score(self) -> int:
        """Enter every result that can be taken; returns how many. Raises DatabaseError."""
        entered = 0
        calls: dict[str, Called] = {}
        doubts: dict[int, frozenset[str]] = {}
        left: dict[int, dict[str, str]] = {}
        found = self._ledger.readable()
        if any(
            result.game for standing in found for result in standing.tournament.results.values()
        ):
            self._follow()
        for standing in found:
            for match, table in standing.tournament.tables.items():
                if match not in standing.tournament.results:
                    entered += self._score(standing, match, table)
            now = self._ledger.standing(standing.id)
            calls |= called(now, self._clock())
            told = Scored(frozenset(self._doubtful(standing)), dict(self._left(now)))
            doubts[standing.id], left[standing.id] = told.doubts, dict(told.left)
            known = standing.id in self.doubts
            if not known or (self.doubts[standing.id], self.left[standing.id]) != (
                told.doubts,
                told.left,
            ):
                self._ledger.tell_scored(standing.id, told)
        self.called, self.doubts, self.left = calls, doubts, left
        self.named = frozenset().union(*[standing.named for standing in found])
        return entered

    def _follow(self) -> None:
        now = self._clock()
        for row in self._reader.changed(self._since):
            self._touched[row.table, row.game] = row
        self._since = now - SETTLED

    def _doubtful(self, standing: Standing) -> Iterator[str]:
        for match, result in standing.tournament.results.items():
            row = self._touched.get((result.by, result.game))
            if row is None or row.touched <= standing.entered[match] - CLOCK:
                continue
            end = self._end(row, _given(standing.tournament, match))
            told = result_of(standing.tournament, match, row.game, end) if end else ""
            if not isinstance(told, ResultEntered) or (told.juegos, told.stones) != (
                result.juegos,
                result.stones,
            ):
                yield match

    def _left(self, standing: Standing) -> Iterator[tuple[str, str]]:
        for match, table in standing.tournament.tables.items():
            game, why = self._misfits.get((standing.id, match), (None, ""))
            if game is None or game.table != table or match in standing.tournament.results:
                continue
            if game.opened >= standing.called[match] - CLOCK:
                yield match, why

    def _end(self, row: GameRow, unfinished: bool) -> Played | None:
        place = (row.id, row.stored, unfinished)
        if place not in self._ends:
            try:
                records = self._reader.records(row.id, 0, row.stored)
                self._ends[place] = played(records, unfinished)
            except HistoryError:
                self._ends[place] = None
            except MusError:
                raise
            except Exception:  # whatever it is, it concerns this journal and no other match
                log.exception("%s, %s was never foreseen.", row.table, row.game)
                self._ends[place] = None
        return self._ends[place]

    def _score(self, standing: Standing, match: str, table: str) -> bool:
        since = standing.called[match] - CLOCK
        # A juego that is given later may end a match whose pairs have stopped already.
        given = standing.tournament.given(match, players(standing.tournament, match))
        games = [game for game in self._reader.games(table) if game.opened >= since]
        for game in games:
            if game.touched > self._clock() - self._settled:
                continue
            place = game.id, game.stored, given
            if place in self._seen or game.fault or game.highest > game.stored:
                continue
            self._seen.add(place)
            if self._enter(standing, match, game):
                return True
        return False

    def _enter(self, standing: Standing, match: str, game: GameRow) -> bool:
        end = self._end(game, _given(standing.tournament, match))
        if end is None:
            return False
        done: list[Act] = []

        def make(tournament: Tournament) -> Sequence[Act]:
            done.clear()
            if match in tournament.tables and match not in tournament.results:
                result = result_of(tournament, match, game.game, end)
                if isinstance(result, ResultEntered):
                    done.append(result)
                elif end.over or result == "given":
                    self._misfits[standing.id, match] = game, result
                elif self._misfits.get((standing.id, match), (game,))[0].id == game.id:
                    self._misfits.pop((standing.id, match), None)  # they play on
            return done

        self._ledger.do(standing.id, make)
        return bool(done)


def _given(tournament: Tournament, match: str) -> bool:
    """Whether a pair of a match was given juegos by a penalty of the other one."""
    return any(tournament.given(match, players(tournament, match)))


def _names(state: State, side: str) -> tuple[str, ...]:
    return tuple([state.seats[seat - 1] for seat in sorted(state.seats_of(side))])


def _people(names: Sequence[str]) -> set[str]:
    return {normalized(name) for name in names}


# ---- The thread that takes results, and sends each table its match ------------------------------


LOOK_EVERY_S = 5.0
"""Seconds between two looks."""


class ScoringThread:
    """A scorer that looks every few seconds while it is this process's turn."""

    def __init__(
        self,
        scorer: Scorer,
        tell: Callable[[str, Called | None], bool],
        there: Callable[[], Mapping[str, float | None]] = dict,
    ) -> None:
        """``tell`` sends a table its match, or that it has none; it returns False if it cannot.

        ``there`` lists the tables of the hall, each with the time since when it is online, or None.
        A table that comes back gets its match again, because the broker does not retain the message
        that a table has none.
        """
        self._scorer = scorer
        self._tell = tell
        self._there = there
        self._told: dict[str, Called | None] = {}
        self._since: dict[str, float] = {}
        self.turn = False
        """Whether this process scores; one of the hall does."""
        self._thread = Worker("scoring", self._step)

    def start(self) -> None:
        """Start to score."""
        self._thread.start()

    def stop(self) -> None:
        """Stop and wait for the end of the present round of scoring."""
        self._thread.ends.set()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.alive

    def forget(self) -> None:
        """Send every table its match again: a restarted broker may have lost retained messages."""
        self._told = {}

    def _step(self) -> None:
        if self._thread.ends.wait(LOOK_EVERY_S) or not self.turn:
            return
        try:
            if entered := self._scorer.score():
                log.info("%d results came from the tables.", entered)
            self._call()
        except MusError as error:
            log.error("No results are taken now: %s", error)

    def _call(self) -> None:
        wanted, told = self._scorer.called, self._told
        # Also tables without a match: the broker may retain an older call for them.
        there = self._there()
        for table in {*told, *wanted, *self._scorer.named, *there}:
            match, since = wanted.get(table), there.get(table)
            back = since is not None and since != self._since.get(table)
            known = table in told and told[table] == match
            if (back or not known) and self._tell(table, match):
                told[table] = match
                if since is not None:
                    self._since[table] = since
