"""The speech models there are to choose from, and those that are on this machine."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.app.errors import UsageError
from assistant.app.resources import load_toml, model_dir
from assistant.app.whole import write_whole
from assistant.documents import parse_json
from assistant.paths import data_dir, own_data_dir

SHIPPED = "mus-es"
STOCK = "vosk-model-small-es-0.42"
"""Vosk's small Spanish model, which is offered once."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
SHA256 = re.compile(r"[0-9a-f]{64}")
CATALOGUE = "catalogue.toml"
PINS = "checksums.json"
MOST_BYTES = 2_000_000_000
"""Of an archive: the largest models that Vosk has are smaller."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be had.

    bytes      of the archive, or of the files of the model that ships
    languages  codes of what it understands
    url        where the archive is; "" for the model that ships
    sha256     of the archive; "" where none is published
    """

    name: str
    title: str
    languages: tuple[str, ...]
    licence: str
    bytes: int
    url: str
    sha256: str
    note: str


def models_dir() -> Path:
    """Where fetched models lie (XDG); it need not be there."""
    return own_data_dir() / "models"


def catalogue() -> dict[str, Offer]:
    """What can be had, by name: what we list, and what the player adds. Raises UsageError."""
    ours = _offers(data_dir("models") / CATALOGUE)
    path = models_dir() / CATALOGUE
    own = _offers(path) if path.is_file() else {}
    return ours | {name: offer for name, offer in own.items() if name not in ours}


def offer_of(name: str) -> Offer:
    """A model of the catalogue. Raises UsageError."""
    offers = catalogue()
    if name not in offers:
        raise UsageError(f"There is no model {name[:64]!r}: choose from {', '.join(offers)}.")
    return offers[name]


def installed(name: str) -> bool:
    """Whether a model is on this machine."""
    return name == SHIPPED or (bool(NAME.fullmatch(name)) and (models_dir() / name).is_dir())


def folder_of(name: str) -> Path:
    """The folder of a model that is on this machine. Raises UsageError where it is not."""
    if not installed(name):
        raise UsageError(
            f"The speech model {name[:64]!r} is not on this machine: 'mus models fetch' brings it, "
            f"'mus models use {SHIPPED}' goes back to the one that ships."
        )
    return model_dir() if name == SHIPPED else models_dir() / name


def pinned(name: str) -> str:
    """The checksum that came with a model's first fetch; "" where there was none."""
    return _pins().get(name, "")


def pin(name: str, sha256: str) -> None:
    """Hold a model to this checksum from now on. Raises OSError."""
    write_whole(models_dir() / PINS, json.dumps(_pins() | {name: sha256}, indent=1) + "\n")


def _pins() -> dict[str, str]:
    try:
        told = parse_json((models_dir() / PINS).read_text(encoding="utf-8"))
        return {str(name): str(sha256) for name, sha256 in told.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        raise UsageError(f"{models_dir() / PINS} cannot be read: take it away.") from error


def _offers(path: Path) -> dict[str, Offer]:
    rows = load_toml(path).get("model", [])
    if not isinstance(rows, list):
        raise UsageError(f"{path}: begin each model with [[model]].")
    offers = [_offer(row, path) for row in rows]
    return {offer.name: offer for offer in offers}


def _offer(row: Any, path: Path) -> Offer:
    try:
        offer = Offer(
            name=str(row["name"]),
            title=str(row["title"]),
            languages=tuple(map(str, row["languages"])),
            licence=str(row["licence"]),
            bytes=int(row["bytes"]),
            url=str(row.get("url", "")),
            sha256=str(row.get("sha256", "")),
            note=str(row.get("note", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"{path}: a model needs name, title, languages, licence and bytes ({error})."
        ) from error
    if not NAME.fullmatch(offer.name):
        raise UsageError(f"{path}: {offer.name[:64]!r} is no name: take a-z, 0-9, -, _ and dots.")
    if not 0 < offer.bytes <= MOST_BYTES:
        raise UsageError(f"{path}: {offer.name}: bytes goes from 1 to {MOST_BYTES}.")
    if offer.sha256 and not SHA256.fullmatch(offer.sha256):
        raise UsageError(f"{path}: {offer.name}: sha256 is 64 digits of 0-9 and a-f.")
    return offer
