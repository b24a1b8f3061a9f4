"""Local features: the places where cards may lie, and their plane, from patches of their art."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.images import Image
from assistant.eye.match import Floats, Quad
from assistant.eye.plane import Plane, Points, corners, fit_points

# ---- Where cards may lie: local features of the picture that a card of the deck has, too -------
# SIFT features (Lowe 2004) have a place, a size and a direction. So one feature that the picture
# and a card share says where the whole card would lie. Features of one card that agree are a guess.
# Many cards share their pips, so a guess tells the place of a card, and little of which it is.


LOOKED_AT = 1200
"""Pixels of the longer side of the picture whose features are found: larger ones are reduced."""
FACE_HIGH = 280
"""Height in pixels at which a card's own features are found."""
MOST_FEATURES, MOST_OF_CARD = 3000, 300
"""The most features of a photograph and of a card, the strongest."""
ALIKE, NEARLY = 0.82, 0.05
"""The least cosine of two features that may be the same; and how much worse than the best match
among all cards' features another match may be."""
AT_ONCE = 500
"""Features compared in a batch: more need more memory, and are no faster."""
MOST_PAIRS = 250
"""The most features of a card that are compared with each other: a checked cloth has thousands."""
AGREE_WIDTHS, AGREE_RADIANS, AGREE_SCALE = 0.3, 0.35, 0.4
"""How far the poses that two features of one card give may differ: the card's middle, in widths;
its turn; and the logarithm of its size."""
LEAST_VOTES = 5
ENOUGH_FOR_SLANT = 10
"""From this many features on, a guess may also hold those that fit a card seen from a slant."""
STRAY_PX = 6.0
"""A feature further from its place by the card's pose does not belong to the guess."""
SKEWED = 0.6, 1.7
"""Limits of a guess's height divided by its width, where a card's is 1."""
MOST_GUESSES = 40
PLACES = 2
"""In how many places the same card may be guessed: pips of one card are alike."""
PLANE_VOTES, PLANE_CARDS = 8, 6
"""The votes that a guess needs to count for the plane, and how many guesses count for it."""
OFF_MM = 1.5
"""The most that the features of a card in the plane are off, as a root mean square."""
HAND_HELD = np.array([1e-3, 30.0, 30.0, 3.0, 3.0, 60.0])
"""The prior of the plane of a photograph: whoever holds the camera tilts it, and its lens hardly
bends lines. See ``plane.UNSURE``."""
SAME_WIDTHS = 0.25
"""Guesses nearer than so many widths of a card are of the same place."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A place where a card may lie.

    pixels   the features that say so, in the picture: (n, 2)
    mm       the same features on the card, from its middle: (n, 2)
    quad     the card's outline in pixels, roughly
    """

    pixels: Points
    mm: Points
    quad: Quad

    @property
    def votes(self) -> int:
        """How many features say so."""
        return len(self.pixels)


