"""Mounting the camera: judges whether its picture of the table is good enough to read cards."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np

from assistant.eye.enrol import EnrolError, check_picture
from assistant.eye.find import Finder
from assistant.eye.images import Image, brightest
from assistant.eye.match import Likeness, Quad, trust, warped
from assistant.eye.other_deck import OtherDeck, better_deck, other_deck
from assistant.eye.outlines import card_outlines, exact, plane_of
from assistant.eye.plane import Plane, posed
from assistant.messages.showdown import SURE
from assistant.rules.cards import HAND_SIZE, Card

log = logging.getLogger("mus.eye")

# ---- The judgement of one picture ----------------------------------------------------------------
# A person lays a few cards on the table and looks at the camera's reading of them. So a fault that
# would spoil a calibration or a showdown is found before either.


LEAST_CARD = 100
"""Cards less high than this, in pixels, are seldom read."""
ROOMY_CARD = 140
"""Pixels of a card's height from which on cards that overlap are read well, too."""
MOST_TILT = 35.0
"""Degrees away from straight above. Of five rendered tables, four cards calibrated each at 30
degrees, four at 35, and two to four from 40 on."""
SHARP_CARD = 0.45
"""The steepest edges of a card span this share of its range of levels within three pixels: 1.0 in
sharp renderings, 0.55 and 0.4 with a blur of two and three pixels, by which cards are lost."""
CUT_PX = 2.0
"""A corner that lies further than this outside the picture is cut off."""
WHITE, BLINDED = 250, 0.5
"""A lamp blinds a card if the share BLINDED of it has the level WHITE (of 255) in every channel."""
LEAST_VOTES, FEATURES_OFF_MM = 7, 4.0
"""The least number of local features that show a card without a clear outline; and the most that
they may be off in the table's plane, as a root mean square."""
CUT_OFF_MM = 2.0
"""The same for a card that is cut off, whose art cannot be compared."""
APART = 0.5
"""Two cards whose middles are nearer than so many widths are the same one."""
CARD_PX = (61, 95)
"""Width and height to which an outline's inside is rectified to see how white it is."""
SPOT = 0.15
"""From this share of a card's area on, a white spot beside the cards is a lamp mirrored in a card
that is not made out."""
BESIDE = 1.0
"""A white spot belongs to the lamp of a blinded card if it is nearer to it than this many times the
root of the card's area."""
LEAST_OF_DECK = 2
"""If fewer cards of the deck are seen, the cards may be those of another deck."""
FEWEST_FOR_TILT = 2
"""How many cards it takes to show how the camera leans."""
LEAST_RANGE = 60.0
"""Levels between the darkest and the brightest of a picture; a flatter one has no edge to be
sharp."""
EDGE_PX, SPAN_PX = 6, 3
"""How many pixels around a card its sharpness is measured, and over how many an edge."""


FaultParams = Mapping[str, int | str]
"""The numbers and names that say more of a fault."""


class MountFault(StrEnum):
    """Why cards could not be read well in such a picture, the most urgent first."""

    DARK = "dark"
    """There is too little light to see the art of the cards."""
    BLURRED = "blurred"
    """The picture is out of focus, or the camera shakes."""
    OTHER_DECK = "other_deck"
    """The cards are not those of the deck."""
    BETTER_DECK = "better_deck"
    """They are those of another deck that is known."""
    NONE = "none"
    """No card of the deck is made out."""
    SMALL = "small"
    """Some card is less high than ``LEAST_CARD`` pixels."""
    CUT = "cut"
    """A card lies partly outside the picture."""
    TILTED = "tilted"
    """The camera looks from the side: by more than ``MOST_TILT`` degrees."""
    GLARE = "glare"
    """A lamp is mirrored in a card, which is white in the picture."""


class Praise(StrEnum):
    """The good that can be said of the cards that a camera sees."""

    GOOD = "good"
    """One before each seat, all large enough for cards that overlap."""
    FAIR = "fair"
    """One before each seat, large enough for cards that lie apart."""
    FEW = "few"
    """They are good, but there is not one before each seat."""
    SEEN = "seen"
    """They are seen; something else is wrong."""


@dataclass(frozen=True, slots=True)
class MountedCard:
    """A card that the camera sees.

    quad   its corners in pixels of the picture, shape (4, 2); some may lie outside the picture
    card   the card; None if that is not sure
    high   its height in pixels
    cut    whether it lies partly outside the picture
    """

    quad: Quad
    card: Card | None
    high: float
    cut: bool


