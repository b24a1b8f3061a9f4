"""Tournaments in the database: their acts, appended in order, and described for people."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from assistant.hall.hub.database import ACTS, SCORED, TOURNAMENTS, database_errors
from assistant.hall.tournament import (
    Act,
    BothLost,
    CallSettled,
    MatchMoved,
    MatchStopped,
    MatchVoided,
    Opened,
    PairCorrected,
    PairLate,
    PairWithdrawn,
    PenaltyLifted,
    RefereeCalled,
    Result,
    ResultCorrected,
    ResultCountersigned,
    ResultEntered,
    RoundResumed,
    Sanctioned,
    TableAssigned,
    Tournament,
    TournamentError,
    Walkover,
    act_from_json,
    act_to_dict,
    act_to_json,
    apply,
    fold,
    pair_name,
    players,
)
from assistant.messages.codec import CodecError

# ---- The ledger: acts are appended in order, and nothing is ever changed ------------------------


log = logging.getLogger("mus.hub.ledger")

TRIES = 20
"""Attempts at an append while other writers are quicker."""
RETRY_JITTER_S = 0.01
"""Longest random delay in seconds before an attempt, times the attempts so far (backoff)."""


class NoTournamentError(TournamentError):
    """There is no tournament of that number."""

    status = 404
    """The HTTP status."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An act with its seq. ``at`` is the hub's clock, in Unix seconds."""

    seq: int
    at: float
    act: Act


@dataclass(frozen=True, slots=True)
class Standing:
    """A tournament as its acts have made it. Times are Unix seconds of the hub's clock.

    ``called``: when each match was called to a table. ``entered``: when its result came.
    ``named``: every table that any match was ever called to.
    """

    id: int
    seq: int
    tournament: Tournament
    called: dict[str, float]
    entered: dict[str, float]
    named: frozenset[str]


@dataclass(frozen=True, slots=True)
class Listed:
    """A tournament in the list."""

    id: int
    name: str
    opened: float


@dataclass(frozen=True, slots=True)
class Scored:
    """The scorer's findings in the journals of a tournament, beside the results it entered.

    ``doubts``: the matches whose journals contradict their results. ``left``: the matches whose
    finished game was not taken as the result, and why.
    """

    doubts: frozenset[str] = frozenset()
    left: Mapping[str, str] = field(default_factory=dict)


