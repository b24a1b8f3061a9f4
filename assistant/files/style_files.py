"""Callers' styles as TOML files that players may write, found as profiles are.

The shipped ones are in ``models/styles``, a player's own in ``$XDG_CONFIG_HOME/mus/styles``. An
own one wins over a shipped one of the same name. An error in a file is reported in one sentence.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from assistant.files.paths import data_dir, named_files, own_config_dir
from assistant.files.process import UsageError
from assistant.files.profile_files import NAME, SUFFIX
from assistant.files.resources import read_text
from assistant.language.phrases import Style
from assistant.language.phrases.style import style_from
from assistant.language.sentences import SentenceError
from assistant.messages.documents import parse_toml

USUAL_STYLE = "peña"


def own_styles() -> Path:
    """The folder of a player's own styles (XDG); it need not exist."""
    return own_config_dir() / "styles"


def shipped_styles() -> Path:
    """The folder of the styles that ship."""
    return data_dir("models") / "styles"


def style_paths() -> dict[str, Path]:
    """Name -> file, of all styles."""
    return named_files(shipped_styles(), own_styles())


def style_meant(wanted: str) -> str:
    """The name of a style that was typed, perhaps without its accents: "pena" is "peña".

    Raises UsageError.
    """
    paths = style_paths()
    near = [name for name in paths if _plain(name) == _plain(wanted)]
    if wanted not in paths and len(near) != 1:
        raise UsageError(
            "There is no style {wanted!r}: choose from {known}.",
            wanted=wanted[:40],
            known=", ".join(paths),
        )
    return wanted if wanted in paths else near[0]


def find_style(wanted: str) -> Style:
    """The style with a name. Raises UsageError."""
    return load_style(style_paths()[style_meant(wanted)])


def load_style(path: Path) -> Style:
    """Read a style. Raises UsageError, with the file and what is wrong."""
    name = unicodedata.normalize("NFC", path.stem)
    if not NAME.fullmatch(name):
        raise UsageError(
            "{path}: name the file with letters, digits and hyphens, as casa.toml.", path=path
        )
    try:
        table = parse_toml(read_text(path))
        return style_from(table, name, _like(table.get("like")))
    except (tomllib.TOMLDecodeError, SentenceError) as error:
        raise UsageError("{path}: {error}", path=path, error=error) from error


def in_language(texts: Mapping[str, str], language: str) -> str:
    """A style's title or explanation in a language, or else in one that it has."""
    return texts.get(language) or texts.get("") or next(iter(texts.values()), "")


def _like(name: object) -> Style | None:
    """The shipped style that another one builds on. Raises SentenceError."""
    if name is None:
        return None
    path = shipped_styles() / f"{name}{SUFFIX}"
    if not isinstance(name, str) or not NAME.fullmatch(name) or not path.is_file():
        known = ", ".join(sorted(one.stem for one in shipped_styles().glob(f"*{SUFFIX}")))
        raise SentenceError("like names a style that ships: {known}.", known=known)
    return load_style(path)


def _plain(name: str) -> str:
    """A name without capitals and accents."""
    parts = unicodedata.normalize("NFD", name.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))
