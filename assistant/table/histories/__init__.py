"""Several readings of the last calls: later calls decide between them by what is legal.

No I/O. What was heard is remembered for some seconds, with all the ways to hear it. Where
a clear call fits no more, other histories are tried (``other``); one that is much likelier than all
the rest together is taken over in one batch. Where calls fit no history, the table is asked once
where the deal stands. docs/ear.md tells where the limits are from.
"""

from __future__ import annotations

import math
from dataclasses import replace

from assistant.language.lexicon import UNKNOWN, Context, Hearing, Lexicon, Spoken, context_of
from assistant.messages import Accepted, Ask, Command, Heard, Hypothesis, Ignored, Pressed, Refused
from assistant.rules import calls as c
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, BETTING, DECLARING, Phase
from assistant.table.asked import Outcomes
from assistant.table.doubt import Weighed
from assistant.table.histories.other import MISFITS, SAID_CALLS, Other, Past, TablePort

__all__ = ["Histories"]

KEPT, SECONDS = 8, 25.0
"""Utterances that are looked back on, and for how long, in seconds of the stream."""
CLEAR, WITHIN = 3.0, 30.0
"""Calls that fit no history until it is said so, and within how many seconds."""
FITS, BARE, PLAYS_ON = -0.5, 0.9, 2.0
"""For how many of them a call between that fits counts, a bare yes or no, and one that plays on
while pares or juego are still declared: somebody's word was missed."""
SILENT = 60.0
"""Seconds in which nothing is asked again where nothing has helped."""
ANSWERED = 15.0
"""Seconds after the question in which a lance alone is the answer to it."""


class Histories:
    """Remembers what was heard; ``weigh`` has the last word on what becomes of an utterance."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._past: list[Past] = []
        self._misfits: list[tuple[float, float]] = []
        self._asked = -math.inf

    def forget(self) -> None:
        """People have settled what counts: by an answer, a tap, a word to the assistant."""
        self._past.clear()
        self._misfits.clear()
        self._asked = -math.inf

    @property
    def is_lost(self) -> bool:
        """Whether it was asked where the deal stands, and nothing has counted since."""
        return self._asked > -math.inf

    def weigh(self, heard: Heard, weighed: Weighed, table: TablePort) -> Weighed:
        """What becomes of an utterance, which the present history makes ``weighed`` of."""
        if not heard.hypotheses:
            self.forget()  # a script is certain
            return weighed
        self._let_go(heard, table)
        found = self._answered(heard, weighed, table) or self._other(heard, weighed, table)
        if found is None and self._is_lost(heard, weighed.outcomes, table):
            self._asked = heard.end
            self._misfits.clear()
            found = Weighed((Ask("lost", text="Nothing of that fits where the table stands."),))
        self._remember(heard, found or weighed, table)
        return found or weighed

    def _let_go(self, heard: Heard, table: TablePort) -> None:
        """Forget what is long ago, and all if the game has moved without words."""
        past = self._past
        if past and (past[-1].after != table.seq or heard.end < past[-1].heard.end):
            past.clear()
        if table.state.phase in AFTER_DEAL or table.state.deal == 0:
            past.clear()
        self._past = [one for one in past if heard.end - one.heard.end < SECONDS][-KEPT:]

    def _remember(self, heard: Heard, weighed: Weighed, table: TablePort) -> None:
        taken = [one for one in weighed.outcomes if isinstance(one, Accepted)]
        if any(not _is_plain(one) for one in taken):
            self.forget()
            return
        if taken:
            self._misfits.append((heard.end, FITS))
            self._asked = -math.inf
        after = table.seq + sum([len(one.events) for one in taken])
        self._past.append(Past(heard, weighed.outcomes, table.seq, after))

    def _other(self, heard: Heard, weighed: Weighed, table: TablePort) -> Weighed | None:
        """Another history, where a clear call does not fit the present one."""
        if not self._past or not self._may_misfit(heard, weighed.outcomes):
            return None
        return Other(self._hearing, table, tuple(self._past), heard).weighed()

    def _may_misfit(self, heard: Heard, outcomes: Outcomes) -> bool:
        """Whether an utterance was clear and moved nothing where it was to be."""
        if heard.cut or heard.disputed or heard.over:
            return False
        for one in outcomes:
            if not isinstance(one, Refused | Ignored | Ask):
                return False
            if isinstance(one, Ask) and one.code not in MISFITS:
                return False
        known = sum([way.probability for way in heard.hypotheses if not _unknown(way)])
        return known >= self._hearing.sure

    def _is_lost(self, heard: Heard, outcomes: Outcomes, table: TablePort) -> bool:
        """Whether so many clear calls in a row fit nowhere that the table must be asked."""
        if table.state.phase not in (*BEFORE_LANCES, *BETTING, *DECLARING):
            self._misfits.clear()
            return False
        if not self._may_misfit(heard, outcomes):
            return False
        share = _share_of_calls(heard, table)
        if share < self._hearing.sure:
            return False
        self._misfits.append((heard.end, _weight(heard, outcomes, table.lexicon)))
        score = 0.0
        recent = [weight for at, weight in self._misfits if heard.end - at < WITHIN]
        for weight in recent:
            score = max(0.0, score + weight)
        if score < CLEAR or all(weight <= BARE for weight in recent):
            return False
        return heard.end - self._asked > SILENT

    def _answered(self, heard: Heard, weighed: Weighed, table: TablePort) -> Weighed | None:
        """Where the deal stands, if that was asked and a lance alone is said."""
        if heard.end - self._asked > ANSWERED:
            return None
        if not all(isinstance(one, Ignored) for one in weighed.outcomes):
            return None
        for way in heard.hypotheses:
            lance = table.lexicon.lance(way.words)
            if lance and way.probability >= self._hearing.sure:
                return Weighed(table.propose(Pressed(c.Place(lance=lance))))
        return None


def _unknown(way: Hypothesis) -> bool:
    return any(word.text == UNKNOWN for word in way.words)


def _weight(heard: Heard, outcomes: Outcomes, lexicon: Lexicon) -> float:
    """How many clear calls a misfit counts for."""
    if lexicon.is_yes(heard.words) or lexicon.is_no(heard.words):
        return BARE
    if any(isinstance(one, Refused) and one.code == "declare_first" for one in outcomes):
        return PLAYS_ON
    return 1.0


def _share_of_calls(heard: Heard, table: TablePort) -> float:
    """How probable it is that a call was said, of whatever moment of the deal."""
    now = context_of(table.state)
    moments = [replace(now, phase=phase, pending=bet, ordago=False) for phase, bet in _MOMENTS]
    return max(
        sum(way.probability for way in heard.hypotheses if _is_call(way, table.lexicon, moment))
        for moment in moments
    )


_MOMENTS = (
    (Phase.MUS, False), (Phase.GRANDE, False), (Phase.GRANDE, True), (Phase.PARES_SAY, False),
    (Phase.JUEGO_SAY, False),
)  # fmt: skip


def _is_call(way: Hypothesis, lexicon: Lexicon, context: Context) -> bool:
    reading = lexicon.read(way.words, context)
    return isinstance(reading, Spoken) and isinstance(reading.what, SAID_CALLS)


def _is_plain(outcome: Accepted) -> bool:
    """Whether it is one call more, and not one that settles what was before it."""
    settles = isinstance(outcome.call, Command | c.Place) or outcome.call is None
    return not settles and not outcome.understood
