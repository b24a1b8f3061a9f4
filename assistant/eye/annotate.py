"""A picture of the table with what was read drawn into it, for a person to check at a glance."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from assistant.eye.images import Image
from assistant.eye.read import Reading, Sighting, Unread
from assistant.rules.cards import Card

READ, UNREAD, OTHER = (80, 200, 60), (0, 150, 255), (200, 140, 90)
"""Colours in BGR: a card that was read, one that was not, and what is no card."""
PAPER, INK = (255, 255, 255), (20, 20, 20)
REASONS = {
    Unread.UNCLEAR: "?",
    Unread.BACK: "boca abajo",
    Unread.UNKNOWN: "?",
    Unread.HAND: "mano",
}
Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""
DOWN = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
"""Of a card's height: where its label may go, the first free place."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotated(picture: Image, reading: Reading) -> Image:
    """A copy with every card's outline and name; amber is what was not read."""
    drawn = picture.copy()
    unit = max(picture.shape[:2]) / 1920
    for sighting in reading.sightings:
        _outlined(drawn, sighting, unit)
    taken: list[Box] = []
    for sighting in reading.sightings:
        taken.append(_labelled(drawn, sighting, unit, taken))
    return drawn


def _outlined(drawn: Image, sighting: Sighting, unit: float) -> None:
    corners = np.round(sighting.quad).astype(np.int32)
    cv2.polylines(drawn, [corners], isClosed=True, color=_colour(sighting),
                  thickness=max(1, round(3 * unit)), lineType=cv2.LINE_AA)  # fmt: skip


def _labelled(drawn: Image, sighting: Sighting, unit: float, taken: Sequence[Box]) -> Box:
    """A label somewhere down the card's middle, where it hides no other label."""
    text = _short(sighting.card) if sighting.card else REASONS[sighting.unread or Unread.UNCLEAR]
    scale, thick = 0.55 * unit, max(1, round(1.5 * unit))
    (wide, high), base = cv2.getTextSize(text, FONT, scale, thick)
    edge = round(4 * unit)
    boxes = [_box(sighting, share, (wide + 2 * edge, high + base + edge)) for share in DOWN]
    left, top, right, bottom = next(
        (box for box in boxes if not any(_meet(box, other) for other in taken)), boxes[0]
    )
    cv2.rectangle(drawn, (left, top), (right, bottom), PAPER, cv2.FILLED)
    cv2.rectangle(drawn, (left, top), (right, bottom), _colour(sighting), max(1, round(2 * unit)))
    spot = left + edge, bottom - base
    cv2.putText(drawn, text, spot, FONT, scale, INK, thick, cv2.LINE_AA)
    return left, top, right, bottom


def _box(sighting: Sighting, share: float, size: tuple[int, int]) -> Box:
    """A box of that size about a point so far down the middle of a card."""
    x, y = sighting.quad[:2].mean(axis=0) * (1 - share) + sighting.quad[2:].mean(axis=0) * share
    left, top = round(float(x) - size[0] / 2), round(float(y) - size[1] / 2)
    return left, top, left + size[0], top + size[1]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def card_name(card: Card) -> str:
    """A card in words: "rey de oros"."""
    suit = f" de {card.suit.name.lower()}" if card.suit else ""
    return f"{card.rank.name.lower()}{suit}"


def _short(card: Card) -> str:
    """A card in few letters: "R oros"; those that lie on each other leave no room for more."""
    return f"{card.rank} {card.suit.name.lower()}" if card.suit else str(card.rank)


def _colour(sighting: Sighting) -> tuple[int, int, int]:
    if sighting.card:
        return READ
    return UNREAD if sighting.unread in (Unread.UNCLEAR, Unread.BACK) else OTHER
