"""The one loader of the data files that players may edit. Spanish replaces a missing file.

A language is a folder of ``models/``. The feature that reads a file says what it must hold, and
``language/sentences.py`` checks it. That room reads no disk, so the loader is in this one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.language.lexicon import Lexicon, lexicon_from
from assistant.language.phrases import Phrases, phrases_from
from assistant.language.sentences import (
    SentenceError,
    Shape,
    Wording,
    flatten,
    shape_of,
    wording_from,
)
from assistant.messages.documents import parse_toml
from assistant.rules.profile import OPTIONS, Profile

MAX_FILE = 1_000_000
SPANISH = "es"
"""The language that has every file; it replaces a file that another language lacks."""
ROWS = ("lexicon", "prompts", "options")
"""Files that hold rows rather than sentences; their own readers check them."""
APART = ("numbers", "sounds")
"""Tables of a phrase file that differ from language to language."""

# ---- Calls and sentences, which every table needs in its language -------------------------------


def load_lexicon(codes: Sequence[str] = ("es",)) -> Lexicon:
    """The phrases of one language, or of all that are spoken at one table.

    A file that only adds to another one names it (``with``) and brings it along: the north
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
        raise UsageError(
            '{code}: write with = ["..."], the codes of the files that it adds to.', code=code
        )
    for other in needed:
        _bring(str(other), files)
    files[code] = table


def load_phrases(code: str = "es") -> Phrases:
    """The sentences of a language. Raises UsageError or SentenceError."""
    _language("phrases", code)
    return phrases_from(load_table("phrases", code))


def _language(name: str, code: str) -> Path:
    known = languages(name)
    if code not in known:  # so a code never leads out of the folder
        choice = ", ".join(known)
        if name == "lexicon":
            raise UsageError(
                "There is no language {code!r} for the calls: choose from {choice}.",
                code=code,
                choice=choice,
            )
        raise UsageError(
            "There is no language {code!r} for the voice: choose from {choice}.",
            code=code,
            choice=choice,
        )
    return text_file(name, code)


# ---- Every file of a language -------------------------------------------------------------------


def text_file(name: str, language: str) -> Path:
    """The path of a language's file of that name; it need not exist."""
    return data_dir("models") / language / f"{name}.toml"


def languages(name: str) -> tuple[str, ...]:
    """The codes of the languages that have a file of that name: "lexicon", "page/hall"."""
    found = data_dir("models").glob(f"*/{name}.toml")
    return tuple(sorted(path.relative_to(data_dir("models")).parts[0] for path in found))


def nearest(name: str, *wanted: str) -> str:
    """The first of the languages wanted that has a file of that name, or Spanish.

    "en" serves for "en-gb". No code, whoever wrote it, leads out of the folder.
    """
    known = languages(name)
    plain = [code for one in wanted for code in (one, one.split("-")[0].lower())]
    return next((code for code in plain if code in known), SPANISH)


OF_THE_RULES = {
    "phrases": ("reason", "refused"),
    "apprentice": ("mistake", "mistake"),
    "record": ("rules", "record"),
}
"""File -> its section made of the house rules' texts, and the key of these in options.toml."""


def load_table(name: str, language: str) -> dict[str, Any]:
    """The parsed file of a language, with the texts of the house rules from its options.toml.

    Raises UsageError if a file cannot be read, and SentenceError if a rule lacks a text.
    """
    table = load_toml(text_file(name, language))
    if name in OF_THE_RULES:
        section, key = OF_THE_RULES[name]
        there = table.get(section, {})
        if isinstance(there, dict):
            table[section] = there | _said_of_the_rules(language, key)
    return table


def _said_of_the_rules(language: str, key: str) -> dict[str, str]:
    """One text of each house rule: of all for "record", else only of rules that refuse calls."""
    path = text_file("options", language)
    entries = load_toml(path)
    texts = {}
    for rule in OPTIONS.values():
        if key == "record" or rule.refusal:
            entry = entries.get(rule.key)
            text = entry.get(key) if isinstance(entry, dict) else None
            if not isinstance(text, str) or not text.strip():
                raise SentenceError(
                    "{path}: [{rule}] needs {key}, as text.", path=path, rule=rule.key, key=key
                )
            texts[rule.key] = text
    return texts


