"""Pictures and videos from files, in the place of a camera."""

from __future__ import annotations

import math
import stat
import threading
from pathlib import Path

import cv2
import numpy as np

from assistant.eye import MAX_PIXELS
from assistant.eye.images import Image, ImageError, check_sides, read_image
from assistant.eye.source import CameraError, EndOfFrames, Frame, Source

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
