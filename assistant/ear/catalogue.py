"""The catalogue of speech models, and the installing of one: fetched, checked, unpacked."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from assistant.ear import ModelError
from assistant.ear.fetching import MEGA, FetchError, OnProgress, Part, download
from assistant.ear.speech_model import check_model
from assistant.files.atomic import write_whole
from assistant.files.paths import data_dir, own_data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml, model_dir
from assistant.messages.documents import parse_json

# ---- The catalogue, and the models that are on this machine -------------------------------------


SHIPPED = "mus-es"
STOCK = "vosk-model-small-es-0.42"
"""Vosk's small Spanish model, which is offered once."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
SHA256 = re.compile(r"[0-9a-f]{64}")
CATALOGUE = "catalogue.toml"
PINS = "checksums.json"
MOST_BYTES = 2_000_000_000
"""The most bytes of an archive: the largest of Vosk's models are smaller."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be fetched.

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
    """All models by name: those that ship with the program and the player's. Raises UsageError."""
    ours = _offers(data_dir("models") / CATALOGUE)
    path = models_dir() / CATALOGUE
    own = _offers(path) if path.is_file() else {}
    return ours | {name: offer for name, offer in own.items() if name not in ours}


def offer_of(name: str) -> Offer:
    """A model of the catalogue. Raises UsageError."""
    offers = catalogue()
    if name not in offers:
        raise UsageError(
            "There is no model {name!r}: choose from {known}.",
            name=name[:64],
            known=", ".join(offers),
        )
    return offers[name]


def installed(name: str) -> bool:
    """Whether a model is on this machine."""
    return name == SHIPPED or (bool(NAME.fullmatch(name)) and (models_dir() / name).is_dir())


def folder_of(name: str) -> Path:
    """The folder of a model that is on this machine. Raises UsageError where it is not."""
    if not installed(name):
        raise UsageError(
            "The speech model {name!r} is not on this machine: 'mus models fetch' "
            "brings it, 'mus models use {shipped}' goes back to the one that ships.",
            name=name[:64],
            shipped=SHIPPED,
        )
    return model_dir() if name == SHIPPED else models_dir() / name


def pinned(name: str) -> str:
    """The checksum that came with a model's first fetch; "" where there was none."""
    return _pins().get(name, "")


def pin(name: str, sha256: str) -> None:
    """Demand this checksum of a model from now on. Raises OSError."""
    write_whole(models_dir() / PINS, json.dumps(_pins() | {name: sha256}, indent=1) + "\n")


def _pins() -> dict[str, str]:
    try:
        told = parse_json((models_dir() / PINS).read_text(encoding="utf-8"))
        return {str(name): str(sha256) for name, sha256 in told.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        raise UsageError(
            "{path} cannot be read: take it away.", path=models_dir() / PINS
        ) from error


def _offers(path: Path) -> dict[str, Offer]:
    rows = load_toml(path).get("model", [])
    if not isinstance(rows, list):
        raise UsageError("{path}: begin each model with [[model]].", path=path)
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
            "{path}: a model needs name, title, languages, licence and bytes ({error}).",
            path=path,
            error=error,
        ) from error
    if not NAME.fullmatch(offer.name):
        raise UsageError(
            "{path}: {name!r} is no name: take a-z, 0-9, -, _ and dots.",
            path=path,
            name=offer.name[:64],
        )
    if not 0 < offer.bytes <= MOST_BYTES:
        raise UsageError(
            "{path}: {name}: bytes goes from 1 to {most}.",
            path=path,
            name=offer.name,
            most=MOST_BYTES,
        )
    if offer.sha256 and not SHA256.fullmatch(offer.sha256):
        raise UsageError(
            "{path}: {name}: sha256 is 64 digits of 0-9 and a-f.", path=path, name=offer.name
        )
    return offer


# ---- Unpacking an archive from outside: the whole model or nothing, and nothing else ------------


MOST_FILES = 500
LARGEST = 6_000_000_000
TIMES = 20
"""The most that files may grow by unpacking: a model's grow to three times, a zip bomb's to a
thousand times the size of the archive."""
NETWORK = PurePosixPath("am/final.mdl")


