"""Evenings that were played, kept in a folder, so that a bench that was stopped goes on.

A file's name holds what the evening's result depends on: the code, the model, the options and the
evening itself. So another version finds nothing of an earlier one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path

from assistant.rules.errors import MusError
from scripts.lab.tablebench.players import Tally
from scripts.lab.tablebench.trial import Ground, Job

_ROOT = Path(__file__).resolve().parents[3]
_CODE = "assistant", "scripts/lab", "models/es"
_WRITTEN = ".py", ".toml"
"""What people have written, and no cache of it."""


class KeptEvenings:
    """The evenings of one folder; None keeps nothing."""

    def __init__(self, folder: Path | None, ground: Ground) -> None:
        """``ground``: what all evenings are played with. Raises OSError."""
        self._folder = folder
        options = _options(ground)
        self._of = f"{_digest(_files(_CODE))} {_digest(_within(ground.model))} {options}"
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def read(self, job: Job) -> list[Tally] | None:
        """The result of an evening; None if it was not played. Raises MusError, OSError."""
        if self._folder is None or not (path := self._path(job)).exists():
            return None
        try:
            return [Tally(**tally) for tally in json.loads(path.read_text("utf-8"))]
        except (ValueError, TypeError) as error:
            raise MusError(f"{path} is damaged: delete it, and it is played anew.") from error

    def write(self, job: Job, tallies: Iterable[Tally]) -> None:
        """Keep the result of an evening, written atomically. Raises OSError."""
        if self._folder is not None:
            path = self._path(job)
            partial = path.with_suffix(".part")
            partial.write_text(json.dumps([asdict(tally) for tally in tallies]), "utf-8")
            partial.replace(path)

    def _path(self, job: Job) -> Path:
        assert self._folder is not None
        told = hashlib.sha256(f"{self._of} {job}".encode()).hexdigest()[:16]
        return self._folder / f"{job.group}-{job.seed}-{job.room}-{told}.json".replace(" ", "-")


def _options(ground: Ground) -> str:
    """The options on which a result depends, as a text."""
    people = ground.human.resolve() if ground.human else None
    return f"{people} {ground.oracle} {ground.enrolled is not None} {ground.things}"


def _files(folders: Iterable[str]) -> list[Path]:
    found = (_ROOT / folder for folder in folders)
    return [path for folder in found for path in _within(folder) if path.suffix in _WRITTEN]


def _within(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _digest(paths: Iterable[Path]) -> str:
    told = hashlib.sha256()
    for path in paths:
        told.update(_of_file(path))
    return told.hexdigest()


@cache
def _of_file(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
