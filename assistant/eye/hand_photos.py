"""Photographs that telephones send to the page: hands to be read, and decks to be enrolled."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import cv2

from assistant.eye.at_table import Eye
from assistant.eye.deck import (
    Deck,
    DeckError,
    check_name,
    deck_folder,
    deck_paths,
    find_deck,
    keep_deck,
    load_deck,
    overview,
    own_dir,
)
from assistant.eye.enrol import CardFault, DeckDraft, EnrolError, known_patterns
from assistant.eye.hand import HandReader, HandReading
from assistant.eye.images import Image, ImageError, VisionError, image_of
from assistant.eye.page import (
    CardTroubleView,
    DecksView,
    FaultView,
    HandView,
    deck_pages,
    hand_pages,
)
from assistant.eye.read import Reader
from assistant.eye.sorting import Pattern
from assistant.files.process import UsageError
from assistant.page.board import BoardError
from assistant.page.house import House
from assistant.page.incoming import ANY_ORDER
from assistant.rules.cards import Suit, parse_card
from assistant.rules.errors import CardError

log = logging.getLogger("mus.eye")

NAME = "The photograph"

# ---- Hands that their own players photograph, one at a time -------------------------------------


WAIT_S = 20.0
"""Seconds that a photograph waits for those before it: each takes memory and about a second."""


class HandPhotos:
    """Reads photographs of single hands, one at a time. Nothing of them is kept.

    The deck is loaded when the first telephone asks, because many tables have none.
    """

    def __init__(self, load: Callable[[], Deck]) -> None:
        """``load`` gives the deck; it may raise UsageError, DeckError or ImageError."""
        self._load = load
        self._reader: HandReader | None = None
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Learn the deck in the background, so that the first hand is not waited for longer."""
        threading.Thread(target=self._prepared, name="mus-hand", daemon=True).start()

    def reads_by(self, deck: Deck) -> None:
        """Read another deck from now on."""
        with self._lock:
            self._reader = HandReader(deck)

    def read(self, data: bytes, size: int) -> HandView:
        """Read a hand of ``size`` cards. Raises BoardError if too many others wait."""
        if not self._lock.acquire(timeout=WAIT_S):
            raise BoardError("Other photographs are still being read: take it again.")
        try:
            reader = self._known()
            return _view(reader.read(image_of(data, NAME), size), size, reader.name)
        except (UsageError, DeckError) as error:
            log.warning("%s", error)
            return {"cards": [], "fault": {"code": "deck", "params": {}}}
        except ImageError:
            return {"cards": [], "fault": {"code": "image", "params": {}}}
        finally:
            self._lock.release()

    def _prepared(self) -> None:
        with self._lock:
            try:
                self._known()
            except (UsageError, VisionError) as error:
                log.warning("%s", error)

    def _known(self) -> HandReader:
        if self._reader is None:
            self._reader = HandReader(self._load())
        return self._reader


def _view(reading: HandReading, size: int, deck: str) -> HandView:
    cards = [None if card is None else str(card) for card in reading.cards]
    if reading.trouble is None:
        return {"cards": cards, "fault": None}
    params: dict[str, int | str] = {"found": len(cards), "wanted": size, "deck": deck}
    return {"cards": cards, "fault": {"code": str(reading.trouble), "params": params}}


# ---- Enrolling a deck: photographs of one suit after another ------------------------------------


LONGEST = 4000
"""Pixels of a photograph's longer side; of a larger one no more is learnt, and it takes longer."""
QUALITY = 90


