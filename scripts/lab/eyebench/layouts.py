"""The ways in which cards lie on a table: a row before each seat, apart, overlapped or fanned."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from assistant.rules.cards import Card

CARD_WIDTH, CARD_HEIGHT = 61.0, 95.0
"""Millimetres. All decks are laid out as if they had this size."""


class Way(StrEnum):
    """How the four cards of a hand lie relative to one another."""

    SEPARATED = "separated"
    OVERLAPPED = "overlapped"
    FANNED = "fanned"


@dataclass(frozen=True, slots=True)
class Placed:
    """A card on the table: its middle in millimetres from the table's middle, x right and y down.

    ``turn``: degrees clockwise. Cards are listed from the lowest to the one on top.
    """

    seat: int
    card: Card
    x: float
    y: float
    turn: float


def hand(
    way: Way,
    seat: int,
    cards: Sequence[Card],
    place: tuple[float, float, float],
    dice: random.Random,
) -> list[Placed]:
    """A hand at its seat: the middle of its place, and its turn towards the player."""
    spots = _SPOTS[way](len(cards), dice)
    x0, y0, turned = place
    angle = np.radians(turned)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return [
        Placed(seat, card, x0 + cos * x - sin * y, y0 + sin * x + cos * y, turned + turn)
        for card, (x, y, turn) in zip(cards, spots, strict=True)
    ]


Spot = tuple[float, float, float]


def _separated(count: int, dice: random.Random) -> list[Spot]:
    return _row(count, CARD_WIDTH + dice.uniform(6, 11), 4, dice)


def _overlapped(count: int, dice: random.Random) -> list[Spot]:
    """Each card lies on a third to a half of the one before."""
    return _row(count, CARD_WIDTH * dice.uniform(0.5, 0.68), 5, dice)


def _row(count: int, step: float, loose: float, dice: random.Random) -> list[Spot]:
    """Side by side, each shifted by up to 2 mm along the row, across it and turned by ``loose``."""
    return [
        (
            (at - (count - 1) / 2) * step + dice.uniform(-2, 2),
            dice.uniform(-loose, loose),
            dice.uniform(-loose, loose),
        )
        for at in range(count)
    ]


def _fanned(count: int, dice: random.Random) -> list[Spot]:
    """Turned about a point below them, so that one sees a strip of all cards but the last."""
    radius, step = CARD_HEIGHT * dice.uniform(0.9, 1.3), dice.uniform(10, 15)
    spots = []
    for at in range(count):
        turn = (at - (count - 1) / 2) * step + dice.uniform(-1.5, 1.5)
        angle = np.radians(turn)
        spots.append((radius * float(np.sin(angle)), radius * (1 - float(np.cos(angle))), turn))
    return spots


_SPOTS: dict[Way, Callable[[int, random.Random], list[Spot]]] = {
    Way.SEPARATED: _separated,
    Way.OVERLAPPED: _overlapped,
    Way.FANNED: _fanned,
}


def corners(placed: Placed) -> npt.NDArray[np.float64]:
    """The card's corners on the table, in millimetres: of shape (4, 2), from its upper left on."""
    angle = np.radians(placed.turn)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = np.array([CARD_WIDTH, CARD_HEIGHT]) / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(signs * half @ turn.T + (placed.x, placed.y), np.float64)
