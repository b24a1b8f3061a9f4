"""The archive of a player's belongings: what they are, how they are packed, and put back."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from assistant import __version__
from assistant.eye import deck
from assistant.eye.calibration import EMPTY, FILE, load_calibration, table_dir
from assistant.eye.deck import DESCRIPTION, load_deck
from assistant.files import profile_files, style_files
from assistant.files.atomic import Renames, finish_renames, rename_together
from assistant.files.process import UsageError
from assistant.files.settings import default_journal, read_settings, settings_path
from assistant.files.terminal import output_text
from assistant.messages.documents import parse_json
from assistant.school.drills.mus_drills import DRILLED, drills_path, read_drills
from assistant.school.lessons.files import PROGRESS, progress_path, read_progress
from assistant.table.journal.copy import COMPANIONS, check_journal, copy_journal

# ---- The player's own files on this machine, and their names in an archive
# The pictures of showdowns stay on their machine, and so do the page's PIN and key.


JOURNAL, SETTINGS, TABLE = "journal.sqlite3", "settings.toml", "table"
_MEMBER = re.compile(
    rf"(?P<file>{re.escape(JOURNAL)}|{re.escape(SETTINGS)}"
    rf"|{re.escape(PROGRESS)}|{re.escape(DRILLED)}"
    rf"|profiles/{deck.NAME.pattern}\.toml|styles/{deck.NAME.pattern}\.toml)"
    rf"|(?P<deck>decks/{deck.NAME.pattern})/({re.escape(DESCRIPTION)}|\w{{1,20}}\.png)"
    rf"|(?P<table>{TABLE})/({re.escape(FILE)}|{re.escape(EMPTY)})"
)


@dataclass(frozen=True, slots=True)
class Belonging:
    """One thing that is kept or replaced completely: the journal, a profile, a deck...

    name  its name in an archive, as ``decks/mia``
    path  its place on this machine, whether it is there or not
    """

    name: str
    path: Path

    @property
    def paths(self) -> tuple[Path, ...]:
        """All paths that move with it."""
        beside = COMPANIONS if self.name == JOURNAL else ()
        return self.path, *(self.path.with_name(self.path.name + end) for end in beside)

    @property
    def home(self) -> Path:
        """The folder of mus that holds it, on the same disk."""
        return self.path.parents[len(Path(self.name).parts) - 1]

    def copy_to(self, target: Path) -> None:
        """Copy it as it is now. Raises JournalError, OSError."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.name == JOURNAL:
            copy_journal(self.path, target)
        elif self.path.is_dir():
            target.mkdir()
            for path in sorted(self.path.iterdir()):
                if _MEMBER.fullmatch(f"{self.name}/{path.name}") and path.is_file():
                    shutil.copyfile(path, target / path.name)
        else:
            shutil.copyfile(self.path, target)


def belongings() -> list[Belonging]:
    """All belongings of the player on this machine, without those that are half written."""
    profiles = sorted(profile_files.own_dir().glob(f"[!.]*{profile_files.SUFFIX}"))
    styles = sorted(style_files.own_styles().glob(f"[!.]*{profile_files.SUFFIX}"))
    own_decks = sorted(deck.own_dir().glob(f"[!.]*/{DESCRIPTION}"))
    names = [
        JOURNAL,
        SETTINGS,
        PROGRESS,
        DRILLED,
        TABLE,
        *(f"profiles/{path.name}" for path in profiles),
        *(f"styles/{path.name}" for path in styles),
        *(f"decks/{path.parent.name}" for path in own_decks),
    ]
    return [found for found in map(_belonging, names) if found.path.exists()]


def belonging_of(member: str) -> Belonging:
    """The belonging to which a file of an archive belongs. Raises UsageError if there is none."""
    found = _MEMBER.fullmatch(member)
    if found is None:
        raise UsageError("{member!r} is no part of a player's belongings.", member=member[:60])
    return _belonging(found["file"] or found["deck"] or found["table"])


