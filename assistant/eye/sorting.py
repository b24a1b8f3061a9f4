"""Sorting of unknown cards: finds which card each picture shows, by decks that are known already.

Editions of the Spanish deck differ in their art, but two marks are printed on every one. The frame
is broken above and below as often as the suit says (the *pinta*: oros never, copas once, espadas
twice, bastos three times), and the rank stands as a number in two corners. The likeness of the
whole card adds to that, and tells which way up a card lies. All cards are assigned together, so
that no card is there twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.images import Image
from assistant.messages.showdown import cheapest
from assistant.rules.cards import DECK, Card, Rank, Suit

# ---- What is printed on every edition: the pinta and the number ---------------------------------


Floats = npt.NDArray[np.float64]
FACE = (244, 380)
"""Width and height of a card as it is looked at: four pixels a millimetre."""
WHITE = 235.0
"""The level of paper from which ink is measured."""
SUITS = tuple(Suit)
"""The suits by how often their frame is broken: 0, 1, 2, 3."""
FRAME_ROWS = slice(8, 44)
"""Where the frame's line above is looked for, in pixels from the card's edge."""
LINE = 0.05
"""The least ink of the frame's line, as a median along it."""
UNBROKEN = 0.45
"""The line is not broken where it has at least this share of its usual ink."""
NEAR_ROW = 5
"""The frame's line leans by so many pixels at most."""
BROKEN = 0.02
"""The least width of a break in the frame, as a share of the card's width."""
CORNER = (slice(8, 76), slice(8, 84))
"""Where the number is: rows and columns of a face."""
INKED = (0.2, 0.3, 0.4, 0.55)
"""Levels of ink at which a number is cut out: none suits every print and every light."""
GLYPH_HIGH, GLYPH_WIDE, GLYPH_AT = (12, 34), (2, 26), 34
"""Limits of a digit's height and width in pixels, and how near to the corner it begins."""
WIDEST = 0.8
"""A number counts if it is at least this share as wide as the widest one found in its corner."""
GLYPH = (48, 32)
"""Width and height to which a number is brought."""
ALIKE_SIZE = (56, 88)


def _ink(face: Image) -> npt.NDArray[np.float32]:
    """How much darker than paper each pixel is, from 0 to 1: art and print."""
    return np.asarray(1 - np.clip(face.min(axis=2) / WHITE, 0, 1), np.float32)


def frame_breaks(face: Image) -> tuple[int, ...]:
    """How often the frame is broken above and below; an end without a frame is left out."""
    ink = _ink(_sized(face))
    wide = ink.shape[1]
    found = []
    for end in (ink[FRAME_ROWS], ink[::-1, ::-1][FRAME_ROWS]):
        thin = cv2.morphologyEx(end, cv2.MORPH_TOPHAT, np.ones((9, 1), np.uint8))
        row = int(np.median(thin[:, 20:-20], axis=1).argmax())
        along = thin[max(0, row - NEAR_ROW) : row + NEAR_ROW + 1].max(axis=0)
        level = float(np.median(along))
        if level < LINE:
            continue
        line = along > UNBROKEN * level
        inner = line[round(0.09 * wide) : round(0.91 * wide)].astype(np.int8)
        turns = np.flatnonzero(np.diff(np.concatenate([[1], inner, [1]])))
        breaks = turns[1::2] - turns[::2]
        found.append(int((breaks >= BROKEN * wide).sum()))
    return tuple(found)


def _numbers(face: Image) -> list[Floats]:
    """The numbers in the two corners, each as a vector of length 1."""
    sized = _sized(face)
    found = []
    for way in (sized, sized[::-1, ::-1]):
        # In the brightest channel the black number stays, and coins and cups beside it go.
        ink = np.asarray(1 - np.clip(way.max(axis=2)[CORNER] / WHITE, 0, 1), np.float32)
        boxes = [box for level in INKED if (box := _number_box(ink > level)) is not None]
        widest = max((box[1].stop - box[1].start for box in boxes), default=0)
        # Of a 12 some levels leave only the 1.
        found += [_number(ink[box]) for box in boxes
                  if box[1].stop - box[1].start > WIDEST * widest]  # fmt: skip
    return found


