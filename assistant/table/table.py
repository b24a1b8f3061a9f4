"""The table: it turns each message into events, a question, or a reason why not.

No I/O. ``propose`` changes nothing. The owner of the table commits the events to the journal, and
then gives the records back to ``commit``. A failed commit leaves the table as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.language.lexicon import (
    START,
    Aside,
    BreathLink,
    Chatter,
    Lexicon,
    Reading,
    Spoken,
    Talk,
    TalkReason,
    context_of,
)
from assistant.messages import (
    Accepted,
    Ask,
    CardsSeen,
    CardsUnclear,
    Command,
    Heard,
    Ignored,
    Message,
    Outcome,
    Pressed,
    Refused,
    Told,
    Word,
)
from assistant.rules.calls import Call, Place, ShowHand
from assistant.rules.engine import Decided, apply, decide, missing_hands
from assistant.rules.errors import AmbiguousCall, HistoryError, IllegalCall
from assistant.rules.events import Event, PenaltyProposed, Retracted
from assistant.rules.history import (
    Record,
    check_retraction,
    fold,
    number,
    redo_target,
    rewound,
    undo_target,
)
from assistant.rules.phases import Phase
from assistant.rules.placing import bet_told, placed
from assistant.rules.state import State
from assistant.table.again import LastCall
from assistant.table.asked import DENIED, PROPOSAL, Doubt, Outcomes, Steps, Ways, who_is_mano
from assistant.table.doubt import (
    NamedHands,
    Scale,
    Weighed,
    ask_for_cards,
    commands_unsurely,
    is_rare,
    talk_share,
)
from assistant.table.expected import (
    Denied,
    believed,
    clear_over_the_voice,
    in_turns,
    thought_of,
)
from assistant.table.histories import Histories
from assistant.table.repair import OtherCalls, hand_again, is_alike, other_calls
from assistant.table.who import Breath, by_voice, is_far, with_speaker

CALLS_OVER = frozenset({Phase.SHOWDOWN, Phase.COUNT, Phase.OVER})
"""Phases in which people talk about the count, and the deal waits for no call."""
IN_A_HAND = 1.0
"""Seconds that a player may pause between two of his cards."""
ROUNDING = 1e-9
"""Tolerance, so that a probability that was set to a limit does not fall below it by rounding."""
DECIDED = 64
"""The most decisions that are kept; one utterance leads to fewer calls."""


class Table:
    """The records of one game so far, and the state that they fold to.

    It also keeps the open question, when table talk was heard, and what else the last calls may
    have been.
    """

    def __init__(self, lexicon: Lexicon, records: Sequence[Record]) -> None:
        """Build the table from a journal's records, the first of which is GameOpened.

        Raises HistoryError.
        """
        self.lexicon = lexicon
        self.records: list[Record] = list(records)
        self.seq = self.records[-1].seq if self.records else 0
        """The seq of the last record."""
        self.state = _folded(self.records)
        self.paused = False
        self._doubt: Doubt | None = None
        if self.state.deal == 0:
            self._doubt = Doubt(self.seq, None, who_is_mano(self.state))
        self._chatter = Chatter(lexicon.hearing)
        self._hands, self._denied = NamedHands(), Denied()
        self.histories = Histories(lexicon.hearing)
        self._decided: dict[tuple[int, Call], tuple[State, Decided]] = {}
        self._others: OtherCalls | None = None
        self._called: _Called | None = None

    @property
    def asked(self) -> str | None:
        """The code of the open question, so that an answer may be said; None for none."""
        doubt = self._doubt  # the ear asks on its own thread
        stands = doubt is not None and doubt.seq == self.seq and not self.paused
        return doubt.ask.code if doubt and stands else None

    def propose(self, message: Message) -> tuple[Outcome, ...]:
        """What a message leads to, one outcome for each call. Nothing changes yet."""
        clear = None
        if isinstance(message, Heard) and not self.paused and self.state.phase not in CALLS_OVER:
            clear = clear_over_the_voice(message, self.ways)
        if isinstance(message, Heard) and message.over and not clear:
            again = self._ask_again(message)
            if not (doubt := self._doubt_before(message)) or not doubt.ask.options:
                self._asks((again,), message.end if message.words else None)
            return (again,)
        if isinstance(message, Heard):
            asked = self._doubt.ask.options if self._doubt and self.asked else ()
            weighed = Weighed(clear) if clear else self._hear(message)
            if not self.paused:
                weighed = self.histories.weigh(message, weighed, self)
            if any(isinstance(one, Accepted) for one in weighed.outcomes):
                self._others = None
                self._called = _Called(message, weighed.outcomes, asked, self.state, self.seq)
            self._asks(weighed.outcomes, message.end, weighed.doubt)
            return weighed.outcomes
        draft = _Proposal(self)
        match message:
            case CardsSeen():
                for seat, hand in message.hands:
                    draft.call(ShowHand(seat=seat, cards=hand))
            case CardsUnclear():
                draft.outcomes.append(ask_for_cards(message, self.state))
            case Pressed():
                self._press(draft, message)
        self._asks(draft.outcomes, None)
        if any(isinstance(outcome, Accepted) for outcome in draft.outcomes):
            self.histories.forget()
            self._others = self._called = None
        return tuple(draft.outcomes)

    @property
    def other_calls(self) -> OtherCalls | None:
        """The calls that the last call may have been instead; None once something else has counted.

        They are searched at the first request, so that the page shows the call itself earlier.
        """
        called, self._called = self._called, None
        if called:
            self._others = self._looked_for(called)
        return self.other_calls_found

    @property
    def other_calls_found(self) -> OtherCalls | None:
        """The same, if they were searched already."""
        others = self._others
        return others if others and others.seq == self.seq and not self.paused else None

    def _looked_for(self, called: _Called) -> OtherCalls | None:
        """Search the calls that the last call of an utterance may have been instead."""
        calls = [one.call for one in called.outcomes if isinstance(one, Accepted)]
        if any(is_alike(call, option) for call in calls for option in called.asked):
            return None
        hearings = [called.heard]
        if called.heard.narrowed:
            hearings.append(replace(called.heard, hypotheses=called.heard.narrowed.hypotheses))
        ways = [self._denied.weigh(self.ways(one, at=called.state), called.seq) for one in hearings]
        return other_calls(called.outcomes, called.seq, ways)

    def _asks(
        self, outcomes: Sequence[Outcome], at: float | None, doubt: Doubt | None = None
    ) -> None:
        """Remember the question among the outcomes: the newest question is the open one."""
        seq = self.seq + sum(len(one.events) for one in outcomes if isinstance(one, Accepted))
        for outcome in outcomes:
            if isinstance(outcome, Ask):
                self._doubt = doubt or Doubt(seq, at, outcome)
            elif isinstance(outcome, Refused) and outcome.code == "decide_first":
                self._doubt = Doubt(seq, at, PROPOSAL)

    @property
    def cards_asked_of(self) -> int | None:
        """The seat that was asked for its cards, because the camera could not read them."""
        doubt = self._doubt if self.asked else None
        if doubt is None or doubt.ask.code != "cards_unclear":
            return None
        seat = int(dict(doubt.ask.params)["seat"])
        return seat if seat in missing_hands(self.state) else None

    def _ask_again(self, heard: Heard) -> Outcome:
        """The outcome of words over the assistant's voice: ask again, if calls are made now."""
        if self.paused or self.state.phase in CALLS_OVER:
            return Ignored(TalkReason.TALK, heard.text)
        return Ask("spoken_over")

    def commit(self, records: Iterable[Record], outcome: Accepted | None = None) -> None:
        """Take over records that are in the journal now.

        ``outcome``: the outcome that the records come from. If it was decided in the present state,
        the state after it is known; otherwise the records are applied.
        """
        new = list(records)
        if not new:
            return
        self.records.extend(new)
        self.seq = new[-1].seq
        self._hands.forget()
        kinds = {type(record.event) for record in new}
        if outcome and outcome.after and outcome.before is self.state:
            self.state = outcome.after
        elif Retracted in kinds:
            self.state = _folded(self.records)
        else:
            for record in new:
                self.state = apply(self.state, record.event)
        if Retracted in kinds:
            self._denied.take_back(self.records)
            gone = {record.event.seq for record in new if isinstance(record.event, Retracted)}
            back = [record.event for record in self.records if record.batch in gone]
            self._hands.take_back(back, self.state.profile)
        elif PenaltyProposed in kinds:
            self._doubt = Doubt(self.seq, None, PROPOSAL)

    def decided(self, state: State, call: Call) -> Decided:
        """The decision of the rules about a call in a state, computed once and kept.

        The hypotheses of both hearings of an utterance lead to the same few calls. Raises
        IllegalCall, AmbiguousCall.
        """
        key = (id(state), call)
        kept = self._decided.get(key)
        if kept is None or kept[0] is not state:
            if len(self._decided) >= DECIDED:
                self._decided.clear()
            kept = self._decided[key] = state, decide(state, call)
        return kept[1]

    def _press(self, draft: _Proposal, message: Pressed) -> None:
        if message.instead:
            self._press_instead(draft, message)
        elif message.seen is not None and message.seen != self.seq:
            draft.outcomes.append(Refused("old_page", text="The page is older than the table."))
        elif message.what is Command.NOT_SAID:
            draft.outcomes.append(self._not_said())
        elif isinstance(message.what, Command):
            draft.command(message.what)
        else:
            draft.call(message.what)

    def _press_instead(self, draft: _Proposal, message: Pressed) -> None:
        """Replace the last call that was heard, or the hand of the same player, by a call."""
        call, others = message.what, self.other_calls
        is_hand = isinstance(call, ShowHand) and self.state.phase in CALLS_OVER
        offered = is_hand or (others is not None and call in others.options)
        if not offered or message.seen not in (None, self.seq):
            draft.outcomes.append(Refused("too_late", text="Something else has counted since."))
        elif isinstance(call, ShowHand):
            draft.instead(*hand_again(self.records, call))
        elif others is not None and isinstance(call, Call):
            draft.instead(others.before, (call,))

    def _hear(self, heard: Heard) -> Weighed:
        """What the utterance leads to: one call after the other, where several players spoke."""
        turns = in_turns(heard, self) if not self.paused else []
        if not turns:
            return self._hear_one(heard)
        weighed = self._hear_one(turns[0])
        there = _Later(self)
        for said, turn in pairwise(turns):
            if weighed.doubt or not there.follows(weighed.outcomes, said):
                break
            following = there.hear(turn)
            if not following.outcomes:
                break  # it was not understood, and the calls after it may depend on it
            weighed = Weighed((*weighed.outcomes, *following.outcomes), following.doubt)
        return weighed

    def _hear_one(self, heard: Heard) -> Weighed:
        """What the utterance leads to: the likeliest of its hypotheses that is a call.

        The rules tell as much about what was meant as the sound does. Hypotheses that lead to the
        same are added up; the winner needs at least the lexicon's ``floor`` of all probability.
        """
        if not self.paused and self.state.phase is Phase.SHOWDOWN:
            profile, standing = self.state.profile, self._doubt_before(heard)
            if shown := self._hands.weigh(heard, self.seq, profile, standing, self.ways):
                return shown
        once, (heard, hearing) = heard, believed(heard, self, self._doubt_before(heard))
        if heard.hypotheses and self._chatter.swallows(heard):
            return Weighed((Ignored(TalkReason.NOISE, heard.text),))
        # A second hearing that is believed was compared with talk already.
        follows = heard is once and self._chatter.follows_talk(heard)
        doubt = None if follows else self._doubt_before(heard)
        scale = Scale(self.state, self.seq, hearing, self._denied.asks, heard.noisy)
        if doubt and (steps := doubt.answer(heard, self.lexicon, self.state)) is not None:
            self._doubt = None
            self.histories.forget()
            return self._answered(doubt, steps, heard, scale)
        ways = self.ways(heard)
        if not ways:
            return Weighed(self._read(heard, heard.words))
        best = max(ways.values()) + ROUNDING
        if best < hearing.floor or commands_unsurely(ways, hearing):
            return Weighed((Ignored("unsure", heard.text),))
        if best < max(
            talk_share(heard, self.lexicon, self.state), hearing.dear if follows else 0.0
        ):
            return Weighed((Ignored(TalkReason.TALK, heard.text),))
        if doubt and doubt.is_left_open_by(max(ways, key=ways.__getitem__)):
            return Weighed((doubt.ask,), replace(doubt, at=heard.end, repeated=True))
        torn = self.state.phase is Phase.SHOWDOWN and self._chatter.follows_talk(heard, IN_A_HAND)
        if torn and _takes_back(ways):
            return Weighed((Ask("sure_undo"),))  # it may be the end of a hand: "tres, as"
        disputed = heard.disputed or is_far(heard, heard.words)
        likeliest = max(ways, key=ways.__getitem__)
        beside = thought_of(once, self.ways, self.lexicon.hearing) if is_rare(likeliest) else ()
        return scale.weigh(
            ways, heard.end, cut=heard.cut, disputed=disputed, answers=doubt, beside=beside
        )

    def _answered(self, doubt: Doubt, steps: Steps, heard: Heard, scale: Scale) -> Weighed:
        """What an answer to the open question leads to."""
        if not steps:
            self._deny(doubt)
            return self._asked_on(doubt, heard) or Weighed((doubt.taken_back(heard),))
        draft = _Proposal(self)
        if doubt.ways and (left := doubt.ways[doubt.ask.options.index(steps[0])]):
            return scale.weigh(left, heard.end, certain=1)
        for step in steps:
            if isinstance(step, Command):
                draft.command(step)
            elif not draft.call(step, doubt.ask.voice):
                break
        return Weighed(tuple(draft.outcomes))

    def _not_said(self) -> Outcome:
        """The outcome of a tap on the "no" to a question whether something was said."""
        doubt = self._doubt if self.asked else None
        if doubt is None or doubt.ask.code not in DENIED:
            return Refused("not_now", text="Nothing was asked that can be denied.")
        self._doubt = None
        self.histories.forget()
        self._deny(doubt)
        return doubt.taken_back(Heard(()))

    def _deny(self, doubt: Doubt) -> None:
        """Remember that the call in question was not said."""
        self._hands.deny(doubt.ask, self.state.profile)
        draft = _Proposal(self)
        if len(doubt.ask.options) == 1 and draft.call(doubt.ask.options[0], doubt.ask.voice):
            self._denied.note(draft.events, self.seq)

    def _asked_on(self, doubt: Doubt, heard: Heard) -> Weighed | None:
        """The question about another hand, after one was denied; None if there is none."""
        is_hand = any(isinstance(option, ShowHand) for option in doubt.ask.options)
        return self._hands.asks_on(self.seq, heard.end) if is_hand else None

    def ways(
        self, heard: Heard, at: State | None = None, breath: Breath | None = None
    ) -> dict[Outcomes, float]:
        """The outcomes that an utterance's hypotheses lead to, with their probabilities.

        Hypotheses that lead to nothing are left out. One with a refused call counts only if all
        have one, and if it has a call before it. ``at``: a state that the table might have instead
        of its own. ``breath``: the call before the utterance, if it may be of the same breath.
        """
        allowed: dict[Outcomes, float] = {}
        refused: dict[Outcomes, float] = {}
        for hypothesis in heard.hypotheses:
            outcomes = self._read(heard, hypothesis.words, at, breath)
            called = tuple([one for one in outcomes if not isinstance(one, Ignored)])
            told = called[0] if called else None
            if isinstance(told, Told) and told.command is Command.RESUME and not self.paused:
                continue  # it changes nothing, and sounds like "sí llevo"
            if called and not isinstance(called[0], Refused):
                ways = refused if isinstance(called[-1], Refused) else allowed
                ways[called] = ways.get(called, 0.0) + hypothesis.probability
        return self._denied.weigh(allowed or refused, self.seq if at is None else None)

    def _doubt_before(self, heard: Heard) -> Doubt | None:
        """The open question, if an utterance may still answer it."""
        if self._doubt is None or self.paused:
            return None
        doubt = self._doubt.as_of(heard)
        self._doubt = doubt if doubt.stands(heard, self.seq) else None
        return self._doubt

    def _read(
        self,
        heard: Heard,
        words: tuple[Word, ...],
        at: State | None = None,
        breath: Breath | None = None,
    ) -> tuple[Outcome, ...]:
        draft = _Proposal(self, at, breath)
        for segment in self.lexicon.segments(words):
            if not draft.segment(segment, heard):
                break
        return tuple(draft.outcomes)


