"""Sound as mono blocks at the ear's rate: WAV files, other rates, one channel of several."""

from __future__ import annotations

import math
import struct
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, gcd
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from assistant.rules.errors import MusError


class SpeechError(MusError):
    """Base of everything the ear raises on purpose."""


class AudioError(SpeechError):
    """A file whose sound cannot be read."""


# ---- Resampling a stream, with an anti-aliasing filter ------------------------------------------
# A polyphase filter: each output sample is the input around its place in time, weighted by a
# windowed sinc (Kaiser; Oppenheim & Schafer, Discrete-Time Signal Processing, 7.5). The weights
# repeat with the ratio of the two rates, so that they are computed once.


Floats = npt.NDArray[np.float32]

CROSSINGS = 32
"""Zero crossings of the sinc on each side. With the window: 80 dB down, transition band 6% wide."""
KAISER_BETA = 8.0
PASSBAND = 0.94
"""Where the filter is 6 dB down, as a share of the lower Nyquist frequency."""
PIECE = 2_048
"""Output samples computed at a time: bounds the memory that the weights take."""


class Resampler:
    """Turns a stream at ``rate_in`` into one at ``rate_out`` (both in Hz), without a shift."""

    def __init__(self, rate_in: int, rate_out: int) -> None:
        divisor = gcd(rate_in, rate_out)
        self._up, self._down = rate_out // divisor, rate_in // divisor
        self._half = 0
        self._weights = np.zeros((0, 0), np.float32)
        if rate_in != rate_out:
            stretch = max(1.0, rate_in / rate_out)
            self._half = ceil(CROSSINGS * stretch)
            self._weights = _weights(self._up, self._half, PASSBAND / stretch)
        # The sound begins with `half` samples of silence, so that the first output has neighbours.
        self._input = np.zeros(self._half, np.float32)
        self._dropped = -self._half  # place in the stream of the first sample still kept
        self._made = 0

    def feed(self, samples: Floats) -> Floats:
        """The output that ``samples`` (float32, mono) complete; the rest waits for later input."""
        if self._half == 0:
            return samples
        self._input = np.concatenate([self._input, samples])
        end = self._dropped + len(self._input)
        # Output n stands at n*down/up and looks `half` input samples beyond that.
        ready = max(self._made, ((end - self._half - 1) * self._up) // self._down + 1)
        pieces = [
            self._make(first, min(first + PIECE, ready))
            for first in range(self._made, ready, PIECE)
        ]
        self._made = ready
        self._forget()
        return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)

    def finish(self) -> Floats:
        """The last samples, as if silence followed."""
        if self._half == 0:
            return np.zeros(0, np.float32)
        end = self._dropped + len(self._input)
        total = ceil(max(0, end) * self._up / self._down)
        tail = self.feed(np.zeros(self._half + 1, np.float32))
        surplus = self._made - total
        return tail[: len(tail) - surplus] if surplus > 0 else tail

    def _make(self, first: int, last: int) -> Floats:
        places = np.arange(first, last, dtype=np.int64) * self._down
        starts = places // self._up - self._half + 1 - self._dropped
        windows = np.lib.stride_tricks.sliding_window_view(self._input, 2 * self._half)[starts]
        made: Floats = np.einsum("ij,ij->i", windows, self._weights[places % self._up])
        return made

    def _forget(self) -> None:
        """Drop the input that no later output looks at."""
        keep_from = (self._made * self._down) // self._up - self._half + 1
        drop = max(0, min(len(self._input), keep_from - self._dropped))
        self._input = self._input[drop:]
        self._dropped += drop


def _weights(phases: int, half: int, cutoff: float) -> Floats:
    """One row of ``2 * half`` weights for each place between two input samples."""
    offsets = np.arange(-half + 1, half + 1)[None, :] - np.arange(phases)[:, None] / phases
    window = np.i0(KAISER_BETA * np.sqrt(np.clip(1 - (offsets / half) ** 2, 0, None)))
    weights = np.sinc(offsets * cutoff) * window
    # Each row sums to one: no ripple of the level from phase to phase.
    rows: Floats = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return rows


# ---- WAV files of any rate, width and number of channels as mono blocks at the ear's rate -------
# The standard library's ``wave`` knows neither float samples nor (before Python 3.12) the
# extensible header that most recorders write, so the chunks are read here. A file is streamed block
# by block: an evening's recording needs no more memory than a word.


RATE = 16_000
"""Samples a second of everything behind the sources."""
WIDTH = 2
"""Bytes of one of these samples."""
READ_FRAMES = 8_192
MAX_CHANNELS = 64
MIN_RATE, MAX_RATE = 4_000, 384_000
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE

Samples = npt.NDArray[np.int16]


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
        raise AudioError(
            "{path} cannot be read: {why}.", path=path, why=error.strerror or error
        ) from error
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
        raise AudioError(
            "{path} cannot be read: {why}.", path=path, why=error.strerror or error
        ) from error


def wav_format(path: Path) -> WavFormat:
    """What a file's header says. Raises AudioError."""
    try:
        with path.open("rb") as file:
            return read_header(file, path)
    except OSError as error:
        raise AudioError(
            "{path} cannot be read: {why}.", path=path, why=error.strerror or error
        ) from error


def wav_seconds(path: Path) -> float:
    """How long a file lasts, by its header and size. Raises AudioError."""
    try:
        with path.open("rb") as file:
            wav = read_header(file, path)
            here = file.tell()
            rest = file.seek(0, 2) - here
    except OSError as error:
        raise AudioError(
            "{path} cannot be read: {why}.", path=path, why=error.strerror or error
        ) from error
    there = rest // wav.frame_bytes
    return (there if wav.frames is None else min(wav.frames, there)) / wav.rate


