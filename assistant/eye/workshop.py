"""Enrolling a deck on the page: photographs that a telephone sends, one suit after another."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2

from assistant.eye.deck import Deck, check_name, deck_paths, find_deck, keep_deck, overview, own_dir
from assistant.eye.enrol import DeckDraft, EnrolError
from assistant.eye.images import Image, ImageError, image_of
from assistant.eye.page import DecksView, FaultView
from assistant.files.process import UsageError
from assistant.rules.cards import Suit, parse_card
from assistant.rules.errors import CardError

LONGEST = 4000
"""Pixels of a photograph's longer side; of a larger one no more is learnt, and it takes longer."""
QUALITY = 90
NAME = "The photograph"


class Workshop:
    """The decks of this machine and one that is being enrolled; called from any thread."""

    def __init__(self, playing: str | None, changed: Callable[[Deck], None]) -> None:
        """``playing``: the deck that the eye reads by; ``changed`` is told of another one."""
        self._playing = playing
        self._changed = changed
        self._draft = DeckDraft()
        self._version = 0
        self._lock = threading.Lock()  # one photograph at a time: each takes memory and seconds

    def decks(self) -> DecksView:
        """The decks there are, and how far the new one is."""
        with self._lock:
            return self._view()

    def photograph(self, data: bytes, suits: str) -> DecksView:
        """Learn from a photograph: of suits, rows from the top; of the back where none is named."""
        with self._lock:
            try:
                picture = _reduced(image_of(data, NAME))
                if suits:
                    self._draft.add(picture, [Suit(letter) for letter in suits], NAME)
                else:
                    self._draft.add_back(picture, NAME)
            except ImageError:
                return self._view({"code": "image", "params": {}})
            except EnrolError as error:
                return self._view(_fault(error))
            self._version += 1
            return self._view()

    def overview(self) -> bytes | None:
        """All cards of the draft as JPEG, a suit in each row; None before the first."""
        with self._lock:
            if not self._draft.faces:
                return None
            whole = overview(self._draft.faces)
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
        self._draft = DeckDraft()
        self._version += 1
        if self._playing is not None:
            self._playing = name
            self._changed(find_deck(name))
        return None

    def _view(self, fault: FaultView | None = None) -> DecksView:
        decks = sorted(deck_paths().items())
        return {
            "decks": [{"name": name, "own": folder.parent == own_dir(),
                       "playing": name == self._playing} for name, folder in decks],
            "suits": [str(suit) for suit in self._draft.suits],
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
