"""Files that are whole or not there, whenever the power goes: a table is unplugged.

What is new is written beside the old and brought to the disk before it takes the old one's place; a
name that reached the disk before its content would be left with none.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path


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
    """Where the new one is made, and where the old one lies until the new one is in its place.

    Whoever lists what there is passes over both: they begin with a point.
    """
    return path.with_name(f".{path.name}.part"), path.with_name(f".{path.name}.old")


def sync(path: Path) -> None:
    """Wait until it is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some disks know it of files alone
            raise
    finally:
        os.close(opened)
