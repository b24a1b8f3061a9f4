"""A Raspberry Pi camera: the system's ``rpicam-vid`` sends JPEG pictures through a pipe."""

from __future__ import annotations

import os
import re
import selectors
import shutil
import subprocess
import time
from contextlib import suppress
from functools import partial

import cv2
import numpy as np

from assistant.eye.images import Image
from assistant.eye.newest import Newest, Picture
from assistant.eye.source import CameraError
from assistant.rules.errors import Translatable

PROGRAMS = ("rpicam-vid", "libcamera-vid")
"""The program, and its name before 2024."""
SIZE = (1920, 1080)
FIRST_WITHIN = 6.0
"""Seconds until the first picture."""
SILENT_FOR = 3.0
"""Seconds without a picture after which the camera counts as lost."""
POLL = 0.1
MOST_BYTES = 16_000_000
"""The most bytes of a picture; at this size a camera's has one or two million."""
LAST_WORDS = 2000
"""Bytes kept of the program's last messages."""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ENDING = 1.0
"""Seconds that the program may take to end."""

SOI, EOI = b"\xff\xd8", b"\xff\xd9"
SCAN = 0xDA
ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers without a length."""


class RpicamCamera(Newest):
    """A camera on the Pi's own connector, by its number."""

    def __init__(self, number: int = 0) -> None:
        """Raises CameraError."""
        super().__init__(f"Raspberry Pi camera {number}", _Program(number), FIRST_WITHIN + ENDING)


class JpegSplitter:
    """Cuts a stream into JPEG pictures."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        """``most``: bytes that a picture may have."""
        self._most = most
        self._bytes = bytearray()
        self._at = 0
        self._in_scan = False

    def feed(self, data: bytes) -> list[bytes]:
        """The pictures that ``data`` completes. Raises CameraError for one that never ends."""
        self._bytes += data
        found = []
        while end := self._end():
            found.append(bytes(self._bytes[:end]))
            self._drop(end)
        if len(self._bytes) > self._most:
            raise CameraError("The camera sends no pictures that end: start it again.")
        return found

    def _drop(self, until: int) -> None:
        del self._bytes[:until]
        self._at, self._in_scan = 0, False

    def _end(self) -> int:
        """Where the first picture ends; 0 if its end has not come yet."""
        while self._begins():
            if not self._in_scan and not self._pass_headers():
                return 0
            if not self._in_scan:
                self._drop(len(SOI))  # no picture after all: look for the next
                continue
            end = self._bytes.find(EOI, self._at)
            again = self._bytes.find(SOI, self._at, end if end >= 0 else len(self._bytes))
            if again >= 0:
                self._drop(again)  # cut off in the middle, and another begun
            elif end >= 0:
                return end + len(EOI)
            else:
                self._at = max(self._at, len(self._bytes) - 1)  # its last byte may be half a marker
                return 0
        return 0

    def _begins(self) -> bool:
        """Drop the bytes before a picture; return whether one begins."""
        if self._at:
            return True
        begin = self._bytes.find(SOI)
        if begin < 0:
            self._drop(max(0, len(self._bytes) - 1))
            return False
        self._drop(begin)
        self._at = len(SOI)
        return True

    def _pass_headers(self) -> bool:
        """Skip to where the picture's data begins, because a header may contain a thumbnail.

        False if more bytes are needed. Otherwise ``_in_scan`` says whether it is a picture.
        """
        while len(self._bytes) >= self._at + 4:
            mark, kind = self._bytes[self._at], self._bytes[self._at + 1]
            if mark != 0xFF or kind in (0x00, SOI[1], EOI[1]):
                return True
            if kind == 0xFF:  # filling
                self._at += 1
            elif kind in ALONE:
                self._at += 2
            else:
                length = int.from_bytes(self._bytes[self._at + 2 : self._at + 4])
                self._at += 2 + length
                if kind == SCAN:
                    self._in_scan = True
                    return True
        return False


class _Program:
    """The program and its two pipes; a single thread uses them."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._process: subprocess.Popen[bytes] | None = None
        self._pipes = selectors.DefaultSelector()
        self._splitter = JpegSplitter()
        self._complaint = b""
        self._silent_at = 0.0
        self._first: Picture | None = None

    def open(self) -> None:
        """Start the program and wait for a picture, which alone shows that there is a camera."""
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise CameraError("rpicam-vid is not installed: apt install rpicam-apps.")
        try:
            # Its own process group: Ctrl-C ends the assistant, which then ends the program in
            # order.
            self._process = subprocess.Popen(
                [program, *_options(self._number)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise CameraError(
                "{program} cannot be started ({why}): apt install rpicam-apps.",
                program=program,
                why=error.strerror,
            ) from error
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._pipes.register(pipe, selectors.EVENT_READ)
        self._silent_at = time.monotonic() + FIRST_WITHIN
        while self._first is None:
            self._first = self.next()

    def next(self) -> Picture | None:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        assert self._process is not None
        newest = None
        for key, _ in self._pipes.select(POLL):
            data = os.read(key.fd, 1 << 16)
            if key.fileobj is self._process.stderr:
                self._hear(data)
            elif not data:
                raise CameraError(self._ended())
            elif pictures := self._splitter.feed(data):
                newest = pictures[-1]
        now = time.monotonic()
        if newest is not None:
            self._silent_at = now + SILENT_FOR
            return partial(_decoded, newest)
        if now > self._silent_at:
            raise CameraError(
                "The Raspberry Pi camera {number} sends no pictures: look at its cable.",
                number=self._number,
            )
        return None

    def close(self) -> None:
        self._pipes.close()
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING)

    def _hear(self, data: bytes) -> None:
        assert self._process is not None
        if not data and self._process.stderr is not None:
            self._pipes.unregister(self._process.stderr)
        self._complaint = (self._complaint + data)[-LAST_WORDS:]

    def _ended(self) -> str:
        """Why the program ended, by its last messages, which may still be in the pipe."""
        assert self._process is not None
        assert self._process.stdout is not None
        self._pipes.unregister(self._process.stdout)
        deadline = time.monotonic() + ENDING
        while time.monotonic() < deadline and self._pipes.get_map():
            for key, _ in self._pipes.select(POLL):
                self._hear(os.read(key.fd, 1 << 16))
        lines = self._complaint.decode("utf-8", "replace").split("\n")
        told = [line for line in map(_printable, lines) if line]
        why = f" ({told[-1]})" if told else ""
        return Translatable(
            "The Raspberry Pi camera {number} stopped{why}: look at its cable.",
            number=self._number,
            why=why,
        )


def _printable(line: str) -> str:
    """A line without terminal escapes, and not too long."""
    plain = COLOUR.sub("", line)
    return "".join(letter for letter in plain if letter.isprintable()).strip(" *.")[:200]


def _options(number: int) -> list[str]:
    width, height = SIZE
    return (
        f"--codec mjpeg -t 0 --width {width} --height {height} --framerate 10 --camera {number} "
        "--nopreview --flush --verbose 0 -o -"
    ).split()


def _decoded(data: bytes) -> Image | None:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # of more than MAX_PIXELS
        return None
    return None if image is None else np.asarray(image, np.uint8)
