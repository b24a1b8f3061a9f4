"""The value of four cards (R01, R11-R15, R19, R39, R40), and the counts of all 91,390 hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod

import pytest

from assistant.rules.cards import DECK, Card, Rank, parse_hand
from assistant.rules.hands import HandValue, Pares, ParesKind, best_seat, describe, value, winners
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Real31
from tests.tables import each_row

EIGHT, FOUR = Profile(), Profile(kings=4)


def v(text: str, profile: Profile = EIGHT) -> HandValue:
    return value(parse_hand(text), profile)


def wins(lance: Lance, *hands: str, profile: Profile = EIGHT) -> int | None:
    """The seat whose hand wins a lance. The first hand is mano's."""
    return winners(tuple(parse_hand(hand) for hand in hands), profile)[lance]


# --- R01: the deck ---------------------------------------------------------------------------


def test_r01_with_eight_kings_treses_are_reyes_and_doses_are_ases() -> None:
    assert v("R 3 2 1") == v("R R 1 1")
    assert v("3 3 3 2").points == 31


def test_r01_with_four_kings_treses_and_doses_are_themselves() -> None:
    hand = v("R 3 2 1", FOUR)
    assert hand.pares is None
    assert hand.points == 16
    assert wins(Lance.GRANDE, "3 3 2 2", "4 1 1 1", profile=FOUR) == 2
    assert wins(Lance.CHICA, "2 2 2 3", "1 4 4 4", profile=FOUR) == 2


def test_r01_rey_3_2_as_is_duples_of_reyes_and_ases() -> None:
    """S0: "una mano como Rey-3-2-As es efectivamente un doble par de Reyes y Ases"."""
    assert v("R 3 2 1").pares == Pares(ParesKind.DUPLES, (10, 1))


# --- R11: grande and chica --------------------------------------------------------------------


@each_row(
    "better, worse",
    [
        ("R R C 7", "R C C 7"),  # the example of S0
        ("R 4 4 4", "C C C C"),  # one rey is enough
        ("R R R 1", "R R C C"),
        ("R C S 5", "R C S 4"),
        ("7 6 6 6", "6 6 6 6"),
        ("3 C C C", "C C C C"),  # a tres is a rey
    ],
)
def test_r11_grande_goes_by_the_highest_card_then_the_next(better: str, worse: str) -> None:
    assert wins(Lance.GRANDE, worse, better) == 2
    assert wins(Lance.GRANDE, better, worse) == 1


@each_row(
    "better, worse",
    [
        ("1 1 5 C", "1 1 5 R"),  # the example of S0
        ("1 R R R", "4 4 4 4"),  # one as is enough
        ("1 1 R R", "1 4 4 4"),
        ("2 4 5 6", "4 4 4 4"),  # a dos is an as
        ("4 4 5 7", "4 4 6 6"),
    ],
)
def test_r11_chica_goes_by_the_lowest_card_then_the_next(better: str, worse: str) -> None:
    assert wins(Lance.CHICA, worse, better) == 2
    assert wins(Lance.CHICA, better, worse) == 1


# --- R12, R13: pares --------------------------------------------------------------------------


@each_row(
    "hand, kind, stones",
    [
        ("R R C 1", ParesKind.PAREJA, 1),
        ("4 4 4 1", ParesKind.MEDIAS, 2),
        ("R R 4 4", ParesKind.DUPLES, 3),
        ("7 7 7 7", ParesKind.DUPLES, 3),  # four alike are duples, not a kind of their own
        ("R R 3 3", ParesKind.DUPLES, 3),
    ],
)
def test_r13_a_pareja_brings_one_medias_two_and_duples_three(
    hand: str, kind: ParesKind, stones: int
) -> None:
    held = v(hand).pares
    assert held is not None
    assert (held.kind, held.value) == (kind, stones)


def test_r12_four_different_cards_are_no_pares() -> None:
    assert v("R C S 7").pares is None
    assert v("7 6 5 4").pares is None


@each_row(
    "better, worse",
    [
        ("4 4 1 1", "R R R C"),  # duples beat medias
        ("1 1 1 R", "C C 5 4"),  # medias beat pareja: the sentence in S0 is wrong
        ("C C 6 6", "S S S S"),  # the highest pair counts first: "CC66 beats SSSS" (LU)
        ("R R 1 1", "C C C C"),
        ("R R 5 5", "R R 4 4"),  # then the second pair counts
        ("R R R R", "R R C C"),
        ("5 5 5 1", "4 4 4 R"),
        ("C C 1 4", "S S R 7"),
    ],
)
def test_r12_duples_beat_medias_beat_pareja_and_then_the_higher_pair_wins(
    better: str, worse: str
) -> None:
    assert wins(Lance.PARES, worse, better) == 2
    assert wins(Lance.PARES, better, worse) == 1