@dataclass(frozen=True, slots=True)
class Mounting:
    """The judgement of one picture of a camera that is being mounted.

    size      width and height of the picture, in pixels
    cards     the cards that are seen
    faults    what is wrong, the most urgent first, each with the numbers that say how much
    glares    outlines of cards in which a lamp is mirrored
    mirrored  whether the camera shows a mirror image, which calibration turns back
    tilt      degrees away from straight above; None where too few cards show it
    table_cm  width and height of the part of the table that is seen; None where no card shows it
    """

    size: tuple[int, int]
    cards: tuple[MountedCard, ...]
    faults: Mapping[MountFault, FaultParams] = field(default_factory=dict)
    glares: tuple[Quad, ...] = ()
    mirrored: bool = False
    tilt: float | None = None
    table_cm: tuple[int, int] | None = None

    @property
    def least_high(self) -> int:
        """The height of the smallest card in pixels; 0 where none is seen."""
        return round(min((card.high for card in self.cards), default=0.0))

    @property
    def praise(self) -> Praise | None:
        """The good that can be said of the cards; None if none is seen."""
        if not self.cards:
            return None
        if self.faults:
            return Praise.SEEN
        if len(self.cards) < HAND_SIZE:
            return Praise.FEW
        return Praise.GOOD if self.least_high >= ROOMY_CARD else Praise.FAIR


def judged(
    picture: Image, finder: Finder, knows: Callable[[Image, str], str | None] = better_deck
) -> Mounting:
    """Judge a picture in which a few cards of the finder's deck lie apart, face up.

    It takes some tenths of a second where four cards or more have clear outlines, else about one.
    ``knows``: finds the known deck that has the cards of a picture, where they are of another one.
    """
    high, wide = picture.shape[:2]
    outlines = [exact(picture, quad) for quad in card_outlines(picture, finder.size_mm)]
    likes = [(quad, both) for quad in outlines if (both := finder.inside(picture, quad))]
    quads = [quad for quad, _ in likes]
    mirrored = bool(quads) and finder.mirrored(picture, quads)
    cards = [_card(quad, both[mirrored], (wide, high)) for quad, both in likes]
    fitted = plane_of((wide, high), quads, finder.size_mm)
    plane = fitted[0] if fitted else None
    if len(cards) < HAND_SIZE and not mirrored:  # features of a mirrored card are no card's
        plane, more = _by_features(picture, finder, plane, cards)
        cards += more
    tilt = _tilt(plane) if plane and len(cards) >= FEWEST_FOR_TILT else None
    glares = tuple(_glares(picture, outlines, cards))
    other = other_deck(picture, finder, knows) if len(cards) < LEAST_OF_DECK else None
    faults = dict(_faults(picture, cards, glares, tilt, other))
    ordered = {code: faults[code] for code in MountFault if code in faults}
    return Mounting((wide, high), tuple(cards), ordered, glares, mirrored, tilt, _table_cm(plane))


def _faults(
    picture: Image,
    cards: Sequence[MountedCard],
    glares: Sequence[Quad],
    tilt: float | None,
    other: OtherDeck | None,
) -> Iterator[tuple[MountFault, FaultParams]]:
    if (code := _unusable(picture, cards)) is not None:
        yield code, {}
    if other is not None and other.better:
        yield MountFault.BETTER_DECK, {"deck": other.deck, "better": other.better}
    elif other is not None:
        yield MountFault.OTHER_DECK, {"deck": other.deck}
    elif not cards:
        yield MountFault.NONE, {}
    small = [card.high for card in cards if card.high < LEAST_CARD]
    if small:
        yield MountFault.SMALL, {"pixels": int(min(small)), "wanted": LEAST_CARD}
    if cut := sum(card.cut for card in cards):
        yield MountFault.CUT, {"n": cut}
    if tilt is not None and tilt > MOST_TILT:
        yield MountFault.TILTED, {"degrees": round(tilt), "most": round(MOST_TILT)}
    if glares:
        yield MountFault.GLARE, {"n": len(glares)}


def _unusable(picture: Image, cards: Sequence[MountedCard]) -> MountFault | None:
    """The fault of the picture as a whole: it is too dark, or blurred."""
    try:
        check_picture(picture, "The picture")
    except EnrolError as error:
        code = MountFault(error.code)
        return None if code is MountFault.BLURRED and _flat(picture) else code
    whole = [_sharpness(picture, card.quad) for card in cards if not card.cut]
    if whole and float(np.median(whole)) < SHARP_CARD:
        return MountFault.BLURRED
    return None


def _flat(picture: Image) -> bool:
    """Whether nothing in a picture has edges by which it could be called sharp or blurred."""
    dark, light = np.percentile(brightest(picture[::4, ::4]), (5, 99.5))
    return float(light - dark) < LEAST_RANGE


