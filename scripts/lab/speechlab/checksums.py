"""SHA256SUMS beside a model, in sha256sum's format, so that a truncated file is found early."""

import hashlib
from pathlib import Path

NAME = "SHA256SUMS"
_FOLDERS = ("am", "conf", "graph")


def write(model: Path) -> None:
    """Write the sums of every file that Vosk reads, in alphabetical order."""
    files = sorted(
        path for folder in _FOLDERS for path in (model / folder).rglob("*") if path.is_file()
    )
    lines = (f"{sum_of(path)}  {path.relative_to(model).as_posix()}\n" for path in files)
    (model / NAME).write_text("".join(lines), encoding="ascii")


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
