"""How sound is cut and trusted, and which utterances are talk."""

from __future__ import annotations

import math
from dataclasses import dataclass
from dataclasses import fields as fields_of

from assistant.language.lexicon import text as fields
from assistant.language.lexicon.text import UNKNOWN, Table
from assistant.messages import Heard

# ---- How sound is cut and trusted: the table ``[hearing]`` of a lexicon file --------------------


MAX_SECONDS = 5.0
MAX_TIMES = 1000.0
SECONDS = frozenset({"pause", "stretch", "after_talk"})
LEAST = 0.001
"""What nothing is divided by that is smaller."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """How sound is cut and trusted.

    pause    seconds of silence that end a segment
    stretch  seconds that one phrase may be torn apart ("no ... quiero") without being cut
    floor    confidence, 0 to 1, below which a word moves nothing
    sure     probability below which a bet, or the answer to one, is asked for once more
    dear     probability below which an órdago, or the answer to one, is asked for once more
    faint    probability below which any other call is asked for once more
    rival    share of its probability that the opposite, or other stones, may have unasked
    talk     probability of unknown speech above which an utterance is talk, whatever else it is
    after_talk    seconds after talk in which only what is as probable as ``dear`` is a call
    stray    probability that a clear call which fits nowhere is none
    missed   probability that a call was not heard at all
    faintest probability below which a faint call is not even remembered
    likelier times that another history must be as likely as all the rest to be taken over
    """

    pause: float
    stretch: float
    floor: float
    sure: float
    dear: float
    faint: float
    rival: float
    talk: float
    after_talk: float
    stray: float
    missed: float
    faintest: float
    likelier: float


def hearing_of(table: Table) -> Hearing:
    """Read the table, which must hold every value. Raises LexiconError."""
    names = [field.name for field in fields_of(Hearing)]
    fields.only(table, names, "[hearing]")
    return Hearing(
        **{name: fields.number(table, name, "[hearing]", *_range(name)) for name in names}
    )


def _range(name: str) -> tuple[float, float]:
    if name in SECONDS:
        return 0.0, MAX_SECONDS
    match name:
        case "likelier":
            return 1.0, MAX_TIMES
        case "stray":
            return LEAST, 1.0
        case _:
            return 0.0, 1.0


# Telling an utterance that is mostly talk, or goes on from talk, though a part of it is a call.


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
        [
            way.probability
            for way in heard.hypotheses
            if UNKNOWN in [word.text for word in way.words]
        ]
    )