def check(name: str, path: Path) -> None:
    """Read a belonging as the table would. Raises MusError if it cannot be used."""
    if name == JOURNAL:
        check_journal(path)
    elif name == SETTINGS:
        read_settings(path)
    elif name == PROGRESS:
        read_progress(path)
    elif name == DRILLED:
        read_drills(path)
    elif name == TABLE:
        load_calibration(path)
    elif name.startswith("decks/"):
        deck.check_name(path.name)
        load_deck(path)
    elif name.startswith("styles/"):
        style_files.load_style(path)
    else:
        profile_files.load_profile(path)


def _belonging(name: str) -> Belonging:
    if name == JOURNAL:
        return Belonging(name, default_journal())
    if name == SETTINGS:
        return Belonging(name, settings_path())
    if name == PROGRESS:
        return Belonging(name, progress_path())
    if name == DRILLED:
        return Belonging(name, drills_path())
    if name == TABLE:
        return Belonging(name, table_dir())
    folder, own = name.split("/", 1)
    if folder == "styles":
        return Belonging(name, style_files.own_styles() / own)
    return Belonging(name, (deck if folder == "decks" else profile_files).own_dir() / own)


# ---- The archive: a ZIP with a manifest, read without any trust ---------------------------------


SUFFIX = ".mus-backup"
MANIFEST = "manifest.json"
VERSION = 1
"""The version of the format. Any change that an older mus would read wrongly raises it."""
MOST_FILES = 5_000
MOST_BYTES = 1_000_000_000
"""The most bytes of all files, unpacked: twenty decks and years of evenings are less."""
MOST_MANIFEST = 2_000_000
MOST_TEXT, MOST_PICTURE = 1_000_000, 16_000_000
"""The most bytes of one text, and of one picture."""
MOST_SHRUNK = 200
"""The highest ratio of a file's size to its packed size; that of a journal is ten."""
CHUNK = 1 << 16
_DAMAGE = (BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, KeyError, struct.error)
"""The library's errors for a ZIP whose bytes were changed, beside OSError."""


