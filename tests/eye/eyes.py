"""Pictures of rendered tables and decks, like those that people give to the commands."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2

from assistant.eye.deck import load_deck
from assistant.eye.images import Image
from assistant.files.paths import data_dir
from scripts.lab.eyebench import enrolment, scenes
from scripts.lab.eyebench.layouts import Placed, Way
from scripts.lab.eyebench.light import Lit
from scripts.lab.eyebench.scenes import Art, Scene
from scripts.lab.eyebench.trial import shot

SIZE, CARD = (1280, 720), 113.0
SEED = 5


@cache
def art() -> Art:
    return load_deck(data_dir("models") / "decks" / "mus").faces


@cache
def table() -> Scene:
    """A table with four hands that lie apart."""
    return scenes.dealt(SEED, Way.SEPARATED, Lit.NORMAL, CARD, SIZE)


@cache
def picture(seats: tuple[int, ...] = (1, 2, 3, 4)) -> Image:
    """The table with the hands of these seats."""
    cards = tuple(card for card in table().cards if card.seat in seats)
    return shot(replace(table(), cards=cards), art(), 1, 1)[0]


@cache
def four() -> Image:
    """The table with one card before each seat."""
    cards = random.Random(3).sample(sorted(art(), key=str), 4)
    spots = scenes.places(table().camera)
    laid = tuple(
        Placed(seat, card, *spot)
        for seat, (card, spot) in enumerate(zip(cards, spots, strict=True), start=1)
    )
    return shot(replace(table(), cards=laid), art(), 1, 2)[0]


@cache
def photographs() -> tuple[Image, ...]:
    """The photographs from which a deck is enrolled: one suit in each."""
    return tuple(sheet.picture for sheet in enrolment.sheets(art(), 5, 4, scale=0.5))


def saved(folder: Path, name: str, image: Image) -> str:
    """Write a picture into a folder and return its path."""
    path = folder / f"{name}.png"
    assert cv2.imwrite(str(path), image)
    return str(path)
