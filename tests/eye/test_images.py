"""Pictures from files: other files give one sentence, in bounded time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye.images import MAX_BYTES, ImageError, check_sides, image_of, read_image
from assistant.eye.source import open_file
from tests.tables import each_row

PICTURE = np.random.default_rng(1).integers(0, 255, (40, 30, 3), np.uint8)


@each_row("kind", [".png", ".jpg", ".webp", ".bmp"])
def test_a_picture_is_read_as_bgr(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{kind}"
    assert cv2.imwrite(str(path), PICTURE)
    assert read_image(path).shape == (40, 30, 3)


def test_transparent_and_grey_pictures_are_read_as_bgr(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    for picture in (PICTURE[..., 0], np.dstack([PICTURE, PICTURE[..., 0]])):
        assert cv2.imwrite(str(path), picture)
        assert read_image(path).shape == (40, 30, 3)


@each_row("data", [b"", b"hola", bytes(range(256)) * 40, b"\x89PNG\r\n\x1a\n"])
def test_a_file_that_is_no_picture_gives_one_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(data)
    with pytest.raises(ImageError, match=r"x\.png is no picture"):
        read_image(path)


def test_a_truncated_picture_gives_one_sentence_or_its_first_part(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    _, data = cv2.imencode(".png", PICTURE)
    path.write_bytes(data.tobytes()[: len(data) // 2])
    with pytest.raises(ImageError):
        read_image(path)


@each_row("name", ["none.png", ""])
def test_a_missing_file_and_a_folder_give_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="cannot be read"):
        read_image(tmp_path / name)


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes and devices among its files")
def test_a_pipe_and_a_device_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    for path in (tmp_path / "pipe.png", Path("/dev/zero")):
        with pytest.raises(ImageError, match="cannot be read: it is no file"):
            read_image(path)


def test_a_file_of_too_many_bytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jpg"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(ImageError, match="64 MB at most"):
        read_image(path)


MEASURE = """
import sys
from pathlib import Path
from assistant.eye.images import ImageError
from assistant.eye.images import read_image
try:
    read_image(Path(sys.argv[1]))
except ImageError as error:
    print(error)
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print(int(line.split()[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory is asked of Linux")
def test_a_hundred_megapixels_are_refused_by_their_header(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    assert cv2.imwrite(str(path), np.zeros((10_000, 10_000), np.uint8))
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, timeout=30
    )
    told, memory = done.stdout.splitlines()
    assert "at most 64 million pixels" in told
    assert int(memory) < 150
    assert done.stderr == ""


def test_a_picture_without_width_or_height_is_refused() -> None:
    with pytest.raises(ImageError, match=r"x\.jpg is no picture: give a photograph, or a film\."):
        check_sides(0, 0, "x.jpg")


@each_row("shape", [(1, 1), (3, 30_000), (30_000, 3), (15, 15), (20, 4_000)])
def test_a_picture_of_impossible_proportions_is_refused(
    tmp_path: Path, shape: tuple[int, int]
) -> None:
    path = tmp_path / "x.png"
    assert cv2.imwrite(str(path), np.zeros((*shape, 3), np.uint8))
    with pytest.raises(ImageError, match="give a whole photograph"):
        read_image(path)
    with pytest.raises(ImageError, match="give a whole photograph"):
        open_file(path)


@each_row("head", [b"v/1\x01", b"II*\0", b"GIF89a", b"\0\0\0\x0cjP  ", b"P6\n1 1\n"])
def test_only_the_formats_of_cameras_and_browsers_are_decoded(head: bytes) -> None:
    """OpenCV reads a dozen others, and its OpenEXR fails with an error of its own."""
    with pytest.raises(ImageError, match="JPEG, PNG or WebP"):
        image_of(head + bytes(900), "x.exr")
