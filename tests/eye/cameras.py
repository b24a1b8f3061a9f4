"""Cameras of the tests: each shows a grey that gets lighter from picture to picture."""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.eye.images import Image
from assistant.eye.source import Frame, Source

STEP, LEVELS = 5, 50
"""The step between the greys of two pictures, larger than JPEG's error, and their number."""
SIZE = (48, 64)
EVERY = 0.012
"""The seconds between two pictures."""


def picture(number: int, size: tuple[int, int] = SIZE) -> Image:
    """The picture with this number; after ``LEVELS`` pictures the greys repeat."""
    return np.full((*size, 3), number % LEVELS * STEP, np.uint8)


def number_of(image: Image) -> int:
    """The number of a picture."""
    return round(float(image.mean()) / STEP)


def jpeg(image: Image) -> bytes:
    """A picture in the JPEG form in which a camera sends it."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    return data.tobytes()


def write_video(path: Path, count: int, size: tuple[int, int] = SIZE) -> Path:
    """Write a video with ten pictures a second."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, size[::-1])
    assert writer.isOpened()
    for number in range(count):
        writer.write(picture(number, size))
    writer.release()
    return path


class Usb:
    """A USB camera, called like ``cv2.VideoCapture``; the capture is the camera itself."""

    def __init__(self, most: int | None = None, every: float = EVERY) -> None:
        self.most, self.every = most, every
        self.sent = 0
        self.opens = True
        self.unplugged = threading.Event()
        self.released = threading.Event()
        self.refused: set[int] = set()
        self.broken = 0
        self.settings: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 156.0}
        self.told: list[tuple[int, float]] = []
        self.threads: set[int] = set()
        self.called_with: tuple[int, int] | None = None
        self.dims_when_locked = 1.0
        self.still: int | None = None

    def __call__(self, number: int, backend: int) -> Usb:
        self.called_with = (number, backend)
        self.released.clear()
        return self._seen()

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._seen().opens and not self.unplugged.is_set()

    def grab(self) -> bool:
        self._seen()
        if self.unplugged.wait(self.every):
            return False
        if self.most is not None and self.sent >= self.most:
            self.unplugged.wait(0.1)  # as V4L2 does: wait, and then give no picture
            return False
        self.sent += 1
        return True

    def retrieve(self) -> tuple[bool, Image | None]:
        self._seen()
        if self.broken:
            self.broken -= 1
            return False, None
        image = picture(self.sent - 1 if self.still is None else self.still)
        if self.settings.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1:
            image = np.asarray(image * self.dims_when_locked, np.uint8)
        return True, image

    def set(self, what: int, value: float) -> bool:
        self._seen()
        self.told.append((what, value))
        if what in self.refused:
            return False
        self.settings[what] = value
        return True

    def get(self, what: int) -> float:
        return self._seen().settings.get(what, 0.0)

    def release(self) -> None:
        self._seen().released.set()

    def _seen(self) -> Usb:
        self.threads.add(threading.get_ident())
        return self


RPICAM = """#!{python} -SE
import json, os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
open(os.path.join(here, "told"), "a").write(json.dumps([os.getpid(), sys.argv[1:]]) + chr(10))
sys.stderr.write({says!r})
sys.stderr.flush()
data = open(os.path.join(here, "pictures"), "rb").read()
for size in {sizes!r}:
    os.write(1, data[:size])
    data = data[size:]
    time.sleep({every!r})
time.sleep({stays!r})
sys.exit({code!r})
"""


def install_rpicam(
    folder: Path,
    pictures: list[bytes],
    every: float = EVERY,
    says: str = "",
    stays: float = 60.0,
    code: int = 0,
    name: str = "rpicam-vid",
) -> None:
    """Install a program in ``folder`` that sends ``pictures``, stays for a while, and ends."""
    folder.mkdir(exist_ok=True)
    (folder / "pictures").write_bytes(b"".join(pictures))
    sizes = [len(data) for data in pictures]
    text = RPICAM.format(
        python=sys.executable, says=says, sizes=sizes, every=every, stays=stays, code=code
    )
    (folder / name).write_text(text, encoding="utf-8")
    (folder / name).chmod(0o755)


def all_of(source: Source) -> list[Frame]:
    """The frames of a source until none comes for two seconds; most sources end with an error."""
    return list(iter(lambda: source.read(2.0), None))


def told_rpicam(folder: Path) -> list[tuple[int, list[str]]]:
    """The process number and the options of each run of the program."""
    lines = (folder / "told").read_text("utf-8").splitlines()
    return [(process, options) for process, options in map(json.loads, lines)]


def ended(folder: Path) -> bool:
    """Whether the program has run and has ended."""
    for process, _ in told_rpicam(folder):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            continue
        return False
    return True


