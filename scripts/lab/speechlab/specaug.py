"""Variety that costs nothing to make: warps, masks and noise on the features, new at each step.

Forty cepstra of forty bands are an invertible linear map of the log-mel spectrum. So a batch goes
back to the spectrum, is warped (vocal tract length, as Jaitly and Hinton 2013), tilted and shifted
(the channel; Vosk subtracts no mean), masked (Park et al. 2019), and returns. Energies of sounds
add up, so other utterances of the batch can talk in the background there as well, and any noise can
be put behind any utterance.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from .features import CEPSTRA

_LIFTER = 22
_LOW_HZ, _HIGH_HZ, _KNEE_HZ = 20.0, 7600.0, 5500.0
_WARPS = np.exp(np.linspace(-0.2, 0.2, 41))
_CHANNEL_DEVIATION = (0.8, 0.9, 0.7, 0.5, 0.4, 0.3, 0.25)
"""Deviation, in log energy, of each slow cosine over the bands: how much microphones differ."""

_CROWD_SHARE = 0.3
_CROWD_DB = (4.0, 25.0)
"""How many utterances get two others behind them, and how much louder they are than the two."""

NOISE_DB, TALK_DB = (0.0, 20.0), (0.0, 25.0)
"""How much louder an utterance, its pauses too, is than what is put behind it."""

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Noise:
    """Cepstra (frames, 40) of noise in a row, the share of utterances that get some, and how loud.

    `db`: by how much an utterance is louder, at least and at most.
    """

    cepstra: torch.Tensor
    share: float
    db: tuple[float, float] = NOISE_DB


def cosine_transform() -> Matrix:
    """Return Kaldi's matrix from log-mel energies to liftered cepstra, shape (40, 40)."""
    rows, bands = np.arange(CEPSTRA)[:, None], np.arange(CEPSTRA)[None] + 0.5
    scale = np.where(rows == 0, 1.0, 2.0) / CEPSTRA
    lifter = 1 + _LIFTER / 2 * np.sin(np.pi * rows / _LIFTER)
    matrix: Matrix = np.sqrt(scale) * np.cos(np.pi / CEPSTRA * bands * rows) * lifter
    return matrix


def band_warp(factor: float) -> Matrix:
    """Return the matrix that moves the spectrum's bands to `factor` times their frequency."""

    def mel(hertz: Matrix) -> Matrix:
        return np.asarray(1127 * np.log(1 + hertz / 700))

    low, high = mel(np.array([_LOW_HZ, _HIGH_HZ]))
    step = (high - low) / (CEPSTRA + 1)
    centres = 700 * (np.exp((low + step * np.arange(1, CEPSTRA + 1)) / 1127) - 1)
    slope = (_HIGH_HZ - _KNEE_HZ * factor) / (_HIGH_HZ - _KNEE_HZ)
    above = _KNEE_HZ * factor + (centres - _KNEE_HZ) * slope
    warped = np.clip(np.where(centres < _KNEE_HZ, centres * factor, above), _LOW_HZ, _HIGH_HZ)
    place = np.clip((mel(warped) - low) / step - 1, 0, CEPSTRA - 1)
    left = np.minimum(place.astype(int), CEPSTRA - 2)
    matrix = np.zeros((CEPSTRA, CEPSTRA))
    rows = np.arange(CEPSTRA)
    matrix[rows, left], matrix[rows, left + 1] = 1 - (place - left), place - left
    return matrix


def _tensor(matrix: Matrix) -> torch.Tensor:
    return torch.tensor(matrix, dtype=torch.float32)


_TO_CEPSTRA = _tensor(cosine_transform().T)
_TO_SPECTRUM = torch.linalg.inv(_TO_CEPSTRA)
_TO_WARPED = _tensor(
    np.stack([(band_warp(f) @ np.linalg.inv(cosine_transform())).T for f in _WARPS])
)
_SLOW_COSINES = _tensor(
    np.cos(np.pi / CEPSTRA * np.outer(np.arange(len(_CHANNEL_DEVIATION)), np.arange(40) + 0.5))
)


