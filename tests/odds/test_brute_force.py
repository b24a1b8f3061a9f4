"""The chances equal those of dealing out every card, on decks small enough for that."""

from dataclasses import fields

from assistant.odds import Known
from assistant.odds.deck import OddsDeck
from assistant.odds.rivals import LanceChance
from assistant.odds.stones import chances_of, stakes_of, tally
from assistant.rules.cards import Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Real31
from tests.odds.brute import chance, count
from tests.tables import each_row


def small(text: str, kings: int = 8, real31: Real31 = Real31.OFF) -> OddsDeck:
    """A deck written as "R5 S4 7*4 ...": each rank with its number of cards."""
    return OddsDeck(tuple((Rank(part[0]), int(part[1:])) for part in text.split()), kings, real31)


def ranks(text: str) -> tuple[Rank, ...]:
    return tuple(Rank(letter) for letter in text.split())


NO = None
SIXTEEN = "R4 S3 7 4 5 1".replace("7 4 5 1", "73 52 14")

CASES = {
    "nothing is known": (SIXTEEN, Known(ranks("R S 7 1"))),
    "I am last and hold four aces": (SIXTEEN, Known(ranks("1 1 1 1"), seat=1, mano=2)),
    "I have neither pares nor juego": (SIXTEEN, Known(ranks("R 7 5 1"), seat=2, mano=4)),
    "my partner is mano": (SIXTEEN, Known(ranks("R R 1 1"), seat=3, mano=1)),
    "I sit last": (SIXTEEN, Known(ranks("R R S 7"), seat=4, mano=1)),
    "a rival has pares, the other no juego": (
        SIXTEEN,
        Known(ranks("R R 7 1"), mano=4, pares=(NO, True, NO, NO), juego=(NO, NO, NO, False)),
    ),
    "all have spoken": (
        SIXTEEN,
        Known(
            ranks("R 7 5 1"),
            mano=3,
            pares=(False, True, True, False),
            juego=(False, False, NO, False),
        ),
    ),
    "two low ranks, and often punto": ("44 55 64 74", Known(ranks("7 6 5 4"), mano=2)),
    "seventeen cards, partner known": (
        "R5 73 S3 52 14",
        Known(ranks("R 7 S 1"), mano=4, partner=ranks("R 5 1 1")),
    ),
    "eighteen cards, partner known": (
        "R8 73 S2 51 14",
        Known(ranks("R R R 1"), mano=2, partner=ranks("7 7 S 1"), juego=(True, NO, NO, NO)),
    ),
}


@each_row("case", CASES)
@each_row("real31", [Real31.OFF, Real31.SOTA])
def test_r11_to_r19_and_r40_every_deal_is_counted_once(case: str, real31: Real31) -> None:
    cards, known = CASES[case]
    deck = small(cards, real31=real31)
    total, found = count(known, deck)
    told = chances_of(known, deck)
    for lance in Lance:
        for one in fields(LanceChance):
            expected = chance(getattr(found[lance], one.name), total)
            assert getattr(told[lance], one.name) == expected, (lance, one.name)


@each_row("case", CASES)
def test_r13_and_r15_the_stones_of_the_hands_are_averaged_over_all_deals(case: str) -> None:
    cards, known = CASES[case]
    _, found = count(known, small(cards))
    counted = tally(known, small(cards), stones=True)
    for lance in (Lance.PARES, Lance.JUEGO):
        contested, stakes = found[lance].contested, stakes_of(counted, lance)
        assert (stakes is None) == (contested == 0)
        if stakes:
            for name, stones in found[lance].stones.items():
                assert getattr(stakes, name) == chance(stones, contested), (lance, name)
