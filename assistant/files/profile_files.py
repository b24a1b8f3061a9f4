"""Profiles: house rules under a name, as TOML files that players may write.

The shipped ones are in ``models/profiles``, a player's own in ``$XDG_CONFIG_HOME/mus/profiles``.
An own one wins over a shipped one of the same name. An error in a file is reported in one sentence,
with the file and the line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.files.paths import data_dir, named_files, own_config_dir
from assistant.files.process import UsageError
from assistant.files.resources import languages, read_text
from assistant.messages.documents import parse_toml
from assistant.rules.errors import ProfileError, Translatable
from assistant.rules.profile import Profile, profile_from

SUFFIX = ".toml"
NAME = re.compile(r"\w[\w-]{0,39}")
KEYS = ("name", "title", "explains", "rules")
MAX_LETTERS, MAX_LINES = 20_000, 500
"""The most letters and lines of a profile; one that sets and explains every rule has a fourth."""
LONGEST = {"title": 60, "explains": 800}
LONGEST_MESSAGE = 600
"""The most letters of a message: some repeat a value, which may be anything in a wrong file."""
_AT_LINE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class NamedProfile:
    """House rules with a name; ``own`` if a player wrote them."""

    name: str
    title: str
    explains: str
    profile: Profile
    path: Path
    own: bool


class ProfileFileError(UsageError):
    """A file that is no profile: "FILE:LINE: what is wrong"."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        short = " ".join(message.split())
        if len(short) > LONGEST_MESSAGE:
            short = short[:LONGEST_MESSAGE] + "..."
        told = message if short == message else short
        super().__init__("{path}:{line}: {told}", path=path, line=line, told=told)
        self.line = line


def own_dir() -> Path:
    """The folder of a player's own profiles (XDG); it need not exist."""
    return own_config_dir() / "profiles"


def profile_paths() -> dict[str, Path]:
    """Name -> file, of all profiles."""
    return named_files(data_dir("models") / "profiles", own_dir())


def find_profile(wanted: str) -> NamedProfile:
    """The profile with a name, or of a path that ends in .toml. Raises UsageError."""
    if wanted.endswith(SUFFIX):
        return load_profile(Path(wanted).expanduser())
    paths = profile_paths()
    if wanted not in paths:
        raise UsageError(
            "There is no profile {wanted!r}: choose from {known}, or name a file that "
            "ends in .toml.",
            wanted=wanted[:40],
            known=", ".join(paths),
        )
    return load_profile(paths[wanted])


def house_rules() -> dict[str, Profile]:
    """All named profiles; a broken file does not keep the others from being listed."""
    found = {}
    for name, path in profile_paths().items():
        with suppress(UsageError):
            found[name] = load_profile(path).profile
    return found


def rules_named(wanted: str) -> Profile:
    """The house rules with a name, for scripts and ``--rules``. Raises UsageError."""
    return find_profile(wanted).profile


def load_profile(path: Path) -> NamedProfile:
    """Read a profile. Raises ProfileFileError, or UsageError if the file cannot be read."""
    text = read_text(path)
    if len(text) > MAX_LETTERS or text.count("\n") > MAX_LINES:
        raise UsageError(
            "{path} is longer than {lines} lines or {letters} letters: is it the right file?",
            path=path,
            lines=MAX_LINES,
            letters=MAX_LETTERS,
        )
    table = parsed_toml(path, text)
    for key in table:
        if key not in KEYS:
            message = Translatable(
                "{key!r} is unknown; a profile has {known}.", key=key, known=", ".join(KEYS)
            )
            raise ProfileFileError(path, line_of(text, (key,)), message)
    _check_name(path, text, table)
    return NamedProfile(
        name=path.stem,
        title=_sentence(path, text, table, "title"),
        explains=_sentence(path, text, table, "explains"),
        profile=_profile(path, text, table.get("rules", {})),
        path=path,
        own=path.parent != data_dir("models") / "profiles",
    )


def line_of(text: str, keys: tuple[str | int, ...]) -> int:
    """The line, from 1, of the statement that sets a key: ("rules", "kings"); 1 if none does.

    A number among the keys is a place in a list of tables, from 0.

    The TOML reader itself shows where statements end, so comments, strings over many lines and the
    several ways to write a table need no care. A text cut after any complete statement can be read,
    and the key's statement begins where the last readable text without the key ends.
    """
    lines = text.split("\n")  # as TOML counts them: other breaks may stand inside a string
    whole = 0
    for end in range(1, len(lines) + 1):
        try:
            table: Any = parse_toml("\n".join([*lines[:end], ""]))
        except tomllib.TOMLDecodeError:
            continue  # in the middle of a statement
        if _has(table, keys):
            return whole + 1
        whole = end
    return 1


def _has(table: Any, keys: tuple[str | int, ...]) -> bool:
    for key in keys:
        if isinstance(table, list):
            table = dict(enumerate(table))
        if not isinstance(table, dict) or key not in table:
            return False
        table = table[key]
    return True


def parsed_toml(path: Path, text: str) -> dict[str, Any]:
    """The tables of a file that somebody wrote. Raises ProfileFileError with the line."""
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        line = int(found[1]) if found and found[1] else len(text.rstrip("\n").split("\n"))
        told = error.args[0]
        what = told.words["what"] if isinstance(told, Translatable) else told
        raise ProfileFileError(
            path, line, Translatable("this is no TOML: {what}.", what=what)
        ) from None


def _check_name(path: Path, text: str, table: Mapping[str, Any]) -> None:
    if not NAME.fullmatch(path.stem):
        raise UsageError(
            "{path}: name the file with letters, digits and hyphens, as casa.toml.", path=path
        )
    if table.get("name") != path.stem:
        message = Translatable(
            'a profile is called as its file: write name = "{name}".', name=path.stem
        )
        raise ProfileFileError(path, line_of(text, ("name",)), message)


def _sentence(path: Path, text: str, table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    line, most = line_of(text, (key,)), LONGEST[key]
    if not isinstance(value, str) or not value.strip():
        raise ProfileFileError(
            path, line, Translatable('{key} is missing: write {key} = "..." in words.', key=key)
        )
    value = " ".join(value.split())
    if len(value) > most or not value.isprintable():
        raise ProfileFileError(
            path, line, Translatable("{key} has {most} plain letters at most.", key=key, most=most)
        )
    return value


def _profile(path: Path, text: str, rules: Any) -> Profile:
    if not isinstance(rules, dict):
        raise ProfileFileError(path, line_of(text, ("rules",)), "write [rules] as a table.")
    try:
        profile = profile_from(rules)
        _check_languages(profile)
        return profile
    except ProfileError as error:
        key = _blamed(rules, error.key)
        line = line_of(text, ("rules", key) if key else ("rules",))
        raise ProfileFileError(path, line, str(error)) from None


def _check_languages(profile: Profile) -> None:
    """Check that its languages have files, which the rules alone cannot know."""
    for key, codes, known in (
        ("calls", profile.calls, languages("lexicon")),
        ("voice", (profile.voice,), languages("phrases")),
    ):
        for code in codes:
            if code not in known:
                message = Translatable(
                    "{key}={code}: there is no such language; choose of {known}.",
                    key=key,
                    code=code,
                    known=", ".join(known),
                )
                raise ProfileError(message, key)


def _blamed(rules: dict[str, Any], key: str | None) -> str | None:
    """The key at fault: the one that the error names, or else one whose removal mends the file."""
    if key in rules:
        return key
    for other in rules:
        try:
            profile_from({name: value for name, value in rules.items() if name != other})
        except ProfileError:
            continue
        return other
    return None
