"""Putting belongings where they belong: all of them or none, and what was there beside them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from assistant.app.belongings import Belonging
from assistant.app.errors import UsageError

STAGING = ".importing"


def place(things: Mapping[Belonging, Path], old: str) -> list[Path]:
    """Copy each thing to its place, from where it lies now; the folders with what was there.

    ``old`` is the name of these folders, one in each folder of mus where something is replaced.
    Whatever fails, all is as it was. Raises UsageError.
    """
    homes = {thing.home for thing in things}
    try:
        for home in homes:
            shutil.rmtree(home / STAGING, ignore_errors=True)
        for thing, source in things.items():
            _copy(source, _staged(thing))
        os.sync()  # a table is unplugged: first all is on the disk, then it gets its names
        return _swapped(list(things), old)
    except OSError as error:
        raise UsageError(
            f"It cannot be imported ({error.filename or 'the disk'}: {error.strerror}): see that "
            "there is room and that it may be written, then try again."
        ) from error
    finally:
        for home in homes:
            shutil.rmtree(home / STAGING, ignore_errors=True)
        os.sync()


def _staged(thing: Belonging) -> Path:
    return thing.home / STAGING / thing.name


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)


def _swapped(things: list[Belonging], old: str) -> list[Path]:
    """Only renames, each of which is undone should a later one fail."""
    made: list[Path] = []
    moved: list[tuple[Path, Path]] = []

    def move(origin: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        origin.rename(target)
        moved.append((origin, target))

    try:
        for thing in things:
            aside = thing.home / old
            there = [path for path in thing.paths if path.exists()]
            if there and aside not in made:
                aside.mkdir()  # never over what an earlier import put aside
                made.append(aside)
            for path in there:
                move(path, aside / path.relative_to(thing.home))
            move(_staged(thing), thing.path)
    except BaseException:
        for origin, target in reversed(moved):
            target.rename(origin)
        for aside in made:
            shutil.rmtree(aside, ignore_errors=True)
        raise
    return made