class ArchiveError(UsageError):
    """The file is no archive that can be unpacked; the text says what to do."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file in the manifest: its size in bytes and its SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """``made``: ISO 8601 time with offset; ``by``: the version of mus; ``files``: by name."""

    made: str
    by: str
    files: dict[str, ArchiveEntry]


def pack(folder: Path, target: Path) -> Manifest:
    """Pack all files of a folder into an archive, atomically.

    Raises ArchiveError if they are more than could be unpacked again, and OSError.
    """
    paths = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    files = {name: ArchiveEntry(path.stat().st_size, _digest(path)) for name, path in paths.items()}
    if len(files) > MOST_FILES or sum(entry.size for entry in files.values()) > MOST_BYTES:
        raise ArchiveError(
            "That is more than {most} MB or {files} files: take away decks that nobody "
            "plays with ('mus deck list').",
            most=MOST_BYTES // 1000000,
            files=MOST_FILES,
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
    """Write an archive's files into an empty folder, checked against the manifest.

    Raises ArchiveError if the archive is damaged, too large, of a newer version, or has a file that
    is no belonging; OSError if the folder cannot be written.
    """
    if not file.is_file():
        raise ArchiveError("There is no file {file}: check its name.", file=file)
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


def _text(made: str, files: dict[str, ArchiveEntry]) -> str:
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
                "{file} was made by a newer version of mus: update mus, then import it.", file=file
            )
        if type(version) is not int or version < 1:
            raise _foreign(file)
        files = {
            name: ArchiveEntry(int(entry["bytes"]), str(entry["sha256"]))
            for name, entry in told["files"].items()
        }
        return Manifest(str(told["made"])[:40], str(told["by"])[:40], files)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise _damaged(file) from None


def _check_names(file: Path, archive: ZipFile, manifest: Manifest) -> None:
    """Check that an archive has nothing but belongings, each once, and no more than allowed."""
    sizes = [entry.size for entry in manifest.files.values()]
    if len(sizes) > MOST_FILES or min(sizes, default=0) < 0 or sum(sizes) > MOST_BYTES:
        raise ArchiveError(
            "{file} would take more than {most} MB or {files} files: that is no backup "
            "of a table; choose another file.",
            file=file,
            most=MOST_BYTES // 1000000,
            files=MOST_FILES,
        )
    for info in archive.infolist():
        if info.filename != MANIFEST:
            try:
                belonging_of(info.filename)
            except UsageError as error:
                raise ArchiveError("{file} is refused: {error}", file=file, error=error) from None
        _check_size(file, info)
    if sorted(archive.namelist()) != sorted([MANIFEST, *manifest.files]):
        raise _damaged(file)


def _check_size(file: Path, info: ZipInfo) -> None:
    """Check the size of a file as the archive gives it, before any of it is unpacked."""
    name = info.filename
    if name == MANIFEST:
        most = MOST_MANIFEST
    else:
        most = MOST_TEXT if name.endswith((".toml", ".json")) else MOST_PICTURE
    if name != JOURNAL and info.file_size > most:
        raise ArchiveError(
            "{file} is refused: {name} is longer than {most} MB.",
            file=file,
            name=name[:60],
            most=most // 1000000,
        )
    if info.file_size > MOST_TEXT + MOST_SHRUNK * info.compress_size:
        raise ArchiveError(
            "{file} is refused: {name} would swell beyond all measure.", file=file, name=name[:60]
        )


def _chunks(file: Path, archive: ZipFile, name: str, most: int) -> Iterator[bytes]:
    """The content of an entry, never more than ``most`` bytes. Raises ArchiveError."""
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
    return ArchiveError("{file} is damaged: take another backup, or export it again.", file=file)


def _foreign(file: Path) -> ArchiveError:
    return ArchiveError(
        "{file} is no backup of mus, or only a part of one: choose another file.", file=file
    )


# ---- Putting belongings in their places: all of them or none. What was there is kept ------------


STAGING = ".importing"


def place(things: Mapping[Belonging, Path], old: str) -> list[Path]:
    """Copy each belonging to its place; returns the folders that keep what was there before.

    ``things``: each belonging, and where it is now. ``old``: the name of those folders, one in each
    folder of mus where something is replaced. If anything fails, all stays as it was. Raises
    UsageError.
    """
    homes = {thing.home for thing in things}
    try:
        finish_renames()
        for home in homes:
            shutil.rmtree(home / STAGING, ignore_errors=True)
        for thing, source in things.items():
            _copy(source, _staged(thing))
        os.sync()  # a table is unplugged: first all is on the disk, then it gets its names
        return _swapped(list(things), old)
    except OSError as error:
        raise UsageError(
            "It cannot be imported ({file}: {why}): see that there is room and that it "
            "may be written, then try again.",
            file=error.filename or "the disk",
            why=error.strerror,
        ) from error
    finally:
        for home in homes:
            shutil.rmtree(home / STAGING, ignore_errors=True)
        os.sync()


def _staged(thing: Belonging) -> Path:
    return thing.home / STAGING / thing.name


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)


def _swapped(things: list[Belonging], old: str) -> list[Path]:
    """Rename old and new, all together or not at all."""
    steps: list[tuple[Path, Path]] = []
    aside: list[Path] = []
    for thing in things:
        folder = thing.home / old
        there = [path for path in thing.paths if path.exists()]
        if there and folder not in aside:
            folder.mkdir()  # never over what an earlier import put aside
            aside.append(folder)
        steps += [(path, folder / path.relative_to(thing.home)) for path in there]
        steps.append((_staged(thing), thing.path))
    try:
        waste = tuple({thing.home / STAGING for thing in things})
        rename_together(Renames(output_text("the import"), tuple(steps), waste))
    except BaseException:
        for folder in aside:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return aside
