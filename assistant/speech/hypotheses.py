"""The ways to hear an utterance: how likely each is, and how sure each word of the likeliest."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from assistant.messages import Hypothesis, Word

Words = tuple[Word, ...]


def likely(ways: Iterable[tuple[Words, float]]) -> tuple[Hypothesis, ...]:
    """Hypotheses, the likeliest first, from words and log likelihoods.

    The decoder's scores are log likelihoods of sound and grammar together (the acoustic scale of a
    chain model is 1), so the probability of each way among those kept is their softmax. Silence,
    a way without words, is one of the ways. Nothing at all where silence is all there is.
    """
    scored = [(words, score) for words, score in ways]
    if not any(words for words, _ in scored):
        return ()
    top = max(score for _, score in scored)
    weights = [math.exp(score - top) for _, score in scored]
    whole = sum(weights)
    found = [
        Hypothesis(words, weight / whole)
        for (words, _), weight in zip(scored, weights, strict=True)
    ]
    return tuple(sorted(found, key=lambda way: way.probability, reverse=True))


def surest(hypotheses: tuple[Hypothesis, ...]) -> Words:
    """The words of the likeliest way that has any, each with its confidence.

    A word's confidence is the probability of all the ways in which it stands where it stands here.
    """
    best = next(way.words for way in hypotheses if way.words)
    return tuple(
        replace(word, confidence=min(1.0, sum(_with(word, way) for way in hypotheses)))
        for word in best
    )


def _with(word: Word, way: Hypothesis) -> float:
    """The probability of a way, if it has this word at this time."""
    middle = (word.start + word.end) / 2
    same = any(
        other.text == word.text and other.start <= middle <= other.end for other in way.words
    )
    return way.probability if same else 0.0
