"""Pictures from files and uploads, checked before they are decoded."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye import MAX_PIXELS
from assistant.rules.errors import MusError


class VisionError(MusError):
    """Base of the eye's errors; the message says what to do."""


class ImageError(VisionError):
    """A file that is no picture, or one that is too large to look at."""


Image = npt.NDArray[np.uint8]
"""BGR, of shape (height, width, 3)."""
MAX_BYTES = 64_000_000
MAGIC = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM")
"""The first bytes of JPEG, PNG, WebP and BMP; some other formats of OpenCV are not safe."""
LEAST_SIDE, LONGEST_BY_SHORTEST = 16, 16
"""The least side in pixels, and the greatest ratio of sides: other pictures show no cards."""
SMALLER = f"save it with at most {MAX_PIXELS // 1_000_000} million pixels, as JPEG."


def brightest(picture: npt.ArrayLike) -> npt.NDArray[Any]:
    """Each pixel's greatest channel, of shape (height, width).

    OpenCV does it, because NumPy takes twenty times as long along an axis of three.
    """
    blue, green, red = cv2.split(np.asarray(picture))
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def flipped(picture: Image) -> Image:
    """A picture's mirror image."""
    return np.asarray(cv2.flip(picture, 1), np.uint8)


def read_image(path: Path) -> Image:
    """Read a picture in BGR, rotated as its EXIF orientation says.

    Raises:
        ImageError: it cannot be read, is no picture, or is too large.
    """
    try:
        told = path.stat()
        if not stat.S_ISREG(told.st_mode):  # a pipe may never answer, a device never end
            raise ImageError(f"{path} cannot be read: it is no file.")
        if told.st_size > MAX_BYTES:
            raise ImageError(
                f"{path} is too large ({MAX_BYTES // 1_000_000} MB at most): {SMALLER}"
            )
        data = path.read_bytes()
    except OSError as error:
        raise ImageError(f"{path} cannot be read: {error.strerror}.") from error
    return image_of(data, str(path))


def check_sides(wide: float, high: float, name: str) -> None:
    """Raise ImageError for sides that no photograph has, as 30000 x 3."""
    shortest, longest = sorted((wide, high))
    if not shortest:  # what OpenCV took for a film has none
        raise ImageError(f"{name} is no picture: give a photograph, or a film.")
    if shortest < LEAST_SIDE or longest > LONGEST_BY_SHORTEST * shortest:
        raise ImageError(f"{name} is {wide:.0f} x {high:.0f}: give a whole photograph.")


def image_of(data: bytes, name: str) -> Image:
    """Decode a file's content, as ``read_image`` does. Raises ImageError."""
    if not data.startswith(MAGIC) or (data[:4] == b"RIFF" and data[8:12] != b"WEBP"):
        raise ImageError(f"{name} is no picture: give a photograph as JPEG, PNG or WebP.")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:  # of more than MAX_PIXELS, or cut off
        raise ImageError(f"{name} cannot be opened as a picture: {SMALLER}") from error
    if image is None:
        raise ImageError(f"{name} is no picture: give a photograph as JPEG, PNG or WebP.")
    if image.shape[0] * image.shape[1] > MAX_PIXELS:
        raise ImageError(f"{name} has too many pixels: {SMALLER}")
    check_sides(image.shape[1], image.shape[0], name)
    return np.asarray(image, np.uint8)