def _number_box(inked: npt.NDArray[np.bool_]) -> tuple[slice, slice] | None:
    """Rows and columns of the number in a corner: one digit or two; None if there is none."""
    _, _, boxes, _ = cv2.connectedComponentsWithStats(inked.astype(np.uint8))
    high, wide = inked.shape
    digits = sorted(
        (int(x), int(y), int(w), int(h))
        for x, y, w, h, _ in boxes[1:]
        if x > 1 and y > 1 and x + w < wide - 1 and y + h < high - 1
        and GLYPH_HIGH[0] <= h <= GLYPH_HIGH[1] and GLYPH_WIDE[0] <= w <= GLYPH_WIDE[1]
        and max(x, y) < GLYPH_AT
    )  # fmt: skip
    if not digits:
        return None
    number = digits[:1]
    for x, y, w, h in digits[1:]:
        before = number[-1]
        beside = x - before[0] - before[2] < 8
        if beside and abs(y - before[1]) < 5 and abs(h - before[3]) < 6:
            number.append((x, y, w, h))
    left, top = min(one[0] for one in number), min(one[1] for one in number)
    right = max(one[0] + one[2] for one in number)
    low = max(one[1] + one[3] for one in number)
    return slice(top, low), slice(left, right)


def _number(ink: npt.NDArray[np.float32]) -> Floats:
    canvas = np.zeros((GLYPH[1], GLYPH[0]), np.float32)
    wide = min(GLYPH[0], max(2, round(ink.shape[1] * GLYPH[1] / ink.shape[0])))
    canvas[:, :wide] = cv2.resize(ink, (wide, GLYPH[1]), interpolation=cv2.INTER_AREA)
    return _unit(cv2.GaussianBlur(canvas, (0, 0), 2.5))


def _unit(values: npt.ArrayLike) -> Floats:
    flat = np.asarray(values, np.float64).ravel()
    flat = flat - flat.mean()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-9), np.float64)


def _sized(face: Image) -> Image:
    way = cv2.INTER_AREA if face.shape[0] > FACE[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(face, FACE, interpolation=way), np.uint8)


def _whole(face: Image) -> Floats:
    small = cv2.resize(face, ALIKE_SIZE, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.5), np.float64)
    return _unit(soft - soft.mean(axis=(0, 1)))


# ---- Sorting by known decks ----------------------------------------------------------------------


WHOLE, NUMBER, PINTA, ROW = 0.6, 2.5, 1.0, 0.8
"""Weights of the whole card's likeness, the number's, of a wrong pinta, and of a place in a row."""
UNREAD = 0.5
"""The likeness of a missing number to every rank."""
SAME_DECK = 0.93
"""A card with a number that correlates so with a known deck's card is that card. A joker has no
number."""
NUMBERED = 0.72
"""The least likeness of a sure number to its rank's."""
CLEAR = 0.25
"""How much better the whole assignment is with a sure card in its place than without it."""


@dataclass(frozen=True, slots=True)
class SortedCard:
    """A picture's ``card``, None if it fits none; and whether that is ``sure``.

    ``upside_down``: whether the picture has to be turned to stand as the known deck's does.
    """

    card: Card | None
    sure: bool
    upside_down: bool


