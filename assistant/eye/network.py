"""A network camera, or a telephone as one: MJPEG over HTTP, or RTSP."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from assistant.eye import MAX_PIXELS
from assistant.eye.newest import FramePace, Newest, Picture
from assistant.eye.source import CameraError

OPEN_WITHIN = 3.0
"""Seconds until a stream is open, or the error says why it is not."""
ANSWER_MS = 1500
"""How long FFmpeg waits to open a stream, and for each picture."""
SOON, AT_ONCE = 0.1, 0.005
"""A stream that opens within the first has no buffered pictures; a buffered one comes within the
second. Both in seconds."""
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
                f"{self._name} sends pictures of {width:.0f} x {height:.0f}: set it to 1920 x 1080."
            )
        now = time.monotonic()
        self._late_until = now + (now - began if now - began > SOON else 0.0)

    def next(self) -> Picture | None:
        began = time.monotonic()
        # FFmpeg skips broken pictures itself: what fails here is an end, or silence.
        if not self._capture.grab():
            raise CameraError(f"{self._name} stopped sending: look at the camera and the network.")
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
        return f"{name} does not answer: look whether it is on and connected."
    except (OSError, ValueError):  # ValueError: no host, or a port that is no number
        return f"{name} cannot be reached: look whether the camera is on and in this network."
    status = STATUS.match(answer)
    if status is None:
        return f"{name} sends no pictures that can be shown: look for the address of its stream."
    if status[1] in (b"401", b"403"):
        return f"{name} asks for a name and a password: write them as ://name:password@ in the URL."
    if PAGE.search(answer):
        return f"{name} is a page to look at, not a stream: often /video after the address is one."
    if status[1] != b"200":
        return f"{name} is not there (error {status[1].decode()}): look for the stream's address."
    return f"{name} sends no pictures that can be shown: set the camera to MJPEG or H.264."


def _first_words(url: str) -> bytes:
    """The beginning of a server's answer, 4 kB at most. Raises OSError or ValueError."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    address = (parts.hostname or "", parts.port or PORTS.get(scheme, 443))
    if not address[0]:
        raise ValueError("no host")
    with socket.create_connection(address, ASK_WITHIN) as line:
        if scheme == "https":
            return b""  # it is there, and its answer is not worth a TLS handshake
        if scheme == "rtsp":
            asked = f"DESCRIBE rtsp://{address[0]}:{address[1]}{parts.path} RTSP/1.0\r\nCSeq: 1"
        else:
            asked = f"GET {parts.path or '/'} HTTP/1.0\r\nHost: {address[0]}"
        line.sendall(asked.encode("utf-8") + b"\r\n\r\n")
        return line.recv(4096)
