"""The readings of words (a call, a filler, talk), and the limits by which sound is trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from assistant.language.lexicon import text as fields
from assistant.language.lexicon.text import LANCE, NUMBER, UNKNOWN, Table, Tokens
from assistant.messages import Command, Heard
from assistant.rules.calls import Call

if TYPE_CHECKING:
    from assistant.language.lexicon.rows import Phrase

# ---- Calls in one breath: they are those of several players, or they are talk --------------------
# A player who says "no" and goes on without a pause has not refused yet: "no veo", "no paso",
# "no, envido". A number by itself is a bet only if nobody has just answered or cut: "quiero dos"
# accepts the two that were bet, and "quita dos" is about cards or stones. Several players declare
# in one breath only by a short yes or no ("no, no, sí"): after "yo no", the words "tengo pares" are
# the end of one sentence, and not another player's. An órdago right after an answer is meant for
# the bet that was answered: "quiero órdago" raises it, and nobody can tell what any other wording
# of the two means.


DECLARES = frozenset({"holds", "lacks"})
"""Meanings that say whether a player has pares or juego."""
REFUSES = frozenset({"refuse", "refuse_plural"})
"""Meanings that refuse a bet."""
RAISES = frozenset({"raise", "reenvido"})
"""Meanings that answer a bet by a higher one."""
OPENS = frozenset({"pass", "bet", "bet_both", "ordago", "ordago_both"})
"""Meanings that open a lance; nobody says one right after his own bare "no"."""
ALL_IN = frozenset({"ordago", "ordago_both"})
"""Meanings that stake the whole game."""


class Aside(IntEnum):
    """What was said between two calls of one breath; of several such words, the highest counts."""

    NOTHING = 0
    FILLER = 1
    """Words that mean nothing: the two calls are two players'."""
    HESITATES = 2
    """"Bueno", "eh": the same player may have thought again, so the table asks."""
    CORRECTS = 3
    """"Perdón": what follows stands in the place of the call before."""


@dataclass(frozen=True, slots=True)
class BreathLink:
    """The call before, in the same breath: what it means, and whether it is a bare "no".

    ``aside``: what has been said since.
    """

    means: str | None = None
    bare_no: bool = False
    aside: Aside = Aside.NOTHING

    def after_filler(self, aside: Aside) -> BreathLink:
        """The same call, with a filler after it."""
        return replace(self, aside=max(self.aside, aside))

    def allows(self, phrase: Phrase, short: frozenset[str]) -> bool:
        """Whether a phrase may follow as a call of its own; ``short``: the words of yes and no."""
        means = phrase.row.means
        if self.aside is Aside.CORRECTS:
            return True  # the call before does not count, so this one begins the breath
        if self.means in DECLARES and means in DECLARES:
            # "Sí, hombre, sí" is one player, and not two who declare.
            return short >= set(phrase.pattern) and not self.aside
        if self.bare_no:
            return self.means in DECLARES and not self.aside and means not in OPENS
        if self.means in REFUSES and means in RAISES | ALL_IN:
            return False  # "no quiero y dos más": nobody can tell what that means
        if self.means == "accept" and means in ALL_IN and LANCE not in phrase.pattern:
            return False
        return phrase.pattern != (NUMBER,) or self.means in (None, "pass")


START = BreathLink()
"""The beginning of a breath: nothing was said before."""
SHOWN = BreathLink("show")
"""Four cards were named before."""


@dataclass(frozen=True, slots=True)
class Negations:
    """The words that say no, those that say yes or no, and the fillers of one word beside them."""

    short: frozenset[str]
    no: frozenset[str]
    fillers: frozenset[str]

    @classmethod
    def of(
        cls, yes: Sequence[Tokens], no: Sequence[Tokens], fillers: Sequence[Tokens]
    ) -> Negations:
        """Build it from the wordings of yes and no, and the fillers ("yo no" is a bare no)."""
        single = {words[0] for words in fillers if len(words) == 1}
        said_yes, said_no = (
            frozenset(word for words in said for word in words) for said in (yes, no)
        )
        return cls(said_yes | said_no, said_no, frozenset(single))

    def turn(self, word: str) -> bool:
        """Whether a word says no by itself."""
        return word in self.no and word not in self.fillers

    def link(self, phrase: Phrase) -> BreathLink:
        """The link from a phrase to what follows it in the same breath."""
        row, words = phrase.row, set(phrase.pattern)
        if row.beside_calls:
            return START
        answers = row.means in REFUSES | DECLARES
        bare = answers and bool(words & self.no) and words <= self.no | self.fillers
        return BreathLink(row.means, bare)


