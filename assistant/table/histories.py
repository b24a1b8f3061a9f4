"""Other histories of the last calls: what is legal later shows which calls were really made.

No I/O. The last utterances are remembered for some seconds, with all their hypotheses. If a clear
call does not fit, other histories are searched: an utterance was its second-likeliest call, a faint
one was a call after all, or one call was not heard. A history counts only if all its calls up to
the last one are legal. If one is much likelier than all the others together, it replaces the
present one in a single batch. If clear calls fit no history, the table is asked once where the deal
stands. docs/ear.md says where the limits come from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from assistant.language.lexicon import UNKNOWN, Context, Hearing, Lexicon, Spoken, context_of
from assistant.messages import (
    Accepted,
    Ask,
    Command,
    Heard,
    Hypothesis,
    Ignored,
    Message,
    Pressed,
    Refused,
    Told,
)
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import decide
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.history import Record, fold, rewound
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, BETTING, DECLARING, Phase
from assistant.rules.state import State
from assistant.table.asked import Doubt, Outcomes, Ways
from assistant.table.doubt import MANY, Weighed

# ---- The search for other histories, and the odds of each ----------------------------------------


READINGS = 3
"""The most hypotheses of an utterance that are tried."""
MISFITS = frozenset({"no_quereis", "change_of_mind"})
"""Questions of the rules that show that a call does not fit."""
ANSWERS = (c.Accept, c.Refuse, c.Pass)
SAID_CALLS = (
    c.Mus, c.Cut, c.Pass, c.Bet, c.Raise, c.Reenvido, c.Ordago, c.Accept, c.Refuse, c.Declare,
)  # fmt: skip
"""Calls of the game that may be heard at a moment that they do not fit."""
SAID = (
    e.MusAsked, e.MusCut, e.Passed, e.BetMade, e.BetRaised, e.OrdagoMade, e.BetAccepted,
    e.BetRefused, e.Declared,
)  # fmt: skip
"""Events that are somebody's words."""


class TablePort(Protocol):
    """What the search needs of a table."""

    records: list[Record]
    state: State
    lexicon: Lexicon
    seq: int
    """The seq of the last record."""

    def ways(self, heard: Heard, at: State | None = None) -> Ways:
        """The outcomes of an utterance's hypotheses; ``at``: a state that the table might have."""

    @property
    def asked(self) -> str | None:
        """The code of the open question; None for none."""

    def propose(self, message: Message) -> Outcomes:
        """What a message leads to; nothing changes yet."""


@dataclass(frozen=True, slots=True)
class Past:
    """An utterance, what it led to, and the last record before and after it."""

    heard: Heard
    outcomes: Outcomes
    before: int
    after: int

    @property
    def taken(self) -> bool:
        """Whether the utterance made any record."""
        return self.after > self.before

    @property
    def asked_about(self) -> bool:
        """Whether the table was asked what was said. It may have gone on without an answer."""
        return any(isinstance(one, Ask) for one in self.outcomes)

    @property
    def leaves_a_bet_open(self) -> bool:
        """Whether the table was asked if a bet was accepted, and not because of a number alone."""
        return any(
            isinstance(option, c.Accept)
            for one in self.outcomes
            if isinstance(one, Ask) and not one.number
            for option in one.options
        )


@dataclass(frozen=True, slots=True)
class _Step:
    """What one utterance, or one missed call, leads to in a history."""

    calls: tuple[c.Call, ...]
    events: tuple[e.Event, ...]
    state: State
    """The state after the events."""
    new: bool
    """Whether the utterance was taken for nothing, or for something else, when it was heard."""
    dear: bool = False


@dataclass(frozen=True, slots=True)
class _History:
    """Another history from a record on; ``odds``: how many times as likely as the present one."""

    since: int
    state: State
    odds: float
    steps: tuple[_Step, ...] = ()

    def then(self, step: _Step, odds: float) -> _History:
        """The same history, one utterance later."""
        return _History(self.since, step.state, self.odds * odds, (*self.steps, step))


