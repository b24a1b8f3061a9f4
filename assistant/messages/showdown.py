"""The showdown: it turns sightings of cards into trusted hands, or says which cards are unclear."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, inf, log
from typing import TypeVar

from assistant.rules.cards import HAND_SIZE, Card

# ---- Assignment: which place holds which card, all places together and no card twice ------------
# Successive shortest paths find the likeliest assignment of all places (Kuhn 1955, Munkres 1957).
# A card is as sure as this assignment is likelier than the best one without the card.


Thing = TypeVar("Thing", bound=Hashable)

LEAST = 1e-6
"""The smallest chance that counts, because any card can be misread as any other."""


def assigned(
    places: Sequence[Mapping[Thing, float]],
) -> tuple[tuple[Thing | None, float], ...]:
    """For each place the thing in it and how sure that is; None if no listed thing is likelier.

    ``places``: for each, the chances of the things that may be there. The rest up to 1 is the
    chance that something else is there, which may be so in any number of places.
    """
    things = sorted({thing for place in places for thing in place}, key=str)
    costs = [_costs(place, things, at, len(places)) for at, place in enumerate(places)]
    best, chosen = cheapest(costs)
    found: list[tuple[Thing | None, float]] = []
    for at, column in enumerate(chosen):
        if column >= len(things):
            found.append((None, 0.0))
            continue
        without = [list(row) for row in costs]
        without[at][column] = inf
        other, _ = cheapest(without)
        found.append((things[column], 1 / (1 + exp(best - other)) if other < inf else 1.0))
    return tuple(found)


def _costs(
    place: Mapping[Thing, float], things: Sequence[Thing], at: int, count: int
) -> list[float]:
    """Minus the logarithms of the chances; behind the things, each place has a column for none."""
    row = [-log(max(LEAST, place[thing])) if thing in place else inf for thing in things]
    out = [inf] * count
    out[at] = -log(max(LEAST, 1 - sum(place.values())))
    return row + out


def cheapest(costs: Sequence[Sequence[float]]) -> tuple[float, list[int]]:
    """The least sum with one column a row and no column twice, and the column of each row.

    ``costs``: a row for each place, with as many columns as rows or more; infinite costs are
    forbidden. The sum is infinite where there is no way.

    Rows are added one by one. Each takes the cheapest path to a free column; along it, the rows
    before may have to change theirs. ``rows`` and ``columns`` are the prices (dual variables) that
    keep the cheapest assignment so far at cost 0.
    """
    if not costs:
        return 0.0, []
    wide = len(costs[0])
    rows, columns = [0.0] * len(costs), [0.0] * wide
    taken: list[int | None] = [None] * wide
    for start in range(len(costs)):
        if not _augment(start, costs, rows, columns, taken):
            return inf, [0] * len(costs)
    chosen = [0] * len(costs)
    for column, row in enumerate(taken):
        if row is not None:
            chosen[row] = column
    return sum(costs[row][column] for row, column in enumerate(chosen)), chosen


def _augment(
    start: int,
    costs: Sequence[Sequence[float]],
    rows: list[float],
    columns: list[float],
    taken: list[int | None],
) -> bool:
    """Give one more row a column (Dijkstra's shortest path); whether there is one for it."""
    wide = len(columns)
    far, before, done = [inf] * wide, [-1] * wide, [False] * wide
    row, column, length = start, -1, 0.0
    while True:
        for at in range(wide):
            step = length + costs[row][at] - rows[row] - columns[at]
            if not done[at] and step < far[at]:
                far[at], before[at] = step, column
        open_ones = [at for at in range(wide) if not done[at] and far[at] < inf]
        if not open_ones:
            return False
        column = min(open_ones, key=far.__getitem__)
        length, done[column] = far[column], True
        holder = taken[column]
        if holder is None:
            break
        row = holder
    rows[start] += length
    for at in range(wide):
        held = taken[at]
        if done[at] and at != column and held is not None:
            rows[held] += length - far[at]
            columns[at] -= length - far[at]
    while column >= 0:
        previous = before[column]
        taken[column] = start if previous < 0 else taken[previous]
        column = previous
    return True


# ---- From sightings before each seat to complete hands, or to what is unclear -------------------


CARD = 0.5
"""The least probability that a sighting is any card, for it to count as a card."""
SURE = 0.975
"""The least probability of a card that counts: a wrong stone is worse than a question."""


class Trouble(StrEnum):
    """Why the cards of a seat cannot be taken yet, in the order in which to put it right."""

    HAND = "hand"
    """Something reaches over them: wait."""
    NONE = "none"
    """No card lies there yet."""
    FEW = "few"
    """Fewer than four lie there or are visible."""
    MANY = "many"
    """More than four: two seats' cards are mixed, or somebody holds too many."""
    BACK = "back"
    """One lies face down."""
    UNCLEAR = "unclear"
    """All are there, but some cannot be identified: they cover each other, or the light is bad."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """What was seen in one place.

    seat      the seat that it lies before; None if it lies before nobody
    likely    the cards that it may be, with their chances
    trouble   why it was read as no card at all
    """

    seat: int | None
    likely: Mapping[Card, float]
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of judging all places.

    cards     for each place, the card and how sure it is; None where it is not sure enough
    hands     the seats of which all four cards are sure
    missing   of the other seats, how many cards are not read
    troubles  and why
    """

    cards: tuple[tuple[Card | None, float], ...]
    hands: Mapping[int, tuple[Card, ...]]
    missing: Mapping[int, int]
    troubles: Mapping[int, Trouble]

    @property
    def complete(self) -> bool:
        """Whether all hands are known."""
        return not self.missing


def settle(places: Sequence[CardPlace], seats: Sequence[int], sure: float = SURE) -> Settled:
    """Judge all places together; ``seats``: those whose cards are awaited."""
    found = assigned([place.likely for place in places])
    cards = tuple((card if sureness >= sure else None, sureness) for card, sureness in found)
    hands: dict[int, tuple[Card, ...]] = {}
    missing: dict[int, int] = {}
    troubles: dict[int, Trouble] = {}
    for seat in seats:
        own = [(place, card) for place, (card, _) in zip(places, cards, strict=True)
               if place.seat == seat]  # fmt: skip
        read = tuple(card for _, card in own if card)
        trouble = _trouble([place for place, _ in own], read)
        if trouble is None:
            hands[seat] = read
        else:
            missing[seat] = max(0, HAND_SIZE - len(read))
            troubles[seat] = trouble
    return Settled(cards, hands, missing, troubles)


def _trouble(places: Sequence[CardPlace], read: Sequence[Card]) -> Trouble | None:
    told = {place.trouble for place in places}
    cards = [place for place in places if _is_card(place)]
    if Trouble.HAND in told:
        return Trouble.HAND
    if len(cards) > HAND_SIZE:
        return Trouble.MANY
    if len(read) == HAND_SIZE:
        return None
    if not places:
        return Trouble.NONE
    if Trouble.BACK in told:
        return Trouble.BACK
    few = len(cards) < HAND_SIZE and Trouble.UNCLEAR not in told
    return Trouble.FEW if few else Trouble.UNCLEAR


def _is_card(place: CardPlace) -> bool:
    """Whether a sighting counts among a seat's four; one that looks like no card may be none."""
    if place.trouble is Trouble.BACK:
        return True
    return max(place.likely.values(), default=0.0) >= CARD


# ---- Several frames of one showdown: a card counts if most of them show it -----------------------


NEEDED = (2, 3)
"""So many of so many frames must agree."""


def agreed(card: Card, frames: Sequence[Card | None]) -> bool:
    """Whether enough single frames show the card that all of them together show.

    The frames are not independent, because the same lamp shines in all of them. So many frames make
    no card surer. But they expose a frame that a passing hand, a flicker or noise has spoilt.
    """
    agreeing = sum(frame == card for frame in frames)
    return agreeing * NEEDED[1] >= NEEDED[0] * len(frames)


# ---- Sightings of cards -> trusted hands, or the cards that are missing --------------------------
# Cards may be read one by one but are judged together: no card is in the deck twice, so a card that
# is plain in one place is ruled out in another.


__all__ = ["CardPlace", "Settled", "Trouble", "agreed", "assigned", "cheapest", "settle"]
