"""Pictures from files and uploads, checked before they are decoded."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye import MAX_PIXELS
from assistant.rules.errors import MusError, Translatable


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
SMALLER = Translatable(
    "save it with at most {most} million pixels, as JPEG.", most=MAX_PIXELS // 1_000_000
)


def brightest(picture: npt.ArrayLike) -> npt.NDArray[Any]:
    """Each pixel's greatest channel, of shape (height, width).

    OpenCV does it, because NumPy takes twenty times as long along an axis of three.
    """
    blue, green, red = cv2.split(np.asarray(picture))
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def darkest(picture: npt.ArrayLike) -> npt.NDArray[Any]:
    """Each pixel's least channel, of shape (height, width)."""
    blue, green, red = cv2.split(np.asarray(picture))
    return np.asarray(cv2.min(cv2.min(blue, green), red))


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
        if not stat.S_ISREG(told.st_mode):  # a pipe may never answer, a device may never end
            raise ImageError("{path} cannot be read: it is no file.", path=path)
        if told.st_size > MAX_BYTES:
            raise ImageError(
                "{path} is too large ({most} MB at most): {smaller}",
                path=path,
                most=MAX_BYTES // 1000000,
                smaller=SMALLER,
            )
        data = path.read_bytes()
    except OSError as error:
        raise ImageError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error
    return image_of(data, str(path))


def check_sides(wide: float, high: float, name: str) -> None:
    """Raise ImageError for sides that no photograph has, such as 30000 x 3."""
    shortest, longest = sorted((wide, high))
    if not shortest:  # a file that OpenCV took for a film has none
        raise ImageError("{name} is no picture: give a photograph, or a film.", name=name)
    if shortest < LEAST_SIDE or longest > LONGEST_BY_SHORTEST * shortest:
        raise ImageError(
            "{name} is {wide:.0f} x {high:.0f}: give a whole photograph.",
            name=name,
            wide=wide,
            high=high,
        )


def image_of(data: bytes, name: str) -> Image:
    """Decode a file's content, as ``read_image`` does. Raises ImageError."""
    if not data.startswith(MAGIC) or (data[:4] == b"RIFF" and data[8:12] != b"WEBP"):
        raise ImageError("{name} is no picture: give a photograph as JPEG, PNG or WebP.", name=name)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:  # of more than MAX_PIXELS, or cut off
        raise ImageError(
            "{name} cannot be opened as a picture: {smaller}", name=name, smaller=SMALLER
        ) from error
    if image is None:
        raise ImageError("{name} is no picture: give a photograph as JPEG, PNG or WebP.", name=name)
    if image.shape[0] * image.shape[1] > MAX_PIXELS:
        raise ImageError("{name} has too many pixels: {smaller}", name=name, smaller=SMALLER)
    check_sides(image.shape[1], image.shape[0], name)
    return np.asarray(image, np.uint8)
