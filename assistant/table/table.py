"""The table: it turns each message into events, a question, or a reason why not.

No I/O. ``propose`` changes nothing. The owner of the table commits the events to the journal, and
then gives the records back to ``commit``. A failed commit leaves the table as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from assistant.language.lexicon import (
    UNKNOWN,
    Chatter,
    Lexicon,
    OpenQuestion,
    TalkReason,
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
from assistant.rules.calls import Accept, Call, NextDeal, Place, Refuse, ShowHand, Where
from assistant.rules.engine import Decided, apply, decide, missing_hands
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.events import BetAccepted, BetRefused, PenaltyProposed, Retracted
from assistant.rules.history import (
    Record,
)
from assistant.rules.legal import MESSAGES, refusal
from assistant.rules.phases import Phase
from assistant.rules.placing import placed, taken_back
from assistant.rules.state import State
from assistant.table.asked import DENIED, PROPOSAL, Doubt, Outcomes, Steps, Ways, who_is_mano
from assistant.table.between import Between
from assistant.table.doubt import (
    NamedHands,
    Scale,
    Weighed,
    ask_for_cards,
    commands_unsurely,
    is_rare,
    talk_share,
    yes_to_a_bet,
)
from assistant.table.expected import (
    Denied,
    LaterTable,
    after_an_answer,
    answers_a_bet,
    believed,
    clear_over_the_voice,
    in_turns,
    thought_of,
)
from assistant.table.histories import Histories
from assistant.table.outcomes import MessageOutcomes, folded
from assistant.table.repair import CalledBefore, OtherCalls, hand_again, is_alike, other_calls
from assistant.table.who import Breath, is_far

CALLS_OVER = frozenset({Phase.SHOWDOWN, Phase.COUNT, Phase.OVER})
"""Phases in which people talk about the count, and the deal waits for no call."""
DEAL_OVER = frozenset({Phase.COUNT, Phase.OVER})
BEFORE_THE_CALL: dict[str, tuple[type[Call], ...]] = {
    "no_quereis": (Accept, Refuse), "holders": (Place,),
}  # fmt: skip
"""Questions that a call of a later lance waits for, and their answers."""
ANSWERED = (BetAccepted, BetRefused)
"""Events that are an answer to a bet."""
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
        self.state = folded(self.records)
        self.paused = False
        self._doubt: Doubt | None = None
        if self.state.deal == 0:
            self._doubt = Doubt(self.seq, None, who_is_mano(self.state))
        self._chatter = Chatter(lexicon.hearing)
        self._hands, self._denied = NamedHands(), Denied()
        self.histories = Histories(lexicon.hearing)
        self._between = Between(lexicon.hearing)
        self._back: tuple[object, ...] = ()
        """The deal and the phase in which the table was last asked whether to go back."""
        self._decided: dict[tuple[int, Call], tuple[State, Decided]] = {}
        self._others: OtherCalls | None = None
        self._called: CalledBefore | None = None
        self.gone_on_with: tuple[int, Call] | None = None
        self._wondered = -1
        self._question: tuple[Doubt, State, OpenQuestion] | None = None
        self._answered_at = -1
        """The last record when an answer to the pending bet may have been heard, not clearly."""

    @property
    def asked(self) -> str | None:
        """The code of the open question, so that an answer may be said; None for none."""
        doubt = self._doubt  # the ear asks on its own thread
        stands = doubt is not None and doubt.seq == self.seq and not self.paused
        return doubt.ask.code if doubt and stands else None

    @property
    def question(self) -> OpenQuestion | None:
        """The open question, with what may answer it; None for none."""
        doubt, state = self._doubt, self.state  # the ear asks on its own thread
        if doubt is None or self.asked is None:
            return None
        kept = self._question  # it asks with every block of sound
        if kept is None or kept[0] is not doubt or kept[1] is not state:
            kept = self._question = doubt, state, doubt.question(state)
        return kept[2]

    def propose(self, message: Message) -> tuple[Outcome, ...]:
        """What a message leads to, one outcome for each call. Nothing changes yet."""
        clear, waits = None, None
        if self._doubt and self._doubt.ask.code in BEFORE_THE_CALL:
            waits = self._waiting()
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
            if waits:
                weighed = replace(weighed, outcomes=self._gone_on(weighed.outcomes, waits))
            if not self.paused:
                weighed = self.histories.weigh(message, weighed, self)
                if self.state.phase in CALLS_OVER:
                    weighed = self._between.weigh(message, weighed, self)
                elif self.state.pending and Ignored in map(type, weighed.outcomes):
                    weighed = self._wondering(message, weighed)
            if any(isinstance(one, Accepted) for one in weighed.outcomes):
                self._others = None
                self._called = CalledBefore(message, weighed.outcomes, asked, self.state, self.seq)
            self._asks(weighed.outcomes, message.end, weighed.doubt)
            if Ask in map(type, weighed.outcomes) and answers_a_bet(message, self):
                self._answered_at = self.seq
            return weighed.outcomes
        draft = MessageOutcomes(self)
        match message:
            case CardsSeen():
                for seat, hand in message.hands:
                    draft.call(ShowHand(seat=seat, cards=hand))
            case CardsUnclear():
                draft.outcomes.append(ask_for_cards(message, self.state))
            case Pressed():
                self._press(draft, message)
        outcomes = self._gone_on(tuple(draft.outcomes), waits) if waits else tuple(draft.outcomes)
        self._asks(outcomes, None)
        if any(isinstance(outcome, Accepted) for outcome in outcomes):
            self.histories.forget()
            self._others = self._called = None
        return outcomes

    def _wondering(self, heard: Heard, weighed: Weighed) -> Weighed:
        """The same, or the question whether a "sí" accepts the bet: once for each bet."""
        ask = yes_to_a_bet(self.state, heard, weighed.outcomes, self.lexicon.hearing)
        if ask is None or self._wondered == self.seq:
            return weighed
        self._wondered = self.seq
        return Weighed((ask,))

    def _waiting(self) -> Ask | None:
        """The question that has to be answered before a call of a later lance can count."""
        ask = self._doubt.ask if self._doubt and self.asked in BEFORE_THE_CALL else None
        return ask if ask and ask.call else None

    def _gone_on(self, outcomes: Outcomes, waits: Ask) -> Outcomes:
        """The same outcomes, and after the answer the call that waited for it (R36)."""
        if waits.call is None or len(outcomes) != 1:
            return outcomes
        answer, draft = outcomes[0], MessageOutcomes(self)
        answers = BEFORE_THE_CALL[waits.code]
        if not isinstance(answer, Accepted) or not isinstance(answer.call, answers):
            return outcomes
        if answer.after is None or answer.after.pending or answer.after.phase in DEAL_OVER:
            return outcomes
        draft.outcomes, draft.state = [answer], answer.after
        draft.call(waits.call, waits.voice)
        if isinstance(draft.outcomes[-1], Accepted):
            seq = self.seq + sum(len(o.events) for o in draft.outcomes if isinstance(o, Accepted))
            self.gone_on_with = seq, replace(waits.call, seat=None)
        elif not isinstance(draft.outcomes[-1], Ask):
            return outcomes
        return tuple(draft.outcomes)

    def has_asked(self, ask: Ask) -> bool:
        """Whether a question is the open one already; to say the call again answers it."""
        return bool(self.asked and self._doubt and self._doubt.ask == ask)

    def is_said_again(self, call: Call) -> bool:
        """Whether a call is the one that waited for an answer and counts by now.

        Who was asked amid his call often says it once more after the answer.
        """
        return self.gone_on_with == (self.seq, replace(call, seat=None))

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

    def _looked_for(self, called: CalledBefore) -> OtherCalls | None:
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
                if isinstance(outcome.call, Place) and outcome.code == "sure":
                    self._back = self.state.deal, self.state.phase
            elif isinstance(outcome, Refused) and outcome.code == "decide_first":
                self._doubt = Doubt(seq, at, PROPOSAL)

    def asks_before(self, told: Place) -> Outcome | None:
        """What to answer before the deal goes back to where somebody says it stands.

        None if the deal may go there at once. "Vamos a pares" is said of a count, too, so it takes
        back no bet with its answer, and at the showdown nothing at all, before the table was asked.
        The table is asked once in each phase. "Otra vez desde los pares" leaves no doubt, nor does
        the answer to "¿por dónde vamos?".
        """
        if told.told is Where.AGAIN or self.histories.is_lost:
            return None
        try:
            gone = taken_back(self.records, placed(self.records, told))
        except (AmbiguousCall, IllegalCall):
            return None
        ends = self.state.phase is Phase.SHOWDOWN
        if not any(ends or isinstance(event, ANSWERED) for event in gone):
            return None
        if ends and told.told is Where.LANCE and told.lance is None:
            # Whoever is at the mus then has dealt again.
            code = refusal(self.state, NextDeal()) or "not_now"
            return Refused(code, text=MESSAGES[code], call=told)
        back = replace(told, told=Where.AGAIN) if told.told is Where.LANCE and told.lance else told
        ask = Ask("sure", (back,), call=told)
        was_asked = self._back == (self.state.deal, self.state.phase)
        return Ignored("noted") if was_asked and not self.has_asked(ask) else ask

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
            self.state = folded(self.records)
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

    def _press(self, draft: MessageOutcomes, message: Pressed) -> None:
        if message.instead:
            self._press_instead(draft, message)
        elif message.seen is not None and message.seen != self.seq:
            draft.outcomes.append(Refused("old_page", text="The page is older than the table."))
        elif message.what is Command.NOT_SAID:
            draft.outcomes.append(self._not_said())
        elif isinstance(message.what, Command):
            draft.command(message.what)
        elif begun := self._between.begun_by(message.what, self):
            draft.outcomes.extend(begun)
        else:
            draft.call(message.what)

    def _press_instead(self, draft: MessageOutcomes, message: Pressed) -> None:
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
        there = LaterTable(self)
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
        if self._doubt and (both := self._answered_before_a_call(heard)):
            return both
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
        likeliest, answered = max(ways, key=ways.__getitem__), self._answered_at == self.seq
        if doubt and doubt.is_left_open_by(likeliest, answered):
            ask = replace(doubt.ask, number=isinstance(likeliest[0], Ask))
            return Weighed((ask,), replace(doubt, ask=ask, at=heard.end, repeated=True))
        torn = self.state.phase is Phase.SHOWDOWN and self._chatter.follows_talk(heard, IN_A_HAND)
        if torn and _takes_back(ways):
            return Weighed((Ask("sure_undo"),))  # it may be the end of a hand: "tres, as"
        disputed = heard.disputed or is_far(heard, heard.words)
        beside: Sequence[Call] = ()
        if is_rare(likeliest):
            beside = thought_of(once, self.ways, self.lexicon.hearing)
            # Somebody behind the table says "treinta" of anything.
            disputed = disputed or any(word.text == UNKNOWN for word in once.words)
        return scale.weigh(
            ways, heard.end, cut=heard.cut, disputed=disputed, answers=doubt, beside=beside
        )

    def _answered(self, doubt: Doubt, steps: Steps, heard: Heard, scale: Scale) -> Weighed:
        """What an answer to the open question leads to."""
        if not steps:
            self._deny(doubt)
            return self._asked_on(doubt, heard) or Weighed((doubt.taken_back(heard),))
        draft = MessageOutcomes(self)
        if doubt.ways and (left := doubt.ways[doubt.ask.options.index(steps[0])]):
            return scale.weigh(left, heard.end, certain=1)
        for step in steps:
            if isinstance(step, Command):
                draft.command(step)
            elif not draft.call(step, doubt.ask.voice):
                break
        return Weighed(tuple(draft.outcomes))

    def _answered_before_a_call(self, heard: Heard) -> Weighed | None:
        """What an answer and, after a pause, the next player's call lead to; None for other words.

        Players do not wait until the assistant has taken the answer: "sí ... paso".
        """
        doubt = self._doubt_before(heard)
        if doubt is None or self.state.phase in CALLS_OVER or heard.over:
            return None
        if doubt.ask.code in BEFORE_THE_CALL:
            return None  # the call that waited comes first
        if doubt.answer(heard, self.lexicon, self.state) is not None:
            return None
        parts = after_an_answer(heard, self.lexicon)
        if parts is None or not (steps := doubt.answer(parts[0], self.lexicon, self.state)):
            return None
        answer, rest = parts
        hearing, there = self.lexicon.hearing, LaterTable(self)
        scale = Scale(self.state, self.seq, hearing, self._denied.asks, heard.noisy)
        weighed = self._answered(doubt, steps, answer, scale)
        if weighed.doubt or not there.follows(weighed.outcomes, answer):
            return None
        following = there.hear(rest)
        if not following.outcomes:
            return None  # it is no call, so the words before it may be talk, too
        self._doubt = None
        self.histories.forget()
        return Weighed((*weighed.outcomes, *following.outcomes), following.doubt)

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
        draft = MessageOutcomes(self)
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
        draft = MessageOutcomes(self, at, breath)
        for segment in self.lexicon.segments(words):
            if not draft.segment(segment, heard):
                break
        return tuple(draft.outcomes)


def _takes_back(ways: Ways) -> bool:
    """Whether the likeliest hypothesis begins with "deshaz"."""
    (first, *_) = max(ways, key=ways.__getitem__)
    return isinstance(first, Accepted) and first.call is Command.UNDO
