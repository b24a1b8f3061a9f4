"""Camera drivers: USB cameras through V4L2, and network cameras by MJPEG over HTTP, or by RTSP.

A telephone can be a network camera.
"""

from __future__ import annotations

import os
import re
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from assistant.eye import MAX_PIXELS
from assistant.eye.newest import FramePace, Newest, Picture
from assistant.eye.source import CameraError
from assistant.rules.errors import Translatable

# ---- A camera on USB -----------------------------------------------------------------------------

# Seconds that OpenCV waits for a camera that stops sending. It reads this with the first camera.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")

BACKEND = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
WANTED = (
    # JPEG, set before the size, because USB 2 carries only five raw pictures of this size a second.
    (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
    (cv2.CAP_PROP_FRAME_WIDTH, 1920),
    (cv2.CAP_PROP_FRAME_HEIGHT, 1080),
    (cv2.CAP_PROP_BUFFERSIZE, 1),
)
USB_OPEN_WITHIN = 5.0
FIRST_WITHIN = 5.0
"""Seconds until the first picture; some cameras take three to start."""
FAILING_FOR = 1.0
"""Seconds of failures after which a camera counts as unplugged."""
RETRY = 0.05
SETTLING = 1.0
"""Seconds that a camera takes to adjust its exposure, or to show the effect of a lock."""
AUTOMATIC, MANUAL = 3, 1
"""V4L2's values for aperture priority (automatic exposure of a webcam) and for manual."""
BRIGHTER, ALWAYS_LIKE = 1.25, 8.0
"""The most by which a locked exposure may change the mean level: as a factor, and in levels of
255."""
DEVICES = Path("/dev")


class UsbCamera(Newest):
    """A USB camera by its number, as in ``/dev/video0``."""

    def __init__(
        self,
        number: int,
        capture: Callable[[int, int], Any] = cv2.VideoCapture,
        devices: Path = DEVICES,
        pace: FramePace | None = None,
    ) -> None:
        """``capture`` stands in for OpenCV's, ``devices`` for the folder of devices.

        Raises CameraError.
        """
        _check_exists(number, devices)
        self._camera = _Camera(number, capture, devices, pace or FramePace())
        super().__init__(f"Camera {number}", self._camera, USB_OPEN_WITHIN)

    def lock_exposure(self) -> bool:
        """Let the exposure settle, then fix it and the white balance; False if that fails.

        Some cameras report another exposure than the one they use. If the lock makes the picture
        darker or brighter, it is undone.
        """
        if not self._ask(self._camera.automatic):
            return False
        self._over.wait(SETTLING)
        if not self._ask(self._camera.lock):
            return False
        self._over.wait(SETTLING)
        return self._ask(self._camera.as_bright_as_before)


class _Camera:
    """The OpenCV capture; a single thread uses it."""

    def __init__(
        self, number: int, factory: Callable[[int, int], Any], devices: Path, pace: FramePace
    ) -> None:
        self._number = number
        self._factory = factory
        self._devices = devices
        self._pace = pace
        self._capture: Any = None
        self._good_until = 0.0
        self._level = 0.0
        self._level_before = 0.0

    def open(self) -> None:
        self._capture = self._factory(self._number, BACKEND)
        if not self._capture.isOpened():
            raise CameraError(_cannot_open(self._number, self._devices))
        for what, value in WANTED:
            self._capture.set(what, value)  # a camera that lacks a value keeps its own
        self._good_until = time.monotonic() + FIRST_WITHIN

    def next(self) -> Picture | None:
        if not self._capture.grab():
            self._failed()
            return None
        now = time.monotonic()
        if not self._pace.due(now):
            return None
        got, image = self._capture.retrieve()
        if not got or image is None or image.ndim != 3 or image.dtype != np.uint8:
            self._failed()
            return None
        self._good_until = now + FAILING_FOR
        self._level = float(image[::16, ::16].mean())
        return lambda: np.asarray(image, np.uint8)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()

    def _failed(self) -> None:
        """Allow a broken picture now and then. Raises CameraError if there are no others."""
        if time.monotonic() > self._good_until or self._is_gone():
            raise CameraError("Camera {number} went away: plug it in again.", number=self._number)
        time.sleep(RETRY)

    def _is_gone(self) -> bool:
        return sys.platform == "linux" and self._number not in usb_cameras(self._devices)

    def automatic(self) -> bool:
        return bool(self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC))

    def lock(self) -> bool:
        self._level_before = self._level
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        locked = all(
            self._capture.set(what, value)
            for what, value in (
                (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL),
                (cv2.CAP_PROP_EXPOSURE, exposure),
                (cv2.CAP_PROP_AUTO_WB, 0),
            )
        )
        return locked or self._unlock()

    def as_bright_as_before(self) -> bool:
        before, now = self._level_before, self._level
        if abs(now - before) <= ALWAYS_LIKE or before / BRIGHTER <= now <= before * BRIGHTER:
            return True
        return self._unlock()

    def _unlock(self) -> bool:
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        return False


