"""The table: a message comes in, and comes out as what happened, a question, or a reason why not.

Rank 2, no I/O. ``propose`` changes nothing; whoever owns the table commits the events to the
journal and then gives the records back to ``commit``. A failed commit leaves the old truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.lexicon import Chatter, Context, Lexicon, Spoken, Talk, Why, context_of
from assistant.messages import (
    Accepted,
    Ask,
    CardsSeen,
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
from assistant.rules.calls import (
    Accept,
    Bet,
    Call,
    Declare,
    Ordago,
    Raise,
    Reenvido,
    Refuse,
    ShowHand,
)
from assistant.rules.engine import apply, decide
from assistant.rules.errors import AmbiguousCall, HistoryError, IllegalCall
from assistant.rules.events import Event, Retracted
from assistant.rules.history import (
    Record,
    check_retraction,
    fold,
    number,
    redo_target,
    undo_target,
)
from assistant.rules.state import State

STONES = (Bet, Raise, Reenvido, Accept, Refuse)
"""Calls that stake stones, or move them."""


class Table:
    """One table's truth: the records so far and the state they fold to.

    Beside it, only what was asked last because it was heard too faintly, and when talk was heard.
    """

    def __init__(self, lexicon: Lexicon, records: Sequence[Record]) -> None:
        """Take up a game from its records; they must open one. Raises HistoryError."""
        self.lexicon = lexicon
        self.records: list[Record] = list(records)
        self.state = _folded(self.records)
        self.paused = False
        self._doubt: _Doubt | None = None
        self._chatter = Chatter(lexicon.hearing)

    @property
    def seq(self) -> int:
        """The seq of the last record."""
        return self.records[-1].seq

    def propose(self, message: Message) -> tuple[Outcome, ...]:
        """What the message makes happen, one outcome a call; nothing changes yet."""
        draft = _Proposal(self)
        match message:
            case Heard():
                return self._hear(message)
            case CardsSeen():
                for seat, hand in message.hands:
                    draft.call(ShowHand(seat=seat, cards=hand))
            case Pressed():
                self._press(draft, message)
        return tuple(draft.outcomes)

    def commit(self, records: Iterable[Record]) -> None:
        """Take over records that the journal holds now."""
        new = list(records)
        self.records.extend(new)
        if any(isinstance(record.event, Retracted) for record in new):
            self.state = _folded(self.records)
        else:
            for record in new:
                self.state = apply(self.state, record.event)

    def _press(self, draft: _Proposal, message: Pressed) -> None:
        if message.seen is not None and message.seen != self.seq:
            draft.outcomes.append(Refused("old_page", text="The page is older than the table."))
        elif isinstance(message.what, Command):
            draft.command(message.what)
        else:
            draft.call(message.what)

    def _hear(self, heard: Heard) -> tuple[Outcome, ...]:
        """What the utterance makes happen, of all the ways to hear it the likeliest that is a call.

        What is legal now says what was meant as much as the sound does: "juego no" and "fuego no"
        sound alike, but only one of them is said after chica. Readings that come to the same count
        together; the winner needs the lexicon's floor of all the probability, so that table talk,
        which is mostly unknown speech, is not bent into a call.
        """
        if self._doubt and self._doubt.seq == self.seq and self._agrees(heard):
            return self._doubt.outcomes
        if not heard.hypotheses:
            return self._read(heard.words, heard.seat)
        if self._chatter.swallows(heard):
            return (Ignored(Why.NOISE, heard.text),)
        mass: dict[tuple[Outcome, ...], float] = {}
        for hypothesis in heard.hypotheses:
            outcomes = self._read(hypothesis.words, heard.seat)
            if called := _called(outcomes):
                mass[called] = mass.get(called, 0.0) + hypothesis.probability
        if not mass:
            return self._read(heard.words, heard.seat)
        likeliest = max(mass, key=mass.__getitem__)
        if mass[likeliest] < self.lexicon.hearing.floor:
            return (Ignored("unsure", heard.text),)
        for call in _calls(likeliest):
            least, ask = self._asked_below(call)
            if mass[likeliest] < least or self._contested(call, likeliest, mass):
                return self._sure(ask, likeliest)
        return likeliest

    def _contested(
        self, call: Call, likeliest: tuple[Outcome, ...], mass: Mapping[tuple[Outcome, ...], float]
    ) -> bool:
        """Whether an answer may as well be the opposite one: noise swallows a "no"."""
        answered = _answer(call)
        if answered is None:
            return False
        opposite = (answered[0], not answered[1])
        rival = sum(
            probability
            for outcomes, probability in mass.items()
            if any(_answer(other) == opposite for other in _calls(outcomes)[:1])
        )
        return rival > self.lexicon.hearing.rival * mass[likeliest]

    def _asked_below(self, call: Call) -> tuple[float, Ask]:
        """How probable a call must be not to be asked for, and how it is asked for.

        An órdago, or the answer to one, may end the game by one word; other bets and answers are
        stones; the rest is soon put right.
        """
        hearing, bet = self.lexicon.hearing, self.state.pending
        if isinstance(call, Ordago):
            return hearing.dear, Ask("sure_ordago", (call,))
        if isinstance(call, Accept) and bet is not None and bet.ordago:
            return hearing.dear, Ask("sure_accept", (call,))
        return hearing.sure if isinstance(call, STONES) else 0.0, Ask("sure", (call,))

    def _sure(self, ask: Ask, outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
        """Ask for a call that was heard faintly; a yes, or the call said again, and it counts."""
        if self._doubt and (self._doubt.seq, self._doubt.ask) == (self.seq, ask):
            return outcomes
        self._doubt = _Doubt(self.seq, ask, outcomes)
        return (ask,)

    def _agrees(self, heard: Heard) -> bool:
        """Whether an utterance is a yes, likelier than not."""
        if not heard.hypotheses:
            return self.lexicon.is_yes(heard.words)
        yes = (way.probability for way in heard.hypotheses if self.lexicon.is_yes(way.words))
        return sum(yes) > 0.5

    def _read(self, words: tuple[Word, ...], seat: int | None) -> tuple[Outcome, ...]:
        draft = _Proposal(self)
        for segment in self.lexicon.segments(words):
            if not draft.segment(segment, seat):
                break
        return tuple(draft.outcomes)


@dataclass(frozen=True, slots=True)
class _Doubt:
    """What was asked because it was heard too faintly, at which record, and what it would do."""

    seq: int
    ask: Ask
    outcomes: tuple[Outcome, ...]


class _Proposal:
    """The outcomes of one message, with the state that they would lead to."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.state = table.state
        self.records = list(table.records)
        self.outcomes: list[Outcome] = []

    def segment(self, words: tuple[Word, ...], seat: int | None) -> bool:
        """Read a run of words without a pause; all of it counts or, as table talk, none of it.

        Returns whether the rest of the utterance may still be read.
        """
        before = (self.state, list(self.records), len(self.outcomes))
        rest = words
        while rest:
            reading = self.table.lexicon.read(rest, context_of(self.state))
            if isinstance(reading, Talk):
                self._rewind(before)
                self.outcomes.append(Ignored(reading.why, _text(words)))
                return True
            if isinstance(reading, Spoken) and not self._say(reading.what, seat):
                if not isinstance(self.outcomes[-1], Ask):
                    # One wrong call casts doubt on what was read before it in the same breath.
                    refused = self.outcomes[-1]
                    self._rewind(before)
                    self.outcomes.append(refused)
                return False
            rest = rest[reading.taken :]
        return True

    def command(self, command: Command) -> bool:
        """Do what the assistant was asked; undo and redo are events, the rest changes no game."""
        if command is Command.UNDO:
            return self._retract(command, undo_target(self.records), "undo_nothing")
        if command is Command.REDO:
            return self._retract(command, redo_target(self.records), "redo_nothing")
        self.outcomes.append(Told(command))
        return True

    def call(self, call: Call) -> bool:
        """Decide one call on top of what the message has made happen so far."""
        try:
            events = decide(self.state, call)
        except AmbiguousCall as error:
            self.outcomes.append(Ask(error.code, error.options, _params(error.params), str(error)))
            return False
        except IllegalCall as error:
            self.outcomes.append(Refused(error.code, _params(error.params), str(error)))
            return False
        self._accept(events, call)
        for event in events:
            self.state = apply(self.state, event)
        return True

    def _say(self, what: Call | Command, seat: int | None) -> bool:
        if self.table.paused and what is not Command.RESUME:
            self.outcomes.append(Refused("paused", text="The assistant is paused."))
            return False
        if isinstance(what, Command):
            return self.command(what)
        return self.call(what if what.seat is not None else replace(what, seat=seat))

    def _retract(self, command: Command, seq: int | None, nothing: str) -> bool:
        if seq is None:
            self.outcomes.append(Refused(nothing, text="There is nothing to take back."))
            return False
        try:
            check_retraction(self.records, seq)
        except HistoryError as error:
            self.outcomes.append(Refused("undo_breaks", text=str(error)))
            return False
        self._accept((Retracted(seq),), command)
        self.state = _folded(self.records)
        return True

    def _accept(self, events: tuple[Event, ...], what: Call | Command) -> None:
        self.outcomes.append(Accepted(events, what))
        self.records.extend(number(events, self.records[-1].seq, at=0.0))

    def _rewind(self, before: tuple[State, list[Record], int]) -> None:
        self.state, self.records = before[0], before[1]
        del self.outcomes[before[2] :]