def varied(frames: torch.Tensor, spoken: torch.Tensor, *behind: Noise) -> torch.Tensor:
    """Return cepstra (batch, time, 40) as if other throats spoke into other microphones.

    Some get a crowd, and some get each noise of `behind`. Those that are not `spoken` (batch,) get
    none, because their text is empty and people talk in the noise.
    """
    batch, device = frames.shape[0], frames.device
    choice = torch.where(
        torch.rand(batch) < 0.7, torch.randint(2, len(_WARPS) - 2, (batch,)), len(_WARPS) // 2
    )
    spectrum = torch.bmm(frames, _TO_WARPED[choice].to(device))
    spectrum = _crowded(spectrum, spoken)
    for noise in behind:
        spectrum = _noisy(spectrum, spoken, noise)
    spectrum = spectrum + _channels(batch).to(device) * (torch.rand(batch, 1, 1) < 0.8).to(device)
    return _masked(spectrum) @ _TO_CEPSTRA.to(device)


def _channels(count: int) -> torch.Tensor:
    """Return what this many microphones add to the log energies, shape (count, 1, 40)."""
    shift = torch.randn(count, len(_CHANNEL_DEVIATION)) * torch.tensor(_CHANNEL_DEVIATION)
    return (shift @ _SLOW_COSINES)[:, None]


def _noisy(spectrum: torch.Tensor, spoken: torch.Tensor, noise: Noise) -> torch.Tensor:
    """Put a stretch of the noise, of any colour, behind some utterances."""
    batch, time, _ = spectrum.shape
    chosen = ((torch.rand(batch) < noise.share).to(spoken.device) & spoken).nonzero()[:, 0]
    if not len(chosen):
        return spectrum
    frames = len(noise.cepstra)
    places = torch.randint(frames, (len(chosen), 1)) + torch.arange(time)[None]
    sound = noise.cepstra[places % frames] @ _TO_SPECTRUM + _channels(len(chosen))
    return _over(spectrum, chosen, sound.to(spectrum.device).exp(), noise.db)


def _over(
    spectrum: torch.Tensor, chosen: torch.Tensor, other: torch.Tensor, db: tuple[float, float]
) -> torch.Tensor:
    """Add energies (chosen, time, 40) to the `chosen` utterances, by how much these are louder."""
    energy = spectrum[chosen].exp()
    low, high = db
    louder = 10 ** ((low + (high - low) * torch.rand(len(chosen), 1, 1)) / 10)
    level = energy.mean((1, 2), keepdim=True) / other.mean((1, 2), keepdim=True)
    mixed = spectrum.clone()
    mixed[chosen] = (energy + other * level / louder.to(energy.device)).log()
    return mixed


def _crowded(spectrum: torch.Tensor, spoken: torch.Tensor) -> torch.Tensor:
    batch = spectrum.shape[0]
    chosen = ((torch.rand(batch) < _CROWD_SHARE).to(spoken.device) & spoken).nonzero()[:, 0]
    if not len(chosen) or batch < 3:
        return spectrum
    others = torch.randint(1, batch, (2, len(chosen))).to(chosen.device)
    crowd = torch.stack([spectrum[(chosen + row) % batch].exp() for row in others]).sum(0)
    return _over(spectrum, chosen, crowd, _CROWD_DB)


def _masked(spectrum: torch.Tensor) -> torch.Tensor:
    batch, time, bands = spectrum.shape
    mean = spectrum.mean(1, keepdim=True)
    for _ in range(2):
        hidden = _stretch(batch, bands, longest=7).to(spectrum.device)
        spectrum = torch.where(hidden[:, None], mean, spectrum)
    for _ in range(max(1, time // 150)):
        hidden = _stretch(batch, time, longest=12).to(spectrum.device)
        spectrum = torch.where(hidden[:, :, None], mean, spectrum)
    return spectrum


def _stretch(batch: int, size: int, longest: int) -> torch.Tensor:
    """Return (batch, size) flags: one random stretch of each row, in six of ten rows."""
    width = torch.randint(0, longest, (batch, 1)) * (torch.rand(batch, 1) < 0.6)
    start = (torch.rand(batch, 1) * size).long()
    place = torch.arange(size)[None]
    return (place >= start) & (place < start + width)
