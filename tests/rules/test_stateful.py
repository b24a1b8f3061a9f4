"""A random table: each call that ``legal_calls`` lists is accepted, every other is refused.

Beside the game runs its mirror, in which every player sits one chair further. It must have the same
events, with seats and sides turned. The examples are the same in every run (tests/conftest.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from assistant.rules import calls as c
from assistant.rules import engine
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import decide, open_game, to_speak
from assistant.rules.errors import CallError
from assistant.rules.history import (
    Record,
    check_retraction,
    effective,
    fold,
    number,
    redo_target,
    undo_target,
)
from assistant.rules.legal import refusal
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import (
    Answer,
    BareRaise,
    Corrido,
    MusOrder,
    Order,
    PartnerConflict,
    Penalty,
    Profile,
    Real31,
    ReenvidoIs,
    Sides,
)
from assistant.rules.state import SIDE_LETTERS, State
from tests.rules.listed import legal_calls
from tests.rules.strategies import deal, said_plainly, turned, turned_seat, turned_stones

NAMES = ("Norte", "Oeste", "Sur", "Este", "Alba", "Bruno")
FALLS = (e.StonesSet, e.StonesAdjusted, e.StonesLost, e.CountReopened, e.DealVoided, e.DealStarted)
"""The only events that may lower stones: a correction, a penalty, a void deal, a new juego."""

COMMON = {
    "kings": st.sampled_from((8, 4)),
    "target": st.sampled_from((5, 12, 40)),
    "juegos": st.sampled_from((1, 3, 20)),
    "vacas": st.sampled_from((1, 2)),
    "corrido": st.sampled_from(Corrido),
    "order": st.sampled_from(Order),
    "paso_cuts": st.booleans(),
    "min_bet": st.sampled_from((1, 2, 3)),
    "min_raise": st.sampled_from((1, 2)),
    "bare_raise": st.sampled_from(BareRaise),
    "reenvido": st.sampled_from(ReenvidoIs),
    "both": st.booleans(),
    "auto_declare": st.booleans(),
    "answer": st.sampled_from(Answer),
    "partner_conflict": st.sampled_from(PartnerConflict),
    "implicit_no": st.booleans(),
    "show_is_accept": st.booleans(),
    "real31": st.sampled_from((Real31.OFF, Real31.SOTA, Real31.FIGURA)),
    "pedrete": st.sampled_from((0, 1)),
    "penalty": st.sampled_from(Penalty),
}


def tables() -> st.SearchStrategy[tuple[Profile, int]]:
    """House rules and the number of players."""
    pairs = st.builds(Profile, mus_order=st.sampled_from(MusOrder), **COMMON)
    each = st.builds(Profile, sides=st.just(Sides.EACH), **COMMON)
    four = st.tuples(pairs, st.just(4))
    return st.one_of(
        four, four, st.tuples(pairs, st.sampled_from((2, 6))), st.tuples(each, st.integers(2, 6))
    )


def folded(events: tuple[e.Event, ...], state: State | None = None) -> State:
    for event in events:
        state = apply(state, event)
    assert state is not None
    return state


def refusal_of(state: State, call: c.Call) -> tuple[type[CallError], str] | None:
    """The error that a call meets, and its code."""
    try:
        decide(state, call)
    except CallError as error:
        return type(error), error.code
    return None


class RandomTable(RuleBasedStateMachine):
    """One match, its mirror, and the states to which undo and redo should come back."""

    @initialize(table=tables(), mano=st.integers(1, 6), seed=st.integers(0, 2**32))
    def open(self, table: tuple[Profile, int], mano: int, seed: int) -> None:
        self.profile, players = table
        mano = (mano - 1) % players + 1
        seats = NAMES[:players]
        opening = open_game(self.profile, seats, mano)
        self.records: list[Record] = list(number(opening, 0, at=0.0))
        self.state = folded(opening)
        self.mirror = folded(open_game(self.profile, seats, turned_seat(mano, players)))
        self.past: list[tuple[State, State]] = []
        self.future: list[tuple[State, State]] = []
        self.random = Random(seed)
        self.hands = deal(self.random, players)
        self.declaring = self.random.choice((0.0, 0.3, 0.7))
        """How often a quiet player declares pares or juego, true or not."""

    # --- steps --------------------------------------------------------------------------------

    @rule(data=st.data(), stones=st.integers(1, 30))
    def say_something_legal(self, data: st.DataObject, stones: int) -> None:
        listed = legal_calls(self.state)
        if not listed:
            return
        call = data.draw(st.sampled_from(listed))
        if isinstance(call, c.Bet):
            call = replace(call, stones=max(self.profile.min_bet, stones))
            if self.state.pending:
                self.commit_or_be_refused(call)  # only a partner may say another amount
                return
        if isinstance(call, c.Raise):
            call = replace(call, stones=max(self.profile.min_raise, stones))
            self.commit_or_be_refused(call)
            return
        self.commit(call)

    @rule(calls=st.integers(1, 24))
    def go_on_quietly(self, calls: int) -> None:
        """Pass, declare, answer and show as people mostly do, so that deals are played out."""
        for _ in range(calls):
            seat = to_speak(self.state)
            if seat is not None:
                self.commit_or_be_refused(self.quiet_call(seat))

    @rule(data=st.data(), lance=st.booleans())
    def say_something_without_a_name(self, data: st.DataObject, lance: bool) -> None:
        """The call may be refused or asked about.

        If it is accepted, every inference is recorded.
        """
        said = [listed for _plain, listed in said_plainly(self.state)]
        call = replace(data.draw(st.sampled_from(said)), seat=None)
        if isinstance(call, c.Verdict | c.ClaimLance):
            return
        if lance and self.state.lance:
            call = replace(call, lance=self.state.lance)
        if self.commit_or_be_refused(call) and not isinstance(call, c.NextDeal):
            events = [r.event for r in self.records[self.batch() - 1 :]]
            assert any(isinstance(event, e.SeatInferred) for event in events)

    @rule(seat=st.integers(1, 6))
    def show_a_hand(self, seat: int) -> None:
        seat = (seat - 1) % self.state.players + 1
        self.commit_or_be_refused(c.ShowHand(seat=seat, cards=self.hands[seat - 1]))

    @precondition(lambda self: self.state.phase is Phase.COUNT)
    @rule(mano=st.none() | st.integers(1, 6))
    def deal_again(self, mano: int | None) -> None:
        if mano is not None:
            mano = (mano - 1) % self.state.players + 1
        self.commit(c.NextDeal(mano=mano))
        self.hands = deal(self.random, self.state.players)

    @rule(stones=st.lists(st.integers(0, 40), min_size=6, max_size=6))
    def correct_the_score(self, stones: list[int]) -> None:
        self.commit_or_be_refused(c.SetStones(stones=tuple(stones[: self.state.sides])))

    @rule(
        stones=st.integers(-3, 3),
        side=st.integers(0, 5),
        whose=st.sampled_from(c.Whose),
        lance=st.sampled_from(Lance),
        kind=st.integers(0, 2),
    )
    def claim_something(
        self, stones: int, side: int, whose: c.Whose, lance: Lance, kind: int
    ) -> None:
        seat = side % self.state.players + 1
        letter = SIDE_LETTERS[side % self.state.sides]
        claims: tuple[c.Call, ...] = (
            c.AdjustStones(stones=stones, side=letter, reason="eran menos"),
            c.AdjustStones(seat=seat, stones=stones, whose=whose, reason="por las de antes"),
            c.CorrectBet(seat=seat, lance=lance, stones=abs(stones) + 1),
        )
        self.commit_or_be_refused(claims[kind])

    @precondition(lambda self: self.random.random() < 0.3)
    @rule(kind=st.sampled_from(e.Irregularity), player=st.integers(1, 6), cards=st.integers(1, 6))
    def tell_of_an_irregularity(self, kind: e.Irregularity, player: int, cards: int) -> None:
        player = (player - 1) % self.state.players + 1
        self.commit_or_be_refused(c.Report(kind=kind, player=player, cards=cards))

    @precondition(lambda self: self.random.random() < 0.1)
    @rule()
    def deal_it_again(self) -> None:
        self.commit_or_be_refused(c.Redeal())

    @precondition(lambda self: bool(self.past))
    @rule()
    def undo(self) -> None:
        if self.is_in_the_pile():
            return
        self.future.append((self.state, self.mirror))
        self.retract(undo_target(self.records), self.past.pop())

    @precondition(lambda self: bool(self.future))
    @rule()
    def redo(self) -> None:
        self.past.append((self.state, self.mirror))
        self.retract(redo_target(self.records), self.future.pop())

    # --- invariants ---------------------------------------------------------------------------

    @invariant()
    def listed_calls_are_accepted_and_others_refused(self) -> None:
        listed = Counter(legal_calls(self.state))
        assert max(listed.values(), default=1) == 1
        plain = list(said_plainly(self.state))
        assert set(listed) <= {asked for _said, asked in plain}
        for said, asked in plain:
            if asked in listed:
                assert decide(self.state, said).events
            else:
                assert self.refused(said), said

    @invariant()
    def the_listed_range_of_stones_is_what_the_call_may_have(self) -> None:
        for one in engine.legal_calls(self.state):
            call = one.call
            if not isinstance(call, c.Bet | c.Raise):
                assert (one.least, one.most, one.barred) == (None, None, None)
                assert not one.among((2,))
                continue
            assert one.least is not None
            assert one.most is not None
            for stones in {1, one.least - 1, one.least, call.stones, one.barred or 2, one.most,
                           one.most + 1}:  # fmt: skip
                why = refusal(self.state, replace(call, stones=stones))
                assert bool(one.among((stones,))) is (why is None), (call, stones, why)

    @invariant()
    def the_journal_folds_to_the_state(self) -> None:
        assert fold(self.records) == self.state

    @invariant()
    def no_side_passes_the_target_and_only_one_reaches_it(self) -> None:
        stones, target = self.state.stones, self.profile.target
        assert all(0 <= n <= target for n in stones)
        assert sum(n == target for n in stones) <= (1 if self.state.juego_won else 0)
        assert max(self.state.juegos) <= self.profile.juegos
        assert sum(n == self.profile.juegos for n in self.state.juegos) <= 1

    @invariant()
    def a_state_has_its_fields_and_no_others(self) -> None:
        assert vars(self.state).keys() == {field.name for field in fields(State)}

    @invariant()
    def undo_and_redo_have_a_target_just_when_there_is_one(self) -> None:
        nothing = not self.past or self.is_in_the_pile()
        assert (undo_target(self.records) is None) is nothing
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

    # --- helpers ------------------------------------------------------------------------------

    def is_in_the_pile(self) -> bool:
        """Whether the last batch began a deal that was played on, at which undo stops (R45)."""
        if not self.past:
            return False
        target = next(
            (r.batch for r in reversed(effective(self.records)) if r.batch > 1), len(self.records)
        )
        began = any(r.batch == target and isinstance(r.event, e.DealStarted) for r in self.records)
        return began and any(
            r.batch > target and not isinstance(r.event, e.Retracted) for r in self.records
        )

    def commit(self, call: c.Call) -> None:
        """Decide a call at the table and, turned, in its mirror."""
        decision = decide(self.state, call)
        events = decision.events
        told = tuple(turned(event, self.state) for event in events)
        assert decide(self.mirror, turned(call, self.state)).events == told
        self.past.append((self.state, self.mirror))
        self.future.clear()
        before = self.state
        self.records.extend(number(events, self.records[-1].seq, at=0.0))
        self.state = folded(events, before)
        assert decision.state == self.state
        self.mirror = folded(told, self.mirror)
        if not any(isinstance(event, FALLS) for event in events):
            assert all(x <= y for x, y in zip(before.stones, self.state.stones, strict=True))
        assert turned_stones(self.state.stones) == self.mirror.stones

    def commit_or_be_refused(self, call: c.Call) -> bool:
        if self.refused(call):
            return False
        self.commit(call)
        return True

    def refused(self, call: c.Call) -> bool:
        """Whether table and mirror refuse a call. They must give the same reason."""
        reason = refusal_of(self.state, call)
        assert reason == refusal_of(self.mirror, turned(call, self.state))
        return reason is not None

    def retract(self, target: int | None, expected: tuple[State, State]) -> None:
        assert target is not None
        check_retraction(self.records, target)
        self.records.extend(number((e.Retracted(target),), self.records[-1].seq, at=0.0))
        self.state, self.mirror = expected
        assert fold(self.records) == self.state

    def batch(self) -> int:
        return self.records[-1].batch


RandomTable.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestRandomTable = RandomTable.TestCase
