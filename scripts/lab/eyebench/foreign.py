"""Cards among the dealt ones that the reader's deck lacks."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache

from assistant.eye.deck import Deck
from assistant.rules.cards import Card
from scripts.lab.drawing.faces import HEIGHT, WIDTH, foreign_faces
from scripts.lab.drawing.raster import pixels
from scripts.lab.eyebench.decks import OWN
from scripts.lab.eyebench.light import Pixels
from scripts.lab.eyebench.scenes import Art, Scene

PER_MM = 4.0


@dataclass(frozen=True, slots=True)
class Strangers:
    """A table on which some cards are foreign.

    ``cards``: the dealt cards whose places hold a foreign one. ``faces``: what lies in each place.
    ``deck``: the deck that the reader knows.
    """

    cards: frozenset[Card]
    faces: Art
    deck: Deck


def strangers(table: Scene, faces: Art, deck: Deck, count: int, seed: int) -> Strangers:
    """Make this many of the dealt cards foreign.

    With the deck that ships, every second table has eights, nines and jokers in their places, drawn
    like its other cards. On the other tables the reader's deck lacks these cards, like a deck with
    the same picture for two cards.
    """
    dice = random.Random(f"foreign {seed}")
    dealt = sorted({placed.card for placed in table.cards}, key=str)
    cards = frozenset(dice.sample(dealt, count))
    if deck.name == OWN and dice.random() < 0.5:
        drawn = dict(zip(sorted(cards, key=str), dice.sample(_drawn(), count), strict=True))
        return Strangers(cards, {**faces, **drawn}, deck)
    known = {card: face for card, face in deck.faces.items() if card not in cards}
    return Strangers(cards, faces, replace(deck, faces=known))


@cache
def _drawn() -> tuple[Pixels, ...]:
    return tuple(pixels(face, WIDTH, HEIGHT, PER_MM) for face in foreign_faces())
