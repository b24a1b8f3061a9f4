"""A file in the place of a microphone."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from assistant.speech.audio import RATE, Samples, read_wav, wav_seconds
from assistant.speech.source import BLOCK, Block


class FileSource:
    """A WAV file as a source: at the pace of time, or as fast as it is taken."""

    live = False
    dropped = 0

    def __init__(self, path: Path, realtime: bool = True) -> None:
        """Raises AudioError where the file is no sound."""
        self.path = path
        self.seconds = wav_seconds(path)
        self._realtime = realtime
        self._closed = threading.Event()

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    def blocks(self) -> Iterator[Block]:
        """The sound from the beginning. Raises AudioError."""
        self._closed.clear()
        began = time.monotonic()
        for block in _rebuffered(read_wav(self.path)):
            # A block can be heard when its last sample has sounded.
            early = began + block.end - time.monotonic() if self._realtime else 0.0
            if self._closed.wait(early) if early > 0 else self._closed.is_set():
                return
            yield block

    def close(self) -> None:
        """End ``blocks``."""
        self._closed.set()


def _rebuffered(pieces: Iterator[Samples]) -> Iterator[Block]:
    """Pieces of any length as blocks of ``BLOCK`` samples, the last one as short as it is."""
    kept = np.zeros(0, np.int16)
    sent = 0
    for piece in pieces:
        kept = np.concatenate([kept, piece])
        while len(kept) >= BLOCK:
            sent += BLOCK
            yield Block(kept[:BLOCK], sent / RATE)
            kept = kept[BLOCK:]
    if len(kept):
        yield Block(kept, (sent + len(kept)) / RATE)
