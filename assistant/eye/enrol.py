"""Enrolment of a deck: its reference pictures from photographs of cards laid in rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import ORDER, SUIT_NAMES, Deck, deck_paths, load_deck
from assistant.eye.images import Image, VisionError, brightest
from assistant.eye.match import Quad, resized, warped
from assistant.eye.outlines import (
    card_rows,
    exact,
    in_rows,
    laid_cards,
    whole_outlines,
)
from assistant.eye.paper import EVEN, light_on, rim_unevenness
from assistant.eye.sorting import Pattern
from assistant.files.terminal import output_text, output_word
from assistant.rules.cards import DECK, Card, Suit
from assistant.rules.errors import Translatable

# ---- References from one photograph -------------------------------------------------------------


class EnrolError(VisionError):
    """A picture from which a deck cannot be enrolled; the message says how to take a better one.

    ``code`` and ``params`` say the same, for pages in other languages.
    """

    def __init__(self, message: str, code: str, **params: int | str) -> None:
        super().__init__(message)
        self.code = code
        self.params = params


SUITS = tuple(Suit)
"""The default order of rows from the top: oros, copas, espadas, bastos."""
HIGH = 380
"""Height of a reference in pixels; its width follows from the card's."""
LEAST_HIGH = 110.0
"""The least height of a card in the photograph, in pixels: a smaller one shows too little."""
PAPER = 240.0
"""Level of white paper in a reference."""
DARKEST = 60.0
"""The least level of paper in a photograph: below it, the sensor's noise is as strong as the
art."""
DARKEST_CARD = 40.0
"""The same for a single card, as one in a shadow."""
LIGHTEST = 98
"""The percentile of its levels that counts as white in a card without a rim."""
GROWN = (1.0, 1.07, 1.14, 1.22)
"""How much larger a back may be than the frame printed on it: without and with a rim of paper."""
SHARP = 0.25
"""The least sharpness of a picture: the share of its range of levels that the steepest edges span
within three pixels. Sharp renderings have nine tenths; pictures of a shaken camera have less than
one tenth."""
ALIKE = 0.985
"""Two different cards of a deck correlate less than this."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A suit in a photograph: a reference picture of each card, and its outline there."""

    faces: Mapping[Card, Image]
    quads: Mapping[Card, Quad]


def enrolled_rows(picture: Image, suits: Sequence[Suit], size_mm: tuple[float, float],
                  name: str = "The picture") -> tuple[CardRow, ...]:  # fmt: skip
    """The suits of one photograph, rows from the top. Raises EnrolError with what to do better."""
    check_picture(picture, name)
    rows = card_rows(picture, size_mm)
    _check_rows(rows, suits, name)
    quads = [quad for row in rows for quad in row]
    _check_cards(picture, quads, name)
    found = []
    for suit, row in zip(suits, rows, strict=True):
        cards = [Card(rank, suit) for rank in ORDER]
        faces = {
            card: reference(picture, quad, size_mm) for card, quad in zip(cards, row, strict=True)
        }
        found.append(CardRow(faces, dict(zip(cards, row, strict=True))))
    return tuple(found)


def enrolled_back(picture: Image, size_mm: tuple[float, float], name: str = "The picture") -> Image:
    """The back, from a photograph of one card that lies face down. Raises EnrolError."""
    check_picture(picture, name)
    cards = [_to_the_rim(picture, quad) for quad in whole_outlines(picture, size_mm)]
    if len(cards) != 1:
        raise EnrolError(
            Translatable(
                "In {name} {found} cards can be made out, and the back is enrolled from "
                "one: lay a single card face down on a plain dark cloth.",
                name=name,
                found=len(cards),
            ),
            "back",
            found=len(cards),
        )
    _check_cards(picture, cards, name)
    return reference(picture, cards[0], size_mm)


def _to_the_rim(picture: Image, quad: Quad) -> Quad:
    """The outline of a back, from that outline or from that of the frame printed on it."""
    middle = quad.mean(axis=0)
    for share in GROWN:
        grown = exact(picture, middle + (quad - middle) * share)
        if rim_unevenness(picture, grown) < EVEN:
            return grown
    return exact(picture, quad)  # printed to its very edge


def deck_of(name: str, title: str, size_mm: tuple[float, float], rows: Sequence[CardRow],
            back: Image | None = None) -> Deck:  # fmt: skip
    """A whole deck. Raises EnrolError where a card is missing, or one seems to be there twice."""
    faces = {card: face for row in rows for card, face in row.faces.items()}
    if sum(len(row.faces) for row in rows) > len(faces):
        raise EnrolError("A suit is there twice: give each of the four suits once.", "suit_twice")
    missing = [card for card in DECK if card not in faces]
    if missing:
        lacking = {card.suit for card in missing if card.suit}
        suits = ", ".join(output_word(SUIT_NAMES[suit]) for suit in Suit if suit in lacking)
        raise EnrolError(
            Translatable(
                "The deck is not whole: {suits} is missing. Photograph every suit.", suits=suits
            ),
            "missing",
        )
    for one, other in _twins(faces):
        raise EnrolError(
            Translatable(
                "{one} and {other} look like the same card: is one laid twice, or out of "
                "order? Each row goes 1 2 3 4 5 6 7 sota caballo rey.",
                one=one,
                other=other,
            ),
            "alike",
            one=str(one),
            other=str(other),
        )
    return Deck(name, title, size_mm, {card: faces[card] for card in DECK}, back)


