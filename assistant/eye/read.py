"""Reading a table: from its pictures to the cards of each seat, also drawn into the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from assistant.eye.calibration import Calibration, CalibrationError
from assistant.eye.deck import SUIT_NAMES, Deck
from assistant.eye.find import Finder, Thing
from assistant.eye.images import Image, flipped
from assistant.eye.match import Quad
from assistant.eye.moved import recalibrated
from assistant.eye.peel import FoundCard
from assistant.eye.plane import Plane
from assistant.eye.view import View, view
from assistant.files.terminal import output_word
from assistant.messages.showdown import CardPlace, Settled, Trouble, agreed, settle
from assistant.rules.cards import Card

# ---- From pictures of a table to the cards of each seat, or why some could not be read ----------


SEATS = (1, 2, 3, 4)
UPSET = 0.6
"""The share of the picture that differs from the empty table from which it is no hand of cards."""


class Unread(StrEnum):
    """Why something on the table was not read as a card."""

    UNCLEAR = "unclear"
    """A card, but several are possible."""
    BACK = "back"
    """It lies face down."""
    UNKNOWN = "unknown"
    """Something that is no card of this deck, or hides one."""
    HAND = "hand"
    """A hand reaches into the picture: wait until it is gone."""


class Upset(StrEnum):
    """Why nothing can be read in a whole picture."""

    MOVED = "moved"
    """Most of it differs from the empty table: the camera was moved, or the light changed."""
    NO_PLANE = "no_plane"
    """The table is not calibrated, and no separate card shows how large cards are."""
    OTHER_DECK = "other_deck"
    """Cards lie there, but none is of the deck that the eye reads."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card on the table, or something that was not read as one.

    quad        its corners in pixels, from the upper left of the upright card on
    seat        the seat in whose zone it lies; None if in none
    card        which it is; None if it was not read, and ``unread`` says why
    confidence  probability that the likeliest card is right
    share       the visible share of its face
    likely      the cards that it may be, likeliest first, with their probabilities before all cards
                are judged together
    """

    quad: Quad
    seat: int | None
    card: Card | None
    confidence: float
    share: float
    unread: Unread | None = None
    likely: tuple[tuple[Card, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading some frames of a table; ``upset``: why nothing could be read."""

    sightings: tuple[Sighting, ...]
    settled: Settled
    upset: Upset | None = None


class Reader:
    """Reads tables with one deck."""

    def __init__(self, deck: Deck) -> None:
        self.finder = Finder(deck)
        self._size_mm = deck.size_mm

    def read(
        self,
        frames: Sequence[Image],
        calibration: Calibration | None = None,
        seats: Sequence[int] = SEATS,
    ) -> Reading:
        """Read frames of one size (at least one) between which nothing moved.

        Raises CalibrationError if the table was calibrated with pictures of another size.
        """
        high, wide = frames[0].shape[:2]
        table = calibration or Calibration((wide, high))
        if table.size != (wide, high):
            raise CalibrationError(
                "The table was calibrated with pictures of {width} x {height} pixels, "
                "and this one has {wide} x {high}: calibrate it again.",
                width=table.size[0],
                height=table.size[1],
                wide=wide,
                high=high,
            )
        together = _mean(frames)
        if table.plane is None and table.empty is None and not table.mirrored:
            table = self._guessed(together, table)
        if table.mirrored:
            frames, together = [flipped(frame) for frame in frames], flipped(together)
        plane = table.plane or self._plane(together, table)
        if plane is None:
            other = self.finder.is_other_deck(together)
            why = Upset.OTHER_DECK if other else Upset.NO_PLANE
            return Reading((), settle((), seats), why)
        seen = view(together, plane, None if table.empty is None else table.empty.picture)
        if seen.bare is not None and float(seen.new.mean()) > UPSET:
            return Reading((), settle((), seats), Upset.MOVED)
        reading = self._reading(frames, seen, table, seats)
        told = any(sighting.card for sighting in reading.sightings)
        unknown = any(sighting.unread in _MAYBE_OTHER for sighting in reading.sightings)
        if (seen.bare is None or unknown) and not told and self.finder.is_other_deck(together):
            reading = replace(reading, upset=Upset.OTHER_DECK)
        return _mirrored(reading, wide) if table.mirrored else reading

    def followed(
        self,
        frames: Sequence[Image],
        calibration: Calibration | None,
        seats: Sequence[int] = SEATS,
    ) -> tuple[Reading, Calibration | None]:
        """Read as ``read`` does, by a camera that may have been moved since it was calibrated.

        If cards stay unread, the camera's present position is looked for. Returns the better
        reading, and the calibration it was made by. Raises CalibrationError as ``read`` does.
        """
        table = calibration
        reading = self.read(frames, table, seats)
        if calibration is None or not _leaves_something(reading):
            return reading, table
        picture = _mean(frames)
        picture = flipped(picture) if calibration.mirrored else picture
        upset = reading.upset is Upset.MOVED
        for other in recalibrated(self.finder, picture, calibration, upset=upset):
            again = self.read(frames, other, seats)
            if again.settled.complete or _told(again) > _told(reading):
                reading, table = again, other
            if reading.settled.complete:
                break
        return reading, table

    def _guessed(self, picture: Image, table: Calibration) -> Calibration:
        """A calibration from separate cards, for a table that is not calibrated."""
        found = self.finder.plane(picture)
        if found is None:
            return table
        if self.finder.mirrored(picture, found[1]):
            return replace(table, mirrored=True)
        return replace(table, plane=found[0])

    def _plane(self, picture: Image, table: Calibration) -> Plane | None:
        found = self.finder.plane(picture, table.empty)
        return found[0] if found else None

    def _reading(
        self, frames: Sequence[Image], seen: View, table: Calibration, seats: Sequence[int]
    ) -> Reading:
        found, things = self.finder.found(seen)
        rough = [self._card(frames, seen, table, card) for card in found]
        rough += [_thing(table, thing) for thing in things]
        settled = settle([_place(sighting) for sighting in rough], seats)
        sightings = tuple(
            _final(sighting, *told) for sighting, told in zip(rough, settled.cards, strict=True)
        )
        return Reading(sightings, settled)

    def _card(
        self, frames: Sequence[Image], seen: View, table: Calibration, found: FoundCard
    ) -> Sighting:
        """A card as read by itself, without regard to the others."""
        quad = seen.plane.quad(found.pose, self._size_mm)
        seat = table.seat_of(quad.mean(axis=0))
        card, share = found.likeness.card, found.share
        if card is None:
            return Sighting(quad, seat, None, 0.0, share, Unread.BACK)
        likely = self.finder.likely(seen, found)
        if len(frames) > 1 and not self._agreed(frames, seen.plane, found, card):
            likely = ()
        return Sighting(quad, seat, None, 0.0, share, Unread.UNCLEAR, likely)

    def _agreed(self, frames: Sequence[Image], plane: Plane, found: FoundCard, card: Card) -> bool:
        return agreed(card, [self.finder.again(frame, plane, found) for frame in frames])


