"""Putting belongings where they belong: all of them or none, and what was there beside them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from assistant.app.belongings import Belonging
from assistant.app.errors import UsageError
from assistant.app.renames import Renames, finish_renames, rename_together

STAGING = ".importing"


def place(things: Mapping[Belonging, Path], old: str) -> list[Path]:
    """Copy each thing to its place, from where it lies now; the folders with what was there.

    ``old`` is the name of these folders, one in each folder of mus where something is replaced.
    Whatever fails, all is as it was. Raises UsageError.
    """
    homes = {thing.home for thing in things}
    try:
        finish_renames()
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
    """Only renames, which are done together or not at all."""
    steps: list[tuple[Path, Path]] = []
    aside: list[Path] = []
    for thing in things:
        folder = thing.home / old
        there = [path for path in thing.paths if path.exists()]
        if there and folder not in aside:
            folder.mkdir()  # never over what an earlier import put aside
            aside.append(folder)
        steps += [(path, folder / path.relative_to(thing.home)) for path in there]
        steps.append((_staged(thing), thing.path))
    try:
        waste = tuple({thing.home / STAGING for thing in things})
        rename_together(Renames("la importación", tuple(steps), waste))
    except BaseException:
        for folder in aside:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return aside
