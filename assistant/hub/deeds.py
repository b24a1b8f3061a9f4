"""What was done in a tournament as people ask for it: who it was about, and what held before.

An act names a match and a score, no more. Who met in it then, what it was before a correction and
whose signature made it count stand in the acts before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from assistant.hub.ledger import Ledger
from assistant.tournament import (
    Act,
    MatchVoided,
    PairCorrected,
    PairWithdrawn,
    ResultCorrected,
    ResultCountersigned,
    ResultEntered,
    TableAssigned,
    Tournament,
    Walkover,
    act_to_dict,
    apply,
    players,
)

Told = dict[str, Any]
Scored = ResultEntered | ResultCountersigned | ResultCorrected | Walkover


@dataclass(slots=True)
class _Known:
    """A tournament as far as its acts were read; ``latest``: its results, the last one last."""

    seq: int = 0
    tournament: Tournament | None = None
    told: list[Told] = field(default_factory=list)
    signed: dict[str, str] = field(default_factory=dict)
    latest: dict[str, None] = field(default_factory=dict)


class Deeds:
    """The acts of a hall's tournaments, each read once."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = RLock()
        self._known: dict[int, _Known] = {}

    def told(self, number: int) -> list[Told]:
        """All acts of a tournament in order: {"seq", "at", "act"}, and what ``_about`` adds."""
        return list(self._read(number).told)

    def signed(self, number: int) -> dict[str, str]:
        """By match: who countersigned the result that it has now."""
        return dict(self._read(number).signed)

    def latest(self, number: int, most: int) -> list[str]:
        """The matches that have a result, the last one first."""
        return list(reversed(self._read(number).latest))[:most]

    def _read(self, number: int) -> _Known:
        with self._lock:
            known = self._known.setdefault(number, _Known())
            for entry in self._ledger.entries(number, known.seq):
                act = entry.act
                told = {"seq": entry.seq, "at": entry.at, "act": act_to_dict(act)}
                if known.tournament:
                    told |= _about(known.tournament, act)
                known.tournament = apply(known.tournament, act)
                known.told.append(told)
                known.seq = entry.seq
                _keep(known, act)
            return known


def _about(before: Tournament, act: Act) -> Told:
    """What an act does not tell by itself.

    "pairs": the names of those who meet; "name": of the pair that it is about; "was": what held
    before it, in the words of an act.
    """
    match act:
        case PairCorrected():
            pair = before.pairs[act.pair]
            was = {"name": pair.name, "players": list(pair.players), "club": pair.club}
            return {"name": pair.name, "was": was}
        case PairWithdrawn():
            return {"name": before.pairs[act.pair].name}
        case Walkover():
            return _of_match(before, act.match) | {"name": before.pairs[act.winner].name}
        case TableAssigned():
            table = before.tables.get(act.match)
            return _names(before, act.match) | ({"was": {"table": table}} if table else {})
        case ResultEntered() | ResultCountersigned() | ResultCorrected() | MatchVoided():
            return _of_match(before, act.match)
    return {}


def _of_match(before: Tournament, match: str) -> Told:
    result = before.results.get(match)
    told = _names(before, match)
    if result:
        told["was"] = {"juegos": list(result.juegos), "stones": list(result.stones)}
    return told


def _names(before: Tournament, match: str) -> Told:
    pairs = [before.pairs[pair] for pair in players(before, match) if isinstance(pair, int)]
    return {"pairs": [pair.name for pair in pairs]}


def _keep(known: _Known, act: Act) -> None:
    if not isinstance(act, Scored | MatchVoided):
        return
    known.signed.pop(act.match, None)
    known.latest.pop(act.match, None)
    if isinstance(act, Scored):
        known.latest[act.match] = None
    if isinstance(act, ResultCountersigned):
        known.signed[act.match] = act.by
