"""A new language: the files of another one under its code, and what of them is untranslated."""

from __future__ import annotations

from scripts.making.changes import Changes


def add_language(changes: Changes, code: str, source: str) -> None:
    """Plan the files."""
    raise NotImplementedError((changes, code, source))
