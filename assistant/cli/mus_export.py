"""``mus export``: everything of this machine's player in one file, also while a game is played."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assistant.cli.archive import SUFFIX, belongings, check, pack
from assistant.files.process import UsageError
from assistant.rules.errors import MusError


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "export",
        help="save games, house rules, decks and settings in one file",
        description="Save this machine's games, own house rules, own decks, calibration and "
        "settings in one file, for 'mus import' on this machine or another. A game may be in "
        "progress. The showdowns' pictures and the page's PIN stay here. Exit status: 0 all is "
        "saved, 1 what could not be read was left out.",
        epilog=f"example: mus export bar{SUFFIX}",
    )
    parser.add_argument("file", type=Path, metavar=f"FILE{SUFFIX}")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    file: Path = args.file
    if file.suffix != SUFFIX:
        raise UsageError(f"{file} must end in {SUFFIX}, by which it is known: {file}{SUFFIX}")
    if file.exists():
        raise UsageError(f"There is a file {file} already: choose another name.")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {file.absolute().parent}: make it first.")
    with TemporaryDirectory() as name:
        kept, left_out = collect(Path(name))
        if not kept and not left_out:
            raise UsageError("There is nothing to save yet: play a game first.")
        manifest = pack(Path(name), file)
    size = file.stat().st_size
    if args.json:
        told = {"file": str(file), "bytes": size, "made": manifest.made, "things": kept,
                "left_out": left_out}  # fmt: skip
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(f"Guardado en {file} ({size / 1e6:.1f} MB): {', '.join(kept) or 'nada'}.")
        for thing, why in left_out.items():
            print(f"No se ha guardado {thing}: {why}", file=sys.stderr)
    return int(bool(left_out))


def collect(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Copy all belongings into a folder: the names of those, and why any was left out.

    What the table could not use is not put in: one broken deck must not cost all the rest.
    Raises JournalError, OSError.
    """
    kept: list[str] = []
    left_out: dict[str, str] = {}
    for thing in belongings():
        try:
            check(thing.name, thing.path)
        except (MusError, OSError) as error:
            left_out[thing.name] = str(error)
            continue
        thing.copy_to(folder / thing.name)
        kept.append(thing.name)
    return kept, left_out
