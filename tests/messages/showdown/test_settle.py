"""From places to hands: four certain cards are a hand, and everything else is asked for."""

from __future__ import annotations

from assistant.messages.showdown import CardPlace, Trouble, agreed, settle
from assistant.rules.cards import parse_card
from tests.tables import each_row

HANDS = {1: "Ro Co So 7o", 2: "Rc Cc Sc 7c", 3: "Re Ce Se 7e", 4: "Rb Cb Sb 7b"}


def places(seats: tuple[int, ...] = (1, 2, 3, 4)) -> list[CardPlace]:
    return [CardPlace(seat, {parse_card(name): 0.999})
            for seat in seats for name in HANDS[seat].split()]  # fmt: skip


def test_four_certain_cards_are_a_hand() -> None:
    settled = settle(places(), (1, 2, 3, 4))
    assert settled.complete
    assert {seat: " ".join(map(str, hand)) for seat, hand in settled.hands.items()} == HANDS


@each_row(
    "changed, trouble, missing",
    [
        ([], Trouble.NONE, 4),
        (places((2,))[:3], Trouble.FEW, 1),
        ([*places((2,)), CardPlace(2, {parse_card("1o"): 0.9})], Trouble.MANY, 0),
        ([*places((2,))[:3], CardPlace(2, {}, Trouble.BACK)], Trouble.BACK, 1),
        ([*places((2,))[:3], CardPlace(2, {parse_card("7c"): 0.6})], Trouble.UNCLEAR, 1),
        ([*places((2,))[:3], CardPlace(2, {}, Trouble.UNCLEAR)], Trouble.UNCLEAR, 1),
        ([*places((2,)), CardPlace(2, {}, Trouble.HAND)], Trouble.HAND, 0),
    ],
)
def test_trouble_at_one_seat_is_reported_and_spoils_no_other(
    changed: list[CardPlace], trouble: Trouble, missing: int
) -> None:
    settled = settle([*places((1, 3, 4)), *changed], (1, 2, 3, 4))
    assert settled.troubles == {2: trouble}
    assert settled.missing == {2: missing}
    assert sorted(settled.hands) == [1, 3, 4]
    assert not settled.complete


def test_an_object_beside_four_cards_is_no_trouble() -> None:
    settled = settle(
        [*places(), CardPlace(2, {}, Trouble.UNCLEAR), CardPlace(None, {})], (1, 2, 3, 4)
    )
    assert settled.complete


def test_an_object_that_hardly_looks_like_a_card_is_ignored() -> None:
    settled = settle([*places(), CardPlace(2, {parse_card("1o"): 0.2})], (1, 2, 3, 4))
    assert settled.complete


def test_a_card_in_two_places_counts_in_neither() -> None:
    twice = [*places()[:-1], CardPlace(4, {parse_card("Ro"): 0.999})]
    settled = settle(twice, (1, 2, 3, 4))
    assert set(settled.troubles) == {1, 4}


def test_a_card_that_is_clear_at_another_seat_is_not_a_candidate_here() -> None:
    either = CardPlace(4, {parse_card("Ro"): 0.5, parse_card("7b"): 0.499})
    settled = settle([*places()[:-1], either], (1, 2, 3, 4))
    assert settled.complete
    assert "7b" in map(str, settled.hands[4])


def test_most_frames_must_show_the_card() -> None:
    card, other = parse_card("Ro"), parse_card("Co")
    assert agreed(card, [card, card, other])
    assert not agreed(card, [card, other, None])
    assert agreed(card, [card])
