"""Which card an outline holds, and how sure that is."""

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

# ---- Which card an outline holds: what is seen of it against the pictures of the deck -----------
# Straightened to a small picture, freed of the lamp's colour and of one side being brighter, and
# correlated with all references both ways up, over those pixels alone that nothing covers. How
# much less the second best explains tells how sure that is: nobody can say from one number whether
# a dim card is well or badly seen.


Quad = npt.NDArray[np.float64]
"""Four corners in pixels, of shape (4, 2), clockwise from the card's upper left."""
Floats = npt.NDArray[np.float32]
Seen = npt.NDArray[np.uint8]
"""Of a straightened card, of shape (height, width): 1 where it is seen, 0 where it is covered."""

SMALL = (56, 88)
"""Width and height to which a card is straightened: more costs time and tells no more."""
FINER = 2
"""So many times larger it is straightened first, then made smaller: a card of 260 pixels has more
detail than the small picture can hold, which would else become noise."""
KEPT = 4
"""So many of the likeliest cards are told."""
BLANK = 1.0
"""Square of levels: a picture that differs no more from even light is a blank."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much an outline looks like a card: correlations from -1 to 1.

    ``card``: None for a card's back. ``upside_down``: whether it lies the other way round than the
    outline was given. ``second``: how much it looks like the next likeliest card.
    ``others``: the likeliest cards with how much it looks like each, best first.
    """

    card: Card | None
    value: float
    second: float
    upside_down: bool
    others: tuple[tuple[Card | None, float], ...] = ()

    def among(self, values: Mapping[Card | None, float]) -> Likeness:
        """The same with how much it looks like each card, as other alignments found it."""
        order = sorted(values.items(), key=lambda pair: -pair[1])[:KEPT]
        (card, value), (_, second) = order[:2]
        return Likeness(card, value, second, self.upside_down, tuple(order))

    @property
    def margin(self) -> float:
        """How far the best stands before the next."""
        return self.value - self.second

    @property
    def lead(self) -> float:
        """What the next likeliest leaves unexplained of the picture, in times of what this does.

        A margin of 0.02 is much between 0.98 and 0.96, and nothing between 0.62 and 0.60.
        """
        return (1 - max(0.0, self.second) ** 2) / max(1e-6, 1 - max(0.0, self.value) ** 2)


