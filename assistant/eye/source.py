"""The port through which pictures come in, with files in place of a camera, and its one door."""

from __future__ import annotations

import math
import re
import stat
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from assistant.eye import MAX_PIXELS
from assistant.eye.images import Image, ImageError, VisionError, check_sides, read_image

# ---- The port through which pictures come in, and the one door that opens a source by its name --


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


# ---- Pictures and videos from files, in the place of a camera -----------------------------------


MAX_FRAMES = 500_000
"""Of one video: more than four hours of 30 pictures a second."""
WAIT_MS = 3000
"""For a disk that does not answer."""
HEAD = 4096
"""Bytes by which a text is told from a video."""


class PictureFile(Source):
    """A picture as a source of one frame."""

    live = False

    def __init__(self, path: Path) -> None:
        """Raises ImageError."""
        self.name = path.name
        self._image: Image | None = read_image(path)
        self._closed = False

    def read(self, timeout: float) -> Frame | None:  # noqa: ARG002 - it is there at once
        """The picture, once. Raises EndOfFrames or CameraError."""
        image, self._image = self._image, None
        if self._closed:
            raise CameraError(f"{self.name} is closed.")
        if image is None:
            raise EndOfFrames(f"{self.name} has no more pictures.")
        return Frame(image, 0.0, 0)

    def close(self) -> None:
        """Forget the picture."""
        self._closed = True
        self._image = None


class VideoFile(Source):
    """A video as a source of its frames, as fast as they are taken."""

    live = False

    def __init__(self, path: Path) -> None:
        """Raises CameraError."""
        self.name = path.name
        self._lock = threading.Lock()
        self._closed = False
        self._number = 0
        self._at = 0.0
        limits = [
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, WAIT_MS),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, WAIT_MS),
        ]
        # A whole path: of a short one, as "tcp:x", FFmpeg takes the beginning for a protocol.
        self._capture = cv2.VideoCapture(str(path.resolve()), cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            raise CameraError(_neither(path))
        width = self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)
        height = self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
        try:
            check_sides(width, height, str(path))
        except ImageError:
            self.close()
            raise
        if width * height > MAX_PIXELS:
            self.close()
            raise CameraError(
                f"{path} has frames of {width:.0f} x {height:.0f}: save it with 1920 x 1080."
            )

    def read(self, timeout: float) -> Frame | None:  # noqa: ARG002 - it is there at once
        """The next frame. Raises EndOfFrames or CameraError."""
        with self._lock:
            if self._closed:
                raise CameraError(f"{self.name} is closed.")
            if self._number >= MAX_FRAMES:
                raise CameraError(f"{self.name} has more than {MAX_FRAMES} frames: cut it shorter.")
            got, image = self._capture.read()
            if not got and self._number == 0:
                raise CameraError(f"{self.name} has no frame that can be shown: save it as MP4.")
            if not got:
                raise EndOfFrames(f"{self.name} has no more frames.")
            self._at = max(self._at, self._position())
            frame = Frame(np.asarray(image, np.uint8), self._at, self._number)
            self._number += 1
            return frame

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._closed = True
            self._capture.release()

    def _position(self) -> float:
        """Where the frame that was just read stands, in seconds, by the file's account."""
        position = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return position if math.isfinite(position) else self._at


def open_file(path: Path) -> Source:
    """A picture or a video, whichever the file is. Raises CameraError or ImageError."""
    try:
        told = path.stat()
        if stat.S_ISDIR(told.st_mode):
            raise CameraError(f"{path} is a folder: name a picture or a video in it.")
        if not stat.S_ISREG(told.st_mode):  # a pipe may never answer, a device never end
            raise CameraError(f"{path} cannot be read: it is no file.")
        with path.open("rb") as file:
            head = file.read(HEAD)
    except FileNotFoundError:
        raise CameraError(
            f"There is no file {path}; a camera is named by its number (0), rpicam, or a URL."
        ) from None
    except OSError as error:
        raise CameraError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:  # a path with a zero byte
        raise CameraError(f"{str(path)!r} is no file: name a picture or a video.") from error
    _check_name(path)
    if cv2.haveImageReader(str(path)):
        return PictureFile(path)
    # FFmpeg draws texts, and follows what lists name; no video goes without a zero byte so long.
    if b"\0" not in head:
        raise CameraError(_neither(path))
    return VideoFile(path)


def _check_name(path: Path) -> None:
    """OpenCV ends the whole program at a name that is no UTF-8, of the file or of a folder."""
    try:
        str(path.resolve()).encode("utf-8")
    except UnicodeEncodeError:
        raise CameraError(
            f"{str(path)!a} has a name with broken letters: rename it, or its folder."
        ) from None


def _neither(path: Path) -> str:
    return f"{path} is neither a picture nor a video: give a JPEG or PNG, or an MP4 or AVI."
