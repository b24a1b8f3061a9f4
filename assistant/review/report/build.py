"""The matches of an evening put together: the same player at two tables is one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from assistant.review.chronicle import Chronicle, chronicle
from assistant.review.chronicle.build import LOST, PEDRETE, TABLE
from assistant.review.report.shape import Count, Decision, EveningReport, PairTold, PlayerTold
from assistant.review.report.tally import TalliedMatch, count_match
from assistant.rules.errors import HistoryError
from assistant.rules.history import Record

SHOWN = 3
"""Decisions that are told as the best, and as the dearest."""
TRIFLE = 0.25
"""Stones below which a decision is neither."""

Names = tuple[str, ...]


def report(matches: Sequence[Sequence[Record]]) -> EveningReport:
    """The report of some matches, in their order; those without a deal are left out.

    Raises HistoryError where records do not fold, or there is nothing to report.
    """
    told = [(chronicle(records), records) for records in matches if records]
    played = [(one, records) for one, records in told if one.deals]
    if not played:
        raise HistoryError("Nothing was dealt in these matches.")
    pairs: dict[Names, _Pair] = {}
    hidden = 0
    for number, (one, records) in enumerate(played, start=1):
        counted = count_match(records, number)
        hidden += counted.hidden
        for side in one.table.letters:
            names = one.table.names(side)
            pairs.setdefault(tuple(sorted(names)), _Pair(names)).add(one, side, counted)
    found = tuple(pair.told() for pair in pairs.values())
    decided = sorted(
        (one for pair in found for player in pair.players for one in player.decisions),
        key=lambda one: one.gain,
    )
    return EveningReport(
        began=played[0][0].began,
        ended=played[-1][0].ended,
        matches=len(played),
        deals=sum(len(one.deals) for one, _ in played),
        juegos=sum(len(one.juegos) for one, _ in played),
        pairs=found,
        best=tuple(one for one in decided[::-1][:SHOWN] if one.gain > TRIFLE),
        dearest=tuple(one for one in decided[:SHOWN] if one.gain < -TRIFLE),
        hidden=hidden,
    )


class _Pair:
    """A pair while its matches are counted."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._juegos = self._matches = 0
        self._stones: Counter[str] = Counter()
        self._why: Counter[str] = Counter()
        self._counts = {name: Count() for name in names}
        self._decisions: dict[str, list[Decision]] = {name: [] for name in names}

    def add(self, told: Chronicle, side: str, counted: TalliedMatch) -> None:
        """Count a match of theirs, played as one of its sides."""
        self._juegos += sum(juego.side == side for juego in told.juegos)
        self._matches += told.winner == side
        for point in told.points:
            if point.side == side:
                self._stones[point.lance or ""] += point.stones
                self._why[point.why] += point.stones
        for seat, name in enumerate(told.table.seats):
            if told.table.side_of(seat + 1) == side:
                self._counts[name].add(counted.counts[seat])
                self._decisions[name] += counted.decisions[seat]

    def told(self) -> PairTold:
        """What came of it."""
        players = tuple(
            PlayerTold(name, self._counts[name], tuple(self._decisions[name]))
            for name in self._names
        )
        return PairTold(
            names=self._names,
            juegos=self._juegos,
            matches=self._matches,
            stones=_without_nothing(self._stones),
            by_why=_without_nothing(self._why),
            shared=self._at_the_count() - sum(_brought(player.count) for player in players),
            players=players,
        )

    def _at_the_count(self) -> int:
        """Stones that lances brought, dejes as well."""
        elsewhere = sum(self._why[why] for why in (PEDRETE, TABLE, LOST))
        return sum(self._why.values()) - elsewhere


def _brought(count: Count) -> int:
    """Stones that one player's cards and bets brought."""
    return sum(count.by_hand.values()) + count.deje_stones_won


def _without_nothing(counted: Counter[str]) -> Mapping[str, int]:
    return {key: count for key, count in counted.items() if count}
