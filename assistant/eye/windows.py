"""The second check of a card without the network: windows of a card beside its reference.

Each window of a few millimetres is compared by itself, in twice the detail. If the reference
explains one window badly and the others well, there is a pip or a number that the reference lacks.
The windows take a thing that lies on a card for another print, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.images import Image
from assistant.eye.match import Floats, Quad, Seen, resized, straightened
from assistant.rules.cards import Card

SIZE = (112, 176)
"""Width and height of the card that is checked: 1.8 pixels a millimetre, so that the number in its
corner is ten pixels high."""
RIM = 6
"""Pixels at the card's edge that are not checked: the pose may be off by so much."""
WHITE = 250
"""The level above which, in all channels, a lamp has hidden the print. A card of which most is as
bright is overexposed, and its ink is visible all the same."""
EXPOSED = 0.5
"""The share of a card that is so bright from which it counts as overexposed."""
INK, LEAST_LIT = 40, 0.1
"""By how many levels ink is darker than paper, and the least share of the ink that a lamp makes as
bright as WHITE. With less the paper is white, and no lamp is mirrored: ink on it would be seen."""
REFUTED, APART = 2.0, 0.1
"""A card is refuted beside another one if it leaves more unexplained than REFUTED times what may
be, and by APART more than the other does."""
WINDOW = 11
"""Width of a window in pixels: 6 mm, half a pip."""
LEAST_IN_WINDOW = 0.6
"""The least visible share of a window that is judged."""
SHIFTS = tuple(product(range(-2, 3), repeat=2))
"""How far, in pixels, a window may be off, because a card is bent and its pose is not exact."""
BLURS = (0.8, 1.3, 2.0)
"""Standard deviations, in pixels, of the blurs that the reference is tried with, too: the picture
may be out of focus, or small."""
GREEN = 1
"""The channel with the least noise tells which blur is the picture's."""
EVERY = 3
"""The step, in pixels each way, at which the light is fitted."""
DEGREE = 3
"""The degree of the polynomial in x and y that models the light on a card. It follows a lamp's soft
edge, and not a pip."""
ROUNDS = 3
USUAL = 2.0
"""A pixel that is off by more than so many standard deviations hardly counts for the light."""
NOISES = 4.0
"""Up to this many times the median of all windows, the rest is noise, blur and wear."""
ASKEW = 0.1
"""Where the reference has edges, this times their squared slope may be off: the pose and the blur
are right to a third of a pixel."""
OWN = 0.6
"""How much the usual contrast of the deck counts beside the window's own: a faint number must not
be missed, and bare paper has no contrast of its own."""
LEAST_PIXELS = 60
"""The least number of pixels, of every third each way, that are compared."""
SHARPNESS = 20.0
"""How steeply belief falls as more is unexplained than may be."""
LEAST_CHECKED = 0.15
"""The least share of a card that is believed: a smaller strip of paper fits many cards."""
MOST_EXCESS = 10.0
"""A limit of the excess, because a power of a larger one would overflow."""
BELIEVED = 0.99
"""A card that is believed less is fitted more closely, and checked again."""
FITTINGS = 4
FIT_EVERY = 2
STIFF = np.array([3e2, 3e2, 3e4, 3e4, 3e4, 3e4], np.float32)
"""Regularisation of the fit: of a shift in squared pixels, and of strains."""
MOST_PX = 8.0
"""A corner moves no further in the fit: 4 mm."""
MOST_HIDDEN = 0.5
"""The largest share of a card's visible part that a lamp may hide. With more, a card of another
deck is told as its neighbour."""


class SecondCheck(Protocol):
    """The result of checking a card against one reference, by any means."""

    @property
    def worst(self) -> float:
        """How strongly the picture contradicts the reference, where it does so most."""

    @property
    def checked(self) -> float:
        """The share of the face that could be checked."""

    def belief(self, value: float, share: float) -> float:
        """From 0 to 1: how far the check agrees with a card of this correlation.

        ``share``: the visible share of its face.
        """

    def refutes(self, other: SecondCheck) -> bool:
        """Whether the picture contradicts another card that this one was checked beside."""