def batches(outcomes: Iterable[Outcome], after: int, at: float) -> list[Record]:
    """The records to commit for these outcomes: one batch for each accepted call."""
    records: list[Record] = []
    for outcome in outcomes:
        if isinstance(outcome, Accepted):
            records.extend(number(outcome.events, after + len(records), at))
    return records


def _folded(records: Sequence[Record]) -> State:
    state = fold(records)
    if state is None:
        raise HistoryError("No game was opened in these records.")
    return state


def _calls(outcomes: tuple[Outcome, ...]) -> list[Call]:
    """The calls among the outcomes that are accepted; commands are none."""
    accepted = (outcome.call for outcome in outcomes if isinstance(outcome, Accepted))
    return [call for call in accepted if isinstance(call, Call)]


def _answer(call: Call) -> tuple[str, bool] | None:
    """What a call answers, and whether with yes; None where it is no answer."""
    match call:
        case Accept():
            return "bet", True
        case Refuse():
            return "bet", False
        case Declare():
            return "declaration", call.holds
        case _:
            return None


def _called(outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    """The calls, questions and commands among the outcomes; none where any call was refused."""
    if any(isinstance(outcome, Refused) for outcome in outcomes):
        return ()
    return tuple(outcome for outcome in outcomes if not isinstance(outcome, Ignored))


def _params(params: dict[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((key, str(value)) for key, value in params.items())


def _text(words: Iterable[Word]) -> str:
    return " ".join(word.text for word in words)


__all__ = ["Context", "Table", "batches"]
