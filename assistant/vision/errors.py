"""What can go wrong between a camera and the cards that it sees."""

from __future__ import annotations

from assistant.rules.errors import MusError


class VisionError(MusError):
    """Something about seeing cards; the message says what to do."""


class ImageError(VisionError):
    """A file that is no picture, or one that is too large to look at."""


class DeckError(VisionError):
    """A deck that is not whole, or not as its files say."""
