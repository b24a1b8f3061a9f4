"""An evening of Mus in figures and pictures: who won what, when, and by which bet. Rank 1."""

from assistant.chronicle.bars import lances_svg
from assistant.chronicle.build import chronicle
from assistant.chronicle.data import as_json
from assistant.chronicle.layout import deal_svg, deal_told
from assistant.chronicle.score import score_svg
from assistant.chronicle.shape import Chronicle, DealTold
from assistant.chronicle.telling import told
from assistant.chronicle.words import ChronicleWordsError, Words, words_from

__all__ = [
    "Chronicle",
    "ChronicleWordsError",
    "DealTold",
    "Words",
    "as_json",
    "chronicle",
    "deal_svg",
    "deal_told",
    "lances_svg",
    "score_svg",
    "told",
    "words_from",
]
