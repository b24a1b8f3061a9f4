"""Cards, hands and house rules as text: what is read, and what is refused in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.rules.cards import (
    DECK,
    Card,
    Hand,
    Rank,
    Suit,
    check_deal,
    format_hand,
    parse_card,
    parse_hand,
)
from assistant.rules.errors import CardError, ProfileError
from assistant.rules.profile import Profile, Real31, profile_from
from tests.tables import each_row

HANDS = st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True).map(tuple)


def test_the_deck_has_forty_cards_four_of_each_rank_and_no_eights_or_nines() -> None:
    assert len(set(DECK)) == 40
    assert {card.rank.value for card in DECK} == set("RCS7654321")
    assert all(sum(card.rank is rank for card in DECK) == 4 for rank in Rank)


@given(HANDS)
def test_a_written_hand_reads_back_the_same(hand: Hand) -> None:
    assert parse_hand(format_hand(hand)) == hand


@each_row("text", ["RRC1", "R R C 1", "R, R, C, 1", "r r c 1"])
def test_a_hand_is_written_with_spaces_commas_or_none(text: str) -> None:
    assert format_hand(parse_hand(text)) == "R R C 1"


def test_a_suit_is_optional() -> None:
    assert parse_card("Ro") == Card(Rank.REY, Suit.OROS)
    assert parse_card("7") == Card(Rank.SIETE)


@each_row("text", ["", "8", "9o", "Rx", "R10", "A", "10"])
def test_a_card_that_does_not_exist_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(CardError, match="is no card: write a rank"):
        parse_card(text)


@each_row(
    "text, reason",
    [
        ("R R C", "has 4 cards, not 3"),
        ("R R C 1 1", "has 4 cards, not 5"),  # R51: more than four cards are no hand
        ("Ro Ro C 1", "Ro appears twice"),
        ("", "has 4 cards, not 0"),
    ],
)
def test_r51_a_hand_of_other_than_four_cards_is_no_hand(text: str, reason: str) -> None:
    with pytest.raises(CardError, match=reason):
        parse_hand(text)


def test_one_card_does_not_lie_in_two_hands() -> None:
    hands = (parse_hand("Rc Co S 7"), parse_hand("Ro C 5 4"), parse_hand("6 5 Ro 3"))
    with pytest.raises(CardError, match="Ro appears twice"):
        check_deal(hands)


def test_a_rank_is_not_dealt_five_times() -> None:
    hands = (parse_hand("R R R 7"), parse_hand("R Ro 5 4"))
    with pytest.raises(CardError, match="only four cards of rank R"):
        check_deal(hands)


def test_r01_with_eight_kings_a_tres_may_be_called_rey_and_a_dos_as() -> None:
    called = (parse_hand("R R R 1"), parse_hand("R R C 1"), parse_hand("R 1 1 1"))
    check_deal(called, kings=8)
    with pytest.raises(CardError, match="only four cards of rank R"):
        check_deal(called, kings=4)


@each_row(
    "hands, reason",
    [
        (("R R R 7", "R R 3 6", "3 3 R 5"), "only eight cards of ranks R and 3"),
        (("1 1 1 7", "1 1 2 6", "2 2 1 5"), "only eight cards of ranks 1 and 2"),
    ],
)
def test_r01_there_are_no_more_than_eight_reyes_nor_eight_ases(
    hands: tuple[str, ...], reason: str
) -> None:
    *eight, ninth = (parse_hand(hand) for hand in hands)
    check_deal(tuple(eight), kings=8)
    with pytest.raises(CardError, match=reason):
        check_deal((*eight, ninth), kings=8)


def test_r01_a_tres_is_never_more_than_a_tres() -> None:
    with pytest.raises(CardError, match="only four cards of rank 3"):
        check_deal((parse_hand("3 3 3 7"), parse_hand("3 3 5 4")), kings=8)


@each_row(
    "hands",
    [
        (),  # nobody has shown a card yet
        ("R R R R", "R R R R"),
        ("1 1 1 1", "1 1 1 1"),
        ("R R R R", "3 3 3 3"),
        ("R R R R", "R R S S", "S S 7 6"),  # the four sotas are no reyes
    ],
)
def test_r01_eight_reyes_eight_ases_and_four_of_any_other_rank_are_one_deck(
    hands: tuple[str, ...],
) -> None:
    check_deal(tuple(map(parse_hand, hands)), kings=8)


def test_the_default_profile_is_the_default_column() -> None:
    assert Profile() == Profile(kings=8, target=40, juegos=3, real31=Real31.OFF)


def test_a_profile_is_read_from_text_and_what_is_left_out_is_the_default() -> None:
    read = profile_from({"kings": "4", "target": 30, "real31": "sota"})
    assert read == Profile(kings=4, target=30, juegos=3, real31=Real31.SOTA)


@each_row("target", [25, 30, 35, 40])
def test_r02_the_presets_of_the_target_can_be_played(target: int) -> None:
    assert profile_from({"target": target}).target == target


@each_row(
    "values, named",
    [
        ({"reyes": 8}, "reyes"),
        ({"kings": 5}, "kings=5"),
        ({"kings": True}, "kings=True"),
        ({"kings": "8.0"}, "kings=8.0"),
        ({"target": 0}, "target=0"),
        ({"target": "forty"}, "target=forty"),
        ({"target": -40}, "target=-40"),
        ({"juegos": 0}, "juegos=0"),
        ({"juegos": 99}, "juegos=99"),
        ({"real31": "rey"}, "real31=rey"),
    ],
)
def test_house_rules_that_no_table_plays_are_refused_by_name(
    values: dict[str, object], named: str
) -> None:
    with pytest.raises(ProfileError, match=named):
        profile_from(values)