@dataclass(frozen=True, slots=True)
class WindowCheck:
    """The result of checking a card against one reference by windows.

    ``worst``: what the reference leaves unexplained in its worst window, as a share of the ink's
    contrast there; a right card has less than 0.1 in most pictures. ``checked``: the share of the
    face that could be checked, because nothing covers it and no lamp hides it.
    """

    worst: float
    checked: float

    def belief(self, _value: float, share: float) -> float:
        """From 0 to 1: how far the check agrees with the card of which this share is seen.

        The square of what could be checked may be unexplained. Cards that the deck lacks leave 1.6
        and more where they are seen whole, on rendered tables, and cards that it has up to 0.8 on
        photographs of worn ones. Of a third of a card, foreign ones leave 0.1 and more.
        """
        if self.checked < max(LEAST_CHECKED, (1 - MOST_HIDDEN) * share):
            return 0.0
        excess = min(MOST_EXCESS, self.worst / max(1e-6, self.checked**2))
        return float(1 / (1 + excess**SHARPNESS))

    def refutes(self, other: SecondCheck) -> bool:
        """Whether the picture contradicts another card that this one was checked beside."""
        may = max(self.checked, LEAST_CHECKED) ** 2
        return other.worst > max(REFUTED * may, self.worst + APART)


class WindowChecker:
    """Checks cards of one deck by windows."""

    def __init__(self, deck: Deck) -> None:
        self._faces = {card: resized(face, SIZE) for card, face in deck.faces.items()}
        every = np.stack(list(self._faces.values())).astype(np.float32)
        self._contrast = every.var(axis=(1, 2)).mean(axis=0)
        """The variance of a card's levels in each channel, on average."""
        wide, high = SIZE
        y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
        powers = [(i, j) for i, j in product(range(DEGREE + 1), repeat=2) if i + j <= DEGREE]
        self._axes = powers.index((1, 0)), powers.index((0, 1))
        self._light = np.stack([x**i * y**j for i, j in powers], axis=-1).astype(np.float32)

    def check(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> WindowCheck:
        """Check the inside of an outline against a card, over the pixels ``seen``.

        A bent card, or a plane that is not quite right, leaves a little unexplained everywhere. So
        a card in doubt is fitted to its reference by an affine mapping, and checked again.
        """
        first = self._checked(picture, quad, card, seen)
        if first.belief(1.0, first.checked) > BELIEVED:
            return first
        again = self._checked(picture, self._fitted(picture, quad, card, seen), card, seen)
        return min(first, again, key=lambda one: one.worst)

    def bared(self, _picture: Image, _quad: Quad, _card: Card, seen: Seen) -> Seen:
        """All of ``seen``: windows cannot tell a thing from print."""
        return seen

    def _checked(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> WindowCheck:
        shown = straightened(picture, quad, SIZE)
        whole = cv2.resize(seen, SIZE, interpolation=cv2.INTER_NEAREST)
        mask: Seen = np.asarray(cv2.erode(whole, np.ones((5, 5))), np.uint8)
        bright = np.asarray(shown.min(axis=2) >= WHITE, np.uint8)
        if not self._is_lamp(bright, card, mask):
            bright[:] = 0
        inner: Floats = np.asarray(mask & (cv2.dilate(bright, np.ones((3, 3))) == 0), np.float32)
        inner[:RIM] = inner[-RIM:] = 0
        inner[:, :RIM] = inner[:, -RIM:] = 0
        checked = float(inner.mean()) / _INNER
        if inner[::EVERY, ::EVERY].sum() < LEAST_PIXELS:
            return WindowCheck(0.0, checked)
        explained, contrast = self._explained(shown, self._faces[card], inner)
        return WindowCheck(_worst(shown.astype(np.float32), explained, inner, contrast), checked)

    def _is_lamp(self, bright: Seen, card: Card, mask: Seen) -> bool:
        """Whether bright pixels are a lamp's reflection, and not overexposed paper."""
        if not mask.any() or float(bright[mask > 0].mean()) > EXPOSED:
            return False
        dark = self._faces[card].min(axis=2)
        ink = (dark < np.median(dark) - INK) & (mask > 0)
        return bool(ink.any() and bright[ink].mean() >= LEAST_LIT)

    def _fitted(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> Quad:
        """The outline near ``quad`` in which the picture is most like the card's reference.

        The method of Lucas and Kanade (1981) for an affine mapping; without a fit, ``quad``.
        """
        few = np.s_[::FIT_EVERY, ::FIT_EVERY]
        mask = cv2.resize(seen, SIZE, interpolation=cv2.INTER_NEAREST)[few].ravel()
        face = cv2.GaussianBlur(self._faces[card], (0, 0), 1.0)
        reference = face.mean(axis=2, dtype=np.float32)[few].ravel()
        x, y = (self._light[few][..., at].ravel() for at in self._axes)
        around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
        half = np.array(SIZE) / 2
        found = quad
        for _ in range(FITTINGS):
            shown = cv2.GaussianBlur(straightened(picture, found, SIZE), (0, 0), 1.0)
            grey = shown.mean(axis=2, dtype=np.float32)
            across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)[few].ravel()
            down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)[few].ravel()
            moves = [across, down, across * x, across * y, down * x, down * y]
            slopes = np.stack([*moves, -reference, -np.ones_like(x), -x, -y])
            weighted = slopes * mask
            square = weighted @ slopes.T
            square[range(6), range(6)] += STIFF
            moved = np.linalg.solve(square + 1e-3 * np.eye(10), -weighted @ grey[few].ravel())
            strain = moved[2:6].reshape(2, 2)
            corners = (around + (moved[:2] + around @ strain.T) / half + 1) * half - 0.5
            flat = (around + 1) * half - 0.5
            back = cv2.getPerspectiveTransform(flat.astype(np.float32), found.astype(np.float32))
            found = cv2.perspectiveTransform(corners[None], back)[0]
        high = float(np.linalg.norm(quad[3] - quad[0]))
        far = float(np.abs(found - quad).max()) * SIZE[1] / high
        return np.asarray(found, np.float64) if far < MOST_PX else quad

    def _explained(self, shown: Image, face: Image, mask: Floats) -> tuple[Floats, float]:
        """The reference in the picture's light and blur; and the contrast of ink in this light.

        In each channel the picture is the reference times a gain, plus the light. Pixels that do
        not fit count less and less.
        """
        few = np.s_[::EVERY, ::EVERY]
        light = self._light[few].reshape(-1, self._light.shape[2])
        counts = mask[few].ravel()
        wanted = shown[few].reshape(-1, 3).astype(np.float32)

        def fitted(soft: Image, channel: int) -> tuple[npt.NDArray[np.float32], float]:
            own = soft[few][..., channel].reshape(-1, 1).astype(np.float32)
            return _fit(np.hstack([own, light]), wanted[:, channel], counts)

        blurred = [np.asarray(cv2.GaussianBlur(face, (0, 0), blur), np.uint8) for blur in BLURS]
        soft = min([face, *blurred], key=lambda one: fitted(one, GREEN)[1])
        numbers = np.stack([fitted(soft, channel)[0] for channel in range(3)], axis=-1)
        gains, shone = numbers[0], self._light @ numbers[1:]
        contrast = float((gains**2 * self._contrast).sum())
        return np.asarray(soft * gains + shone, np.float32), max(1.0, contrast)


_INNER = (1 - 2 * RIM / SIZE[0]) * (1 - 2 * RIM / SIZE[1])


def _fit(base: Floats, wanted: Floats, counts: Floats) -> tuple[npt.NDArray[np.float32], float]:
    """Robust least squares: the numbers, and how far off the pixels are, each up to a limit."""
    weights: Floats = counts
    even = 1e-3 * np.eye(base.shape[1], dtype=np.float32)
    for _ in range(ROUNDS):
        weighted = base * weights[:, None]
        numbers = np.linalg.solve(weighted.T @ base + even, weighted.T @ wanted)
        off = np.abs(wanted - base @ numbers)
        usual = 1.48 * float(np.median(off[counts > 0])) + 2.0
        weights = np.asarray(counts / (1 + (off / (USUAL * usual)) ** 2), np.float32)
    return numbers, float((np.minimum(off, 3 * usual) * counts).sum())


def _worst(shown: Floats, explained: Floats, mask: Floats, contrast: float) -> float:
    """The unexplained part of the worst window, as a share of the contrast."""
    seen = np.maximum(_mean(mask), 1e-6)
    judged = seen > LEAST_IN_WINDOW
    if not judged.any():
        return 0.0
    left = np.full(mask.shape, np.inf, np.float32)
    for shift in SHIFTS:
        moved = np.roll(explained, shift, axis=(0, 1))
        np.minimum(left, _mean(_squared(shown - moved) * mask), out=left)
    left /= seen
    middle = _mean(explained * mask[..., None]) / seen[..., None]
    square = _mean(_squared(explained) * mask) / seen
    own = np.maximum(square - _squared(np.asarray(middle, np.float32)), 0)
    noise = float(np.median(left[judged]))
    slopes = [
        _squared(np.asarray(cv2.Sobel(explained, cv2.CV_32F, *way, scale=1 / 8), np.float32))
        for way in ((1, 0), (0, 1))
    ]
    edges = _mean(np.asarray((slopes[0] + slopes[1]) * mask, np.float32)) / seen
    share = np.maximum(left - NOISES * noise - ASKEW * edges, 0) / (own + OWN * contrast)
    return float(share[judged].max())


def _squared(pixels: Floats) -> Floats:
    """The sum of the squares of all channels: (height, width, 3) -> (height, width)."""
    return np.asarray(cv2.transform(pixels * pixels, np.ones((1, 3))), np.float32)


def _mean(values: Floats) -> Floats:
    """The mean over the window around each pixel."""
    made = cv2.boxFilter(values, -1, (WINDOW, WINDOW), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(made, np.float32)