def _sharpness(picture: Image, quad: Quad) -> float:
    """How steep the edges of a card are, as a share of its range of levels."""
    left, top = np.maximum(quad.min(axis=0).astype(int) - EDGE_PX, 0)
    right, bottom = quad.max(axis=0).astype(int) + EDGE_PX + 1
    levels = brightest(picture[top:bottom, left:right]).astype(np.float32)
    dark, light = np.percentile(levels, (5, 99.5))
    along = np.abs(levels[SPAN_PX:, SPAN_PX:] - levels[SPAN_PX:, :-SPAN_PX])
    down = np.abs(levels[SPAN_PX:, SPAN_PX:] - levels[:-SPAN_PX, SPAN_PX:])
    return float(np.percentile(np.maximum(along, down), 99) / max(1.0, light - dark))


def _card(quad: Quad, like: Likeness, size: tuple[int, int]) -> MountedCard:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    cut = bool((quad < -CUT_PX).any() or (quad > np.array(size) - 1 + CUT_PX).any())
    sure = trust(like, edges=1.0, share=1.0) >= SURE and not cut
    return MountedCard(quad, like.card if sure else None, float(sides[[1, 3]].mean()), cut)


def _by_features(
    picture: Image, finder: Finder, plane: Plane | None, known: Sequence[MountedCard]
) -> tuple[Plane | None, list[MountedCard]]:
    """Further cards by local features: those that are cut off, or lie on a cloth like paper."""
    high, wide = picture.shape[:2]
    guesses = [one for one in finder.features.guesses(picture) if one.votes >= LEAST_VOTES]
    if plane is None or len(known) < FEWEST_FOR_TILT:
        fitted = finder.features.plane((wide, high), guesses)
        plane = fitted[0] if fitted else plane
    if plane is None:
        return None, []
    found: list[MountedCard] = []
    cut: list[MountedCard] = []
    for guess in guesses:
        pose, errors = posed(guess.pixels, guess.mm, plane)
        off = float(np.sqrt((errors**2).mean()))
        quad = plane.quad(pose, finder.size_mm)
        if off > FEATURES_OFF_MM or any(_same(quad, one.quad) for one in (*known, *found, *cut)):
            continue
        both = finder.inside(picture, quad)
        card = _card(quad, both[0] if both else NOTHING, (wide, high))
        if both:
            found.append(card)
        elif card.cut and off < CUT_OFF_MM:
            cut.append(card)
    # A checked cloth has features, too: without any whole card they may all be the cloth's.
    return (plane, found + cut) if known or found else (None, [])


NOTHING = Likeness(None, 0.0, 0.0, upside_down=False)
"""The likeness of an outline's inside that looks like no card."""


def _same(one: Quad, other: Quad) -> bool:
    far = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
    return far < APART * float(np.linalg.norm(one[1] - one[0]))


def _glares(
    picture: Image, outlines: Sequence[Quad], cards: Sequence[MountedCard]
) -> Iterator[Quad]:
    """Cards in which a lamp is mirrored: white outlines, and white spots where no card is seen."""
    white = np.asarray(picture.min(axis=2) >= WHITE, np.uint8)
    blind = [quad for quad in outlines if float(warped(white, quad, CARD_PX).mean()) > BLINDED]
    yield from blind
    if not cards:
        return
    area = float(np.median([cv2.contourArea(one.quad.astype(np.float32)) for one in cards]))
    for spot in cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        if cv2.contourArea(spot) < SPOT * area:
            continue
        box = np.asarray(cv2.boxPoints(cv2.minAreaRect(spot)), np.float64)
        of_a_card = any(_outside(box, card.quad) < 0 for card in cards)
        if not of_a_card and all(_outside(box, quad) > BESIDE * area**0.5 for quad in blind):
            yield box


def _outside(box: Quad, quad: Quad) -> float:
    """How far outside an outline the middle of a box lies, in pixels; below 0 inside of it."""
    x, y = (float(part) for part in box.mean(axis=0))
    return -cv2.pointPolygonTest(quad.astype(np.float32), (x, y), measureDist=True)


def _tilt(plane: Plane) -> float:
    """How far the camera leans, in degrees, by how much shorter things look in one direction.

    In the picture's middle, lengths in the direction of the lean shrink by the cosine of its angle.
    """
    off = float(np.hypot(*plane.stretch))
    return float(np.degrees(np.arccos(np.clip((1 - off) / (1 + off), 0.0, 1.0))))


def _table_cm(plane: Plane | None) -> tuple[int, int] | None:
    """Width and height of the visible part of the table, through the middle of the picture."""
    if plane is None:
        return None
    wide, high = plane.size
    ends = np.array([[0, high / 2], [wide, high / 2], [wide / 2, 0], [wide / 2, high]])
    left, right, top, bottom = plane.to_mm(ends)
    across, down = np.linalg.norm(right - left), np.linalg.norm(bottom - top)
    return round(float(across) / 10), round(float(down) / 10)


