"""The data files that players may edit, loaded and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal

from assistant.files.errors import UsageError
from assistant.files.paths import data_dir
from assistant.language.lexicon import Lexicon, lexicon_from
from assistant.language.phrases import Phrases, phrases_from
from assistant.messages.documents import parse_toml
from assistant.rules.profile import Profile

MAX_FILE = 1_000_000


def load_lexicon(codes: Sequence[str] = ("es",)) -> Lexicon:
    """The phrases of one language, or of all that are spoken at one table.

    A file that is only what another one lacks names it (``with``), and brings it along: the north
    ("iparralde") is Basque and its own words. Raises UsageError or LexiconError.
    """
    return lexicon_from(*lexicon_tables(codes))


def lexicon_tables(codes: Sequence[str]) -> list[dict[str, Any]]:
    """The parsed files of languages and of those they need. Raises UsageError."""
    files: dict[str, dict[str, Any]] = {}
    for code in codes:
        _bring(code, files)
    return list(files.values())


def _bring(code: str, files: dict[str, dict[str, Any]]) -> None:
    """Add a lexicon after those that it needs."""
    if code in files:
        return
    table = load_toml(_language("lexicon", code))
    needed = table.get("with", [])
    if not isinstance(needed, list) or code in needed:
        raise UsageError(f'{code}: write with = ["..."], the codes of the files that it adds to.')
    for other in needed:
        _bring(str(other), files)
    files[code] = table


def load_phrases(code: str = "es") -> Phrases:
    """The sentences of a language. Raises UsageError or PhraseError."""
    return phrases_from(load_toml(_language("phrases", code)))


def languages(kind: Literal["lexicon", "phrases", "report"]) -> tuple[str, ...]:
    """The codes of what there is: languages of the calls, of the voice, or of a report."""
    return tuple(sorted(path.stem for path in (data_dir("models") / kind).glob("*.toml")))


def _language(kind: Literal["lexicon", "phrases"], code: str) -> Path:
    known = languages(kind)
    if code not in known:  # so a code never leads out of the folder
        what = "calls" if kind == "lexicon" else "voice"
        raise UsageError(
            f"There is no language {code!r} for the {what}: choose from {', '.join(known)}."
        )
    return data_dir("models") / kind / f"{code}.toml"


def model_dir(chosen: Path | None = None) -> Path:
    """The speech model to use: the one chosen, or the one that ships."""
    return chosen or data_dir("models") / "mus-es"


def odds_table(profile: Profile) -> Path | None:
    """The odds of all hands of a deck, for the page; ``None`` where they were not counted."""
    path = data_dir("models") / "odds" / f"kings{profile.kings}.json"
    return path if path.exists() else None


def load_toml(path: Path) -> dict[str, Any]:
    """A TOML file. Raises UsageError with the file's name and the line."""
    try:
        return parse_toml(read_text(path))
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
