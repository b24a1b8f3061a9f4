"""The port through which pictures come in, and the one door that opens a source by its name."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from assistant.eye.images import Image, VisionError


class CameraError(VisionError):
    """A camera, a stream or a video that gives no pictures, or gives none any more."""


URL = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
STREAMS = ("http", "https", "rtsp")
RPICAM = re.compile(r"rpicam(?::(\d))?", re.ASCII)
USB = re.compile(r"\d{1,3}", re.ASCII)
DEVICE = re.compile(r"/dev/video(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and when it was taken.

    ``image``: BGR, of shape (height, width, 3); ``at``: seconds, of the monotonic clock for a live
    source and from the beginning for a file; ``number``: grows by one with each picture that came,
    so that a gap tells how many nobody took.
    """

    image: Image
    at: float
    number: int


class EndOfFrames(VisionError):  # noqa: N818 - not a failure: the file is over
    """A file has given its last frame."""


class Source(ABC):
    """Pictures as they come. ``tests/eye/test_source_contract.py`` holds every source to this.

    A source is open from birth. ``read`` is called by one thread; ``close`` by any, more than
    once, and it ends a ``read`` that waits.
    """

    name: str
    """What a person calls it: the camera or the file, with no password in it."""
    live: bool
    """Whether pictures that nobody takes are gone; a lost live source may come back."""

    @abstractmethod
    def read(self, timeout: float) -> Frame | None:
        """The newest frame that was not handed out yet, or of a file the next one.

        None where ``timeout`` seconds passed without any.

        Raises:
            CameraError: the source went away, cannot be read, or is closed.
            EndOfFrames: the file is over.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the device or the file."""

    def lock_exposure(self) -> bool:
        """Keep exposure and white balance as they are now; False where that cannot be done.

        It takes a second or two, and pictures go on meanwhile.
        """
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_source(spec: str) -> Source:
    """Open what a person named.

    ``0`` or ``/dev/video0`` is a USB camera, ``rpicam`` or ``rpicam:1`` one of the Raspberry Pi,
    ``http://``, ``https://`` and ``rtsp://`` a stream; all else is the path of a picture or video.

    Raises:
        CameraError: there is no such thing, or it gives no pictures.
        ImageError: it is a picture, but one that cannot be used.
    """
    # Each source imports this module for the port, and none is loaded that nobody asked for.
    if not spec.strip():
        raise CameraError(
            "Name a camera: 0 (USB), rpicam (Raspberry Pi), a URL (http or rtsp), or a file."
        )
    if url := URL.match(spec):
        from assistant.eye.network import NetworkCamera, shown

        if not spec.isprintable():  # OpenCV ends the whole program at some of those letters
            raise CameraError(f"{shown(spec)} holds letters that no URL has: type it again.")
        if url[1].lower() not in STREAMS:
            raise CameraError(f"{shown(spec)} cannot be opened: a URL is http, https or rtsp.")
        return NetworkCamera(spec)
    if spec.startswith("rpicam") and (pi := _pi_number(spec)) is not None:
        from assistant.eye.rpicam import RpicamCamera

        return RpicamCamera(pi)
    if (number := _usb_number(spec)) is not None:
        from assistant.eye.usb import UsbCamera

        return UsbCamera(number)
    from assistant.eye.files import open_file

    return open_file(Path(spec))


def _pi_number(spec: str) -> int | None:
    if found := RPICAM.fullmatch(spec):
        return int(found[1] or 0)
    if spec.startswith("rpicam:"):
        raise CameraError(f"There is no camera '{spec}': write rpicam, or rpicam:1 for the second.")
    return None


def _usb_number(spec: str) -> int | None:
    """The number of a USB camera; a name that stays the same, as of /dev/v4l/by-id, leads to it."""
    if spec.isascii() and spec.isdecimal():
        if not USB.fullmatch(spec):
            raise CameraError(f"There is no camera {spec[:20]}: numbers are small, as 0 or 1.")
        return int(spec)
    if not spec.startswith("/dev/"):
        return None
    try:
        found = DEVICE.fullmatch(str(Path(spec).resolve()))
    except (OSError, RuntimeError, ValueError):  # a link to itself, or no path at all
        return None
    return int(found[1]) if found else None
