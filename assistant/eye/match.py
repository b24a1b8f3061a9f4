"""Matching: which card of the deck is inside an outline, and the probability that it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.images import Image
from assistant.rules.cards import Card

# ---- Correlation with the references of the deck ------------------------------------------------
# The inside of an outline is rectified to a small picture. The lamp's colour and a brightness
# gradient are removed, and it is correlated with all references both ways up, over the pixels that
# nothing covers. The confidence comes from how much worse the second-best card explains it, because
# one number alone cannot show whether a dim card is seen well or badly.


Quad = npt.NDArray[np.float64]
"""Four corners in pixels, of shape (4, 2), clockwise from the card's upper left."""
Floats = npt.NDArray[np.float32]
Seen = npt.NDArray[np.uint8]
"""The mask of a rectified card, (height, width): 1 where it is visible, 0 where it is covered."""

SMALL = (56, 88)
"""Width and height of a rectified card: more costs time and adds nothing."""
FINER = 2
"""It is rectified at this many times the size and then reduced. A card of 260 pixels has more
detail than the small picture, which would alias to noise otherwise."""
KEPT = 8
"""How many of the likeliest cards are returned: a strip may be much like those of seven others."""
BLANK = 1.0
"""Variance, in squared levels, up to which a picture counts as blank."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How similar the inside of an outline is to cards: correlations from -1 to 1.

    ``card``: the most similar one, None for the back; ``value``: its correlation. ``second``: that
    of the next card. ``upside_down``: whether the card is upside down in the given outline.
    ``others``: the most similar cards with their correlations, best first.
    """

    card: Card | None
    value: float
    second: float
    upside_down: bool
    others: tuple[tuple[Card | None, float], ...] = ()

    def among(self, values: Mapping[Card | None, float]) -> Likeness:
        """The same with other correlations of each card, as other alignments gave them."""
        order = sorted(values.items(), key=lambda pair: -pair[1])[:KEPT]
        (card, value), (_, second) = order[:2]
        return Likeness(card, value, second, self.upside_down, tuple(order))

    def taken_for(self, card: Card | None) -> Likeness:
        """The same, with another one of these cards as the most similar."""
        values = dict(self.others)
        rest = tuple(pair for pair in self.others if pair[0] != card)
        second = max(value for _, value in rest)
        others = ((card, values[card]), *rest)
        return Likeness(card, values[card], second, self.upside_down, others)

    @property
    def margin(self) -> float:
        """The best correlation less the second."""
        return self.value - self.second

    @property
    def lead(self) -> float:
        """The variance that the second card leaves unexplained, over that of the best card.

        A margin of 0.02 is much between 0.98 and 0.96, but nothing between 0.62 and 0.60.
        """
        return (1 - max(0.0, self.second) ** 2) / max(1e-6, 1 - max(0.0, self.value) ** 2)


