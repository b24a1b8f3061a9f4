"""Which of the lexicon's phrases a speech model can hear.

Vosk drops a word that its model lacks and keeps the rest of the phrase, so that "hay órdago" would
become "hay". Here a phrase is whole or it is left out, and what is left out is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

UNKNOWN = "[unk]"
"""Vosk's word for speech that is none of its words. It stays in what is heard: the lexicon takes
it for table talk."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The phrases that can be heard, those that cannot, and the words that are to blame."""

    phrases: tuple[str, ...]
    left_out: tuple[str, ...]
    missing: tuple[str, ...]


def fit(phrases: Iterable[str], knows: Callable[[str], bool]) -> Grammar:
    """Split ``phrases`` by whether ``knows`` is true of all their words; ``[unk]`` always is."""
    kept: list[str] = []
    left_out: dict[str, None] = {}
    verdicts: dict[str, bool] = {UNKNOWN: True}
    for phrase in phrases:
        words = phrase.lower().split()
        for word in words:
            if word not in verdicts:
                verdicts[word] = knows(word)
        if words and all(verdicts[word] for word in words):
            kept.append(" ".join(words))  # as often as it stands there: that is its weight
        elif words:
            left_out[" ".join(words)] = None
    missing = sorted(word for word, known in verdicts.items() if not known)
    return Grammar(tuple(kept), tuple(left_out), tuple(missing))