def reference(picture: Image, quad: Quad, size_mm: tuple[float, float]) -> Image:
    """A card rectified and in even white light, ``HIGH`` pixels high."""
    size = (round(HIGH * size_mm[0] / size_mm[1]), HIGH)
    finer = max(1, int(np.ceil(card_height(quad) / HIGH)))
    large = warped(picture, quad, (size[0] * finer, size[1] * finer))
    card = resized(large, size).astype(np.float64)
    # A back may be printed to its very edge, so that no paper rim shows the light.
    paper = rim_unevenness(picture, quad) < EVEN
    light = light_on(card) if paper else np.percentile(card, LIGHTEST, axis=(0, 1))
    return np.asarray(np.clip(card / np.maximum(light, 1) * PAPER, 0, 255), np.uint8)


def check_picture(picture: Image, name: str) -> None:
    """Raise EnrolError for a picture that is too dark or blurred to look for cards in."""
    bright = brightest(picture).astype(np.float32)
    dark, light = (float(level) for level in np.percentile(bright, (5, 99.5)))
    if light < DARKEST:
        raise EnrolError(
            Translatable("{name} is too dark: put on more light, and take it again.", name=name),
            "dark",
        )
    steps = np.maximum(
        np.abs(bright[3:, 3:] - bright[3:, :-3]), np.abs(bright[3:, 3:] - bright[:-3, 3:])
    )
    if float(np.percentile(steps, 99.9)) < SHARP * (light - dark):
        raise EnrolError(
            Translatable("{name} is blurred: hold the camera still, and take it again.", name=name),
            "blurred",
        )


def _check_rows(rows: Sequence[Sequence[Quad]], suits: Sequence[Suit], name: str) -> None:
    if not rows:
        raise EnrolError(
            Translatable(
                "In {name} no cards can be made out: lay them a finger apart on a plain "
                "dark cloth, in even light.",
                name=name,
            ),
            "none",
        )
    if len(rows) != len(suits):
        raise EnrolError(
            Translatable(
                "In {name} {found} rows of cards can be made out, and not {wanted}: lay "
                "each suit in a row of its own, on a plain dark cloth.",
                name=name,
                found=len(rows),
                wanted=len(suits),
            ),
            "rows",
            found=len(rows),
            wanted=len(suits),
        )
    for suit, row in zip(suits, rows, strict=True):
        if len(row) != len(ORDER):
            raise EnrolError(
                Translatable(
                    "In {name} {found} cards of {suit} can be made out, and not {wanted}: "
                    "lay all of 1 2 3 4 5 6 7 sota caballo rey, a finger apart, on a plain "
                    "dark cloth, and take the picture from straight above.",
                    name=name,
                    found=len(row),
                    suit=SUIT_NAMES[suit],
                    wanted=len(ORDER),
                ),
                "cards",
                suit=str(suit),
                found=len(row),
            )


def _check_cards(picture: Image, quads: Sequence[Quad], name: str) -> None:
    if min(card_height(quad) for quad in quads) < LEAST_HIGH:
        raise EnrolError(
            Translatable(
                "{name} shows the cards too small: come closer, or put fewer suits in one picture.",
                name=name,
            ),
            "small",
        )
    levels = [_paper(picture, quad) for quad in quads]
    if min(levels) < DARKEST_CARD:
        raise EnrolError(
            Translatable("{name} is too dark: put on more light, and take it again.", name=name),
            "dark",
        )


def _paper(picture: Image, quad: Quad) -> float:
    """The level of a card's paper."""
    small = brightest(warped(picture, quad, (61, 95)))
    return float(np.percentile(small, 75))


def card_height(quad: Quad) -> float:
    """The height of an outline in pixels."""
    return float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2


EDGE_PX, SPAN = 6, 0.02
"""How many pixels around a card its sharpness is measured; and the width of a sharp edge, as a
share of the card's height."""


def sharpness(picture: Image, quad: Quad) -> float:
    """How steep the edges of a card are, as a share of its range of levels.

    It is the worse of the edges across the picture and down, because a moving camera blurs one.
    """
    left, top = np.maximum(quad.min(axis=0).astype(int) - EDGE_PX, 0)
    right, bottom = quad.max(axis=0).astype(int) + EDGE_PX + 1
    levels = brightest(picture[top:bottom, left:right]).astype(np.float32)
    dark, light = np.percentile(levels, (5, 99.5))
    span = max(2, round(SPAN * card_height(quad)))
    along = np.abs(levels[:, span:] - levels[:, :-span])
    down = np.abs(levels[span:] - levels[:-span])
    steepest = min(float(np.percentile(way, 98)) for way in (along, down))
    return steepest / max(1.0, float(light - dark))