def usb_cameras(devices: Path = DEVICES) -> list[int]:
    """The numbers of the video devices that are there; some of them give no pictures."""
    names = (path.name.removeprefix("video") for path in devices.glob("video*"))
    return sorted(int(name) for name in names if name.isascii() and name.isdecimal())


def _check_exists(number: int, devices: Path) -> None:
    if sys.platform != "linux":
        return  # other systems have no device files
    there = usb_cameras(devices)
    if not there:
        raise CameraError(
            "There is no camera {number}, and no other: plug one in, or write rpicam "
            "for one of a Raspberry Pi.",
            number=number,
        )
    if number not in there:
        raise CameraError(
            "There is no camera {number}; there is {there}: name that.",
            number=number,
            there=_listed(there),
        )


def _cannot_open(number: int, devices: Path) -> str:
    device = devices / f"video{number}"
    if device.exists() and not os.access(device, os.R_OK | os.W_OK):
        return Translatable(
            "Camera {number} is not allowed to you: add yourself to the group 'video'.",
            number=number,
        )
    others = [other for other in usb_cameras(devices) if other != number]
    if others:
        return Translatable(
            "Camera {number} cannot be opened: close what uses it, or try {others} instead.",
            number=number,
            others=_listed(others),
        )
    return Translatable(
        "Camera {number} cannot be opened: close what uses it, or plug it in again.", number=number
    )


def _listed(numbers: list[int]) -> str:
    *firsts, last = [str(number) for number in numbers]
    return (
        Translatable("{firsts} or {last}", firsts=", ".join(firsts), last=last) if firsts else last
    )


# ---- A camera of the network ---------------------------------------------------------------------

OPEN_WITHIN = 3.0
"""Seconds until a stream is open, or the error says why it is not."""
ANSWER_MS = 1500
"""How long FFmpeg waits to open a stream, and for each picture."""
SOON, AT_ONCE = 0.1, 0.005
"""A stream that opens within SOON seconds has no buffered pictures. A buffered picture comes within
AT_ONCE seconds."""
ASK_WITHIN = 0.6
"""Seconds within which a server without a stream must connect, and then say what it has instead."""
PORTS = {"http": 80, "rtsp": 554}
STATUS = re.compile(rb"(?:HTTP|RTSP)/\d(?:\.\d)? (\d{3})\b")
PAGE = re.compile(rb"^content-type:\s*text/html", re.IGNORECASE | re.MULTILINE)


class NetworkCamera(Newest):
    """A stream by its URL."""

    def __init__(
        self,
        url: str,
        capture: Callable[[str, int, list[int]], Any] = cv2.VideoCapture,
        pace: FramePace | None = None,
    ) -> None:
        """``capture`` stands in for OpenCV's. Raises CameraError within ``OPEN_WITHIN`` seconds."""
        scheme, rest = url.split("://", 1)
        url = f"{scheme.lower()}://{rest}"  # FFmpeg knows schemes in small letters only
        super().__init__(shown(url), _Stream(url, capture, pace or FramePace()), OPEN_WITHIN)