def load_texts(name: str, language: str) -> dict[str, Any]:
    """The parsed file of a language, or of Spanish where it has none. Raises UsageError."""
    return load_toml(text_file(name, nearest(name, language)))


def load_wording(name: str, language: str, shape: Shape | None = None) -> Wording:
    """The checked sentences of a file; Spanish ones where the language has no such file.

    Without a ``shape`` the file needs the keys of the Spanish one. Raises UsageError if a file
    cannot be read, and SentenceError with the file and the key if it cannot be used.
    """
    code = nearest(name, language)
    table = load_table(name, code)
    try:
        return wording_from(table, shape or _spanish_shape(name))
    except SentenceError as error:
        raise SentenceError("{path}: {error}", path=text_file(name, code), error=error) from error


@lru_cache
def _spanish_shape(name: str) -> Shape:
    return shape_of(flatten(load_toml(text_file(name, SPANISH))))


@dataclass(frozen=True, slots=True)
class MissingText:
    """A gap in a language: a missing file, or, if ``key`` is not "", one sentence of it."""

    name: str
    key: str = ""


def missing_texts(language: str) -> tuple[MissingText, ...]:
    """What Spanish has and a language lacks, file by file; the language need not exist yet.

    A dialect, whose lexicon names the language that it adds to (``with``), lacks nothing.
    Raises UsageError where a file cannot be read.
    """
    there = {path.relative_to(data_dir("models")).parts[0] for path in _files("*")}
    if language not in there:  # so a code never leads out of the folder
        return tuple(MissingText(name) for name in _names(SPANISH))
    names = _names(language)
    if "lexicon" in names and load_toml(text_file("lexicon", language)).get("with"):
        return ()
    return tuple(
        MissingText(name, key)
        for name in _names(SPANISH)
        for key in (_missing_keys(name, language) if name in names else ("",))
    )


def _missing_keys(name: str, language: str) -> list[str]:
    if name in ROWS:
        return []
    there = _keys(text_file(name, language))
    return [key for key in _keys(text_file(name, SPANISH)) if key not in there]


def _keys(path: Path) -> list[str]:
    table = load_toml(path)
    return list(
        flatten({k: v for k, v in table.items() if k not in APART and not isinstance(v, int)})
    )


def _names(language: str) -> list[str]:
    folder = data_dir("models") / language
    return [str(path.relative_to(folder).with_suffix("")) for path in _files(language)]


def _files(language: str) -> list[Path]:
    models = data_dir("models")
    folders = (language, f"{language}/lessons", f"{language}/page")
    return sorted(path for one in folders for path in models.glob(f"{one}/*.toml"))


# ---- Other data, and the reading of any file ----------------------------------------------------


def model_dir(chosen: Path | None = None) -> Path:
    """The speech model to use: the one chosen, or the one that ships."""
    return chosen or data_dir("models") / "mus-es"


def odds_table(profile: Profile) -> Path | None:
    """The odds of all hands of a deck, for the page; ``None`` if they were not counted."""
    path = data_dir("models") / "odds" / f"kings{profile.kings}.json"
    return path if path.exists() else None


def load_toml(path: Path) -> dict[str, Any]:
    """A TOML file. Raises UsageError with the file's name and the line."""
    try:
        return parse_toml(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError("{path}: {error}", path=path, error=error) from error


def read_text(path: Path) -> str:
    """A small UTF-8 file. Raises UsageError if it cannot be read as one."""
    try:
        with path.open("rb") as file:
            return text_of(file, path)
    except OSError as error:
        raise UsageError(
            "{path} cannot be read: {why}.", path=path, why=error.strerror or error
        ) from error


def text_of(file: BinaryIO, name: object) -> str:
    """The text of an open file or pipe. Raises UsageError if it is too long, or no UTF-8."""
    data = file.read(MAX_FILE + 1)  # no more: a device has no end
    if len(data) > MAX_FILE:
        raise UsageError(
            "{name} is larger than {most} kB: is it the right file?",
            name=name,
            most=MAX_FILE // 1000,
        )
    try:
        text = data.decode("utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError as error:
        raise UsageError("{name} is no text in UTF-8: save it as UTF-8.", name=name) from error
    if "\0" in text:
        raise UsageError("{name} is no text: is it the right file?", name=name)
    return text