class Workshop:
    """The decks of this machine and one that is being enrolled; called from any thread."""

    def __init__(self, playing: str | None, changed: Callable[[Deck], None]) -> None:
        """``playing``: the deck that the eye reads by; ``changed`` is told of another one."""
        self._playing = playing
        self._changed = changed
        self._draft = DeckDraft()
        self._patterns: list[Pattern] | None = None
        self._troubles: list[CardTroubleView] = []
        self._version = 0
        self._lock = threading.Lock()  # one photograph at a time: each takes memory and seconds

    def decks(self) -> DecksView:
        """The decks there are, and how far the new one is."""
        with self._lock:
            return self._view()

    def photograph(self, data: bytes, suits: str) -> DecksView:
        """Learn from a photograph: of suits, rows from the top; of cards in "any" order.

        Where no suit is named, it is of the back.
        """
        with self._lock:
            self._troubles = []
            try:
                picture = _reduced(image_of(data, NAME))
                if suits == ANY_ORDER:
                    self._add_any(picture)
                elif suits:
                    self._draft.add(picture, [Suit(letter) for letter in suits], NAME)
                else:
                    self._draft.add_back(picture, NAME)
            except ImageError:
                return self._view({"code": "image", "params": {}})
            except EnrolError as error:
                return self._view(_fault(error))
            self._version += 1
            return self._view()

    def _add_any(self, picture: Image) -> None:
        if self._patterns is None:
            self._patterns = known_patterns()
        for card, told in self._draft.add_any(picture, self._patterns, NAME):
            if told is None:
                why = str(card.fault or CardFault.UNKNOWN)
                self._troubles.append({"row": card.row, "column": card.column, "why": why})

    def overview(self) -> bytes | None:
        """All cards of the draft as JPEG, a suit in each row; None before the first."""
        with self._lock:
            if not self._draft.faces:
                return None
            whole = overview(self._draft.faces, self._draft.size_mm)
        _, data = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return data.tobytes()

    def swap(self, one: str, other: str) -> DecksView:
        """Exchange two cards of the draft."""
        with self._lock:
            try:
                self._draft.swap(parse_card(one), parse_card(other))
            except (KeyError, CardError):
                return self._view({"code": "card", "params": {}})
            self._version += 1
            return self._view()

    def keep(self, name: str, *, instead: bool) -> DecksView:
        """Write the draft as a deck of that name, and read by it; ``instead`` of one there is."""
        with self._lock:
            fault = self._kept(name, instead=instead)
            return self._view(fault)

    def play(self, name: str) -> DecksView:
        """Read by a deck that there is."""
        with self._lock:
            folder = deck_paths().get(name)
            try:
                if folder is None:
                    return self._view({"code": "nobody", "params": {"name": name[:40]}})
                self._play(load_deck(folder))
            except VisionError:
                return self._view({"code": "broken", "params": {"name": name}})
            return self._view()

    def _play(self, deck: Deck) -> None:
        if self._playing is not None:
            self._playing = deck.name
            self._changed(deck)

    def _kept(self, name: str, *, instead: bool) -> FaultView | None:
        try:
            check_name(name)
        except UsageError:
            return {"code": "name", "params": {}}
        folder = own_dir() / name
        if folder.exists() and not instead:
            return {"code": "exists", "params": {"name": name}}
        try:
            keep_deck(folder, self._draft.deck(name, name))
        except EnrolError as error:
            return _fault(error)
        except OSError:
            return {"code": "disk", "params": {}}
        self._draft, self._patterns = DeckDraft(), None
        self._version += 1
        self._play(find_deck(name))
        return None

    def _view(self, fault: FaultView | None = None) -> DecksView:
        decks = sorted(deck_paths().items())
        return {
            "decks": [{"name": name, "own": folder.parent == own_dir(),
                       "playing": name == self._playing} for name, folder in decks],
            "suits": [str(suit) for suit in self._draft.suits],
            "missing": [str(card) for card in self._draft.missing],
            "doubtful": [str(card) for card in self._draft.doubtful],
            "troubles": self._troubles,
            "back": self._draft.has_back,
            "version": self._version,
            "fault": fault,
        }  # fmt: skip


def _fault(error: EnrolError) -> FaultView:
    return {"code": error.code, "params": dict(error.params)}


def _reduced(picture: Image) -> Image:
    longest = max(picture.shape[:2])
    if longest <= LONGEST:
        return picture
    share = LONGEST / longest
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return small.astype("uint8", copy=False)


# ---- The feature --------------------------------------------------------------------------------


def install(house: House, eye: Eye | None) -> None:
    """Add the pages of a house that need no camera at the table: hands by photograph, and decks.

    A deck that the settings name and that is not there is told to whoever photographs a hand.
    """
    wanted = house.settings.deck
    photos = HandPhotos(lambda: find_deck(wanted))

    def read_by(deck: Deck) -> None:
        photos.reads_by(deck)
        if eye is not None:
            eye.reads_by(Reader(deck))

    try:
        playing = deck_folder(wanted).name
    except UsageError:
        playing = ""
    house.show(deck_pages(Workshop(playing, read_by)))
    house.show(hand_pages(house.board, photos))
