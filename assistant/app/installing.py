"""A model from its archive to its folder: brought, checked, unpacked, and remembered."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from assistant.app.catalogue import MOST_BYTES, SHA256, Offer, models_dir, pin, pinned
from assistant.app.errors import UsageError
from assistant.app.fetching import MEGA, FetchError, OnProgress, Part, download
from assistant.app.unpacking import unpack

GROWS = 3
"""How many times its archive's bytes a model takes while it is unpacked, the archive among them."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A model that was brought: where it is, and its archive's checksum.

    trusted  nobody published the checksum: what came first is taken, and held to from now on
    """

    folder: Path
    sha256: str
    trusted: bool


def install(offer: Offer, source: str, sha256: str, on_progress: OnProgress) -> Installed:
    """Bring a model of the catalogue.

    ``source``: an archive's URL or file in place of the catalogue's ("": that one); ``sha256``: the
    checksum that is demanded, before the catalogue's and that of the first fetch ("": those).

    Raises UsageError, FetchError, OSError; what was fetched by then stays for the next time.
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
                f"There is no file {archive}: name an archive, or a URL (http, https)."
            )
        found = _checked(archive, place, expected, None)
        unpack(archive, folder)
    pin(offer.name, found)
    return Installed(folder, found, trusted=not expected)


def part_of(name: str) -> Part:
    """What is there of a model's archive."""
    return Part(models_dir() / f"{name}.zip.part")


def _bring(place: str, part: Part, offer: Offer, expected: str, on_progress: OnProgress) -> None:
    if expected and part.size and _digest(part.path) == expected:
        return  # it all came, and then the machine went off
    # A mirror's archive may be packed otherwise where no checksum says what it must be.
    most = offer.bytes if offer.sha256 and expected == offer.sha256 else MOST_BYTES
    download(place, part, most, on_progress)


def _checked(archive: Path, place: str, expected: str, part: Part | None) -> str:
    """The checksum of an archive. Raises FetchError where another is expected."""
    found = _digest(archive)
    if expected and found != expected:
        if part:
            part.forget()
        raise FetchError(
            f"What {place} holds is not this model: its checksum is {found}, not {expected}. "
            "It was not installed; try again, or name another place with --from."
        )
    return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_room(folder: Path, offer: Offer, part: Part) -> None:
    free, needed = shutil.disk_usage(folder).free, GROWS * offer.bytes - part.size
    if free < needed:
        told = f"{free // MEGA} MB free of the {needed // MEGA + 1} MB that are needed"
        raise UsageError(f"{folder} has {told}: make room.")


def _is_address(place: str) -> bool:
    """Whether it is a URL and no file. Raises UsageError for one that cannot be fetched."""
    scheme = urlsplit(place).scheme
    if scheme in ("http", "https"):
        return True
    if "://" in place:
        raise UsageError(f"{place} cannot be fetched: name a URL (http, https) or a file.")
    return False