class CardFeatures:
    """The local features of a deck's cards, to be found again in pictures."""

    def __init__(self, deck: Deck) -> None:
        self._size_mm = deck.size_mm
        wide, high = deck.size_px
        size = round(FACE_HIGH * wide / high), FACE_HIGH
        per_mm = np.array(size) / np.array(deck.size_mm)
        sift = cv2.SIFT.create(nfeatures=MOST_OF_CARD)
        points, signs, cards = [], [], []
        for at, face in enumerate(deck.faces.values()):
            small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
            found, described = _features(sift, np.asarray(small, np.uint8))
            found[:, :2] = (found[:, :2] + 0.5) / per_mm - np.array(deck.size_mm) / 2
            found[:, 2] /= float(per_mm.mean())
            points.append(found)
            signs.append(described)
            cards.append(np.full(len(found), at))
        self._points = np.vstack(points)
        self._signs = np.ascontiguousarray(np.vstack(signs).T)
        self._cards = np.concatenate(cards)
        self._sift = cv2.SIFT.create(nfeatures=MOST_FEATURES)
        self._last: tuple[Image, list[Guess]] | None = None

    def guesses(self, picture: Image) -> list[Guess]:
        """The places where cards may lie, those with the most votes first."""
        if self._last is None or self._last[0] is not picture:
            small = shrunk(picture, LOOKED_AT)
            factor = picture.shape[1] / small.shape[1]
            self._last = picture, [_larger(guess, factor) for guess in self._guesses(small)]
        return self._last[1]

    def plane(
        self, size: tuple[int, int], guesses: Sequence[Guess]
    ) -> tuple[Plane, list[Guess]] | None:
        """The plane that the guesses with the most votes agree on, and those that do.

        None without a guess. ``size``: width and height of the picture.
        """
        firm: list[Guess] = []
        for guess in guesses:
            enough = guess.votes >= PLANE_VOTES or not firm
            if enough and not any(_same_place(guess, other) for other in firm):
                firm.append(guess)
        firm = firm[:PLANE_CARDS]
        while firm:
            area = abs(cv2.contourArea(firm[0].quad.astype(np.float32)))
            scale = float(0.5 * np.log(area / (self._size_mm[0] * self._size_mm[1])))
            cards = [(guess.pixels, guess.mm) for guess in firm]
            plane, off = fit_points(size, cards, scale, HAND_HELD)
            errors = [float(np.sqrt((one**2).mean())) for one in off]
            if max(errors) < OFF_MM or len(firm) == 1:
                return plane, firm
            firm.pop(int(np.argmax(errors)))
        return None

    def _guesses(self, picture: Image) -> list[Guess]:
        found = [self._guess(pixels, mm) for pixels, mm in self._groups(picture)]
        kept = [guess for guess in found if guess is not None]
        return sorted(kept, key=lambda guess: -guess.votes)[:MOST_GUESSES]

    def _groups(self, picture: Image) -> Iterator[tuple[Floats, Floats]]:
        """Features of one card that agree on its pose: in pixels, and on the card in mm."""
        points, signs = _features(self._sift, picture)
        mine, theirs = self._pairs(signs)
        seen, own, cards = points[mine], self._points[theirs], self._cards[theirs]
        size = seen[:, 2] / own[:, 2]
        turn = np.radians(seen[:, 3] - own[:, 3])
        cos, sin = np.cos(turn) * size, np.sin(turn) * size
        x, y = own[:, 0], own[:, 1]
        middle = seen[:, :2] - np.column_stack([cos * x - sin * y, sin * x + cos * y])
        said = np.column_stack([middle, turn, size])
        for card in np.unique(cards):
            which = np.flatnonzero(cards == card)[:MOST_PAIRS]
            for agreeing in self._agreeing(said[which]):
                yield seen[which[agreeing], :2], own[which[agreeing], :2]

    def _pairs(self, signs: Floats) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
        """Features of the picture and of cards that may be the same, the most similar first."""
        mine, theirs, like = [], [], []
        for start in range(0, len(signs), AT_ONCE):
            cosines = signs[start : start + AT_ONCE] @ self._signs
            least = np.maximum(ALIKE, cosines.max(axis=1, keepdims=True) - NEARLY)
            at, which = np.nonzero(cosines > least)
            mine.append(at + start)
            theirs.append(which)
            like.append(cosines[at, which])
        if not mine:
            return np.zeros(0, int), np.zeros(0, int)
        order = np.argsort(-np.concatenate(like), kind="stable")
        return np.concatenate(mine)[order], np.concatenate(theirs)[order]

    def _agreeing(self, said: npt.NDArray[np.floating]) -> Iterator[npt.NDArray[np.int_]]:
        """The largest groups of one card's features that agree on its pose."""
        left = np.arange(len(said))
        for _ in range(PLACES):
            x, y, turn, size = said[left].T
            far = np.hypot(x[:, None] - x, y[:, None] - y) / (self._size_mm[0] * size)
            turned = np.abs((turn[:, None] - turn + np.pi) % (2 * np.pi) - np.pi)
            larger = np.abs(np.log(size[:, None] / size))
            agree = (far < AGREE_WIDTHS) & (turned < AGREE_RADIANS) & (larger < AGREE_SCALE)
            count = agree.sum(axis=0)
            if not len(count) or count.max() < LEAST_VOTES:
                return
            group = agree[:, count.argmax()]
            yield left[group]
            left = left[~group]

    def _guess(self, pixels: Floats, mm: Floats) -> Guess | None:
        """The features of a group that fit one place of a card; None if they are too few."""
        cv2.setRNGSeed(1)  # the same photograph gives the same hand
        warp, fits = cv2.estimateAffine2D(mm, pixels, ransacReprojThreshold=STRAY_PX)
        # OpenCV gives None where there is no such place, whatever its types say.
        if warp is None or float(np.linalg.det(warp[:, :2])) <= 0:
            return None
        good = fits.ravel() > 0
        if len(mm) >= ENOUGH_FOR_SLANT:
            slanted, more = cv2.findHomography(mm, pixels, cv2.RANSAC, STRAY_PX)
            if slanted is not None and int(more.sum()) > int(good.sum()):
                good = more.ravel() > 0
        quad = corners(self._size_mm) @ warp[:, :2].T + warp[:, 2]
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        aspect = float(sides[1] / max(1e-6, sides[0])) * self._size_mm[0] / self._size_mm[1]
        different = len(np.unique(mm[good].round(1), axis=0))
        if min(int(good.sum()), different) < LEAST_VOTES or not SKEWED[0] < aspect < SKEWED[1]:
            return None
        both = np.asarray(pixels[good], np.float64), np.asarray(mm[good], np.float64)
        return Guess(*both, np.asarray(quad, np.float64))


def _features(sift: cv2.SIFT, picture: Image) -> tuple[Floats, Floats]:
    """Features as x, y, size and direction in degrees: (n, 4); and their RootSIFT signs: (n, 128).

    The square root makes two signs' product a better measure (Arandjelović and Zisserman 2012).
    """
    found, signs = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    if not found:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
    points = [(*one.pt, one.size, one.angle) for one in found]
    shares = signs / np.maximum(signs.sum(axis=1, keepdims=True), 1e-6)
    return np.array(points, np.float32), np.sqrt(shares, dtype=np.float32)


def shrunk(picture: Image, longest: int) -> Image:
    """A picture whose longer side has at most so many pixels."""
    share = longest / max(picture.shape[:2])
    if share >= 1:
        return picture
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _larger(guess: Guess, factor: float) -> Guess:
    """A guess in pixels of a larger picture."""
    pixels, quad = ((part + 0.5) * factor - 0.5 for part in (guess.pixels, guess.quad))
    return Guess(pixels, guess.mm, quad)


def _same_place(one: Guess, other: Guess) -> bool:
    far = float(np.linalg.norm(one.quad.mean(axis=0) - other.quad.mean(axis=0)))
    return far < SAME_WIDTHS * float(np.linalg.norm(one.quad[1] - one.quad[0]))