def read_header(file: BinaryIO, path: Path) -> WavFormat:
    """Read up to the first sample. Raises AudioError; ``path`` is for its sentence."""
    head = file.read(12)
    if len(head) < 12 or head[:4] not in (b"RIFF", b"RF64") or head[8:] != b"WAVE":
        raise AudioError(
            "{path} is no WAV file: convert it first, as with 'sox {name} x.wav'.",
            path=path,
            name=path.name,
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
    raise AudioError("{path} is a WAV file with no sound in it: record it again.", path=path)


def _format(fmt: bytes, data_size: int, path: Path) -> WavFormat:
    if len(fmt) < 16:
        raise AudioError("{path} has a broken WAV header: convert it to 16-bit PCM.", path=path)
    tag, channels, rate, _, _, bits = struct.unpack("<HHIIHH", fmt[:16])
    if tag == _EXTENSIBLE and len(fmt) >= 26:
        tag = struct.unpack("<H", fmt[24:26])[0]
    known = (tag == _PCM and bits in (8, 16, 24, 32)) or (tag == _FLOAT and bits in (32, 64))
    if not known:
        raise AudioError(
            "{path} holds compressed or unusual sound: convert it to 16-bit PCM.", path=path
        )
    if not 0 < channels <= MAX_CHANNELS or not MIN_RATE <= rate <= MAX_RATE:
        raise AudioError(
            "{path} says it has {channels} channels at {rate} Hz: convert it to 16-bit PCM.",
            path=path,
            channels=channels,
            rate=rate,
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
            raise AudioError(
                "{path} cannot be read: {why}.", path=path, why=error.strerror or error
            ) from error
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


# ---- The best channel of a device that has several ----------------------------------------------
# It is the channel in which a voice stands out most from that channel's own noise. Channels are
# never summed: microphones at different seats hear a voice at different times, so that a sum
# cancels parts of it, and it holds the noise of all of them, the dead, the clipped and the hissing
# ones too. Each block is judged before it is handed on, so that the first sound of a call already
# comes from the right channel.


REMEMBERED = 60
"""Blocks (3 s) of which the quietest tells a channel's own noise."""
QUIETEST = -72.0
"""The least noise that a channel is taken to have, in dB below full scale. Without this limit, a
channel that is nearly dead would win."""
SPEAKS = 6.0
"""A channel holds a voice from this many dB over its noise: hiss alone changes no channel."""
BETTER = 4.0
"""Another channel is taken if it stands out by this many dB more: with less, the choice would go to
and fro within a word."""
DEAD = -84.0
"""A channel is dead below this many dB below full scale: two steps of 16 bits."""
SILENCE = -96.0
"""The level, in dB below full scale, that is given for no sound at all."""
FULL = 0.995
CLIPPED = 0.01
"""A channel is overdriven if this share of a block's samples is at full scale (``FULL``)."""
FADE = 5
"""A change of channel takes one part in this many of a block: 10 ms, so that it makes no click."""

Decibels = npt.NDArray[np.float64]


class ChannelChoice:
    """Chooses, block by block, the channel in which a voice is heard best."""

    def __init__(self, count: int) -> None:
        """``count``: channels of the device, two or more."""
        self._past: deque[Decibels] = deque(maxlen=REMEMBERED)
        self._smooth = np.zeros(count)
        self.taken = 0
        """The number of the channel that the last block came from, from 0."""

    def mix(self, frames: Floats) -> tuple[Floats, tuple[float, ...]]:
        """A block of shape (frames, channels) as mono, and dB below full scale of each channel."""
        levels = decibels(frames)
        before, self.taken = self.taken, self._choose(frames, levels)
        mono = frames[:, self.taken]
        if before != self.taken:
            ramp = np.ones(len(mono), np.float32)
            fade = len(mono) // FADE
            ramp[:fade] = np.linspace(0, 1, fade, dtype=np.float32)
            mono = mono * ramp + frames[:, before] * (1 - ramp)
        return np.ascontiguousarray(mono), tuple(round(float(level), 1) for level in levels)

    def _choose(self, frames: Floats, levels: Decibels) -> int:
        self._past.append(np.maximum(levels, QUIETEST))
        # Half of it is the block before: one knock on the table changes no channel for long.
        above = np.maximum(levels, QUIETEST) - np.min(self._past, axis=0)
        self._smooth = (self._smooth + above) / 2
        clipped = np.mean(np.abs(frames) >= FULL, axis=0) > CLIPPED
        bad = (levels <= DEAD) | clipped
        if bad.all():
            return self.taken
        standing = np.where(bad, -np.inf, self._smooth)
        best = int(np.argmax(standing))
        further = standing[best] > max(SPEAKS, standing[self.taken] + BETTER)
        return best if bad[self.taken] or further else self.taken


def decibels(frames: Floats) -> Decibels:
    """How loud each channel is, root mean square in dB below full scale."""
    if len(frames) == 0:
        return np.full(frames.shape[1], SILENCE)
    power = np.mean(np.square(frames, dtype=np.float64), axis=0)
    return np.asarray(10 * np.log10(np.maximum(power, 10 ** (SILENCE / 10))))


FAINTEST = -90.0
"""dB below full scale that digital silence counts as."""


def loudness(samples: Samples) -> float:
    """The root mean square of some sound in dB below full scale, ``FAINTEST`` at least."""
    power = float(np.mean(np.square(samples, dtype=np.float64))) / 32768**2 if len(samples) else 0.0
    return max(FAINTEST, 10 * math.log10(power)) if power else FAINTEST