class Correlator:
    """Correlates rectified cards with some references at one size."""

    def __init__(self, upright: Sequence[Image], small: tuple[int, int] = SMALL) -> None:
        """``upright``: the references, at least one."""
        self.small = small
        faces = [resized(face, small).astype(np.float32) for face in upright]
        pictures = np.stack([*faces, *(face[::-1, ::-1] for face in faces)])
        self.greys = pictures.mean(axis=3)
        """The references, upright and then upside down: (references, height, width)."""
        flat = pictures.reshape(len(pictures), -1, 3)
        flat = flat - flat.mean(axis=1, keepdims=True)
        self._planes = np.ascontiguousarray(flat.transpose(0, 2, 1))
        self._squares = (flat**2).sum(axis=2)
        self._slopes = _slopes(small)

    def value(self, card: Image, reference: int, seen: Seen | None = None) -> float:
        """The correlation with one reference."""
        return float(self._values(card, seen, slice(reference, reference + 1))[0])

    def values(self, cards: Sequence[Image], seen: Sequence[Seen]) -> Floats:
        """The correlation of each card with each reference: (cards, references).

        A batch takes a fraction of the time for each.
        """
        flat = np.stack([card.reshape(-1, 3).T for card in cards]).astype(np.float32)
        weights = np.stack([one.ravel() for one in seen]).astype(np.float32)
        return self._correlated(flat, weights, slice(None))

    def _values(self, card: Image, seen: Seen | None, which: slice = slice(None)) -> Floats:
        weights = np.ones((1, self._squares.shape[1]), np.float32)
        if seen is not None:
            weights = seen.reshape(1, -1).astype(np.float32)
        flat = card.reshape(1, -1, 3).transpose(0, 2, 1).astype(np.float32)
        return self._correlated(flat, weights, which).ravel()

    def _correlated(self, pixels: Floats, weights: Floats, which: slice) -> Floats:
        """The correlations of (cards, 3, pixels), with ``weights`` of the pixels."""
        base = self._slopes * weights[:, None]
        # A brightness gradient says nothing about the card: it is removed from the picture and from
        # the references, over the visible pixels.
        solve = np.linalg.inv(base @ self._slopes.T + 1e-3 * np.eye(3, dtype=np.float32))
        pixels -= (pixels @ base.transpose(0, 2, 1)) @ solve @ self._slopes
        weighted = pixels * weights[:, None]
        length = (weighted * pixels).sum(axis=(1, 2))
        planes, squares = self._planes[which], self._squares[which]
        # One pass over the references, because they do not fit into the processor's cache.
        rows = np.concatenate([base, weighted], axis=1).reshape(-1, weights.shape[1])
        both = planes.reshape(-1, weights.shape[1]) @ rows.T
        both = both.reshape(len(planes), 3, len(weights), 6).transpose(2, 0, 1, 3)
        along, like = both[..., :3], both[:, :, 0, 3] + both[:, :, 1, 4] + both[:, :, 2, 5]
        even = ((along @ solve[:, None]) * along).sum(axis=(2, 3))
        lengths = weights @ squares.T - even
        least = BLANK * np.maximum(1.0, weights.sum(axis=1, keepdims=True))
        together = np.sqrt(np.maximum(lengths, least) * np.maximum(length[:, None], least))
        return np.asarray(like / together, np.float32)


class Matcher(Correlator):
    """Correlates outlines with one deck at one size."""

    def __init__(self, deck: Deck, small: tuple[int, int] = SMALL) -> None:
        back = () if deck.back is None else (deck.back,)
        super().__init__([*deck.faces.values(), *back], small)
        self._cards: list[Card | None] = [*deck.faces, *(None for _ in back)]

    def match(self, picture: Image, quad: Quad, seen: Seen | None = None) -> Likeness:
        """The likeness of an outline's inside, over the pixels ``seen``."""
        return self.likeness(straightened(picture, quad, self.small), seen)

    def likeness(self, card: Image, seen: Seen | None = None) -> Likeness:
        """The likeness of a rectified card."""
        ways = self._values(card, seen).reshape(2, -1)
        best = ways.max(axis=0)
        order = np.argsort(-best)[:KEPT]
        first = int(order[0])
        return Likeness(
            self._cards[first],
            float(best[first]),
            float(best[order[1]]),
            bool(ways[1, first] > ways[0, first]),
            tuple((self._cards[at], float(best[at])) for at in order),
        )

    def likest(self, card: Image, seen: Seen, count: int) -> list[int]:
        """The references of the ``count`` most similar cards, each the better way up."""
        ways = self._values(card, seen).reshape(2, -1)
        order = np.argsort(-ways.max(axis=0))[:count]
        return [int(at + ways[:, at].argmax() * len(self._cards)) for at in order]

    def is_upside_down(self, reference: int) -> bool:
        """Whether a reference is a card upside down."""
        return reference >= len(self._cards)

    def upright(self, card: Card) -> int:
        """The reference of a card, upright."""
        return self._cards.index(card)

    def grey_of(self, card: Card) -> Floats:
        """The reference of a card, upright, without its colours."""
        return np.asarray(self.greys[self.upright(card)], np.float32)

    def card_of(self, reference: int) -> Card | None:
        """The card of a reference."""
        return self._cards[reference % len(self._cards)]


def straightened(
    picture: npt.NDArray[np.uint8], quad: Quad, small: tuple[int, int] = SMALL
) -> Image:
    """The inside of an outline, rectified to the small size: (height, width) and any channels."""
    return resized(warped(picture, quad, (small[0] * FINER, small[1] * FINER)), small)


