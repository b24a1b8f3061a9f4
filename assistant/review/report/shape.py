"""The facts of a report, also as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.review.chronicle import as_json
from assistant.rules.phases import Lance

# ---- The facts of an evening's report. Stones are whole numbers, chances 0 to 1 -----------------


CALLS = ("pass", "bet", "raise", "ordago", "accept", "refuse")
"""Kinds of call in a lance, as they are counted."""
MUS = ("mus", "cut")
"""Kinds of call before the lances."""

Cell = tuple[str, str]
"""A lance and a kind of call in it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer to a bet (accepted or refused) by a player whose cards were shown in the end.

    match, deal  which one of the evening, from 1; the deal's number
    accepted     whether he wanted it
    ordago       whether it was one; ``stones`` is 0 then
    stones       what accepting it agreed to; deje: what refusing it gave
    chance       that his pair wins the juego once he has accepted it
    needed       the same once he has refused it: accepting is the better choice from there
    gain         points of the juego that his choice is worth more than the other; < 0: less
    alone        judged by the cards alone: ``chance`` is that of the lance, ``gain`` is in stones
    won          whether his pair took the lance; None if that is unknown
    """

    match: int
    deal: int
    name: str
    lance: Lance
    accepted: bool
    ordago: bool
    stones: int
    deje: int
    chance: float
    needed: float
    gain: float
    won: bool | None
    alone: bool = False

    @property
    def above(self) -> bool:
        """Whether it was good enough to accept."""
        return self.chance >= self.needed


@dataclass(slots=True)
class Count:
    """The counts of one player; two counts of one player add up.

    calls           (lance, kind) -> how many; ("", "mus") and ("", "cut") before the lances
    dejes_won       his bets that were refused, with their stones; dejes_given: those he refused
    bets            his bets that were accepted and counted: won and lost, with their stones
    answers         the same of others' bets that he accepted
    ordagos         his own: "refused", "won", "lost"; accepted ones: "wanted won", "wanted lost"
    by_hand         stones that his own cards brought at the count, by lance
    disproved       declarations that his cards disproved
    """

    deals: int = 0
    mano: int = 0
    calls: Counter[Cell] = field(default_factory=Counter)
    dejes_won: int = 0
    deje_stones_won: int = 0
    dejes_given: int = 0
    deje_stones_given: int = 0
    bets: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    ordagos: Counter[str] = field(default_factory=Counter)
    by_hand: Counter[str] = field(default_factory=Counter)
    disproved: int = 0

    def add(self, other: Count) -> None:
        """Count another table's too."""
        self.deals += other.deals
        self.mano += other.mano
        self.calls.update(other.calls)
        self.dejes_won += other.dejes_won
        self.deje_stones_won += other.deje_stones_won
        self.dejes_given += other.dejes_given
        self.deje_stones_given += other.deje_stones_given
        self.bets.update(other.bets)
        self.answers.update(other.answers)
        self.ordagos.update(other.ordagos)
        self.by_hand.update(other.by_hand)
        self.disproved += other.disproved

    def called(self, kind: str) -> int:
        """How often he made a kind of call, in all lances."""
        return sum(count for (_, one), count in self.calls.items() if one == kind)


@dataclass(frozen=True, slots=True)
class PlayerTold:
    """One player's evening."""

    name: str
    count: Count
    decisions: tuple[Decision, ...]

    def judged(self, *, accepted: bool, above: bool) -> int:
        """How many bets he wanted (or refused) above (or below) the odds."""
        return sum(one.accepted == accepted and one.above == above for one in self.decisions)

    @property
    def gain(self) -> float:
        """Points of the juego that his answers are worth more than the opposite ones."""
        return sum(one.gain for one in self.decisions if not one.alone)

    @property
    def gain_alone(self) -> float:
        """Stones that they are worth more, of those that the cards alone judge."""
        return sum(one.gain for one in self.decisions if one.alone)


@dataclass(frozen=True, slots=True)
class PairTold:
    """The evening of a pair, or of a player who plays alone.

    stones   the stones it took, by lance; "": those of no lance (penalties, corrections, pedretes)
    shared   the stones it took at the count if nobody knows whose cards won them
    """

    names: tuple[str, ...]
    juegos: int
    matches: int
    stones: Mapping[str, int]
    by_why: Mapping[str, int]
    shared: int
    players: tuple[PlayerTold, ...]

    @property
    def total(self) -> int:
        """All its stones."""
        return sum(self.stones.values())


@dataclass(frozen=True, slots=True)
class EveningReport:
    """An evening: its matches together. ``began`` and ``ended`` are Unix seconds.

    best, dearest  the decisions that brought most, and cost most, on average
    hidden         bets answered with a hand that was never shown, so that no odds are known
    """

    began: float
    ended: float
    matches: int
    deals: int
    juegos: int
    pairs: tuple[PairTold, ...]
    best: tuple[Decision, ...]
    dearest: tuple[Decision, ...]
    hidden: int

    @property
    def players(self) -> tuple[PlayerTold, ...]:
        """All players, pair by pair."""
        return tuple(player for pair in self.pairs for player in pair.players)


# ---- A report as plain values, for JSON ---------------------------------------------------------


def report_json(report: EveningReport) -> dict[str, Any]:
    """All figures of a report; calls by lance, with "mus" and "cut" beside the lances."""
    return {
        "began": report.began,
        "ended": report.ended,
        "matches": report.matches,
        "deals": report.deals,
        "juegos": report.juegos,
        "hidden": report.hidden,
        "best": [as_json(one) for one in report.best],
        "dearest": [as_json(one) for one in report.dearest],
        "pairs": [_pair(pair) for pair in report.pairs],
    }


def _pair(pair: PairTold) -> dict[str, Any]:
    return {
        "names": list(pair.names),
        "juegos": pair.juegos,
        "matches": pair.matches,
        "stones": dict(pair.stones),
        "by_why": dict(pair.by_why),
        "shared": pair.shared,
        "players": [_player(player) for player in pair.players],
    }


def _player(player: PlayerTold) -> dict[str, Any]:
    return {
        "name": player.name,
        **_count(player.count),
        "gain": player.gain,
        "gain_alone": player.gain_alone,
        "decisions": [{**as_json(one), "above": one.above} for one in player.decisions],
    }


def _count(count: Count) -> dict[str, Any]:
    in_lances = {
        str(lance): {kind: n for (where, kind), n in sorted(count.calls.items()) if where == lance}
        for lance in Lance
    }
    return {
        "deals": count.deals,
        "mano": count.mano,
        "calls": {**in_lances, "mus": count.called("mus"), "cut": count.called("cut")},
        "dejes_won": {"times": count.dejes_won, "stones": count.deje_stones_won},
        "dejes_given": {"times": count.dejes_given, "stones": count.deje_stones_given},
        "bets": dict(count.bets),
        "answers": dict(count.answers),
        "ordagos": dict(count.ordagos),
        "by_hand": dict(count.by_hand),
        "disproved": count.disproved,
    }
