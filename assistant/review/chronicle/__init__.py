"""An evening of Mus in figures and pictures: who won what, when, and by which bet."""

from assistant.review.chronicle.build import chronicle
from assistant.review.chronicle.charts import lances_svg, score_svg
from assistant.review.chronicle.deal import deal_svg, deal_told
from assistant.review.chronicle.shape import SHAPE, Chronicle, DealTold, as_json, told

__all__ = [
    "SHAPE",
    "Chronicle",
    "DealTold",
    "as_json",
    "chronicle",
    "deal_svg",
    "deal_told",
    "lances_svg",
    "score_svg",
    "told",
]
