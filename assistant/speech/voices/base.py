"""The speech model that voices are learnt by: its network, its phones, and which follows which."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.speech.errors import ModelError
from assistant.speech.model import SUMS
from assistant.speech.voices.arrays import Array
from assistant.speech.voices.model_file import Layer, read_layers, write_layers

NETWORK = Path("am", "final.mdl")
BIGRAM = Path("graph", "phones", "bigram.txt")
PHONES = Path("graph", "phones.txt")
_NONE = "<eps>"
_POSITIONS = frozenset("BEIS")
"""Kaldi marks where in its word a phone stands; the network does not care."""


@dataclass(frozen=True, slots=True)
class Base:
    """A model of ours.

    phones  the number of each base phone, silence being 0
    bigram  log-probability of a phone (column) after another (row)
    digest  what tells this model from every other: SHA-256 of its network and its graph
    """

    layers: tuple[Layer, ...]
    phones: Mapping[str, int]
    bigram: Array
    digest: str


def load_base(model_dir: Path) -> Base:
    """Read a model. Raises ModelError where it cannot learn voices, as a stock model cannot."""
    try:
        bigram = np.loadtxt(model_dir / BIGRAM)
        names = (model_dir / PHONES).read_text(encoding="utf-8").splitlines()
        digest = digest_of(model_dir)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"The speech model in {model_dir} cannot learn voices: use the one that ships."
        ) from error
    return Base(tuple(read_layers(model_dir / NETWORK)), _numbers(names), bigram, digest)


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
    """Kaldi's symbols are "a_B 2": a phone at a word's beginning; those with # are no phones."""
    names: dict[str, int] = {}
    for line in lines:
        symbol = line.split(" ")[0]
        name, _, position = symbol.rpartition("_")
        phone = name if name and position in _POSITIONS else symbol
        if phone != _NONE and not phone.startswith("#"):
            names.setdefault(phone, len(names))
    return names
