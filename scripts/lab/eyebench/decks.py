"""The decks that the eye is measured with: their art, and their enrolled references."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.eye.deck import Deck, load_deck
from assistant.eye.enrol import EnrolError, deck_of, enrolled_back, enrolled_rows
from assistant.eye.images import read_image
from assistant.files.paths import data_dir
from assistant.rules.cards import Card, Rank, Suit
from scripts.lab.eyebench import enrolment
from scripts.lab.eyebench.layouts import CARD_HEIGHT, CARD_WIDTH
from scripts.lab.eyebench.light import Pixels

OWN = "mus"
NUMBERS = {"01": Rank.AS, "02": Rank.DOS, "03": Rank.TRES, "04": Rank.CUATRO, "05": Rank.CINCO,
           "06": Rank.SEIS, "07": Rank.SIETE, "10": Rank.SOTA, "11": Rank.CABALLO,
           "12": Rank.REY}  # fmt: skip
SIZE_MM = (CARD_WIDTH, CARD_HEIGHT)
MOST_TRIES = 12


@dataclass(frozen=True, slots=True)
class Art:
    """The faces and the back of a deck, as they are printed."""

    name: str
    faces: dict[Card, Pixels]
    back: Pixels


def own() -> Art:
    """The deck that ships."""
    deck = load_deck(data_dir("models") / "decks" / OWN)
    assert deck.back is not None
    return Art(OWN, {card: np.asarray(face) for card, face in deck.faces.items()}, deck.back)


def other(folder: Path) -> Art:
    """A deck from a folder of pictures named ``12-oros.png`` and ``reverso.png``."""
    faces = {
        Card(rank, suit): read_image(folder / f"{number}-{suit.name.lower()}.png")
        for suit in Suit
        for number, rank in NUMBERS.items()
    }
    return Art(folder.name, faces, read_image(folder / "reverso.png"))


def enrolled(art: Art, seed: int) -> tuple[Deck, int]:
    """The deck as a person enrols it, and how many tries it took.

    Each try lays and photographs the cards anew, as a person does who is told what was wrong.
    Raises EnrolError if no try succeeds.
    """
    for attempt, dice in enumerate(_dice(seed), start=1):
        sheets = enrolment.sheets(art.faces, dice.getrandbits(30), dice.choice((1, 2, 4)))
        back = enrolment.back_sheet(art.back, dice.getrandbits(30))
        try:
            rows = [row for sheet in sheets
                    for row in enrolled_rows(sheet.picture, sheet.suits, SIZE_MM)]  # fmt: skip
            reverse = enrolled_back(back.picture, SIZE_MM)
            return deck_of(art.name, art.name, SIZE_MM, rows, reverse), attempt
        except EnrolError:
            if attempt >= MOST_TRIES:
                raise
    raise AssertionError("the dice never end")


def _dice(seed: int) -> Iterator[random.Random]:
    attempt = 0
    while True:
        yield random.Random(f"enrol {seed} {attempt}")
        attempt += 1