# ---- Readings: what the front of an utterance is ------------------------------------------------


class GoesOn(StrEnum):
    """Whether words that are a call may be the beginning of something else."""

    NO = "no"
    RARELY = "rarely"
    OFTEN = "often"
    DEARLY = "dearly"
    """Its two halves alone would be other calls: "no hay" and "mus"."""


class TalkReason(StrEnum):
    """Why words are no call; the names are those of ``why`` in a lexicon file."""

    TALK = "talk"
    """Table talk: advice, card talk, or words that form no call."""
    NOISE = "noise"
    """Unknown speech stands among the words."""
    UNSURE = "unsure"
    """A word was heard too faintly to move stones."""
    QUESTION = "question"
    """A question mark: a player who asks for mus has not called it."""
    UNSURE_YES = "unsure_yes"
    """Something like a yes to a bet; only "quiero" and its family accept one."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A call or a command, and the number of words it took. The hearer fills in its seat.

    ``link``: the link to what follows in the same breath.
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

    ``goes_on``: the rest of the utterance, after a pause, moves nothing either.
    """

    why: TalkReason = TalkReason.TALK
    goes_on: bool = field(default=False, compare=False)


Reading = Spoken | Filler | Talk


# ---- The limits for sound: the table ``[hearing]`` of a lexicon file ----------------------------


MAX_SECONDS = 5.0
MAX_TIMES = 1000.0
SECONDS = frozenset({"pause", "stretch", "after_talk"})
LEAST = 0.001
"""The smallest number that anything is divided by."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """The limits by which sound is cut into segments, and trusted.

    pause    seconds of silence that end a segment
    stretch  seconds of a pause inside one phrase ("no ... quiero") at which it is not cut
    floor    confidence, 0 to 1, below which a word moves nothing
    sure     probability below which the table is asked about a bet, or the answer to one
    dear     probability below which the table is asked about an órdago, or the answer to one
    faint    probability below which the table is asked about any other call
    rival    share of the call's probability above which the opposite, or other stones, cause a
             question
    talk     probability of unknown speech above which an utterance is talk, whatever else it is
    after_talk    seconds after talk in which a call must be as probable as ``dear``
    stray    probability that a clear call which fits nowhere is no call
    missed   probability that a call was not heard at all
    faintest probability below which a faint call is not even remembered
    likelier how many times as likely as all others a history must be to replace the present one
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


# ---- Chatter: utterances that are mostly talk, or continue talk, though a part sounds like a call


OVERLAP = 0.2
"""Seconds by which an utterance may seem to begin before the end of the one before it."""


class Chatter:
    """Remembers when table talk was last heard: the only thing that links two utterances here."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._until = -math.inf

    def swallows(self, heard: Heard) -> bool:
        """Whether an utterance is talk, because too much of it is unknown speech."""
        if unknown_share(heard) <= self._hearing.talk:
            return False
        self._until = max(word.end for way in heard.hypotheses for word in way.words)
        return True

    def follows_talk(self, heard: Heard, within: float | None = None) -> bool:
        """Whether it was said right after talk, so that only a clear call counts.

        ``within``: seconds after it; None for those of the lexicon.

        Talk is cut when the speaker takes a breath or a noise hides a word, and the piece that is
        left may sound like a call: "a las ... cinco". But another player may call meanwhile.
        """
        if not heard.hypotheses:
            return False  # a script
        after = self._hearing.after_talk if within is None else within
        return -OVERLAP < heard.words[0].start - self._until < after


def unknown_share(heard: Heard) -> float:
    """The probability, 0 to 1, that there is unknown speech in an utterance."""
    return sum(
        [
            way.probability
            for way in heard.hypotheses
            if UNKNOWN in [word.text for word in way.words]
        ]
    )
