"""The hands of a deck, what may be known of them, and how fast a question is answered."""

import time
from dataclasses import replace

import pytest

from assistant.odds import Assumptions, Known, OddsError, chances
from assistant.odds.deck import deck_of, hands_of
from assistant.odds.rivals import CHOOSE, unions_of
from assistant.rules.cards import Rank, parse_hand
from assistant.rules.hands import ParesKind
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Real31, Sides
from tests.tables import each_row


def ranks(text: str) -> tuple[Rank, ...]:
    return tuple(map(Rank, text))


# The counts of all 91,390 hands of four cards, from the rule table.
COUNTS = {
    8: ((43_776, 4_448, 3_486), 24_444, 8_384),
    4: ((34_560, 1_440, 1_630), 11_719, 3_040),
}


@each_row("kings", COUNTS)
def test_r01_every_hand_of_the_deck_has_its_number_of_ways(kings: int) -> None:
    deck = deck_of(Profile(kings=kings))
    hands = hands_of(deck)
    ways = CHOOSE[deck.copies, hands.counts].prod(axis=1)
    pares, juegos, of_31 = COUNTS[kings]
    assert len(hands.ranks) == {8: 330, 4: 715}[kings]
    assert ways.sum() == 91_390
    for kind, wanted in zip(ParesKind, pares, strict=True):
        assert ways[hands.stones[Lance.PARES] == int(kind)].sum() == wanted
    assert ways[hands.juego].sum() == juegos
    assert ways[hands.stones[Lance.JUEGO] == 3].sum() == of_31


@each_row("kings", [8, 4])
def test_two_hands_have_as_many_ways_as_eight_cards_can_be_shared_in(kings: int) -> None:
    unions = unions_of(deck_of(Profile(kings=kings)))
    shares = [0] * unions.size
    for union, split in zip(unions.union.tolist(), unions.split.tolist(), strict=True):
        shares[union] += split
    assert set(shares) == {70}  # four of eight cards


def test_a_hand_that_cannot_lose_has_a_chance_of_one() -> None:
    told = chances(Known(ranks("RRRR")), Profile(kings=4))
    assert told[Lance.GRANDE].best == told[Lance.PARES].side == 1
    assert chances(Known(ranks("RRR1")), Profile())[Lance.JUEGO].best == 1


def test_r40_the_real_wins_juego_from_any_seat() -> None:
    last = Known(ranks("777S"), mano=2)
    assert chances(last, Profile())[Lance.JUEGO].best < 1
    assert chances(last, Profile(real31=Real31.SOTA))[Lance.JUEGO].best == 1
    figura = Profile(real31=Real31.FIGURA)
    assert chances(replace(last, hand=ranks("7773")), figura)[Lance.JUEGO].best == 1


PLAIN = Known(ranks("RRC1"))


@each_row(
    "known, profile, says",
    [
        (replace(PLAIN, hand=ranks("RRC")), Profile(), "four cards"),
        (replace(PLAIN, hand=ranks("CCCCC")), Profile(), "four cards"),
        (replace(PLAIN, partner=ranks("CCCC")), Profile(), "One deck cannot deal"),
        (replace(PLAIN, pares=(False, None, None, None)), Profile(), "Seat 1 did not declare"),
        (
            replace(PLAIN, partner=ranks("7745"), juego=(None, None, True, None)),
            Profile(),
            "Seat 3 did not declare",
        ),
        (PLAIN, Profile(sides=Sides.EACH), "two pairs"),
    ],
)
def test_impossible_knowledge_is_refused_in_one_sentence(
    known: Known, profile: Profile, says: str
) -> None:
    with pytest.raises(OddsError, match=says):
        chances(known, profile)


def test_ranks_without_suits_cannot_tell_the_real_of_suits() -> None:
    with pytest.raises(OddsError, match="no suits"):
        deck_of(Profile(real31=Real31.SUITS, real31_cards=parse_hand("So 7o 7c 7e")))


@each_row("seat", [0, 5])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    with pytest.raises(OddsError, match="seats are 1 to 4"):
        replace(PLAIN, mano=seat)
    with pytest.raises(OddsError, match="each of 4 seats"):
        replace(PLAIN, pares=(None,) * seat)


@each_row("wrong", [{"accepted": 1.5}, {"accepted": -0.1}, {"bets": (0,)}, {"deje": 201}])
def test_an_impossible_assumption_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(OddsError, match="choose"):
        Assumptions(**wrong)  # type: ignore[arg-type]


def test_three_unknown_hands_are_counted_in_a_tenth_of_a_second() -> None:
    """The best of five tries, because other work may go on beside a test."""
    known = Known(ranks("CS76"), mano=3, pares=(None, True, None, None))
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        chances(known, Profile())
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.1