def warped(
    picture: npt.NDArray[np.uint8], quad: Quad, size: tuple[int, int]
) -> npt.NDArray[np.uint8]:
    """The inside of an outline, rectified to a picture of that width and height."""
    wide, high = size
    # Coordinates are those of a pixel's middle, so a picture begins half a pixel before 0.
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    made = cv2.warpPerspective(picture, warp, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(made, np.uint8)


def resized(picture: npt.ArrayLike, size: tuple[int, int]) -> Image:
    """A picture reduced in size, each pixel the mean of those it replaces."""
    made = cv2.resize(np.asarray(picture, np.uint8), size, interpolation=cv2.INTER_AREA)
    return np.asarray(made, np.uint8)


def _slopes(small: tuple[int, int]) -> Floats:
    """A constant picture and gradients along both axes: (3, pixels)."""
    wide, high = small
    x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high))
    return np.stack([np.ones_like(x), x, y]).reshape(3, -1).astype(np.float32)


# ---- Cards of the pack that are none of Mus, as eights and jokers -------------------------------


AS_LIKELY = 0.8
"""A card that is none of Mus counts as equally likely if a card of Mus leaves at least this many
times as much unexplained as it does. Of 84 true cards on rendered tables, overlapped and fanned,
one left as much; of 27 foreign ones 25 did."""


class NotMusCards:
    """The references of cards that are none of Mus."""

    def __init__(self, pictures: Sequence[Image]) -> None:
        self._known = Correlator(pictures) if pictures else None

    def are_as_likely(self, picture: Image, quad: Quad, seen: Seen, likeness: Likeness) -> bool:
        """Whether one of them explains an outline's inside as well as the likeliest card does."""
        return self.lead(picture, quad, seen, likeness) >= AS_LIKELY

    def lead(self, picture: Image, quad: Quad, seen: Seen, likeness: Likeness) -> float:
        """The ratio of what the card leaves unexplained to what the likeliest of these does."""
        if self._known is None:
            return 0.0
        card = straightened(picture, quad, self._known.small)
        value = float(self._known.values([card], [seen]).max())
        return (1 - max(0.0, likeness.value) ** 2) / max(1e-6, 1 - max(0.0, value) ** 2)


# ---- Confidence: the probability that the most similar card is the right one --------------------
# A logistic function of three signs of a right reading: the card explains the picture; no other
# card explains it nearly as well (which counts more if more of the card is visible); and its edges
# lie on edges of the picture. ``tune_eyes.py`` fits the weights on rendered tables that no bench
# uses.


START, VALUE, LEAD, LEAD_SEEN, EDGES, SEEN = -7.11, 5.96, 4.57, 9.15, 1.62, 2.38
MOST_LEAD = 4.0
"""A greater lead adds no confidence."""
SHARPNESS = 20.0
"""How fast a card becomes improbable as it explains less than the best."""
AMONG = 0.8
"""Of the misread cards on the tuning tables, the share whose true card was among the next ones."""


def trust(likeness: Likeness, edges: float, share: float) -> float:
    """The probability that the most similar card is the right one.

    ``edges``: the share of its edges on edges of the picture; ``share``: the visible share of its
    face.
    """
    lead = log(min(MOST_LEAD, likeness.lead))
    score = START + VALUE * likeness.value + (LEAD + LEAD_SEEN * share) * lead
    return 1 / (1 + exp(-(score + EDGES * edges + SEEN * share)))


def weighed(
    likeness: Likeness, edges: float, share: float, belief: float = 1.0
) -> tuple[tuple[Card, float], ...]:
    """The cards that it may be with their probabilities, likeliest first; a rest is left over.

    The rest matters if all of these turn out to lie elsewhere: then an improbable card must not
    become certain. ``belief``: how far a second check agrees with the most similar card. A card
    that it contradicts stays as likely as not, because it may be one that the deck lacks.
    """
    best = trust(likeness, edges, share)
    weights = [_unexplained(likeness.value) / _unexplained(value) for _, value in likeness.others]
    sharp = [weight**SHARPNESS for weight in weights]
    rest = sum(sharp[1:])
    left = AMONG * (1 - best)
    agreed = best * (1 + belief) / 2
    chances = [agreed] + [left * weight / max(rest, weights[0]) for weight in sharp[1:]]
    return tuple(
        (card, chance)
        for (card, _), chance in zip(likeness.others, chances, strict=True)
        if card is not None
    )


def _unexplained(value: float) -> float:
    return max(1e-6, 1 - max(0.0, value) ** 2)
