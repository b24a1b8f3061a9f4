"""The eye's web pages: seats' zones (learnt, or marked by hand), decks, photographs of hands."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol, TypedDict

import cv2
from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from assistant.eye.calibration import (
    Calibration,
    CalibrationError,
    OtherDeckError,
    PictureSide,
    calibrated,
    checked_zone,
    save_calibration,
)
from assistant.eye.find import Finder
from assistant.eye.images import Image
from assistant.eye.match import Quad
from assistant.eye.mounting import Mounting, MountWatch
from assistant.eye.view import FRAMES
from assistant.files.process import UsageError
from assistant.page import BoardError
from assistant.page.app import feature_pages, menu
from assistant.page.board import Board
from assistant.page.door import check_may_touch
from assistant.page.incoming import (
    MAX_PHOTO,
    body_of,
    deck_name,
    deck_to_play,
    frame,
    hand_photo,
    lesson_step,
    not_mus,
    photo,
    two_cards,
    zone,
)
from assistant.rules.errors import MusError, Translatable
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.state import State

# ---- What the pages ask for ----------------------------------------------------------------------


class ZoneError(MusError):
    """A zone or a calibration that is refused. The page has words for its ``code``, if it has one.

    ``params``: the numbers and names that the words take.
    """

    def __init__(self, text: str, code: str = "", **params: str) -> None:
        super().__init__(text)
        self.code = code
        self.params = params


class TableView(TypedDict):
    """How the camera sees the table, in pixels of its picture.

    ``size``: width and height; ``zones``: of each seat that has one, its four corners; ``first``:
    without zones, the side of the picture at which seat 1 sits.
    """

    size: list[int]
    zones: dict[str, list[list[float]]]
    first: str


class FaultView(TypedDict):
    """Why something was not done, as a code; the page has the words."""

    code: str
    params: dict[str, int | str]


class MountedCardView(TypedDict):
    """A card that the camera sees: its corners in pixels of the picture, and its name ("Ro").

    ``card`` is null if that is not sure; ``cut``: it lies partly outside the picture.
    """

    corners: list[list[float]]
    card: str | None
    cut: bool


class JudgedView(TypedDict):
    """The judgement of a picture of a camera that is being mounted.

    size      its width and height; corners are in such pixels
    cards     the cards that are seen, and ``glares`` those in which a lamp is mirrored
    faults    what is wrong, the most urgent first
    high      the height of the smallest card in pixels; 0 where none is seen
    praise    what may be said of the cards: "good", "fair", "few" or "seen"; null without any
    mirrored  whether it is a mirror image, which calibration turns back
    tilt      degrees away from straight above; null where no card shows it
    table_cm  width and height of what is seen of the table; null where no card shows it
    """

    size: list[int]
    cards: list[MountedCardView]
    glares: list[list[list[float]]]
    faults: list[FaultView]
    high: int
    praise: str | None
    mirrored: bool
    tilt: int | None
    table_cm: list[int] | None


class LiveView(JudgedView):
    """The newest picture, which lies at ``/api/camera/live.jpg?number=...``, and its judgement."""

    number: int


class SightView(TypedDict):
    """The camera's picture now.

    ``picture`` is null before the first one, and where ``why`` says why there is none: "cards" are
    in play, the camera is "silent", or the table has no "eye".
    """

    picture: LiveView | None
    why: Literal["cards", "silent", "eye"] | None


class Camera(Protocol):
    """The camera's table as the page sees it. Every method may be called from any thread."""

    def table(self) -> TableView | None:
        """The zones of the seats; ``None`` before the table was calibrated."""

    def picture(self) -> bytes | None:
        """The empty table as JPEG: never a card."""

    def mark(self, seat: int, corners: list[list[float]] | None) -> TableView:
        """Give a seat its zone, or take it away (``None``). Raises ZoneError, BoardError."""

    def turn(self, first: PictureSide) -> TableView:
        """Say at which side of the picture seat 1 sits. Raises ZoneError, BoardError."""

    def learn(self, step: str) -> TableView | None:
        """Calibrate: first the "empty" table, then "cards" on it, one before each seat.

        Raises ZoneError, BoardError.
        """

    def live(self) -> SightView:
        """The newest picture, judged; none while cards are in play.

        It does not wait: pictures are judged in a thread of their own.
        """

    def live_picture(self, number: int) -> bytes | None:
        """A picture as JPEG, by its number; None if it is gone, or cards are in play."""


