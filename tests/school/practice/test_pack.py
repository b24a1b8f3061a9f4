"""The virtual pack: forty cards, nobody's twice, and a discard that can be taken back."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from assistant.school.practice import Pack, changed, dealt
from assistant.school.practice.reasons import DECK

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
def test_no_card_is_lost_or_doubled_however_often_all_discard(
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


def test_what_was_thrown_is_drawn_only_once_the_stock_is_out() -> None:
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


def test_a_discard_leaves_the_pack_before_as_it_was() -> None:
    dice = random.Random(2)
    pack = dealt(dice)
    hands = pack.hands
    changed(pack, {1: (0,)}, ORDER, dice)
    assert pack.hands == hands
    assert not pack.thrown
