"""The señas that the house rules teach (R58), and ``mus senas``.

Nobody reads señas at the table; they are here to be learnt.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml, load_wording
from assistant.files.terminal import output_text
from assistant.rules.profile import Senas
from assistant.school.lessons.files import USUAL, at_the_terminal, languages
from assistant.school.lessons.quiz import Sign

SENAS = "senas"
SIGN_KEYS = {"holds", "draw"}


LISTS = tuple([name for name in Senas if name is not Senas.OFF])
"""The lists that are taught; a table may play without señas and have none of them."""


def load_senas(name: Senas, language: str = USUAL) -> dict[str, Any]:
    """A list of señas in a language: title, notes, what is forbidden, and the signs.

    Raises UsageError where a file is broken, and SentenceError where the words are not whole.
    """
    path = data_dir("models") / SENAS / f"{name}.toml"
    signs = load_toml(path).get("signs")
    if not isinstance(signs, list) or not signs:
        raise UsageError("{path}: it needs a list of signs.", path=path)
    texts = load_wording(SENAS, language).texts
    words = {
        key.removeprefix(f"{name}."): text
        for key, text in texts.items()
        if key.startswith(f"{name}.")
    }
    return {
        "name": str(name),
        "title": words["title"],
        "notes": _listed(words, "notes"),
        "forbidden": _listed(words, "forbidden"),
        "sena": [_worded(sign, words, path, n) for n, sign in enumerate(signs, start=1)],
    }


def _listed(words: Mapping[str, str], key: str) -> list[str]:
    return [text for name, text in words.items() if name.startswith(f"{key}.")]


def _worded(sign: Any, words: Mapping[str, str], path: Path, number: int) -> dict[str, str]:
    """A sign with the words of a language. Raises UsageError."""
    if not isinstance(sign, dict) or set(sign) != SIGN_KEYS:
        raise UsageError(
            "{path}: sign number {number} needs holds and draw.", path=path, number=number
        )
    holds, draw = str(sign["holds"]), str(sign["draw"])
    for key in (f"holds.{holds}", f"gesture.{draw}"):
        if key not in words:
            raise UsageError("{path}: {key} has no words in senas.toml.", path=path, key=key)
    when = {"when": words[key]} if (key := f"when.{holds}") in words else {}
    told = {"holds": words[f"holds.{holds}"], "gesture": words[f"gesture.{draw}"], "draw": draw}
    return told | when


def signs_of(table: dict[str, Any]) -> tuple[Sign, ...]:
    """The signs of a list, for the quiz."""
    return tuple(Sign(**sign) for sign in table["sena"])


# ---- ``mus senas`` ------------------------------------------------------------------------------


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "senas",
        help="the signs that partners may make",
        description="Print the señas of a list: what a player holds, and what he does. The "
        "assistant does not look for them; they are here to be learnt.",
        epilog="example: mus senas interpenas",
    )
    parser.add_argument(
        "name",
        nargs="?",
        metavar="LIST",
        choices=[str(name) for name in LISTS],
        default=str(Senas.FEM),
        help="%(choices)s; default: %(default)s",
    )
    parser.add_argument("--language", choices=languages(), help="default: the terminal's")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    table = load_senas(Senas(args.name), args.language or at_the_terminal())
    print(json.dumps(table, ensure_ascii=False) if args.json else _page(table))
    return 0


def _page(table: dict[str, Any]) -> str:
    width = max(len(sign["holds"]) for sign in table["sena"])
    signs = [
        f"  {sign['holds']:{width}}  {sign['gesture']}"
        + (f" ({sign['when']})" if "when" in sign else "")
        for sign in table["sena"]
    ]
    forbidden = [f"  {one}" for one in table.get("forbidden", [])]
    told = [output_text("It is forbidden:"), *forbidden] if forbidden else []
    return "\n".join([table["title"], *signs, *table.get("notes", []), *told])
