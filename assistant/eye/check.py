"""The second check of a card: does any part of it contradict the reference it is taken for?

The correlation of a whole card hardly notices one pip: an eight is like a seven to 0.95. So a small
network looks at each cell of the card: whether the reference's print is there, or another one, or a
thing that lies over the card (``assistant/eye/compare.py``). The visible part must also be printed
on no other card: a strip without a number and without a pip is the same on cards that no deck here
has. The number of a strip, a few cells large, is compared by itself as well.

Below, the *share* of a card is the part that could be checked, because nothing covers it and no
lamp hides it. docs/eye.md lists the rules, and the mistakes that led to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.compare import CELL, CELLS, RIM, SIZE, Cells, Comparer, judged_cells
from assistant.eye.deck import Deck
from assistant.eye.images import Image
from assistant.eye.match import Floats, Quad, Seen, resized, straightened
from assistant.eye.windows import SecondCheck, WindowCheck, WindowChecker
from assistant.rules.cards import Card, Rank

REFUTED, APART = 0.3, 0.15
"""A card is refuted beside another one if somewhere the probability of another print than its own
is greater than REFUTED, and greater by APART than it is for the other card."""
MAY_DIFFER, LEAST_MAY, LEAST_AT_NUMBER = 0.36, 0.13, 0.1
"""The most probable another print may be anywhere on a card that is believed: MAY_DIFFER times the
square of the share, but no less than LEAST_MAY, or LEAST_AT_NUMBER at a number in a corner. Of
foreign cards that are seen whole, the nearest had 0.39: pips of another colour. A number of another
figure had 0.47, and 0.14 on 0.58 of a card."""
UNLIKE, LIKE = 0.6, 0.8
"""MAY_DIFFER holds in full for a card whose correlation is LIKE or more. It falls to 0 at UNLIKE,
so that only the least limits are left."""
WHOLE, STRIP = 0.6, 0.3
"""A card of a greater share than WHOLE needs no number to be believed; one of a smaller share than
STRIP is a strip."""
AGREED, MOST_DOUBTED = 0.5, 0.4
"""The windows agree with a part that they believe more than AGREED. Then a doubt of the network of
up to MOST_DOUBTED does not count."""
NUMBER_LIKE, NUMBER_ALONE = 0.92, 0.94
"""The least correlation of a strip's number with the card's own; NUMBER_ALONE where the strip shows
nothing of its suit. It must also be more like the card's own than like any other of the suit. Where
the network took a number for another one, as a 2 for a 3, foreign cards had up to 0.89."""
OTHER_NUMBER, UNSEEN = 0.75, -1.0
"""A card of no more than WHOLE whose number correlates less than OTHER_NUMBER is another card,
whatever the cells say. Of 290 right cards that were told, the least like had 0.84; a foreign 3 that
was told as a 5 had 0.40. UNSEEN stands for a number that is not seen."""
NUMBER_LEAD = 1.5
"""A number is refuted if it leaves this many times as much unexplained as the card's own."""
SURE_NUMBER, SURE_ALIKE, SURE_SUIT_ALIKE = 0.94, 0.94, 0.965
"""Another print is wear if the number correlates by SURE_NUMBER, the whole card in its reference's
light by SURE_ALIKE, and the print is no more than a spot off the number. A card that correlates by
SURE_SUIT_ALIKE as a whole need not show its suit: foreign ones had up to 0.93. Where the network
sees no difference at all, SURE_ALIKE is enough for that."""
SAME = 0.05
"""The network sees no difference where another print is less probable than this."""
FAINT, FAINT_NUMBER = 0.2, 0.93
"""If another print is less probable than FAINT, FAINT_NUMBER is enough in place of SURE_NUMBER."""
MUCH, MUCH_ALIKE = 0.4, 0.91
"""No spot counts as wear on a card of a smaller share than MUCH: a 7 was told as a 5 there, and a 2
of copas as one of oros. If a faint print (FAINT) is on a card that correlates by MUCH_ALIKE, it is
enough that no other number is more like. The pips of other cards would be seen: of foreign ones,
none with less than 0.4 had its own colours."""
LIGHT_ALIKE = 0.93
"""The correlation in the reference's light from which a strip is like its card. Without that light
a shadow or a fold on bare paper counts more than print does."""
MOST_SPOT, MOST_WORN = 8, 0.75
"""Limits of a worn spot: its cells, and the probability that it is another print."""
ALIKE_LEAD = 3.0
"""Another card is refuted if it leaves this many times as much unexplained in its own light."""
NUMBER_OFF, NUMBER_BLURS = 3, (0.8, 1.3)
"""How far, in pixels, a number may lie off its place, because a card is bent; and the blurs in
pixels that its reference is tried with, too, because the picture may be out of focus, or small."""
LEAST_NUMBER_PIXELS = 40
"""A number of which fewer pixels are seen is not compared."""
NUMBER_SEEN = 0.5
"""The share of a number in a corner that a card of no more than WHOLE has to show. The rest of a
figure is printed on other cards, too, and pips in a row may be those of an eight."""
ACE_CELLS, ACE_DIFFERS = 60, 0.1
"""An ace needs no number if ACE_CELLS cells show its suit, and another print is nowhere more
probable than ACE_DIFFERS: no other card has its one large pip."""
STRIP_LIKE, PLAIN_LIKE = 0.8, 0.93
"""The least correlation of a strip, and of a part of a card that shows nothing of its suit."""
OWN_CELLS, OWN_LEVELS = 4, 80
"""A part shows its suit if OWN_CELLS of its cells differ by OWN_LEVELS from the same rank of any
other suit."""
MOST_HUE = 68.0
"""The most, in levels, by which the colour of four neighbouring cells may be off in the reference's
light. Figures and pips in other colours were off by 70 and more; the network hardly sees some of
these. Right cards were off by 10, worn ones in dim light by up to 47, and an ace of real
photographs by 64."""
STRIP_HUE = 43.0
"""The same for a strip, which shows little of a figure's coat. Right strips, worn, had up to 40."""
CORNER = (24, 26)
"""Width and height of the two corners that the numbers are in, in pixels: 13 by 14 mm."""
NUMBER_LEVELS, LEAST_NUMBER = 40, 0.05
"""A pixel belongs to a number if the share LEAST_NUMBER of a suit's cards differs there by
NUMBER_LEVELS."""
SHARPNESS, STILL = 60.0, 3.0
"""The logistic function of belief: how steeply it falls as another print becomes more probable than
it may be, and its value just at that limit, in logits."""
LEAST_CHECKED = 0.1
"""The least share of a card that is believed: a smaller strip of paper fits many cards."""
MOST_LIT = 0.45
"""The largest share of a card's visible part that a lamp may hide. With more, a card of another
deck is told as its neighbour."""
HIDDEN = 0.5
"""The probability from which something counts as lying over a cell."""
PRINT_CELLS = 500
"""A thing that lies over a card has more cells than this, a whole figure, or reaches the card's
edge. A spot that does neither is taken for a pip or a coat that the reference lacks."""
BELIEVED = 0.99
"""A card that is believed less is fitted more closely, and checked again."""
DOUBTED = 0.5
"""A strip that is believed less is not looked at for its number."""
FIT_LIKE = 0.65
"""A card with a smaller correlation in its reference's light is not fitted, because no fit makes it
believed. Of 35 cards that were believed after a fit, the least like had 0.93; one that lies askew
by 2 mm has 0.76."""
FINE = 0.7
"""A card in the picture that is smaller than this, by the reference's size, shows less detail."""
LEAST_DETAIL = 0.6
"""A card whose width or height is smaller than this, by the reference's, is checked by windows. The
network has learnt from few of these and doubts right ones, at 45 degrees."""
FITTINGS = 4
FIT_EVERY = 2
STIFF = np.array([3e2, 3e2, 3e3, 3e3, 3e3, 3e3, 3e3, 3e3], np.float32)
"""Regularisation of the fit: of a shift in squared pixels, of strains, and of the slant."""
MOST_PX = 8.0
"""A corner moves no further in the fit: 4 mm."""
LOST = 2 * -(-RIM // CELL)
INNER = (CELLS[0] - LOST) * (CELLS[1] - LOST)
"""The cells of a card that are not its rim."""


class SecondChecker(Protocol):
    """A checker of cards of one deck: by the network, or by windows where it is missing."""

    def check(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> SecondCheck:
        """Check the inside of an outline against a card, over the pixels ``seen``."""

    def bared(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> Seen:
        """What of ``seen`` no thing lies over, if the card is that one."""


def _surely() -> float:
    return 1.0


def _unseen() -> tuple[float, float]:
    return UNSEEN, UNSEEN


@dataclass(frozen=True, slots=True)
class CellCheck:
    """What the network says of a card beside one reference.

    ``worst``: the probability that another print is seen, where it is greatest; ``at_number``: the
    same in the corners with numbers. ``checked``: the share of the face that could be checked,
    because nothing covers it and no lamp hides it. ``number_seen``: the visible share of a number,
    of the two in the corners that of the one that is seen better. ``own``: how many visible cells
    no other suit has so. ``lit``: how much of the part that no other card covers a lamp hides.
    ``hue``: how far the colour is off, where it is most, in levels. ``like``: the correlation in
    the reference's light of the part that nothing hides, -1 if it is not known; ``spot``: how many
    cells show another print. ``is_ace``: whether the reference is an ace.

    The rest is computed only when it is asked for: ``number_like``, the correlation of the number
    with the reference's, -1 if it is more like another one; ``numbers``, the same correlation
    whatever others are like, and the best of another number of the suit; and ``windows``, the check
    of a part by windows.
    """

    worst: float
    checked: float
    at_number: float = 0.0
    number_seen: float = 1.0
    own: int = OWN_CELLS
    lit: float = 0.0
    hue: float = 0.0
    like: float = -1.0
    spot: int = 0
    is_ace: bool = False
    number_like: Callable[[], float] = _surely
    numbers: Callable[[], tuple[float, float]] = _unseen
    windows: Callable[[], WindowCheck] | None = None

    def belief(self, value: float, _share: float) -> float:
        """From 0 to 1: how far the check agrees with a card of this correlation."""
        strip = self.checked < STRIP
        if (
            self.checked < LEAST_CHECKED
            or self.lit > MOST_LIT
            or self.hue > (STRIP_HUE if strip else MOST_HUE)
            or not self._tells(value)
        ):
            return 0.0
        plain = min(1.0, max(0.0, (value - UNLIKE) / (LIKE - UNLIKE)))
        plain = 1.0 if self.like >= LIGHT_ALIKE else plain
        may = MAY_DIFFER * self.checked**2 * plain
        over = max(self.worst - max(LEAST_MAY, may), self.at_number - max(LEAST_AT_NUMBER, may))
        belief = float(1 / (1 + np.exp(SHARPNESS * over - STILL)))
        if belief < BELIEVED and self.worst < MOST_DOUBTED and self._agreed:
            belief = 1.0
        if belief < BELIEVED and self._is_worn:
            belief = 1.0
        if strip and belief > DOUBTED and self.number_like() < self._least_number:
            return 0.0
        if belief > DOUBTED and self.checked <= WHOLE and UNSEEN < self.numbers()[0] < OTHER_NUMBER:
            return 0.0
        return belief

    def _tells(self, value: float) -> bool:
        """Whether the visible part can belong to no other card."""
        if self.checked > WHOLE:
            return True
        if self.number_seen < NUMBER_SEEN and self.is_ace:
            return self.own >= ACE_CELLS and self.like >= SURE_ALIKE and self.worst < ACE_DIFFERS
        unlike = value < STRIP_LIKE and self.like < LIGHT_ALIKE
        if self.number_seen < NUMBER_SEEN or (self.checked < STRIP and unlike):
            return False
        same = SURE_ALIKE if self.worst < SAME else SURE_SUIT_ALIKE
        return self.own >= OWN_CELLS or value >= PLAIN_LIKE or self.like >= same

    @property
    def _is_worn(self) -> bool:
        """Whether the other print that is seen is wear: a spot, beside the right number."""
        if self.own < OWN_CELLS or self.number_seen < NUMBER_SEEN or self.checked < MUCH:
            return False
        faint = max(self.worst, self.at_number) < FAINT
        if faint and self.like >= MUCH_ALIKE:
            return self.numbers()[0] > self.numbers()[1]
        if (
            self.like < SURE_ALIKE
            or self.spot > MOST_SPOT
            or self.worst > MOST_WORN
            or self.at_number > REFUTED
        ):
            return False
        number, other = self.numbers()
        return number >= (FAINT_NUMBER if faint else SURE_NUMBER) and _refuted(number, other)

    @property
    def _least_number(self) -> float:
        return NUMBER_LIKE if self.own >= OWN_CELLS else NUMBER_ALONE

    @property
    def _agreed(self) -> bool:
        """Whether the windows contradict nothing."""
        return self.windows is not None and self.windows().belief(1.0, self.checked) > AGREED

    @property
    def tells_number(self) -> bool:
        """Whether its number refutes all other cards of the suit."""
        number, other = self.numbers()
        return number >= NUMBER_LIKE and _refuted(number, other)

    def refutes(self, other: SecondCheck) -> bool:
        """Whether the picture contradicts another card that this one was checked beside."""
        if other.worst > max(REFUTED, self.worst + APART):
            return True
        if not isinstance(other, CellCheck):
            return False
        if self.like >= LIGHT_ALIKE and 1 - other.like > ALIKE_LEAD * (1 - self.like):
            return True
        if self.numbers()[0] >= NUMBER_LIKE and _refuted(self.numbers()[0], other.numbers()[0]):
            return True
        if self.windows is None or other.windows is None:
            return False
        return self._agreed and self.windows().refutes(other.windows())


def _refuted(number: float, other: float) -> bool:
    """Whether a number is clearly more like one reference than like another one."""
    return 1 - other > NUMBER_LEAD * (1 - number) + 0.01


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A corner of a deck's cards where numbers are printed.

    ``held``: how much of a number each cell holds. ``top``, ``bottom``, ``left`` and ``right`` of a
    box around them, in pixels.
    """

    held: Floats
    top: int
    bottom: int
    left: int
    right: int

    @staticmethod
    def around(held: Floats) -> NumberPlace:
        """The box around the cells that hold anything, with a margin for bent cards."""
        rows, columns = np.nonzero(held)
        wide, high = SIZE
        return NumberPlace(
            held,
            max(NUMBER_OFF, int(rows.min()) * CELL - 1),
            min(high - NUMBER_OFF, (int(rows.max()) + 1) * CELL + 1),
            max(NUMBER_OFF, int(columns.min()) * CELL - 1),
            min(wide - NUMBER_OFF, (int(columns.max()) + 1) * CELL + 1),
        )

    def likeness(self, shown: Image, face: Image, mask: Seen) -> float:
        """The correlation of a card's picture with a reference here, over the pixels ``mask``."""
        part = mask[self.top : self.bottom, self.left : self.right].astype(np.float32)
        if part.sum() < LEAST_NUMBER_PIXELS:
            return -1.0
        field = shown[
            self.top - NUMBER_OFF : self.bottom + NUMBER_OFF,
            self.left - NUMBER_OFF : self.right + NUMBER_OFF,
        ].astype(np.float32)
        number = face[self.top : self.bottom, self.left : self.right].astype(np.float32)
        counts = np.repeat(part[..., None], 3, axis=2)
        found = cv2.matchTemplate(field, number, cv2.TM_CCOEFF_NORMED, mask=counts)
        return float(np.where(np.isfinite(found), found, -1.0).max())


class Checker:
    """Checks cards of one deck by the network."""

    def __init__(self, deck: Deck) -> None:
        self._faces = {card: resized(face, SIZE) for card, face in deck.faces.items()}
        self._comparer = Comparer()
        self._windows = WindowChecker(deck)
        self._numbers = _numbers(self._faces)
        held = [np.asarray(self._numbers * one, np.float32) for one in CORNERS]
        self._places = [NumberPlace.around(one) for one in held if one.any()]
        self._blurred = {card: _blurred(face) for card, face in self._faces.items()}
        self._own = {card: _own_cells(card, self._faces) for card in self._faces}
        wide, high = SIZE
        self._y, self._x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)

    def check(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> SecondCheck:
        """Check the inside of an outline against a card, over the pixels ``seen``.

        A bent card, or a plane that is not quite right, differs a little everywhere. So a card in
        doubt is fitted to its reference by a projective mapping, and checked again.
        """
        if min(_detail(quad)) < LEAST_DETAIL:
            return self._windows.check(picture, quad, card, seen)
        found, bare = self._by_cells(picture, quad, card, seen)

        # Only the number shows a strip's rank, and to the network it is a few cells.
        @cache
        def numbers() -> tuple[float, float]:
            return self._numbers_like(picture, quad, card, bare())

        def windows() -> WindowCheck:
            return self._windows.check(picture, quad, card, bare())

        if found.checked > WHOLE:
            return replace(found, numbers=numbers)
        return replace(
            found,
            number_like=lambda: _own_number(*numbers()),
            numbers=numbers,
            windows=cache(windows),
        )

    def number_like(self, picture: Image, quad: Quad, card: Card, bare: Seen) -> float:
        """The correlation with a card's number over the pixels ``bare``, where most of it is seen.

        -1 where the number of another card of the suit is as like it, or where none is seen.
        """
        return _own_number(*self._numbers_like(picture, quad, card, bare))

    def _numbers_like(
        self, picture: Image, quad: Quad, card: Card, bare: Seen
    ) -> tuple[float, float]:
        """The best correlation with a card's number, and that of the next number in its place."""
        shown = straightened(picture, quad, SIZE)
        mask = np.asarray(cv2.resize(bare, SIZE, interpolation=cv2.INTER_NEAREST), np.uint8)
        seen = judged_cells(mask)
        best = _unseen()
        for place in self._places:
            if place.held[seen].sum() < NUMBER_SEEN * place.held.sum():
                continue
            likes = [place.likeness(shown, face, mask) for face in self._blurred[card]]
            at = int(np.argmax(likes))
            others = [
                place.likeness(shown, faces[at], mask)
                for other, faces in self._blurred.items()
                if other.suit == card.suit and other != card
            ]
            best = max(best, (likes[at], max(others, default=-1.0)))
        return best

    def _by_cells(
        self, picture: Image, quad: Quad, card: Card, seen: Seen
    ) -> tuple[CellCheck, Callable[[], Seen]]:
        """The check by cells, and the part of ``seen`` that no thing lies over."""
        compared = self._compared(picture, quad, card, seen)

        @cache
        def bare() -> Seen:
            return _bare(seen, compared[0])

        first = self._result(compared, card)
        if first.belief(1.0, 1.0) > BELIEVED or first.like < FIT_LIKE:
            return first, bare
        closer = self._fitted(picture, quad, card, bare() if bare().any() else seen)
        again = self._result(self._compared(picture, closer, card, seen), card)
        return min(first, again, key=lambda one: one.worst), bare

    def bared(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> Seen:
        """What of ``seen`` no thing lies over, if the card is that one."""
        return _bare(seen, self._compared(picture, quad, card, seen)[0])

    def _result(self, compared: Sequence[Cells], card: Card) -> CellCheck:
        found = [self._together(cells, card) for cells in compared]
        return min(found, key=lambda one: one.worst)

    def _compared(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> list[Cells]:
        """A card beside its reference, and, if it is small, beside one with as little detail."""
        shown, face = straightened(picture, quad, SIZE), self._faces[card]
        share = float(np.linalg.norm(quad[3] - quad[0])) / SIZE[1]
        faces = [face] if share > FINE else [face, _as_coarse(face, share)]
        return self._comparer.compared(shown, faces, seen)

    def _together(self, cells: Cells, card: Card) -> CellCheck:
        """The check that the cells of a card give together."""
        hidden = covered(cells)
        # The edge of a thing and its shadow are no print, and no part of it either.
        bare = cells.judged & (cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3))) == 0)
        # A lamp's edge is soft, so white print beside it is as hidden as the lamp's middle.
        lit = cells.lit + (1 - cells.lit) * float((hidden & cells.white).sum()) / max(
            1, int(cells.judged.sum())
        )
        spots = np.where(cells.hidden > HIDDEN, cells.hidden, cells.differs) * bare
        return CellCheck(
            worst=_greatest(spots.astype(np.float32)),
            checked=float(bare.sum()) / INNER,
            at_number=max(_greatest((spots * one).astype(np.float32)) for one in CORNERS),
            number_seen=max(
                float((self._numbers * one)[bare].sum() / max(1e-6, (self._numbers * one).sum()))
                for one in CORNERS
            ),
            own=int((self._own[card] & bare).sum()),
            lit=lit,
            hue=_greatest(np.asarray(cells.hue() * bare, np.float32)),
            like=self._alike(cells.shown, card, bare),
            spot=int(((cells.differs > HIDDEN) & bare).sum()),
            is_ace=card.rank is Rank.AS,
        )

    def _alike(self, shown: Image, card: Card, bare: npt.NDArray[np.bool_]) -> float:
        """The correlation of some cells with a card's reference, in whose light they are shown."""
        mask = np.repeat(np.repeat(bare, CELL, axis=0), CELL, axis=1)
        if not mask.any():
            return -1.0
        own = shown[mask].astype(np.float32)
        own -= own.mean(axis=0)
        best = -1.0
        for face in self._blurred[card][:2]:
            other = face[mask].astype(np.float32)
            other -= other.mean(axis=0)
            both = float((own * own).sum()) * float((other * other).sum())
            best = max(best, float((own * other).sum()) / max(1.0, both**0.5))
        return best

    def _fitted(self, picture: Image, quad: Quad, card: Card, seen: Seen) -> Quad:
        """The outline near ``quad`` in which the picture is most like the card's reference.

        The method of Lucas and Kanade (1981) for a projective mapping; without a fit, ``quad``.
        """
        few = np.s_[::FIT_EVERY, ::FIT_EVERY]
        mask = cv2.resize(seen, SIZE, interpolation=cv2.INTER_NEAREST)[few].ravel()
        face = cv2.GaussianBlur(self._faces[card], (0, 0), 1.0)
        reference = face.mean(axis=2, dtype=np.float32)[few].ravel()
        x, y = self._x[few].ravel(), self._y[few].ravel()
        around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
        half = np.array(SIZE) / 2
        found = quad
        for _ in range(FITTINGS):
            shown = cv2.GaussianBlur(straightened(picture, found, SIZE), (0, 0), 1.0)
            grey = shown.mean(axis=2, dtype=np.float32)
            across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)[few].ravel()
            down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)[few].ravel()
            along = across * x + down * y
            moves = [across, down, across * x, across * y, down * x, down * y, along * x, along * y]
            slopes = np.stack([*moves, -reference, -np.ones_like(x), -x, -y])
            weighted = slopes * mask
            square = weighted @ slopes.T
            square[range(8), range(8)] += STIFF
            moved = np.linalg.solve(square + 1e-3 * np.eye(12), -weighted @ grey[few].ravel())
            strain, slant = moved[2:6].reshape(2, 2), moved[6:8]
            off = moved[:2] + around @ strain.T + around * (around @ slant)[:, None]
            corners = (around + off / half + 1) * half - 0.5
            flat = (around + 1) * half - 0.5
            back = cv2.getPerspectiveTransform(flat.astype(np.float32), found.astype(np.float32))
            found = cv2.perspectiveTransform(corners[None], back)[0]
        high = float(np.linalg.norm(quad[3] - quad[0]))
        far = float(np.abs(found - quad).max()) * SIZE[1] / high
        return np.asarray(found, np.float64) if far < MOST_PX else quad


