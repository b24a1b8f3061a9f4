"""A deck that is being enrolled, one photograph after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.eye.deck import SIZE_MM, Deck
from assistant.eye.enrol import CardRow, deck_of, enrolled_back, enrolled_rows
from assistant.eye.images import Image
from assistant.rules.cards import Card, Suit


class DeckDraft:
    """What was learnt so far; a photograph that is refused changes nothing."""

    def __init__(self, size_mm: tuple[float, float] = SIZE_MM) -> None:
        self._size_mm = size_mm
        self._faces: dict[Card, Image] = {}
        self._back: Image | None = None

    @property
    def faces(self) -> Mapping[Card, Image]:
        """The cards so far."""
        return self._faces

    @property
    def suits(self) -> list[Suit]:
        """Those that are there; each is there whole."""
        return [suit for suit in Suit if any(card.suit is suit for card in self._faces)]

    @property
    def has_back(self) -> bool:
        """Whether the back was photographed."""
        return self._back is not None

    def add(self, picture: Image, suits: Sequence[Suit], name: str) -> None:
        """Learn suits, rows from the top, in place of what was there. Raises EnrolError."""
        for row in enrolled_rows(picture, suits, self._size_mm, name):
            self._faces.update(row.faces)

    def add_back(self, picture: Image, name: str) -> None:
        """Learn the back from one card that lies face down. Raises EnrolError."""
        self._back = enrolled_back(picture, self._size_mm, name)

    def swap(self, one: Card, other: Card) -> None:
        """Put two cards right that were laid in each other's place. Raises KeyError."""
        self._faces[one], self._faces[other] = self._faces[other], self._faces[one]

    def deck(self, name: str, title: str) -> Deck:
        """The whole deck. Raises EnrolError where a card is missing, or there twice."""
        return deck_of(name, title, self._size_mm, [CardRow(self._faces, {})], self._back)
