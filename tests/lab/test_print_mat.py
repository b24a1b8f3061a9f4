"""scripts/print_mat: a camera finds the mats that it draws."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye.calibration import MARKS, SHEET_MM, ZONE_MM, find_mats
from assistant.eye.images import Image
from scripts.print_mat import main, page, sheet

PER_MM = 4
BOX = re.compile(
    r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="(#\w+)"'
)


def drawn(seat: int, plain: bool = False) -> Image:
    """A mat as a printer prints it: its filled boxes."""
    width, height = (round(side * PER_MM) for side in SHEET_MM)
    image = np.full((height, width, 3), 255, np.uint8)
    for x, y, wide, high, colour in BOX.findall(sheet(seat, plain)):
        digits = colour[1:] if len(colour) == 7 else "".join(2 * letter for letter in colour[1:])
        bgr = tuple(int(digits[at : at + 2], 16) for at in (4, 2, 0))
        start = round(float(x) * PER_MM), round(float(y) * PER_MM)
        end = (
            round((float(x) + float(wide)) * PER_MM) - 1,
            round((float(y) + float(high)) * PER_MM) - 1,
        )
        cv2.rectangle(image, start, end, bgr, cv2.FILLED)
    return image


def photographed(mats: list[Image]) -> Image:
    """Mats side by side on a table, at a quarter of their size, and blurred."""
    row = np.hstack([cv2.copyMakeBorder(mat, 60, 60, 60, 60, cv2.BORDER_CONSTANT,
                                        value=(40, 60, 90)) for mat in mats])  # fmt: skip
    small = cv2.resize(row, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize("plain", [False, True])
def test_the_marks_of_every_mat_are_found_and_give_zone_and_plane(plain: bool) -> None:
    found = find_mats(photographed([drawn(seat, plain) for seat in (1, 2)]))
    assert sorted(found.zones) == [1, 2]
    assert found.partly == ()
    assert found.plane is not None
    assert found.plane.per_mm == pytest.approx(0.4 * PER_MM, rel=0.01)
    zone = found.zones[1]
    assert np.linalg.norm(zone[1] - zone[0]) == pytest.approx(ZONE_MM[0] * 0.4 * PER_MM, rel=0.01)
    assert zone[0][0] < zone[1][0], "the corners go clockwise from the upper left"
    assert zone[0][1] < zone[3][1]


def test_a_mat_with_a_hidden_corner_is_reported_as_partly_seen() -> None:
    mat = drawn(3)
    mat[:150, :150] = 90
    found = find_mats(photographed([mat]))
    assert (found.zones, found.partly, found.plane) == ({}, (3,), None)


def test_a_table_without_mats_has_none() -> None:
    found = find_mats(np.full((300, 400, 3), 120, np.uint8))
    assert (found.zones, found.plane, found.partly) == ({}, None, ())


def test_no_marker_is_on_two_mats() -> None:
    assert len({sheet(seat, plain=True) for seat in range(1, 7)}) == 6
    assert page(4).count("<svg") == 4
    assert MARKS == 4


def test_the_page_is_written_or_an_error_gives_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "mats.html"), "--seats", "2"]) == 0
    assert (tmp_path / "mats.html").read_text("utf-8").count("Asiento") == 2
    assert main([str(tmp_path / "none" / "mats.html")]) == 2
    assert main([str(tmp_path / "mats.html"), "--seats", "7"]) == 2
    assert capsys.readouterr().err.count("\n") == 2
