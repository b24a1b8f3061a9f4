"""A small network that compares a card in the picture with references, cell by cell.

For each cell of 2.2 mm it tells whether the print is the reference's, whether it is another one, or
whether something lies over the card there. ``scripts/lab/train_check.py`` trains it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.images import Image, brightest, darkest
from assistant.eye.match import Floats, Seen
from assistant.files.paths import data_dir

SIZE = (112, 176)
"""Width and height of the card that is compared: 1.8 pixels a millimetre, so that the number in its
corner is ten pixels high."""
CELL = 4
"""Width of a cell in pixels: 2.2 mm."""
CELLS = (SIZE[1] // CELL, SIZE[0] // CELL)
"""Rows and columns of cells."""
RIM = 6
"""Pixels at the card's edge that are not compared: the pose may be off by so much."""
LEAST_IN_CELL = 0.6
"""The least visible share of a cell that is judged."""
WHITE = 250
"""The level above which, in all channels, a lamp has hidden the print. A card of which most is as
bright is overexposed, and its ink is visible all the same."""
EXPOSED = 0.5
"""The share of a card that is so bright from which it counts as overexposed."""
INK, LEAST_LIT = 40, 0.1
"""By how many levels ink is darker than paper, and the least share of the ink that a lamp makes as
bright as WHITE. With less the paper is white, and no lamp is mirrored: ink on it would be seen."""
EVERY = 4
"""The step, in pixels each way, at which the light is fitted."""
ROUNDS = 5
USUAL = 1.5
"""A pixel that is off by more than so many standard deviations hardly counts for the light."""
LEAST_GAIN = 0.15
"""Ink has at least this share of its contrast, in the dimmest light."""
EVEN = np.array([0.0, 3.0, 0.03, 0.03, 0.3, 0.3, 0.3], np.float32)
"""Regularisation of the light. A strip of bare paper does not show the contrast, which is then
taken to be as large as the light."""
HUE_BLUR = 1.5
"""Standard deviation in pixels of the blur before colours are compared, as a card lies askew."""
THIRDS = np.full((1, 3), 1 / 3, np.float32)
MIDDLE, SCALE = 128.0, 64.0
"""The network's inputs are levels less MIDDLE, divided by SCALE."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What the network tells of the cells of a card: each array is of shape (rows, columns).

    ``differs``, ``hidden``: the probability that another print is seen there, and that a thing lies
    over it; ``judged``: where enough is seen. ``lit``: the share of what no other card covers that
    a lamp hides; ``white``: where nearly nothing but white is seen. ``shown``: the card in the
    light of the reference, which is ``face``.
    """

    differs: Floats
    hidden: Floats
    judged: npt.NDArray[np.bool_]
    white: npt.NDArray[np.bool_]
    lit: float
    shown: Image
    face: Image

    def hue(self) -> Floats:
        """By how many levels the colour is off in the reference's light, whatever the brightness.

        It is computed only when it is asked for, because it is not needed to find things that lie
        over a card.
        """
        return _hues(self.shown, self.face)


def has_network() -> bool:
    """Whether the network is there."""
    return _path().exists()


def _path() -> Path:
    return data_dir("models") / "eye" / "check.onnx"


