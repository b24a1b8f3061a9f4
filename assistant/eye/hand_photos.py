"""Photographs that players take of their own hands, and the decks that they are read by."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from assistant.eye.at_table import Eye
from assistant.eye.deck import Deck, DeckError, deck_folder, find_deck
from assistant.eye.hand import HandReader, HandReading
from assistant.eye.images import ImageError, VisionError, image_of
from assistant.eye.page import HandView, deck_pages, hand_pages
from assistant.eye.read import Reader
from assistant.eye.workshop import Workshop
from assistant.files.process import UsageError
from assistant.page.board import BoardError
from assistant.page.house import House

log = logging.getLogger("mus.eye")

WAIT_S = 20.0
"""Seconds that a photograph waits for those before it: each takes memory and about a second."""
NAME = "The photograph"


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
