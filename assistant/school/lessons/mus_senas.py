"""``mus senas``: the señas that the house rules teach (R58). Nobody reads them at the table."""

from __future__ import annotations

import argparse
import json
from typing import Any

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml
from assistant.rules.profile import Senas
from assistant.school.lessons import Sign

SIGN_KEYS = frozenset({"holds", "gesture", "draw", "when"})
NEEDED = SIGN_KEYS - {"when"}


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "senas",
        help="the signs that partners may make",
        description="Print the señas of a list: what a player holds, and what he does. The "
        "assistant does not look for them; they are here to be learnt.",
    )
    parser.add_argument(
        "name",
        nargs="?",
        metavar="LIST",
        choices=[str(name) for name in Senas],
        default=str(Senas.FEM),
        help="%(choices)s; default: %(default)s",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    table = load_senas(Senas(args.name))
    print(json.dumps(table, ensure_ascii=False) if args.json else _page(table))
    return 0


def load_senas(name: Senas) -> dict[str, Any]:
    """A list of señas: title, notes, what is forbidden, and the signs.

    Raises UsageError where the file is broken.
    """
    path = data_dir("models") / "senas" / f"{name}.toml"
    table = load_toml(path)
    signs = table.get("sena")
    if not isinstance(table.get("title"), str) or not isinstance(signs, list) or not signs:
        raise UsageError(f"{path}: it needs a title and [[sena]] entries.")
    for number, sign in enumerate(signs, start=1):
        if not NEEDED <= set(sign) <= SIGN_KEYS:
            raise UsageError(f"{path}: [[sena]] number {number} needs holds, gesture and draw.")
    return {"name": str(name), **table}


def signs_of(table: dict[str, Any]) -> tuple[Sign, ...]:
    """The signs of a list, for the quiz."""
    return tuple(Sign(**sign) for sign in table["sena"])


def _page(table: dict[str, Any]) -> str:
    width = max(len(sign["holds"]) for sign in table["sena"])
    signs = [
        f"  {sign['holds']:{width}}  {sign['gesture']}"
        + (f" ({sign['when']})" if "when" in sign else "")
        for sign in table["sena"]
    ]
    forbidden = [f"  {one}" for one in table.get("forbidden", [])]
    told = ["Está prohibido:", *forbidden] if forbidden else []
    return "\n".join([table["title"], *signs, *table.get("notes", []), *told])
