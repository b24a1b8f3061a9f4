"""The deals of a game so far: their calls in order, and the table as it stood at each."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from assistant.messages import Command, Pressed
from assistant.rules.calls import (
    Bet,
    Call,
    ClaimLance,
    Cut,
    Declare,
    NextDeal,
    Pass,
    Refuse,
    ShowHand,
)
from assistant.rules.cards import DECK, HAND_SIZE
from assistant.rules.engine import decide, missing_hands, open_game
from assistant.rules.events import Retracted
from assistant.rules.history import Record, fold, number, undo_target
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.snapshot.past import deal_told, deal_views, step_views
from tests.page.fake_board import NAMES, FakeBoard, PlainPhrases
from tests.rules.listed import legal_calls
from tests.tables import each_row


def played(seed: int, calls: int) -> list[Record]:
    """The records of a match of random legal calls, some of them undone."""
    dice = Random(seed)
    records = list(number(open_game(Profile(), NAMES, 1), 0, 0.0))
    for _ in range(calls):
        state = fold(records)
        assert state is not None
        target = undo_target(records)
        if target is not None and dice.random() < 0.08:
            records += number((Retracted(target),), len(records), 0.0)
            continue
        call = some_call(state, dice)
        if call is None:
            break
        records += number(decide(state, call).events, len(records), 0.0)
    return records


def some_call(state: State, dice: Random) -> Call | None:
    """A random legal call, mostly a missing hand at the showdown; None when the match is over."""
    missing = missing_hands(state)
    if missing and dice.random() < 0.9:
        shown = {card for hand in state.hands if hand for card in hand}
        left = sorted(set(DECK) - shown, key=str)
        return ShowHand(seat=missing[0], cards=tuple(dice.sample(left, HAND_SIZE)))
    calls = [call for call in legal_calls(state) if not isinstance(call, ClaimLance)]
    dull = [call for call in calls if isinstance(call, Pass | Cut | Refuse | Declare | NextDeal)]
    if not calls:
        return None
    return dice.choice(dull if dull and dice.random() < 0.8 else calls)


def state_of(records: list[Record]) -> State:
    state = fold(records)
    assert state is not None
    return state


@each_row("seed", range(6))
def test_the_deals_follow_one_another_and_cover_every_record(seed: int) -> None:
    records = played(seed, 250)
    deals = deal_views(records)
    assert [view["deal"] for view in deals] == sorted({view["deal"] for view in deals})
    for one, other in pairwise(deals):
        assert one["first"] <= one["last"] < other["first"]
    assert deals[-1]["last"] == records[-1].seq


@each_row("seed", range(6))
def test_the_end_of_a_deal_is_the_state_that_its_records_fold_to(seed: int) -> None:
    records = played(seed, 250)
    last = deal_views(records)[-1]
    state = state_of(records)
    assert [side["stones"] for side in last["sides"]] == list(state.stones)
    assert last["mano"] == state.seats[state.mano - 1]


@each_row("seed", range(6))
def test_the_steps_of_all_deals_are_all_calls_and_each_folds_to_its_state(seed: int) -> None:
    records = played(seed, 120)
    batches = []
    for view in deal_views(records):
        steps = step_views(records, view["first"], view["last"], state_of(records), PlainPhrases())
        batches += [step["seq"] for step in steps]
        assert all(fold(records[: step["seq"]]) is not None for step in steps)
    first = deal_views(records)[0]["first"]
    ends = {record.batch: record.seq for record in records if record.seq >= first}
    assert batches == sorted(ends.values())


def test_undone_calls_are_marked_and_counted() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Bet(stones=2))
    board.press(Pressed(Command.UNDO))
    board.say("", Pass(seat=1))
    view = deal_views(board.records)[0]
    steps = step_views(board.records, view["first"], view["last"], board.state, PlainPhrases())
    undone = [step["text"] for step in steps if step["undone"]]
    assert len(undone) == 1
    assert "BetMade" in undone[0]
    assert view["disputed"] == 1
    assert [step["disputed"] for step in steps].count(True) == 1


@each_row("seed", range(12))
def test_the_stones_of_a_deal_one_by_one_add_up_to_its_score(seed: int) -> None:
    records = played(seed, 400)
    counted = 0
    for view in deal_views(records):
        told = deal_told(records, view["deal"], state_of(records), PlainPhrases())
        end = state_of(records[: view["last"]])
        assert told is not None
        for side, before in zip(view["sides"], end.before, strict=True):
            won = [one["stones"] for one in told["count"] if one["side"] == side["side"]]
            assert before + sum(won) == side["stones"]
        counted += bool(told["count"])
    assert counted


def test_a_deal_that_was_not_dealt_cannot_be_shown() -> None:
    board = FakeBoard()
    assert deal_told(board.records, 7, board.state, PlainPhrases()) is None
