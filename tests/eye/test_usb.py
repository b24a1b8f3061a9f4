"""A USB camera, with a capture of the tests: its settings and its failures."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import cv2
import pytest

from assistant.eye import cameras, newest
from assistant.eye.cameras import UsbCamera, usb_cameras
from assistant.eye.newest import FramePace
from assistant.eye.source import CameraError
from tests.eye.cameras import Usb, all_of, number_of

FAST = 1000.0
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere cameras are no files")


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    """A folder of devices with two cameras, and other files of similar names."""
    for name in ("video0", "video2", "videoX", "video", "null"):
        (tmp_path / name).touch()
    return tmp_path


def opened(camera: Usb, devices: Path, number: int = 0) -> UsbCamera:
    return UsbCamera(number, camera, devices, FramePace(FAST))


def test_the_camera_is_set_to_jpeg_in_full_hd_and_one_buffer(devices: Path) -> None:
    camera = Usb()
    with opened(camera, devices, 2) as source:
        assert source.read(2.0) is not None
        assert source.name == "Camera 2"
    assert camera.called_with == (2, cameras.BACKEND)
    assert camera.told == [
        (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
        (cv2.CAP_PROP_FRAME_WIDTH, 1920),
        (cv2.CAP_PROP_FRAME_HEIGHT, 1080),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ]


def test_a_camera_that_takes_no_settings_gives_the_pictures_it_has(devices: Path) -> None:
    camera = Usb()
    camera.refused = {what for what, _ in cameras.WANTED}
    with opened(camera, devices) as source:
        assert source.read(2.0) is not None


@pytest.mark.usefixtures("soon")
def test_one_thread_alone_uses_the_capture_and_releases_it(devices: Path) -> None:
    camera = Usb()
    source = opened(camera, devices)
    source.read(2.0)
    source.lock_exposure()
    source.close()
    assert camera.released.is_set()
    assert len(camera.threads) == 1
    assert threading.get_ident() not in camera.threads


def test_a_small_computer_decodes_no_more_than_it_needs(devices: Path) -> None:
    camera = Usb(every=0.005)
    with UsbCamera(0, camera, devices) as source:
        began = time.monotonic()
        while time.monotonic() - began < 0.25:
            source.read(0.1)
        frame = source.read(1.0)
        assert frame is not None
        assert 2 <= frame.number <= 4
        assert camera.sent > 15


@LINUX
def test_the_available_cameras_are_named_in_the_error(devices: Path) -> None:
    assert usb_cameras(devices) == [0, 2]
    with pytest.raises(CameraError, match="There is no camera 1; there is 0 or 2: name that"):
        opened(Usb(), devices, 1)
    for name in ("video0", "video2"):
        (devices / name).unlink()
    with pytest.raises(CameraError, match="no camera 0, and no other: plug one in, or write rpi"):
        opened(Usb(), devices)


def test_a_camera_that_does_not_open_is_released_and_the_others_are_named(devices: Path) -> None:
    camera = Usb()
    camera.opens = False
    with pytest.raises(CameraError, match="0 cannot be opened: close what uses it, or try 2 inst"):
        opened(camera, devices)
    assert camera.released.is_set()


@LINUX
def test_a_camera_without_permission_is_reported_with_the_group(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = Usb()
    camera.opens = False
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CameraError, match="add yourself to the group 'video'"):
        opened(camera, devices)


def test_a_camera_that_hangs_while_opening_is_given_up(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "USB_OPEN_WITHIN", 0.1)
    answers = threading.Event()
    camera = Usb()

    def hangs(number: int, backend: int) -> Usb:
        answers.wait(5)
        return camera(number, backend)

    began = time.monotonic()
    with pytest.raises(CameraError, match="Camera 0 does not answer"):
        UsbCamera(0, hangs, devices)
    assert time.monotonic() - began < 2.0
    answers.set()
    assert camera.released.wait(30.0)  # when it does open, nobody keeps it


def test_an_unplugged_camera_is_lost_and_released_and_shows_no_old_picture(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "FAILING_FOR", 0.1)
    camera = Usb()
    with opened(camera, devices) as source:
        assert source.read(2.0) is not None
        camera.unplugged.set()
        assert camera.released.wait(30.0)
        for _ in range(2):
            with pytest.raises(CameraError, match="Camera 0 went away: plug it in again"):
                source.read(2.0)


@LINUX
def test_a_camera_whose_device_is_gone_is_lost_at_once(devices: Path) -> None:
    camera = Usb(most=0)  # the first picture would have until FIRST_WITHIN
    with opened(camera, devices) as source:
        (devices / "video0").unlink()
        began = time.monotonic()
        with pytest.raises(CameraError, match="went away"):
            source.read(3.0)
        assert time.monotonic() - began < 2.5


def test_closing_ends_a_read_that_waits(devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "FIRST_WITHIN", 0.1)
    camera = Usb(most=0)
    with opened(camera, devices) as source, pytest.raises(CameraError, match="went away"):
        source.read(5.0)


def test_an_occasional_broken_picture_is_no_loss(devices: Path) -> None:
    camera = Usb()
    camera.broken = 3
    with opened(camera, devices) as source:
        frame = source.read(2.0)
        assert frame is not None
        assert number_of(frame.image) >= 3


def test_a_driver_that_fails_gives_one_sentence(
    devices: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Usb):
        def grab(self) -> bool:
            if self.sent > 2:
                raise cv2.error("assertion failed")
            return super().grab()

    with opened(Failing(), devices) as source:
        with pytest.raises(CameraError, match="stopped working: plug it in again") as caught:
            all_of(source)
        assert "assertion" not in str(caught.value)
    assert "a camera stopped" in caplog.text


AUTO, EXPOSURE, WHITE = (
    cv2.CAP_PROP_AUTO_EXPOSURE,
    cv2.CAP_PROP_EXPOSURE,
    cv2.CAP_PROP_AUTO_WB,
)


def still() -> Usb:
    """A camera that always sees the same picture."""
    camera = Usb()
    camera.still = 30
    return camera


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let exposure settle at once."""
    monkeypatch.setattr(cameras, "SETTLING", 0.06)


