"""A new language: copies of another one's files under its code, and what is untranslated."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from assistant.language.sentences import flatten
from scripts.making.changes import Changes, MakingError

CODE = re.compile(r"[a-z]{2,3}(-[a-z]{2,8})?")
NOT_COPIED = ("lexicon", "prompts", "lessons/calls")
"""Files of wordings: another language has its own, or may do without."""
FEW = 5
"""Keys that are told one by one."""
ALSO = (
    "models/{code}/lexicon.toml and tests/language/lexicon/{code}.toml, where it has calls",
    "models/es/options.toml: its name under [calls] and [voice]",
    "docs/rules.md and docs/profiles.md: the code among the languages",
    "docs/CHANGELOG.md: a line that says what is spoken now",
)
"""What no file of the language holds."""


def add_language(changes: Changes, code: str, source: str) -> dict[str, list[str]]:
    """Plan the missing files, and return the texts that equal those of ``source``: file -> keys.

    Raises MakingError for an invalid code, or if ``source`` does not exist.
    """
    if not CODE.fullmatch(code) or code == source:
        raise MakingError(f"{code!r} is no code of a new language: write two letters, as fr.")
    folder = changes.root / "models" / source
    names = [name for name in _names(folder) if name not in NOT_COPIED]
    if "phrases" not in names:
        raise MakingError(f"--from {source}: models/{source} has no phrases to copy.")
    left: dict[str, list[str]] = {}
    for name in names:
        file = f"models/{code}/{name}.toml"
        text = (folder / f"{name}.toml").read_text(encoding="utf-8")
        if not (changes.root / file).exists():
            changes.put(file, re.sub(r'(?m)^language = "[^"]*"', f'language = "{code}"', text))
        if same := _same(_texts(changes.read(file)), _texts(text)):
            left[file] = same
            told = ", ".join(same) if len(same) <= FEW else f"{len(same)} sentences (--json: which)"
            changes.missing.append(f"{file}: as in models/{source}: {told}")
    changes.missing += [also.format(code=code) for also in ALSO]
    return left


def _names(folder: Path) -> list[str]:
    files = [one for part in ("", "lessons/", "page/") for one in folder.glob(f"{part}*.toml")]
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in files)


def _texts(text: str) -> dict[str, str]:
    table = tomllib.loads(text)
    kept = {k: v for k, v in table.items() if k not in ("numbers", "sounds", "language")}
    return flatten({k: v for k, v in kept.items() if not isinstance(v, int)})


def _same(ours: dict[str, str], theirs: dict[str, str]) -> list[str]:
    """The keys whose sentences are the same in both."""
    return [k for k, v in ours.items() if theirs.get(k) == v and any(map(str.isalpha, v))]
