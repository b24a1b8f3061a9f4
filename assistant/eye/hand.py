"""Reading one hand that its own player photographs: cards close up, fanned or side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.enrol import EnrolError, check_picture
from assistant.eye.find import Finder
from assistant.eye.images import Image
from assistant.eye.match import Floats, Quad, weighed
from assistant.eye.peel import FoundCard
from assistant.eye.plane import Plane, Points, corners, fit_points, placed
from assistant.eye.view import View, view
from assistant.messages.showdown import CARD, SURE, assigned
from assistant.rules.cards import HAND_SIZE, Card

# ---- Where cards may lie: local features of the picture that a card of the deck has, too -------
# SIFT features (Lowe 2004) have a place, a size and a direction. So one feature that the picture
# and a card share says where the whole card would lie. Features of one card that agree are a guess.
# Many cards share their pips, so a guess tells the place of a card, and little of which it is.


FACE_HIGH = 280
"""Height in pixels at which a card's own features are found."""
MOST_FEATURES, MOST_OF_CARD = 3000, 300
"""The most features of a photograph and of a card, the strongest."""
ALIKE, NEARLY = 0.82, 0.05
"""The least cosine of two features that may be the same, and how much worse than the best of all
cards' features another one may be."""
AT_ONCE = 500
"""Features compared in a batch: more need more memory, and are no faster."""
MOST_PAIRS = 250
"""The most features of a card that are compared with each other: a checked cloth has thousands."""
AGREE_WIDTHS, AGREE_RADIANS, AGREE_SCALE = 0.3, 0.35, 0.4
"""How far two features of one card may differ in what they say: of the card's middle in widths, of
its turn, and of the logarithm of its size."""
LEAST_VOTES = 5
ENOUGH_FOR_SLANT = 10
"""Of so many features, those may belong to a guess that a card seen from a slant explains."""
STRAY_PX = 6.0
"""A feature further from where the card's pose has it does not belong to the guess."""
SKEWED = 0.6, 1.7
"""Limits of a guess's height by its width, in those of a card."""
MOST_GUESSES = 40
PLACES = 2
"""In so many places the same card is guessed at the most: pips of one card are alike."""


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
    """The local features of a deck's cards, and where a picture has the same."""

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

    def guesses(self, picture: Image) -> list[Guess]:
        """The places where cards may lie, those with the most votes first."""
        points, signs = _features(self._sift, picture)
        mine, theirs = self._pairs(signs)
        seen, own, cards = points[mine], self._points[theirs], self._cards[theirs]
        size = seen[:, 2] / own[:, 2]
        turn = np.radians(seen[:, 3] - own[:, 3])
        cos, sin = np.cos(turn) * size, np.sin(turn) * size
        x, y = own[:, 0], own[:, 1]
        middle = seen[:, :2] - np.column_stack([cos * x - sin * y, sin * x + cos * y])
        said = np.column_stack([middle, turn, size])
        found: list[Guess] = []
        for card in np.unique(cards):
            which = np.flatnonzero(cards == card)[:MOST_PAIRS]
            for agreeing in self._agreeing(said[which]):
                guess = self._guess(seen[which[agreeing], :2], own[which[agreeing], :2])
                if guess is not None:
                    found.append(guess)
        found.sort(key=lambda guess: -guess.votes)
        return found[:MOST_GUESSES]

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
        """The largest groups of one card's features that say about the same."""
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
        """What of a group fits one place of a card; None if that is too little."""
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


# ---- The reader of one hand ---------------------------------------------------------------------
# The guesses give the plane of the cards: no card needs to be seen whole. Then the cards are read
# from the top down as on a table, at the guesses first, and along lines near them after that.


LONGEST, LOOKED_AT = 1600, 1200
"""Pixels of the longer side: of the picture that is read, and of the one whose features are
found."""
PLANE_VOTES, PLANE_CARDS = 8, 6
"""A guess needs so many votes to count for the plane, and so many guesses do."""
OFF_MM = 1.5
"""Features of a card in the plane are off by no more, as a root mean square."""
HAND_HELD = np.array([1e-3, 30.0, 30.0, 3.0, 3.0, 60.0])
"""The prior of the plane: a telephone is tilted by its holder, and its lens bends hardly at all."""
WHOLE, STRANGE = 0.9, 0.8
"""A card of which this share is seen is asked for below this correlation: a nine of a deck of 48,
photographed for a deck of 40, is like a seven to 0.78."""
SAME_WIDTHS = 0.25
"""Guesses nearer than so many widths of a card are of the same place."""


class HandTrouble(StrEnum):
    """Why a photograph is not a whole hand."""

    NONE = "none"
    """No card of this deck is in it."""
    FEW = "few"
    """Fewer cards than a hand has."""
    MANY = "many"
    """More cards than a hand has."""
    DARK = "dark"
    BLURRED = "blurred"


@dataclass(frozen=True, slots=True)
class HandReading:
    """What a photograph of a hand shows.

    ``cards``: those of the hand, from left to right; None for one that cannot be told. ``trouble``:
    why it is not a whole hand. A hand that lacks some cards holds those that were read.
    """

    cards: tuple[Card | None, ...]
    trouble: HandTrouble | None = None


