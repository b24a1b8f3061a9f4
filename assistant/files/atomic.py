"""Atomic replacement of files and folders: one file, or several together by a redo log."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assistant.files.paths import own_data_dir
from assistant.messages.documents import parse_json

# ---- Atomic writes: a file is complete or absent, even if the power fails -----------------------
# The new file is written beside the old one and synced to the disk before it takes the old one's
# place. Otherwise a name could reach the disk before its content, and be left without any.


def write_whole(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a file, and the folders that it lies in. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partly, _ = beside(path)
    partly.unlink(missing_ok=True)
    partly.touch(mode)  # before anything is in it
    partly.write_text(text, "utf-8")
    sync(partly)
    partly.replace(path)
    sync(path.parent)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read. Raises OSError."""
    write_whole(path, text, 0o600)


def beside(path: Path) -> tuple[Path, Path]:
    """The paths beside a file or folder: of the new one until it is done, and of the old one.

    Both names begin with a dot, so that listings leave them out.
    """
    return path.with_name(f".{path.name}.part"), path.with_name(f".{path.name}.old")


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (
            errno.EINVAL,
            errno.ENOTSUP,
        ):  # some disks sync files only
            raise
    finally:
        os.close(opened)


# ---- A redo log of renames: several files and folders take their new places together, or none ---
# The log is on the disk before the first rename, and the next start finishes what a power cut left
# half done. Only complete files and folders are ever renamed.


@dataclass(frozen=True, slots=True)
class Renames:
    """Renames in their order, and what is deleted afterwards.

    what   a name for people of what is done: "la baraja mia"
    steps  source and target of each; no target exists, unless an earlier step moves it away
    waste  files and folders that nobody needs once all steps are done
    """

    what: str
    steps: tuple[tuple[Path, Path], ...]
    waste: tuple[Path, ...] = ()


def log_path() -> Path:
    """The path of the log; a file is there only while renames are going on."""
    return own_data_dir() / ".renames.json"


def rename_together(renames: Renames) -> None:
    """Do all renames, or none if one step fails. Raises OSError."""
    path = log_path()
    with _alone(waits=True):
        _finish_logged()
        for folder in {target.parent for _, target in renames.steps}:
            folder.mkdir(parents=True, exist_ok=True)
        write_private(path, _written(renames))
        try:
            _do(renames.steps)
        except OSError:
            for origin, target in reversed(renames.steps):
                _step(target, origin)
            path.unlink()
            raise
        _clear(renames)


def finish_renames() -> str:
    """Finish the renames of a process that was killed; returns what they were, for people, or "".

    Raises OSError if they cannot be finished now: they stay in the log.
    """
    if not log_path().exists():
        return ""
    with _alone(waits=False) as free:
        return _finish_logged() if free else ""


@contextmanager
def replaced(folder: Path, what: str) -> Iterator[Path]:
    """A new folder to be filled, which then takes the place of an older one. Raises OSError.

    ``what``: its name for people.
    """
    partly, old = beside(folder)
    _clear_beside(folder)
    yield partly
    for path in (*partly.rglob("*"), partly):
        sync(path)
    if folder.exists():
        rename_together(Renames(what, ((folder, old), (partly, folder)), waste=(old,)))
    else:
        partly.rename(folder)
        sync(folder.parent)


def delete_together(what: str, paths: Iterable[Path]) -> None:
    """Delete folders, all or none, and what was left beside them; missing ones are no error.

    Raises OSError.
    """
    wanted = list(paths)
    for path in wanted:
        _clear_beside(path)
    steps = tuple((path, beside(path)[1]) for path in wanted if path.exists())
    if steps:
        rename_together(Renames(what, steps, waste=tuple(old for _, old in steps)))


def _clear_beside(folder: Path) -> None:
    """Delete unfinished files and folders that the log does not need any more. Raises OSError."""
    finish_renames()
    for left in beside(folder):
        shutil.rmtree(left, ignore_errors=True)


def _finish_logged() -> str:
    path = log_path()
    if not path.exists():
        return ""
    try:
        renames = _read(path.read_text("utf-8"))
    except (ValueError, KeyError, TypeError):
        path.unlink()  # our log is always complete: this file is somebody else's
        return ""
    _do(renames.steps)
    _clear(renames)
    return renames.what if renames.steps else ""


def _do(steps: Sequence[tuple[Path, Path]]) -> None:
    for origin, target in steps:
        _step(origin, target)
    for folder in {path.parent for step in steps for path in step}:
        if folder.is_dir():
            sync(folder)


def _step(origin: Path, target: Path) -> None:
    """Rename, unless it was done before."""
    if os.path.lexists(origin) and not os.path.lexists(target):
        origin.rename(target)


def _clear(renames: Renames) -> None:
    """Delete the waste and then the log, once everything has its new place."""
    if renames.waste:
        write_private(log_path(), _written(Renames(renames.what, (), renames.waste)))
        for path in renames.waste:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    log_path().unlink()


def _written(renames: Renames) -> str:
    steps = [[str(origin), str(target)] for origin, target in renames.steps]
    waste = [str(path) for path in renames.waste]
    return json.dumps({"what": renames.what, "steps": steps, "waste": waste})


def _read(text: str) -> Renames:
    told = parse_json(text)
    steps = tuple((Path(origin), Path(target)) for origin, target in told["steps"])
    return Renames(str(told["what"]), steps, tuple(Path(path) for path in told["waste"]))


@contextmanager
def _alone(*, waits: bool) -> Iterator[bool]:
    """Keep other processes out; gives False if another one works and is not to be waited for."""
    path = log_path().with_name(log_path().name + "-lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)
