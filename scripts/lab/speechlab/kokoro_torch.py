"""Kokoro-82M in PyTorch: many sentences at once, on a GPU.

onnxruntime runs the network's file sentence by sentence on one core (rendering/kokoro.py). This
module runs the same weights in batches: the encoder finds the length of each sound, and the decoder
speaks. The architecture is that of StyleTTS 2, the weights are Apache-2.0, the code is our own. The
integer layers of the file are computed in floating point, so the sound is nearly the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from scripts.lab.rendering import kokoro

from .kokoro_layers import GENERATOR, Affine, Layers, Lengths, Within
from .kokoro_weights import SINES, SINES_BIAS, WEIGHT, WINDOW, Floats, read_weights

FRAME = 600
"""Samples of a frame: 25 ms at 24 kHz."""

_ALBERT = "encoder/bert/encoder/albert_layer_groups.0/albert_layers.0"
_ALBERT_NORMS = "encoder.bert.encoder.albert_layer_groups.0.albert_layers.0"
_EMBEDDINGS = "encoder.bert.embeddings"
_ALBERT_TURNS, _HEADS, _HEAD = 12, 12, 64
"""The layer that is run again and again, and its heads of attention with their width."""
_DECODER = "decoder/decoder"
_VOICE = 128
"""The first half of a style is the voice's sound, the second its prosody."""

_SINE_FRAMES, _SINE_SAMPLES = 2, 300
"""Values of the pitch in a frame, and samples for each of them."""
_HARMONICS = 9
_VOICED_HZ = 10.0
_LOUDNESS = 0.1

_TRANSFORM, _HOP = 20, 5
_BINS = _TRANSFORM // 2 + 1
"""The short-time Fourier transforms: samples of a window and between two, frequencies."""

_SILENCE_SIZE = (
    0, 0, 2.7947e-8, 4.13537e-8, 6.51477e-8, 7.3959e-8, 8.46436e-8, 7.60132e-8, 1.20965e-8,
    8.56136e-8, 13.0831e-8,
)  # fmt: skip
_SILENCE_PHASE = (
    0, 0, 2.4904, -2.1254, 0.7935, -2.1292, 0.173, 2.9268, -1.3449, 2.7360, -1.5468,
)  # fmt: skip
"""The error of onnxruntime's Fourier transform where there is no voice, measured, by frequency.

The network takes the phase even of nothing for a phase, so this is part of how it sounds.
"""

_BATCH = 64
_BATCH_FRAMES = 4096
"""A batch has no more sentences, and no more frames, padding and all (some GB of a GPU)."""


@dataclass(frozen=True, slots=True)
class _Encoded:
    """A sentence between encoder and decoder.

    `sounds` (tokens, 640) and `letters` (tokens, 512) are on the device, `spans` (tokens) are the
    frames of each token and `style` (256) is the voice's.
    """

    sounds: Tensor
    letters: Tensor
    spans: Lengths
    style: Floats

    @property
    def frames(self) -> int:
        return int(self.spans.sum())