class Ledger:
    """The tournaments of a hall; several processes may write at once."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        self.engine = engine
        self._reading = engine.execution_options(reads=True)
        self.clock = clock
        self._lock = RLock()
        self._known: dict[int, Standing] = {}
        self._complained: set[int] = set()

    def listed(self) -> list[Listed]:
        """All tournaments, the newest first. Raises DatabaseError."""
        with database_errors(self.engine), self._reading.connect() as connection:
            known = TOURNAMENTS.c
            rows = connection.execute(
                select(known.id, known.name, known.opened).order_by(known.id.desc())
            )
            return [Listed(*row) for row in rows]

    def open(self, opened: Opened) -> int:
        """Begin a tournament; returns its number.

        Raises TournamentError for a name that is taken, DatabaseError.
        """
        now = self.clock()
        try:
            with database_errors(self.engine), self.engine.begin() as connection:
                new = insert(TOURNAMENTS).values(name=opened.name, opened=now)
                number = connection.execute(new.returning(TOURNAMENTS.c.id)).scalar_one()
                row = {"tournament_id": number, "seq": 1, "at": now, "act": act_to_json(opened)}
                connection.execute(insert(ACTS).values(row))
        except Exception as error:
            if isinstance(error.__cause__, IntegrityError):
                raise TournamentError("tournament_taken", name=repr(opened.name)) from None
            raise
        return int(number)

    def entries(self, tournament: int, after: int = 0) -> list[LedgerEntry]:
        """The acts of a tournament after a seq. Raises DatabaseError, CodecError."""
        with database_errors(self.engine), self._reading.connect() as connection:
            rows = connection.execute(
                select(ACTS.c.seq, ACTS.c.at, ACTS.c.act)
                .where(ACTS.c.tournament_id == tournament, ACTS.c.seq > after)
                .order_by(ACTS.c.seq)
            ).all()
        return [LedgerEntry(seq, at, act_from_json(text)) for seq, at, text in rows]

    def standing(self, tournament: int) -> Standing:
        """A tournament as it is now.

        Raises NoTournamentError if there is none of that number, DatabaseError, CodecError.
        """
        with self._lock:
            known = self._known.get(tournament)
            new = self.entries(tournament, known.seq if known else 0)
            if known is None:
                if not new:
                    raise NoTournamentError("no_tournament", tournament=tournament)
                state = fold([entry.act for entry in new])
                times = _times(new, TableAssigned), _times(new, ResultEntered)
                known = Standing(tournament, new[-1].seq, state, *times, _named(new))
            elif new:
                state = known.tournament
                for entry in new:
                    state = apply(state, entry.act)
                called = {**known.called, **_times(new, TableAssigned)}
                entered = {**known.entered, **_times(new, ResultEntered)}
                named = known.named | _named(new)
                known = Standing(tournament, new[-1].seq, state, called, entered, named)
            self._known[tournament] = known
            return known

    def tell_scored(self, tournament: int, found: Scored) -> None:
        """Store what the scorer found. Raises DatabaseError."""
        told = json.dumps({"doubts": sorted(found.doubts), "left": dict(found.left)})
        with database_errors(self.engine), self.engine.begin() as connection:
            connection.execute(delete(SCORED).where(SCORED.c.tournament_id == tournament))
            connection.execute(insert(SCORED).values(tournament_id=tournament, told=told))

    def scored(self, tournament: int) -> Scored:
        """What the scorer found last. Raises DatabaseError."""
        with database_errors(self.engine), self._reading.connect() as connection:
            row = select(SCORED.c.told).where(SCORED.c.tournament_id == tournament)
            told = connection.execute(row).scalar()
        if told is None:
            return Scored()
        found = json.loads(told)
        return Scored(frozenset(found["doubts"]), found["left"])

    def readable(self) -> list[Standing]:
        """All tournaments as they are now, except those that cannot be read.

        Those come from a newer version, or today's rules refuse their acts; they are logged, and
        the others go on. Raises DatabaseError.
        """
        found: list[Standing] = []
        for listed in self.listed():
            try:
                found.append(self.standing(listed.id))
            except (TournamentError, CodecError) as error:
                if listed.id not in self._complained:
                    log.error("%s cannot be read: %s", listed.name, error)
                    self._complained.add(listed.id)
        return found

    def do(
        self,
        tournament: int,
        make: Callable[[Tournament], Sequence[Act]],
        beside: Callable[[Connection], None] | None = None,
    ) -> Standing:
        """Append the acts that ``make`` returns for the present tournament, all or nothing.

        ``beside`` writes what belongs to them in the same transaction. If another writer was
        quicker, ``make`` is asked again (optimistic concurrency). Raises TournamentError for acts
        that may not follow, DatabaseError.
        """
        for tries in range(TRIES):
            time.sleep(random.uniform(0, RETRY_JITTER_S) * tries)
            before = self.standing(tournament)
            acts = make(before.tournament)
            if not acts or self._append(before, acts, beside):
                return self.standing(tournament)
        raise TournamentError("busy")

    def _append(
        self,
        before: Standing,
        acts: Sequence[Act],
        beside: Callable[[Connection], None] | None,
    ) -> bool:
        """Write the acts; False if somebody else has written since ``before``."""
        state = before.tournament
        for act in acts:
            state = apply(state, act)
        now = self.clock()
        rows = [
            {"tournament_id": before.id, "seq": seq, "at": now, "act": act_to_json(act)}
            for seq, act in enumerate(acts, before.seq + 1)
        ]
        try:
            with database_errors(self.engine), self.engine.begin() as connection:
                connection.execute(insert(ACTS), rows)
                if beside:
                    beside(connection)
        except Exception as error:
            if isinstance(error.__cause__, IntegrityError):
                return False
            raise
        return True


def _named(entries: Sequence[LedgerEntry]) -> frozenset[str]:
    return frozenset([e.act.table for e in entries if isinstance(e.act, TableAssigned)])


def _times(
    entries: Sequence[LedgerEntry], kind: type[TableAssigned] | type[ResultEntered]
) -> dict[str, float]:
    """By match: when the last act of a kind was done."""
    return {e.act.match: e.at for e in entries if isinstance(e.act, kind)}


# ---- The act log for people: each act with its pairs, and with what it changed -------------------
# An act names a match and a score, no more. Who met in the match, what the score was before a
# correction and whose signature made it count follows from the acts before it.


Told = dict[str, Any]


@dataclass(slots=True)
class _Known:
    """A tournament as far as its acts were read; ``latest``: matches, the latest result last."""

    seq: int = 0
    tournament: Tournament | None = None
    told: list[Told] = field(default_factory=list)
    signed: dict[str, str] = field(default_factory=dict)
    latest: dict[str, None] = field(default_factory=dict)


class ActLog:
    """The acts of a hall's tournaments for people; each act is read once."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = RLock()
        self._known: dict[int, _Known] = {}

    def described(self, number: int) -> list[Told]:
        """All acts of a tournament in order: {"seq", "at", "act"}, with what ``_about`` adds."""
        return list(self._read(number).told)

    def signed(self, number: int) -> dict[str, str]:
        """By match: who countersigned its present result."""
        return dict(self._read(number).signed)

    def latest(self, number: int, most: int) -> list[str]:
        """The matches with a result, at most ``most``, the latest first."""
        return list(reversed(self._read(number).latest))[:most]

    def _read(self, number: int) -> _Known:
        with self._lock:
            known = self._known.setdefault(number, _Known())
            for entry in self._ledger.entries(number, known.seq):
                act = entry.act
                told = {"seq": entry.seq, "at": entry.at, "act": act_to_dict(act)}
                if known.tournament:
                    told |= _about(known.tournament, act)
                before = known.tournament.results if known.tournament else {}
                known.tournament = apply(known.tournament, act)
                known.told.append(told)
                known.seq = entry.seq
                _keep(known, act, before)
            return known


