"""Picture sources: their port, ``open_source`` for any of them, and files as sources."""

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
from assistant.rules.errors import Translatable

# ---- The port, and ``open_source`` --------------------------------------------------------------


class CameraError(VisionError):
    """A camera, a stream or a video that gives no pictures, or no more of them."""


URL = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
STREAMS = ("http", "https", "rtsp")
RPICAM = re.compile(r"rpicam(?::(\d))?", re.ASCII)
USB = re.compile(r"\d{1,3}", re.ASCII)
DEVICE = re.compile(r"/dev/video(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and when it was taken.

    ``image``: BGR, of shape (height, width, 3); ``at``: seconds, of the monotonic clock for a live
    source and from the beginning for a file; ``number``: counts all pictures, so that a gap shows
    how many were skipped.
    """

    image: Image
    at: float
    number: int


class EndOfFrames(VisionError):  # noqa: N818 - not a failure: the file is over
    """A file has given its last frame."""


class Source(ABC):
    """A source of pictures. ``tests/eye/test_source_contract.py`` holds every source to this.

    A source is open once it is made. One thread calls ``read``. Any thread may call ``close``, more
    than once; it ends a ``read`` that waits.
    """

    name: str
    """Its name for people: the camera or the file, without a password."""
    live: bool
    """Whether pictures that are not read are gone; a lost live source may come back."""

    @abstractmethod
    def read(self, timeout: float) -> Frame | None:
        """The newest frame that was not read yet; of a file, the next one.

        None if ``timeout`` seconds passed without one.

        Raises:
            CameraError: the source went away, cannot be read, or is closed.
            EndOfFrames: the file is over.
        """

    @abstractmethod
    def close(self) -> None:
        """Release the device or the file."""

    def lock_exposure(self) -> bool:
        """Fix exposure and white balance as they are now; False if that is not possible.

        It takes a second or two, while pictures go on.
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
    """Open a source by its name.

    ``0`` or ``/dev/video0`` is a USB camera, ``rpicam`` or ``rpicam:1`` one of the Raspberry Pi,
    ``http://``, ``https://`` and ``rtsp://`` a stream; all else is the path of a picture or video.

    Raises:
        CameraError: there is no such thing, or it gives no pictures.
        ImageError: it is a picture, but one that cannot be used.
    """
    # The sources import this module for the port, so they are imported here, and only when needed.
    if not spec.strip():
        raise CameraError(
            "Name a camera: 0 (USB), rpicam (Raspberry Pi), a URL (http or rtsp), or a file."
        )
    if url := URL.match(spec):
        from assistant.eye.cameras import NetworkCamera, shown

        if not spec.isprintable():  # OpenCV ends the whole program at some of these
            raise CameraError(
                "{spec} holds letters that no URL has: type it again.", spec=shown(spec)
            )
        if url[1].lower() not in STREAMS:
            raise CameraError(
                "{spec} cannot be opened: a URL is http, https or rtsp.", spec=shown(spec)
            )
        return NetworkCamera(spec)
    if spec.startswith("rpicam") and (pi := _pi_number(spec)) is not None:
        from assistant.eye.rpicam import RpicamCamera

        return RpicamCamera(pi)
    if (number := _usb_number(spec)) is not None:
        from assistant.eye.cameras import UsbCamera

        return UsbCamera(number)

    return open_file(Path(spec))


def _pi_number(spec: str) -> int | None:
    if found := RPICAM.fullmatch(spec):
        return int(found[1] or 0)
    if spec.startswith("rpicam:"):
        raise CameraError(
            "There is no camera '{spec}': write rpicam, or rpicam:1 for the second.", spec=spec
        )
    return None


def _usb_number(spec: str) -> int | None:
    """The number of a USB camera, also by a stable name such as one of /dev/v4l/by-id."""
    if spec.isascii() and spec.isdecimal():
        if not USB.fullmatch(spec):
            raise CameraError(
                "There is no camera {spec}: numbers are small, as 0 or 1.", spec=spec[:20]
            )
        return int(spec)
    if not spec.startswith("/dev/"):
        return None
    try:
        found = DEVICE.fullmatch(str(Path(spec).resolve()))
    except (OSError, RuntimeError, ValueError):  # a link to itself, or no path at all
        return None
    return int(found[1]) if found else None


# ---- Pictures and videos from files -------------------------------------------------------------


MAX_FRAMES = 500_000
"""The most frames of a video: more than four hours at 30 a second."""
WAIT_MS = 3000
"""How long to wait for a disk that does not answer."""
HEAD = 4096
"""Bytes at the beginning that show whether a file is text or a video."""


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
            raise CameraError("{name} is closed.", name=self.name)
        if image is None:
            raise EndOfFrames("{name} has no more pictures.", name=self.name)
        return Frame(image, 0.0, 0)

    def close(self) -> None:
        """Forget the picture."""
        self._closed = True
        self._image = None


class VideoFile(Source):
    """A video as a source of its frames, as fast as they are read."""

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
        # An absolute path: FFmpeg takes the beginning of a name such as "tcp:x" for a protocol.
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
                "{path} has frames of {width:.0f} x {height:.0f}: save it with 1920 x 1080.",
                path=path,
                width=width,
                height=height,
            )

    def read(self, timeout: float) -> Frame | None:  # noqa: ARG002 - it is there at once
        """The next frame. Raises EndOfFrames or CameraError."""
        with self._lock:
            if self._closed:
                raise CameraError("{name} is closed.", name=self.name)
            if self._number >= MAX_FRAMES:
                raise CameraError(
                    "{name} has more than {most} frames: cut it shorter.",
                    name=self.name,
                    most=MAX_FRAMES,
                )
            got, image = self._capture.read()
            if not got and self._number == 0:
                raise CameraError(
                    "{name} has no frame that can be shown: save it as MP4.", name=self.name
                )
            if not got:
                raise EndOfFrames("{name} has no more frames.", name=self.name)
            self._at = max(self._at, self._position())
            frame = Frame(np.asarray(image, np.uint8), self._at, self._number)
            self._number += 1
            return frame

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._closed = True
            self._capture.release()

    def _position(self) -> float:
        """The time of the last frame, in seconds, as the file gives it."""
        position = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return position if math.isfinite(position) else self._at