class Network:
    """Kokoro-82M on a device. It is read from its ONNX file once."""

    def __init__(self, path: Path, device: str) -> None:
        """Read the network. Raises OSError, or onnx_file.FormatError where it is another one."""
        weights = read_weights(path)
        self._layers = Layers(weights, torch.device(device))
        self._fourier, self._error = _fourier(weights.arrays[WINDOW])
        self._fourier = self._fourier.to(self._layers.device)
        self._error = self._error.to(self._layers.device)
        generator = "decoder.decoder.generator.stft.istft.stft"
        inverse = weights.arrays[f"{generator}.inverse_basis"].reshape(2 * _BINS, _TRANSFORM)
        self._inverse = self._layers.upload(inverse)
        overlap = weights.arrays[f"{generator}.window_sum"][:_TRANSFORM]
        divisor = np.where(overlap > np.finfo(np.float32).tiny, overlap, 1)
        self._beginning = self._layers.upload(np.asarray(1 / divisor, np.float32))

    def said(self, sentences: Sequence[kokoro.Inputs]) -> list[Floats]:
        """Return the sound of each sentence: samples at 24 kHz.

        Raises FloatingPointError if the network's answer is no number.
        """
        said: dict[int, Floats] = {}
        with torch.inference_mode():
            encoded = self._all_encoded(sentences)
            for rows in _batches([one.frames for one in encoded]):
                longest = _padded(encoded[rows[0]].frames)
                said.update(
                    zip(rows, self._decode([encoded[i] for i in rows], longest), strict=True)
                )
        if not all(np.isfinite(sound).all() for sound in said.values()):
            raise FloatingPointError("Kokoro's network answered with something that is no number")
        return [said[index] for index in range(len(sentences))]

    def _all_encoded(self, sentences: Sequence[kokoro.Inputs]) -> list[_Encoded]:
        order = sorted(range(len(sentences)), key=lambda index: len(sentences[index].tokens))
        encoded: dict[int, _Encoded] = {}
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            encoded.update(zip(rows, self._encode([sentences[i] for i in rows]), strict=True))
        return [encoded[index] for index in range(len(sentences))]

    def _encode(self, sentences: Sequence[kokoro.Inputs]) -> Iterator[_Encoded]:
        layers = self._layers
        lengths = np.array([len(sentence.tokens) for sentence in sentences], np.int64)
        longest = int(lengths.max())
        table = np.zeros((len(sentences), longest), np.int64)
        for places, sentence in zip(table, sentences, strict=True):
            places[: len(sentence.tokens)] = sentence.tokens
        tokens, within = layers.upload(table), layers.within(lengths, longest)
        styles = np.concatenate([sentence.style for sentence in sentences])
        prosody = layers.upload(styles[:, _VOICE:])

        sounds = self._sounds(self._albert(tokens, within), prosody, lengths)
        sure = layers.lstm(sounds, lengths, "encoder/predictor/lstm")
        sure = layers.linear(sure, "encoder/predictor/duration_proj/linear_layer")
        spans = torch.sigmoid(sure).sum(2).cpu().numpy()
        spans /= np.array([[sentence.speed] for sentence in sentences], np.float32)
        if not np.isfinite(spans).all():
            raise FloatingPointError("Kokoro's network answered with durations that are no numbers")
        spans = np.maximum(np.round(spans), 1).astype(np.int64)
        letters = self._letters(tokens, within, lengths)
        for row, length in enumerate(lengths.tolist()):
            yield _Encoded(
                sounds[row, :length], letters[row, :length], spans[row, :length], styles[row]
            )

    def _albert(self, tokens: Tensor, within: Within) -> Tensor:
        """Return the transformer's answer to tokens (batch, tokens): (batch, tokens, 512)."""
        layers, weights = self._layers, self._layers.weights
        x = (
            F.embedding(tokens, weights[f"{_EMBEDDINGS}.word_embeddings{WEIGHT}"])
            + weights[f"{_EMBEDDINGS}.token_type_embeddings{WEIGHT}"][0]
            + weights[f"{_EMBEDDINGS}.position_embeddings{WEIGHT}"][: tokens.shape[1]]
        )
        norm = f"{_EMBEDDINGS}.LayerNorm"
        x = layers.layer_norm(x, f"{norm}.weight", f"{norm}.bias")
        x = layers.linear(x, "encoder/bert/encoder/embedding_hidden_mapping_in")
        padding = (within.mask - 1).unsqueeze(1) * 1e30
        for _ in range(_ALBERT_TURNS):
            query, key, value = (
                layers.linear(x, f"{_ALBERT}/attention/{name}")
                .view(*x.shape[:2], _HEADS, _HEAD)
                .transpose(1, 2)
                for name in ("query", "key", "value")
            )
            seen = torch.softmax(query @ key.transpose(2, 3) * _HEAD**-0.5 + padding, -1) @ value
            y = layers.linear(seen.transpose(1, 2).flatten(2), f"{_ALBERT}/attention/dense")
            norm = f"{_ALBERT_NORMS}.attention.LayerNorm"
            x = layers.layer_norm(x + y, f"{norm}.weight", f"{norm}.bias")
            y = F.gelu(layers.linear(x, f"{_ALBERT}/ffn"), approximate="tanh")
            y = layers.linear(y, f"{_ALBERT}/ffn_output")
            norm = f"{_ALBERT_NORMS}.full_layer_layer_norm"
            x = layers.layer_norm(x + y, f"{norm}.weight", f"{norm}.bias")
        return layers.linear(x, "encoder/bert_encoder")

    def _sounds(self, x: Tensor, prosody: Tensor, lengths: Lengths) -> Tensor:
        """Return the input for durations and melody: (batch, tokens, 640)."""
        affines = self._layers.affines(prosody, "encoder")
        every = prosody.unsqueeze(1).expand(-1, x.shape[1], -1)
        name = "encoder/predictor/text_encoder/lstms."
        x = torch.cat([x, every], 2)
        for number in (0, 2, 4):
            x = self._layers.lstm(x, lengths, f"{name}{number}")
            factor, offset = (part.transpose(1, 2) for part in affines[f"{name}{number + 1}"])
            x = F.layer_norm(x, x.shape[-1:], eps=1e-5) * factor + offset
            x = torch.cat([x, every], 2)
        return x

    def _letters(self, tokens: Tensor, within: Within, lengths: Lengths) -> Tensor:
        """Return the answer of the other encoder, for the timbre: (batch, tokens, 512)."""
        layers = self._layers
        table = layers.weights[f"encoder.text_encoder.embedding{WEIGHT}"]
        x = F.embedding(tokens, table).transpose(1, 2)
        for number in range(3):
            name = f"encoder/text_encoder/cnn.{number}/cnn.{number}.0"
            norm = f"encoder.text_encoder.cnn.{number}.1"
            x = layers.convolution(x * within.mask, name).transpose(1, 2)
            x = layers.layer_norm(x, f"{norm}.gamma", f"{norm}.beta", 1e-5).transpose(1, 2)
            x = F.leaky_relu(x, 0.2)
        return layers.lstm(x.transpose(1, 2), lengths, "encoder/text_encoder/lstm")

    def _decode(self, encoded: Sequence[_Encoded], longest: int) -> list[Floats]:
        """Speak what was encoded, each padded to `longest` frames while it is computed."""
        layers = self._layers
        lengths = np.array([one.frames for one in encoded], np.int64)
        styles = np.stack([one.style for one in encoded])
        prosody = layers.affines(layers.upload(styles[:, _VOICE:]), "encoder")
        voice = layers.affines(layers.upload(styles[:, :_VOICE]), "decoder")
        once = layers.within(lengths, longest)
        twice = layers.within(_SINE_FRAMES * lengths, _SINE_FRAMES * longest)

        at = self._places(encoded, longest)
        sounds = _stretched([one.sounds for one in encoded], at)
        letters = _stretched([one.letters for one in encoded], at).transpose(1, 2).contiguous()
        x = layers.lstm(sounds, lengths, "encoder/shared").transpose(1, 2).contiguous()
        pitch, energy = (
            self._curve(x, f"encoder/{name}", prosody, once, twice) for name in ("F0", "N")
        )
        curves = (
            layers.convolution(pitch, f"{_DECODER}/F0_conv"),
            layers.convolution(energy, f"{_DECODER}/N_conv"),
        )
        x = layers.block(torch.cat([letters, *curves], 1), f"{_DECODER}/encode", voice, once)
        rest = layers.convolution(letters, f"{_DECODER}/asr_res/asr_res.0")
        for number in range(4):
            joined, after = torch.cat([x, rest, *curves], 1), twice if number == 3 else None
            x = layers.block(joined, f"{_DECODER}/decode.{number}", voice, once, after)
        harmonics = self._harmonics(pitch, lengths, longest)
        sound = self._generated(x, harmonics, voice, twice, lengths, longest).cpu().numpy()
        return [sound[row, : FRAME * length].copy() for row, length in enumerate(lengths.tolist())]

    def _places(self, encoded: Sequence[_Encoded], longest: int) -> Tensor:
        """Return which token is heard in each frame, (batch, longest); 0 is none, 1 the first."""
        first, rows = 1, np.zeros((len(encoded), longest), np.int64)
        for row, one in zip(rows, encoded, strict=True):
            row[: one.frames] = np.repeat(np.arange(first, first + len(one.spans)), one.spans)
            first += len(one.spans)
        return self._layers.upload(rows)

    def _curve(
        self, x: Tensor, name: str, prosody: dict[str, Affine], once: Within, twice: Within
    ) -> Tensor:
        """Return the pitch in Hz, or the loudness: (batch, 1, 2 frames)."""
        x = self._layers.block(x, f"{name}.0", prosody, once)
        x = self._layers.block(x, f"{name}.1", prosody, once, twice)
        x = self._layers.block(x, f"{name}.2", prosody, twice)
        return self._layers.convolution(x, f"{name}_proj").mul_(twice.mask)

    def _harmonics(self, pitch: Tensor, lengths: Lengths, longest: int) -> Tensor:
        """Return sizes and phases of a sum of sines at the pitch: (batch, 22, 120 frames + 1)."""
        layers = self._layers
        numbers = torch.arange(1, _HARMONICS + 1, device=layers.device).view(1, -1, 1)
        turns = pitch * numbers / kokoro.RATE
        # Step by step, because a phase of thousands of turns depends on how it is rounded.
        phase = torch.cumsum(turns - turns.floor(), 2) * 2 * torch.pi * _SINE_SAMPLES
        phase = F.interpolate(phase, scale_factor=_SINE_SAMPLES, mode="linear", align_corners=False)
        voiced = (pitch > _VOICED_HZ).float().repeat_interleave(_SINE_SAMPLES, 2)
        waves = phase.sin_().mul_(_LOUDNESS).mul_(voiced)
        mixed = (waves * layers.weights[SINES].view(1, -1, 1)).sum(1) + layers.weights[SINES_BIAS]
        edge = _TRANSFORM // 2
        at = torch.arange(-edge, FRAME * longest + edge, device=layers.device).abs()
        last = layers.upload(FRAME * lengths[:, None] - 1)
        at = torch.where(at > last, (2 * last - at).clamp_(min=0), at)  # mirrored at either end
        windows = torch.tanh(mixed).gather(1, at).unfold(1, _TRANSFORM, _HOP)
        spectrum = windows.double() @ self._fourier + self._error
        real, imaginary = spectrum[..., :_BINS].float(), spectrum[..., _BINS:].float()
        size = (real * real + imaginary * imaginary).sqrt()
        both = torch.cat([size, torch.atan2(imaginary, real)], 2).transpose(1, 2)
        return both * layers.within(*_hops(lengths, longest)).mask

    def _generated(
        self, x: Tensor, harmonics: Tensor, voice: dict[str, Affine], within: Within,
        lengths: Lengths, longest: int,
    ) -> Tensor:  # fmt: skip
        """Return the sound, (batch, samples), a little longer than its frames."""
        layers = self._layers
        steps = ((20 * lengths, 20 * longest), _hops(lengths, longest))
        for number, step in enumerate(steps):
            x = F.leaky_relu_(x, 0.1).mul_(within.mask)
            x = layers.transposed(x, f"{GENERATOR}/ups.{number}")
            if number == 1:
                x = torch.cat([x[:, :, 1:2], x], 2)
            within = layers.within(*step)
            source = layers.convolution(harmonics, f"{GENERATOR}/noise_convs.{number}")
            x = layers.generator_block(source, f"noise_res.{number}", voice, within).add_(x)
            total = layers.generator_block(x, f"resblocks.{3 * number}", voice, within)
            for other in (1, 2):
                name = f"resblocks.{3 * number + other}"
                total.add_(layers.generator_block(x, name, voice, within))
            x = total.mul_(1 / 3)
        x = F.leaky_relu_(x, 0.01).mul_(within.mask)
        x = layers.convolution(x, f"{GENERATOR}/conv_post")
        size, phase = x[:, :_BINS].exp(), x[:, _BINS:].sin()
        spectrum = torch.cat([size * phase.cos(), size * phase.sin()], 1).mul_(within.mask)
        return self._resynthesised(spectrum.transpose(1, 2))

    def _resynthesised(self, spectrum: Tensor) -> Tensor:
        """Invert a short-time Fourier transform (batch, windows, 22): windows laid over another."""
        windows = spectrum @ self._inverse
        count, over = windows.shape[1], _TRANSFORM // _HOP
        sound = torch.zeros(len(windows), count + over - 1, _HOP, device=windows.device)
        for part in range(over):
            sound[:, part : part + count] += windows[:, :, _HOP * part : _HOP * (part + 1)]
        flat = sound.flatten(1)
        flat[:, :_TRANSFORM] *= self._beginning
        return flat[:, _TRANSFORM // 2 :].mul_(over)


def _hops(lengths: Lengths, longest: int) -> tuple[Lengths, int]:
    """Return lengths in frames as lengths in windows of the Fourier transform."""
    per_frame = FRAME // _HOP
    return per_frame * lengths + 1, per_frame * longest + 1


def _stretched(tokens: Sequence[Tensor], at: Tensor) -> Tensor:
    """Lay the tokens of all sentences out over the frames: (batch, frames, channels)."""
    whole = torch.cat([torch.zeros_like(tokens[0][:1]), *tokens])
    return whole.index_select(0, at.flatten()).view(*at.shape, -1)


def _fourier(window: Floats) -> tuple[Tensor, Tensor]:
    """Return the transform of a window, (20, 22), and what onnxruntime adds to it, (22)."""
    angle = 2 * np.pi / _TRANSFORM * np.arange(_TRANSFORM)[:, None] * np.arange(_BINS)
    weights = window.astype(np.float64)[:, None]
    real, imaginary = weights * np.cos(angle), -weights * np.sin(angle)
    imaginary[:, [0, -1]] = 0
    size, phase = np.array(_SILENCE_SIZE), np.array(_SILENCE_PHASE)
    error = np.concatenate([size * np.cos(phase), size * np.sin(phase)])
    error[_BINS] = 1e-9  # so that a negative sum has the phase pi, and not minus pi
    return torch.from_numpy(np.concatenate([real, imaginary], 1)), torch.from_numpy(error)


def _batches(frames: Sequence[int]) -> Iterator[list[int]]:
    """Yield rows that are decoded together, the longest first."""
    order = sorted(range(len(frames)), key=lambda row: -frames[row])
    while order:
        size = min(_BATCH, max(1, _BATCH_FRAMES // _padded(frames[order[0]])))
        yield order[:size]
        order = order[size:]


def _padded(frames: int) -> int:
    """Return a length of few: a GPU prepares itself anew for each that it has not had yet."""
    step = 16 if frames <= 128 else 32 if frames <= 384 else 128
    return max(32, -(-frames // step) * step)