class Pattern:
    """A known deck, by which cards of other decks are sorted."""

    def __init__(self, deck: Deck) -> None:
        self.name = deck.name
        faces = [deck.faces[card] for card in DECK]
        self._upright = np.stack([_whole(face) for face in faces])
        self._turned = np.stack([_whole(face[::-1, ::-1]) for face in faces])
        numbers: dict[Rank, list[Floats]] = {rank: [] for rank in Rank}
        for card, face in zip(DECK, faces, strict=True):
            numbers[card.rank] += _numbers(face)
        blank = np.zeros(GLYPH[0] * GLYPH[1])
        self._numbers = {
            rank: np.mean(some, axis=0) if some else blank for rank, some in numbers.items()
        }

    def compared(self, faces: Sequence[Image]) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        """Of each face and card: the correlation, the number's likeness, whether upside down."""
        whole = np.stack([_whole(face) for face in faces])
        ways = np.stack([whole @ self._upright.T, whole @ self._turned.T])
        numbers = np.stack([self._ranks(face) for face in faces])
        return ways.max(axis=0), numbers, ways[1] > ways[0]

    def _ranks(self, face: Image) -> Floats:
        """The likeness of a face's number to that of each card."""
        found = _numbers(face)
        if not found:
            return np.full(len(DECK), UNREAD)
        ranks = {
            rank: max(
                float(np.roll(one.reshape(GLYPH[1], GLYPH[0]), shift, axis=1).ravel() @ known)
                for one in found
                for shift in (-3, 0, 3)
            )
            for rank, known in self._numbers.items()
        }
        return np.array([ranks[card.rank] for card in DECK])


def sort_cards(
    faces: Sequence[Image],
    patterns: Sequence[Pattern],
    taken: Sequence[Card] = (),
    columns: Mapping[int, Rank] | None = None,
) -> list[SortedCard]:
    """The card that each picture shows, all together, no card twice.

    ``faces``: rectified cards in even light, either way up; ``patterns``: the known decks, of which
    the one that fits best decides; ``taken``: cards that none of these pictures is; ``columns``: of
    pictures in a row of ten, by their number, the rank whose place in the row they have.
    """
    if not faces:
        return []
    suits = np.array([[_pinta(breaks, card) for card in DECK]
                      for breaks in map(frame_breaks, faces)])  # fmt: skip
    rows = np.zeros_like(suits)
    for at, rank in (columns or {}).items():
        rows[at] = [ROW if card.rank is rank else 0.0 for card in DECK]
    free = np.array([card not in taken for card in DECK])
    best: tuple[float, list[SortedCard]] | None = None
    for pattern in patterns:
        whole, numbers, turned = pattern.compared(faces)
        explained = -np.log(np.maximum(1e-3, 1 - np.maximum(whole, 0.0) ** 2))
        scores = WHOLE * explained + NUMBER * numbers + PINTA * suits + rows
        fits = ((numbers >= NUMBERED) & (suits == 0)) | ((whole >= SAME_DECK) & (numbers > UNREAD))
        total, found = _decided(scores, fits, turned, free)
        if best is None or total > best[0]:
            best = total, found
    assert best is not None, "there is always the deck that ships"
    return best[1]


def _pinta(breaks: Sequence[int], card: Card) -> float:
    """0 for the card's own pinta at one end or the other, -1 for another; between: none seen."""
    assert card.suit is not None
    if SUITS.index(card.suit) in breaks:
        return 0.0
    return -1.0 if breaks else -0.5


def _decided(
    scores: Floats,
    fits: npt.NDArray[np.bool_],
    turned: npt.NDArray[np.bool_],
    free: npt.NDArray[np.bool_],
) -> tuple[float, list[SortedCard]]:
    """The best assignment's score, and each picture's card by it."""
    count = len(scores)
    # A picture may be no card at all. For that each has a column of its own, which costs more than
    # a card that fits, and less than a card with another number and pinta.
    none = np.full((count, count), np.inf)
    np.fill_diagonal(none, -(NUMBER * NUMBERED - 0.75 * PINTA))
    costs = np.hstack([np.where(free, -scores, np.inf), none])
    total, chosen = cheapest(costs.tolist())
    found = []
    for at, column in enumerate(chosen):
        if column >= len(DECK):
            found.append(SortedCard(None, sure=False, upside_down=False))
            continue
        without = costs.copy()
        without[at, column] = np.inf
        clear = cheapest(without.tolist())[0] - total > CLEAR
        found.append(
            SortedCard(DECK[column], bool(clear and fits[at, column]), bool(turned[at, column]))
        )
    return -total, found