class Web:
    """A web server of the tests: how it behaves, and the requests it got."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.asked: list[str] = []
        self.sent = 0
        self.most: int | None = None
        self.every = EVERY
        self.hangs_up = False
        self.cut = False
        self.lengths = True
        self.status = 200
        self.kind = "multipart/x-mixed-replace; boundary=frame"
        self.url = ""
        self.shows: Callable[[int], Image] = picture


@contextmanager
def web_camera(web: Web) -> Iterator[str]:
    """Run a server of MJPEG, or of the other answer that ``web`` sets; yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append(self.path)
            with suppress(ConnectionError):
                self.send_response(web.status)
                self.send_header("Content-Type", web.kind)
                self.end_headers()
                if web.kind.startswith("text"):
                    self.wfile.write(b"<html><body>Hola</body></html>" * 100)
                elif web.status == 200:
                    self._stream()

        def _stream(self) -> None:
            while not web.stop.wait(web.every):
                if web.most is not None and web.sent >= web.most:
                    if web.hangs_up:
                        return
                    continue
                data = jpeg(web.shows(web.sent))
                web.sent += 1
                head = b"--frame\r\nContent-Type: image/jpeg\r\n"
                if web.lengths:
                    head += b"Content-Length: %d\r\n" % len(data)
                if web.cut and web.sent == web.most:
                    data = data[: len(data) // 2]
                self.wfile.write(head + b"\r\n" + data + b"\r\n")

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving = threading.Thread(target=server.serve_forever, args=(0.02,))
    serving.start()
    web.url = f"http://127.0.0.1:{server.server_address[1]}/video"
    try:
        yield web.url
    finally:
        web.stop.set()
        server.shutdown()
        server.server_close()
        serving.join()


@contextmanager
def silent_server() -> Iterator[int]:
    """A port that accepts every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\na=control:track\r\n"
)


@contextmanager
def rtsp_camera(most: int = LEVELS) -> Iterator[str]:
    """Run a server with one RTSP stream of JPEG (RFC 2435), interleaved in its connection.

    After ``most`` pictures it falls silent.
    """
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        serving = threading.Thread(target=_serve_rtsp, args=(server, stop, most))
        serving.start()
        try:
            yield f"rtsp://127.0.0.1:{server.getsockname()[1]}/stream"
        finally:
            stop.set()
            serving.join()


def _serve_rtsp(server: socket.socket, stop: threading.Event, most: int) -> None:
    while not stop.is_set():
        with suppress(TimeoutError):
            line, _ = server.accept()
            with line, suppress(ConnectionError):
                line.settimeout(5)
                if _agree(line):
                    _play(line, stop, most)


def _agree(line: socket.socket) -> bool:
    """Answer the requests up to PLAY. Returns whether PLAY came."""
    with line.makefile("rb") as asked:
        while words := asked.readline().split():
            head = {}
            while b":" in (row := asked.readline()):
                name, _, value = row.decode().partition(":")
                head[name.lower()] = value.strip()
            method = words[0].decode()
            answer = [f"RTSP/1.0 200 OK\r\nCSeq: {head['cseq']}"]
            body = ""
            if method == "OPTIONS":
                answer.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
            elif method == "DESCRIBE":
                body = SDP
                answer += ["Content-Type: application/sdp", f"Content-Length: {len(body)}"]
            elif method == "SETUP":
                answer += ["Session: 1", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1"]
            line.sendall("\r\n".join([*answer, "", body]).encode())
            if method == "PLAY":
                return True
    return False


def _play(line: socket.socket, stop: threading.Event, most: int) -> None:
    height, width = SIZE
    number = sequence = 0
    began = time.monotonic()
    while not stop.wait(EVERY):
        if number >= most:
            continue
        data = jpeg(picture(number))
        tables = b"".join(data[at + 5 : at + 69] for at in _found(data, b"\xff\xdb"))
        begin = _found(data, b"\xff\xda")[0]
        scan = data[begin + 2 + int.from_bytes(data[begin + 2 : begin + 4]) : -2]
        # Type 1 is 4:2:0; a quality of 255 means that the tables are sent along.
        head = struct.pack(">IBBBB", 0, 1, 255, width // 8, height // 8)
        head += struct.pack(">BBH", 0, 0, len(tables)) + tables
        at = int((time.monotonic() - began) * 90_000)
        packet = struct.pack(">BBHII", 0x80, 0x80 | 26, sequence, at, 7) + head + scan
        line.sendall(b"$" + struct.pack(">BH", 0, len(packet)) + packet)
        number, sequence = number + 1, sequence + 1


def _found(data: bytes, mark: bytes) -> list[int]:
    places = []
    at = data.find(mark)
    while at >= 0:
        places.append(at)
        at = data.find(mark, at + 2)
    return places