def unpack(archive: Path, folder: Path) -> None:
    """Put the model of a zip into a ``folder`` that is not there yet.

    Raises UsageError where the archive is broken, harmful or holds no model, OSError.
    """
    partly = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(partly, ignore_errors=True)
    try:
        _extract(archive, partly)
        check_model(partly)
        os.sync()  # a power cut must not leave a folder of that name with half its files
        partly.rename(folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UsageError(
            "{archive} is no archive that can be read ({error}).", archive=archive, error=error
        ) from error
    except ModelError as error:
        raise UsageError(
            "{archive} holds no model that takes a grammar: {error}", archive=archive, error=error
        ) from error
    finally:
        shutil.rmtree(partly, ignore_errors=True)


def _extract(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        files = [member for member in opened.infolist() if not member.is_dir()]
        _refuse_bombs(archive, files)
        top = _top(archive, files)
        folder.mkdir(parents=True)
        for member in files:
            path = PurePosixPath(member.filename)
            if not path.is_relative_to(top):
                continue
            target = folder / path.relative_to(top)
            target.parent.mkdir(parents=True, exist_ok=True)
            with opened.open(member) as source, target.open("xb") as file:
                shutil.copyfileobj(source, file)


def _refuse_bombs(archive: Path, files: list[zipfile.ZipInfo]) -> None:
    whole = sum(member.file_size for member in files)
    if len(files) > MOST_FILES or whole > min(LARGEST, TIMES * archive.stat().st_size):
        raise UsageError(
            "{archive} would unpack to {n} files of {whole} bytes: refused.",
            archive=archive,
            n=len(files),
            whole=whole,
        )
    for member in files:
        path = PurePosixPath(member.filename)
        odd = path.is_absolute() or ".." in path.parts or "\\" in member.filename
        if odd or stat.S_ISLNK(member.external_attr >> 16):
            raise UsageError(
                "{archive} wants to write outside its folder: refused.", archive=archive
            )


def _top(archive: Path, files: list[zipfile.ZipInfo]) -> PurePosixPath:
    """The folder in the archive that holds the model."""
    for member in files:
        path = PurePosixPath(member.filename)
        if path.parts[-2:] == NETWORK.parts:
            return path.parents[1]
    raise UsageError(
        "{archive} holds no speech model: there is no {network} in it.",
        archive=archive,
        network=NETWORK,
    )


# ---- Installing a model: fetched, checked, unpacked, and its checksum kept ----------------------


GROWS = 3
"""While it is unpacked, a model takes this many times the bytes of its archive, that included."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A model that was fetched: where it is, and its archive's checksum.

    trusted  nobody published a checksum, so that of the first fetch is demanded from now on
    """

    folder: Path
    sha256: str
    trusted: bool


def install(offer: Offer, source: str, sha256: str, on_progress: OnProgress) -> Installed:
    """Fetch and unpack a model of the catalogue.

    ``source``: an archive's URL or file in place of the catalogue's ("": that one); ``sha256``: the
    checksum that is demanded, before the catalogue's and that of the first fetch ("": those).

    Raises UsageError, FetchError, OSError. What was fetched by then is kept for the next time.
    """
    expected = sha256.lower() or offer.sha256 or pinned(offer.name)
    if expected and not SHA256.fullmatch(expected):
        raise UsageError("--sha256 is 64 digits of 0-9 and a-f, as sha256sum prints them.")
    folder = models_dir() / offer.name
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = part_of(offer.name)
    _check_room(folder.parent, offer, part)
    place = source or offer.url
    if _is_address(place):
        _bring(place, part, offer, expected, on_progress)
        found = _checked(part.path, place, expected, part)
        unpack(part.path, folder)
        part.forget()
    else:
        archive = Path(place)
        if not archive.is_file():
            raise UsageError(
                "There is no file {archive}: name an archive, or a URL (http, https).",
                archive=archive,
            )
        found = _checked(archive, place, expected, None)
        unpack(archive, folder)
    pin(offer.name, found)
    return Installed(folder, found, trusted=not expected)


def part_of(name: str) -> Part:
    """The part of a model's archive that was fetched so far."""
    return Part(models_dir() / f"{name}.zip.part")


def _bring(place: str, part: Part, offer: Offer, expected: str, on_progress: OnProgress) -> None:
    if expected and part.size and _digest(part.path) == expected:
        return  # all of it came before the machine went off
    # Where no checksum is known, a mirror may have packed the archive in another way.
    most = offer.bytes if offer.sha256 and expected == offer.sha256 else MOST_BYTES
    download(place, part, most, on_progress)


def _checked(archive: Path, place: str, expected: str, part: Part | None) -> str:
    """The checksum of an archive. Raises FetchError where another is expected."""
    found = _digest(archive)
    if expected and found != expected:
        if part:
            part.forget()
        raise FetchError(
            "What {place} holds is not this model: its checksum is {found}, not "
            "{expected}. It was not installed; try again, or name another place with "
            "--from.",
            place=place,
            found=found,
            expected=expected,
        )
    return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_room(folder: Path, offer: Offer, part: Part) -> None:
    free, needed = shutil.disk_usage(folder).free, GROWS * offer.bytes - part.size
    if free < needed:
        raise UsageError(
            "{folder} has {free} MB free of the {needed} MB that are needed: make room.",
            folder=folder,
            free=free // MEGA,
            needed=needed // MEGA + 1,
        )


def _is_address(place: str) -> bool:
    """Whether it is a URL and no file. Raises UsageError for one that cannot be fetched."""
    scheme = urlsplit(place).scheme
    if scheme in ("http", "https"):
        return True
    if "://" in place:
        raise UsageError(
            "{place} cannot be fetched: name a URL (http, https) or a file.", place=place
        )
    return False
