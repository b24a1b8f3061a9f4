"""From what was seen before each seat to whole hands, and to what has to be asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from assistant.rules.cards import HAND_SIZE, Card
from assistant.showdown.assign import assigned

CARD = 0.5
"""What looks like some card by so much is one, whichever."""
SURE = 0.975
"""So sure a card must be to count: a wrong stone is worse than a question."""


class Trouble(StrEnum):
    """Why the cards of a seat cannot be taken yet, the first that is to be mended first."""

    HAND = "hand"
    """Something reaches over them: wait."""
    NONE = "none"
    """No card lies there yet."""
    FEW = "few"
    """Fewer than four lie there, or are seen."""
    MANY = "many"
    """More than four: two seats' cards are mixed, or somebody holds too many."""
    BACK = "back"
    """One lies face down."""
    UNCLEAR = "unclear"
    """All are there, and some cannot be told: they cover each other, or the light is bad."""


@dataclass(frozen=True, slots=True)
class Place:
    """What was seen in one place.

    seat      before whom it lies; None where it lies before nobody
    likely    the cards that it may be, with their chances
    trouble   why it was read as no card at all
    """

    seat: int | None
    likely: Mapping[Card, float]
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """What the places come to.

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


def settle(places: Sequence[Place], seats: Sequence[int], sure: float = SURE) -> Settled:
    """Judge all places together; ``seats``: whose cards are waited for."""
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


def _trouble(places: Sequence[Place], read: Sequence[Card]) -> Trouble | None:
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


def _is_card(place: Place) -> bool:
    """Whether it counts among a seat's four: what hardly looks like any card may be none."""
    if place.trouble is Trouble.BACK:
        return True
    return max(place.likely.values(), default=0.0) >= CARD
