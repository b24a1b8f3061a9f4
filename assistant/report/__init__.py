"""After the evening: what each player and pair called, won and gave away, and by which odds. Pure.

``report(matches)`` counts, ``blocks`` tells it in headings, sentences, tables and pictures, and
``inside`` writes those as HTML.
"""

from assistant.report.build import report
from assistant.report.data import report_json
from assistant.report.drawing import Dot, Drawing, Label, Line, Rect, to_svg
from assistant.report.page import inside
from assistant.report.shape import Decision, PairTold, PlayerTold, Report
from assistant.report.told import Block, Heading, Rows, Sentences, blocks
from assistant.report.words import report_words

__all__ = [
    "Block",
    "Decision",
    "Dot",
    "Drawing",
    "Heading",
    "Label",
    "Line",
    "PairTold",
    "PlayerTold",
    "Rect",
    "Report",
    "Rows",
    "Sentences",
    "blocks",
    "inside",
    "report",
    "report_json",
    "report_words",
    "to_svg",
]
