"""The speech model's neural network outside Vosk: its file, its features, forward and backward."""

from __future__ import annotations

import hashlib
import math
import re
import shutil
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE
from assistant.ear.speech_model import SUMS, ModelError

# ---- Arrays of sound, cepstra and weights -------------------------------------------------------


Array = npt.NDArray[Any]


# ---- The network in a model's ``am/final.mdl``: reading it, and writing it with other weights ---
# The file is Kaldi's binary form of a chain of FixedAffine and RectifiedLinear components. Each
# weight has 16 bits ("CM2"), so other weights take as many bytes and are written in place.


HEAD = b"\0B<TransitionModel> "
_AFFINE, _BIAS = b"<LinearParams> CM2 ", b"<BiasParams> FV \x04"
_NODE = re.compile(r"component=(layer\d+\.affine) input=(.+)")
_OFFSET = re.compile(r"Offset\([\w.]+, (-?\d+)\)|[\w.]+")
_STEPS = 65535


@dataclass(frozen=True, slots=True)
class Layer:
    """An affine map of spliced inputs: weights (outputs, inputs * offsets), bias, frames of 10 ms.

    Each but the last is followed by a ReLU.
    """

    weights: Array
    bias: Array
    offsets: tuple[int, ...]


def read_layers(path: Path) -> list[Layer]:
    """The layers, first to last. Raises ModelError if the file is not of a model like ours."""
    data = _bytes(path)
    found = [Layer(_weights(data, at), _bias(data, at), offsets)
             for at, offsets in zip(_places(data), _offsets(data), strict=True)]  # fmt: skip
    if not found:
        raise ModelError("{path} holds no network that could learn.", path=path)
    return found


def write_layers(path: Path, base: Path, layers: list[Layer]) -> None:
    """Write the model ``base`` with the weights of these layers, which have its shapes."""
    data = bytearray(_bytes(base))
    for at, layer in zip(_places(bytes(data)), layers, strict=True):
        rows, columns = layer.weights.shape
        least, span = float(layer.weights.min()), float(np.ptp(layer.weights)) or 1.0
        struct.pack_into("<ffii", data, at, least, span, rows, columns)
        steps = np.rint((layer.weights.astype(np.float64) - least) / span * _STEPS)
        body = at + 16
        data[body : body + 2 * rows * columns] = steps.astype("<u2").tobytes()
        start = _bias_at(bytes(data), at)
        data[start : start + 4 * rows] = layer.bias.astype("<f4").tobytes()
    path.write_bytes(data)


def _bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(
            "{path} cannot be read: {why}.", path=path, why=error.strerror or error
        ) from error
    if not data.startswith(HEAD):
        raise ModelError("{path} is no Kaldi model in binary form.", path=path)
    return data


def _places(data: bytes) -> list[int]:
    """Where each matrix's header begins: least, span, rows, columns."""
    found, at = [], 0
    while (at := data.find(_AFFINE, at)) >= 0:
        at += len(_AFFINE)
        found.append(at)
    return found


def _offsets(data: bytes) -> list[tuple[int, ...]]:
    """The frames that each affine takes, from the network's description."""
    text = data[data.find(b"<Nnet3>") : data.find(b"<NumComponents>")].decode("ascii", "replace")
    inputs = [found[2] for line in text.splitlines() if (found := _NODE.search(line))]
    return [tuple(int(offset or 0) for offset in _OFFSET.findall(spliced.removeprefix("Append")))
            for spliced in inputs]  # fmt: skip


def _weights(data: bytes, at: int) -> Array:
    least, span, rows, columns = struct.unpack_from("<ffii", data, at)
    steps = np.frombuffer(data, "<u2", rows * columns, at + 16)
    values = np.asarray(least + steps * (span / _STEPS), np.float32)
    return values.reshape(rows, columns)


def _shape(data: bytes, at: int) -> tuple[int, int]:
    rows, columns = struct.unpack_from("<ii", data, at + 8)
    return int(rows), int(columns)


def _bias_at(data: bytes, at: int) -> int:
    rows, columns = _shape(data, at)
    return at + 16 + 2 * rows * columns + len(_BIAS) + 4


def _bias(data: bytes, at: int) -> Array:
    rows, _ = _shape(data, at)
    return np.frombuffer(data, "<f4", rows, _bias_at(data, at)).astype(np.float32)


# ---- The network: forward and backward ----------------------------------------------------------
# A time-delay network (Peddinti et al. 2015) that reads frames of 10 ms and answers every 30 ms.


FACTOR = 3
"""Frames of 10 ms for each answer."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A layer's input (moments, inputs * offsets), and its output."""

    given: Array
    made: Array


