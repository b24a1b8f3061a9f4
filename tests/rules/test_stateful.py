"""A table played at random: what ``legal_calls`` lists is taken, all else is refused.

Beside the game runs its mirror, in which every player sits one chair further: it must tell the same
story, with seats and sides turned. The examples are the same in every run (tests/conftest.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import decide, legal_calls, open_game, to_speak
from assistant.rules.errors import CallError
from assistant.rules.history import (
    Record,
    check_retraction,
    fold,
    number,
    redo_target,
    undo_target,
)
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State
from tests.rules.play import SEATS
from tests.rules.strategies import deal, said_plainly, turned_call, turned_event, turned_seat


def folded(events: tuple[e.Event, ...], state: State | None = None) -> State:
    for event in events:
        state = apply(state, event)
    assert state is not None
    return state


def refusal_of(state: State, call: c.Call) -> tuple[type[CallError], str] | None:
    """The error that a call meets with, and its code."""
    try:
        decide(state, call)
    except CallError as error:
        return type(error), error.code
    return None


class TableOfChance(RuleBasedStateMachine):
    """One match, its mirror, and what undo and redo should come back to."""

    @initialize(
        profile=st.builds(
            Profile,
            kings=st.sampled_from((8, 4)),
            target=st.sampled_from((5, 12, 40)),
            juegos=st.sampled_from((1, 3, 20)),
        ),
        mano=st.integers(1, 4),
        seed=st.integers(0, 2**32),
    )
    def open(self, profile: Profile, mano: int, seed: int) -> None:
        self.profile = profile
        opening = open_game(self.profile, SEATS, mano)
        self.records: list[Record] = list(number(opening, 0, at=0.0))
        self.state = folded(opening)
        self.mirror = folded(open_game(self.profile, SEATS, turned_seat(mano)))
        self.past: list[tuple[State, State]] = []
        self.future: list[tuple[State, State]] = []
        self.random = Random(seed)
        self.hands = deal(self.random)
        self.declaring = self.random.choice((0.0, 0.3, 0.7))
        """How likely a quiet player has pares or juego; lies there are enough of."""

    # --- what happens -------------------------------------------------------------------------

    @rule(data=st.data(), stones=st.integers(1, 30))
    def say_something_legal(self, data: st.DataObject, stones: int) -> None:
        listed = legal_calls(self.state)
        if not listed:
            return
        call = data.draw(st.sampled_from(listed))
        if isinstance(call, c.Bet):
            call = replace(call, stones=max(c.ENVIDO, stones))
        if isinstance(call, c.Raise):
            call = replace(call, stones=stones)
        self.commit(call)

    @rule(calls=st.integers(1, 24))
    def go_on_quietly(self, calls: int) -> None:
        """Pass, declare, answer and show as people mostly do, or no deal would be played out."""
        for _ in range(calls):
            seat = to_speak(self.state)
            if seat is not None:
                self.commit_or_be_refused(self.quiet_call(seat))

    @rule(data=st.data(), lance=st.booleans())
    def say_something_without_a_name(self, data: st.DataObject, lance: bool) -> None:
        """It may be refused or asked about; if it is taken, every inference is recorded."""
        said = [listed for _plain, listed in said_plainly(self.state)]
        call = replace(data.draw(st.sampled_from(said)), seat=None)
        if lance and self.state.lance:
            call = replace(call, lance=self.state.lance)
        if self.commit_or_be_refused(call) and not isinstance(call, c.NextDeal):
            events = [r.event for r in self.records[self.batch() - 1 :]]
            assert any(isinstance(event, e.SeatInferred) for event in events)

    @rule(seat=st.integers(1, 4))
    def show_a_hand(self, seat: int) -> None:
        self.commit_or_be_refused(c.ShowHand(seat=seat, cards=self.hands[seat - 1]))

    @precondition(lambda self: self.state.phase is Phase.COUNT)
    @rule(mano=st.none() | st.integers(1, 4))
    def deal_again(self, mano: int | None) -> None:
        self.commit(c.NextDeal(mano=mano))
        self.hands = deal(self.random)

    @rule(a=st.integers(0, 40), b=st.integers(0, 40))
    def put_the_score_right(self, a: int, b: int) -> None:
        self.commit_or_be_refused(c.SetStones(stones=(a, b)), may_fall=True)

    @precondition(lambda self: bool(self.past))
    @rule()
    def undo(self) -> None:
        self.future.append((self.state, self.mirror))
        self.retract(undo_target(self.records), self.past.pop())

    @precondition(lambda self: bool(self.future))
    @rule()
    def redo(self) -> None:
        self.past.append((self.state, self.mirror))
        self.retract(redo_target(self.records), self.future.pop())

    # --- what is always true ------------------------------------------------------------------

    @invariant()
    def listed_calls_are_taken_and_no_others(self) -> None:
        listed = Counter(legal_calls(self.state))
        assert max(listed.values(), default=1) == 1
        plain = list(said_plainly(self.state))
        assert set(listed) <= {asked for _said, asked in plain}
        for said, asked in plain:
            if asked in listed:
                assert decide(self.state, said)
            else:
                assert self.refused(said)

    @invariant()
    def the_journal_folds_to_the_state(self) -> None:
        assert fold(self.records) == self.state

    @invariant()
    def no_side_has_more_than_the_target_and_one_alone_reaches_it(self) -> None:
        stones, target = self.state.stones, self.profile.target
        assert all(0 <= n <= target for n in stones)
        assert sum(n == target for n in stones) <= (1 if self.state.juego_won else 0)
        assert sum(self.state.juegos) <= 2 * self.profile.juegos - 1

    @invariant()
    def there_is_nothing_to_take_back_or_to_bring_back_but_what_was_done(self) -> None:
        assert (undo_target(self.records) is None) is (not self.past)
        assert (redo_target(self.records) is None) is (not self.future)

    def quiet_call(self, seat: int) -> c.Call:
        if self.state.pending:
            return self.random.choice((c.Accept(seat=seat), c.Refuse(seat=seat)))
        match self.state.phase:
            case Phase.MUS | Phase.DISCARD:
                return self.random.choice((c.Mus(seat=seat), c.Cut(seat=seat)))
            case Phase.PARES_SAY | Phase.JUEGO_SAY:
                return c.Declare(seat=seat, holds=self.random.random() < self.declaring)
            case Phase.SHOWDOWN:
                return c.ShowHand(seat=seat, cards=self.hands[seat - 1])
            case _:
                return c.Pass(seat=seat)

    # --- how ----------------------------------------------------------------------------------

    def commit(self, call: c.Call, *, may_fall: bool = False) -> None:
        """Decide a call for the table and, turned, for its mirror."""
        events = decide(self.state, call)
        assert decide(self.mirror, turned_call(call)) == tuple(map(turned_event, events))
        self.past.append((self.state, self.mirror))
        self.future.clear()
        before = self.state
        self.records.extend(number(events, self.records[-1].seq, at=0.0))
        self.state = folded(events, before)
        self.mirror = folded(tuple(map(turned_event, events)), self.mirror)
        if not (may_fall or (before.juego_won and not self.state.juego_won)):
            assert all(x <= y for x, y in zip(before.stones, self.state.stones, strict=True))
        assert self.state.stones == self.mirror.stones[::-1]

    def commit_or_be_refused(self, call: c.Call, *, may_fall: bool = False) -> bool:
        if self.refused(call):
            return False
        self.commit(call, may_fall=may_fall)
        return True

    def refused(self, call: c.Call) -> bool:
        """Whether a call is refused, by the table and by its mirror, for the same reason."""
        reason = refusal_of(self.state, call)
        assert reason == refusal_of(self.mirror, turned_call(call))
        return reason is not None

    def retract(self, target: int | None, expected: tuple[State, State]) -> None:
        assert target is not None
        check_retraction(self.records, target)
        self.records.extend(number((e.Retracted(target),), self.records[-1].seq, at=0.0))
        self.state, self.mirror = expected
        assert fold(self.records) == self.state

    def batch(self) -> int:
        return self.records[-1].batch


TableOfChance.TestCase.settings = settings(max_examples=100, stateful_step_count=60)
TestTableOfChance = TableOfChance.TestCase
