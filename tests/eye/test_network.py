"""Network cameras: real servers of the tests, and all the ways in which they fail."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import cv2
import numpy as np
import pytest

from assistant.eye import cameras
from assistant.eye.cameras import OPEN_WITHIN, NetworkCamera, shown
from assistant.eye.newest import FramePace
from assistant.eye.source import CameraError
from tests.eye.cameras import (
    SIZE,
    Web,
    all_of,
    closed_port,
    number_of,
    rtsp_camera,
    silent_server,
    web_camera,
)
from tests.tables import each_row

SECRET = "t0p/s3cr@t"


@contextmanager
def saying(words: bytes, then: float = 0.0) -> Iterator[int]:
    """A server that sends the same bytes to everybody and hangs up after ``then`` seconds."""
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            with suppress(OSError):
                line, _ = server.accept()
                with line:
                    line.settimeout(1.0)
                    line.recv(4096)
                    line.sendall(words)
                    over.wait(then)

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        serving = threading.Thread(target=serve)
        serving.start()
        try:
            yield server.getsockname()[1]
        finally:
            over.set()
            serving.join()


def why_not(url: str) -> str:
    """The error for a URL that gives no pictures. It must come within the promised time."""
    began = time.monotonic()
    with pytest.raises(CameraError) as caught:
        NetworkCamera(url)
    assert time.monotonic() - began < OPEN_WITHIN + 2.0
    return str(caught.value)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let FFmpeg, and the check after it, give up sooner than for a person."""
    monkeypatch.setattr(cameras, "ANSWER_MS", 150)
    monkeypatch.setattr(cameras, "ASK_WITHIN", 0.05)


@pytest.mark.parametrize(
    ("boundary", "lengths"),
    [("boundary=frame", True), ('boundary="frame"', False), ("boundary=--frame", False)],
)
def test_mjpeg_is_read_in_all_its_variants(boundary: str, lengths: bool) -> None:
    web = Web()
    web.lengths = lengths
    web.kind = f"multipart/x-mixed-replace;{boundary}"
    with web_camera(web) as url, NetworkCamera(url) as source:
        frame = source.read(2.0)
        assert frame is not None
        assert frame.image.shape == (*SIZE, 3)
        assert source.name == url


def test_a_slow_camera_is_not_lost() -> None:
    web = Web()
    web.every = 0.11
    with web_camera(web) as url, NetworkCamera(url, pace=FramePace(1000)) as source:
        first, second = source.read(1.0), source.read(1.0)
        assert first is not None
        assert second is not None
        assert number_of(second.image) == number_of(first.image) + 1


def test_pictures_from_before_an_rtsp_stream_was_open_are_skipped() -> None:
    with rtsp_camera() as url, NetworkCamera(url) as source:
        frame = source.read(2.0)
        assert frame is not None
        assert number_of(frame.image) > 10


def test_a_closed_port_is_reported_at_once() -> None:
    for scheme in ("http", "https", "rtsp"):
        url = f"{scheme}://127.0.0.1:{closed_port()}/video"
        assert why_not(url) == (
            f"{url} cannot be reached: look whether the camera is on and in this network."
        )


def test_a_server_that_never_answers_is_given_up() -> None:
    with silent_server() as port:
        url = f"http://127.0.0.1:{port}/video"
        assert why_not(url) == f"{url} does not answer: look whether it is on and connected."


@pytest.mark.usefixtures("quick")
def test_an_rtsp_server_that_never_answers_is_given_up() -> None:
    with silent_server() as port:
        assert "does not answer" in why_not(f"rtsp://127.0.0.1:{port}/video")


def test_a_web_page_is_told_from_a_stream() -> None:
    web = Web()
    web.kind = "text/html; charset=utf-8"
    with web_camera(web) as url:
        assert "is a page to look at, not a stream: often /video" in why_not(url)
    assert web.asked[-1] == "/video"


@pytest.mark.parametrize(
    ("status", "told"),
    [(401, "asks for a name and a password"), (403, "a name and a pass"), (404, r"(error 404)")],
)
def test_an_error_status_is_reported_with_advice(status: int, told: str) -> None:
    web = Web()
    web.status = status
    with web_camera(web) as url:
        assert told in why_not(url)


def test_an_error_of_an_rtsp_server_is_reported_with_advice() -> None:
    for code, told in ((401, "asks for a name and a password"), (404, "(error 404)")):
        with saying(b"RTSP/1.0 %d No\r\nCSeq: 1\r\n\r\n" % code) as port:
            assert told in why_not(f"rtsp://127.0.0.1:{port}/video")


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=f\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff\xd9",
        b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n" + bytes(range(256)) * 100,
        b"\xff" * 100_000,
    ],
)
def test_a_server_of_another_protocol_gives_one_sentence(words: bytes) -> None:
    with saying(words) as port:
        assert "no pictures that can be shown" in why_not(f"http://127.0.0.1:{port}/")


