"""A Raspberry Pi camera, here a program of the tests, and the cutting of its stream."""

from __future__ import annotations

import sys
import threading
import time
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye import rpicam
from assistant.eye.newest import Picture
from assistant.eye.rpicam import JpegSplitter, RpicamCamera
from assistant.eye.source import CameraError
from tests.eye.cameras import all_of, ended, install_rpicam, jpeg, number_of, picture, told_rpicam
from tests.tables import each_row

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a program for Linux")

PICTURES = [jpeg(picture(number)) for number in range(30)]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_the_program_is_asked_for_jpeg_on_its_output(programs: Path) -> None:
    install_rpicam(programs, PICTURES)
    with RpicamCamera(1) as source:
        assert source.name == "Raspberry Pi camera 1"
        assert source.read(2.0) is not None
    ((_, options),) = told_rpicam(programs)
    assert " ".join(options) == (
        "--codec mjpeg -t 0 --width 1920 --height 1080 --framerate 10 --camera 1 "
        "--nopreview --flush --verbose 0 -o -"
    )


def test_the_program_ends_with_the_source(programs: Path) -> None:
    install_rpicam(programs, PICTURES)
    source = RpicamCamera()
    assert not ended(programs)
    began = time.monotonic()
    source.close()
    assert ended(programs)
    assert time.monotonic() - began < 2.5


def test_a_program_that_ignores_its_end_is_killed(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rpicam, "ENDING", 0.2)
    install_rpicam(programs, PICTURES)
    script = programs / "rpicam-vid"
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nimport json"
    script.write_text(script.read_text("utf-8").replace("import json", stubborn, 1), "utf-8")
    RpicamCamera().close()
    assert ended(programs)


def test_the_older_name_of_the_program_works_too(programs: Path) -> None:
    install_rpicam(programs, PICTURES, name="libcamera-vid")
    with RpicamCamera() as source:
        assert source.read(2.0) is not None


def test_a_missing_program_is_reported_with_how_to_get_it(programs: Path) -> None:
    assert not list(programs.iterdir())
    with pytest.raises(CameraError, match=r"rpicam-vid is not installed: apt install rpicam-apps"):
        RpicamCamera()


def test_a_program_that_cannot_be_started_gives_one_sentence(programs: Path) -> None:
    (programs / "rpicam-vid").write_bytes(b"\x7fELF, or so it says")
    (programs / "rpicam-vid").chmod(0o755)
    with pytest.raises(CameraError, match=r"cannot be started \(.+\): apt install rpicam-apps"):
        RpicamCamera()


def test_a_missing_camera_is_reported_in_the_programs_last_words(programs: Path) -> None:
    says = "[0:1] INFO Camera v0.3\n\x1b[31mERROR: *** no cameras available ***\x1b[0m\n\n"
    install_rpicam(programs, [], says=says, stays=0.0, code=255)
    with pytest.raises(CameraError, match=r"camera 0 stopped \(ERROR: \*\*\* no cameras avail"):
        RpicamCamera()
    assert ended(programs)


def test_a_program_that_ends_counts_as_a_lost_camera(programs: Path) -> None:
    install_rpicam(programs, PICTURES[:3], stays=0.1, says="timeout\n")
    with RpicamCamera() as source:
        with pytest.raises(CameraError, match=r"stopped \(timeout\): look at its cable"):
            all_of(source)
        assert ended(programs)


def test_the_messages_of_the_program_are_read_and_dropped(programs: Path) -> None:
    # They are more than a pipe holds. Unread, they would block the program.
    install_rpicam(programs, PICTURES[:3], stays=0.0, says="no\n" * 100_000 + "x" * 5000)
    with pytest.raises(CameraError, match=r"stopped \(x{200}\)"), RpicamCamera() as source:
        all_of(source)


def test_a_program_that_sends_nothing_is_reported(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rpicam, "FIRST_WITHIN", 0.2)
    monkeypatch.setattr(rpicam, "POLL", 0.05)
    for sent in ([], [b"no picture at all"]):
        install_rpicam(programs, sent)
        with pytest.raises(CameraError, match="sends no pictures: look at its cable"):
            RpicamCamera()


def test_a_program_that_falls_silent_is_lost(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rpicam, "SILENT_FOR", 0.2)
    monkeypatch.setattr(rpicam, "POLL", 0.05)
    install_rpicam(programs, PICTURES[:2])
    with RpicamCamera() as source, pytest.raises(CameraError, match="sends no pictures"):
        all_of(source)


