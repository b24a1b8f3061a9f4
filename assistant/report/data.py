"""A report as plain values, for JSON."""

from __future__ import annotations

from typing import Any

from assistant.chronicle import as_json
from assistant.report.shape import Count, PairTold, PlayerTold, Report
from assistant.rules.phases import Lance


def report_json(report: Report) -> dict[str, Any]:
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
