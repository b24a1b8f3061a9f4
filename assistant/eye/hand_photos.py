"""Photographs that telephones send to the page: reads hands, and enrols decks."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

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
from assistant.eye.draft import (
    DeckDraft,
    DraftError,
    drafts_dir,
    forget_draft,
    keep_draft,
    load_draft,
)
from assistant.eye.enrol import CardFault, EnrolError, LaidCard, known_patterns
from assistant.eye.features import shrunk
from assistant.eye.hand import HandReader, HandReading
from assistant.eye.images import Image, ImageError, VisionError, image_of
from assistant.eye.page import (
    CardTroubleView,
    DecksView,
    FaultView,
    HandView,
    SweptCardView,
    SweptView,
    deck_pages,
    hand_pages,
)
from assistant.eye.read import Reader
from assistant.eye.sorting import Pattern
from assistant.files.process import UsageError
from assistant.page.board import BoardError
from assistant.page.house import House
from assistant.page.incoming import ANY_ORDER, NOT_MUS
from assistant.rules.cards import Card, Suit, parse_card
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
        """Learn the deck in the background, so that the first hand takes no longer."""
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
"""Pixels to which a photograph's longer side is reduced: more teach nothing, and take longer."""
LONGEST_FRAME = 1600
"""The same for a frame of a sweep, of which one is looked at about each second."""
QUALITY = 90
PAGE_DRAFT = ".page"
"""The folder of the page's draft: no deck of the command can have this name."""


