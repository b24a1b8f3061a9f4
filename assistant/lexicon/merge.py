"""Several languages at one table: the phrases of all files, with no wording of two meanings.

Rows add up. The same wording in two files is one phrase where both take it for the same; where
they do not, the row that says ``overrides = true`` is right, be its file named first or last (if
both say so, the later one); where neither does, the files do not fit together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from assistant.lexicon.context import Moment
from assistant.lexicon.errors import LexiconError
from assistant.lexicon.rows import Phrase
from assistant.lexicon.text import Tokens


def merge(files: Sequence[Iterable[Phrase]]) -> tuple[Phrase, ...]:
    """The phrases of all files, in their order. Raises LexiconError, naming both places."""
    kept: dict[Tokens, list[Phrase]] = {}
    for phrases in files:
        new: list[Phrase] = []
        for phrase in phrases:
            earlier = kept.get(phrase.pattern, [])
            for i, other in enumerate(earlier):
                earlier[i], phrase = _settled(other, phrase)
            new.append(phrase)
        for phrase in new:  # only now: two rows of one file are the index's to compare
            kept.setdefault(phrase.pattern, []).append(phrase)
    return tuple(phrase for found in kept.values() for phrase in found if phrase.row.moments)


def _settled(earlier: Phrase, later: Phrase) -> tuple[Phrase, Phrase]:
    """Both phrases, each with the moments that are left to it."""
    both = earlier.row.moments & later.row.moments
    if not both:
        return earlier, later
    if earlier.row.sense == later.row.sense:
        heavier = max(earlier.row.weight, later.row.weight)
        # It is listened for once; twice would drown what only one of the languages says.
        return _weighing(earlier, heavier), _without(_weighing(later, 0), both)
    if later.row.overrides:
        return _without(earlier, both), later
    if earlier.row.overrides:
        return earlier, _without(later, both)
    raise LexiconError(
        f"The phrase {' '.join(later.written)!r} means two things for the moment {min(both)!s}, "
        f"in {earlier.place} and in {later.place}: write overrides = true in the row that is right."
    )


def _weighing(phrase: Phrase, weight: int) -> Phrase:
    return replace(phrase, row=replace(phrase.row, weight=weight))


def _without(phrase: Phrase, moments: frozenset[Moment]) -> Phrase:
    row = phrase.row
    return replace(phrase, row=replace(row, when=row.when - moments, also=row.also - moments))
