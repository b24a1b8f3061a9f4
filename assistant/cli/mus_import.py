"""``mus import``: what ``mus export`` saved, taken in on this machine: all of it or none."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assistant.cli.archive import (
    JOURNAL,
    ArchiveError,
    Belonging,
    Manifest,
    belonging_of,
    check,
    place,
    unpack,
)
from assistant.rules.errors import MusError
from assistant.table.journal.copy import nobody_writes

NEW, KEPT, REPLACED = "new", "kept", "replaced"
SAID = {
    NEW: "entra",
    KEPT: "se queda como está aquí (--replace lo cambia)",
    REPLACED: "se cambia por lo guardado",
}


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "import",
        help="take in what 'mus export' saved",
        description="Take in the games, house rules, decks, calibration and settings of a file "
        "that 'mus export' made: all of it, or none where anything is wrong. What is here already "
        "stays as it is, unless --replace says otherwise; then it is put aside, in a folder with "
        "the date.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--replace", action="store_true", help="also what is here already, which is put aside"
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would be done")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        manifest = unpack(args.file, folder)
        things = sorted({belonging_of(member) for member in manifest.files}, key=lambda t: t.name)
        _check(args.file, things, folder)
        plan = {thing: _fate(thing, args.replace) for thing in things}
        wanted = {thing: folder / thing.name for thing in things if plan[thing] != KEPT}
        aside = [] if args.dry_run else _placed(wanted)
    _tell(args, manifest, plan, aside)
    return 0


def _check(file: Path, things: list[Belonging], folder: Path) -> None:
    """Whether the table could use them. Raises ArchiveError."""
    for thing in things:
        try:
            check(thing.name, folder / thing.name)
        except MusError as error:
            why = str(error).replace(f"{folder}/", "")
            raise ArchiveError(f"{file} is refused: {why}") from error


def _fate(thing: Belonging, replace: bool) -> str:
    if not thing.path.exists():
        return NEW
    return REPLACED if replace else KEPT


def _placed(wanted: dict[Belonging, Path]) -> list[Path]:
    """Put them in their places, while nobody plays; the folders with what was there.

    Raises JournalError where somebody does, UsageError.
    """
    aside = f"replaced-{datetime.now():%Y-%m-%d-%H%M%S}"
    with ExitStack() as stack:
        for thing in wanted:
            if thing.name == JOURNAL:
                stack.enter_context(nobody_writes(thing.path))
        return place(wanted, aside)


def _tell(
    args: argparse.Namespace, manifest: Manifest, plan: dict[Belonging, str], aside: list[Path]
) -> None:
    if args.json:
        told = {"file": str(args.file), "made": manifest.made, "by": manifest.by,
                "dry_run": args.dry_run, "things": {t.name: fate for t, fate in plan.items()},
                "aside": [str(path) for path in aside]}  # fmt: skip
        print(json.dumps(told, ensure_ascii=False))
        return
    print(f"Guardado el {manifest.made} con mus {manifest.by}.")
    for thing, fate in plan.items():
        print(f"  {thing.name}: {SAID[fate]}")
    if args.dry_run:
        print("No se ha cambiado nada (--dry-run).")
    for path in aside:
        print(f"Lo que había está en {path}")
