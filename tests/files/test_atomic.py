"""Atomic writes: a file is complete or absent, and synced before it replaces an older one."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from assistant.eye.deck import DESCRIPTION, deck_paths, own_dir
from assistant.files.atomic import beside, replaced, write_private, write_whole


class Disk:
    """The paths that were synced, and whether the new file was in place at that time."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.synced: list[tuple[str, bool]] = []

    def fsync(self, number: int) -> None:
        path = Path(f"/proc/self/fd/{number}").resolve()
        self.synced.append((path.name, self._place.exists()))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "mia"


@pytest.fixture
def disk(place: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk(place)
    monkeypatch.setattr(os, "fsync", disk.fsync)
    return disk


def test_a_file_is_synced_before_its_rename_and_its_folder_after(place: Path, disk: Disk) -> None:
    write_whole(place, "ñ")
    assert place.read_text("utf-8") == "ñ"
    assert disk.synced == [(".mia.part", False), (place.parent.name, True)]


def test_a_private_file_is_readable_by_its_owner_alone_even_over_a_public_one(place: Path) -> None:
    write_whole(place, "old")
    beside(place)[0].write_text("left by a power cut")
    write_private(place, "new")
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.read_text("utf-8") == "new"
    assert [path.name for path in place.parent.iterdir()] == ["mia"]


def test_a_folder_and_all_in_it_are_synced_before_the_rename(place: Path, disk: Disk) -> None:
    with replaced(place, "la baraja mia") as partly:
        partly.mkdir()
        (partly / "a").write_text("a")
        (partly / "b").write_text("b")
    *before, last = disk.synced
    assert sorted(before) == [(".mia.part", False), ("a", False), ("b", False)]
    assert before[-1] == (".mia.part", False)
    assert last == (place.parent.name, True)


def test_a_folder_that_cannot_be_filled_leaves_the_old_one(place: Path) -> None:
    def half() -> None:
        with replaced(place, "la baraja mia") as partly:
            partly.mkdir()
            raise OSError("full")

    place.mkdir()
    (place / "a").write_text("old")
    with pytest.raises(OSError, match="full"):
        half()
    assert (place / "a").read_text() == "old"
    with replaced(place, "la baraja mia") as partly:
        partly.mkdir()  # the half-written one is gone
        (partly / "b").write_text("new")
    assert [path.name for path in place.parent.rglob("*")] == ["mia", "b"]


@pytest.mark.parametrize(("number", "told"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_disk_that_cannot_sync_is_accepted_and_one_that_fails_is_reported(
    place: Path, monkeypatch: pytest.MonkeyPatch, number: int, told: bool
) -> None:
    def fails(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    if told:
        with pytest.raises(OSError, match=os.strerror(number)):
            write_whole(place, "x")
        assert not place.exists()
    else:
        write_whole(place, "x")
        assert place.read_text() == "x"


@pytest.fixture
def own_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return own_dir()


def test_the_remains_of_an_interrupted_save_are_no_deck(own_decks: Path) -> None:
    mine = own_decks / "mia"
    for folder in (mine, *beside(mine)):
        folder.mkdir(parents=True)
        (folder / DESCRIPTION).touch()
    assert [name for name, path in deck_paths().items() if path.parent == own_decks] == ["mia"]