class Network:
    """Layers with weights that may be changed."""

    def __init__(self, layers: Sequence[Layer], copied: bool = True) -> None:
        """``copied``: the layers themselves stay as they are; without it 24 MB less are taken."""
        self.weights = [layer.weights.copy() if copied else layer.weights for layer in layers]
        self.biases = [layer.bias.copy() if copied else layer.bias for layer in layers]
        self.offsets = [layer.offsets for layer in layers]
        self._slow = _slow_from(self.offsets)
        self.left = -sum(min(row) for row in self.offsets)
        self.right = sum(max(row) for row in self.offsets)

    def layers(self) -> list[Layer]:
        """The layers as they are now."""
        return [Layer(*row) for row in zip(self.weights, self.biases, self.offsets, strict=True)]

    def answers(self, frames: Array) -> Array:
        """Log-likelihoods (moments, outputs) of cepstra (frames, 40)."""
        return self.run(frames)[-1].made

    def run(self, frames: Array) -> list[Seen]:
        """Input and output of each layer for cepstra; the edges are repeated, as Vosk does."""
        return self._through(np.pad(frames, ((self.left, self.right), (0, 0)), mode="edge"))

    def answers_within(self, frames: Array) -> Array:
        """The answers of those moments for which ``frames`` have all that is around them.

        The first frame is ``left`` before the first moment, the last is ``right`` after the last.
        """
        return self._through(frames)[-1].made

    def _through(self, signal: Array) -> list[Seen]:
        seen: list[Seen] = []
        last = len(self.weights) - 1
        for number, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            given = np.concatenate(self._taps(number, signal), axis=1)
            made = given @ weights.T + bias
            if number < last:
                np.maximum(made, 0, out=made)
            seen.append(Seen(given, made))
            signal = made
        return seen

    def slopes(self, seen: Sequence[Seen], wanted: Array, lowest: int) -> list[tuple[Array, Array]]:
        """The gradients of a loss by weights and biases, from its gradient by the answers.

        ``lowest``: of so many layers from below. Those above would cost a third of the time.
        """
        found: list[tuple[Array, Array]] = []
        slope = wanted
        for number in range(len(seen) - 1, -1, -1):
            if number < len(seen) - 1:
                slope = slope * (seen[number].made > 0)
            if number < lowest:
                found.append((slope.T @ seen[number].given, slope.sum(axis=0)))
            if number:
                slope = self._spread(number, slope @ self.weights[number], seen[number - 1].made)
        return found[::-1]

    def _taps(self, number: int, signal: Array) -> list[Array]:
        row, stride = self._row(number)
        count = len(signal) - (row[-1] - row[0])
        return [signal[tap - row[0] : tap - row[0] + count : stride] for tap in row]

    def _spread(self, number: int, slope: Array, below: Array) -> Array:
        """The gradient of a layer's input, added up at the frames it was taken from."""
        row, stride = self._row(number)
        width = below.shape[1]
        whole = np.zeros_like(below)
        count = len(below) - (row[-1] - row[0])
        for place, tap in enumerate(row):
            start = tap - row[0]
            whole[start : start + count : stride] += slope[:, place * width : (place + 1) * width]
        return whole

    def _row(self, number: int) -> tuple[tuple[int, ...], int]:
        """A layer's offsets in its own steps, and how many of those it leaves out."""
        if number < self._slow:
            return self.offsets[number], FACTOR if number == self._slow - 1 else 1
        return tuple(offset // FACTOR for offset in self.offsets[number]), 1


def _slow_from(offsets: Sequence[tuple[int, ...]]) -> int:
    """The first layer that works at 30 ms, as do all after it."""
    slow = len(offsets)
    while slow and all(offset % FACTOR == 0 for offset in offsets[slow - 1]):
        slow -= 1
    return slow


# ---- Features: mel cepstra every 10 ms, as Kaldi computes them (feat/feature-mfcc.cc) -----------
# The settings are those of the model's ``conf/mfcc.conf``: 40 cepstra of 40 mel bands, no energy.


CEPSTRA = BANDS = 40
LOW, HIGH = 20.0, RATE / 2 - 400.0
WINDOW, STEP, FFT = RATE // 40, RATE // 100, 512
"""Samples: a window of 25 ms, a step of 10 ms."""
EMPHASIS, LIFTER = 0.97, 22.0
FULL = 32768.0
"""Kaldi works on numbers of 16 bits."""
LEAST = float(np.finfo(np.float32).eps)


def cepstra(samples: Array) -> Array:
    """The cepstra of sound in -1..1 at ``RATE``: (frames, 40), without rows if it is too short."""
    count = 1 + (len(samples) - WINDOW) // STEP
    if count < 1:
        return np.zeros((0, CEPSTRA), np.float32)
    starts = STEP * np.arange(count)[:, None] + np.arange(WINDOW)
    frames = np.asarray(samples, np.float64)[starts] * FULL
    frames -= frames.mean(axis=1, keepdims=True)
    frames -= EMPHASIS * np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    power = np.abs(np.fft.rfft(frames * _window(), FFT)) ** 2
    heard = np.log(np.maximum(power @ _bands().T, LEAST))
    return np.asarray(heard @ _cosines().T, np.float32)


@cache
def _window() -> Array:
    """Povey's window: Hann's to the power of 0.85."""
    hann = 0.5 - 0.5 * np.cos(2 * math.pi * np.arange(WINDOW) / (WINDOW - 1))
    return np.asarray(hann**0.85)


@cache
def _bands() -> Array:
    """Triangles in mel, shape (bands, bins of the FFT)."""
    low, high = _mel(LOW), _mel(HIGH)
    width = (high - low) / (BANDS + 1)
    bins = _mel(np.arange(FFT // 2 + 1) * RATE / FFT)
    left = low + width * np.arange(BANDS)[:, None]
    rising, falling = (bins - left) / width, (left + 2 * width - bins) / width
    weights = np.maximum(0.0, np.minimum(rising, falling))
    weights[:, -1] = 0.0  # Kaldi leaves the last bin out
    return np.asarray(weights)


@cache
def _cosines() -> Array:
    """The cosine transform and the lifter, shape (cepstra, bands)."""
    order, band = np.arange(CEPSTRA)[:, None], np.arange(BANDS)
    matrix = math.sqrt(2 / BANDS) * np.cos(math.pi / BANDS * (band + 0.5) * order)
    matrix[0] = math.sqrt(1 / BANDS)
    return np.asarray(matrix * (1 + 0.5 * LIFTER * np.sin(math.pi * order / LIFTER)))


def _mel(hertz: Array | float) -> Array:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))


# ---- The base model: its network, its phones, and their bigram ----------------------------------


NETWORK = Path("am", "final.mdl")
BIGRAM = Path("graph", "phones", "bigram.txt")
PHONES = Path("graph", "phones.txt")
PRONUNCIATIONS = Path("graph", "phones", "pronunciations.txt")
_NONE = "<eps>"
_POSITIONS = frozenset("BEIS")
"""Kaldi's marks of where in its word a phone stands; the network does not use them."""


@dataclass(frozen=True, slots=True)
class BaseNetwork:
    """A speech model of ours, to adapt.

    phones  the number of each base phone, silence being 0
    bigram  log-probability of a phone (column) after another (row)
    digest  identifies the model: SHA-256 of its network and its graph
    """

    layers: tuple[Layer, ...]
    phones: Mapping[str, int]
    bigram: Array
    digest: str


@dataclass(frozen=True, slots=True)
class Learnt:
    """A speech model that has learnt a table: a ``vosk.Model``, and the layers that are new."""

    model: Any
    lowest: Sequence[Layer] = ()
    """The lowest of its network; the others are as they were."""


def load_base(model_dir: Path) -> BaseNetwork:
    """Read a model. Raises ModelError if it cannot be adapted, as a stock model cannot."""
    try:
        bigram = np.loadtxt(model_dir / BIGRAM)
        names = (model_dir / PHONES).read_text(encoding="utf-8").splitlines()
        digest = digest_of(model_dir)
    except (OSError, ValueError) as error:
        raise ModelError(
            "The speech model in {model_dir} cannot learn voices: use the one that ships.",
            model_dir=model_dir,
        ) from error
    return BaseNetwork(tuple(read_layers(model_dir / NETWORK)), _numbers(names), bigram, digest)


def pronunciations(model_dir: Path) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The sounds of each word of a model. Raises ModelError where it does not tell them."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    try:
        text = (model_dir / PRONUNCIATIONS).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ModelError(
            "The speech model in {model_dir} cannot learn voices: use the one that ships.",
            model_dir=model_dir,
        ) from error
    for line in text.splitlines():
        word, *sounds = line.split()
        found[word] = (*found.get(word, ()), tuple(sounds))
    return found


def digest_of(model_dir: Path) -> str:
    """The digest of a model's network and graph. Raises OSError."""
    digest = hashlib.sha256()
    for path in (NETWORK, Path("graph", "HCLr.fst"), Path("graph", "words.txt")):
        digest.update((model_dir / path).read_bytes())
    return digest.hexdigest()


def save_model(folder: Path, model_dir: Path, layers: list[Layer]) -> None:
    """Write a model with other weights into a new folder. Raises OSError, ModelError."""
    shutil.copytree(model_dir, folder)
    write_layers(folder / NETWORK, model_dir / NETWORK, layers)
    if not (folder / SUMS).is_file():
        return
    network = hashlib.sha256((folder / NETWORK).read_bytes()).hexdigest()
    lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    lines = [f"{network}  {NETWORK}" if line.endswith(f"  {NETWORK}") else line for line in lines]
    (folder / SUMS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _numbers(lines: list[str]) -> dict[str, int]:
    """Kaldi's symbols, as "a_B 2": a phone at a word's beginning. Those with # are no phones."""
    names: dict[str, int] = {}
    for line in lines:
        symbol = line.split(" ")[0]
        name, _, position = symbol.rpartition("_")
        phone = name if name and position in _POSITIONS else symbol
        if phone != _NONE and not phone.startswith("#"):
            names.setdefault(phone, len(names))
    return names
