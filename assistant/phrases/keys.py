"""Every sentence that a phrase file holds, with the words that the code fills into it.

The tables (``keys_said``, ``keys_shown``) are the contract between the code and the players who
edit the files: ``phrases_from`` refuses a file that lacks a sentence, has one too many, or asks for
a word that is not there.
"""

from __future__ import annotations

from assistant.phrases.keys_said import SAID
from assistant.phrases.keys_shown import SHOWN
from assistant.rules.cards import Rank
from assistant.rules.phases import Lance

ARTICLE_WORDS = frozenset({"name", "side", "rivals", "lance", "the"})
"""The offender, his side, the others; the lance as in "a pares", and as in "los pares"."""

ARTICLES = tuple(
    """
    1.4 1.5_out 1.5_short 1.6 1.7 4.1 4.2 4.6 4.7 4.8 5.1 5.2 5.3 5.5_void 5.5_limit 5.5_denied
    5.6 7.2 8.4 other
    """.split()
)
"""The articles of S2 (Interpeñas 1996) that settle something; some do two things, by remedy."""


def _shape() -> dict[str, frozenset[str]]:
    shape = {"language": frozenset[str]()}
    for section, table in (SAID | SHOWN).items():
        for line in table.split("\n"):
            key, _, words = line.strip().partition(":")
            if key:
                shape[f"{section}.{key}"] = frozenset(words.split())
    shape |= {f"article.{key}": ARTICLE_WORDS for key in ARTICLES}
    shape |= {f"ranks.{rank}": frozenset() for rank in Rank}
    shape |= {f"card.{rank}": frozenset() for rank in Rank}
    forms = ("name", "the", "to", "at")
    shape |= {f"lance.{form}.{lance}": frozenset() for form in forms for lance in Lance}
    return shape


SHAPE: dict[str, frozenset[str]] = _shape()
"""Key of a sentence, as "say.bet" -> the names that may stand in its braces."""
