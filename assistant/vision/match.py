"""Which card a whole, uncovered outline holds: the picture inside against all of the deck's.

Straightened to a small picture, freed of the lamp's colour and of one side being brighter, and
correlated with the forty references both ways up. The likeness of the second best tells how sure
that is: nobody can say from one number whether a dim card is well or badly seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.rules.cards import Card
from assistant.vision.deck import Deck
from assistant.vision.images import Image

Quad = npt.NDArray[np.float64]
"""Four corners in pixels, of shape (4, 2), clockwise from the card's upper left."""
Vector = npt.NDArray[np.float32]

SMALL = (56, 88)
"""Width and height to which a card is straightened: more costs time and tells no more."""
FINER = 2
"""So many times larger it is straightened first, then made smaller: a card of 260 pixels has more
detail than the small picture can hold, which would else become noise."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much an outline looks like a card: correlations from -1 to 1.

    ``upside_down``: whether the card lies the other way round than the outline was given.
    ``second``: how much it looks like the next likeliest card.
    """

    card: Card
    value: float
    second: float
    upside_down: bool

    @property
    def margin(self) -> float:
        """How far the best stands before the next."""
        return self.value - self.second


class Matcher:
    """Compares outlines with one deck."""

    def __init__(self, deck: Deck) -> None:
        self._cards = tuple(deck.faces)
        faces = list(deck.faces.values())
        upside_down = [face[::-1, ::-1] for face in faces]
        self._references = np.stack([_normal(_small(face)) for face in (*faces, *upside_down)])

    def match(self, picture: Image, quad: Quad) -> Likeness:
        """What the outline looks most like."""
        values = self._references @ _normal(straightened(picture, quad))
        ways = values.reshape(2, -1)
        best = ways.max(axis=0)
        first = int(best.argmax())
        second = float(np.delete(best, first).max())
        way = int(ways[:, first].argmax())
        return Likeness(self._cards[first], float(best[first]), second, way == 1)


def straightened(picture: Image, quad: Quad) -> Image:
    """What is inside an outline, upright and small: of shape (height, width, 3)."""
    wide, high = (side * FINER for side in SMALL)
    # A pixel's middle is where its numbers say, so a picture begins half a pixel before nought.
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    large = cv2.warpPerspective(picture, warp, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return _small(large)


def _small(picture: npt.ArrayLike) -> Image:
    made = cv2.resize(np.asarray(picture, np.uint8), SMALL, interpolation=cv2.INTER_AREA)
    return np.asarray(made, np.uint8)


def _planes() -> npt.NDArray[np.float32]:
    """An orthonormal base of pictures that rise evenly towards some side, or nowhere."""
    wide, high = SMALL
    x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high))
    base, _ = np.linalg.qr(np.stack([np.ones_like(x), x, y]).reshape(3, -1).T)
    return np.asarray(base, np.float32)


_EVEN = _planes()


def _normal(small: Image) -> Vector:
    """A picture as a vector of length one, without colour cast and slope of light."""
    pixels = small.reshape(-1, 3).astype(np.float32)
    pixels -= _EVEN @ (_EVEN.T @ pixels)
    length = float(np.linalg.norm(pixels))
    return np.asarray(pixels.ravel() / max(length, 1e-6), np.float32)