def _about(before: Tournament, act: Act) -> Told:
    """Facts about an act that it does not hold itself.

    "pairs": the names of the pairs that meet. "name": the name of the pair that it concerns.
    "was": the values before it, with the keys of an act.
    """
    match act:
        case PairCorrected():
            pair = before.pairs[act.pair]
            was = {"name": pair_name(pair), "players": list(pair.players), "club": pair.club}
            return {"name": pair_name(pair), "was": was | {"category": pair.category}}
        case PairWithdrawn():
            return {"name": pair_name(before.pairs[act.pair])}
        case Walkover():
            return _of_match(before, act.match) | {"name": pair_name(before.pairs[act.winner])}
        case TableAssigned():
            table = before.tables.get(act.match)
            return _names(before, act.match) | ({"was": {"table": table}} if table else {})
        case RefereeCalled() | CallSettled() | MatchMoved():
            return _names(before, act.match)
        case (
            ResultEntered() | ResultCountersigned() | ResultCorrected() | MatchVoided()
            | MatchStopped() | BothLost()
        ):  # fmt: skip
            return _of_match(before, act.match)
        case PairLate() | Sanctioned():
            told = _names(before, act.match) if act.match else {}
            return told | {"name": pair_name(before.pairs[act.pair])}
        case RoundResumed():
            return {"was": {"matches": len(before.stopped)}}
        case PenaltyLifted():
            penalty = before.penalties[act.number - 1]
            was = {"kind": penalty.kind, "article": penalty.article, "match": penalty.match}
            return {"name": pair_name(before.pairs[penalty.pair]), "was": was}
    return {}


def _of_match(before: Tournament, match: str) -> Told:
    result = before.results.get(match)
    told = _names(before, match)
    if result:
        told["was"] = {"juegos": list(result.juegos), "stones": list(result.stones)}
    return told


def _names(before: Tournament, match: str) -> Told:
    pairs = [before.pairs[pair] for pair in players(before, match) if isinstance(pair, int)]
    return {"pairs": [pair_name(pair) for pair in pairs]}


def _keep(known: _Known, act: Act, before: Mapping[str, Result]) -> None:
    assert known.tournament is not None
    now = known.tournament.results
    if now is before:
        return
    own = getattr(act, "match", "")  # an act without one may have opened several matches again
    for match in [own] if own else dict.fromkeys([*before, *now]):
        if before.get(match) is now.get(match):
            continue
        known.signed.pop(match, None)
        known.latest.pop(match, None)
        if match in now:
            known.latest[match] = None
    if isinstance(act, ResultCountersigned):
        known.signed[act.match] = act.by
