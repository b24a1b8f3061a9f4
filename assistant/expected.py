"""A call that was heard once more as what the moment asks for: whether to believe that.

Rank 2, no I/O. The ear tells how probable it is that exactly this call was said (the second stage).
What was heard first keeps the word where it is several calls, which the moment's grammar lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assistant.asked import Outcomes
from assistant.lexicon import UNKNOWN, Hearing
from assistant.messages import Accepted, Heard, Hypothesis, Word

FLOOR = 0.45
"""Probability below which it moves nothing and is not asked for either: a question that nobody
understands costs a table as much as a repetition."""
SURE, DEAR, FAINT = 0.75, 0.85, 0.60
"""Probability below which is asked for: stones that are staked; an órdago and its answer; the rest.
Other than the shares of the first hearing these are shares of calls that were right."""

WaysOf = Callable[[Heard], dict[Outcomes, float]]
"""What the ways to hear an utterance come to at the table, and how probable each of them is."""


def believed(heard: Heard, ways_of: WaysOf, hearing: Hearing) -> tuple[Heard, Hearing]:
    """The utterance as it is to be weighed, and the limits that it is weighed by."""
    narrowed = heard.narrowed
    if narrowed is None or narrowed.probability is None:
        return heard, hearing
    calls = ways_of(replace(heard, hypotheses=narrowed.hypotheses))
    if narrowed.probability < FLOOR or not calls:
        return heard, hearing
    first = ways_of(heard)
    if first:
        likeliest = max(first, key=first.__getitem__)
        several = sum(isinstance(outcome, Accepted) for outcome in likeliest) > 1
        if first[likeliest] >= hearing.floor and (several or narrowed.part):
            return heard, hearing
    share = min(1.0, narrowed.probability / max(calls.values()))
    ways = [replace(way, probability=way.probability * share) for way in narrowed.hypotheses]
    words = ways[0].words
    unknown = (Word(UNKNOWN, words[0].start, words[-1].end),)
    again = replace(
        heard,
        words=words,
        hypotheses=(*ways, Hypothesis(unknown, 1.0 - share)),
        narrowed=None,
    )
    return again, replace(hearing, floor=FLOOR, sure=SURE, dear=DEAR, faint=FAINT)