@each_row("one, other", [("R R R 1", "3 3 3 C"), ("C C 7 6", "C C R S")])
def test_r12_the_cards_beside_the_pair_never_count(one: str, other: str) -> None:
    assert wins(Lance.PARES, one, other) == 1
    assert wins(Lance.PARES, other, one) == 1


def test_r18_nobody_wins_pares_that_nobody_holds() -> None:
    assert wins(Lance.PARES, "R C S 7", "7 6 5 4") is None


# --- R14, R15: juego and punto ----------------------------------------------------------------

JUEGOS = {
    31: "R R R 1",
    32: "R C 7 5",
    40: "R C S R",
    37: "R C S 7",
    36: "R C S 6",
    35: "R C S 5",
    34: "R C S 4",
    33: "R C 7 6",
}


@each_row("points, hand", JUEGOS.items())
def test_r14_the_points_of_a_juego_are_the_sum_of_its_cards(points: int, hand: str) -> None:
    assert v(hand).points == points
    assert v(hand).juego


def test_r14_31_is_best_then_32_then_40_and_down_to_33() -> None:
    hands = list(JUEGOS.values())
    for better, worse in pairwise(hands):
        assert wins(Lance.JUEGO, worse, better) == 2


def test_r15_31_brings_three_stones_and_any_other_juego_two() -> None:
    assert {points: v(hand).juego_stones for points, hand in JUEGOS.items()} == {
        points: 3 if points == 31 else 2 for points in JUEGOS
    }
    assert v("R R 7 1").juego_stones == 0


def test_r19_punto_is_the_highest_sum_below_31() -> None:
    assert wins(Lance.PUNTO, "R C 4 5", "R R 5 5", "7 7 7 6", "1 1 1 1") == 2
    assert wins(Lance.PUNTO, "R R 7 1", "R R R 1") is None  # somebody has juego


# --- R39, R40 ---------------------------------------------------------------------------------


@each_row("lance", list(Lance))
def test_r39_a_tie_goes_to_the_nearest_to_mano(lance: Lance) -> None:
    hand = "R R 5 4" if lance is Lance.PUNTO else "R R R 1"
    values = {seat: v(hand) for seat in (1, 2, 3, 4)}
    assert best_seat(lance, values, (3, 4, 1, 2)) == 3
    assert best_seat(lance, {1: v(hand), 2: v(hand)}, (3, 4, 1, 2)) == 1


def test_r40_without_the_rule_three_sevens_and_a_sota_are_an_ordinary_31() -> None:
    assert wins(Lance.JUEGO, "R R R 1", "7 7 7 S") == 1


@each_row("real31", [Real31.SOTA, Real31.FIGURA])
def test_r40_three_sevens_and_a_sota_beat_every_juego_from_any_seat(real31: Real31) -> None:
    profile = Profile(real31=real31)
    assert wins(Lance.JUEGO, "R R R 1", "R C S 1", "3 3 3 2", "7 7 7 S", profile=profile) == 4


@each_row("ten", ["R", "C"])
def test_r40_the_real_needs_a_sota_or_by_the_house_rule_any_figure(ten: str) -> None:
    hands = ("R R R 1", f"7 7 7 {ten}")
    assert wins(Lance.JUEGO, *hands, profile=Profile(real31=Real31.SOTA)) == 1
    assert wins(Lance.JUEGO, *hands, profile=Profile(real31=Real31.FIGURA)) == 2


@each_row("real31", [Real31.SOTA, Real31.FIGURA])
@each_row("hand", ["7 7 7 1", "7 7 7 7", "7 7 7 6"])
def test_r40_three_sevens_without_a_ten_are_no_real(hand: str, real31: Real31) -> None:
    assert v("7 7 7 S", Profile(real31=real31)).real
    assert not v(hand, Profile(real31=real31)).real


@each_row("cards", [0, 5])
def test_r51_no_cards_and_five_cards_have_no_value(cards: int) -> None:
    with pytest.raises(ValueError, match=f"four cards, not {cards}"):
        value(DECK[:cards], EIGHT)