def _leaves_something(reading: Reading) -> bool:
    """Whether cards on the table were not read, or belong to no seat."""
    seen = reading.sightings
    return reading.upset is not None or any(one.card is None or one.seat is None for one in seen)


def _told(reading: Reading) -> int:
    """How many cards a reading tells."""
    return sum(sighting.card is not None for sighting in reading.sightings)


def _mirrored(reading: Reading, wide: int) -> Reading:
    """A reading of pictures that were turned back, in pixels of the mirror images."""
    sightings = tuple(
        replace(sighting, quad=np.array([wide - 1, 0]) + sighting.quad * np.array([-1, 1]))
        for sighting in reading.sightings
    )
    return replace(reading, sightings=sightings)


def _mean(frames: Sequence[Image]) -> Image:
    """The mean of frames, which has less noise."""
    if len(frames) == 1:
        return frames[0]
    total = np.zeros(frames[0].shape, np.uint16)
    for frame in frames:
        total += frame
    return np.asarray((total + len(frames) // 2) // len(frames), np.uint8)


def _thing(table: Calibration, thing: Thing) -> Sighting:
    seat = table.seat_of(thing.quad.mean(axis=0))
    return Sighting(thing.quad, seat, None, 0.0, 0.0,
                    Unread.HAND if thing.reaching else Unread.UNKNOWN)  # fmt: skip


def _place(sighting: Sighting) -> CardPlace:
    trouble = _TROUBLES[sighting.unread]
    if sighting.unread is Unread.UNCLEAR and not sighting.likely:
        trouble = Trouble.UNCLEAR  # single frames contradict the mean of all
    return CardPlace(sighting.seat, dict(sighting.likely), trouble)


_MAYBE_OTHER = (Unread.UNCLEAR, Unread.UNKNOWN)
"""How a card of another deck is read. A hand over the cards, or backs, say nothing of the deck."""
_TROUBLES = {
    None: None,
    Unread.UNCLEAR: None,
    Unread.BACK: Trouble.BACK,
    Unread.UNKNOWN: Trouble.UNCLEAR,
    Unread.HAND: Trouble.HAND,
}


def _final(sighting: Sighting, card: Card | None, confidence: float) -> Sighting:
    """A card as judged together with all the others."""
    if sighting.unread is not Unread.UNCLEAR:
        return sighting
    return Sighting(
        sighting.quad,
        sighting.seat,
        card,
        confidence,
        sighting.share,
        None if card else Unread.UNCLEAR,
        sighting.likely,
    )


# ---- A picture of the table with the reading drawn into it, to be checked at a glance -----------


READ, UNREAD, OTHER = (80, 200, 60), (0, 150, 255), (200, 140, 90)
"""Colours in BGR: a card that was read, one that was not, and what is no card."""
PAPER, INK = (255, 255, 255), (20, 20, 20)
REASONS = {
    Unread.UNCLEAR: "?",
    Unread.BACK: "face down",
    Unread.UNKNOWN: "?",
    Unread.HAND: "a hand",
}
Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""
DOWN = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
"""Places for a label, as shares of the card's height; the first free one is taken."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotated(picture: Image, reading: Reading) -> Image:
    """A copy with each card's outline and name; unread ones are amber."""
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
    """Draw a label in the card's middle axis where it hides no other label; return its box."""
    unread = REASONS[sighting.unread or Unread.UNCLEAR]
    text = _short(sighting.card) if sighting.card else output_word(unread)
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
    """A box around the point at this share of a card's middle axis."""
    x, y = sighting.quad[:2].mean(axis=0) * (1 - share) + sighting.quad[2:].mean(axis=0) * share
    left, top = round(float(x) - size[0] / 2), round(float(y) - size[1] / 2)
    return left, top, left + size[0], top + size[1]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _short(card: Card) -> str:
    """A card in few letters: "R coins". Overlapping cards have no room for more."""
    return f"{card.rank} {output_word(SUIT_NAMES[card.suit])}" if card.suit else str(card.rank)


def _colour(sighting: Sighting) -> tuple[int, int, int]:
    if sighting.card:
        return READ
    return UNREAD if sighting.unread in (Unread.UNCLEAR, Unread.BACK) else OTHER