class DeckView(TypedDict):
    """A deck that the eye can read by. ``own``: enrolled on this machine; it does not ship."""

    name: str
    own: bool
    playing: bool


class CardTroubleView(TypedDict):
    """A card of the last photograph that was not learnt: its place there, from 1, and why."""

    row: int
    column: int
    why: str


class DecksView(TypedDict):
    """The decks, and the one that is being enrolled.

    ``suits``: the new deck's suits that are whole; ``missing``: its missing cards, as "Ro";
    ``doubtful``: those that a person has to look at; ``troubles``: of the last photograph;
    ``unknown``: numbers of pictures that are like no card of Mus; ``not_mus``: numbers of those
    that were put aside as none of Mus; ``version`` rises with each change of the new deck.
    """

    decks: list[DeckView]
    suits: list[str]
    missing: list[str]
    doubtful: list[str]
    troubles: list[CardTroubleView]
    unknown: list[int]
    not_mus: list[int]
    back: bool
    version: int
    fault: FaultView | None


class SweptCardView(TypedDict):
    """A card in a frame: its corners in the frame's pixels, and its name ("Ro").

    ``card`` is null if it was not learnt; ``why`` says why if it would say so of a photograph.
    """

    corners: list[list[float]]
    card: str | None
    why: str | None


class SweptView(TypedDict):
    """The cards found in a frame of ``size``, and how far the new deck is now."""

    size: list[int]
    cards: list[SweptCardView]
    decks: DecksView


class WorkshopPort(Protocol):
    """The port of ``Workshop``. Every method may be called from any thread; some take seconds."""

    def decks(self) -> DecksView:
        """The decks of this machine, and how far the new one is."""

    def photograph(self, data: bytes, suits: str) -> DecksView:
        """Learn from a photograph: of suits, rows from the top; of cards in "any" order.

        Without a suit it is of the back; with "not_mus", of cards that are none of Mus.
        """

    def sweep(self, data: bytes) -> SweptView:
        """Learn from a frame of a camera that is swept over the cards. Raises BoardError."""

    def set_aside(self, which: int | str, *, aside: bool) -> DecksView:
        """Keep a picture, by its number, or a card as none of Mus; or sort it after all."""

    def begin_anew(self) -> DecksView:
        """Forget all that was learnt of the new deck."""

    def picture(self, number: int) -> bytes | None:
        """One of the pictures of the new deck as JPEG, by its number."""

    def overview(self) -> bytes | None:
        """All cards of the new deck as JPEG, a suit in each row; ``None`` before the first."""

    def swap(self, one: str, other: str) -> DecksView:
        """Exchange two cards of the new deck."""

    def keep(self, name: str, *, instead: bool) -> DecksView:
        """Keep the new deck under a name, and read by it. ``instead``: it may replace one."""

    def play(self, name: str) -> DecksView:
        """Read by a deck of this machine."""


class HandView(TypedDict):
    """The reading of a photograph of a hand.

    ``cards``: as texts, "Ro"; null for one that has to be tapped. ``fault``: why it is no hand.
    """

    cards: list[str | None]
    fault: FaultView | None


class ReadCardView(TypedDict):
    """A card that the table's camera sees before a seat.

    ``card`` is null where it is not sure; ``likely``: the cards that it may be instead, likeliest
    first.
    """

    card: str | None
    likely: list[str]


class ReadHandView(TypedDict):
    """The cards that the table's camera sees before a seat, side by side; in "read" of a snapshot.

    Only while they lie open, in the showdown. There may be fewer than a hand has.
    """

    seat: int
    cards: list[ReadCardView]


class HandPhotosPort(Protocol):
    """The port of ``HandPhotos``. Every method may be called from any thread."""

    def prepare(self) -> None:
        """Learn the deck in the background, so that the first hand takes no longer."""

    def read(self, data: bytes, size: int) -> HandView:
        """Read a hand of so many cards; it takes about a second. Raises BoardError."""