def test_only_the_pictures_that_are_needed_get_decoded(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded = []
    came = threading.Event()
    real, keep = cv2.imdecode, RpicamCamera._keep

    def imdecode(data: np.ndarray, how: int) -> object:
        decoded.append(len(data))
        return real(data, how)

    def noted(self: RpicamCamera, one: Picture) -> None:
        keep(self, one)
        assert isinstance(one, partial)
        if one.args == (PICTURES[-1],):
            came.set()

    install_rpicam(programs, PICTURES, every=0.005)
    monkeypatch.setattr(cv2, "imdecode", imdecode)
    monkeypatch.setattr(RpicamCamera, "_keep", noted)
    with RpicamCamera() as source:
        assert came.wait(30.0)  # however busy the machine is
        frame = source.read(1.0)
        assert frame is not None
        assert number_of(frame.image) == 29
    assert len(decoded) == 1


def of_size(data: bytes, size: bytes) -> bytes:
    """A picture whose header states another height and width."""
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + size + data[at + 4 :]


EMPTY = of_size(PICTURES[1], b"\0\0\0\0")
"""A picture that looks complete and cannot be decoded."""


@pytest.mark.parametrize("broken", [EMPTY, of_size(PICTURES[1], b"\xff\0\xff\0")])
def test_a_broken_picture_is_skipped(programs: Path, broken: bytes) -> None:
    install_rpicam(programs, [broken, PICTURES[9]], every=0.05)
    with RpicamCamera() as source:
        frame = source.read(2.0)
        assert frame is not None
        assert number_of(frame.image) == 9


def test_broken_pictures_alone_are_reported_in_time(programs: Path) -> None:
    install_rpicam(programs, [EMPTY] * 300, every=0.002)
    with RpicamCamera() as source:
        began = time.monotonic()
        assert source.read(0.2) is None
        assert 0.15 < time.monotonic() - began < 2.0


@each_row("size", [1, 2, 3, 7, 1000, 100_000])
def test_pictures_are_found_wherever_the_pipe_splits_them(size: int) -> None:
    pictures = [jpeg(picture(number)) for number in range(3)]
    stream = b"\r\n--junk\xff\xff\xd8".join([b"", *pictures])
    splitter = JpegSplitter()
    found = []
    for at in range(0, len(stream), size):
        found += splitter.feed(stream[at : at + size])
    assert [number_of(decoded(data)) for data in found] == [0, 1, 2]


def test_a_thumbnail_in_a_header_is_no_picture() -> None:
    whole = jpeg(picture(7))
    small = b"Exif\0\0" + jpeg(picture(3))
    header = b"\xff\xe1" + (len(small) + 2).to_bytes(2) + small
    (found,) = JpegSplitter().feed(whole[:2] + header + whole[2:] + b"\xff\xd8")
    assert number_of(decoded(found)) == 7


def test_markers_without_length_and_fill_bytes_are_skipped() -> None:
    whole = jpeg(picture(7))
    (found,) = JpegSplitter().feed(whole[:2] + b"\xff\xff\xff\x01" + whole[2:])
    assert number_of(decoded(found)) == 7


def test_a_picture_cut_off_by_the_next_is_dropped() -> None:
    first, second = jpeg(picture(1)), jpeg(picture(2))
    found = JpegSplitter().feed(first[: len(first) - 20] + second)
    assert [number_of(decoded(data)) for data in found] == [2]


@each_row("begin", [b"\xff\xd8\x00\x00", b"\xff\xd8\xff\xe0\x00\x01", b"\xff\xd8" * 9])
def test_bytes_that_only_begin_like_a_picture_are_skipped(begin: bytes) -> None:
    found = JpegSplitter().feed(begin + b"hola" + jpeg(picture(4)))
    assert [number_of(decoded(data)) for data in found] == [4]


def test_an_endless_picture_is_refused_before_memory_runs_out() -> None:
    whole = jpeg(picture(1))
    splitter = JpegSplitter(most=10_000)
    with pytest.raises(CameraError, match="sends no pictures that end: start it again"):
        _ = [splitter.feed(part) for part in (whole[:-2], *[b"\x11" * 1000] * 20)]


def test_junk_gives_no_picture_and_is_dropped() -> None:
    splitter = JpegSplitter(most=10_000)
    for _ in range(100):
        assert splitter.feed(b"\x11" * 1000 + b"\xff") == []


def test_a_large_picture_in_small_parts_is_read_quickly() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (1080, 1920, 3), np.uint8)
    data = jpeg(noise)
    splitter = JpegSplitter()
    began = time.process_time()
    found = [p for at in range(0, len(data), 4096) for p in splitter.feed(data[at : at + 4096])]
    assert found == [data]
    assert time.process_time() - began < 2.5


def decoded(data: bytes) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)
