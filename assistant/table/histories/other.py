"""Other histories of the last calls, how likely each of them is, and the one that is taken over.

An utterance was its second-likeliest call, a faint one was a call after all, or one call was not
heard. Only what is legal from there to the last call counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from assistant.language.lexicon import Hearing, Lexicon
from assistant.messages import Accepted, Ask, Heard, Message
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import decide
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.history import Record, fold, rewound
from assistant.rules.phases import BEFORE_LANCES, BETTING, DECLARING
from assistant.rules.state import State
from assistant.table.asked import Doubt, Outcomes, Ways
from assistant.table.doubt import Weighed

READINGS = 3
"""Ways to hear an utterance that are tried."""
MANY = 10
"""Stones of a bet, or of its answer, above which no other history is taken over unasked."""
MISFITS = frozenset({"no_quereis", "change_of_mind"})
"""Questions of the rules that say of a call that it does not fit."""
ANSWERS = (c.Accept, c.Refuse, c.Pass)
SAID_CALLS = (
    c.Mus, c.Cut, c.Pass, c.Bet, c.Raise, c.Reenvido, c.Ordago, c.Accept, c.Refuse, c.Declare,
)  # fmt: skip
"""Calls of the game that may be heard where they do not fit."""
SAID = (
    e.MusAsked, e.MusCut, e.Passed, e.BetMade, e.BetRaised, e.OrdagoMade, e.BetAccepted,
    e.BetRefused, e.Declared,
)  # fmt: skip
"""Events that somebody says."""


class TablePort(Protocol):
    """What a table tells of itself."""

    records: list[Record]
    state: State
    lexicon: Lexicon
    seq: int
    """The seq of the last record."""

    def ways(self, heard: Heard, at: State | None = None) -> Ways:
        """What the ways to hear an utterance come to, at a state that it might have."""

    def propose(self, message: Message) -> Outcomes:
        """What a message makes happen."""


@dataclass(frozen=True, slots=True)
class Past:
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
    state: State
    """What the events lead to."""
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
        return _History(self.since, step.state, self.odds * odds, (*self.steps, step))


@dataclass(frozen=True, slots=True)
class Other:
    """The search for another history in which a call that was ``heard`` now is legal."""

    hearing: Hearing
    table: TablePort
    past: tuple[Past, ...]
    heard: Heard

    def weighed(self) -> Weighed | None:
        """What is made of the call, if a history is much likelier than the present and the rest."""
        found: dict[tuple[object, ...], list[_History]] = {}
        for history in self._histories():
            found.setdefault(_stand(history.state), []).append(history)
        odds = {stand: sum(one.odds for one in some) for stand, some in found.items()}
        best = max(odds, key=odds.__getitem__, default=None)
        if best is None:
            return None
        if odds[best] < self.hearing.likelier * (1 + sum(odds.values()) - odds[best]):
            return None
        return self._taken_over(max(found[best], key=lambda one: one.odds))

    def _histories(self) -> Iterator[_History]:
        """Every other history in which the call is legal, with its odds."""
        states = _states(self.table.records, self.past)
        for at, past in enumerate(self.past):
            start = _History(past.before, states[past.before], 1.0)
            rest = self.past[at + 1 :]
            for changed in self._changed(start, past):
                yield from self._ends(changed, rest, states)
            for missed in self._missed(start):
                yield from self._ends(missed, self.past[at:], states)
        for missed in self._missed(_History(self.table.seq, self.table.state, 1.0)):
            yield from self._ends(missed, (), states)

    def _changed(self, start: _History, past: Past) -> Iterator[_History]:
        """An utterance as one of the calls that it was not taken for."""
        ways = self.table.ways(past.heard, start.state)
        present = ways.get(past.outcomes, 0.0)
        if past.taken and not present:
            return  # it was an answer, which people gave: nothing to guess
        if not past.taken:
            present = max(1 - sum(ways.values()), self.hearing.stray)
        likeliest = sorted(ways.items(), key=lambda item: -item[1])
        for outcomes, share in likeliest[:READINGS]:
            clear = not past.taken and share >= self.hearing.sure
            if outcomes == past.outcomes or clear or share < self.hearing.faintest:
                continue
            if step := _step(outcomes, start.state, new=True):
                yield start.then(step, share / present)

    def _missed(self, start: _History) -> Iterator[_History]:
        """One call that nobody heard, of whoever was to speak."""
        calls = _could_be_missed(start.state)
        for call in calls:
            try:
                made = decide(start.state, call)
            except (IllegalCall, AmbiguousCall):
                continue
            dear = _is_dear(call, start.state, made.events)
            step = _Step((call,), made.events, made.state, new=True, dear=dear)
            yield start.then(step, self.hearing.missed / len(calls))

    def _ends(
        self,
        history: _History,
        rest: Sequence[Past],
        states: Mapping[int, State],
    ) -> Iterator[_History]:
        """Go on with what was heard since; nothing where it, or the last call, is illegal then."""
        end: _History | None = history
        pending = [*rest, Past(self.heard, (), self.table.seq, self.table.seq)]
        for at, past in enumerate(pending):
            assert end is not None
            following = pending[at + 1] if at + 1 < len(pending) else None
            end = self._after(end, past, following, states[past.before])
            if end is None:
                return
        assert end is not None
        yield end

    def _after(
        self,
        history: _History,
        past: Past,
        following: Past | None,
        then: State,
    ) -> _History | None:
        """The history after one more utterance; None where it would not be legal."""
        ways = self.table.ways(past.heard, history.state)
        legal = {way: share for way, share in ways.items() if _step(way, history.state, new=False)}
        best = max(legal, key=legal.__getitem__, default=None)
        last = following is None
        if best is None:
            return None if past.taken or last else history
        share, hearing = legal[best], self.hearing
        if past.taken:
            taken_for = self.table.ways(past.heard, then).get(past.outcomes, 1.0)
            step = _step(best, history.state, new=False)
            return history.then(step, share / taken_for) if step else None
        if last and sum(legal.values()) - share > hearing.rival * share:
            return None  # it is not clear which call it is
        if share < hearing.sure:
            return None if last else history
        step = _step(best, history.state, new=True)
        if step is None:
            return None
        if following is not None and not following.taken and _same_voice(past, following):
            again = self.table.ways(following.heard, history.state)
            if _calls(best) in map(_calls, again):
                # Said once more because nothing came of it; two who declare may say the same.
                return None if any(isinstance(call, c.Declare) for call in step.calls) else history
        return history.then(step, share / max(1 - share, hearing.stray))

    def _taken_over(self, history: _History) -> Weighed:
        """The other history as one batch; where much hangs on it, the question that leads to it."""
        *before, last = history.steps
        events = [event for step in history.steps for event in step.events]
        new = [step for step in before if step.new]
        batch = (*rewound(self.table.records, history.since), *events)
        understood = tuple(event for step in new for event in step.events if _is_said(event))
        outcome = Accepted(batch, last.calls[-1], understood=understood)
        if all(not step.dear for step in (*new, last)) and not _ends_the_game(events):
            return Weighed((outcome,))
        dear = next((step for step in (*new, last) if step.dear), new[0] if new else last)
        ask = Ask(_code(dear.calls[0]), (dear.calls[0],))
        return Weighed((ask,), Doubt(self.table.seq, self.heard.end, ask, ({(outcome,): 1.0},)))


def _could_be_missed(state: State) -> tuple[c.Call, ...]:
    """Short calls that a table may have missed; a bet is none, for nobody knows of how many."""
    if state.phase in BEFORE_LANCES:
        return c.Mus(), c.Cut()
    if state.phase in DECLARING:
        return c.Declare(holds=True), c.Declare(holds=False)
    if state.pending:
        return c.Accept(), c.Refuse(), c.Refuse(plural=True)
    return (c.Pass(),) if state.phase in BETTING else ()


def _step(outcomes: Outcomes, state: State, *, new: bool) -> _Step | None:
    """What a way comes to; None where it is not all calls of the game, and legal."""
    calls: list[c.Call] = []
    events: list[e.Event] = []
    dear = False
    for one in outcomes:
        if not isinstance(one, Accepted) or not isinstance(one.call, SAID_CALLS):
            return None
        assert one.after is not None, "a table has decided it"
        dear = dear or _is_dear(one.call, state, one.events)
        state = one.after
        calls.append(one.call)
        events.extend(one.events)
    return _Step(tuple(calls), tuple(events), state, new, dear) if calls else None


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
    return bet is not None and isinstance(call, ANSWERS) and (bet.ordago or bet.stones > MANY)


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


def _same_voice(past: Past, following: Past) -> bool:
    """Whether two utterances may be one player's."""
    one, other = past.heard.seat, following.heard.seat
    return one is None or other is None or one == other


def _states(records: Sequence[Record], past: Sequence[Past]) -> dict[int, State]:
    """The table before each utterance and now; nothing was taken back since the first of them."""
    first = past[0].before
    at = first - records[0].seq + 1  # seqs count without gaps
    state = fold(records[:at])
    assert state is not None, "a table has been opened"
    states = {first: state}
    for record in records[at:]:
        state = apply(state, record.event)
        states[record.seq] = state
    return states


def _stand(state: State) -> tuple[object, ...]:
    """What makes two tables differ."""
    return (
        state.phase, state.spoken, state.pending, state.pares, state.juego, state.results,
        state.stones, state.deal, state.mano,
    )  # fmt: skip
