"""The words of the table: from what was heard to calls, in the context of the deal.

Rank 1: it is given the parsed files ``models/lexicon/<language>.toml`` and reads none itself.
"""

from assistant.lexicon.answers import QUESTIONS, Answer, Pick
from assistant.lexicon.breath import START
from assistant.lexicon.build import lexicon_from
from assistant.lexicon.chatter import Chatter, unknown_share
from assistant.lexicon.context import Context, Moment, Needs, context_of
from assistant.lexicon.errors import LexiconError
from assistant.lexicon.hearing import Hearing
from assistant.lexicon.lexicon import Lexicon
from assistant.lexicon.reading import Filler, GoesOn, Reading, Spoken, Talk, Why
from assistant.lexicon.text import UNKNOWN, fold, words_of

__all__ = [
    "QUESTIONS",
    "START",
    "UNKNOWN",
    "Answer",
    "Chatter",
    "Context",
    "Filler",
    "GoesOn",
    "Hearing",
    "Lexicon",
    "LexiconError",
    "Moment",
    "Needs",
    "Pick",
    "Reading",
    "Spoken",
    "Talk",
    "Why",
    "context_of",
    "fold",
    "lexicon_from",
    "unknown_share",
    "words_of",
]
