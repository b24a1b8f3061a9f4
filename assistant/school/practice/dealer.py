"""The dealer of a practice table: the cards, the computer players, and when each speaks."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from assistant.messages import Accepted, Ask, CardsSeen, Command, Heard, Message, Pressed
from assistant.rules import calls as c
from assistant.rules.cards import HAND_SIZE
from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.events import DealStarted, DiscardBegan, Event, Retracted
from assistant.rules.hands import value
from assistant.rules.history import Record, effective
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, DECLARING, Phase
from assistant.rules.profile import Senas
from assistant.rules.state import State
from assistant.school.players import Player, Sight, least, sight_of
from assistant.school.players.strength import Strength
from assistant.school.practice import Pack, Reason, changed, dealt, why
from assistant.school.practice.levels import EXPLAINS
from assistant.school.practice.reasons import declaration
from assistant.school.practice.reviewing import OwnMove
from assistant.school.practice.signing import Signing, SigningMoment
from assistant.table.runner import Answer, News, Update
from assistant.table.table import Table

# ---- How many cards somebody says that he throws, and which ones --------------------------------


NUMBERS = {
    "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "todas": 4,
    "bat": 1, "bi": 2, "bia": 2, "hiru": 3, "lau": 4, "denak": 4,
    "one": 1, "two": 2, "three": 3, "four": 4, "all": 4,
}  # fmt: skip
"""A word said at the discard -> how many cards."""
KEPT_RANKS = (10, 1)
"""Reyes and ases are thrown last."""


def spoken_throw(text: str, sight: Sight, first: tuple[int, ...]) -> tuple[int, ...]:
    """The places of as many cards as ``text`` says, those in ``first`` before others; or ()."""
    named = [NUMBERS[word] for word in text.lower().split() if word in NUMBERS]
    if len(named) != 1:
        return ()

    def worth(place: int) -> tuple[bool, bool, int]:
        strength = value((sight.hand[place],), sight.state.profile).grande[0]
        return place not in first, strength in KEPT_RANKS, strength

    return tuple(sorted(sorted(range(HAND_SIZE), key=worth)[: named[0]]))


# ---- How fast the company plays, in seconds ------------------------------------------------------


BREATH, THOUGHT = 0.7, 1.4
"""Before a call that needs no thought, and before one that does, at a usual table's speed."""
EXPLAINING = 1.6
"""The factor of each pause if every call is explained."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the company plays: ``speed`` 1 is a usual table's, 2 is twice as fast."""

    speed: float = 1.0

    @property
    def breath(self) -> float:
        """Seconds before what is said without a thought."""
        return BREATH / self.speed

    @property
    def thought(self) -> float:
        """Seconds before a bet or its answer."""
        return THOUGHT / self.speed

    def explaining(self, level: str) -> float:
        """The factor of each pause at a level."""
        return EXPLAINING if level == EXPLAINS else 1.0


# ---- The dealer: the cards, the computer players, and when each speaks --------------------------
# The dealer has no way of its own into the table: it hears the news like any listener, and its
# players' calls go into the inbox like any tap. It has a thread of its own, because its players
# pause before they call.


log = logging.getLogger("mus.practice")

KEPT = 12
"""How many reasons are kept: about those of one deal."""


class Speaks(Protocol):
    """The company's voices."""

    @property
    def busy(self) -> bool:
        """Whether one of them speaks, or is about to."""

    def call(self, seat: int, text: str, seq: int) -> None:
        """Say something in a seat's own voice."""

    def silence(self) -> None:
        """Break off."""


@dataclass(frozen=True, slots=True)
class Bubble:
    """What a seat said last, and the phase in which it said that."""

    seat: int
    text: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class DealerTold:
    """The reason for a seat's call, which ``text`` names."""

    seat: int
    text: str
    reason: Reason
    lance: str | None


@dataclass(frozen=True, slots=True)
class DealerMoment:
    """All that the dealer knows at one moment."""

    level: str
    begun: bool
    games: int
    state: State
    seq: int
    pack: Pack | None
    discarding: bool
    throws: bool
    undoable: bool
    bubbles: tuple[Bubble, ...]
    told: tuple[DealerTold, ...]
    thrown: Mapping[int, int]
    """How many cards each of the others threw last, by seat; empty before they have drawn."""
    events: tuple[Event, ...]
    """What happened in the deal so far."""
    signing: SigningMoment


Due = Callable[[], object]


