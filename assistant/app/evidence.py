"""The frames of the last showdowns, kept on this machine for a dispute, and sent nowhere."""

from __future__ import annotations

import logging
from pathlib import Path

import cv2

from assistant.paths import own_data_dir
from assistant.vision.annotate import annotated
from assistant.vision.images import Image
from assistant.vision.read import Reading

log = logging.getLogger("mus.eye")

SEEN, READ = "mesa", "leida"
KEPT = 20
"""Deals: an hour of play."""


def evidence_dir() -> Path:
    """Where this machine's table keeps its pictures (XDG)."""
    return own_data_dir() / "showdowns"


class Evidence:
    """A ring of pictures in a folder: of each deal what was seen, and what was read of it."""

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self._folder = folder
        self._kept = kept

    def keep(self, deal: int, frame: Image, reading: Reading) -> None:
        """Write a showdown's frame; of the oldest deals none are left. A full disk loses it."""
        name = f"{deal:05}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for kind, picture in ((SEEN, frame), (READ, annotated(frame, reading))):
                _, data = cv2.imencode(".jpg", picture)
                (self._folder / f"{name}-{kind}.jpg").write_bytes(data.tobytes())
            self._forget()
        except OSError as error:
            log.warning("The showdown's picture was not kept: %s.", error.strerror)

    def picture(self, deal: int, since: float) -> bytes | None:
        """What was read of a deal, where that was kept after ``since`` (Unix time)."""
        path = self._folder / f"{deal:05}-{READ}.jpg"
        try:
            return path.read_bytes() if path.stat().st_mtime >= since else None
        except OSError:
            return None

    def _forget(self) -> None:
        paths = sorted(self._folder.glob("[0-9]*-*.jpg"), key=lambda path: path.stat().st_mtime)
        deals = list(dict.fromkeys(path.name.split("-")[0] for path in reversed(paths)))
        for path in paths:
            if path.name.split("-")[0] in deals[self._kept :]:
                path.unlink(missing_ok=True)
