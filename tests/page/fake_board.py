"""A board over the real rules, without ear, voice or journal, for the tests of the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Condition

from assistant.language.phrases.log import CitedArticle
from assistant.messages import Accepted, Ask, CardsSeen, Command, Outcome, Pressed, Refused, Told
from assistant.page import BoardError, TapOutcome
from assistant.rules.calls import Call, ShowHand
from assistant.rules.engine import decide, open_game
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.events import Event, PenaltyProposed, Retracted
from assistant.rules.history import Record, fold, number, redo_target, undo_target
from assistant.rules.penalties import number_cited
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.snapshot import (
    EarStatus,
    LastHeard,
    LogPhrases,
    Snapshot,
    heard_view,
    snapshot,
)

NAMES = ("Norte", "Oeste", "Sur", "Este")
START = 1_700_000_000.0


class PlainPhrases:
    """Sentences that name their subject. The real phrases have tests of their own."""

    code = "es"

    def log_line(self, event: Event, state: State, history: Sequence[Record]) -> str:
        seat = getattr(event, "seat", None)
        name = f"{state.seats[seat - 1]} " if seat else ""
        return f"{name}{type(event).__name__} ({len(history)})"

    def article(self, event: PenaltyProposed, state: State) -> str:
        return f"{event.article} {state.phase}"

    def cited(self, event: PenaltyProposed, state: State) -> CitedArticle | None:
        number = number_cited(state.profile, event.article)
        return CitedArticle(number, f"says {number}", "rules") if number else None

    def label(self, call: Call, state: State) -> str:
        return f"{type(call).__name__} {state.phase}"

    def options(self, ask: Ask, state: State) -> tuple[str, ...]:
        return tuple(self.label(call, state) for call in ask.options)

    def said(self) -> tuple[str, str]:
        return "said", "not said"

    def held(self, lance: Lance, seat: int, state: State) -> str:
        return f"{lance} of {state.seats[seat - 1]}"

    def reason(self, code: str, params: Iterable[tuple[str, object]]) -> str:
        return " ".join([code, *(str(value) for _, value in params)])

    def answer(self, outcome: Outcome, state: State) -> str | None:
        return getattr(outcome, "code", None) or f"told in {state.phase}"


class FakeBoard:
    """One game. The engine decides every press, and its result is shown at once."""

    def __init__(
        self,
        phrases: LogPhrases | None = None,
        profile: Profile | None = None,
        names: tuple[str, ...] = NAMES,
        mano: int | None = 1,
    ) -> None:
        self.changed = Condition()
        self.phrases: LogPhrases = phrases or PlainPhrases()
        self.records: list[Record] = []
        self._folded: tuple[int, State] | None = None
        self.version = 0
        self.heard: LastHeard | None = None
        self.ear = EarStatus("listening")
        self.broken = False
        self.waiting = 0
        self.closed = False
        self.asked = 0
        self.names = names
        self._append(open_game(profile or Profile(), names, mano))

    def reopen(self, profile: Profile | None = None, mano: int | None = 1) -> None:
        """Begin another game of the same players. The next change shows it."""
        with self.changed:
            self.records = []
            self._folded = None
            self._append(open_game(profile or Profile(), self.names, mano))

    @property
    def state(self) -> State:
        if self._folded is None or self._folded[0] != len(self.records):
            state = fold(self.records)
            assert state is not None
            self._folded = (len(self.records), state)
        return self._folded[1]

    def snapshot(self) -> Snapshot:
        with self.changed:
            return snapshot(
                self.state,
                self.records,
                self.phrases,
                version=self.version,
                heard=self.heard,
                ear=self.ear,
            )

    def in_language(self, *asked: str) -> Snapshot:
        del asked  # it has the sentences of one language alone
        return self.snapshot()

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        with self.changed:
            self.asked += 1
            if self.closed:
                return None
            self.waiting += 1
            try:
                newer = self.changed.wait_for(lambda: self.version > after, timeout)
            finally:
                self.waiting -= 1
        return self.snapshot() if newer else None

    def press(self, message: Pressed | CardsSeen, asked: Sequence[str] = ()) -> list[TapOutcome]:
        del asked
        if self.broken:
            raise BoardError("The journal cannot be written: the disk is full.")
        with self.changed:
            if isinstance(message, CardsSeen):
                calls = [ShowHand(seat=seat, cards=hand) for seat, hand in message.hands]
                outcomes = [self._do(call) for call in calls]
            elif message.seen is not None and message.seen != self.records[-1].seq:
                outcomes = [Refused("old_page")]
            else:
                outcomes = [self._do(message.what)]
            self._show(LastHeard("", tuple(outcomes)))
        return [self._said(outcome) for outcome in outcomes]

    def say(self, text: str, *calls: Call) -> None:
        """Let somebody say words that mean these calls."""
        with self.changed:
            self._show(LastHeard(text, tuple(self._do(call) for call in calls)))

    def ask(self, text: str, question: Ask) -> None:
        """Let the table ask about words that somebody said."""
        with self.changed:
            self._show(LastHeard(text, (question,)))

    def hear(self, ear: EarStatus) -> None:
        """Change the status of the ear."""
        with self.changed:
            self.ear = ear
            self._show(self.heard)

    def _do(self, what: Call | Command) -> Outcome:
        match what:
            case Command.NEW_GAME:
                self.reopen()
                return Told(what)
            case Command.PAUSE | Command.RESUME:
                self.ear = EarStatus("paused" if what is Command.PAUSE else "listening")
                return Told(what)
            case Command.UNDO | Command.REDO:
                return self._retract(what)
            case Command():
                return Told(what)
        try:
            events = decide(self.state, what).events
        except AmbiguousCall as error:
            return Ask(error.code, error.options, text=str(error))
        except IllegalCall as error:
            return Refused(error.code, text=str(error))
        self._append(events)
        return Accepted(events, what)

    def _retract(self, command: Command) -> Outcome:
        find = undo_target if command is Command.UNDO else redo_target
        seq = find(self.records)
        if seq is None:
            return Refused(f"{command}_nothing")
        self._append((Retracted(seq),))
        return Accepted((Retracted(seq),), command)

    def _append(self, events: tuple[Event, ...]) -> None:
        after = self.records[-1].seq if self.records else 0
        self.records.extend(number(events, after, START + after))

    def _show(self, heard: LastHeard | None) -> None:
        self.heard = heard
        self.version += 1
        self.changed.notify_all()

    def _said(self, outcome: Outcome) -> TapOutcome:
        view = heard_view(self.state, LastHeard("", (outcome,)), self.phrases, self.records)
        return {"outcome": view["outcome"], "text": view["say"]}


class PaintedBoard(FakeBoard):
    """A board whose snapshot can be edited, to show rare moments of a game.

    ``taken`` holds the pressed calls, which do not move the game.
    """

    def __init__(
        self,
        phrases: LogPhrases | None = None,
        profile: Profile | None = None,
        names: tuple[str, ...] = NAMES,
    ) -> None:
        self.taken: list[Call | Command] = []
        self._touch: Callable[[Snapshot], None] = lambda _picture: None
        super().__init__(phrases, profile, names)

    def paint(self, touch: Callable[[Snapshot], None]) -> None:
        """Show the table with these changes from now on."""
        with self.changed:
            self._touch = touch
            self._show(None)

    def snapshot(self) -> Snapshot:
        picture = super().snapshot()
        self._touch(picture)
        return picture

    def _do(self, what: Call | Command) -> Outcome:
        self.taken.append(what)
        return Refused("not_now")