class Dealer:
    """A listener with the pack, and with a thread in which the computer players think and call."""

    def __init__(
        self,
        table: Table,
        post: Callable[[Message], Answer],
        voices: Speaks,
        label: Callable[[c.Call, State], str],
        pace: Pace,
        dice: random.Random,
        me: int = 1,
    ) -> None:
        """``me`` is the person's seat; ``label`` puts a call into words."""
        self.me = me
        self.strength = Strength(table.state.profile)
        self.changed: Callable[[], None] = lambda: None
        """Called when the page has to show something that is not in the table's news."""
        self.throws_first: Callable[[Sight], tuple[int, ...]] = lambda sight: tuple(
            self.strength.thrown(sight.hand)
        )
        """The cards to throw first if the person only says how many."""
        self._post, self._voices, self._label = post, voices, label
        self._pace, self._dice = pace, dice
        self._lock = threading.Condition()
        self._players: Mapping[int, Player] = {}
        self._level = ""
        self._games = 0
        self._state, self._seq = table.state, table.seq
        self._packs: dict[tuple[int, int], Pack] = {}
        self._thrown: dict[int, tuple[int, ...]] = {}
        self._bubbles: dict[int, Bubble] = {}
        self._told: list[DealerTold] = []
        self._events: tuple[Event, ...] = ()
        self._mine_made: list[OwnMove] = []
        self.signing = Signing((), Senas.OFF, me, dice)
        """The señas of this table; whoever sets the table puts its list in place."""
        self._moves = 0
        self._hold = False
        self._undoable = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="dealer", daemon=True)

    def start(self) -> None:
        """Begin to deal, once somebody has chosen a level."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def seat(self, players: Mapping[int, Player], level: str, *, senas: bool = False) -> None:
        """Play with these from now on, with señas or without; deal where no game is in progress."""
        with self._lock:
            self.signing.begin(on=senas)
            self._players, self._level = players, level
            self._moved()

    def answer_sign(self, number: int, choice: int) -> bool:
        """The person tells what a sign of this deal was; False if that is not asked."""
        with self._lock:
            taken = self.signing.answer(number, choice)
        self.changed()
        return taken

    def moment(self) -> DealerMoment:
        """All that the dealer knows now."""
        with self._lock:
            return DealerMoment(
                self._level,
                bool(self._level) and self._state.deal > 0,
                self._games,
                self._state,
                self._seq,
                self._pack(),
                self._discarding(),
                self._may_throw(),
                self._undoable,
                tuple(self._bubbles.values()),
                tuple(self._told),
                self._thrown_by_others(),
                self._events,
                self.signing.moment(),
            )

    def may_undo(self) -> bool:
        """Whether the person has called anything in this deal; the company's calls stand."""
        return self._undoable

    def throw(self, places: Sequence[int]) -> bool:
        """The person throws the cards in these places, from 0; False if that may not be now."""
        with self._lock:
            wanted = tuple(sorted(set(places)))
            if not self._may_throw() or not wanted or not set(wanted) <= set(range(HAND_SIZE)):
                return False
            self._voices.silence()
            self._put_away(self.me, wanted)
        self.changed()
        return True

    def told(self, news: News, table: Table) -> None:
        """Deal when a deal begins, say the company's calls, stop when the person speaks."""
        with self._lock:
            mine = isinstance(news.message, Heard)
            events = self._events
            for update in news.updates:
                self._keep_mine(update, events)
                events += tuple(record.event for record in update.records)
                self._take(update)
                if update.what is Command.UNDO:
                    self._go_on_undoing(update, table)
            if mine and self._may_throw():
                self._throw_by_voice(news)
            over = any(isinstance(o, Ask) and o.code == "spoken_over" for o in news.outcomes)
            if over or (mine and any(isinstance(o, Accepted) for o in news.outcomes)):
                self._voices.silence()
            self._hold = over
            self._state, self._seq = table.state, table.seq
            self._events = tuple(self._of_the_deal(table))
            self._undoable = self._mine(self._events)
            self._moved()

    def _moved(self) -> None:
        self._moves += 1
        self._lock.notify_all()

    def _keep_mine(self, update: Update, events: tuple[Event, ...]) -> None:
        """Keep a call of the person for the review, with what the person knew at that moment."""
        call, pack = update.what, self._pack()
        if pack and isinstance(call, c.Call) and call.seat == self.me and type(call) in SAID:
            sight = sight_of(update.before, self.me, pack.hand(self.me), events=events)
            thrown = self._thrown_by_others()
            self._mine_made.append(OwnMove(update.records[0].seq, sight, thrown, call))

    def own_moves(self, records: Sequence[Record]) -> tuple[OwnMove, ...]:
        """The person's calls and throws of this game in order, but for those taken back."""
        stands = {record.seq for record in effective(records)}
        with self._lock:
            return tuple(move for move in self._mine_made if move.seq in stands)

    def _take(self, update: Update) -> None:
        self._state = update.after
        for record in update.records:
            match record.event:
                case DealStarted():
                    self._packs = {(update.after.deal, 0): dealt(self._dice)}
                    self._thrown, self._bubbles, self._told = {}, {}, []
                    self.signing.new_deal()
                    self.signing.new_hands(self._packs[update.after.deal, 0], update.after)
                case DiscardBegan():
                    self._thrown = {}
                case Retracted():
                    self._bubbles, self._thrown = {}, {}
                    self.signing.forget()
        if update.what is Command.NEW_GAME:
            self._packs, self._bubbles, self._told = {}, {}, []
            self._mine_made = []
            self.signing.begin(on=self.signing.on)
            self._games += 1
        if update.after.phase in AFTER_DEAL:
            self.signing.ask()
        if isinstance(what := update.what, c.Call) and what.seat and type(what) in SAID:
            self.signing.called()
            text = self._label(what, update.before)
            self._bubbles[what.seat] = Bubble(what.seat, text, update.before.phase)
            if what.seat == self.me:
                self._voices.silence()
            else:
                self._voices.call(what.seat, text, update.records[-1].seq)

    def _go_on_undoing(self, update: Update, table: Table) -> None:
        """An undo is meant for the person's own last call, whatever was called after it."""
        event = update.records[0].event
        assert isinstance(event, Retracted)
        taken = [record.event for record in table.records if record.batch == event.seq]
        if not self._mine(taken) and self._mine(self._of_the_deal(table)):
            self._post(Pressed(Command.UNDO))

    def _of_the_deal(self, table: Table) -> list[Event]:
        """What counts of the present deal; nothing once it is over."""
        left = [record.event for record in effective(table.records)]
        begun = max((n for n, one in enumerate(left) if isinstance(one, DealStarted)), default=0)
        return [] if table.state.phase in AFTER_DEAL else left[begun + 1 :]

    def _mine(self, events: Sequence[Event]) -> bool:
        return any(getattr(event, "seat", None) == self.me for event in events)

    def _pack(self) -> Pack | None:
        """The cards as they lie now: those after the last discard that is done."""
        done = [key for key in self._packs if key <= (self._state.deal, self._state.discards)]
        return self._packs[max(done)] if done else None

    def _discarding(self) -> bool:
        state = self._state
        return state.phase is Phase.DISCARD and (state.deal, state.discards) not in self._packs

    def _thrown_by_others(self) -> Mapping[int, int]:
        if self._discarding():
            return {}
        return {seat: len(places) for seat, places in self._thrown.items() if seat != self.me}

    def _may_throw(self) -> bool:
        return self._discarding() and self.me not in self._thrown

    def _throw_by_voice(self, news: News) -> None:
        """Throw as many cards as the person said ("dos"): those first that are advised."""
        assert isinstance(news.message, Heard)
        pack = self._pack()
        if pack is None or any(isinstance(o, Accepted) for o in news.outcomes):
            return
        sight = sight_of(self._state, self.me, pack.hand(self.me))
        if places := spoken_throw(news.message.text, sight, self.throws_first(sight)):
            self._put_away(self.me, places)

    def _put_away(self, seat: int, places: tuple[int, ...]) -> None:
        """Put a seat's throw on the table; the last one brings the new cards."""
        state, pack = self._state, self._pack()
        assert pack is not None
        self._thrown[seat] = places
        if seat == self.me:
            sight = sight_of(state, seat, pack.hand(seat), events=self._events)
            self._mine_made.append(OwnMove(self._seq, sight, {}, None, places))
        text = str(len(places))
        self._bubbles[seat] = Bubble(seat, text, state.phase)
        if seat != self.me:
            self._voices.call(seat, text, self._seq)
        if len(self._thrown) == state.players:
            order = state.order()
            now = changed(pack, self._thrown, order, self._dice)
            self._packs[state.deal, state.discards] = now
            self.signing.new_hands(now, state)
        self._moved()

    def _run(self) -> None:
        while (found := self._next()) is not None:
            moves, pause, due = found
            if self._passes(moves, pause):
                try:
                    due()
                except Exception:
                    # One call that fails must not leave the person alone at the table for good.
                    log.exception("a computer player could not call")
                    self._passes(moves, self._pace.breath)
                self.changed()

    def _next(self) -> tuple[int, float, Due] | None:
        """Wait until there is something to do: at which move, after how long, and what."""
        with self._lock:
            while not self._closed:
                if self._players and (found := self._due()):
                    pause, due = found
                    return self._moves, pause * (4 if self._hold else 1), due
                self._lock.wait()
        return None

    def _passes(self, moves: int, pause: float) -> bool:
        """Wait, also for a voice to finish; False if something happened meanwhile."""
        with self._lock:
            self._lock.wait_for(lambda: self._closed or self._moves != moves, pause)
            while self._voices.busy and not self._closed and self._moves == moves:
                self._lock.wait(self._pace.breath / 5)
            return not self._closed and self._moves == moves

    def _due(self) -> tuple[float, Due] | None:
        state, pace = self._state, self._pace
        if state.deal == 0:
            mano = self._dice.choice(range(1, state.players + 1))
            return pace.breath, lambda: self._press(c.NextDeal(mano=mano))
        if state.phase in AFTER_DEAL:
            return None
        if state.proposals:
            return pace.breath, lambda: self._press(c.Verdict(apply=False))
        if state.phase is Phase.SHOWDOWN:
            return pace.thought, self._show
        if self._discarding():
            return self._due_throw()
        signs = self.signing.due(state)
        if signs is not None:
            return pace.thought * self._dice.uniform(0.5, 1.2), lambda: self._sign(signs)
        seat = to_speak(state)
        if seat is None or seat == self.me:
            return None
        quick = state.phase in BEFORE_LANCES or state.phase in DECLARING
        pause = pace.breath if quick else pace.thought * self._dice.uniform(0.7, 1.4)
        return pause * pace.explaining(self._level), lambda: self._call(seat)

    def _due_throw(self) -> tuple[float, Due] | None:
        waiting = [s for s in self._state.order() if s not in self._thrown and s != self.me]
        if not waiting:
            return None
        return self._pace.breath, lambda: self._throw(waiting[0])

    def _throw(self, seat: int) -> None:
        with self._lock:
            pack = self._pack()
            if pack is None or not self._discarding() or seat in self._thrown:
                return
            sight = sight_of(self._state, seat, pack.hand(seat))
            self._put_away(seat, self._players[seat].discard(sight))

    def _sign(self, seat: int) -> None:
        with self._lock:
            if self.signing.due(self._state) == seat:
                self.signing.make(seat, self._state)
                self._moved()

    def _call(self, seat: int) -> None:
        """Have a player decide, by its own sight and nothing else, and post what it says.

        If the rules refuse the call, which is that player's fault, the least call is made in its
        place, and the game goes on.
        """
        with self._lock:
            state, seq, pack = self._state, self._seq, self._pack()
            player, seen = self._players[seat], self.signing.seen_by(seat)
            events = self._events
        assert pack is not None
        sight = sight_of(state, seat, pack.hand(seat), seen, events)
        call = declaration(sight) if state.phase in DECLARING else player.call(sight)
        calls = (call, least(sight)) if sight.legal else (call,)
        for said in calls:
            if self._press(said):
                reason = why(sight, said, self.strength)
                with self._lock:
                    self._told.append(
                        DealerTold(seat, self._label(said, state), reason, state.lance)
                    )
                    del self._told[:-KEPT]
                return
            with self._lock:
                if self._seq != seq:
                    return  # somebody else spoke first: the player thinks again
            log.error("the rules refused %s of a computer player", said)

    def _show(self) -> None:
        """Lay open the hands that the count waits for."""
        with self._lock:
            state, pack = self._state, self._pack()
        assert pack is not None
        hands = tuple((seat, pack.hand(seat)) for seat in missing_hands(state))
        self._post(CardsSeen(hands)).result()

    def _press(self, call: c.Call) -> bool:
        """Put a call into the inbox as a tap; whether it was made."""
        with self._lock:
            seen = self._seq
        outcomes = self._post(Pressed(call, seen)).result()
        return any(isinstance(outcome, Accepted) for outcome in outcomes)


SAID = (c.Mus, c.Cut, c.Pass, c.Bet, c.Raise, c.Reenvido, c.Ordago, c.Accept, c.Refuse, c.Declare)
"""Calls that stand in a bubble."""
