"""Calls of the game that are heard between two deals: at the showdown, and after the count.

No I/O. Any call that cuts the mus may open a deal (R09), but people chat after a count, so one such
call begins none. The table is asked "¿Nueva mano?", and a yes, or a second call that fits after the
first, begins the deal with all calls that were kept. At the showdown nothing can begin: after
several such calls the table is told again whose cards are missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.language.lexicon import Filler, Hearing, Lexicon, Spoken, context_of
from assistant.messages import Accepted, Ask, Heard, Hypothesis, Ignored, Outcome, Refused, Word
from assistant.rules import calls as c
from assistant.rules.changes import Draft
from assistant.rules.infer import next_mano, start_deal
from assistant.rules.legal import MESSAGES, refusal
from assistant.rules.phases import Phase
from assistant.rules.state import State
from assistant.table.asked import ANSWERED_WITHIN, CERTAIN, Doubt, Outcomes
from assistant.table.doubt import Weighed
from assistant.table.histories import SAID_CALLS, SILENT, TablePort, is_dear, is_said

OPENERS = (c.Mus, c.Cut, c.Pass, c.Bet, c.Ordago)
"""Calls that may open a deal (R09)."""
TOGETHER = 25.0
"""Seconds between two calls that may belong to the same new deal."""
REMINDED, REMINDED_AGAIN = 3, 6
"""After so many calls at the showdown the table is told whose cards are missing, and after so many
more each next time. A hand that is shown begins the number again."""


class Between:
    """Remembers the calls since the last record; ``weigh`` decides about each new one."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._seq = -1
        self._kept: list[Heard] = []
        self._left = REMINDED
        self._asked = self._denied = -math.inf
        self._way: Outcomes = ()

    def weigh(self, heard: Heard, weighed: Weighed, table: TablePort) -> Weighed:
        """The final result for an utterance; ``weighed``: its result as a call of this moment."""
        if table.seq != self._seq:
            self._forget(table.seq)
        if not all(isinstance(one, Ignored | Refused) for one in weighed.outcomes):
            return weighed
        if any(isinstance(one, Ignored) and one.code == "taken_back" for one in weighed.outcomes):
            self._kept.clear()
            self._way, self._denied = (), heard.end
            return weighed
        if table.state.deal == 0 or not heard.words or _is_unclear(heard):
            return weighed
        if table.state.phase is Phase.SHOWDOWN:
            return self._at_the_showdown(heard, table) or weighed
        if table.state.phase is Phase.COUNT:
            return self._after_the_count(heard, table) or weighed
        return weighed

    def begun_by(self, call: object, table: TablePort) -> Outcomes:
        """The outcomes of a tap on "Nueva mano" while it is asked; empty if it is not asked."""
        asked = call == c.NextDeal() and table.asked == "new_deal" and table.seq == self._seq
        return self._way if asked else ()

    def _forget(self, seq: int) -> None:
        self._seq = seq
        self._kept.clear()
        self._left = REMINDED
        self._asked = self._denied = -math.inf
        self._way = ()

    def _at_the_showdown(self, heard: Heard, table: TablePort) -> Weighed | None:
        """The reminder whose cards are missing, once enough calls have been made."""
        if not self._opens(heard, table):
            return None
        self._left -= 1
        code = refusal(table.state, c.NextDeal())
        if self._left > 0 or code is None:
            return None
        self._left = REMINDED_AGAIN
        return Weighed((Refused(code, text=MESSAGES[code], call=c.NextDeal()),))

    def _after_the_count(self, heard: Heard, table: TablePort) -> Weighed | None:
        """The new deal, the question whether there is one, or None."""
        kept = [one for one in self._kept if heard.end - one.end < TOGETHER]
        together = self._begun([*kept, heard], table) if kept else ()
        alone = self._begun([heard], table) if self._opens(heard, table) else ()
        denied = heard.end - self._denied < SILENT
        unsure = denied or _stakes_much(together)
        if together and not unsure:
            return Weighed(_told_late(together))
        if alone and alone == self._way and heard.words[0].start - self._asked < ANSWERED_WITHIN:
            return Weighed(alone)  # it was said again, which answers the question
        if not (way := together or alone):
            return None
        self._kept = [*kept, heard] if together else [heard]
        if denied and not together:
            return None
        self._way, self._asked, self._denied = way, heard.end, -math.inf
        ask = Ask("new_deal", (c.NextDeal(),), text="A call was made after the count.")
        return Weighed((ask,), Doubt(table.seq, heard.end, ask, ({way: 1.0},)))

    def _begun(self, calls: Sequence[Heard], table: TablePort) -> Outcomes:
        """The outcomes of a new deal with these calls; empty if they are not legal or not clear."""
        draft = Draft(table.state)
        start_deal(draft, next_mano(table.state), implied=True)
        new = Accepted(tuple(draft.events), c.NextDeal(), before=table.state, after=draft.state)
        outcomes: list[Outcome] = [new]
        state: State | None = draft.state
        for heard in calls:
            ways = table.ways(_sounding(heard), state)
            best = max(ways, key=ways.__getitem__, default=())
            if not best or ways[best] < self._hearing.sure:
                return ()
            for one in best:
                if not isinstance(one, Accepted) or not isinstance(one.call, SAID_CALLS):
                    return ()
                state = one.after
            outcomes.extend(best)
        return tuple(outcomes)

    def _opens(self, heard: Heard, table: TablePort) -> bool:
        """Whether an utterance is clearly a call that may open a deal."""
        opening = _Opening(table.lexicon, table.state)
        ways = _sounding(heard).hypotheses
        share = sum([way.probability for way in ways if opening.is_begun_by(way.words)])
        return share >= self._hearing.sure


@dataclass(frozen=True, slots=True)
class _Opening:
    """Tells which words open a deal at a table."""

    lexicon: Lexicon
    state: State

    def is_begun_by(self, words: Sequence[Word]) -> bool:
        """Whether words would be mus, a cut or a call of grande while mus is talked of."""
        context = replace(context_of(self.state), phase=Phase.MUS, pending=False, ordago=False)
        rest = tuple(words)
        while rest:
            reading = self.lexicon.read(rest, context)
            if isinstance(reading, Spoken):
                is_call = isinstance(reading.what, OPENERS)
                # "Dos a la grande" counts what was won.
                return is_call and not self.lexicon.is_number_at_a_lance(rest[: reading.taken])
            if not isinstance(reading, Filler):
                return False
            rest = rest[reading.taken :]
        return False


def _sounding(heard: Heard) -> Heard:
    """The utterance with hypotheses, because typed words have none."""
    if heard.hypotheses:
        return heard
    return replace(heard, hypotheses=(Hypothesis(heard.words, CERTAIN),))


def _is_unclear(heard: Heard) -> bool:
    """Whether nobody knows if all of it was heard, or if it came from the table."""
    return heard.cut or heard.disputed or heard.over or heard.distant


def _stakes_much(outcomes: Outcomes) -> bool:
    """Whether an órdago, its answer or a great bet is among the calls: then a yes is needed."""
    return any(
        isinstance(one, Accepted)
        and one.before is not None
        and isinstance(one.call, SAID_CALLS)
        and is_dear(one.call, one.before, one.events)
        for one in outcomes
    )


def _told_late(outcomes: Outcomes) -> Outcomes:
    """The outcomes with all calls but the last marked as understood late, to be told."""
    *before, last = outcomes
    told = [
        replace(one, understood=tuple([event for event in one.events if is_said(event)]))
        if isinstance(one, Accepted)
        else one
        for one in before
    ]
    return (*told, last)
