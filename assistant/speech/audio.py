"""WAV files of any rate, width and number of channels as mono blocks at the ear's rate.

The chunks are read here and not by the standard library's ``wave``, which knows neither float
samples nor (before Python 3.12) the extensible header that most recorders write. A file is streamed
block by block, so an evening's recording needs no more memory than a word.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from assistant.speech.errors import AudioError
from assistant.speech.resample import Resampler

RATE = 16_000
"""Samples a second of everything behind the sources."""
WIDTH = 2
"""Bytes of one of these samples."""
READ_FRAMES = 8_192
MAX_CHANNELS = 64
MIN_RATE, MAX_RATE = 4_000, 384_000
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE

Samples = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WavFormat:
    """What a WAV header says: ``bits`` a sample, and the number of frames (None: to the end)."""

    rate: int
    channels: int
    bits: int
    is_float: bool
    frames: int | None

    @property
    def frame_bytes(self) -> int:
        """Bytes of one sample of all channels."""
        return self.channels * self.bits // 8


def read_wav(path: Path) -> Iterator[Samples]:
    """The sound of a file: mono int16 at ``RATE``, in blocks of uneven length.

    The header is checked at once, before the first block is asked for.

    Raises:
        AudioError: the file cannot be read or is no WAV file that we know.
    """
    try:
        # The generator below closes it: a `with` here would close it before the first block.
        file = path.open("rb")
    except OSError as error:
        raise AudioError(f"{path} cannot be read: {error.strerror or error}.") from error
    try:
        wav = read_header(file, path)
    except BaseException:
        file.close()
        raise
    return _mono_blocks(file, wav, path)


def read_frames(path: Path) -> Iterator[Floats]:
    """The sound of a file at its own rate, all channels: float32 of shape (frames, channels).

    Raises:
        AudioError: the file cannot be read or is no WAV file that we know.
    """
    try:
        with path.open("rb") as file:
            yield from _frames(file, read_header(file, path), path)
    except OSError as error:
        raise AudioError(f"{path} cannot be read: {error.strerror or error}.") from error


def wav_format(path: Path) -> WavFormat:
    """What a file's header says. Raises AudioError."""
    try:
        with path.open("rb") as file:
            return read_header(file, path)
    except OSError as error:
        raise AudioError(f"{path} cannot be read: {error.strerror or error}.") from error


def wav_seconds(path: Path) -> float:
    """How long a file lasts, by its header and size. Raises AudioError."""
    try:
        with path.open("rb") as file:
            wav = read_header(file, path)
            here = file.tell()
            rest = file.seek(0, 2) - here
    except OSError as error:
        raise AudioError(f"{path} cannot be read: {error.strerror or error}.") from error
    there = rest // wav.frame_bytes
    return (there if wav.frames is None else min(wav.frames, there)) / wav.rate


def read_header(file: BinaryIO, path: Path) -> WavFormat:
    """Read up to the first sample. Raises AudioError; ``path`` is for its sentence."""
    head = file.read(12)
    if len(head) < 12 or head[:4] not in (b"RIFF", b"RF64") or head[8:] != b"WAVE":
        raise AudioError(
            f"{path} is no WAV file: convert it first, as with 'sox {path.name} x.wav'."
        )
    fmt = b""
    while len(chunk := file.read(8)) == 8:
        name, size = chunk[:4], struct.unpack("<I", chunk[4:])[0]
        if name == b"data":
            return _format(fmt, size, path)
        if name == b"fmt ":
            fmt = file.read(min(size, 64))
            size -= len(fmt)
        file.seek(size + chunk[4] % 2, 1)  # chunks begin at even places
    raise AudioError(f"{path} is a WAV file with no sound in it: record it again.")


def _format(fmt: bytes, data_size: int, path: Path) -> WavFormat:
    if len(fmt) < 16:
        raise AudioError(f"{path} has a broken WAV header: convert it to 16-bit PCM.")
    tag, channels, rate, _, _, bits = struct.unpack("<HHIIHH", fmt[:16])
    if tag == _EXTENSIBLE and len(fmt) >= 26:
        tag = struct.unpack("<H", fmt[24:26])[0]
    known = (tag == _PCM and bits in (8, 16, 24, 32)) or (tag == _FLOAT and bits in (32, 64))
    if not known:
        raise AudioError(f"{path} holds compressed or unusual sound: convert it to 16-bit PCM.")
    if not 0 < channels <= MAX_CHANNELS or not MIN_RATE <= rate <= MAX_RATE:
        raise AudioError(
            f"{path} says it has {channels} channels at {rate} Hz: convert it to 16-bit PCM."
        )
    # A recorder that was cut off leaves 0 or the largest number: then the file's end is the end.
    frame_bytes = channels * bits // 8
    frames = None if data_size in (0, 0xFFFFFFFF) else data_size // frame_bytes
    return WavFormat(rate, channels, bits, tag == _FLOAT, frames)


def _mono_blocks(file: BinaryIO, wav: WavFormat, path: Path) -> Iterator[Samples]:
    resampler = Resampler(wav.rate, RATE)
    with file:
        for frames in _frames(file, wav, path):
            yield to_int16(resampler.feed(frames.mean(axis=1, dtype=np.float32)))
    yield to_int16(resampler.finish())


def _frames(file: BinaryIO, wav: WavFormat, path: Path) -> Iterator[Floats]:
    left = wav.frames
    while left is None or left > 0:
        wanted = READ_FRAMES if left is None else min(READ_FRAMES, left)
        try:
            data = file.read(wanted * wav.frame_bytes)
        except OSError as error:
            raise AudioError(f"{path} cannot be read: {error.strerror or error}.") from error
        frames = len(data) // wav.frame_bytes
        if frames == 0:
            return
        if left is not None:
            left -= frames
        yield decode(data[: frames * wav.frame_bytes], wav)


def decode(data: bytes, wav: WavFormat) -> Floats:
    """Whole frames as float32 of shape (frames, channels), full scale being 1."""
    if wav.is_float:
        raw = np.frombuffer(data, "<f4" if wav.bits == 32 else "<f8")
        # A file may hold anything: not-a-number would poison every sample after it.
        samples = np.nan_to_num(raw, nan=0.0, posinf=1.0, neginf=-1.0).clip(-8.0, 8.0)
    elif wav.bits == 8:
        samples = (np.frombuffer(data, np.uint8).astype(np.float32) - 128) / 128
    elif wav.bits == 24:
        # The three bytes become the upper ones of a 32-bit number, which keeps the sign.
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        samples = wide.view("<i4").reshape(-1) / np.float64(2**31)
    else:
        samples = np.frombuffer(data, f"<i{wav.bits // 8}") / np.float64(2 ** (wav.bits - 1))
    frames: Floats = samples.astype(np.float32).reshape(-1, wav.channels)
    return frames


def to_int16(samples: Floats) -> Samples:
    """Full scale 1 to 16 bits; what is louder is clipped, not wrapped."""
    scaled = np.rint(samples * np.float32(32768))
    clipped: Samples = np.clip(scaled, -32768, 32767).astype(np.int16)
    return clipped
