"""What can go wrong between a camera and the cards that it sees."""

from __future__ import annotations

from assistant.rules.errors import MusError


class VisionError(MusError):
    """Something about seeing cards; the message says what to do."""


class ImageError(VisionError):
    """A file that is no picture, or one that is too large to look at."""


class DeckError(VisionError):
    """A deck that is not whole, or not as its files say."""


class CameraError(VisionError):
    """A camera, a stream or a video that gives no pictures, or gives none any more."""


class CalibrationError(VisionError):
    """A table's calibration that does not fit its pictures, or is not as its file says."""


class EnrolError(VisionError):
    """A picture from which a deck cannot be enrolled; the message says how to take a better one.

    ``code`` and ``params`` say the same for whoever has a language of its own.
    """

    def __init__(self, message: str, code: str, **params: int | str) -> None:
        super().__init__(message)
        self.code = code
        self.params = params
