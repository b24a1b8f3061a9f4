"""A USB camera through V4L2."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.eye.newest import FramePace, Newest, Picture
from assistant.eye.source import CameraError

# How long OpenCV waits for a camera that stops sending; it reads this with the first camera.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")

BACKEND = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
WANTED = (
    # JPEG, set before the size: of raw pictures of this size, USB 2 carries five a second.
    (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
    (cv2.CAP_PROP_FRAME_WIDTH, 1920),
    (cv2.CAP_PROP_FRAME_HEIGHT, 1080),
    (cv2.CAP_PROP_BUFFERSIZE, 1),
)
OPEN_WITHIN = 5.0
FIRST_WITHIN = 5.0
"""Seconds until the first picture; some cameras take three to start."""
FAILING_FOR = 1.0
"""Seconds of failures after which a camera counts as unplugged."""
RETRY = 0.05
SETTLING = 1.0
"""Seconds that a camera takes to adjust its exposure, or to show the effect of a locked one."""
AUTOMATIC, MANUAL = 3, 1
"""V4L2's values for aperture priority (automatic exposure of a webcam) and for manual."""
BRIGHTER, ALWAYS_LIKE = 1.25, 8.0
"""A locked exposure may change the mean level by this factor, or by so many levels of 255."""
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
        super().__init__(f"Camera {number}", self._camera, OPEN_WITHIN)

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
            self._capture.set(what, value)  # a camera that cannot do this gives what it can
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
            raise CameraError(f"Camera {self._number} went away: plug it in again.")
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
        return  # on other systems cameras are no files
    there = usb_cameras(devices)
    if not there:
        raise CameraError(
            f"There is no camera {number}, and no other: plug one in, "
            "or write rpicam for one of a Raspberry Pi."
        )
    if number not in there:
        raise CameraError(f"There is no camera {number}; there is {_listed(there)}: name that.")


def _cannot_open(number: int, devices: Path) -> str:
    device = devices / f"video{number}"
    if device.exists() and not os.access(device, os.R_OK | os.W_OK):
        return f"Camera {number} is not allowed to you: add yourself to the group 'video'."
    others = [other for other in usb_cameras(devices) if other != number]
    instead = f"try {_listed(others)} instead" if others else "plug it in again"
    return f"Camera {number} cannot be opened: close what uses it, or {instead}."


def _listed(numbers: list[int]) -> str:
    *firsts, last = [str(number) for number in numbers]
    return f"{', '.join(firsts)} or {last}" if firsts else last