@dataclass(frozen=True, slots=True)
class Other:
    """The search for another history, in which the call that was ``heard`` now is legal."""

    hearing: Hearing
    table: TablePort
    past: tuple[Past, ...]
    heard: Heard

    def weighed(self) -> Weighed | None:
        """The result for the call if one history is much likelier than all others together."""
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
        """Histories in which an utterance was another call than the one it was taken for."""
        ways = self.table.ways(past.heard, start.state)
        present = ways.get(past.outcomes, 0.0)
        if past.taken and not present:
            return  # it was an answer to a question: there is nothing to guess
        doubted = past.taken or past.asked_about
        if not past.taken:
            present = max(1 - sum(ways.values()), self.hearing.stray)
        likeliest = sorted(ways.items(), key=lambda item: -item[1])
        for outcomes, share in likeliest[:READINGS]:
            clear = not doubted and share >= self.hearing.sure
            if outcomes == past.outcomes or clear or share < self.hearing.faintest:
                continue
            if step := _step(outcomes, start.state, new=True):
                yield start.then(step, share / present)

    def _missed(self, start: _History) -> Iterator[_History]:
        """Histories with one missed call, by the player whose turn it was."""
        calls = _could_be_missed(start.state)
        for call in calls:
            try:
                made = decide(start.state, call)
            except (IllegalCall, AmbiguousCall):
                continue
            dear = is_dear(call, start.state, made.events)
            step = _Step((call,), made.events, made.state, new=True, dear=dear)
            yield start.then(step, self.hearing.missed / len(calls))

    def _ends(
        self,
        history: _History,
        rest: Sequence[Past],
        states: Mapping[int, State],
    ) -> Iterator[_History]:
        """Go on with the later utterances; nothing if they, or the last call, are illegal then."""
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
        """The history after one more utterance; None if that would not be legal."""
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
                # Repeated, because it had no effect; but two players may declare the same.
                return None if any(isinstance(call, c.Declare) for call in step.calls) else history
        return history.then(step, share / max(1 - share, hearing.stray))

    def _taken_over(self, history: _History) -> Weighed:
        """The other history as one batch or, if much depends on it, a question first."""
        *before, last = history.steps
        events = [event for step in history.steps for event in step.events]
        new = [step for step in before if step.new]
        batch = (*rewound(self.table.records, history.since), *events)
        understood = tuple(event for step in new for event in step.events if is_said(event))
        outcome = Accepted(batch, last.calls[-1], understood=understood)
        if all(not step.dear for step in (*new, last)) and not _ends_the_deal(events):
            return Weighed((outcome,))
        dear = next((step for step in (*new, last) if step.dear), new[0] if new else last)
        ask = Ask(_code(dear.calls[0]), (dear.calls[0],))
        return Weighed((ask,), Doubt(self.table.seq, self.heard.end, ask, ({(outcome,): 1.0},)))


def _could_be_missed(state: State) -> tuple[c.Call, ...]:
    """Short calls that may have been missed. No bets, because nobody knows how many stones."""
    if state.phase in BEFORE_LANCES:
        return c.Mus(), c.Cut()
    if state.phase in DECLARING:
        return c.Declare(holds=True), c.Declare(holds=False)
    if state.pending:
        return c.Accept(), c.Refuse(), c.Refuse(plural=True)
    return (c.Pass(),) if state.phase in BETTING else ()


def _step(outcomes: Outcomes, state: State, *, new: bool) -> _Step | None:
    """The step that a way leads to; None unless it consists of legal calls of the game."""
    calls: list[c.Call] = []
    events: list[e.Event] = []
    dear = False
    for one in outcomes:
        if not isinstance(one, Accepted) or not isinstance(one.call, SAID_CALLS):
            return None
        assert one.after is not None, "a table has decided it"
        dear = dear or is_dear(one.call, state, one.events)
        state = one.after
        calls.append(one.call)
        events.extend(one.events)
    return _Step(tuple(calls), tuple(events), state, new, dear) if calls else None


def _calls(outcomes: Outcomes) -> tuple[object, ...]:
    return tuple(one.call for one in outcomes if isinstance(one, Accepted))


def is_dear(call: c.Call, state: State, events: Sequence[e.Event]) -> bool:
    """Whether so much depends on a call that the table is asked before a history takes over."""
    if isinstance(call, c.Ordago):
        return True
    made = (event for event in events if isinstance(event, e.BetMade | e.BetRaised))
    if any(event.stones > MANY for event in made):
        return True
    bet = state.pending
    return bet is not None and isinstance(call, ANSWERS) and (bet.ordago or bet.stones > MANY)


def _ends_the_deal(events: Sequence[e.Event]) -> bool:
    return any(isinstance(event, e.JuegoWon | e.DealCounted) for event in events)


def _code(call: c.Call) -> str:
    match call:
        case c.Ordago():
            return "sure_ordago"
        case _:
            return "sure"


