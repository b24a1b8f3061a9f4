"""WAV files of every kind, written byte by byte, to test the reader with."""

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
PCM, FLOAT, MULAW, EXTENSIBLE = 1, 3, 7, 0xFFFE


def tone(hertz: float, seconds: float, rate: int, amplitude: float = 0.5) -> Floats:
    """A sine wave; full scale is 1."""
    times = np.arange(round(seconds * rate)) / rate
    return np.asarray(amplitude * np.sin(2 * np.pi * hertz * times))


def encoded(frames: Floats, kind: str) -> bytes:
    """Samples of shape (frames, channels) as "u8", "i16", "i24", "i32", "f32" or "f64"."""
    match kind:
        case "u8":
            return (np.rint(frames * 127) + 128).astype(np.uint8).tobytes()
        case "i16":
            return np.rint(frames * 32767).astype("<i2").tobytes()
        case "i24":
            wide = np.rint(frames * (2**23 - 1)).astype("<i4")
            return wide.view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
        case "i32":
            return np.rint(frames * (2**31 - 1)).astype("<i4").tobytes()
        case "f32" | "f64":
            return frames.astype("<f4" if kind == "f32" else "<f8").tobytes()
    raise ValueError(kind)


def header(
    tag: int, channels: int, rate: int, bits: int, size: int, extensible: bool = False
) -> bytes:
    """All bytes before the samples. ``size`` is the length of the data chunk in bytes."""
    width = channels * bits // 8
    fmt = struct.pack(
        "<HHIIHH", EXTENSIBLE if extensible else tag, channels, rate, rate * width, width, bits
    )
    if extensible:
        fmt += struct.pack("<HHIH", 22, bits, 0, tag) + bytes(14)
    chunks = b"LIST" + struct.pack("<I", 3) + b"abc\0"  # an odd chunk, padded to an even length
    chunks += b"fmt " + struct.pack("<I", len(fmt)) + fmt
    chunks += b"data" + struct.pack("<I", size)
    return b"RIFF" + struct.pack("<I", (4 + len(chunks) + size) & 0xFFFFFFFF) + b"WAVE" + chunks


def write(
    path: Path,
    mono: Floats,
    rate: int,
    kind: str = "i16",
    channels: int = 1,
    extensible: bool = False,
) -> Path:
    """Write the same sound into every channel."""
    data = encoded(np.repeat(mono[:, None], channels, axis=1), kind)
    tag = FLOAT if kind.startswith("f") else PCM
    path.write_bytes(header(tag, channels, rate, int(kind[1:]), len(data), extensible) + data)
    return path


def write_frames(path: Path, frames: Floats, rate: int) -> Path:
    """Write a separate sound into each channel, with 16 bits: shape (frames, channels)."""
    data = encoded(frames, "i16")
    path.write_bytes(header(PCM, frames.shape[1], rate, 16, len(data)) + data)
    return path
