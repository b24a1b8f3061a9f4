"""Telling an utterance that is mostly talk, or goes on from talk, though a part of it is a call."""

from __future__ import annotations

import math

from assistant.lexicon.hearing import Hearing
from assistant.lexicon.text import UNKNOWN
from assistant.messages import Heard

OVERLAP = 0.2
"""Seconds by which an utterance may seem to begin before the end of the one before it."""


class Chatter:
    """Remembers when table talk was last heard; otherwise each utterance is judged by itself."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._until = -math.inf

    def swallows(self, heard: Heard) -> bool:
        """Whether an utterance is talk, for what is unknown in it."""
        if unknown_share(heard) <= self._hearing.talk:
            return False
        self._until = max(word.end for way in heard.hypotheses for word in way.words)
        return True

    def follows_talk(self, heard: Heard) -> bool:
        """Whether it was said right after talk, so that it has to be clear to be a call.

        Talk is cut where the speaker takes a breath or a noise hides a word, and the piece that is
        left may sound like a call: "a las ... cinco". But another player may call meanwhile.
        """
        if not heard.hypotheses:
            return False  # a script
        return -OVERLAP < heard.words[0].start - self._until < self._hearing.after_talk


def unknown_share(heard: Heard) -> float:
    """How probable it is that there is unknown speech in an utterance, 0 to 1."""
    return sum(
        way.probability
        for way in heard.hypotheses
        if any(word.text == UNKNOWN for word in way.words)
    )
