"""The watchdog of a camera, and the reopening of a camera that is plugged in again."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.eye import cameras
from assistant.eye.cameras import UsbCamera
from assistant.eye.images import ImageError
from assistant.eye.newest import FramePace
from assistant.eye.source import CameraError, EndOfFrames, Frame, Source
from assistant.eye.watch import Health, Reopening, Watchdog, is_black
from tests.eye.cameras import Usb, Web, web_camera, write_video
from tests.tables import each_row

RANDOM = np.random.default_rng(3)
TABLE = cv2.resize(
    RANDOM.integers(20, 230, (9, 16, 3), np.uint8), (320, 180), interpolation=cv2.INTER_NEAREST
)


def noisy(level: npt.NDArray[np.uint8] | float, noise: float = 3.0) -> Frame:
    """A scene with sensor noise, different in each frame."""
    image = np.broadcast_to(np.asarray(level, np.float64), TABLE.shape)
    image = image + RANDOM.normal(0, noise, TABLE.shape)
    return Frame(np.clip(image, 0, 255).astype(np.uint8), 0.0, 0)


def table() -> Frame:
    return noisy(np.asarray(TABLE, np.uint8))


def covered() -> Frame:
    """A covered lens, with the noise of a camera that raises its gain."""
    return noisy(8.0, noise=12.0)


class Watched:
    """A watchdog and a clock."""

    def __init__(self) -> None:
        self.dog = Watchdog()
        self.now = 100.0

    def sees(self, frame: Frame | None, lost: bool = False, after: float = 0.1) -> Health:
        self.now += after
        told = self.dog.feed(frame, self.now, lost)
        assert told is self.dog.health
        return told


def test_a_watchdog_waits_for_the_first_frame_however_long() -> None:
    watched = Watched()
    assert watched.dog.health is Health.WAITING
    assert watched.sees(None, after=60.0) is Health.WAITING
    assert watched.sees(table()) is Health.OK


def test_a_camera_that_sees_a_still_table_is_well() -> None:
    watched = Watched()
    assert {watched.sees(table()) for _ in range(100)} == {Health.OK}


def test_a_covered_lens_is_black_after_two_seconds_and_no_sooner() -> None:
    watched = Watched()
    watched.sees(table())
    told = [watched.sees(covered()) for _ in range(25)]
    assert told[:20] == [Health.OK] * 20
    assert told[21:] == [Health.BLACK] * 4
    assert watched.sees(table()) is Health.OK


def test_a_hand_before_the_lens_for_a_moment_is_not_black() -> None:
    watched = Watched()
    for _ in range(4):
        assert {watched.sees(covered()) for _ in range(15)} == {Health.OK}
        assert watched.sees(table()) is Health.OK


def test_a_black_picture_without_noise_is_black_and_not_frozen() -> None:
    watched = Watched()
    black = noisy(0.0, 0.0)
    assert [watched.sees(black) for _ in range(60)][-1] is Health.BLACK


@each_row(
    "frame, black",
    [
        (noisy(0.0, 0.0), True),
        (noisy(10.0, 10.0), True),
        (covered(), True),
        (noisy(60.0), False),
        (noisy(250.0), False),
        (noisy(np.asarray(TABLE // 8, np.uint8)), False),  # a dark table is still visible
        (table(), False),
    ],
)
def test_a_picture_is_black_only_if_it_is_dark_everywhere(frame: Frame, black: bool) -> None:
    assert is_black(frame.image) is black
    grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
    assert is_black(grey) is black


def test_one_picture_for_three_seconds_is_frozen_until_the_next() -> None:
    watched = Watched()
    watched.sees(table())
    same = table()
    told = [watched.sees(same) for _ in range(35)]
    assert told[:30] == [Health.OK] * 30
    assert told[31:] == [Health.FROZEN] * 4
    assert watched.sees(table()) is Health.OK


def test_a_copy_is_the_same_picture_and_one_bit_of_noise_is_not() -> None:
    watched = Watched()
    image = table().image
    for step in range(40):
        copy = image.copy()
        assert watched.sees(Frame(copy, 0.0, step)) is (Health.OK if step < 31 else Health.FROZEN)
    for step in range(40):
        image = image.copy()
        image[0, 0, 0] ^= 1
        assert watched.sees(Frame(image, 0.0, step)) is Health.OK


def test_no_frame_for_three_seconds_is_frozen() -> None:
    watched = Watched()
    watched.sees(table())
    assert watched.sees(None, after=2.8) is Health.OK
    assert watched.sees(None, after=0.3) is Health.FROZEN
    assert watched.sees(table()) is Health.OK


def test_a_slow_camera_is_not_frozen() -> None:
    watched = Watched()
    assert {watched.sees(table(), after=2.0) for _ in range(10)} == {Health.OK}


def test_a_lost_source_is_lost_until_a_frame_comes() -> None:
    watched = Watched()
    watched.sees(table())
    assert watched.sees(None, lost=True) is Health.LOST
    assert watched.sees(None, lost=True, after=60.0) is Health.LOST
    assert watched.sees(None) is Health.LOST
    assert watched.sees(table()) is Health.OK


def test_frames_from_before_a_loss_do_not_count() -> None:
    for frame in (covered(), noisy(120.0, 0.0)):
        watched = Watched()
        for _ in range(15):
            watched.sees(frame)
        watched.sees(None, lost=True, after=5.0)
        assert watched.sees(frame) is Health.OK


def test_a_picture_of_another_size_is_another_picture() -> None:
    watched = Watched()
    for _ in range(29):
        watched.sees(noisy(99.0, 0.0))
    assert watched.sees(Frame(np.full((90, 160, 3), 99, np.uint8), 0.0, 0)) is Health.OK
    assert watched.sees(Frame(np.full((90, 160, 3), 99, np.uint8), 0.0, 0), after=2.0) is Health.OK


class Socket:
    """A USB socket with or without a camera, which ``Reopening`` opens."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cameras: list[Usb] = []
        self.asked: list[float] = []
        (folder / "video0").touch()

    def __call__(self, spec: str) -> Source:
        assert spec == "0"
        self.asked.append(time.monotonic())
        camera = Usb()
        camera.still = 30
        source = UsbCamera(0, camera, self.folder, FramePace(1000))
        self.cameras.append(camera)
        return source

    def pull(self) -> None:
        (self.folder / "video0").rename(self.folder / "gone")
        self.cameras[-1].unplugged.set()

    def plug(self) -> None:
        (self.folder / "gone").rename(self.folder / "video0")