def _twins(faces: Mapping[Card, Image]) -> Iterator[tuple[Card, Card]]:
    """Pairs that look the same, either way up."""
    cards = list(faces)
    small = [cv2.GaussianBlur(resized(faces[card], (56, 88)), (0, 0), 1.0) for card in cards]
    upright = np.stack([centred(face) for face in small])
    turned = np.stack([centred(face[::-1, ::-1]) for face in small])
    alike = np.maximum(upright @ upright.T, upright @ turned.T)
    for one, other in np.argwhere(np.triu(alike > ALIKE, 1)):
        yield cards[int(one)], cards[int(other)]


def centred(face: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """A picture as a vector of length 1 without its mean colour: products are correlations."""
    pixels = face.reshape(-1, 3).astype(np.float64)
    pixels = (pixels - pixels.mean(axis=0)).ravel()
    return np.asarray(pixels / max(float(np.linalg.norm(pixels)), 1e-9), np.float64)


# ---- Cards in no order ---------------------------------------------------------------------------


class CardFault(StrEnum):
    """Why a card of a photograph was not learnt, or has to be looked at."""

    SMALL = "small"
    """It is too few pixels high."""
    DARK = "dark"
    GLARE = "glare"
    """A lamp or the sky is mirrored in it."""
    SHADOW = "shadow"
    """A part is far darker than the rest."""
    RIM = "rim"
    """Its rim is not of white paper: it is cut, covered, or no card."""
    BLURRED = "blurred"
    """It moved, or is out of focus."""
    UNKNOWN = "unknown"
    """It is like no card of Mus: an eight, a nine, a joker, or too hard to tell."""
    NOT_MUS = "not_mus"
    """It was put aside as a card that is none of Mus."""


FAULT_TEXTS = {
    CardFault.SMALL: "too small",
    CardFault.DARK: "too dark",
    CardFault.GLARE: "a lamp is mirrored in it",
    CardFault.SHADOW: "a strong shadow lies on it",
    CardFault.RIM: "cut off, covered or without a white rim",
    CardFault.BLURRED: "blurred",
    CardFault.NOT_MUS: "none of Mus, and known as such",
    CardFault.UNKNOWN: "unknown: an eight, a nine, a joker?",
}
MIRRORED, MIRROR_LEVEL = 0.12, 252
"""A lamp is mirrored in a card if this share of its pixels has at least this level."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidCard:
    """A card of a photograph in no order.

    ``row``, ``column``: its place there, from 1; ``face``: its reference, None where ``fault`` says
    why there is none; ``high``: its height in pixels.
    """

    quad: Quad
    row: int
    column: int
    face: Image | None
    fault: CardFault | None
    high: float


def look_at(
    picture: Image, size_mm: tuple[float, float], name: str = "The picture"
) -> list[LaidCard]:
    """All cards of a photograph, row by row. Raises EnrolError where there is none."""
    check_picture(picture, name)
    laid = laid_cards(picture, size_mm)
    if not laid.cards and not laid.refused:
        _check_rows([], (), name)
    good = {id(quad) for quad in laid.cards}
    found = []
    for row, quads in enumerate(in_rows([*laid.cards, *laid.refused]), start=1):
        for column, quad in enumerate(quads, start=1):
            fault = _fault_of(picture, quad, rim=id(quad) in good)
            face = None if fault else reference(picture, quad, size_mm)
            found.append(LaidCard(quad, row, column, face, fault, card_height(quad)))
    return found


def _fault_of(picture: Image, quad: Quad, *, rim: bool) -> CardFault | None:
    if card_height(quad) < LEAST_HIGH:
        return CardFault.SMALL
    bright = brightest(warped(picture, quad, (61, 95)))
    if float(np.percentile(bright, 75)) < DARKEST_CARD:
        return CardFault.DARK
    if rim:
        return None
    if float((bright >= MIRROR_LEVEL).mean()) > MIRRORED:
        return CardFault.GLARE
    return CardFault.SHADOW if rim_unevenness(picture, quad) >= 1 else CardFault.RIM


def known_patterns() -> list[Pattern]:
    """The decks of this machine, as patterns to sort by; a broken one is left out."""
    found = []
    for folder in deck_paths().values():
        try:
            found.append(Pattern(load_deck(folder)))
        except VisionError:
            continue
    return found


def card_place(card: LaidCard) -> str:
    """Where a card lies in its photograph: "row 2, card 4"."""
    return output_text("row {row}, card {column}", row=card.row, column=card.column)