# ---- The pages of the zones, of the decks and of a hand that its player photographs -------------


JPEG = "image/jpeg"


def camera_pages(board: Board, camera: Camera) -> Blueprint:
    """Make the page on which zones are marked over the empty table."""
    pages = feature_pages("camera", menu="eye")

    @pages.get("/camera")
    def seen() -> str:
        return render_template("camera.html")

    @pages.get("/api/camera")
    def seen_table() -> Response:
        return jsonify(camera.table())

    @pages.get("/api/camera/empty.jpg")
    def empty_table() -> Response:
        return _picture(camera.picture(), "The table was not calibrated yet.")

    @pages.get("/api/camera/live")
    def live() -> Response:
        check_may_touch()
        return jsonify(camera.live())

    @pages.get("/api/camera/live.jpg")
    def live_picture() -> Response:
        check_may_touch()
        number = request.args.get("number", 0, int)
        return _picture(camera.live_picture(number), "There is no such picture any more.")

    @pages.post("/api/camera/zone")
    def mark_zone() -> Response:
        seat, corners = zone(body_of(request), len(board.snapshot()["seats"]))
        return jsonify(camera.mark(seat, corners))

    @pages.post("/api/camera/first")
    def first_side() -> Response:
        return jsonify(camera.turn(_side_named(body_of(request))))

    @pages.post("/api/camera/learn")
    def learn() -> Response:
        return jsonify(camera.learn(lesson_step(body_of(request))))

    @pages.app_errorhandler(ZoneError)
    def no_zone(error: ZoneError) -> tuple[Response, int]:
        return jsonify(error=str(error), code=error.code, params=error.params), 422

    return pages


def _side_named(body: dict[str, object]) -> PictureSide:
    """Read ``{"side": "above"}``. Raises BadRequest."""
    if body.keys() != {"side"} or body["side"] not in tuple(PictureSide):
        raise BadRequest(f'Send "side", one of {", ".join(PictureSide)}.')
    return PictureSide(str(body["side"]))


def deck_pages(workshop: WorkshopPort) -> Blueprint:
    """Make the page on which decks are enrolled from photographs."""
    pages = feature_pages("decks")

    @pages.get("/decks")
    def decks_page() -> str:
        return render_template("decks.html", **menu())

    @pages.get("/api/decks")
    def decks() -> Response:
        return jsonify(workshop.decks())

    @pages.get("/api/decks/new.jpg")
    def new_deck() -> Response:
        return _picture(workshop.overview(), "No card was photographed yet.")

    @pages.post("/api/decks/photo")
    def take_photo() -> Response:
        request.max_content_length = MAX_PHOTO
        return jsonify(workshop.photograph(*photo(request)))

    @pages.post("/api/decks/sweep")
    def sweep() -> Response:
        request.max_content_length = MAX_PHOTO
        return jsonify(workshop.sweep(frame(request)))

    @pages.get("/api/decks/picture.jpg")
    def picture() -> Response:
        number = request.args.get("number", 0, int)
        return _picture(workshop.picture(number), "There is no such picture any more.")

    @pages.post("/api/decks/not-mus")
    def set_aside() -> Response:
        which, aside = not_mus(body_of(request))
        return jsonify(workshop.set_aside(which, aside=aside))

    @pages.post("/api/decks/anew")
    def begin_anew() -> Response:
        body_of(request)
        return jsonify(workshop.begin_anew())

    @pages.post("/api/decks/swap")
    def swap_cards() -> Response:
        return jsonify(workshop.swap(*two_cards(body_of(request))))

    @pages.post("/api/decks/keep")
    def keep_deck() -> Response:
        name, instead = deck_name(body_of(request))
        return jsonify(workshop.keep(name, instead=instead))

    @pages.post("/api/decks/play")
    def play_deck() -> Response:
        return jsonify(workshop.play(deck_to_play(body_of(request))))

    return pages


