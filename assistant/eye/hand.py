"""Reading one hand that its own player photographs: cards close up, fanned or side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from assistant.eye.deck import Deck
from assistant.eye.enrol import EnrolError, check_picture
from assistant.eye.features import shrunk
from assistant.eye.find import Finder
from assistant.eye.images import Image
from assistant.eye.peel import FoundCard
from assistant.eye.plane import placed
from assistant.eye.view import View, view
from assistant.messages.showdown import CARD, SURE, assigned
from assistant.rules.cards import HAND_SIZE, Card

# ---- The reader of one hand ---------------------------------------------------------------------
# The guesses give the plane of the cards: no card needs to be seen whole. Then the cards are read
# from the top down as on a table, at the guesses first, and along lines near them after that.


LONGEST = 1600
"""Pixels of the longer side of the picture that is read: larger ones are reduced."""


class HandTrouble(StrEnum):
    """Why a photograph is not a whole hand."""

    NONE = "none"
    """No card of this deck is in it."""
    FEW = "few"
    """Fewer cards than a hand has."""
    MANY = "many"
    """More cards than a hand has."""
    DARK = "dark"
    BLURRED = "blurred"


@dataclass(frozen=True, slots=True)
class HandReading:
    """What a photograph of a hand shows.

    ``cards``: those of the hand, from left to right; None for one that cannot be told. ``trouble``:
    why it is not a whole hand. A hand that lacks some cards holds those that were read.
    """

    cards: tuple[Card | None, ...]
    trouble: HandTrouble | None = None


class HandReader:
    """Reads photographs of single hands with one deck."""

    def __init__(self, deck: Deck) -> None:
        self.name = deck.name
        self._size_mm = deck.size_mm
        self._finder = Finder(deck, close_up=True)

    def read(self, picture: Image, size: int = HAND_SIZE) -> HandReading:
        """Read a hand of ``size`` cards. A photograph of any size takes about as long."""
        picture = shrunk(picture, LONGEST)
        found = self._found(picture, size)
        sure = [card for card, _ in found if card is not None]
        if len(sure) > size:
            return HandReading((), HandTrouble.MANY)
        cards = tuple(card for card, _ in found)
        if len(cards) > size:  # those that are not sure give way
            cards = tuple(sure) + (None,) * (size - len(sure))
        if len(cards) == size:
            return HandReading(cards)
        return HandReading(cards, self._why(picture, cards))

    def _why(self, picture: Image, cards: Sequence[Card | None]) -> HandTrouble:
        """Why there are too few cards."""
        try:
            check_picture(picture, "The photograph")
        except EnrolError as error:
            return HandTrouble(error.code)
        return HandTrouble.FEW if cards else HandTrouble.NONE

    def _found(self, picture: Image, size: int) -> list[tuple[Card | None, float]]:
        """The cards with their place from left to right; None where it may be one of several."""
        high, wide = picture.shape[:2]
        guesses = self._finder.features.guesses(picture)
        fitted = self._finder.features.plane((wide, high), guesses)
        if fitted is None:
            return []
        plane = fitted[0]
        seen = view(picture, plane, None)
        hints = np.array([placed(guess.pixels, guess.mm, plane) for guess in guesses])
        found = self._finder.close_up(seen, hints, size)
        likely = [dict(self._finder.likely(seen, one)) for one in found]
        judged = assigned(likely)
        told = [
            (card if sureness >= SURE else _of_rank(chances), one)
            for (card, sureness), chances, one in zip(judged, likely, found, strict=True)
            if max(chances.values(), default=0.0) >= CARD
        ]
        return _in_order(told, seen)


def _of_rank(chances: Mapping[Card, float]) -> Card | None:
    """A card without a suit if only the rank is sure, as of a strip with a number; else None."""
    best = max(chances, key=lambda card: chances[card], default=None)
    if best is None:
        return None
    alike = sum(chance for card, chance in chances.items() if card.rank is best.rank)
    return Card(best.rank) if alike >= SURE else None


def _in_order(
    told: Sequence[tuple[Card | None, FoundCard]], seen: View
) -> list[tuple[Card | None, float]]:
    """Cards in the order in which the player has them in the picture, from left to right."""
    placed = [(card, seen.plane.to_pixels(found.pose[:2])) for card, found in told]
    if not placed:
        return []
    spread = np.ptp([spot for _, spot in placed], axis=0)
    axis = int(spread[1] > spread[0])
    return sorted(((card, float(spot[axis])) for card, spot in placed), key=lambda one: one[1])
