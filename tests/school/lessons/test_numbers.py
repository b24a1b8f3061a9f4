"""The figures that the lessons teach: counted anew, and found in the prose of every language.

What the cards alone decide is exact (``assistant.odds``). What maestro does is read from its file.
The lessons give it in round words, which hold for any maestro that plays like that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import comb, prod
from typing import NamedTuple

import pytest

from assistant.files.paths import data_dir
from assistant.odds import Known, chances
from assistant.odds.rivals import LanceChance
from assistant.rules.cards import Rank, parse_hand
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from assistant.school.lessons import LessonStep
from assistant.school.lessons.files import languages, load_lessons
from assistant.school.players.maestro import NEEDS, SCORES, Lore, read_lore

UNSEEN = 36
"""The cards that a player with four of his own has not seen."""
EVEN = (3, 3)
"""Both pairs need more than twenty stones."""
FAR_AHEAD, FAR_BEHIND = (0, 3), (3, 0)
FIRST, SECOND, POSTRE = 0, 1, 3


def percent(chance: float) -> int:
    return round(100 * chance)


def lance(hand: str, of: Lance, *, mano: int = 1) -> LanceChance:
    """The chances of a hand; I am seat 1, so that with mano 2 I am postre."""
    ranks = tuple(card.rank for card in parse_hand(hand))
    return chances(Known(ranks, seat=1, mano=mano), Profile())[of]


def drawn(good: int, cards: int) -> float:
    """The chance that at least one of the cards drawn is one of ``good`` among the unseen."""
    return 1 - comb(UNSEEN - good, cards) / comb(UNSEEN, cards)


class Fact(NamedTuple):
    """A figure, and the step that tells it: lesson and number."""

    lesson: int
    step: int
    figure: int
    counted: int


def facts() -> Iterator[Fact]:
    """Every figure that is exact."""
    yield Fact(14, 2, 31, percent(drawn(8 - 2, 2)))
    yield Fact(14, 3, 65, percent(drawn(8, 4)))
    yield Fact(14, 5, 14, 16 - 2)
    yield Fact(14, 5, 39, percent(drawn(16 - 2, 1)))
    yield Fact(14, 6, 22, percent(drawn(8, 1)))
    yield Fact(14, 6, 14, percent(drawn(8 - 3, 1)))
    yield Fact(15, 1, 95, percent(lance("C C S S", Lance.PARES).side))
    yield Fact(15, 1, 95, percent(lance("C C S S", Lance.PARES, mano=2).side))
    hands = comb(40, 4)
    for figure, count in ((48, 43_776), (5, 4_448), (4, 3_486), (9, 8_384), (18, 24_444 - 8_384)):
        yield Fact(15, 2, figure, percent(count / hands))
    yield Fact(16, 1, 80, percent(lance("R R 7 4", Lance.GRANDE).best))
    yield Fact(16, 1, 87, percent(lance("R R 7 4", Lance.GRANDE).side))
    yield Fact(16, 2, 45, percent(lance("R C 7 4", Lance.GRANDE).best))
    yield Fact(16, 2, 13, percent(lance("R 7 6 4", Lance.GRANDE).best))
    yield Fact(16, 3, 95, percent(lance("7 4 1 1", Lance.CHICA).best))
    pair, postre = (lance("R R C 4", Lance.PARES, mano=mano).best for mano in (1, 2))
    yield Fact(16, 4, 77, percent(pair))
    yield Fact(16, 4, 54, percent(postre))
    yield Fact(16, 4, 23, percent(pair) - percent(postre))
    yield Fact(16, 5, 78, percent(lance("R R S 1", Lance.JUEGO, mano=2).best))
    yield Fact(18, 1, 13, percent(lance("R 7 6 4", Lance.GRANDE, mano=2).best))
    for mano in (1, 2):
        yield Fact(18, 1, 42, percent(lance("R 7 6 4", Lance.GRANDE, mano=mano).side))


def steps(lesson: int) -> Iterator[tuple[str, tuple[LessonStep, ...]]]:
    """The steps of a lesson in each language."""
    for language in languages():
        for name, one in load_lessons(language).items():
            if name.startswith(f"{lesson:02}-"):
                yield language, one.steps


def figures_of(step: LessonStep) -> set[int]:
    told = [step.aloud, step.why, *(f"{one.text} {one.why}" for one in step.answers if one.right)]
    return {int(one) for one in re.findall(r"\d+", " ".join(told))}


@cache
def all_facts() -> tuple[Fact, ...]:
    return tuple(facts())


def test_the_figures_of_the_cards_are_exact() -> None:
    assert [one for one in all_facts() if one.figure != one.counted] == []


def test_every_language_tells_the_same_figures() -> None:
    for fact in all_facts():
        for language, told in steps(fact.lesson):
            assert fact.figure in figures_of(told[fact.step - 1]), (language, fact)
    for number in range(14, 19):
        known = [[figures_of(step) for step in told] for _, told in steps(number)]
        assert all(one == known[0] for one in known), number


def test_31_as_mano_is_never_beaten() -> None:
    assert lance("R R C 1", Lance.JUEGO).best == 1.0


# ---- What maestro does -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def lore() -> Lore:
    return read_lore(data_dir("models") / "players" / "maestro.npz")


NAMES = "RCS76541"


def cards_of(lore: Lore, number: int) -> list[str]:
    return [NAMES[at] for at in range(8) for _ in range(int(lore.hands.counts[number][at]))]


def ways(lore: Lore, number: int) -> int:
    copies = [count for _, count in lore.hands.deck.counts]
    return prod(comb(copies[at], int(lore.hands.counts[number][at])) for at in range(8))


def asks_mus(lore: Lore, number: int, place: int, needs: tuple[int, int]) -> float:
    at = (number * 3 * 4 + place) * SCORES + needs[0] * NEEDS + needs[1]
    return float(lore.mus[at]) / 255


def mean_mus(lore: Lore, place: int, needs: tuple[int, int]) -> float:
    """How often mus is wanted, over all hands."""
    numbers = range(len(lore.throws))
    wanted = sum(ways(lore, n) * asks_mus(lore, n, place, needs) for n in numbers)
    return wanted / sum(ways(lore, n) for n in numbers)


def kept(lore: Lore, number: int) -> list[str]:
    bits = int(lore.throws[number])
    return [card for at, card in enumerate(cards_of(lore, number)) if not bits >> at & 1]


def keeps(lore: Lore, hand: str) -> str:
    number = lore.hands.number(Rank(one) for one in hand.split())
    return " ".join(kept(lore, number))


def share_that_keeps(lore: Lore, card: str, of: int, **others: int) -> float:
    """How often all ``of`` cards of a rank are kept, where mus is wanted."""
    total = good = 0.0
    for number in range(len(lore.throws)):
        cards = cards_of(lore, number)
        if cards.count(card) != of or any(cards.count(c) != n for c, n in others.items()):
            continue
        places = sum(asks_mus(lore, number, place, EVEN) for place in range(4))
        weight = ways(lore, number) * places
        total += weight
        good += weight * (kept(lore, number).count(card) == of)
    return good / total


def test_maestro_throws_as_the_lesson_says(lore: Lore) -> None:
    assert keeps(lore, "R R 7 4") == "R R"
    assert keeps(lore, "R 7 5 1") == "R"
    assert keeps(lore, "R R 4 1") == "R R 1"
    assert keeps(lore, "R R R 7") == "R R R"
    assert share_that_keeps(lore, "R", 2) > 0.95
    assert share_that_keeps(lore, "R", 3) > 0.95
    for card in "7654":
        assert share_that_keeps(lore, card, 1) < 0.1, card
    assert share_that_keeps(lore, "1", 1, R=1) < 0.2


def test_maestro_cuts_as_the_lesson_says(lore: Lore) -> None:
    assert mean_mus(lore, FIRST, EVEN) < 0.3
    assert mean_mus(lore, POSTRE, EVEN) < 0.3
    assert mean_mus(lore, SECOND, EVEN) > 0.5
    assert mean_mus(lore, FIRST, FAR_AHEAD) < 0.25
    assert mean_mus(lore, FIRST, FAR_BEHIND) > 0.5


def test_maestro_holds_a_juego_of_five_against_twenty_to_be_won_about_as_often_as_the_lesson_says(
    lore: Lore,
) -> None:
    ahead, behind = float(lore.values[5, 20]), float(lore.values[20, 5])
    assert ahead == pytest.approx(0.85, abs=0.03)
    assert behind == pytest.approx(0.15, abs=0.03)