def hand_pages(board: Board, photos: HandPhotosPort) -> Blueprint:
    """Make the addresses to which a player's telephone sends the photograph of its own hand.

    A photograph is read in the showdown and at no other time, and is not kept.
    """
    pages = feature_pages("hand_photo", menu="hand_photo")

    @pages.post("/api/hand/ready")
    def make_ready() -> Response:
        body_of(request)
        photos.prepare()
        return jsonify(ready=True)

    @pages.post("/api/hand/photo")
    def read_hand() -> Response:
        request.max_content_length = MAX_PHOTO
        data, seat, deal = hand_photo(request)
        size = _cards_to_show(board, seat, deal)
        return jsonify(photos.read(data, size))

    return pages


def _cards_to_show(board: Board, seat: int, deal: int) -> int:
    """How many cards a seat has to show now. Raises BadRequest, Conflict."""
    now = board.snapshot()
    if not 1 <= seat <= len(now["seats"]):
        raise BadRequest(f'"seat" must be a whole number from 1 to {len(now["seats"])}.')
    if deal != now["deal"] or not now["seats"][seat - 1]["may_show"]:
        raise Conflict("Cards are read once they are shown, and not before.")
    return now["seats"][seat - 1]["cards"]


def _picture(data: bytes | None, otherwise: str) -> Response:
    if data is None:
        raise NotFound(otherwise)
    return Response(data, mimetype=JPEG)


# ---- Calibrating on the page: first the empty table, then one with a card before each player ----


IN_PLAY = "Cards are in play: finish the hand first."
PATIENCE = 4.0
"""Seconds that a hand that has tapped may take to leave the picture."""
POLL = 0.1


class ZoneCalibration:
    """A calibration on the page, in two steps. Any thread may call it, one at a time."""

    def __init__(
        self,
        sight: Callable[[], list[Image]],
        finder: Callable[[], Finder],
        in_play: Callable[[], bool],
    ) -> None:
        """``sight``: the last pictures in which nothing moved; ``in_play``: whether cards are."""
        self._sight = sight
        self._finder = finder
        self._in_play = in_play
        self._empty: list[Image] = []

    def empty(self) -> None:
        """Learn the table without cards. Raises ZoneError."""
        if self._in_play():
            raise ZoneError(IN_PLAY, "cards")
        self._empty = self._still()

    def cards(self) -> Calibration:
        """Learn how large cards are all over it, from one before each seat. Raises ZoneError."""
        if not self._empty:
            raise ZoneError("Show the empty table first.", "order")
        try:
            table, _ = calibrated(self._finder(), self._empty, self._still()[-1])
        except OtherDeckError as error:
            raise _of_other_deck(error) from error
        except UsageError as error:
            raise ZoneError(str(error), "few") from error
        self._empty = []
        return table

    def _still(self) -> list[Image]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if len(seen := self._sight()) == FRAMES:
                return seen
            time.sleep(POLL)
        raise ZoneError("The picture does not stand still: leave the table alone.", "moves")


def _of_other_deck(error: OtherDeckError) -> ZoneError:
    other = error.other
    if other.better is None:
        return ZoneError(str(error), "other_deck", deck=other.deck)
    return ZoneError(str(error), "better_deck", deck=other.deck, better=other.better)


# ---- The seats' zones, marked on the page over the picture of the empty table -------------------
# While cards are in play the camera's own picture is never served: it would show hands before the
# showdown.


QUALITY = 85
"""Quality of the JPEG: enough for a person to see where a seat's cards lie."""


def in_play(state: State) -> bool:
    """Whether somebody holds cards, or they lie on the table to be counted."""
    return state.deal > 0 and state.phase not in AFTER_DEAL


