"""What the front of an utterance turned out to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from assistant.language.lexicon.breath import START, BreathLink
from assistant.messages import Command
from assistant.rules.calls import Call


class GoesOn(StrEnum):
    """Whether words that are a call may be the beginning of something else."""

    NO = "no"
    RARELY = "rarely"
    OFTEN = "often"
    DEARLY = "dearly"
    """And where it does, its two halves apart would be other calls: "no hay" and "mus"."""


class TalkReason(StrEnum):
    """Why words are no call; the names are those of ``why`` in a lexicon file."""

    TALK = "talk"
    """Table talk: advice, card talk, or words that form no call."""
    NOISE = "noise"
    """Speech that the recogniser did not know stands among the words."""
    UNSURE = "unsure"
    """A word was heard too faintly to move stones by it."""
    QUESTION = "question"
    """A question mark: who asks for mus has not called it."""
    UNSURE_YES = "unsure_yes"
    """Something like a yes to a bet, which only "quiero" and its family are."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A call or a command, and the number of words it took. Its seat is for the hearer to fill.

    ``link``: what it leaves behind for what follows in the same breath.
    """

    what: Call | Command
    taken: int
    link: BreathLink = field(default=START, compare=False)


@dataclass(frozen=True, slots=True)
class Filler:
    """Words before or after a call that mean nothing ("pues", "venga")."""

    taken: int
    link: BreathLink = field(default=START, compare=False)


@dataclass(frozen=True, slots=True)
class Talk:
    """No call; the whole segment moves nothing.

    ``goes_on``: nor does what follows in the utterance, after a pause.
    """

    why: TalkReason = TalkReason.TALK
    goes_on: bool = field(default=False, compare=False)


Reading = Spoken | Filler | Talk