@pytest.fixture
def socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Socket:
    monkeypatch.setattr(cameras, "FAILING_FOR", 0.05)
    monkeypatch.setattr(cameras, "SETTLING", 0.05)
    return Socket(tmp_path)


@pytest.fixture
def source(socket: Socket) -> Iterator[Reopening]:
    with Reopening("0", socket, first_wait=0.06, longest_wait=0.15) as source:
        assert source.read(2.0) is not None
        yield source


def until_lost(source: Reopening) -> None:
    while source.lost is None:
        source.read(0.1)


def until_asked(socket: Socket, times: int) -> None:
    deadline = time.monotonic() + 60
    while len(socket.asked) < times:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def until_seen(source: Reopening) -> Frame:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if frame := source.read(0.1):
            return frame
    raise AssertionError("it did not come back")


def test_an_unplugged_camera_goes_on_when_it_is_plugged_in_again(
    socket: Socket, source: Reopening, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    before = until_seen(source)
    assert source.lost is None
    for _ in range(2):
        socket.pull()
        until_lost(source)
        assert str(source.lost) == "Camera 0 went away: plug it in again."
        began = time.monotonic()
        assert source.read(0.15) is None
        assert 0.1 < time.monotonic() - began < 2.0
        socket.plug()
        after = until_seen(source)
        assert source.lost is None
        assert after.number > before.number
        assert after.at > before.at
        before = after
    assert caplog.messages == ["Camera 0 went away: plug it in again.", "Camera 0 is back"] * 2


def test_attempts_to_reopen_become_rarer(socket: Socket, source: Reopening) -> None:
    socket.pull()
    until_lost(source)
    gone = len(socket.asked)
    until_asked(socket, gone + 6)
    waits = np.diff(socket.asked[gone:])
    assert waits[0] >= 0.12
    assert min(waits[1:]) >= 0.15
    assert min(waits[1:]) < 0.24  # a busy machine makes some waits longer, but hardly all


def test_a_camera_that_opens_and_dies_at_once_is_not_reopened_ever_faster(
    socket: Socket, source: Reopening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "FIRST_WITHIN", 0.0)
    monkeypatch.setattr(Usb, "grab", lambda _: False)
    while len(socket.asked) < 4:
        source.read(0.1)
    assert socket.asked[3] - socket.asked[0] >= 0.06 + 0.12 + 0.15
    assert source.lost is not None


def test_a_read_is_not_delayed_by_an_attempt(source: Reopening, socket: Socket) -> None:
    slow = threading.Event()
    asked = threading.Event()

    def opens(_: str) -> Source:
        asked.set()
        slow.wait(5)
        raise CameraError("No.")

    source._open = opens
    socket.pull()
    until_lost(source)
    assert asked.wait(30.0)
    began = time.monotonic()
    assert source.read(0.1) is None
    assert source.read(0.0) is None
    assert time.monotonic() - began < 2.0
    slow.set()


def test_a_close_ends_the_attempts_and_a_read_that_waits(socket: Socket) -> None:
    source = Reopening("0", socket, first_wait=30)
    assert source.read(2.0) is not None
    socket.pull()
    until_lost(source)
    timer = threading.Timer(0.05, source.close)
    timer.start()
    began = time.monotonic()
    with pytest.raises(CameraError, match="Camera 0 is closed"):
        source.read(10.0)
    timer.join()
    assert time.monotonic() - began < 2.0
    assert not any(thread.name == "camera again" for thread in threading.enumerate())


def test_a_camera_lost_during_a_close_starts_no_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The close comes just before the attempts for the lost camera begin."""
    source = Reopening("dies", lambda _spec: Dying())
    real_start = threading.Thread.start
    closing = threading.Thread(target=source.close)

    class Slow(threading.Thread):
        def start(self) -> None:
            closing.start()
            time.sleep(0.05)
            super().start()

    reading = threading.Thread(target=lambda: contained(source))
    monkeypatch.setattr(threading, "Thread", Slow)
    real_start(reading)
    reading.join(5)
    closing.join(5)
    assert not reading.is_alive()
    assert not closing.is_alive()
    assert source._thread is not None
    assert not source._thread.is_alive()


class Dying(Source):
    """A camera that is lost at once."""

    live = True
    name = "dies"

    def read(self, timeout: float) -> Frame | None:  # noqa: ARG002 - it does not wait
        raise CameraError("gone")

    def close(self) -> None:
        pass


def contained(source: Reopening) -> None:
    with suppress(CameraError):
        source.read(0.2)


def test_a_camera_found_after_the_close_is_released(
    socket: Socket, source: Reopening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.eye.watch.LETTING_GO", 0.05)
    slow = threading.Event()
    asked = threading.Event()

    def opens(spec: str) -> Source:
        asked.set()
        slow.wait(5)
        return socket(spec)

    source._open = opens
    socket.pull()
    until_lost(source)
    assert asked.wait(30.0)
    socket.plug()
    source.close()
    slow.set()
    deadline = time.monotonic() + 30
    while len(socket.cameras) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert socket.cameras[1].released.wait(30.0)


def test_the_lost_camera_is_released(socket: Socket, source: Reopening) -> None:
    socket.pull()
    until_lost(source)
    assert socket.cameras[0].released.wait(30.0)


@pytest.mark.parametrize("locked", ["never", "before", "while it is lost"])
def test_an_exposure_lock_is_kept_after_the_camera_came_back(
    socket: Socket, source: Reopening, locked: str
) -> None:
    if locked == "before":
        assert source.lock_exposure()
    socket.pull()
    until_lost(source)
    if locked == "while it is lost":
        assert not source.lock_exposure()
    socket.plug()
    until_seen(source)
    told = socket.cameras[-1].told
    assert ((cv2.CAP_PROP_AUTO_EXPOSURE, 1) in told) is (locked != "never")


def test_a_camera_missing_at_the_start_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="There is no camera 987"):
        Reopening("987")
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(ImageError):
        Reopening(str(tmp_path / "a.png"))


def test_a_file_is_not_started_again(tmp_path: Path) -> None:
    with Reopening(str(write_video(tmp_path / "a.avi", 1))) as source:
        assert not source.live
        assert source.read(0.0) is not None
        for _ in range(2):
            with pytest.raises(EndOfFrames):
                source.read(0.0)


def test_a_stream_that_hung_up_goes_on_and_the_watchdog_reports_both() -> None:
    web = Web()
    web.most, web.hangs_up = 10, True
    dog = Watchdog()
    told = [dog.health]
    with web_camera(web) as url, Reopening(url, first_wait=0.1) as source:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and told[-3:] != [Health.OK, Health.LOST, Health.OK]:
            frame = source.read(0.1)
            health = dog.feed(frame, time.monotonic(), source.lost is not None)
            if health is not told[-1]:
                told.append(health)
            if health is Health.LOST:
                web.most = None
    assert told == [Health.WAITING, Health.OK, Health.LOST, Health.OK]
