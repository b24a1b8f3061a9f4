"""Pictures and videos from files: in order and with their times; headers are not trusted."""

from __future__ import annotations

import os
import struct
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from assistant.eye import source as files
from assistant.eye.images import MAX_BYTES, ImageError, VisionError
from assistant.eye.source import CameraError, EndOfFrames, VideoFile, open_file
from tests.eye.cameras import SIZE, jpeg, number_of, picture, write_video
from tests.tables import each_row


def avi(frames: list[bytes], width: int, height: int) -> bytes:
    """A video of JPEG pictures; the header states this size, right or wrong."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    count = len(frames)
    main = struct.pack("<14I", 100_000, 0, 0, 0, count, 0, 1, 0, width, height, 0, 0, 0, 0)
    stream = b"vidsMJPG" + struct.pack("<10I", 0, 0, 0, 1, 10, 0, count, 0, 2**32 - 1, 0)
    stream += struct.pack("<4H", 0, 0, width, height)
    pixels = struct.pack("<IiiHH", 40, width, height, 1, 24) + b"MJPG" + bytes(20)
    heads = chunk(b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", pixels))
    heads = chunk(b"LIST", b"hdrl" + chunk(b"avih", main) + heads)
    body = chunk(b"LIST", b"movi" + b"".join(chunk(b"00dc", frame) for frame in frames))
    return chunk(b"RIFF", b"AVI " + heads + body)


def test_each_frame_of_a_video_has_its_time(tmp_path: Path) -> None:
    with open_file(write_video(tmp_path / "a.avi", 5)) as source:
        assert source.name == "a.avi"
        times = [frame.at for _ in range(5) if (frame := source.read(0.0))]
    assert times == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])


def test_times_never_go_back_whatever_the_file_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = iter([0.0, 0.3, 0.1, float("nan"), float("inf"), 0.4])

    class Lying(VideoFile):
        def _position(self) -> float:
            monkeypatch.setattr(self, "_capture", Told(next(told) * 1000, self._capture))
            return super()._position()

    class Told:
        def __init__(self, position: float, capture: object) -> None:
            self.position, self.capture = position, getattr(capture, "capture", capture)

        def get(self, _: int) -> float:
            return self.position

        def __getattr__(self, name: str) -> object:
            return getattr(self.capture, name)

    with Lying(write_video(tmp_path / "a.avi", 6)) as source:
        times = [frame.at for _ in range(6) if (frame := source.read(0.0))]
    assert times == [0.0, 0.3, 0.3, 0.3, 0.3, 0.4]


def test_a_picture_has_one_frame_at_time_zero(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg(picture(20)))
    with open_file(tmp_path / "a.jpg") as source:
        frame = source.read(0.0)
        assert frame is not None
        assert (frame.at, frame.number, frame.image.shape) == (0.0, 0, (*SIZE, 3))
        assert number_of(frame.image) == 20
        with pytest.raises(EndOfFrames, match=r"a\.jpg has no more pictures"):
            source.read(0.0)


@each_row(
    "name, data",
    [
        ("a.avi", b""),
        ("a.txt", b"hola\n" * 300),  # FFmpeg would draw it letter by letter
        ("a.nfo", b"\x1b[31mhola" * 100),
        ("a.avi", bytes(range(256)) * 400),
        ("a.mp4", b"\0" * 100_000),
        ("a.m3u8", b"#EXTM3U\n#EXTINF:5,\nhttp://127.0.0.1:9/a.ts\n"),
        ("a.ffconcat", b"ffconcat version 1.0\nfile 'b.avi'\n"),
        ("a.sdp", b"v=0\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 26\n"),
    ],
)
def test_a_file_that_is_neither_gives_one_sentence_soon(
    tmp_path: Path, name: str, data: bytes
) -> None:
    write_video(tmp_path / "b.avi", 2)
    (tmp_path / name).write_bytes(data)
    began = time.monotonic()
    with pytest.raises(CameraError, match="is neither a picture nor a video"):
        open_file(tmp_path / name)
    assert time.monotonic() - began < 3.0


def test_a_truncated_video_gives_its_first_part_or_one_sentence(tmp_path: Path) -> None:
    data = write_video(tmp_path / "a.avi", 30).read_bytes()
    for share in (0.02, 0.2, 0.5, 0.9):
        (tmp_path / "b.avi").write_bytes(data[: int(len(data) * share)])
        seen: list[int] = []
        with pytest.raises(VisionError):
            look_through(tmp_path / "b.avi", seen)
        assert seen == list(range(len(seen)))
        assert len(seen) < 30


def test_a_video_without_a_frame_is_reported_at_the_first_read(tmp_path: Path) -> None:
    junk = [bytes(1000), bytes(1000)]
    (tmp_path / "a.avi").write_bytes(avi(junk, 64, 48))
    with (
        pytest.raises(CameraError, match=r"no frame that can be shown|neither a picture nor"),
        open_file(tmp_path / "a.avi") as source,
    ):
        source.read(0.0)


def test_a_video_of_huge_frames_is_refused_before_one_is_decoded(tmp_path: Path) -> None:
    small = jpeg(picture(1))
    at = small.index(b"\xff\xc0") + 5
    huge = small[:at] + struct.pack(">HH", 15_000, 15_000) + small[at + 4 :]
    (tmp_path / "a.avi").write_bytes(avi([huge] * 3, 15_000, 15_000))
    before = memory_mb()
    with pytest.raises(CameraError, match="has frames of 15000 x 15000: save it with"):
        open_file(tmp_path / "a.avi")
    assert memory_mb() - before < 100


def test_frames_have_the_size_that_the_header_states(tmp_path: Path) -> None:
    frames = [jpeg(picture(1)), jpeg(np.full((4000, 4000, 3), 10, np.uint8)), jpeg(picture(3))]
    (tmp_path / "a.avi").write_bytes(avi(frames, SIZE[1], SIZE[0]))
    with open_file(tmp_path / "a.avi") as source:
        shapes = {frame.image.shape for _ in range(3) if (frame := source.read(0.0))}
    assert shapes == {(*SIZE, 3)}


def test_an_endless_video_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FRAMES", 3)
    with open_file(write_video(tmp_path / "a.avi", 5)) as source:
        numbers = [frame.number for _ in range(3) if (frame := source.read(0.0))]
        with pytest.raises(CameraError, match="more than 3 frames: cut it shorter"):
            source.read(0.0)
    assert numbers == [0, 1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes and devices among its files")
def test_a_pipe_and_a_device_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.avi")
    for path in (tmp_path / "a.avi", Path("/dev/zero")):
        with pytest.raises(CameraError, match="cannot be read: it is no file"):
            open_file(path)


def test_a_missing_file_and_a_folder_give_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match=r"There is no file .*none\.avi; a camera is named by"):
        open_file(tmp_path / "none.avi")
    with pytest.raises(CameraError, match="is a folder: name a picture or a video in it"):
        open_file(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are text")
def test_a_file_name_with_broken_characters_raises_no_error(tmp_path: Path) -> None:
    for name in (b"a\xff.avi", b"a\xff.png"):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        path.write_bytes(b"RIFF\0\0")
        with pytest.raises(CameraError, match="has a name with broken letters: rename it"):
            open_file(path)


def test_file_names_with_a_meaning_to_ffmpeg_are_only_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("tcp:127.0.0.1", "frame%03d.avi", "-i"):
        write_video(tmp_path / "a.avi", 1).rename(tmp_path / name)
        with open_file(Path(name)) as source:
            assert source.read(0.0) is not None


def test_a_picture_that_is_too_large_is_refused_as_too_large(tmp_path: Path) -> None:
    with (tmp_path / "a.jpg").open("wb") as file:
        file.write(jpeg(picture(1)))
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(ImageError, match="too large"):
        open_file(tmp_path / "a.jpg")


def test_frame_numbers_and_times_increase_together(tmp_path: Path) -> None:
    with open_file(write_video(tmp_path / "a.avi", 8)) as source:
        frames = [frame for _ in range(8) if (frame := source.read(0.0))]
    assert len(frames) == 8
    assert all(b.at > a.at and b.number == a.number + 1 for a, b in pairwise(frames))


def look_through(path: Path, seen: list[int]) -> None:
    """Put the numbers of all frames into ``seen``. Raises the error that ends them."""
    with open_file(path) as source:
        while frame := source.read(0.0):
            seen.append(number_of(frame.image))


def memory_mb() -> int:
    """The peak memory of this process in MB, where the system reports it."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