class Comparer:
    """Compares straightened cards with references by the network that ships."""

    def __init__(self) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(_path()))
        self._turn = threading.Lock()

    def compared(self, shown: Image, faces: Sequence[Image], seen: Seen) -> list[Cells]:
        """A straightened card beside some references, all of ``SIZE``; ``seen``: what is bare."""
        bright, inside = _bright(shown), _inside(seen)
        masks = [_without_lamp(bright, face, inside) for face in faces]
        most = max(1, cv2.countNonZero(inside))
        white = judged_cells(bright)
        relit = [in_light_of(shown, *one) for one in zip(faces, masks, strict=True)]
        given = [numbers_of(*one) for one in zip(relit, faces, masks, strict=True)]
        with self._turn:
            self._net.setInput(np.stack(given))
            answers = np.asarray(self._net.forward(), np.float32)
        shares = np.exp(answers - answers.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return [
            Cells(
                one[1],
                one[2],
                judged_cells(mask),
                white,
                1 - cv2.countNonZero(mask) / most,
                lit,
                face,
            )
            for one, mask, lit, face in zip(shares, masks, relit, faces, strict=True)
        ]


def seen_parts(shown: Image, face: Image, seen: Seen) -> Seen:
    """The pixels of a straightened card that can be compared: 1 or 0, (height, width).

    ``seen``: what no card covers that was read before, at any size.
    """
    return _without_lamp(_bright(shown), face, _inside(seen))


def _without_lamp(bright: Seen, face: Image, mask: Seen) -> Seen:
    """The pixels of ``mask`` that no lamp hides."""
    if _is_lamp(bright, face, mask):
        return np.asarray(mask & (cv2.dilate(bright, np.ones((3, 3))) == 0), np.uint8)
    return mask


def _bright(shown: Image) -> Seen:
    return np.asarray(darkest(shown) >= WHITE, np.uint8)


def _inside(seen: Seen) -> Seen:
    """The pixels that no card covers, without the rims of these cards and of this one."""
    whole = cv2.resize(seen, SIZE, interpolation=cv2.INTER_NEAREST)
    mask = np.asarray(cv2.erode(whole, np.ones((5, 5))), np.uint8)
    mask[:RIM] = mask[-RIM:] = 0
    mask[:, :RIM] = mask[:, -RIM:] = 0
    return mask


def _is_lamp(bright: Seen, face: Image, mask: Seen) -> bool:
    """Whether bright pixels are a lamp's reflection, and not overexposed paper."""
    shining = cv2.countNonZero(bright & mask)
    if not shining or shining > EXPOSED * cv2.countNonZero(mask):
        return False
    dark = darkest(face)
    ink = (dark < np.median(dark) - INK) & (mask > 0)
    return bool(ink.any() and bright[ink].mean() >= LEAST_LIT)


def in_light_of(shown: Image, face: Image, mask: Seen) -> Image:
    """The picture of a card as it would be in the light in which its reference was taken.

    In each channel the picture is the reference times a gain, plus a light that changes slowly over
    the card. Pixels that do not fit, as those of things that lie on the card, count less and less.
    """
    light = _light()
    few = np.s_[::EVERY, ::EVERY]
    base = light[few].reshape(-1, light.shape[2])
    counts = mask[few].ravel().astype(np.float32)
    wanted = shown[few].reshape(-1, 3).astype(np.float32) / 255
    own = face[few].reshape(-1, 3).astype(np.float32) / 255
    bases = np.concatenate([own.T[..., None], np.broadcast_to(base, (3, *base.shape))], axis=2)
    weights, numbers = counts, np.zeros((3, bases.shape[2]), np.float32)
    even = np.diag(EVEN + 1e-3)
    for _ in range(ROUNDS):
        weighted = bases * weights[:, None]
        square = weighted.transpose(0, 2, 1) @ bases + even
        right = (weighted.transpose(0, 2, 1) @ wanted.T[..., None])[..., 0]
        numbers = np.linalg.solve(square, right[..., None])[..., 0]
        off = np.abs(wanted.T - (bases @ numbers[..., None])[..., 0]).max(axis=0)
        usual = 1.48 * float(np.median(off[counts > 0])) + 0.01 if counts.any() else 1.0
        weights = counts / (1 + (off / (USUAL * usual)) ** 2)
    gains = np.maximum(numbers[:, 0], LEAST_GAIN)
    shone = light.reshape(-1, light.shape[2]) @ numbers[:, 1:].T
    made = np.asarray(shown.reshape(-1, 3) / np.float32(255) - shone, np.float32)
    made *= 255 / gains
    made += 0.5
    return np.asarray(np.clip(made, 0, 255, out=made).reshape(shown.shape), np.uint8)


@lru_cache(maxsize=1)
def _light() -> Floats:
    """The terms of a slowly changing light: (height, width, terms)."""
    wide, high = SIZE
    y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def _hues(shown: Image, face: Image) -> Floats:
    """By how much the colour of each cell is off: (rows, columns)."""
    apart = cv2.GaussianBlur(shown.astype(np.float32) - face, (0, 0), HUE_BLUR)
    mean = cv2.transform(apart, THIRDS)[..., None]
    return _by_cell(brightest(np.abs(apart - mean)))


def numbers_of(shown: Image, face: Image, mask: Seen) -> Floats:
    """The network's input for a card in the reference's light: (7, height, width)."""
    made = np.stack([*cv2.split(shown), *cv2.split(face), mask]).astype(np.float32)
    made[:6] -= MIDDLE
    made[:6] /= SCALE
    return made


def judged_cells(mask: Seen) -> npt.NDArray[np.bool_]:
    """The cells that are visible enough to be judged: (rows, columns)."""
    return np.asarray(_by_cell(mask) >= LEAST_IN_CELL)


def _by_cell(values: npt.NDArray[np.generic]) -> Floats:
    """The mean of each cell: (rows, columns)."""
    whole = values.astype(np.float32)
    return np.asarray(cv2.resize(whole, CELLS[::-1], interpolation=cv2.INTER_AREA), np.float32)
