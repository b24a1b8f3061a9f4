"""The data files that players may edit, loaded and checked."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, BinaryIO

from assistant.app.errors import UsageError
from assistant.lexicon import Lexicon, lexicon_from
from assistant.paths import data_dir
from assistant.phrases import Phrases, phrases_from

MAX_FILE = 1_000_000


def load_lexicon(language: str = "es") -> Lexicon:
    """The phrases of a language. Raises UsageError or LexiconError."""
    return lexicon_from(load_toml(data_dir("models") / "lexicon" / f"{language}.toml"))


def load_phrases(language: str = "es") -> Phrases:
    """The sentences of a language. Raises UsageError or PhraseError."""
    return phrases_from(load_toml(data_dir("models") / "phrases" / f"{language}.toml"))


def model_dir(chosen: Path | None = None) -> Path:
    """The speech model to use: the one chosen, or the one that ships."""
    return chosen or data_dir("models") / "mus-es"


def load_toml(path: Path) -> dict[str, Any]:
    """A TOML file. Raises UsageError with the file's name and the line."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}") from error


def read_text(path: Path) -> str:
    """A small UTF-8 file. Raises UsageError where it cannot be read as one."""
    try:
        with path.open("rb") as file:
            return text_of(file, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error


def text_of(file: BinaryIO, name: object) -> str:
    """What an open file or pipe holds. Raises UsageError where it is too much, or no UTF-8."""
    data = file.read(MAX_FILE + 1)  # no more: a device has no end
    if len(data) > MAX_FILE:
        raise UsageError(f"{name} is larger than {MAX_FILE // 1000} kB: is it the right file?")
    try:
        text = data.decode("utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is no text in UTF-8: save it as UTF-8.") from error
    if "\0" in text:
        raise UsageError(f"{name} is no text: is it the right file?")
    return text
