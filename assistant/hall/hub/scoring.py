"""Results out of the tables' own journals, and the thread that takes them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from assistant.hall.hub.ledger import Ledger, Standing
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

# ---- Results out of the tables' own journals ----------------------------------------------------
# A result is taken by itself only where there is nothing to doubt: the match was called to the
# table before the game was opened, the game is over, adds up and has been left alone for a while
# (who won may still be taken back), it was played for as many juegos and by the tournament's
# rules, if it has any, and the names at the table are those of the two pairs. Anything else
# somebody has to enter; the referee is told why where it is the names, the juegos or the rules.
# Where the journal tells another end afterwards, the referee is told of it; the result stays, for
# others may have played on by it.


log = logging.getLogger("mus.hub.scoring")

SETTLED = 20.0
"""Seconds that a finished game has to be left alone."""
COMPARED = 86_400.0
"""Seconds back from the start in which a journal that changed after its result is looked for."""
EVENING = 86_400.0
"""Seconds that a match is called to a table, the longest evening included."""
CLOCK = 1.0
"""Seconds that clocks of several hub processes on one database may differ."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game ended, by side: A, B; ``profile`` is by which house rules."""

    profile: Profile
    names: tuple[tuple[str, ...], tuple[str, ...]]
    juegos: tuple[int, int]
    stones: tuple[int, int]


def played(records: Sequence[Record]) -> Played | None:
    """How a finished game of two pairs ended; None for any other. Raises HistoryError."""
    state = fold(records)
    if state is None or state.winner is None or state.sides != 2 or state.profile.vacas > 1:
        return None
    totals = [juego.totals for juego in chronicle(records).juegos]
    return Played(
        profile=state.profile,
        names=(_names(state, "A"), _names(state, "B")),
        juegos=(state.juegos[0], state.juegos[1]),
        stones=(sum(t[0] for t in totals), sum(t[1] for t in totals)),
    )


def result_of(tournament: Tournament, match: str, game: str, end: Played) -> ResultEntered | str:
    """The result of a match by a game at its table; why it is not plainly its game where not.

    That is "names", "rules" or "juegos": what was otherwise than it should have been.
    """
    pairs = [tournament.pairs[p] for p in players(tournament, match) if isinstance(p, int)]
    if len(pairs) != 2:
        return "names"
    there = [_people(names) for names in end.names]
    short = seating(*pairs)
    # As they enrolled, or by the short names that the table was told.
    ways = [[_people(pair.players) for pair in pairs], [_people(short[::2]), _people(short[1::2])]]
    if there not in ways and there[::-1] not in ways:
        return "names"
    if not plays_by(end.profile, tournament.options.rules):
        return "rules"
    if max(end.juegos) != tournament.options.juegos:
        return "juegos"
    juegos, stones = end.juegos, end.stones
    if there not in ways:
        juegos, stones = juegos[::-1], stones[::-1]
    return ResultEntered(match, juegos, stones, by=tournament.tables[match], game=game)


def called(standing: Standing, now: float) -> dict[str, Called]:
    """What each table of a tournament is to be told: its match that has no result yet.

    ``now``: a call ends with its evening; a tournament which nobody finished holds no table.
    """
    tournament = standing.tournament
    found: dict[str, Called] = {}
    for match, table in tournament.tables.items():
        pairs = [tournament.pairs[p] for p in players(tournament, match) if isinstance(p, int)]
        lasts = standing.called[match] > now - EVENING
        if lasts and match not in tournament.results and len(pairs) == 2:
            name = f"{tournament.name} {match}"
            options = tournament.options
            found[table] = Called(name, seating(*pairs), options.juegos, options.rules)
    return found