def _own_number(number: float, other: float) -> float:
    """The likeness of a card's own number; -1 if another one is as like."""
    return number if number > other else -1.0


def _detail(quad: Quad) -> tuple[float, float]:
    """Width and height of an outline, by those of the reference."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(sides[0] + sides[2]) / 2 / SIZE[0], float(sides[1] + sides[3]) / 2 / SIZE[1]


def _as_coarse(face: Image, share: float) -> Image:
    """A reference with no more detail than one of this share of its size has."""
    small = resized(face, (max(8, round(SIZE[0] * share)), max(8, round(SIZE[1] * share))))
    return np.asarray(cv2.resize(small, SIZE, interpolation=cv2.INTER_LINEAR), np.uint8)


def _corners() -> tuple[npt.NDArray[np.bool_], ...]:
    """The cells of the upper left corner, and of the lower right one."""
    first = np.zeros(CELLS, bool)
    first[: -(-CORNER[1] // CELL), : -(-CORNER[0] // CELL)] = True
    return first, first[::-1, ::-1]


CORNERS = _corners()


def _numbers(faces: Mapping[Card, Image]) -> Floats:
    """How much of a number each cell of a deck's cards holds: where cards of one suit differ."""
    suits: dict[object, list[Floats]] = {}
    for card, face in faces.items():
        soft = cv2.GaussianBlur(face, (0, 0), 1.0)
        suits.setdefault(card.suit, []).append(soft.min(axis=2).astype(np.float32))
    shares = []
    for some in suits.values():
        usual = np.median(np.stack(some), axis=0)
        shares.append((np.abs(np.stack(some) - usual) > NUMBER_LEVELS).mean(axis=0))
    share = np.mean(shares, axis=0)
    share = (share + share[::-1, ::-1]) / 2
    found = np.where(share > LEAST_NUMBER, share, 0.0)
    lost = LOST // 2 * CELL
    found[:lost] = found[-lost:] = found[:, :lost] = found[:, -lost:] = 0
    return np.asarray(found.reshape(CELLS[0], CELL, CELLS[1], CELL).sum(axis=(1, 3)), np.float32)