@pytest.mark.usefixtures("quick")
def test_a_stream_that_falls_silent_after_its_header_is_given_up() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=f\r\n\r\n"
    with saying(head, then=5.0) as port:
        assert "does not answer" in why_not(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize("cut", [False, True])
def test_a_stream_that_hangs_up_is_lost(cut: bool) -> None:
    web = Web()
    web.most, web.hangs_up, web.cut = 5, True, cut
    with web_camera(web) as url, NetworkCamera(url) as source:
        with pytest.raises(CameraError, match=r"/video stopped sending: look at the camera and"):
            all_of(source)
        with pytest.raises(CameraError, match="stopped sending"):
            source.read(0.0)


@pytest.mark.usefixtures("quick")
def test_a_stream_that_falls_silent_is_lost_soon() -> None:
    web = Web()
    web.most = 3
    with web_camera(web) as url, NetworkCamera(url) as source:
        began = time.monotonic()
        with pytest.raises(CameraError, match="stopped sending"):
            all_of(source)
        assert time.monotonic() - began < cameras.ANSWER_MS / 1000 + 1.2


def test_huge_pictures_are_refused_before_they_are_decoded() -> None:
    class Huge:
        def __init__(self, *_: Any) -> None:
            self.released = False

        def isOpened(self) -> bool:  # noqa: N802
            return True

        def get(self, what: int) -> float:
            return {cv2.CAP_PROP_FRAME_WIDTH: 16_000, cv2.CAP_PROP_FRAME_HEIGHT: 9_000}[what]

        def grab(self) -> bool:
            raise AssertionError

        def release(self) -> None:
            self.released = True

    made: list[Huge] = []

    def capture(*_: Any) -> Huge:
        made.append(Huge())
        return made[0]

    with pytest.raises(CameraError, match="sends pictures of 16000 x 9000: set it to 1920"):
        NetworkCamera("http://host/", capture)
    assert made[0].released


def test_an_opening_that_hangs_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "OPEN_WITHIN", 0.1)
    answers = threading.Event()
    released = threading.Event()

    class Late:
        def __init__(self, *_: Any) -> None:
            answers.wait(5)

        def isOpened(self) -> bool:  # noqa: N802
            return True

        def get(self, _: int) -> float:
            return 10.0

        def release(self) -> None:
            released.set()

    began = time.monotonic()
    with pytest.raises(CameraError, match="http://host/ does not answer"):
        NetworkCamera("http://host/", Late)
    assert time.monotonic() - began < 2.0
    answers.set()
    assert released.wait(30.0)


def test_frames_are_decoded_no_faster_than_a_table_needs() -> None:
    web = Web()
    web.every = 0.005
    with web_camera(web) as url, NetworkCamera(url, pace=FramePace(10)) as source:
        numbers = []
        until = time.monotonic() + 0.25
        while time.monotonic() < until:
            if frame := source.read(0.1):
                numbers.append(frame.number)
        assert 2 <= len(numbers) <= 4
        assert web.sent > 15


@each_row(
    "url, seen",
    [
        ("http://host/video", "http://host/video"),
        ("rtsp://10.0.0.7:554/stream1", "rtsp://10.0.0.7:554/stream1"),
        (f"rtsp://admin:{SECRET}@10.0.0.7:554/s", "rtsp://***@10.0.0.7:554/s"),
        (f"http://{SECRET}@host", "http://***@host"),
        ("http://a:b?t0p@host/x", "http://***@host/x"),
        (f"http://host/cgi?user=a&pwd={SECRET[:5]}", "http://host/cgi?..."),
        (f"rtsp://host/user=a&password={SECRET[:5]}&channel=1", "rtsp://host/..."),
        ("http://host/\x1b[2J", "http://host/[2J"),
    ],
)
def test_a_password_is_never_shown(url: str, seen: str) -> None:
    assert shown(url) == seen
    assert "t0p" not in shown(url)


def test_a_password_is_sent_to_the_camera_and_shown_nowhere(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    web = Web()
    web.hangs_up = True
    told = [why_not(f"http://me:t0ps3cr3t@127.0.0.1:{closed_port()}/video?pwd=t0ps3cr3t")]
    with web_camera(web) as url:
        place = url.partition("://")[2]
        with NetworkCamera(f"http://me:t0ps3cr3t@{place}?pwd=t0ps3cr3t") as source:
            told.append(source.name)
            web.most = 0  # from here on, or the stream might end before it is opened
            with pytest.raises(CameraError) as caught:
                all_of(source)
            told.append(str(caught.value))
            told += [thread.name for thread in threading.enumerate()]
    assert web.asked == ["/video?pwd=t0ps3cr3t"]
    told += [caplog.text, *capfd.readouterr()]
    assert all("t0p" not in text for text in told)


NOISY = """
import sys
from assistant.eye import cameras
from assistant.eye.source import CameraError
from assistant.eye.cameras import NetworkCamera
for url in sys.argv[1:]:
    try:
        NetworkCamera(url).close()
    except CameraError:
        print("told")
"""


@pytest.mark.slow
def test_ffmpeg_prints_nothing() -> None:
    web = Web()
    web.kind = "text/html"
    with web_camera(web) as page, saying(b"HTTP/1.1 200 OK\r\n\r\n\xff\xd8" * 50) as port:
        urls = [page, f"http://127.0.0.1:{port}/", f"rtsp://127.0.0.1:{closed_port()}/"]
        done = subprocess.run(
            [sys.executable, "-c", NOISY, *urls], capture_output=True, text=True, timeout=30
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, "told\n" * 3, "")


def test_each_frame_has_an_array_of_its_own() -> None:
    with web_camera(Web()) as url, NetworkCamera(url, pace=FramePace(1000)) as source:
        first = source.read(2.0)
        assert first is not None
        before = first.image.copy()
        time.sleep(0.1)
        assert source.read(2.0) is not None
        assert np.array_equal(first.image, before)