def open_file(path: Path) -> Source:
    """A picture or a video, whichever the file is. Raises CameraError or ImageError."""
    try:
        told = path.stat()
        if stat.S_ISDIR(told.st_mode):
            raise CameraError("{path} is a folder: name a picture or a video in it.", path=path)
        if not stat.S_ISREG(told.st_mode):  # a pipe may never answer, a device never end
            raise CameraError("{path} cannot be read: it is no file.", path=path)
        with path.open("rb") as file:
            head = file.read(HEAD)
    except FileNotFoundError:
        raise CameraError(
            "There is no file {path}; a camera is named by its number (0), rpicam, or a URL.",
            path=path,
        ) from None
    except OSError as error:
        raise CameraError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error
    except ValueError as error:  # a path with a zero byte
        raise CameraError(
            "{path!r} is no file: name a picture or a video.", path=str(path)
        ) from error
    _check_name(path)
    if cv2.haveImageReader(str(path)):
        return PictureFile(path)
    # FFmpeg would render texts and follow playlists. They are refused, because they have no zero
    # byte early, as a video has.
    if b"\0" not in head:
        raise CameraError(_neither(path))
    return VideoFile(path)


def _check_name(path: Path) -> None:
    """Refuse names that are no UTF-8, of file or folder: OpenCV ends the program at them."""
    try:
        str(path.resolve()).encode("utf-8")
    except UnicodeEncodeError:
        raise CameraError(
            "{path!a} has a name with broken letters: rename it, or its folder.", path=str(path)
        ) from None


def _neither(path: Path) -> str:
    return Translatable(
        "{path} is neither a picture nor a video: give a JPEG or PNG, or an MP4 or AVI.", path=path
    )
