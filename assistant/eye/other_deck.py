"""Recognition of cards of another deck than the one in use, and of the known deck that has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.eye.deck import deck_paths, load_deck
from assistant.eye.find import STRANGE_CARDS, Finder
from assistant.eye.images import Image, VisionError
from assistant.rules.errors import Translatable

MOST_OF = 0.5
"""A deck fits if more than this share of the separate cards is like one of its cards."""


@dataclass(frozen=True, slots=True)
class OtherDeck:
    """Cards that are not of ``deck``; ``better`` is the known deck that has them, if there is one.

    Its sentence is in Spanish, like the commands' output.
    """

    deck: str
    better: str | None

    def __str__(self) -> str:
        if self.better:
            return Translatable(
                "These cards are not of the deck {deck}. They look like those of {better}: "
                "try --deck {better}.",
                deck=self.deck,
                better=self.better,
            )
        return Translatable(
            "These cards are not of the deck {deck}. Show me yours: mus deck enrol NAME "
            "PICTURE..., and use --deck NAME.",
            deck=self.deck,
        )


def better_deck(picture: Image, than: str) -> str | None:
    """The known deck that fits the cards of a picture best; None where none does.

    All decks are loaded, which takes some tenths of a second each. A broken one is left out.
    """
    best, most = None, 0
    for name, folder in deck_paths().items():
        if name == than:
            continue
        try:
            cards, alike = Finder(load_deck(folder)).laid_apart(picture)
        except VisionError:
            continue
        if cards >= STRANGE_CARDS and alike > max(most, MOST_OF * cards):
            best, most = name, alike
    return best


def other_deck(
    picture: Image,
    finder: Finder,
    knows: Callable[[Image, str], str | None] = better_deck,
) -> OtherDeck | None:
    """The other deck of a picture's separate cards; None if they are the finder's, or too few.

    ``knows`` finds the known deck that has them.
    """
    if not finder.is_other_deck(picture):
        return None
    return OtherDeck(finder.deck_name, knows(picture, finder.deck_name))