class Scorer:
    """Takes the results of all tournaments from the tables."""

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
        self._seen: set[tuple[int, int]] = set()
        self._touched: dict[tuple[str, str], GameRow] = {}
        self._ends: dict[tuple[int, int], Played | None] = {}
        self._since = clock() - COMPARED
        self.called: dict[str, Called] = {}
        """By table: the match that it is to play, as of the last look."""
        self.named: frozenset[str] = frozenset()
        """Every table that a tournament ever named."""
        self.doubts: dict[int, frozenset[str]] = {}
        """By tournament: matches whose tables' journals tell another end than their results."""
        self.left: dict[int, dict[str, str]] = {}
        """By tournament: matches whose tables ended a game that was not taken, and why not."""
        self._misfits: dict[tuple[int, str], tuple[GameRow, str]] = {}

    def score(self) -> int:
        """Enter what can be entered; returns how many results. Raises DatabaseError."""
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
            doubts[standing.id] = frozenset(self._doubtful(standing))
            left[standing.id] = dict(self._left(now))
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
            end = self._end(row)
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

    def _end(self, row: GameRow) -> Played | None:
        place = (row.id, row.stored)
        if place not in self._ends:
            try:
                self._ends[place] = played(self._reader.records(row.id, 0, row.stored))
            except HistoryError:
                self._ends[place] = None
            except MusError:
                raise
            except Exception:  # whatever it is, it is this journal's, and no other match's
                log.exception("%s, %s was never foreseen.", row.table, row.game)
                self._ends[place] = None
        return self._ends[place]

    def _score(self, standing: Standing, match: str, table: str) -> bool:
        since = standing.called[match] - CLOCK
        games = [game for game in self._reader.games(table) if game.opened >= since]
        for game in games:
            if game.touched > self._clock() - self._settled:
                continue
            if (game.id, game.stored) in self._seen or game.fault or game.highest > game.stored:
                continue
            self._seen.add((game.id, game.stored))
            if self._enter(standing, match, game):
                return True
        return False

    def _enter(self, standing: Standing, match: str, game: GameRow) -> bool:
        end = self._end(game)
        if end is None:
            return False
        done: list[Act] = []

        def make(tournament: Tournament) -> Sequence[Act]:
            done.clear()
            if match in tournament.tables and match not in tournament.results:
                result = result_of(tournament, match, game.game, end)
                if isinstance(result, ResultEntered):
                    done.append(result)
                else:
                    self._misfits[standing.id, match] = game, result
            return done

        self._ledger.do(standing.id, make)
        return bool(done)


def _names(state: State, side: str) -> tuple[str, ...]:
    return tuple([state.seats[seat - 1] for seat in sorted(state.seats_of(side))])


def _people(names: Sequence[str]) -> set[str]:
    return {normalized(name) for name in names}


# ---- The thread that takes results, and lets each table know its match --------------------------


LOOK_EVERY_S = 5.0
"""Seconds between two looks."""


class ScoringThread:
    """A scorer that looks now and then."""

    def __init__(
        self,
        scorer: Scorer,
        tell: Callable[[str, Called | None], bool],
        there: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """``tell``: lets a table know its match, or that it has none; False where it cannot.

        ``there``: the tables of the hall.
        """
        self._scorer = scorer
        self._tell = tell
        self._there = there
        self._told: dict[str, Called | None] = {}
        self._thread = Worker("scoring", self._step)

    def start(self) -> None:
        """Score from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End it."""
        self._thread.ends.set()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether it scores."""
        return self._thread.alive

    def forget(self) -> None:
        """The broker may have forgotten what it was told, or never have heard it: tell it all."""
        self._told = {}

    def _step(self) -> None:
        if self._thread.ends.wait(LOOK_EVERY_S):
            return
        try:
            if entered := self._scorer.score():
                log.info("%d results came from the tables.", entered)
            self._call()
        except MusError as error:
            log.error("No results are taken now: %s", error)

    def _call(self) -> None:
        wanted, told = self._scorer.called, self._told
        # Also those that have no match: what the broker keeps for them may be older than we are.
        for table in {*told, *wanted, *self._scorer.named, *self._there()}:
            match = wanted.get(table)
            known = table in told and told[table] == match
            if not known and self._tell(table, match):
                told[table] = match
