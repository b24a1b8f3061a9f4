"""The report of an evening: what players and pairs called, won and gave away, against the odds.

``report(matches)`` counts, ``blocks`` turns the result into headings, sentences, tables and
pictures, and ``inside`` writes those as HTML. Pure.
"""

from assistant.review.report.plots import Dot, Drawing, Label, PlotLine, Rect, to_svg
from assistant.review.report.shape import Decision, EveningReport, PairTold, PlayerTold, report_json
from assistant.review.report.tally import Weigh, WeighedAnswer, report, weigh_alone
from assistant.review.report.told import (
    SHAPE,
    Block,
    Heading,
    Rows,
    Sentences,
    blocks,
    dated,
    inside,
)

__all__ = [
    "SHAPE",
    "Block",
    "Decision",
    "Dot",
    "Drawing",
    "EveningReport",
    "Heading",
    "Label",
    "PairTold",
    "PlayerTold",
    "PlotLine",
    "Rect",
    "Rows",
    "Sentences",
    "Weigh",
    "WeighedAnswer",
    "blocks",
    "dated",
    "inside",
    "report",
    "report_json",
    "to_svg",
    "weigh_alone",
]
