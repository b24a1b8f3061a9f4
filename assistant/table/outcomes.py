"""What one message leads to: its outcomes, call by call, with the state that each would lead to.

No I/O. The table takes nothing over before its runner has written it into the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.language.lexicon import (
    START,
    Aside,
    BreathLink,
    Reading,
    Spoken,
    Talk,
    TalkReason,
    context_of,
)
from assistant.messages import (
    Accepted,
    Ask,
    Command,
    Heard,
    Ignored,
    Outcome,
    Refused,
    Told,
    Word,
)
from assistant.rules.calls import Bet, Call, CorrectBet, Place, ShowHand
from assistant.rules.engine import decide
from assistant.rules.errors import AmbiguousCall, HistoryError, IllegalCall
from assistant.rules.events import Event, Retracted
from assistant.rules.history import (
    Record,
    check_retraction,
    fold,
    number,
    redo_target,
    rewound,
    undo_target,
)
from assistant.rules.placing import bet_told, placed
from assistant.rules.state import State
from assistant.table.again import LastCall
from assistant.table.doubt import (
    is_counted,
    missed_bet,
    number_alone,
)
from assistant.table.who import Breath, by_voice, is_far, with_speaker

if TYPE_CHECKING:
    from assistant.table.table import Table


class MessageOutcomes:
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
        self.heard = False
        """Whether the words were heard, and not typed."""

    def segment(self, words: tuple[Word, ...], heard: Heard) -> bool:
        """Read a run of words without a pause. All of it counts or, if it is talk, none of it.

        ``heard``: the utterance of these words, which says who may have said them.

        Returns whether the rest of the utterance may still be read.
        """
        before, undone = (self.state, len(self.outcomes)), False
        rest, link = words, START
        self.breath, self.before = self.before, Breath()
        self.last, self.heard = None, bool(heard.hypotheses)
        while rest:
            reading: Reading | Ask
            if link.aside >= Aside.HESITATES:
                reading = self._next(rest, link, heard)
            else:
                reading = self.table.lexicon.read(rest, context_of(self.state), link)
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
        corrects = isinstance(call, CorrectBet)
        may_count = words and not self.outcomes and (corrects or self.table.gone_on_with)
        if may_count and (is_counted(self.state, call) or self.table.is_said_again(call)):
            self.outcomes.append(Ignored("noted"))
            return True
        try:
            if isinstance(call, Place):
                bet = None if self.table.histories.is_lost else bet_told(self.state, call)
                if bet is None:
                    return self._place(call)
                call = bet
            given = with_speaker(self.state, call, voice)
            if words and (corrects or isinstance(given, Bet)) and (ask := self._asks(given, words)):
                self.outcomes.append(replace(ask, voice=tuple(voice)))
                return False
            decision = self.table.decided(self.state, given)
        except AmbiguousCall as error:
            what = (error.code, error.options, _params(error.params), str(error))
            lexicon = self.table.lexicon
            number = lexicon.number(words) is not None or lexicon.is_number_at_a_lance(words)
            self.outcomes.append(Ask(*what, call=error.call, voice=tuple(voice), number=number))
            return False
        except IllegalCall as error:
            self.outcomes.append(Refused(error.code, _params(error.params), str(error), call))
            return False
        events = decision.events
        if given.seat is not None and given.seat != call.seat:
            events = by_voice(events, given.seat)  # a mark, which changes no state
        self.last = LastCall(given, tuple(voice), self.state, len(self.outcomes), self.breath)
        answers = self.breath.is_answered_by(call, voice, words, self.state)
        self._accept(events, given, decision.state, one_breath=answers)
        self.breath = Breath(call, tuple(voice))
        return True

    def _asks(self, given: Call, words: Sequence[Word]) -> Ask | None:
        """The question about a bet whose words leave it open which one was meant."""
        if isinstance(given, Bet):
            bet = self.state.pending
            alone = bet and bet.answered and self.table.lexicon.number(words) is not None
            return number_alone(self.state, given) if alone else None
        missed = missed_bet(self.state, given) if self.heard else None  # what is typed is meant
        return None if missed and self.table.has_asked(missed) else missed

    def instead(self, since: int, calls: Sequence[Call]) -> bool:
        """Take back all that counts after record ``since``, and make these calls, as one batch."""
        events = list(rewound(self.records, since))
        state = folded([*self.records, *number(events, self.records[-1].seq, at=0.0)])
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
        if isinstance(what, Place) and (asked := self.table.asks_before(what)):
            self.outcomes.append(asked)
            return False
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
            after = folded([*records, *number(events, records[-1].seq, at=0.0)])
        self.outcomes.append(Accepted(events, what, one_breath, before=self.state, after=after))
        self.state = after

    def _rewind(self, before: tuple[State, int]) -> None:
        self.state = before[0]
        del self.outcomes[before[1] :]


def folded(records: Sequence[Record]) -> State:
    """The state of an opened table after these records."""
    state = fold(records)
    assert state is not None, "a table has been opened"
    return state


def _params(params: dict[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((key, str(value)) for key, value in params.items())