class Workshop:
    """The decks of this machine, and the one that is being enrolled. Any thread may call it."""

    def __init__(self, playing: str | None, changed: Callable[[Deck], None]) -> None:
        """``playing``: the deck that the eye reads by; ``changed`` is called with another one."""
        self._playing = playing
        self._changed = changed
        self._kept_draft: DeckDraft | None = None
        self._patterns: list[Pattern] | None = None
        self._troubles: list[CardTroubleView] = []
        self._version = 0
        self._lock = threading.Lock()  # one photograph at a time: each takes memory and seconds

    def decks(self) -> DecksView:
        """The decks of this machine, and how far the new one is."""
        with self._lock:
            return self._view()

    @property
    def _draft(self) -> DeckDraft:
        """The draft, as an earlier run of the table left it. A broken one is begun anew."""
        if self._kept_draft is None:
            try:
                self._kept_draft = load_draft(_draft_dir())
            except DraftError as error:
                log.warning("%s", error)
        if self._kept_draft is None:
            self._kept_draft = DeckDraft()
        return self._kept_draft

    def photograph(self, data: bytes, suits: str) -> DecksView:
        """Learn from a photograph: of suits, rows from the top; of cards in "any" order.

        Without a suit it is of the back; with "not_mus", of cards that are none of Mus.
        """
        with self._lock:
            self._troubles = []

            def learn() -> None:
                picture = shrunk(image_of(data, NAME), LONGEST)
                if suits == ANY_ORDER:
                    self._tell(self._draft.add_any(picture, self._known_patterns(), NAME))
                elif suits == NOT_MUS:
                    shown = self._draft.add_not_mus(picture, NAME)
                    self._tell([(card, None) for card in shown if card.face is None])
                elif suits:
                    self._draft.add(picture, [Suit(letter) for letter in suits], NAME)
                else:
                    self._draft.add_back(picture, NAME)

            return self._view(self._changed_by(learn))

    def sweep(self, data: bytes) -> SweptView:
        """Learn from a frame of a camera that is swept over the cards, in any order.

        Raises BoardError if frames come faster than they can be looked at.
        """
        if not self._lock.acquire(timeout=WAIT_S):
            raise BoardError("Other photographs are still being looked at.")
        try:
            found: list[tuple[LaidCard, Card | None]] = []
            before = {one.number for one in self._draft.pictures()}
            try:
                picture = shrunk(image_of(data, NAME), LONGEST_FRAME)
                found = self._draft.add_frame(picture, self._known_patterns(), NAME)
            except ImageError:
                fault: FaultView | None = {"code": "image", "params": {}}
                return {"decks": self._view(fault), "size": [0, 0], "cards": []}
            except EnrolError as error:
                fault = _fault(error)
            else:
                fault = None
            if {one.number for one in self._draft.pictures()} != before:
                fault = self._written() or fault
            high, wide = picture.shape[:2]
            return {
                "decks": self._view(fault),
                "size": [wide, high],
                "cards": [_swept(card, told) for card, told in found],
            }
        finally:
            self._lock.release()

    def set_aside(self, which: int | str, *, aside: bool) -> DecksView:
        """Keep a picture, by its number, or a card as none of Mus; or sort it after all."""
        with self._lock:

            def change() -> None:
                if isinstance(which, str):
                    self._draft.set_aside_card(parse_card(which), self._known_patterns())
                elif aside:
                    self._draft.set_aside(which, self._known_patterns())
                else:
                    self._draft.take_back(which, self._known_patterns())

            return self._view(self._changed_by(change))

    def begin_anew(self) -> DecksView:
        """Forget all that was learnt of the new deck."""
        with self._lock:
            self._forget()
            return self._view()

    def picture(self, number: int) -> bytes | None:
        """One of the pictures of the draft as JPEG, by its number."""
        with self._lock:
            some = [one.face for one in self._draft.pictures() if one.number == number]
        return _jpeg(some[0]) if some else None

    def _known_patterns(self) -> list[Pattern]:
        if self._patterns is None:
            self._patterns = known_patterns()
        return self._patterns

    def _changed_by(self, change: Callable[[], None]) -> FaultView | None:
        """Change the draft and keep it; return the fault, if there is one."""
        try:
            change()
        except ImageError:
            return {"code": "image", "params": {}}
        except EnrolError as error:
            return _fault(error)
        except (KeyError, CardError):
            return {"code": "card", "params": {}}
        return self._written()

    def _written(self) -> FaultView | None:
        """Write the draft to the disk, so that a restart of the table loses nothing."""
        self._version += 1
        try:
            keep_draft(_draft_dir(), self._draft)
        except OSError as error:
            log.warning("the new deck could not be kept: %s", error.strerror)
            return {"code": "disk", "params": {}}
        return None

    def _forget(self) -> None:
        forget_draft(_draft_dir())
        self._kept_draft, self._patterns, self._troubles = DeckDraft(), None, []
        self._version += 1

    def _tell(self, found: Sequence[tuple[LaidCard, Card | None]]) -> None:
        """Remember what was wrong with single cards of a photograph."""
        for card, told in found:
            if told is None and card.fault is not CardFault.NOT_MUS:
                why = str(card.fault or CardFault.UNKNOWN)
                self._troubles.append({"row": card.row, "column": card.column, "why": why})

    def overview(self) -> bytes | None:
        """All cards of the draft as JPEG, a suit in each row; None before the first."""
        with self._lock:
            if not self._draft.faces:
                return None
            whole = overview(self._draft.faces, self._draft.size_mm)
        return _jpeg(whole)

    def swap(self, one: str, other: str) -> DecksView:
        """Exchange two cards of the draft."""
        with self._lock:

            def change() -> None:
                self._draft.swap(parse_card(one), parse_card(other))

            return self._view(self._changed_by(change))

    def keep(self, name: str, *, instead: bool) -> DecksView:
        """Write the draft as a deck, and read by it. ``instead``: it may replace another one."""
        with self._lock:
            fault = self._kept(name, instead=instead)
            return self._view(fault)

    def play(self, name: str) -> DecksView:
        """Read by a deck of this machine."""
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
        self._forget()
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
            "unknown": [one.number for one in self._draft.unknown],
            "not_mus": [one.number for one in self._draft.not_mus],
            "back": self._draft.has_back,
            "version": self._version,
            "fault": fault,
        }  # fmt: skip


def _draft_dir() -> Path:
    return drafts_dir() / PAGE_DRAFT


def _swept(card: LaidCard, told: Card | None) -> SweptCardView:
    return {
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in card.quad],
        "card": None if told is None else str(told),
        "why": None if card.fault is None else str(card.fault),
    }


def _jpeg(picture: Image) -> bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()


def _fault(error: EnrolError) -> FaultView:
    return {"code": error.code, "params": dict(error.params)}


# ---- The feature --------------------------------------------------------------------------------


def install(house: House, eye: Eye | None) -> None:
    """Add the pages of a house that need no camera at the table: hands by photograph, and decks.

    If the deck that the settings name is missing, whoever photographs a hand gets that message.
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