class HandReader:
    """Reads photographs of single hands with one deck."""

    def __init__(self, deck: Deck) -> None:
        self.name = deck.name
        self._size_mm = deck.size_mm
        self._features = CardFeatures(deck)
        self._finder = Finder(deck)

    def read(self, picture: Image, size: int = HAND_SIZE) -> HandReading:
        """Read a hand of ``size`` cards. A photograph of any size takes about as long."""
        picture = shrunk(picture, LONGEST)
        found = self._found(picture, size)
        sure = [card for card, _ in found if card is not None]
        if len(sure) > size:
            return HandReading((), HandTrouble.MANY)
        cards = tuple(card for card, _ in found)
        if len(cards) > size:  # what is hardly like a card gives way
            cards = tuple(sure) + (None,) * (size - len(sure))
        if len(cards) == size:
            return HandReading(cards)
        return HandReading(cards, self._why(picture, cards))

    def _why(self, picture: Image, cards: Sequence[Card | None]) -> HandTrouble:
        """Why there are too few cards."""
        try:
            check_picture(picture, "The photograph")
        except EnrolError as error:
            return HandTrouble(error.code)
        return HandTrouble.FEW if cards else HandTrouble.NONE

    def _found(self, picture: Image, size: int) -> list[tuple[Card | None, float]]:
        """The cards with their place from left to right; None where it may be one of several."""
        small = shrunk(picture, LOOKED_AT)
        factor = picture.shape[1] / small.shape[1]
        guesses = [_larger(guess, factor) for guess in self._features.guesses(small)]
        plane = self._plane(picture, guesses)
        if plane is None:
            return []
        seen = view(picture, plane, None)
        hints = np.array([placed(guess.pixels, guess.mm, plane) for guess in guesses])
        found = self._finder.close_up(seen, hints, size)
        likely = [dict(self._weighed(seen, one)) for one in found]
        judged = assigned(likely)
        told = [
            (None if _strange(one) else card if sureness >= SURE else _of_rank(chances), one)
            for (card, sureness), chances, one in zip(judged, likely, found, strict=True)
            if max(chances.values(), default=0.0) >= CARD
        ]
        return _in_order(told, seen)

    def _weighed(self, seen: View, found: FoundCard) -> tuple[tuple[Card, float], ...]:
        if found.likeness.card is None:
            return ()
        return weighed(found.likeness, self._finder.edges(seen, found), found.share)

    def _plane(self, picture: Image, guesses: Sequence[Guess]) -> Plane | None:
        """The plane that the guesses with the most votes agree on; None without a guess."""
        firm: list[Guess] = []
        for guess in guesses:
            enough = guess.votes >= PLANE_VOTES or not firm
            if enough and not any(_same_place(guess, other) for other in firm):
                firm.append(guess)
        firm = firm[:PLANE_CARDS]
        high, wide = picture.shape[:2]
        while firm:
            area = abs(cv2.contourArea(firm[0].quad.astype(np.float32)))
            scale = float(0.5 * np.log(area / (self._size_mm[0] * self._size_mm[1])))
            cards = [(guess.pixels, guess.mm) for guess in firm]
            plane, off = fit_points((wide, high), cards, scale, HAND_HELD)
            errors = [float(np.sqrt((one**2).mean())) for one in off]
            if max(errors) < OFF_MM or len(firm) == 1:
                return plane
            firm.pop(int(np.argmax(errors)))
        return None


def shrunk(picture: Image, longest: int) -> Image:
    """A picture whose longer side has at most so many pixels."""
    share = longest / max(picture.shape[:2])
    if share >= 1:
        return picture
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _strange(found: FoundCard) -> bool:
    """Whether a card that nothing hides is so unlike its reference that it may be another one."""
    return found.share > WHOLE and found.likeness.value < STRANGE


def _of_rank(chances: Mapping[Card, float]) -> Card | None:
    """A card of which only the rank is sure, as of a strip with a number; Mus needs no more."""
    best = max(chances, key=lambda card: chances[card], default=None)
    if best is None:
        return None
    alike = sum(chance for card, chance in chances.items() if card.rank is best.rank)
    return Card(best.rank) if alike >= SURE else None


def _larger(guess: Guess, factor: float) -> Guess:
    """A guess in pixels of a larger picture."""
    pixels, quad = ((part + 0.5) * factor - 0.5 for part in (guess.pixels, guess.quad))
    return Guess(pixels, guess.mm, quad)


def _same_place(one: Guess, other: Guess) -> bool:
    far = float(np.linalg.norm(one.quad.mean(axis=0) - other.quad.mean(axis=0)))
    return far < SAME_WIDTHS * float(np.linalg.norm(one.quad[1] - one.quad[0]))


def _in_order(
    told: Sequence[tuple[Card | None, FoundCard]], seen: View
) -> list[tuple[Card | None, float]]:
    """Cards in the order in which the player has them in the picture, from left to right."""
    placed = [(card, seen.plane.to_pixels(found.pose[:2])) for card, found in told]
    if not placed:
        return []
    spread = np.ptp([spot for _, spot in placed], axis=0)
    axis = int(spread[1] > spread[0])
    return sorted(((card, float(spot[axis])) for card, spot in placed), key=lambda one: one[1])
