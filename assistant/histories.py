"""Several readings of the last calls: later calls decide between them by what is legal.

Rank 2, no I/O. What was heard is remembered for some seconds, with all the ways to hear it. Where a
clear call fits no more, other histories are tried: an utterance was its second-likeliest call, a
faint one was a call after all, or one call was missed. One that is much likelier than all the others
together is taken over in one batch. Where calls fit no history, the table is asked once where the
deal stands. docs/ear.md tells where the limits are from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.doubt import Doubt, Outcomes, Weighed
from assistant.lexicon import UNKNOWN, Context, Hearing, Lexicon, Spoken, context_of
from assistant.messages import Accepted, Ask, Command, Heard, Hypothesis, Ignored, Refused
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import decide
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.history import Record, fold, rewound
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, BETTING, DECLARING, Phase
from assistant.rules.state import State

Ways = Mapping[Outcomes, float]

KEPT, SECONDS = 8, 25.0
"""Utterances that are looked back on, and for how long, in seconds of the stream."""
CLEAR, WITHIN = 3, 30.0
"""Calls in a row that fit no history until it is said so, and within how many seconds."""
SILENT = 60.0
"""Seconds in which nothing is asked again where nothing has helped."""
ANSWERED = 15.0
"""Seconds after the question in which a lance alone is the answer to it."""
READINGS = 3
"""Ways to hear an utterance that are tried."""
MANY = 10
"""Stones of a bet, or of its answer, above which no other history is taken over unasked."""
MISFITS = frozenset({"no_quereis", "change_of_mind"})
"""Questions of the rules that say of a call that it does not fit."""
DEAR = (c.Ordago, c.Accept, c.Refuse, c.Pass)
SAID = (
    e.MusAsked, e.MusCut, e.Passed, e.BetMade, e.BetRaised, e.OrdagoMade, e.BetAccepted,
    e.BetRefused, e.Declared,
)  # fmt: skip
"""Events that somebody says."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The table: its records, and what words come to at a state that it might have."""

    records: Sequence[Record]
    state: State
    lexicon: Lexicon
    read: Callable[[Heard, State], Ways]
    call: Callable[[c.Call], Outcomes]
    """What a call comes to that is made now."""

    @property
    def seq(self) -> int:
        """The seq of the last record."""
        return self.records[-1].seq


@dataclass(frozen=True, slots=True)
class _Past:
    """An utterance, what it came to, and the last record before and after it."""

    heard: Heard
    outcomes: Outcomes
    before: int
    after: int

    @property
    def taken(self) -> bool:
        """Whether anything of it counts."""
        return self.after > self.before


@dataclass(frozen=True, slots=True)
class _Step:
    """What one utterance, or a call that nobody heard, comes to in a history."""

    calls: tuple[c.Call, ...]
    events: tuple[e.Event, ...]
    new: bool
    """It was taken for nothing, or for something else."""
    dear: bool = False


@dataclass(frozen=True, slots=True)
class _History:
    """Another history from a record on; ``odds``: how much likelier than the present one it is."""

    since: int
    state: State
    odds: float
    steps: tuple[_Step, ...] = ()

    def then(self, step: _Step, odds: float) -> _History:
        """The same history, one utterance later."""
        state = self.state
        for event in step.events:
            state = apply(state, event)
        return _History(self.since, state, self.odds * odds, (*self.steps, step))


