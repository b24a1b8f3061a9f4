"""The port of all audio sources, a WAV file as a source, and a buffer of the newest seconds."""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from assistant.ear.audio import (
    RATE,
    ChannelChoice,
    Floats,
    Resampler,
    Samples,
    SpeechError,
    read_frames,
    read_wav,
    to_int16,
    wav_format,
    wav_seconds,
)
from assistant.ear.decoder import Decoder
from assistant.messages import Word


class NoMicrophone(SpeechError):  # noqa: N818 - it names what is missing
    """No microphone can be opened."""


class SourceLost(SpeechError):  # noqa: N818 - what happened to the source
    """A source that was open went away: an unplugged microphone."""


# ---- The port of all audio sources --------------------------------------------------------------


BLOCK = RATE // 20
"""Samples in a block (50 ms). A longer one would delay the answer to a call."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of mono sound at ``RATE``.

    ``end`` is the stream time of its last sample, in seconds since the source was first opened;
    it jumps where sound was lost. ``levels``: of a device with several channels, how loud each of
    them was in this stretch, root mean square in dB below full scale; empty for one channel.
    ``cancelled``: the assistant's own voice was removed from it, and a residue may be left.
    """

    samples: Samples
    end: float
    levels: tuple[float, ...] = ()
    cancelled: bool = False


class AudioSource(Protocol):
    """A source of sound. ``tests/contracts/audio_source_contract.py`` holds every source to this.

    ``blocks`` is read by one thread; ``close`` may be called by any, more than once, and ends
    ``blocks`` soon. A closed source can be opened again by asking for ``blocks`` again.
    """

    @property
    def name(self) -> str:
        """What a person calls it: the device or the file."""

    @property
    def dropped(self) -> int:
        """Blocks dropped so far because they were not taken in time."""

    @property
    def live(self) -> bool:
        """Whether sound that is not read in time is lost. A live source that went may come back."""

    @property
    def monitor(self) -> bool:
        """Whether it is known to record what the machine plays, and nothing of the table."""

    def blocks(self) -> Iterator[Block]:
        """The sound from now on, in order; ends where the source ends or is closed.

        Raises:
            NoMicrophone: there is no such device.
            SourceLost: the device went away.
            AudioError: the file cannot be read.
        """

    def close(self) -> None:
        """Release the device or the file."""


# ---- No sound: the source of a table whose calls are tapped --------------------------------------


class NoSource:
    """A source that stays silent until it is closed, for a table that is tapped."""

    name = ""
    live = True
    dropped = 0
    monitor = False

    def __init__(self) -> None:
        self._closed = threading.Event()

    def blocks(self) -> Iterator[Block]:
        """No sound, until it is closed; nothing if that has happened already."""
        self._closed.wait()
        self._closed.clear()
        yield from ()

    def close(self) -> None:
        """End ``blocks``."""
        self._closed.set()


# ---- A WAV file as a source ---------------------------------------------------------------------


class FileSource:
    """A WAV file as a source: in real time, or as fast as it is read."""

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
            # A block is there when its last sample has sounded.
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
    """Blocks of the channel that holds the voice best, each with the levels of all channels."""
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
    """Pieces of any length, cut where blocks end, so that each block has its own levels."""
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


# ---- A buffer of the newest sound, for a second pass --------------------------------------------


JUMP = 0.01
"""A gap between two blocks, in seconds, from which on sound is missing between them."""


class RecentSound:
    """The newest blocks of sound; older ones are dropped."""

    def __init__(self, seconds: float) -> None:
        """``seconds``: how much is kept."""
        self._seconds = seconds
        self._blocks: deque[Block] = deque()

    def feed(self, block: Block) -> None:
        """Keep one more block; where the stream begins anew, drop all that was before."""
        if self._blocks and block.end <= self._blocks[-1].end:
            self._blocks.clear()
        self._blocks.append(block)
        while self._blocks[0].end < block.end - self._seconds:
            self._blocks.popleft()

    def between(self, start: float, end: float) -> Samples:
        """The sound between two stream times, as far as it is kept."""
        pieces = [np.zeros(0, np.int16)]
        for block in self._blocks:
            began = block.end - len(block.samples) / RATE
            if began < end and block.end > start:
                first, last = (round((edge - began) * RATE) for edge in (start, end))
                pieces.append(block.samples[max(0, first) : max(0, last)])
        return np.concatenate(pieces)

    def hear(
        self, decoder: Decoder, *spans: tuple[float, float]
    ) -> list[tuple[tuple[Word, ...], float]]:
        """The hypotheses of some spans of stream time, in order, each with its log likelihood.

        What sounded between two spans is left out.
        """
        fed = decoder.fed / RATE
        sounds, joints, shifts = list[bytes](), list[float](), list[float]()
        heard = -math.inf
        for start, end in spans:
            start = max(start, heard)  # a block that touches two spans is heard once
            for block in self._blocks:
                begins = block.end - len(block.samples) / RATE
                if block.end > start and begins < end:
                    if not shifts or begins - fed > shifts[-1] + JUMP:
                        joints.append(fed)
                        shifts.append(begins - fed)
                    sounds.append(block.samples.tobytes())
                    fed += len(block.samples) / RATE
                    heard = block.end
        ways = decoder.hear(sounds).get("alternatives", ())
        return [
            (_words(way.get("result", ()), joints, shifts), float(way["confidence"]))
            for way in ways
        ]


def _words(
    found: Sequence[dict[str, object]], joints: Sequence[float], shifts: Sequence[float]
) -> tuple[Word, ...]:
    """Words in stream time.

    ``shifts``: seconds by which stream time is ahead of the decoder's from each of ``joints`` on.
    """
    words = []
    for word in found:
        start, end = float(str(word["start"])), float(str(word["end"]))
        start += shifts[max(bisect_right(joints, start) - 1, 0)]
        end += shifts[max(bisect_right(joints, end) - 1, 0)]
        words.append(Word(str(word["word"]), start, end))
    return tuple(words)