def test_exposure_settles_and_is_locked_at_its_value(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "SETTLING", 0.2)
    camera = still()
    with opened(camera, devices) as source:
        before = len(camera.told)
        settled = threading.Timer(0.1, camera.settings.__setitem__, (EXPOSURE, 300.0))
        settled.start()
        assert source.lock_exposure()
        settled.join()
        assert camera.told[before:] == [(AUTO, 3), (AUTO, 1), (EXPOSURE, 300.0), (WHITE, 0)]
        assert source.read(1.0) is not None


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("refused", [AUTO, EXPOSURE, WHITE])
def test_a_camera_that_refuses_the_lock_stays_automatic(devices: Path, refused: int) -> None:
    camera = still()
    camera.refused = {refused}
    with opened(camera, devices) as source:
        assert not source.lock_exposure()
    assert camera.settings.get(AUTO, 3) == 3
    assert camera.settings.get(WHITE, 1) == 1


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(("dims", "locked"), [(0.5, False), (0.95, True), (1.6, False)])
def test_a_lock_that_changes_the_brightness_is_undone(
    devices: Path, dims: float, locked: bool
) -> None:
    camera = still()
    camera.dims_when_locked = dims
    with opened(camera, devices) as source:
        assert source.read(2.0) is not None
        assert source.lock_exposure() is locked
    assert camera.settings[AUTO] == (1 if locked else 3)


@pytest.mark.usefixtures("soon")
def test_pictures_go_on_during_the_lock(devices: Path) -> None:
    with opened(still(), devices) as source:
        first = source.read(2.0)
        assert source.lock_exposure()
        last = source.read(2.0)
        assert first is not None
        assert last is not None
        assert last.number > first.number + 2


def test_locking_a_lost_camera_is_reported_soon(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "FAILING_FOR", 0.05)
    monkeypatch.setattr(newest, "ANSWER_WITHIN", 0.2)
    camera = Usb()
    with opened(camera, devices) as source:
        source.read(2.0)
        camera.unplugged.set()
        began = time.monotonic()
        assert not source.lock_exposure()
        assert camera.released.wait(30.0)
        assert not source.lock_exposure()
        assert time.monotonic() - began < 2.5
