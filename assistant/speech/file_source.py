"""A file in the place of a microphone."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from assistant.speech.audio import (
    RATE,
    Floats,
    Samples,
    read_frames,
    read_wav,
    to_int16,
    wav_format,
    wav_seconds,
)
from assistant.speech.channels import ChannelChoice
from assistant.speech.resample import Resampler
from assistant.speech.source import BLOCK, Block


class FileSource:
    """A WAV file as a source: at the pace of time, or as fast as it is taken."""

    live = False
    dropped = 0
    monitor = False

    def __init__(self, path: Path, realtime: bool = True) -> None:
        """Raises AudioError where the file is no sound."""
        self.path = path
        self.seconds = wav_seconds(path)
        self._format = wav_format(path)
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
        for block in self._sound():
            # A block can be heard when its last sample has sounded.
            early = began + block.end - time.monotonic() if self._realtime else 0.0
            if self._closed.wait(early) if early > 0 else self._closed.is_set():
                return
            yield block

    def close(self) -> None:
        """End ``blocks``."""
        self._closed.set()

    def _sound(self) -> Iterator[Block]:
        if self._format.channels == 1:
            return _rebuffered(read_wav(self.path))
        return _chosen(read_frames(self.path), self._format.rate, self._format.channels)


def _chosen(pieces: Iterator[Floats], rate: int, channels: int) -> Iterator[Block]:
    """The channel that somebody is heard best in, each block with the levels of all."""
    levels: deque[tuple[float, ...]] = deque()

    def mono() -> Iterator[Samples]:
        choice, resampler = ChannelChoice(channels), Resampler(rate, RATE)
        for stretch in _stretches(pieces, rate, channels):
            best, loud = choice.mix(stretch)
            levels.append(loud)
            yield to_int16(resampler.feed(best))
        yield to_int16(resampler.finish())

    last: tuple[float, ...] = ()
    for block in _rebuffered(mono()):
        last = levels.popleft() if levels else last
        yield Block(block.samples, block.end, last)


def _stretches(pieces: Iterator[Floats], rate: int, channels: int) -> Iterator[Floats]:
    """Pieces of any length as stretches as long as a block, whose edges never drift from its."""
    kept = np.zeros((0, channels), np.float32)
    made = at = 0
    for piece in pieces:
        kept = np.concatenate([kept, piece])
        while len(kept) >= (wanted := (made + 1) * BLOCK * rate // RATE - at):
            yield kept[:wanted]
            kept = kept[wanted:]
            made, at = made + 1, at + wanted
    if len(kept):
        yield kept


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