class Matcher:
    """Compares outlines with one deck at one size."""

    def __init__(self, deck: Deck, small: tuple[int, int] = SMALL) -> None:
        self.small = small
        self._cards: list[Card | None] = list(deck.faces)
        upright = list(deck.faces.values())
        if deck.back is not None:
            self._cards.append(None)
            upright.append(deck.back)
        faces = [resized(face, small).astype(np.float32) for face in upright]
        pictures = np.stack([*faces, *(face[::-1, ::-1] for face in faces)])
        self.greys = pictures.mean(axis=3)
        """The deck upright, then upside down: of shape (references, height, width)."""
        flat = pictures.reshape(len(pictures), -1, 3)
        flat = flat - flat.mean(axis=1, keepdims=True)
        self._planes = np.ascontiguousarray(flat.transpose(0, 2, 1))
        self._squares = (flat**2).sum(axis=2)
        self._slopes = _slopes(small)

    def match(self, picture: Image, quad: Quad, seen: Seen | None = None) -> Likeness:
        """What the outline looks most like, over what is ``seen`` of it."""
        return self.likeness(straightened(picture, quad, self.small), seen)

    def likeness(self, card: Image, seen: Seen | None = None) -> Likeness:
        """What a straightened card looks most like."""
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
        """The references of so many cards that it looks most like, each the way it does more."""
        ways = self._values(card, seen).reshape(2, -1)
        order = np.argsort(-ways.max(axis=0))[:count]
        return [int(at + ways[:, at].argmax() * len(self._cards)) for at in order]

    def card_of(self, reference: int) -> Card | None:
        """Which card one of the references shows."""
        return self._cards[reference % len(self._cards)]

    def value(self, card: Image, reference: int, seen: Seen | None = None) -> float:
        """The correlation with one of the references."""
        return float(self._values(card, seen, slice(reference, reference + 1))[0])

    def values(self, cards: Sequence[Image], seen: Sequence[Seen]) -> Floats:
        """The correlation of each card with each of the references: of shape (cards, references).

        Many at once cost each a fraction.
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
        """Of pixels of shape (cards, 3, pixels), as far as ``weights`` count them."""
        base = self._slopes * weights[:, None]
        # Light that rises evenly towards some side says nothing of the card: it is taken from the
        # picture and from the references, as far as both are seen.
        solve = np.linalg.inv(base @ self._slopes.T + 1e-3 * np.eye(3, dtype=np.float32))
        pixels -= (pixels @ base.transpose(0, 2, 1)) @ solve @ self._slopes
        weighted = pixels * weights[:, None]
        length = (weighted * pixels).sum(axis=(1, 2))
        planes, squares = self._planes[which], self._squares[which]
        # One pass over the references, which are more than a processor holds near it.
        rows = np.concatenate([base, weighted], axis=1).reshape(-1, weights.shape[1])
        both = planes.reshape(-1, weights.shape[1]) @ rows.T
        both = both.reshape(len(planes), 3, len(weights), 6).transpose(2, 0, 1, 3)
        along, like = both[..., :3], both[:, :, 0, 3] + both[:, :, 1, 4] + both[:, :, 2, 5]
        even = ((along @ solve[:, None]) * along).sum(axis=(2, 3))
        lengths = weights @ squares.T - even
        least = BLANK * np.maximum(1.0, weights.sum(axis=1, keepdims=True))
        together = np.sqrt(np.maximum(lengths, least) * np.maximum(length[:, None], least))
        return np.asarray(like / together, np.float32)


def straightened(
    picture: npt.NDArray[np.uint8], quad: Quad, small: tuple[int, int] = SMALL
) -> Image:
    """What is inside an outline, upright and small: (height, width), and colours if there are."""
    return resized(warped(picture, quad, (small[0] * FINER, small[1] * FINER)), small)


def warped(
    picture: npt.NDArray[np.uint8], quad: Quad, size: tuple[int, int]
) -> npt.NDArray[np.uint8]:
    """What is inside an outline, as a picture of that width and height."""
    wide, high = size
    # A pixel's middle is where its numbers say, so a picture begins half a pixel before nought.
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    made = cv2.warpPerspective(picture, warp, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(made, np.uint8)


def resized(picture: npt.ArrayLike, size: tuple[int, int]) -> Image:
    """A picture made smaller, each pixel the mean of those it stands for."""
    made = cv2.resize(np.asarray(picture, np.uint8), size, interpolation=cv2.INTER_AREA)
    return np.asarray(made, np.uint8)


def _slopes(small: tuple[int, int]) -> Floats:
    """Pictures that rise evenly towards some side, or nowhere: of shape (3, pixels)."""
    wide, high = small
    x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high))
    return np.stack([np.ones_like(x), x, y]).reshape(3, -1).astype(np.float32)


# ---- How sure it is that a card is what it looks like -------------------------------------------
# A logistic function of what a wrong reading lacks: that the card explains the picture, that no
# other explains it nearly as well - which says the more, the more of the card is seen - and that
# its edges are where the picture has edges. Its numbers are fitted by ``tune_eyes.py`` on
# rendered tables that no bench measures with.


START, VALUE, LEAD, LEAD_SEEN, EDGES, SEEN = -7.11, 5.96, 4.57, 9.15, 1.62, 2.38
MOST_LEAD = 4.0
"""A card that leads by more is not surer for it."""
SHARPNESS = 20.0
"""How fast a card becomes unlikely as it explains less than the best does."""
AMONG = 0.8
"""Of the cards taken for others on tuning tables, the share that was one of the next likeliest."""


def trust(likeness: Likeness, edges: float, share: float) -> float:
    """The chance that the likeliest card is the one.

    ``edges``: how much of its edges lies on edges of the picture; ``share``: of its face, what is
    seen.
    """
    lead = log(min(MOST_LEAD, likeness.lead))
    score = START + VALUE * likeness.value + (LEAD + LEAD_SEEN * share) * lead
    return 1 / (1 + exp(-(score + EDGES * edges + SEEN * share)))


def weighed(likeness: Likeness, edges: float, share: float) -> tuple[tuple[Card, float], ...]:
    """The cards that it may be, likeliest first, with their chances; some is left for others.

    The others are needed where all of these lie elsewhere: one that is hardly likely is not made
    certain by that.
    """
    best = trust(likeness, edges, share)
    weights = [_unexplained(likeness.value) / _unexplained(value) for _, value in likeness.others]
    sharp = [weight**SHARPNESS for weight in weights]
    rest = sum(sharp[1:])
    left = AMONG * (1 - best)
    chances = [best] + [left * weight / max(rest, weights[0]) for weight in sharp[1:]]
    return tuple(
        (card, chance)
        for (card, _), chance in zip(likeness.others, chances, strict=True)
        if card is not None
    )


def _unexplained(value: float) -> float:
    return max(1e-6, 1 - max(0.0, value) ** 2)