class Histories:
    """Remembers what was heard; ``weigh`` has the last word on what becomes of an utterance."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._past: list[_Past] = []
        self._misfits: list[tuple[float, bool]] = []
        self._asked = -math.inf

    def forget(self) -> None:
        """People have settled what counts: by an answer, a tap, a word to the assistant."""
        self._past.clear()
        self._misfits.clear()
        self._asked = -math.inf

    def weigh(self, heard: Heard, weighed: Weighed, table: Standing) -> Weighed:
        """What becomes of an utterance, which the present history makes ``weighed`` of."""
        self._let_go(heard, table)
        found = self._answered(heard, weighed, table) or self._other(heard, weighed, table)
        if found is None and self._is_lost(heard, weighed.outcomes, table):
            self._asked = heard.end
            self._misfits.clear()
            found = Weighed((Ask("lost", text="Nothing of that fits where the table stands."),))
        self._remember(heard, found or weighed, table)
        return found or weighed

    def _let_go(self, heard: Heard, table: Standing) -> None:
        """Forget what is long ago, and all if the game has moved without words."""
        past = self._past
        if past and (past[-1].after != table.seq or heard.end < past[-1].heard.end):
            past.clear()
        if table.state.phase in AFTER_DEAL or table.state.deal == 0:
            past.clear()
        self._past = [one for one in past if heard.end - one.heard.end < SECONDS][-KEPT:]

    def _remember(self, heard: Heard, weighed: Weighed, table: Standing) -> None:
        taken = [one for one in weighed.outcomes if isinstance(one, Accepted)]
        if any(not _is_plain(one) for one in taken):
            self.forget()
            return
        if taken:
            self._misfits.clear()
            self._asked = -math.inf
        after = table.seq + sum(len(one.events) for one in taken)
        self._past.append(_Past(heard, weighed.outcomes, table.seq, after))

    # ---- another history ----------------------------------------------------------------------

    def _other(self, heard: Heard, weighed: Weighed, table: Standing) -> Weighed | None:
        """Another history, if it is much likelier than the present one and all the rest."""
        if not self._past or not self._may_misfit(heard, weighed.outcomes):
            return None
        found: dict[tuple[object, ...], list[_History]] = {}
        for history in self._histories(heard, table):
            found.setdefault(_stand(history.state), []).append(history)
        if not found:
            return None
        odds = {stand: sum(one.odds for one in some) for stand, some in found.items()}
        best = max(odds, key=odds.__getitem__)
        if odds[best] < self._hearing.likelier * (1 + sum(odds.values()) - odds[best]):
            return None
        history = max(found[best], key=lambda one: one.odds)
        return self._taken_over(history, heard, table)

    def _may_misfit(self, heard: Heard, outcomes: Outcomes) -> bool:
        """Whether an utterance was clear and moved nothing where it was to be."""
        if heard.cut or heard.disputed or heard.over:
            return False
        if any(not isinstance(one, Refused | Ignored | Ask) for one in outcomes):
            return False
        if any(isinstance(one, Ask) and one.code not in MISFITS for one in outcomes):
            return False
        known = sum(way.probability for way in _ways(heard) if not _unknown(way))
        return known >= self._hearing.sure

    def _histories(self, heard: Heard, table: Standing) -> Iterator[_History]:
        """Every other history in which the call is legal, with its odds."""
        states = {one.before: _state_at(table.records, one.before) for one in self._past}
        states[table.seq] = table.state
        for at, past in enumerate(self._past):
            start = _History(past.before, states[past.before], 1.0)
            rest = self._past[at + 1 :]
            for changed in self._changed(start, past, table):
                yield from self._ends(changed, rest, heard, states, table)
            for missed in self._missed(start):
                yield from self._ends(missed, self._past[at:], heard, states, table)
        for missed in self._missed(_History(table.seq, table.state, 1.0)):
            yield from self._ends(missed, (), heard, states, table)

    def _changed(self, start: _History, past: _Past, table: Standing) -> Iterator[_History]:
        """An utterance as one of the calls that it was not taken for."""
        ways = table.read(past.heard, start.state)
        present = ways.get(past.outcomes, 0.0)
        if past.taken and not present:
            return  # it was an answer, which people gave: nothing to guess
        if not past.taken:
            present = max(1 - sum(ways.values()), self._hearing.stray)
        likeliest = sorted(ways.items(), key=lambda item: -item[1])
        for outcomes, share in likeliest[:READINGS]:
            clear = not past.taken and share >= self._hearing.sure
            if outcomes == past.outcomes or clear or share < self._hearing.faintest:
                continue
            if step := _step(outcomes, start.state, new=True):
                yield start.then(step, share / present)

    def _missed(self, start: _History) -> Iterator[_History]:
        """One call that nobody heard, of whoever was to speak."""
        for call in _could_be_missed(start.state):
            try:
                events = decide(start.state, call)
            except (IllegalCall, AmbiguousCall):
                continue
            dear = _is_dear(call, start.state, events)
            yield start.then(_Step((call,), events, new=True, dear=dear), self._hearing.missed)

    def _ends(
        self,
        history: _History,
        rest: Sequence[_Past],
        heard: Heard,
        states: Mapping[int, State],
        table: Standing,
    ) -> Iterator[_History]:
        """Go on with what was heard since; nothing where it, or the last call, is not legal then."""
        end: _History | None = history
        pending = [*rest, _Past(heard, (), table.seq, table.seq)]
        for at, past in enumerate(pending):
            assert end is not None
            following = pending[at + 1] if at + 1 < len(pending) else None
            end = self._after(end, past, following, states[past.before], table)
            if end is None:
                return
        assert end is not None
        yield end

    def _after(
        self,
        history: _History,
        past: _Past,
        following: _Past | None,
        then: State,
        table: Standing,
    ) -> _History | None:
        """The history after one more utterance; None where it would not be legal."""
        ways = table.read(past.heard, history.state)
        legal = {way: share for way, share in ways.items() if _step(way, history.state, new=False)}
        best = max(legal, key=legal.__getitem__, default=None)
        last = following is None
        if best is None:
            return None if past.taken or last else history
        share, hearing = legal[best], self._hearing
        if past.taken:
            taken_for = table.read(past.heard, then).get(past.outcomes, 1.0)
            step = _step(best, history.state, new=False)
            return history.then(step, share / taken_for) if step else None
        if share < hearing.sure:
            return None if last else history
        step = _step(best, history.state, new=True)
        if step is None:
            return None
        if following is not None and not following.taken and _same_voice(past, following):
            again = table.read(following.heard, history.state)
            if _calls(best) in map(_calls, again):
                # Said once more because nothing came of it; two who declare may say the same.
                return None if any(isinstance(call, c.Declare) for call in step.calls) else history
        return history.then(step, share / max(1 - share, hearing.stray))

    def _taken_over(self, history: _History, heard: Heard, table: Standing) -> Weighed:
        """The other history as one batch; where much hangs on it, the question that leads to it."""
        *before, last = history.steps
        events = [event for step in history.steps for event in step.events]
        new = [step for step in before if step.new]
        batch = (*rewound(table.records, history.since), *events)
        understood = tuple(event for step in new for event in step.events if _is_said(event))
        outcome = Accepted(batch, last.calls[-1], understood)
        if all(not step.dear for step in (*new, last)) and not _ends_the_game(events):
            return Weighed((outcome,))
        dear = next((step for step in (*new, last) if step.dear), new[0] if new else last)
        ask = Ask(_code(dear.calls[0]), (dear.calls[0],))
        return Weighed((ask,), Doubt(table.seq, heard.end, ask, ({(outcome,): 1.0},)))

    # ---- no history at all --------------------------------------------------------------------

    def _is_lost(self, heard: Heard, outcomes: Outcomes, table: Standing) -> bool:
        """Whether so many clear calls in a row fit nowhere that the table must be asked."""
        if table.state.phase not in (*BEFORE_LANCES, *BETTING, *DECLARING):
            self._misfits.clear()
            return False
        if not self._may_misfit(heard, outcomes):
            return False
        share = _share_of_calls(heard, table)
        if share < self._hearing.sure:
            return False
        bare = any(
            way.words == heard.words and _is_yes_or_no(way, table.lexicon) for way in _ways(heard)
        )
        self._misfits = [one for one in self._misfits if heard.end - one[0] < WITHIN]
        self._misfits.append((heard.end, bare))
        if len(self._misfits) < CLEAR or all(bare for _, bare in self._misfits):
            return False
        return heard.end - self._asked > SILENT

    def _answered(self, heard: Heard, weighed: Weighed, table: Standing) -> Weighed | None:
        """Where the deal stands, if that was asked and a lance alone is said."""
        if heard.end - self._asked > ANSWERED:
            return None
        if not all(isinstance(one, Ignored) for one in weighed.outcomes):
            return None
        for way in _ways(heard):
            lance = table.lexicon.lance(way.words)
            if lance and way.probability >= self._hearing.sure:
                return Weighed(table.call(c.Place(lance=lance)))
        return None


def _ways(heard: Heard) -> tuple[Hypothesis, ...]:
    return heard.hypotheses or (Hypothesis(heard.words, 1.0),)


def _unknown(way: Hypothesis) -> bool:
    return any(word.text == UNKNOWN for word in way.words)


def _is_yes_or_no(way: Hypothesis, lexicon: Lexicon) -> bool:
    return lexicon.is_yes(way.words) or lexicon.is_no(way.words)


def _is_plain(outcome: Accepted) -> bool:
    """Whether it is one call more, and not one that settles what was before it."""
    settles = isinstance(outcome.call, Command | c.Place) or outcome.call is None
    return not settles and not outcome.understood


def _share_of_calls(heard: Heard, table: Standing) -> float:
    """How probable it is that a call was said, of whatever moment of the deal."""
    now = context_of(table.state)
    moments = [replace(now, phase=phase, pending=bet, ordago=False) for phase, bet in _MOMENTS]
    return max(
        sum(way.probability for way in _ways(heard) if _is_call(way, table.lexicon, moment))
        for moment in moments
    )


_MOMENTS = (
    (Phase.MUS, False), (Phase.GRANDE, False), (Phase.GRANDE, True), (Phase.PARES_SAY, False),
    (Phase.JUEGO_SAY, False),
)  # fmt: skip


def _is_call(way: Hypothesis, lexicon: Lexicon, context: Context) -> bool:
    reading = lexicon.read(way.words, context)
    return isinstance(reading, Spoken) and isinstance(reading.what, SAID_CALLS)


SAID_CALLS = (
    c.Mus, c.Cut, c.Pass, c.Bet, c.Raise, c.Reenvido, c.Ordago, c.Accept, c.Refuse, c.Declare,
)  # fmt: skip
"""Calls of the game that may be heard where they do not fit."""


def _could_be_missed(state: State) -> tuple[c.Call, ...]:
    """Short calls that a table may have missed; a bet is none, for nobody knows of how many."""
    if state.phase in BEFORE_LANCES:
        return c.Mus(), c.Cut()
    if state.phase in DECLARING:
        return c.Declare(holds=True), c.Declare(holds=False)
    if state.pending:
        return c.Accept(), c.Refuse()
    return (c.Pass(),) if state.phase in BETTING else ()


def _step(outcomes: Outcomes, state: State, *, new: bool) -> _Step | None:
    """What a way comes to; None where it is not all calls of the game, and legal."""
    calls: list[c.Call] = []
    events: list[e.Event] = []
    dear = False
    for one in outcomes:
        if not isinstance(one, Accepted) or not isinstance(one.call, SAID_CALLS):
            return None
        dear = dear or _is_dear(one.call, state, one.events)
        for event in one.events:
            state = apply(state, event)
        calls.append(one.call)
        events.extend(one.events)
    return _Step(tuple(calls), tuple(events), new, dear) if calls else None


def _calls(outcomes: Outcomes) -> tuple[object, ...]:
    return tuple(one.call for one in outcomes if isinstance(one, Accepted))


def _is_dear(call: c.Call, state: State, events: Sequence[e.Event]) -> bool:
    """Whether so much hangs on a call that no guess may make it."""
    if isinstance(call, c.Ordago):
        return True
    made = (event for event in events if isinstance(event, e.BetMade | e.BetRaised))
    if any(event.stones > MANY for event in made):
        return True
    bet = state.pending
    return bet is not None and isinstance(call, DEAR) and (bet.ordago or bet.stones > MANY)


def _ends_the_game(events: Sequence[e.Event]) -> bool:
    return any(isinstance(event, e.JuegoWon | e.DealCounted) for event in events)


def _code(call: c.Call) -> str:
    match call:
        case c.Ordago():
            return "sure_ordago"
        case _:
            return "sure"


def _is_said(event: e.Event) -> bool:
    return isinstance(event, SAID) and not getattr(event, "implied", False)


def _same_voice(past: _Past, following: _Past) -> bool:
    """Whether two utterances may be one player's."""
    one, other = past.heard.seat, following.heard.seat
    return one is None or other is None or one == other


def _state_at(records: Sequence[Record], seq: int) -> State:
    state = fold([record for record in records if record.seq <= seq])
    assert state is not None, "a table has been opened"
    return state


def _stand(state: State) -> tuple[object, ...]:
    """What makes two tables differ."""
    return (
        state.phase, state.spoken, state.pending, state.pares, state.juego, state.results,
        state.stones, state.deal, state.mano,
    )  # fmt: skip
