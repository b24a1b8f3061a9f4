"""The virtual pack, and the reasons for a call, which reveal a player's trust and not its cards."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.rules import calls as c
from assistant.rules.cards import parse_hand
from assistant.rules.engine import apply, decide, open_game
from assistant.rules.events import Event
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.school.players import Sight, sight_of
from assistant.school.players.strength import Strength
from assistant.school.practice import Pack, Reason, changed, dealt, why
from assistant.school.practice.reasons import DECK

# ---- The virtual pack: forty cards, none twice, and a discard that can be undone ----------------


ORDER = (1, 2, 3, 4)


def cards_of(pack: Pack) -> list[str]:
    held = [card for hand in pack.hands for card in hand]
    return sorted(map(str, (*held, *pack.stock, *pack.thrown)))


@given(
    st.integers(0, 2**32),
    st.lists(
        st.tuples(*[st.sets(st.integers(0, 3), min_size=1) for _ in ORDER]), min_size=1, max_size=9
    ),
)
def test_no_card_is_lost_or_doubled_by_any_number_of_discards(
    seed: int, throws: list[tuple[set[int], ...]]
) -> None:
    dice = random.Random(seed)
    pack = dealt(dice)
    for throw in throws:
        places = {seat: tuple(throw[seat - 1]) for seat in ORDER}
        before, pack = pack, changed(pack, places, ORDER, dice)
        assert cards_of(pack) == sorted(map(str, DECK))
        for seat in ORDER:
            kept = [c for n, c in enumerate(before.hand(seat)) if n not in throw[seat - 1]]
            assert list(pack.hand(seat)[: len(kept)]) == kept
            assert len(pack.hand(seat)) == 4


def test_thrown_cards_are_drawn_only_when_the_stock_is_empty() -> None:
    dice = random.Random(1)
    pack = dealt(dice)
    all_four = dict.fromkeys(ORDER, (0, 1, 2, 3))
    once = changed(pack, all_four, ORDER, dice)
    assert len(once.stock) == 8
    assert len(once.thrown) == 16
    drawn = {card for hand in once.hands for card in hand}
    assert drawn <= set(pack.stock)
    twice = changed(once, all_four, ORDER, dice)
    assert set(once.stock) <= {card for hand in twice.hands for card in hand}


def test_a_discard_leaves_the_pack_before_it_unchanged() -> None:
    dice = random.Random(2)
    pack = dealt(dice)
    hands = pack.hands
    changed(pack, {1: (0,)}, ORDER, dice)
    assert pack.hands == hands
    assert not pack.thrown


# The reason for a call tells how far a player trusts its cards.


PROFILE = Profile()
STRENGTH = Strength(PROFILE)


def table(*calls: c.Call) -> State:
    """The state at a table of four, seat 1 mano, after these calls."""
    state = _after(None, open_game(PROFILE, ("Uno", "Dos", "Tres", "Cuatro"), 1))
    for call in calls:
        state = decide(state, call).state
    return state


def _after(state: State | None, events: tuple[Event, ...]) -> State:
    for event in events:
        state = apply(state, event)
    assert state is not None
    return state


def sight(hand: str, *calls: c.Call, seat: int = 2) -> Sight:
    return sight_of(table(*calls), seat, parse_hand(hand))


BET = (c.Cut(seat=1), c.Bet(stones=2, seat=1))


@pytest.mark.parametrize(
    ("hand", "trust"), [("R R R R", "sure"), ("R C 7 4", "likely"), ("7 6 5 4", "poor")]
)
def test_a_reason_tells_how_far_a_player_trusts_its_cards(hand: str, trust: str) -> None:
    assert why(sight(hand, *BET), c.Accept(seat=2), STRENGTH) == Reason("accept", trust, deje=1)


def test_the_reason_for_a_refusal_names_its_cost() -> None:
    bets = (*BET, c.Accept(seat=2), c.Pass(seat=1), c.Pass(seat=2), c.Pass(seat=3))
    chica = sight("R R R R", *bets, c.Bet(stones=5, seat=4), seat=1)
    assert why(chica, c.Refuse(seat=1), STRENGTH) == Reason("refuse", "poor", deje=1)


def test_the_reason_for_mus_does_not_mention_the_cards() -> None:
    assert why(sight("R R 7 4", seat=1), c.Mus(seat=1), STRENGTH) == Reason("mus")


def test_a_reason_has_no_field_for_a_card() -> None:
    assert {one.name: one.type for one in fields(Reason)} == {
        "code": "str",
        "trust": "str",
        "deje": "int",
    }