def is_said(event: e.Event) -> bool:
    """Whether an event is somebody's words, and was not inferred."""
    return isinstance(event, SAID) and not getattr(event, "implied", False)


def _same_voice(past: Past, following: Past) -> bool:
    """Whether two utterances may be by the same player."""
    one, other = past.heard.seat, following.heard.seat
    return one is None or other is None or one == other


def _states(records: Sequence[Record], past: Sequence[Past]) -> dict[int, State]:
    """The state before each utterance and now, if nothing was taken back since the first one."""
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
    """The part of a state that tells it from another: where the deal stands, what is at stake."""
    return (
        state.phase, state.spoken, state.pending, state.pares, state.juego, state.results,
        state.stones, state.deal, state.mano,
    )  # fmt: skip


# ---- The last utterances, and when other histories are tried -------------------------------------


KEPT, SECONDS = 8, 25.0
"""The most utterances that are remembered, and for how long, in seconds of the stream."""
CLEAR, WITHIN = 3.0, 30.0
"""The table is asked where the deal stands once this many clear calls have fitted no history,
within this many seconds."""
FITS, BARE, PLAYS_ON = -0.5, 0.9, 2.0
"""The weights of other calls in that number: of a call in between that fits; of a bare yes or no;
and of a call that plays on while pares or juego are still declared, because somebody's declaration
was missed."""
SILENT = 60.0
"""Seconds before the same question is asked again."""
UNHEARD, AGAIN = 1.8, 8.0
"""The table is asked to repeat its calls once this many in a row were not understood; and not again
for this many seconds."""
OF_CALLS = 0.5
"""The least share of an utterance's known words that belong to calls. In chat, other words surround
"tengo" and "no"."""
ANSWERS_TO = frozenset({"taken_back", "noted"})
"""The outcomes of answers to a question that are no calls."""
NOT_UNDERSTOOD = Ask("unheard", text="Several calls were not understood.")
ANSWERED = 15.0
"""Seconds after the question in which the bare name of a lance answers it."""


