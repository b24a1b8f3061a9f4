"""The folder of a calibrated table: written, read back, edited by hand, and refused if wrong."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye.calibration import (
    Calibration,
    CalibrationError,
    PictureSide,
    load_calibration,
    save_calibration,
)
from assistant.eye.images import ImageError
from assistant.eye.plane import Plane
from assistant.eye.view import EmptyTable
from tests.tables import each_row

SIZE = (320, 180)
ZONE = np.array([[10, 100], [90, 100], [90, 170], [10, 170.0]])


def table() -> Calibration:
    dice = np.random.default_rng(3)
    bare = EmptyTable(dice.integers(0, 255, (180, 320, 3), np.uint8))
    plane = Plane(SIZE, 0.12, (0.01, -0.02), (0.03, 0.004), 0.05)
    return Calibration(SIZE, {1: ZONE, 3: ZONE[:, ::-1]}, plane, bare, mirrored=True)


def test_a_calibration_is_read_back_unchanged(tmp_path: Path) -> None:
    known = table()
    save_calibration(tmp_path / "new" / "table", known)
    read = load_calibration(tmp_path / "new" / "table")
    assert (read.size, read.mirrored) == (SIZE, True)
    assert {seat: zone.tolist() for seat, zone in read.zones.items()} == {
        1: ZONE.tolist(), 3: ZONE[:, ::-1].tolist()}  # fmt: skip
    assert read.plane is not None
    assert known.plane is not None
    assert read.plane.numbers() == pytest.approx(known.plane.numbers())
    assert read.empty is not None
    assert known.empty is not None
    assert np.array_equal(read.empty.picture, known.empty.picture)
    assert not list((tmp_path / "new" / "table").glob("*.part"))


def test_a_calibration_file_without_a_folder_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("picture = [320, 180]\n", encoding="utf-8")
    read = load_calibration(file)
    assert (read.size, dict(read.zones), read.plane, read.empty) == (SIZE, {}, None, None)


def test_without_zones_a_card_belongs_to_the_nearest_side_of_the_table() -> None:
    sides = {1: (160, 170), 2: (310, 90), 3: (160, 10), 4: (10, 90)}
    for seat, point in sides.items():
        assert Calibration(SIZE).seat_of(np.array(point, np.float64)) == seat


@pytest.mark.parametrize(
    ("first", "below", "right", "above", "left"),
    [
        (PictureSide.BELOW, 1, 2, 3, 4),
        (PictureSide.RIGHT, 4, 1, 2, 3),
        (PictureSide.ABOVE, 3, 4, 1, 2),  # as on the felt of the page: Norte above, Oeste left
        (PictureSide.LEFT, 2, 3, 4, 1),
    ],
)
def test_the_first_player_may_sit_at_any_side_of_the_picture(
    tmp_path: Path, first: PictureSide, below: int, right: int, above: int, left: int
) -> None:
    save_calibration(tmp_path, Calibration(SIZE, first=first))
    read = load_calibration(tmp_path)
    assert read.first is first
    sides = {(160, 170): below, (310, 90): right, (160, 10): above, (10, 90): left}
    for point, seat in sides.items():
        assert read.seat_of(np.array(point, np.float64)) == seat


def test_a_side_that_a_file_misspells_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('picture = [320, 180]\nfirst = "north"\n', encoding="utf-8")
    with pytest.raises(CalibrationError, match="first is one of below, right, above, left"):
        load_calibration(file)


def test_a_card_between_or_beside_the_zones_belongs_to_nobody() -> None:
    zones = Calibration(SIZE, {1: ZONE, 2: ZONE + np.array([40, 0])})
    assert zones.seat_of(np.array([30.0, 130])) == 1
    assert zones.seat_of(np.array([120.0, 130])) == 2
    assert zones.seat_of(np.array([70.0, 130])) is None
    assert zones.seat_of(np.array([300.0, 20])) is None


ZONES = "picture = [320, 180]\n[[zone]]\nseat = {}\ncorners = {}\n"
GOOD = "[[10, 10], [90, 10], [90, 90], [10, 90]]"
NONSENSE = {
    "no toml": ("= = =", "no TOML"),
    "binary": ("\udcff\udcfe", "no TOML"),
    "no size": ("plane = [1]", "picture = [1920, 1080]"),
    "size of one": ("picture = [320]", "picture = [1920, 1080]"),
    "endless size": ("picture = [320, 99999999]", "picture = [1920, 1080]"),
    "truth for size": ("picture = [true, true]", "picture = [1920, 1080]"),
    "plane of three": ("picture = [320, 180]\nplane = [1, 2, 3]", "plane takes 6 numbers"),
    "plane of nan": ("picture = [320, 180]\nplane = [nan, 0, 0, 0, 0, 0]", "plane takes 6"),
    "mirrored": ('picture = [320, 180]\nmirrored = "no"', "true or false"),
    "zone": ("picture = [320, 180]\nzone = 3", "as [[zone]]"),
    "seat 9": (ZONES.format(9, GOOD), "a seat of its own"),
    "three corners": (ZONES.format(1, "[[10, 10], [90, 10], [90, 90]]"), "needs four corners"),
    "words": (ZONES.format(1, '["a", "b", "c", "d"]'), "needs four corners"),
    "outside": (ZONES.format(1, GOOD.replace("90", "900")), "partly outside the picture"),
    "crossed": (ZONES.format(1, "[[10, 10], [90, 90], [90, 10], [10, 90]]"), "crossed or too"),
    "tiny": (ZONES.format(1, GOOD.replace("90", "11")), "crossed or too small"),
}


@each_row("text, told", NONSENSE.values())
def test_a_wrong_calibration_is_refused_in_one_sentence_with_its_file(
    tmp_path: Path, text: str, told: str
) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CalibrationError) as raised:
        load_calibration(tmp_path)
    assert told in str(raised.value)
    assert str(file) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_picture_of_another_size_does_not_fit_the_calibration(tmp_path: Path) -> None:
    save_calibration(tmp_path, table())
    cv2.imwrite(str(tmp_path / "empty.png"), np.zeros((90, 160, 3), np.uint8))
    with pytest.raises(CalibrationError, match="160 x 90 pixels"):
        load_calibration(tmp_path)
    (tmp_path / "empty.png").write_bytes(b"no picture")
    with pytest.raises(ImageError, match="no picture"):
        load_calibration(tmp_path)


def test_a_folder_without_a_calibration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be read"):
        load_calibration(tmp_path)
