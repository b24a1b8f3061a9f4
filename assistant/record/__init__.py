"""The record of a match for a dispute: what was said, what was inferred, what counted and why.

Made from the journal's records and its heard log; every number is the journal's, and is counted
again to see whether it is right. Rank 1. See ``docs/record.md``.
"""

from assistant.record.build import MOST_DEALS, NoSuchDealError, build
from assistant.record.data import as_json
from assistant.record.extract import deal_script, match_script
from assistant.record.markdown import clean, markdown
from assistant.record.notes import Note
from assistant.record.shape import MatchTold
from assistant.record.words import RecordWordsError, Words, words_from

__all__ = [
    "MOST_DEALS",
    "MatchTold",
    "NoSuchDealError",
    "Note",
    "RecordWordsError",
    "Words",
    "as_json",
    "build",
    "clean",
    "deal_script",
    "markdown",
    "match_script",
    "words_from",
]