class Histories:
    """Remembers the last utterances. ``weigh`` makes the final decision about each new one."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._past: list[Past] = []
        self._misfits: list[tuple[float, float]] = []
        self._unheard: list[tuple[float, float]] = []
        self._asked = self._asked_for_them = -math.inf

    def forget(self) -> None:
        """Forget all, because an answer, a tap or a command has settled what counts."""
        self._past.clear()
        self._misfits.clear()
        self._unheard.clear()
        self._asked = -math.inf

    @property
    def is_lost(self) -> bool:
        """Whether the table was asked where the deal stands, and nothing has counted since."""
        return self._asked > -math.inf

    def weigh(self, heard: Heard, weighed: Weighed, table: TablePort) -> Weighed:
        """The final result for an utterance; ``weighed``: its result in the present history."""
        if not heard.hypotheses:
            self.forget()  # a script is certain
            return weighed
        self._let_go(heard, table)
        found = self._answered(heard, weighed, table) or self._other(heard, weighed, table)
        if found is None and self._is_lost(heard, weighed.outcomes, table):
            self._asked = heard.end
            self._misfits.clear()
            found = Weighed((Ask("lost", text="Nothing of that fits where the table stands."),))
        if found is None and self._are_unheard(heard, weighed.outcomes, table):
            self._asked_for_them = heard.end
            found = Weighed((NOT_UNDERSTOOD,))
        if found is None and self._lack_their_rest(heard, weighed, table):
            self._asked_for_them = heard.end
            found = Weighed((*weighed.outcomes, NOT_UNDERSTOOD))
        self._remember(heard, found or weighed, table)
        return found or weighed

    def _let_go(self, heard: Heard, table: TablePort) -> None:
        """Forget old utterances; forget all if the game has moved without words."""
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
        if taken or any(isinstance(one, Ask | Told) for one in weighed.outcomes):
            self._unheard.clear()
        if taken:
            self._misfits.append((heard.end, FITS))
            self._asked = -math.inf
        after = table.seq + sum([len(one.events) for one in taken])
        self._past.append(Past(heard, weighed.outcomes, table.seq, after))

    def _other(self, heard: Heard, weighed: Weighed, table: TablePort) -> Weighed | None:
        """The result, in another history, for a clear call that does not fit the present one."""
        if not self._past or not self._may_misfit(heard, weighed.outcomes):
            return None
        return Other(self._hearing, table, tuple(self._past), heard).weighed()

    def _may_misfit(self, heard: Heard, outcomes: Outcomes) -> bool:
        """Whether an utterance was clear, and yet moved nothing."""
        if heard.cut or heard.disputed or heard.over:
            return False
        for one in outcomes:
            if not isinstance(one, Refused | Ignored | Ask):
                return False
            if isinstance(one, Ask) and one.code not in MISFITS and not self._plays_on(one):
                return False
        known = sum([way.probability for way in heard.hypotheses if not _unknown(way)])
        return known >= self._hearing.sure

    def _plays_on(self, ask: Ask) -> bool:
        """Whether a bare "envido" may belong to the next lance.

        It may if the table was asked twice whether the bet before it was accepted, because somebody
        passed instead of answering.
        """
        times = sum(one.leaves_a_bet_open for one in self._past)
        return ask.code == "bare_raise" and times > 1

    def _is_lost(self, heard: Heard, outcomes: Outcomes, table: TablePort) -> bool:
        """Whether so many clear calls fitted no history that the table must be asked."""
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

    def _are_unheard(self, heard: Heard, outcomes: Outcomes, table: TablePort) -> bool:
        """Whether so many calls in a row were not understood that the table must be asked.

        This happens if several players call one after the other and it becomes one utterance, or if
        noise covers a word of each call. For a single such call there is no question: the player
        says it again sooner.
        """
        if table.state.phase not in (*BEFORE_LANCES, *BETTING, *DECLARING) or table.asked:
            self._unheard.clear()
            return False
        if heard.distant or heard.noisy or heard.over:
            return False
        if any(
            not isinstance(one, Refused | Ignored) or one.code in ANSWERS_TO for one in outcomes
        ):
            return False
        recent = [(at, calls) for at, calls in self._unheard if heard.end - at < WITHIN]
        self._unheard = [*recent, (heard.end, _calls_among(heard, table))]
        gone_by = sum([calls for _, calls in self._unheard])
        return gone_by >= UNHEARD and heard.end - self._asked_for_them > AGAIN

    def _lack_their_rest(self, heard: Heard, weighed: Weighed, table: TablePort) -> bool:
        """Whether only the first of several calls in an utterance counts.

        The second hearing finds one call, in a part of the utterance. The words before that part
        may be talk, and so may those after it, unless they contain several calls.
        """
        taken = [one for one in weighed.outcomes if isinstance(one, Accepted)]
        if not taken or len(taken) < len(weighed.outcomes) or not all(map(_is_plain, taken)):
            return False
        after = taken[-1].after
        if after is None or after.phase not in (*BEFORE_LANCES, *BETTING, *DECLARING):
            return False
        if heard.distant or heard.noisy or heard.over:
            return False
        part = heard.narrowed
        start = part.hypotheses[0].words[0].start if part and part.part else -math.inf
        rest = _calls_among(heard, table, since=start) - len(taken)
        return rest >= UNHEARD and heard.end - self._asked_for_them > AGAIN

    def _answered(self, heard: Heard, weighed: Weighed, table: TablePort) -> Weighed | None:
        """The answer to the question where the deal stands: the bare name of a lance."""
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
    """The weight of a call that does not fit, in clear calls."""
    if lexicon.is_yes(heard.words) or lexicon.is_no(heard.words):
        return BARE
    if any(isinstance(one, Refused) and one.code == "declare_first" for one in outcomes):
        return PLAYS_ON
    return 1.0


def _calls_among(heard: Heard, table: TablePort, since: float = -math.inf) -> float:
    """The expected number of calls, of any moment, that were said ``since`` a stream time."""
    now, sizes_of = context_of(table.state), table.lexicon.sizes_of_calls
    calls = 0.0
    for way in heard.hypotheses:
        words = [word for word in way.words if (word.start + word.end) / 2 >= since]
        sizes = sizes_of(words, now)
        known = sum([word.text != UNKNOWN for word in words]) if sizes else 0
        if sum(sizes) >= OF_CALLS * known:
            calls += way.probability * len(sizes)
    return calls


def _share_of_calls(heard: Heard, table: TablePort) -> float:
    """The probability that a call was said, of any moment of the deal."""
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
    """Whether an outcome is simply one more call, which settles nothing about earlier ones."""
    settles = isinstance(outcome.call, Command | c.Place) or outcome.call is None
    return not settles and not outcome.understood