class _Proposal:
    """Collects the outcomes of one message, with the state that they would lead to.

    ``at``: a state that the table's records do not lead to; then no record can be taken back.
    """

    def __init__(self, table: Table, at: State | None = None, breath: Breath | None = None) -> None:
        self.table = table
        self.state = at or table.state
        self.elsewhere = at is not None
        self.outcomes: list[Outcome] = []
        self.breath = self.before = breath or Breath()
        self.last: LastCall | None = None

    def segment(self, words: tuple[Word, ...], heard: Heard) -> bool:
        """Read a run of words without a pause. All of it counts or, if it is talk, none of it.

        ``heard``: the utterance of these words, which says who may have said them.

        Returns whether the rest of the utterance may still be read.
        """
        before, undone = (self.state, len(self.outcomes)), False
        rest, link = words, START
        self.breath, self.before = self.before, Breath()
        self.last = None
        while rest:
            reading = self._next(rest, link, heard)
            if isinstance(reading, Ask):
                self.outcomes.append(reading)
                return False
            if isinstance(reading, Talk):
                self._rewind(before)
                self.outcomes.append(Ignored(reading.why, " ".join(word.text for word in words)))
                return not reading.goes_on
            if isinstance(reading, Spoken) and not self._say(reading, rest, heard):
                if not isinstance(self.outcomes[-1], Ask):
                    # One wrong call casts doubt on what was read before it in the same breath.
                    refused = self.outcomes[-1]
                    self._rewind(before)
                    if not undone:
                        self.outcomes.append(refused)
                return False
            if isinstance(reading, Spoken) and reading.what is Command.UNDO:
                # "Corrige" counts whatever follows it: it may be somebody else who goes on.
                before, undone, self.last = (self.state, len(self.outcomes)), True, None
            self.breath = self.breath.after(rest[: reading.taken])
            rest, link = rest[reading.taken :], reading.link
        return True

    def command(self, command: Command) -> bool:
        """Do a command. Undo and redo become events; the others change nothing in the game."""
        if command is Command.UNDO:
            return self._retract(command, undo_target(self.records), "undo_nothing")
        if command is Command.REDO:
            return self._retract(command, redo_target(self.records), "redo_nothing")
        self.outcomes.append(Told(command))
        return True

    def call(self, call: Call, voice: Sequence[float] = (), words: Sequence[Word] = ()) -> bool:
        """Decide one call on top of what the message has led to so far.

        ``voice``: for each seat the probability that it spoke; empty where it is unknown.
        ``words``: the words of the call, if it was heard.
        """
        try:
            if isinstance(call, Place):
                bet = None if self.table.histories.is_lost else bet_told(self.state, call)
                if bet is None:
                    return self._place(call)
                call = bet
            given = with_speaker(self.state, call, voice)
            decision = self.table.decided(self.state, given)
        except AmbiguousCall as error:
            what = (error.code, error.options, _params(error.params), str(error))
            number = self.table.lexicon.number(words) is not None
            self.outcomes.append(Ask(*what, call=error.call, voice=tuple(voice), number=number))
            return False
        except IllegalCall as error:
            self.outcomes.append(Refused(error.code, _params(error.params), str(error)))
            return False
        events = decision.events
        if given.seat is not None and given.seat != call.seat:
            events = by_voice(events, given.seat)  # a mark, which changes no state
        self.last = LastCall(given, tuple(voice), self.state, len(self.outcomes), self.breath)
        answers = self.breath.is_answered_by(call, voice, words, self.state)
        self._accept(events, given, decision.state, one_breath=answers)
        self.breath = Breath(call, tuple(voice))
        return True

    def instead(self, since: int, calls: Sequence[Call]) -> bool:
        """Take back all that counts after record ``since``, and make these calls, as one batch."""
        events = list(rewound(self.records, since))
        state = _folded([*self.records, *number(events, self.records[-1].seq, at=0.0)])
        for call in calls:
            try:
                decision = decide(state, call)
            except AmbiguousCall as error:
                return self._refuse(error.code, str(error))
            except IllegalCall as error:
                return self._refuse(error.code, str(error))
            events.extend(decision.events)
            state = decision.state
        self._accept(tuple(events), calls[0])
        return True

    def _say(self, reading: Spoken, words: tuple[Word, ...], heard: Heard) -> bool:
        what = reading.what
        if self.table.paused and what is not Command.RESUME:
            return self._refuse("paused", "The assistant is paused.")
        if self.elsewhere and isinstance(what, (Command, Place)):
            return self._refuse("not_now", "The records lead to another state.")
        if isinstance(what, Command):
            if is_far(heard, words) and what in (Command.UNDO, Command.REDO):
                may = what is Command.UNDO and undo_target(self.records) is not None
                self.outcomes.append(
                    Ask("sure_undo") if may else Ignored(TalkReason.UNSURE, heard.text)
                )
                return False
            return self.command(what)
        taken = words[: reading.taken]
        seat = what.seat or heard.seat
        if isinstance(what, ShowHand) and seat is None:
            seat = self.table.cards_asked_of
        return self.call(replace(what, seat=seat), heard.voice_of(taken), taken)

    def _next(self, words: tuple[Word, ...], link: BreathLink, heard: Heard) -> Reading | Ask:
        """Read on, or ask. A player who corrects himself takes back the last call of the breath."""
        lexicon, last = self.table.lexicon, self.last
        again = last.again(words, heard, lexicon, link) if last else None
        if not last or not again:
            return lexicon.read(words, context_of(self.state), link)
        if link.aside is Aside.CORRECTS:
            if isinstance(again, Spoken) and isinstance(again.what, Call):
                self._take_back(last)
            return again
        if ask := last.or_else(again, heard, self.table.decided):
            self._take_back(last)
            return ask
        return lexicon.read(words, context_of(self.state), link)

    def _take_back(self, last: LastCall) -> None:
        """Go on as if the last call of the breath had not been made."""
        self.breath, self.last = last.breath, None
        self._rewind((last.state, last.outcomes))

    def _place(self, told: Place) -> bool:
        """Move the deal to where somebody says it stands; if it is there already, note so."""
        if events := placed(self.records, told):
            self._accept(events, told)
        elif self.table.histories.is_lost:
            self.command(Command.WHERE)
        else:
            self.outcomes.append(Ignored("noted"))  # people say "vamos a pares" anyway
        return True

    @property
    def records(self) -> list[Record]:
        """The table's records, and those that the message would add, which have no time yet.

        Only undo, redo and a place in the deal need them.
        """
        records = list(self.table.records)
        for outcome in self.outcomes:
            if isinstance(outcome, Accepted):
                records += number(outcome.events, records[-1].seq, at=0.0)
        return records

    @property
    def events(self) -> list[Event]:
        """All events of the message."""
        return [event for one in self.outcomes if isinstance(one, Accepted) for event in one.events]

    def _retract(self, command: Command, seq: int | None, nothing: str) -> bool:
        if seq is None:
            return self._refuse(nothing, "There is nothing to take back.")
        try:
            left = check_retraction(self.records, seq)
        except HistoryError as error:
            return self._refuse("undo_breaks", str(error))
        self._accept((Retracted(seq),), command, left)
        return True

    def _refuse(self, code: str, text: str) -> bool:
        self.outcomes.append(Refused(code, text=text))
        return False

    def _accept(
        self,
        events: tuple[Event, ...],
        what: Call | Command,
        after: State | None = None,
        one_breath: bool = False,
    ) -> None:
        """Add an outcome and go on from the state ``after`` it; None: fold the records."""
        if after is None:
            records = self.records
            after = _folded([*records, *number(events, records[-1].seq, at=0.0)])
        self.outcomes.append(Accepted(events, what, one_breath, before=self.state, after=after))
        self.state = after

    def _rewind(self, before: tuple[State, int]) -> None:
        self.state = before[0]
        del self.outcomes[before[1] :]


