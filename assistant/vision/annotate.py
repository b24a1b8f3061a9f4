"""A picture of the table with what was read drawn into it, for a person to check at a glance."""

from __future__ import annotations

import cv2
import numpy as np

from assistant.rules.cards import Card
from assistant.vision.images import Image
from assistant.vision.read import Reading, Sighting, Unread

READ, UNREAD, OTHER = (80, 200, 60), (0, 150, 255), (200, 140, 90)
"""Colours in BGR: a card that was read, one that was not, and what is no card."""
PAPER, INK = (255, 255, 255), (20, 20, 20)
REASONS = {
    Unread.UNCLEAR: "?",
    Unread.BACK: "boca abajo",
    Unread.UNKNOWN: "?",
    Unread.HAND: "mano",
}
FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotated(picture: Image, reading: Reading) -> Image:
    """A copy with every card's outline and name; amber is what was not read."""
    drawn = picture.copy()
    unit = max(picture.shape[:2]) / 1920
    for sighting in reading.sightings:
        _outlined(drawn, sighting, unit)
    for sighting in reading.sightings:
        _labelled(drawn, sighting, unit)
    return drawn


def _outlined(drawn: Image, sighting: Sighting, unit: float) -> None:
    corners = np.round(sighting.quad).astype(np.int32)
    cv2.polylines(drawn, [corners], isClosed=True, color=_colour(sighting),
                  thickness=max(1, round(3 * unit)), lineType=cv2.LINE_AA)  # fmt: skip


def _labelled(drawn: Image, sighting: Sighting, unit: float) -> None:
    """A label on the card's upper edge: there it hides least of the cards that lie on this one."""
    text = _short(sighting.card) if sighting.card else REASONS[sighting.unread or Unread.UNCLEAR]
    scale, thick = 0.6 * unit, max(1, round(1.5 * unit))
    (wide, high), base = cv2.getTextSize(text, FONT, scale, thick)
    x, y = sighting.quad[:2].mean(axis=0) * 0.8 + sighting.quad[2:].mean(axis=0) * 0.2
    left, bottom = round(x - wide / 2), round(y + high / 2)
    edge = round(4 * unit)
    cv2.rectangle(drawn, (left - edge, bottom - high - edge), (left + wide + edge, bottom + base),
                  PAPER, cv2.FILLED)  # fmt: skip
    cv2.rectangle(drawn, (left - edge, bottom - high - edge), (left + wide + edge, bottom + base),
                  _colour(sighting), max(1, round(2 * unit)))  # fmt: skip
    cv2.putText(drawn, text, (left, bottom), FONT, scale, INK, thick, cv2.LINE_AA)


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
