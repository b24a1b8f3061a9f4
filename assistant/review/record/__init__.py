"""The record of a match for a dispute: what was said, what was inferred, what counted and why.

It is made from the journal's records and its heard log. Every number is the journal's, and a
recount checks whether it is right. See ``docs/record.md``.
"""

from assistant.review.record.build import (
    MOST_DEALS,
    NoSuchDealError,
    build,
    deal_script,
    match_script,
)
from assistant.review.record.markdown import SHAPE, clean, markdown
from assistant.review.record.sections import Note
from assistant.review.record.shape import MatchTold, as_json

__all__ = [
    "MOST_DEALS",
    "SHAPE",
    "MatchTold",
    "NoSuchDealError",
    "Note",
    "as_json",
    "build",
    "clean",
    "deal_script",
    "markdown",
    "match_script",
]