class Zones:
    """The calibration of a table that is being played at. Any thread may call it."""

    def __init__(
        self,
        folder: Path,
        calibration: Calibration | None,
        changed: Callable[[Calibration], None],
        lesson: ZoneCalibration | None = None,
        watch: MountWatch | None = None,
    ) -> None:
        """``changed`` is called with a new calibration; without a ``lesson`` none is learnt here.

        ``watch`` gives the live picture; without it there is none.
        """
        self._lesson = lesson
        self._watch = watch
        self._folder = folder
        self._calibration = calibration
        self._changed = changed
        self._lock = threading.Lock()

    def table(self) -> TableView | None:
        """The picture's size and the zones; None before the table was calibrated."""
        known = self._calibration
        if known is None or known.empty is None:
            return None
        zones = {str(seat): _corners(zone) for seat, zone in sorted(known.zones.items())}
        return {"size": list(known.size), "zones": zones, "first": str(known.first)}

    def picture(self) -> bytes | None:
        """The empty table as JPEG."""
        known = self._calibration
        if known is None or known.empty is None:
            return None
        _, data = cv2.imencode(".jpg", known.empty.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return data.tobytes()

    def mark(self, seat: int, corners: list[list[float]] | None) -> TableView:
        """Give a seat its zone, or take it away. Raises ZoneError, BoardError."""
        with self._lock:
            known = self._known()
            zones = {other: zone for other, zone in known.zones.items() if other != seat}
            if corners is not None:
                zones[seat] = _checked(seat, corners, known)
            self._keep(replace(known, zones=zones))
        table = self.table()
        assert table is not None
        return table

    def turn(self, first: PictureSide) -> TableView:
        """Say at which side of the picture seat 1 sits. Raises ZoneError, BoardError."""
        with self._lock:
            self._keep(replace(self._known(), first=first))
        table = self.table()
        assert table is not None
        return table

    def _known(self) -> Calibration:
        """Raises ZoneError before the table was calibrated."""
        if self._calibration is None or self._calibration.empty is None:
            raise ZoneError("Calibrate the table first, with mus calibrate.")
        return self._calibration

    def learn(self, step: str) -> TableView | None:
        """Calibrate, a step at a time; marked zones stay. Raises ZoneError, BoardError."""
        if self._lesson is None:
            raise ZoneError("Calibrate the table with mus calibrate.")
        with self._lock, self._watch.alone() if self._watch else nullcontext():
            if step == "empty":
                self._lesson.empty()
                return self.table()
            table, old = self._lesson.cards(), self._calibration
            if old and old.size == table.size:
                table = replace(table, zones={**old.zones, **table.zones}, first=old.first)
            self._keep(table)
        return self.table()

    def live(self) -> SightView:
        """The newest picture, judged; none while cards are in play."""
        if self._watch is None:
            return {"picture": None, "why": "eye"}
        if self._watch.in_play():
            return {"picture": None, "why": "cards"}
        newest = self._watch.newest()
        if self._watch.silent():
            return {"picture": None, "why": "silent"}
        if newest is None:
            return {"picture": None, "why": None}
        return {"picture": {"number": newest.number, **live_view(newest.mounting)}, "why": None}

    def live_picture(self, number: int) -> bytes | None:
        """A picture as JPEG, by its number."""
        return None if self._watch is None else self._watch.jpeg(number)

    def _keep(self, calibration: Calibration) -> None:
        try:
            save_calibration(self._folder, calibration)
        except OSError as error:
            raise BoardError(
                "The calibration could not be kept: {why}.", why=error.strerror
            ) from error
        self._calibration = calibration
        self._changed(calibration)


def live_view(told: Mounting) -> JudgedView:
    """A judgement as the page gets it."""
    return {
        "size": list(told.size),
        "cards": [
            {
                "corners": _corners(card.quad),
                "card": None if card.card is None else str(card.card),
                "cut": card.cut,
            }
            for card in told.cards
        ],
        "glares": [_corners(quad) for quad in told.glares],
        "faults": [
            {"code": str(code), "params": dict(params)} for code, params in told.faults.items()
        ],
        "high": told.least_high,
        "praise": told.praise,
        "mirrored": told.mirrored,
        "tilt": None if told.tilt is None else round(told.tilt),
        "table_cm": None if told.table_cm is None else list(told.table_cm),
    }


def _corners(quad: Quad) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]


def _checked(seat: int, corners: list[list[float]], known: Calibration) -> Quad:
    try:
        return checked_zone(Translatable("The zone of seat {seat}", seat=seat), corners, known.size)
    except CalibrationError as error:
        raise ZoneError(str(error)) from error
