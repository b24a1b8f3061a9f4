"""Pictures of rendered tables and decks, like those that people give to the commands."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

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
def other_art() -> Art:
    """Another deck: the quarters of each card change places, in other ink, in the same rim."""
    return {card: _turned_inside_out(face) for card, face in art().items()}


def _turned_inside_out(face: Image) -> Image:
    made = face.copy()
    rim = round(0.05 * len(face))
    inside = face[rim:-rim, rim:-rim]
    moved = np.roll(inside, (inside.shape[0] // 2, inside.shape[1] // 2), (0, 1))
    made[rim:-rim, rim:-rim] = moved[..., ::-1]
    return made


@cache
def table() -> Scene:
    """A table with four hands that lie apart."""
    return scenes.dealt(SEED, Way.SEPARATED, Lit.NORMAL, CARD, SIZE)


@cache
def picture(seats: tuple[int, ...] = (1, 2, 3, 4)) -> Image:
    """The table with the hands of these seats."""
    cards = tuple(card for card in table().cards if card.seat in seats)
    return shot(replace(table(), cards=cards), art(), 1, 1)[0]


def four() -> Image:
    """The table with one card before each seat."""
    return four_of("mus")


@cache
def four_of(deck: str) -> Image:
    """The same with the cards of the deck "mus", or of "other"."""
    cards = random.Random(3).sample(sorted(art(), key=str), 4)
    spots = scenes.places(table().camera)
    laid = tuple(
        Placed(seat, card, *spot)
        for seat, (card, spot) in enumerate(zip(cards, spots, strict=True), start=1)
    )
    faces = art() if deck == "mus" else other_art()
    return shot(replace(table(), cards=laid), faces, 1, 2)[0]


@cache
def photographs() -> tuple[Image, ...]:
    """The photographs from which a deck is enrolled: one suit in each."""
    return tuple(sheet.picture for sheet in enrolment.sheets(art(), 5, 4, scale=0.5))


def saved(folder: Path, name: str, image: Image) -> str:
    """Write a picture into a folder and return its path."""
    path = folder / f"{name}.png"
    assert cv2.imwrite(str(path), image)
    return str(path)