def _own_cells(card: Card, faces: Mapping[Card, Image]) -> npt.NDArray[np.bool_]:
    """The cells in which a card differs from the same rank of each other suit."""
    others = [face for other, face in faces.items() if other.rank == card.rank and other != card]
    if not others:
        return np.zeros(CELLS, bool)
    apart = np.min([cv2.absdiff(_soft(faces[card]), _soft(face)) for face in others], axis=0)
    cells = apart.max(axis=2).reshape(CELLS[0], CELL, CELLS[1], CELL).max(axis=(1, 3))
    return np.asarray(cells > OWN_LEVELS)


def _blurred(face: Image) -> list[Image]:
    """A reference as it is, and with each of the blurs."""
    soft = [np.asarray(cv2.GaussianBlur(face, (0, 0), blur), np.uint8) for blur in NUMBER_BLURS]
    return [face, *soft]


def _soft(face: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(face, (0, 0), 0.8), np.uint8)


def covered(cells: Cells) -> npt.NDArray[np.bool_]:
    """The cells over which a thing lies."""
    likely = np.asarray((cells.hidden > HIDDEN) & cells.judged, np.uint8)
    count, names, facts, _ = cv2.connectedComponentsWithStats(likely, connectivity=8)
    edge = np.ones(cells.judged.shape, bool)
    edge[LOST // 2 + 1 : -LOST // 2 - 1, LOST // 2 + 1 : -LOST // 2 - 1] = False
    found = np.zeros(cells.judged.shape, bool)
    for name in range(1, count):
        spot = names == name
        if facts[name, cv2.CC_STAT_AREA] > PRINT_CELLS or edge[spot].any():
            found |= spot
    return found


def _bare(seen: Seen, cells: Cells) -> Seen:
    """The pixels ``seen`` without those over which something lies, and a rim around it."""
    hidden = cv2.dilate(covered(cells).astype(np.uint8), np.ones((3, 3)))
    high, wide = seen.shape
    large = cv2.resize(hidden, (wide, high), interpolation=cv2.INTER_NEAREST)
    return np.asarray(np.where(large, 0, seen), np.uint8)


def _greatest(shares: Floats) -> float:
    """The greatest mean of four neighbouring cells."""
    return float(cv2.boxFilter(shares, -1, (2, 2), borderType=cv2.BORDER_CONSTANT).max())
