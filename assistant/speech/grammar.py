"""Which of the lexicon's phrases a speech model can hear.

Vosk drops a word that its model lacks and keeps the rest of the phrase, so that "hay órdago" would
become "hay". Here a phrase is whole or it is left out, and what is left out is known. A word that
is lacking may have a stand-in (``stand_ins``), by which its phrases are heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assistant.speech.stand_ins import NONE, StandIns

UNKNOWN = "[unk]"
"""Vosk's word for speech that is none of its words. It stays in what is heard: the lexicon takes
it for table talk."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The phrases that can be heard, those that cannot, and the words that the model lacks.

    ``phrases`` are in the model's words, the others in ours.
    """

    phrases: tuple[str, ...]
    left_out: tuple[str, ...]
    missing: tuple[str, ...]


def fit(
    phrases: Iterable[str], knows: Callable[[str], bool], stand_ins: StandIns = NONE
) -> Grammar:
    """Split ``phrases`` by whether a model that ``knows`` words can hear them; ``[unk]`` it can.

    A phrase whose words have stand-ins is kept by these.
    """
    kept: list[str] = []
    left_out: dict[str, None] = {}
    verdicts: dict[str, bool] = {UNKNOWN: True}
    for phrase in phrases:
        words = tuple(phrase.lower().split())
        for word in words:
            if word not in verdicts:
                verdicts[word] = knows(word)
        if words and all(verdicts[word] or word in stand_ins.chosen for word in words):
            # As often as it stands there: that is its weight.
            kept += (" ".join(way) for way in stand_ins.phrases(words))
        elif words:
            left_out[" ".join(words)] = None
    missing = sorted(word for word, known in verdicts.items() if not known)
    return Grammar(tuple(kept), tuple(left_out), tuple(missing))


def vocabulary(phrases: Iterable[str]) -> frozenset[str]:
    """The words that phrases are made of, ``[unk]`` not among them."""
    return frozenset(word for phrase in phrases for word in phrase.lower().split()) - {UNKNOWN}