def shown(url: str) -> str:
    """A URL for messages, without the name and password, which may stand anywhere in it.

    Some cameras want them in the query or in the path (``/user=admin&password=..``), and a
    password may itself hold ``@`` or ``/``.
    """
    scheme, _, rest = url.partition("://")
    _, masked, place = rest.rpartition("@")
    place, query, _ = place.partition("?")
    host, slash, path = place.partition("/")
    path = path if "=" not in path else "..."
    seen = f"{scheme}://{'***@' if masked else ''}{host}{slash}{path}{'?...' if query else ''}"
    return "".join(letter for letter in seen if letter.isprintable())[:200]


class _Stream:
    """The OpenCV capture; a single thread uses it."""

    def __init__(
        self, url: str, factory: Callable[[str, int, list[int]], Any], pace: FramePace
    ) -> None:
        self._url = url
        self._name = shown(url)
        self._factory = factory
        self._pace = pace
        self._capture: Any = None
        self._late_until = 0.0

    def open(self) -> None:
        began = time.monotonic()
        limits = [
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, ANSWER_MS),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, ANSWER_MS),
        ]
        self._capture = self._factory(self._url, cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            raise CameraError(_why_not(self._url))
        width, height = (
            self._capture.get(side)
            for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        if width * height > MAX_PIXELS:
            raise CameraError(
                "{name} sends pictures of {width:.0f} x {height:.0f}: set it to 1920 x 1080.",
                name=self._name,
                width=width,
                height=height,
            )
        now = time.monotonic()
        self._late_until = now + (now - began if now - began > SOON else 0.0)

    def next(self) -> Picture | None:
        began = time.monotonic()
        # FFmpeg skips broken pictures itself: what fails here is an end, or silence.
        if not self._capture.grab():
            raise CameraError(
                "{name} stopped sending: look at the camera and the network.", name=self._name
            )
        now = time.monotonic()
        # Pictures that FFmpeg buffered while it probed the stream are old, and come all at once.
        if (now < self._late_until and now - began < AT_ONCE) or not self._pace.due(now):
            return None
        got, image = self._capture.retrieve()
        if not got or image is None or image.ndim != 3:
            return None
        return lambda: np.asarray(image, np.uint8)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()


def _why_not(url: str) -> str:
    """What to do about a stream that cannot be opened. FFmpeg does not say: ask the server."""
    name = shown(url)
    try:
        answer = _first_words(url)
    except TimeoutError:
        return Translatable(
            "{name} does not answer: look whether it is on and connected.", name=name
        )
    except (OSError, ValueError):  # ValueError: no host, or a port that is no number
        return Translatable(
            "{name} cannot be reached: look whether the camera is on and in this network.",
            name=name,
        )
    status = STATUS.match(answer)
    if status is None:
        return Translatable(
            "{name} sends no pictures that can be shown: look for the address of its stream.",
            name=name,
        )
    if status[1] in (b"401", b"403"):
        return Translatable(
            "{name} asks for a name and a password: write them as ://name:password@ in the URL.",
            name=name,
        )
    if PAGE.search(answer):
        return Translatable(
            "{name} is a page to look at, not a stream: often /video after the address is one.",
            name=name,
        )
    if status[1] != b"200":
        return Translatable(
            "{name} is not there (error {status}): look for the stream's address.",
            name=name,
            status=status[1].decode(),
        )
    return Translatable(
        "{name} sends no pictures that can be shown: set the camera to MJPEG or H.264.", name=name
    )


def _first_words(url: str) -> bytes:
    """The beginning of a server's answer, 4 kB at most. Raises OSError or ValueError."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    address = (parts.hostname or "", parts.port or PORTS.get(scheme, 443))
    if not address[0]:
        raise ValueError("no host")
    with socket.create_connection(address, ASK_WITHIN) as line:
        if scheme == "https":
            return b""  # the server is there; its answer is not worth a TLS handshake
        if scheme == "rtsp":
            asked = f"DESCRIBE rtsp://{address[0]}:{address[1]}{parts.path} RTSP/1.0\r\nCSeq: 1"
        else:
            asked = f"GET {parts.path or '/'} HTTP/1.0\r\nHost: {address[0]}"
        line.sendall(asked.encode("utf-8") + b"\r\n\r\n")
        return line.recv(4096)
