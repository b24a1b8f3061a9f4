"""How sound is cut and trusted: the table ``[hearing]`` of a lexicon file."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as fields_of

from assistant.lexicon import fields
from assistant.lexicon.fields import Table

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
