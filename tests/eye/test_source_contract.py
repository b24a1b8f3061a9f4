"""The contract of every picture source, with each adapter, and which one a name opens."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye import cameras
from assistant.eye.cameras import NetworkCamera, UsbCamera
from assistant.eye.images import ImageError
from assistant.eye.newest import FramePace, Newest
from assistant.eye.rpicam import RpicamCamera
from assistant.eye.source import (
    CameraError,
    EndOfFrames,
    Frame,
    PictureFile,
    Source,
    VideoFile,
    open_source,
)
from assistant.eye.watch import Reopening
from tests.eye.cameras import (
    EVERY,
    LEVELS,
    Usb,
    Web,
    ended,
    install_rpicam,
    jpeg,
    number_of,
    picture,
    rtsp_camera,
    web_camera,
    write_video,
)
from tests.tables import each_row

FAST = 1000.0
"""A pace at which every picture is decoded."""


class SourceContract(ABC):
    """The tests of the port, for a camera or file that shows ``picture(0)`` and so on."""

    frames = LEVELS
    """The number of frames. A live source gives at least so many before it falls silent."""

    @abstractmethod
    def opened(self, folder: Path) -> AbstractContextManager[Source]:
        """The source, with whatever it needs."""

    @pytest.fixture
    def source(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
        monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
        monkeypatch.setattr(cameras, "ANSWER_MS", 1000)  # a silent stream takes this long to end
        with self.opened(tmp_path) as source:
            yield source

    @staticmethod
    def next_frames(source: Source, count: int) -> list[Frame]:
        """The next frames, as soon as they are there."""
        frames = [source.read(2.0) for _ in range(count)]
        assert None not in frames
        return [frame for frame in frames if frame is not None]

    def test_frames_are_bgr_pictures_in_order(self, source: Source) -> None:
        assert source.name
        frames = self.next_frames(source, min(self.frames, 5))
        for frame in frames:
            assert frame.image.dtype == np.uint8
            assert frame.image.ndim == 3
            assert frame.image.shape[2] == 3
        for before, after in pairwise(frames):
            assert number_of(before.image) < number_of(after.image)
            assert before.number < after.number
            assert before.at < after.at

    def test_a_read_after_a_close_is_an_error_and_a_second_close_is_not(
        self, source: Source
    ) -> None:
        with source as same:
            assert same is source
            self.next_frames(source, 1)
        for timeout in (0.0, 0.1):
            with pytest.raises(CameraError, match=r"is closed\.$"):
                source.read(timeout)
            source.close()


class FileContract(SourceContract):
    """The contract of files: no frame is dropped."""

    def test_each_frame_comes_once_and_then_the_end(self, source: Source) -> None:
        assert not source.live
        frames = self.next_frames(source, self.frames)
        assert [frame.number for frame in frames] == list(range(self.frames))
        assert [number_of(frame.image) for frame in frames] == list(range(self.frames))
        for _ in range(2):
            with pytest.raises(EndOfFrames):
                source.read(0.1)

    def test_a_slow_reader_misses_nothing(self, source: Source) -> None:
        for number in range(min(self.frames, 3)):
            frame = source.read(0.0)
            assert frame is not None
            assert frame.number == number_of(frame.image) == number
            time.sleep(0.05)

    def test_the_exposure_of_a_file_cannot_be_locked(self, source: Source) -> None:
        assert not source.lock_exposure()


class LiveContract(SourceContract):
    """The contract of live sources: only the newest frame is kept."""

    def test_a_slow_reader_gets_the_newest_frame_and_no_older_one_after_it(
        self, source: Source
    ) -> None:
        assert source.live
        (first,) = self.next_frames(source, 1)
        time.sleep(12 * EVERY)
        (late,) = self.next_frames(source, 1)
        assert number_of(late.image) >= number_of(first.image) + 6
        assert late.number >= first.number + 6
        assert time.monotonic() - late.at < 0.15
        (later,) = self.next_frames(source, 1)
        assert number_of(later.image) > number_of(late.image)

    def test_no_frame_comes_twice_and_a_read_waits_until_the_camera_is_closed(
        self, source: Source
    ) -> None:
        numbers = []
        while (frame := source.read(0.15)) is not None:
            numbers.append(frame.number)
        assert len(numbers) > 3
        assert len(set(numbers)) == len(numbers)
        for timeout in (0.0, 0.1):
            began = time.monotonic()
            assert source.read(timeout) is None
            assert timeout <= time.monotonic() - began < timeout + 2.0
        timer = threading.Timer(0.05, source.close)
        timer.start()
        began = time.monotonic()
        with pytest.raises(CameraError, match="is closed"):
            source.read(5.0)
        assert time.monotonic() - began < 2.0
        timer.join()


class TestPicture(FileContract):
    """A photograph."""

    frames = 1

    def opened(self, folder: Path) -> Source:
        assert cv2.imwrite(str(folder / "a.png"), picture(0))
        return PictureFile(folder / "a.png")


class TestVideo(FileContract):
    """A video."""

    frames = 12

    def opened(self, folder: Path) -> Source:
        return VideoFile(write_video(folder / "a.avi", self.frames))


class TestUsb(LiveContract):
    """A USB camera, with a capture of the tests."""

    frames = 18

    def opened(self, folder: Path) -> Source:
        (folder / "video0").touch()
        return UsbCamera(0, Usb(self.frames), folder, FramePace(FAST))


@pytest.mark.slow
class TestRpicam(LiveContract):
    """A Raspberry Pi camera, with a program of the tests."""

    frames = 18

    def opened(self, folder: Path) -> Source:
        install_rpicam(folder / "bin", [jpeg(picture(number)) for number in range(self.frames)])
        return RpicamCamera()


class TestWeb(LiveContract):
    """MJPEG from a web server, with frames left where a busy machine reads late."""

    frames = 36

    @contextmanager
    def opened(self, folder: Path) -> Iterator[Source]:  # noqa: ARG002
        web = Web()
        web.most = self.frames
        with web_camera(web) as url, NetworkCamera(url, pace=FramePace(FAST)) as source:
            yield source


class TestRtsp(LiveContract):
    """RTSP. FFmpeg takes a while to open it, and the pictures of that time are skipped."""

    frames = 36

    @contextmanager
    def opened(self, folder: Path) -> Iterator[Source]:  # noqa: ARG002
        with (
            rtsp_camera(self.frames) as url,
            NetworkCamera(url, pace=FramePace(FAST)) as source,
        ):
            yield source


class TestReopening(LiveContract):
    """A reopening source is itself a source."""

    frames = 18

    def opened(self, folder: Path) -> Source:
        (folder / "video0").touch()
        return Reopening("0", lambda _: UsbCamera(0, Usb(self.frames), folder, FramePace(FAST)))


class TestReopeningOfAFile(FileContract):
    """A file that has ended is not opened again."""

    frames = 6

    def opened(self, folder: Path) -> Source:
        return Reopening(str(write_video(folder / "a.avi", self.frames)))


@each_row(
    "spec, told",
    [
        ("", "Name a camera: 0"),
        ("  ", "Name a camera: 0"),
        ("12345", "There is no camera 12345"),
        ("rpicam:left", "write rpicam, or rpicam:1"),
        ("ftp://host/video", "a URL is http, https or rtsp"),
        ("file:///etc/passwd", "a URL is http, https or rtsp"),
        ("http://127.0.0.1:1/\ud800", "letters that no URL has"),
        ("http://127.0.0.1:1/a\0b", "letters that no URL has"),
        ("http://", "cannot be reached"),
        ("http://[", "cannot be reached"),
        ("rtsp://127.0.0.1:port/x", "cannot be reached"),
        ("rpicamera", r"There is no file rpicamera; a camera is named by its number \(0\)"),
        ("/dev/null", "cannot be read: it is no file"),
        ("a\0b", "is no file"),
        ("x" * 5000, "cannot be read"),
    ],
)
def test_a_source_that_cannot_be_opened_gives_one_sentence(spec: str, told: str) -> None:
    with pytest.raises(CameraError, match=told) as caught:
        open_source(spec)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere cameras are no files")
@each_row("spec", ["987", "/dev/video987"])
def test_a_number_or_its_device_is_a_usb_camera(spec: str) -> None:
    with pytest.raises(CameraError, match="There is no camera 987"):
        open_source(spec)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere cameras are no files")
def test_a_link_to_a_device_leads_to_its_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.resolve

    def resolve(path: Path, strict: bool = False) -> Path:
        return Path("/dev/video987") if "by-id" in str(path) else real(path, strict)

    monkeypatch.setattr(Path, "resolve", resolve)
    with pytest.raises(CameraError, match="There is no camera 987"):
        open_source("/dev/v4l/by-id/usb-Webcam-index0")


@pytest.mark.slow
def test_rpicam_and_a_number_are_a_camera_of_the_pi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_rpicam(tmp_path, [jpeg(picture(7))])
    monkeypatch.setenv("PATH", str(tmp_path))
    for spec, name in (("rpicam", "camera 0"), ("rpicam:1", "camera 1")):
        with open_source(spec) as source:
            assert isinstance(source, RpicamCamera)
            assert source.name.endswith(name)


def test_a_url_in_any_case_is_a_network_camera() -> None:
    with web_camera(Web()) as url, open_source(url.replace("http", "HTTP")) as source:
        assert isinstance(source, NetworkCamera)
        assert source.read(2.0) is not None


def test_any_other_name_is_a_file(tmp_path: Path) -> None:
    assert cv2.imwrite(str(tmp_path / "0.png"), picture(0))
    with open_source(str(tmp_path / "0.png")) as source:
        assert isinstance(source, PictureFile)
    with open_source(str(write_video(tmp_path / "mesa ñ.avi", 2))) as source:
        assert isinstance(source, VideoFile)
        assert source.name == "mesa ñ.avi"
    (tmp_path / "cut.png").write_bytes((tmp_path / "0.png").read_bytes()[:40])
    with pytest.raises(ImageError, match="is no picture"):
        open_source(str(tmp_path / "cut.png"))


@each_row("comes, decoded", [(5, 5), (10, 10), (25, 10), (30, 10), (1000, 10)])
def test_a_pace_lets_ten_pictures_a_second_through(comes: int, decoded: int) -> None:
    pace = FramePace(10)
    times = [7.0 + number / comes for number in range(10 * comes)]
    let = [time for time in times if pace.due(time + 1e-6)]
    assert let[0] == times[0]
    assert len(let) == pytest.approx(10 * decoded, abs=1)
    assert not comes > 10 or min(np.diff(let)) > 0.06  # evenly, and not two at once


class Flood:
    """A camera whose pictures are all broken and come faster than they are checked."""

    def open(self) -> None:
        pass

    def next(self) -> Callable[[], None]:
        time.sleep(0.0005)
        return lambda: time.sleep(0.005)

    def close(self) -> None:
        pass


def test_a_flood_of_broken_pictures_is_reported_in_time() -> None:
    with Newest("Flood", Flood(), 1.0) as source:
        began = time.monotonic()
        assert source.read(0.1) is None
        assert source.read(0.0) is None
        assert time.monotonic() - began < 2.0


FORGETFUL = """
import sys
from assistant.eye.source import open_source
sources = [open_source(spec) for spec in sys.argv[1:]]
print(all(source.read(2.0) is not None for source in sources))
"""


@pytest.mark.slow
def test_a_program_with_unclosed_cameras_ends_normally_and_silently(tmp_path: Path) -> None:
    install_rpicam(tmp_path / "bin", [jpeg(picture(7))] * 500)
    web = Web()
    web.every = 0.001
    with web_camera(web) as url:
        done = subprocess.run(
            [sys.executable, "-c", FORGETFUL, url, "rpicam", url],
            env={**os.environ, "PATH": str(tmp_path / "bin")},
            capture_output=True,
            text=True,
            timeout=30,
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
    assert ended(tmp_path / "bin")
