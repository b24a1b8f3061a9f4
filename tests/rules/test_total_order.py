"""Every pair of hands in every lance, against a comparator written from the text of the rules.

The comparator here does not use ``HandValue``. It reads the rules as a player would, card by card.
``test_hands`` tests the value of single hands.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from assistant.rules.cards import Card, Rank
from assistant.rules.hands import HandValue, best_seat, value
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Real31
from tests.tables import each_row

Ranks = tuple[str, ...]

ORDER = "RCS7654321"
TENS = "RCS"
JUEGOS_BEST_FIRST = (31, 32, 40, 37, 36, 35, 34, 33)
BOTH_DECKS = each_row("kings", [8, 4])


@cache
def different_hands(kings: int) -> tuple[Ranks, ...]:
    """All hands that players would call different.

    With eight kings there are no treses and doses.
    """
    ranks = [rank for rank in ORDER if kings == 4 or rank not in "32"]
    return tuple(combinations_with_replacement(ranks, 4))


@cache
def valued(kings: int, real31: Real31 = Real31.OFF) -> tuple[tuple[Ranks, HandValue], ...]:
    """Each hand with the value that the engine gives it."""
    profile = Profile(kings=kings, real31=real31)
    return tuple(
        (ranks, value(tuple(Card(Rank(rank)) for rank in ranks), profile))
        for ranks in different_hands(kings)
    )


# --- the rules as a player reads them: 1 if the first hand is better, -1 if worse, 0 if equal ----


def _first_better(one: Ranks, other: Ranks, best_first: str) -> int:
    """The first card that differs decides."""
    for mine, yours in zip(one, other, strict=True):
        if mine != yours:
            return 1 if best_first.index(mine) < best_first.index(yours) else -1
    return 0


def grande(one: Ranks, other: Ranks) -> int:
    """R11: the highest card decides, then the next."""
    down = ORDER.index
    return _first_better(tuple(sorted(one, key=down)), tuple(sorted(other, key=down)), ORDER)


def chica(one: Ranks, other: Ranks) -> int:
    """R11: the lowest card decides, then the next."""
    up = ORDER[::-1]
    return _first_better(tuple(sorted(one, key=up.index)), tuple(sorted(other, key=up.index)), up)


def _pairs(hand: Ranks) -> tuple[str, str]:
    """R12: the kind of pares, and the cards that count in it, highest first."""
    times = Counter(hand)
    repeated = "".join(rank for rank in ORDER if times[rank] > 1)
    if not repeated:
        return "nothing", ""
    if len(repeated) == 2:
        return "duples", repeated
    match times[repeated]:
        case 4:
            return "duples", repeated * 2  # four alike are two pairs
        case 3:
            return "medias", repeated
        case _:
            return "pareja", repeated


def pares(one: Ranks, other: Ranks) -> int:
    """R12: duples over medias over pareja, then the highest pair, then the second."""
    (my_kind, mine), (your_kind, yours) = _pairs(one), _pairs(other)
    if my_kind != your_kind:
        kinds = ("duples", "medias", "pareja")
        return 1 if kinds.index(my_kind) < kinds.index(your_kind) else -1
    return _first_better(tuple(mine), tuple(yours), ORDER)


def sum_of(hand: Ranks) -> int:
    return sum(10 if rank in TENS else int(rank) for rank in hand)


def juego(one: Ranks, other: Ranks) -> int:
    """R14: 31, then 32, then 40, then down to 33."""
    mine, yours = map(JUEGOS_BEST_FIRST.index, (sum_of(one), sum_of(other)))
    return (mine < yours) - (mine > yours)


def punto(one: Ranks, other: Ranks) -> int:
    """R19: the highest sum below 31."""
    return (sum_of(one) > sum_of(other)) - (sum_of(one) < sum_of(other))


def _plays(lance: Lance, hand: Ranks) -> bool:
    """Whether a hand takes part in a lance (R16, R19)."""
    match lance:
        case Lance.PARES:
            return _pairs(hand)[0] != "nothing"
        case Lance.JUEGO:
            return sum_of(hand) >= 31
        case Lance.PUNTO:
            return sum_of(hand) < 31
        case _:
            return True


COMPARE = {
    Lance.GRANDE: grande,
    Lance.CHICA: chica,
    Lance.PARES: pares,
    Lance.JUEGO: juego,
    Lance.PUNTO: punto,
}


# --- the proofs ---------------------------------------------------------------------------------


def test_there_are_330_different_hands_with_eight_kings_and_715_with_four() -> None:
    """Four of 8 ranks with repetition are C(11, 4); four of 10 ranks are C(13, 4)."""
    assert len(different_hands(8)) == 330
    assert len(different_hands(4)) == 715


@BOTH_DECKS
@each_row("lance", list(Lance))
def test_a_hand_takes_part_in_a_lance_just_when_the_rules_say_so(lance: Lance, kings: int) -> None:
    for ranks, held in valued(kings):
        assert (held.key(lance) is not None) == _plays(lance, ranks), ranks
        assert best_seat(lance, {1: held}, (1,)) == (1 if _plays(lance, ranks) else None), ranks


@pytest.mark.slow
@BOTH_DECKS
@pytest.mark.parametrize("lance", list(Lance))
def test_r39_of_any_two_hands_the_better_wins_from_any_seat_and_mano_wins_ties(
    lance: Lance, kings: int
) -> None:
    """The engine's keys are tuples of numbers.

    Agreement for all pairs both ways proves a total order.
    """
    compare = COMPARE[lance]
    playing = [(ranks, held) for ranks, held in valued(kings) if _plays(lance, ranks)]
    for (one, mine), (other, yours) in product(playing, playing):
        better = compare(one, other)
        my_key, your_key = mine.key(lance), yours.key(lance)
        assert my_key is not None
        assert your_key is not None
        assert (my_key > your_key) - (my_key < your_key) == better, (one, other)
        # Seat 2 holds the first hand. Only mano must matter, not the seat.
        seated = {1: yours, 2: mine}
        assert best_seat(lance, seated, (2, 1)) == (2 if better >= 0 else 1), (one, other)
        assert best_seat(lance, seated, (1, 2)) == (2 if better > 0 else 1), (one, other)


@BOTH_DECKS
@each_row("lance", list(Lance))
def test_the_keys_of_a_lance_have_one_length_and_type(lance: Lance, kings: int) -> None:
    """A longer tuple would beat its own beginning, which is not a rule of the game."""
    keys = [key for _, held in valued(kings) if (key := held.key(lance)) is not None]
    lengths = {(key[0] if lance is Lance.PARES else None, len(key)) for key in keys}
    assert len(lengths) == (3 if lance is Lance.PARES else 1)
    assert all(isinstance(part, int) for key in keys for part in key)


def sums_below_31(worth: tuple[int, ...]) -> int:
    """How many different sums four cards can make without being juego."""
    return len({total for four in product(worth, repeat=4) if (total := sum(four)) < 31})


@each_row(
    "kings, lance, steps",
    [
        # Different hands never tie at grande or chica.
        (8, Lance.GRANDE, 330),
        (4, Lance.GRANDE, 715),
        (8, Lance.CHICA, 330),
        (4, Lance.CHICA, 715),
        # n parejas, n medias, n duples of four alike, and n over 2 duples of two pairs.
        (8, Lance.PARES, 8 + 8 + 8 + 28),
        (4, Lance.PARES, 10 + 10 + 10 + 45),
        (8, Lance.JUEGO, len(JUEGOS_BEST_FIRST)),
        (4, Lance.JUEGO, len(JUEGOS_BEST_FIRST)),
        (8, Lance.PUNTO, sums_below_31((1, 4, 5, 6, 7, 10))),
        (4, Lance.PUNTO, sums_below_31((1, 2, 3, 4, 5, 6, 7, 10))),
    ],
)
def test_a_lance_ranks_as_many_different_hands_as_the_rules_do(
    kings: int, lance: Lance, steps: int
) -> None:
    assert len({held.key(lance) for _, held in valued(kings)} - {None}) == steps


@BOTH_DECKS
@each_row("real31, fourth", [(Real31.SOTA, "S"), (Real31.FIGURA, TENS)])
def test_r40_the_real_beats_every_juego_and_changes_no_other_comparison(
    kings: int, real31: Real31, fourth: str
) -> None:
    def real(ranks: Ranks) -> bool:
        return ranks.count("7") == 3 and any(rank in fourth for rank in ranks)

    plain = dict(valued(kings))
    played = [(ranks, held) for ranks, held in valued(kings, real31) if sum_of(ranks) >= 31]
    for ranks, held in played:
        assert held.real == real(ranks), ranks
        for lance in (Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.PUNTO):
            assert held.key(lance) == plain[ranks].key(lance), ranks
    for (one, mine), (other, yours) in product(played, played):
        better = (real(one) - real(other)) or juego(one, other)
        assert best_seat(Lance.JUEGO, {1: yours, 2: mine}, (1, 2)) == (2 if better > 0 else 1)
