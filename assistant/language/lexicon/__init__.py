"""The lexicon: turns the words of an utterance into calls, in the context of the deal.

It gets the parsed files ``models/<language>/lexicon.toml`` and reads no file itself.
"""

from assistant.language.lexicon.answers import SpokenAnswer
from assistant.language.lexicon.build import lexicon_from
from assistant.language.lexicon.context import Context, Moment, Needs, context_of
from assistant.language.lexicon.hearing import (
    START,
    Aside,
    BreathLink,
    Chatter,
    Filler,
    GoesOn,
    Hearing,
    Reading,
    Spoken,
    Talk,
    TalkReason,
    unknown_share,
)
from assistant.language.lexicon.lexicon import Lexicon
from assistant.language.lexicon.questions import QUESTIONS, OpenQuestion, Pick
from assistant.language.lexicon.text import UNKNOWN, LexiconError, fold, words_of

__all__ = [
    "QUESTIONS",
    "START",
    "UNKNOWN",
    "Aside",
    "BreathLink",
    "Chatter",
    "Context",
    "Filler",
    "GoesOn",
    "Hearing",
    "Lexicon",
    "LexiconError",
    "Moment",
    "Needs",
    "OpenQuestion",
    "Pick",
    "Reading",
    "Spoken",
    "SpokenAnswer",
    "Talk",
    "TalkReason",
    "context_of",
    "fold",
    "lexicon_from",
    "unknown_share",
    "words_of",
]