@each_row("cards", [1, 2, 3, 4])
def test_r51_a_hand_of_fewer_cards_is_valued_by_the_cards_it_has(cards: int) -> None:
    assert value(parse_hand("R R R 1")[:cards], EIGHT).points == (10, 20, 30, 31)[cards - 1]


def test_a_hands_value_is_frozen_and_equal_hands_are_one() -> None:
    held = v("R R 4 4")
    assert len({held, v("4 R 4 R"), v("R R R R")}) == 2
    assert len({held.pares, v("4 R 4 R").pares, v("R R R R").pares}) == 2
    with pytest.raises(FrozenInstanceError):
        held.points = 31  # type: ignore[misc]
    assert not HandValue(held.grande, held.chica, held.pares, held.points).real


def test_r40_the_real_of_suits_is_only_its_four_cards() -> None:
    cards = parse_hand("So 7o 7c 7e")
    profile = Profile(real31=Real31.SUITS, real31_cards=cards)
    assert value(cards, profile).real
    assert value(cards[::-1], profile).real
    for other in ("Sc 7o 7c 7e", "So 7o 7c 7b", "So 7o 7c 4e", "S 7 7 7"):
        assert not value(parse_hand(other), profile).real
    assert not value(cards, EIGHT).real


def test_r40_two_sevens_and_a_sota_are_no_real() -> None:
    assert wins(Lance.JUEGO, "7 7 S R", "R C S 1", profile=Profile(real31=Real31.SOTA)) == 2


def test_r40_the_real_changes_neither_its_stones_nor_the_other_lances() -> None:
    real, plain = v("7 7 7 S", Profile(real31=Real31.SOTA)), v("7 7 7 S")
    assert real.juego_stones == plain.juego_stones == 3
    assert (real.grande, real.chica, real.pares) == (plain.grande, plain.chica, plain.pares)


def test_the_description_of_a_hand_names_its_pares_and_its_points() -> None:
    assert describe(parse_hand("R R R 1"), EIGHT) == {
        "cards": "R R R 1",
        "pares": {"kind": "medias", "value": 2},
        "points": 31,
        "juego": True,
    }


# --- all hands --------------------------------------------------------------------------------


@cache
def counts(kings: int) -> Counter[str]:
    """The number of all four-card hands that hold each thing: each set of ranks times its suits."""
    profile = Profile(kings=kings)
    found: Counter[str] = Counter()
    for ranks in combinations_with_replacement(Rank, 4):
        ways = prod(comb(4, n) for n in Counter(ranks).values())
        held = value(tuple(Card(rank) for rank in ranks), profile)
        found["hands"] += ways
        found[held.pares.kind.name if held.pares else "no pares"] += ways
        if held.juego:
            found["juego"] += ways
            found[str(held.points)] += ways
    return found


@each_row(
    "kings, parejas, medias, duples, juegos, thirty_ones",
    [(8, 43_776, 4_448, 3_486, 24_444, 8_384), (4, 34_560, 1_440, 1_630, 11_719, 3_040)],
)
def test_all_91390_hands_are_counted_as_the_books_count_them(
    kings: int, parejas: int, medias: int, duples: int, juegos: int, thirty_ones: int
) -> None:
    found = counts(kings)
    assert found["hands"] == 91_390
    assert found["PAREJA"] == parejas
    assert found["MEDIAS"] == medias
    assert found["DUPLES"] == duples
    assert found["juego"] == juegos
    assert found["31"] == thirty_ones


@each_row("kings", [8, 4])
def test_r14_no_hand_makes_38_or_39(kings: int) -> None:
    assert counts(kings)["38"] == counts(kings)["39"] == 0
    assert all(counts(kings)[str(points)] for points in JUEGOS)


@pytest.mark.slow
@each_row("kings", [8, 4])
def test_the_counts_match_all_hands_dealt_one_by_one(kings: int) -> None:
    """This proves the number of suits that ``counts`` multiplies with."""
    profile = Profile(kings=kings)
    found: Counter[str] = Counter()
    for hand in combinations(DECK, 4):
        held = value(hand, profile)
        found["hands"] += 1
        found[held.pares.kind.name if held.pares else "no pares"] += 1
        if held.juego:
            found["juego"] += 1
            found[str(held.points)] += 1
    assert found == counts(kings)
