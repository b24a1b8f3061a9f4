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
        """Whether an utterance is talk, for what is unknown in it or what was said just before.

        Talk is cut where the speaker takes a breath or a noise hides a word, and the piece that is
        left may be a call: "a las ... cinco". So what comes right after talk is talk as well; the
        piece after that is judged by itself again, or a table that never pauses would be deaf.
        """
        after = -OVERLAP < heard.words[0].start - self._until < self._hearing.after_talk
        unknown = sum(
            way.probability
            for way in heard.hypotheses
            if any(word.text == UNKNOWN for word in way.words)
        )
        if unknown > self._hearing.talk:
            self._until = max(word.end for way in heard.hypotheses for word in way.words)
            return True
        return after
