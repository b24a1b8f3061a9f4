"""One file that holds a player's belongings: a ZIP with a manifest, read without any trust."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from assistant import __version__
from assistant.app.belongings import JOURNAL, belonging_of
from assistant.app.errors import UsageError
from assistant.documents import parse_json

SUFFIX = ".mus-backup"
MANIFEST = "manifest.json"
VERSION = 1
"""Raised with any change that an older mus would read wrongly."""
MOST_FILES = 5_000
MOST_BYTES = 1_000_000_000
"""Of all files unpacked: twenty decks of large pictures and years of evenings are less."""
MOST_MANIFEST = 2_000_000
MOST_TEXT, MOST_PICTURE = 1_000_000, 16_000_000
"""Of one text, and of one picture."""
MOST_SHRUNK = 200
"""How many times as long as it is packed a file may be: a journal shrinks to a tenth."""
CHUNK = 1 << 16
_DAMAGE = (BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, KeyError, struct.error)
"""What a ZIP whose bytes were changed makes the library raise; OSError comes with these."""


class ArchiveError(UsageError):
    """The file is no archive that may be unpacked; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest tells of a file: its size in bytes and its SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """``made``: when, ISO 8601 with its offset; ``by``: the version of mus; ``files`` by name."""

    made: str
    by: str
    files: dict[str, Entry]


def pack(folder: Path, target: Path) -> Manifest:
    """Put all files of a folder into an archive, which is whole or not there.

    Raises ArchiveError where they are more than could be unpacked again, OSError.
    """
    paths = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    files = {name: Entry(path.stat().st_size, _digest(path)) for name, path in paths.items()}
    if len(files) > MOST_FILES or sum(entry.size for entry in files.values()) > MOST_BYTES:
        raise ArchiveError(
            f"That is more than {MOST_BYTES // 1_000_000} MB or {MOST_FILES} files: take away "
            "decks that nobody plays with ('mus deck list')."
        )
    made = datetime.now().astimezone().isoformat(timespec="seconds")
    partly = target.with_name(f".{target.name}.part")
    try:
        # A machine without a clock lives in 1970, which ZIP does not know.
        with ZipFile(partly, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
            archive.writestr(MANIFEST, _text(made, files))
            for name, path in paths.items():
                archive.write(path, name)
        partly.replace(target)
    finally:
        partly.unlink(missing_ok=True)
    return Manifest(made, __version__, files)


def unpack(file: Path, folder: Path) -> Manifest:
    """Write an archive's files into an empty folder, each as its manifest tells.

    Raises ArchiveError for what is damaged, of a newer version, too large, or holds anything that
    is no belonging; OSError where the folder cannot be written.
    """
    if not file.is_file():
        raise ArchiveError(f"There is no file {file}: check its name.")
    try:
        archive = ZipFile(file)
    except (*_DAMAGE, NotImplementedError) as error:
        raise _foreign(file) from error
    with archive:
        manifest = _manifest(file, archive)
        _check_names(file, archive, manifest)
        for name, entry in manifest.files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as out:
                for chunk in _chunks(file, archive, name, entry.size):
                    out.write(chunk)
            if target.stat().st_size != entry.size or _digest(target) != entry.sha256:
                raise _damaged(file)
    return manifest


def _text(made: str, files: dict[str, Entry]) -> str:
    told = {name: {"bytes": entry.size, "sha256": entry.sha256} for name, entry in files.items()}
    whole = {"mus_backup": VERSION, "made": made, "by": __version__, "files": told}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def _manifest(file: Path, archive: ZipFile) -> Manifest:
    try:
        info = archive.getinfo(MANIFEST)
    except KeyError:
        raise _foreign(file) from None
    text = b"".join(_chunks(file, archive, MANIFEST, min(info.file_size, MOST_MANIFEST)))
    try:
        told: Any = parse_json(text)
        version = told["mus_backup"]
        if type(version) is int and version > VERSION:
            raise ArchiveError(
                f"{file} was made by a newer version of mus: update mus, then import it."
            )
        if type(version) is not int or version < 1:
            raise _foreign(file)
        files = {
            name: Entry(int(entry["bytes"]), str(entry["sha256"]))
            for name, entry in told["files"].items()
        }
        return Manifest(str(told["made"])[:40], str(told["by"])[:40], files)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise _damaged(file) from None


def _check_names(file: Path, archive: ZipFile, manifest: Manifest) -> None:
    """Nothing but belongings, each once, and no more than fits."""
    sizes = [entry.size for entry in manifest.files.values()]
    if len(sizes) > MOST_FILES or min(sizes, default=0) < 0 or sum(sizes) > MOST_BYTES:
        raise ArchiveError(
            f"{file} would take more than {MOST_BYTES // 1_000_000} MB or {MOST_FILES} files: that "
            "is no backup of a table; choose another file."
        )
    for info in archive.infolist():
        if info.filename != MANIFEST:
            try:
                belonging_of(info.filename)
            except UsageError as error:
                raise ArchiveError(f"{file} is refused: {error}") from None
        _check_size(file, info)
    if sorted(archive.namelist()) != sorted([MANIFEST, *manifest.files]):
        raise _damaged(file)


def _check_size(file: Path, info: ZipInfo) -> None:
    """Whether a file may be as long as the archive says, before any of it is unpacked."""
    name = info.filename
    if name == MANIFEST:
        most = MOST_MANIFEST
    else:
        most = MOST_TEXT if name.endswith((".toml", ".json")) else MOST_PICTURE
    if name != JOURNAL and info.file_size > most:
        raise ArchiveError(f"{file} is refused: {name[:60]} is longer than {most // 1_000_000} MB.")
    if info.file_size > MOST_TEXT + MOST_SHRUNK * info.compress_size:
        raise ArchiveError(f"{file} is refused: {name[:60]} would swell beyond all measure.")


def _chunks(file: Path, archive: ZipFile, name: str, most: int) -> Iterator[bytes]:
    """What an entry holds, never more than ``most`` bytes. Raises ArchiveError."""
    try:
        info = archive.getinfo(name)
        if info.compress_type not in (ZIP_DEFLATED, ZIP_STORED):  # others unpack without a bound
            raise _damaged(file)
        with archive.open(info) as entry:
            while chunk := entry.read(CHUNK):
                most -= len(chunk)
                if most < 0:
                    raise _damaged(file)
                yield chunk
    except (*_DAMAGE, OSError) as error:
        raise _damaged(file) from error


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _damaged(file: Path) -> ArchiveError:
    return ArchiveError(f"{file} is damaged: take another backup, or export it again.")


def _foreign(file: Path) -> ArchiveError:
    return ArchiveError(f"{file} is no backup of mus, or only a part of one: choose another file.")
