"""The words of a report: one TOML file for each language, which players may edit."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.chronicle import Words, words_from
from assistant.report.plots import WHYS
from assistant.report.shape import CALLS
from assistant.rules.phases import Lance

DECISION = "name deal match lance n chance needed"

SHAPE: dict[str, str] = {
    "names.comma": "",
    "names.and": "first last",
    "names.and_soft": "first last",
    "names.soft_before": "",
    "stones.one": "",
    "stones.many": "n",
    "title": "",
    "evening": "date",
    "played": "deals juegos matches",
    "column.pair": "",
    "column.juegos": "",
    "column.stones": "",
    "column.dejes_won": "",
    "column.dejes_given": "",
    "column.ordagos": "",
    "cell.dejes": "n stones",
    "cell.ordagos": "n won refused",
    "best.title": "",
    "dearest.title": "",
    "decision.wanted": DECISION,
    "decision.refused": DECISION,
    "decision.wanted_ordago": DECISION,
    "decision.refused_ordago": DECISION,
    "decision.won": "",
    "decision.lost": "",
    "decision.match": "match",
    "decision.none": "",
    "player.played": "deals mano mus cut",
    "player.dejes": "won won_stones given given_stones",
    "player.bets": "won won_stones lost lost_stones",
    "player.answers": "won won_stones lost lost_stones",
    "player.ordagos": "made won lost refused",
    "player.wanted_ordagos": "won lost",
    "player.odds": "above below refused_above refused_below",
    "player.gain": "stones",
    "player.loss": "stones",
    "player.even": "",
    "player.disproved": "n",
    "player.best_lance": "lance stones",
    "read.title": "",
    "read.odds": "",
    "read.ordago": "",
    "read.cards": "hidden",
    "read.shared": "",
    "plot.stones": "",
    "plot.stones_told": "why pair n",
    "plot.calls": "name",
    "plot.calls_told": "lance call n",
    "plot.odds": "name",
    "plot.odds_told": "n what where",
    "plot.wanted": "",
    "plot.refused": "",
    "plot.needed": "",
    "plot.held": "",
    "plot.above": "",
    "plot.below": "",
    **{f"lance.{lance}": "" for lance in Lance},
    **{f"call.{call}": "" for call in CALLS},
    **{f"why.{why}": "" for why in WHYS},
}
"""Every text and the words that the code fills into it."""


def report_words(mapping: Mapping[str, object]) -> Words:
    """Check a parsed file. Raises ChronicleWordsError with one sentence of what is wrong."""
    return words_from(mapping, SHAPE)