# ---- Live: one picture after another is judged, in a thread of its own, while somebody looks -----


EVERY_S = 1.0
"""Seconds from one picture to the next, at least."""
REST = 1.0
"""How many times as long as it worked the thread rests: it takes half a core at the most."""
LOOKED_AT_S = 5.0
"""The thread ends when nobody has asked for a picture for so many seconds."""
SILENT_S = 4.0
"""Seconds without a new picture after which the camera counts as silent."""
SHOWN_WIDE, SHOWN_QUALITY = 960, 75
"""Width of the picture that is shown, in pixels, and the quality of its JPEG: about 60 kB."""
ENDS_WITHIN_S = 10.0


@dataclass(frozen=True, slots=True)
class LivePicture:
    """A picture of the camera and its judgement; ``number`` counts them; ``jpeg`` is smaller."""

    number: int
    jpeg: bytes
    mounting: Mounting


class MountWatch:
    """Judges the newest picture of a camera again and again, for as long as somebody asks.

    Pictures are taken, kept and given only while no cards are in play. Any thread may call it.
    """

    def __init__(
        self,
        sight: Callable[[], Sequence[Image]],
        finder: Callable[[], Finder],
        in_play: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``sight``: the last pictures, newest last; ``finder``: of the deck that is played."""
        self._sight = sight
        self._finder = finder
        self.in_play = in_play
        self._clock = clock
        self._finding = threading.Lock()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._until = 0.0
        self._count = 0
        self._kept: tuple[LivePicture, ...] = ()
        self._last: Image | None = None
        self._came_at = clock()
        self._silent = False
        self._better: dict[str, str | None] = {}

    def newest(self) -> LivePicture | None:
        """The newest judged picture; None before the first, and while cards are in play."""
        if self.in_play():
            self._forget()
            return None
        with self._lock:
            now = self._clock()
            self._until = now + LOOKED_AT_S
            if not self._over.is_set() and self._thread is None:
                self._came_at, self._silent = now, False
                self._thread = threading.Thread(target=self._run, name="mounting", daemon=True)
                self._thread.start()
            return self._kept[-1] if self._kept else None

    def jpeg(self, number: int) -> bytes | None:
        """The picture of that number, one of the last two; None if it is gone."""
        if self.in_play():
            self._forget()
        return next((one.jpeg for one in self._kept if one.number == number), None)

    def silent(self) -> bool:
        """Whether the camera has sent no new picture for a while."""
        return self._silent

    def alone(self) -> AbstractContextManager[bool]:
        """Keep the watch from using the finder meanwhile: one thread at a time may."""
        return self._finding

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        if (thread := self._thread) is not None:
            thread.join(ENDS_WITHIN_S)

    def _forget(self) -> None:
        with self._lock:
            self._kept = ()
            self._last = None

    def _run(self) -> None:
        while not self._over.is_set():
            began = self._clock()
            try:
                self._look()
            except Exception:
                log.exception("a picture could not be judged")  # the next one may
            spent = self._clock() - began
            self._over.wait(max(EVERY_S - spent, REST * spent))
            with self._lock:
                if self._clock() > self._until:
                    self._thread = None
                    self._kept = ()
                    self._last = None
                    return

    def _look(self) -> None:
        seen = self._sight()
        if not seen or seen[-1] is self._last:
            self._silent = self._clock() - self._came_at > SILENT_S
            return
        if self.in_play():
            return
        picture = self._last = seen[-1]
        self._silent = False
        with self._finding:
            mounting = judged(picture, self._finder(), self._better_deck)
            if not mounting.faults.keys() & _STRANGE:
                self._better.clear()
        jpeg = _shown(picture)
        self._came_at = self._clock()  # while one was judged, the next may have come
        with self._lock:
            if self.in_play():  # the cards were dealt meanwhile
                self._kept = ()
                return
            self._count += 1
            self._kept = (*self._kept[-1:], LivePicture(self._count, jpeg, mounting))

    def _better_deck(self, picture: Image, than: str) -> str | None:
        """The known deck of the cards; found once, until cards of the right deck are seen."""
        if than not in self._better:
            self._better[than] = better_deck(picture, than)
        return self._better[than]


_STRANGE = {MountFault.OTHER_DECK, MountFault.BETTER_DECK}


def _shown(picture: Image) -> bytes:
    share = min(1.0, SHOWN_WIDE / picture.shape[1])
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, SHOWN_QUALITY])
    return data.tobytes()
