"""Files that only their owner may read: whole or not there, whenever the power goes."""

from __future__ import annotations

from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write such a file, and the folders that it lies in. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partly = path.with_name(f".{path.name}.part")
    partly.unlink(missing_ok=True)
    partly.touch(mode=0o600)  # before anything is in it
    partly.write_text(text, "utf-8")
    partly.replace(path)