@dataclass(frozen=True, slots=True)
class _Called:
    """An utterance with calls that counted.

    asked   the calls of the question that was open; the answer has said which one was meant
    state   of the table before it; ``seq``: the last record before it
    """

    heard: Heard
    outcomes: Outcomes
    asked: Sequence[Call]
    state: State
    seq: int


class _Later:
    """The table as it will be once the calls so far have counted."""

    def __init__(self, table: Table) -> None:
        self.lexicon, self.state = table.lexicon, table.state
        self._table, self._seq = table, table.seq
        self._breath = Breath()

    def follows(self, outcomes: Sequence[Outcome], said: Heard) -> bool:
        """Go on from the outcomes so far; ``said`` led to the last of them.

        False if it is not clear in which state the table is then.
        """
        last = outcomes[-1] if outcomes else None
        taken = [one for one in outcomes if isinstance(one, Accepted)]
        if not isinstance(last, Accepted) or not isinstance(last.call, Call) or not last.after:
            return False
        self._seq = self._table.seq + sum(len(one.events) for one in taken)
        self.state = last.after
        words = said.narrowed.hypotheses[0].words if said.narrowed else said.words
        self._breath = Breath(last.call, said.voice_of(words), words[-1].end, turn=True)
        return len(taken) == len(outcomes)

    def hear(self, turn: Heard) -> Weighed:
        """The result for one more call from there."""
        heard, hearing = believed(turn, self, None)
        ways = self.ways(heard)
        if not ways or max(ways.values()) < hearing.floor:
            return Weighed(())
        scale = Scale(self.state, self._seq, hearing, noisy=heard.noisy)
        return scale.weigh(ways, heard.end)

    def ways(self, heard: Heard, at: State | None = None) -> Ways:
        """See Table."""
        return self._table.ways(heard, at or self.state, self._breath)


def _takes_back(ways: Ways) -> bool:
    """Whether the likeliest hypothesis begins with "deshaz"."""
    (first, *_) = max(ways, key=ways.__getitem__)
    return isinstance(first, Accepted) and first.call is Command.UNDO


def _folded(records: Sequence[Record]) -> State:
    state = fold(records)
    assert state is not None, "a table has been opened"
    return state


def _params(params: dict[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((key, str(value)) for key, value in params.items())
