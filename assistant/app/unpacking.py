"""Taking a model out of an archive that came from outside: all of it or nothing, and no more."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from assistant.app.errors import UsageError
from assistant.speech import ModelError
from assistant.speech.model import check_model

MOST_FILES = 500
LARGEST = 6_000_000_000
TIMES = 20
"""A model's files are three times as large as its archive; a bomb's are a thousand times."""
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
        raise UsageError(f"{archive} is no archive that can be read ({error}).") from error
    except ModelError as error:
        raise UsageError(f"{archive} holds no model that takes a grammar: {error}") from error
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
        raise UsageError(f"{archive} would unpack to {len(files)} files of {whole} bytes: refused.")
    for member in files:
        path = PurePosixPath(member.filename)
        odd = path.is_absolute() or ".." in path.parts or "\\" in member.filename
        if odd or stat.S_ISLNK(member.external_attr >> 16):
            raise UsageError(f"{archive} wants to write outside its folder: refused.")


def _top(archive: Path, files: list[zipfile.ZipInfo]) -> PurePosixPath:
    """The folder in the archive that holds the model."""
    for member in files:
        path = PurePosixPath(member.filename)
        if path.parts[-2:] == NETWORK.parts:
            return path.parents[1]
    raise UsageError(f"{archive} holds no speech model: there is no {NETWORK} in it.")
