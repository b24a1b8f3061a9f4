"""``mus export`` and ``mus import``: all belongings of a player in one file, out and in."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assistant.cli.archive import (
    JOURNAL,
    SUFFIX,
    ArchiveError,
    Belonging,
    Manifest,
    belonging_of,
    belongings,
    check,
    pack,
    place,
    unpack,
)
from assistant.files.process import UsageError
from assistant.files.terminal import decimal_text, output_text, output_word
from assistant.rules.errors import MusError, Translatable
from assistant.table.journal.copy import nobody_writes


def add_parser(commands: Any) -> None:
    """Declare both commands."""
    _add_export(commands)
    _add_import(commands)


def _add_export(commands: Any) -> None:
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
    parser.set_defaults(run=_run_export)


def _run_export(args: argparse.Namespace) -> int:
    """Do the command."""
    file: Path = args.file
    if file.suffix != SUFFIX:
        raise UsageError(
            "{file} must end in {suffix}, by which it is known: {file}{suffix}",
            file=file,
            suffix=SUFFIX,
        )
    if file.exists():
        raise UsageError("There is a file {file} already: choose another name.", file=file)
    if not file.absolute().parent.is_dir():
        raise UsageError(
            "There is no folder {folder}: make it first.", folder=file.absolute().parent
        )
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
        saved = output_text(
            "Saved in {file} ({size}): {things}.",
            file=file,
            size=decimal_text(f"{size / 1e6:.1f} MB"),
            things=", ".join(kept) or output_text("nothing"),
        )
        print(saved)
        for thing, why in left_out.items():
            print(output_text("Not saved: {thing}: {why}", thing=thing, why=why), file=sys.stderr)
    return int(bool(left_out))


def collect(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Copy all belongings into a folder; returns their names, and why any was left out.

    A belonging that the table could not use is left out, because one broken deck must not cost all
    the rest. Raises JournalError, OSError.
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


# ---- ``mus import``: put what ``mus export`` saved in its place, all of it or nothing -----------


NEW, KEPT, REPLACED = "new", "kept", "replaced"
SAID = {
    NEW: "comes in",
    KEPT: "stays as it is here (--replace changes it)",
    REPLACED: "is replaced by what was saved",
}


def _add_import(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "import",
        help="take in what 'mus export' saved",
        description="Take in the games, house rules, decks, calibration and settings of a file "
        "that 'mus export' made: all of it, or none where anything is wrong. What is here already "
        "stays as it is, unless --replace says otherwise; then it is put aside, in a folder with "
        "the date.",
        epilog=f"example: mus import bar{SUFFIX} --dry-run",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--replace", action="store_true", help="also what is here already, which is put aside"
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would be done")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run_import)


def _run_import(args: argparse.Namespace) -> int:
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
    """Check that the table can use each belonging. Raises ArchiveError."""
    for thing in things:
        try:
            check(thing.name, folder / thing.name)
        except MusError as error:
            why = _without(folder, error)
            raise ArchiveError("{file} is refused: {why}", file=file, why=why) from error


def _without(folder: Path, told: object) -> object:
    """What an error tells, without the name of a folder that nobody knows."""
    text = str(told)
    if isinstance(text, Translatable):
        return Translatable(text.key, **{key: _without(folder, w) for key, w in text.words.items()})
    return text.replace(f"{folder}/", "")


def _fate(thing: Belonging, replace: bool) -> str:
    if not thing.path.exists():
        return NEW
    return REPLACED if replace else KEPT


def _placed(wanted: dict[Belonging, Path]) -> list[Path]:
    """Put belongings in their places while nobody plays; returns the folders with what was there.

    Raises JournalError if somebody plays, and UsageError.
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
    print(output_text("Saved on {day} with mus {by}.", day=manifest.made, by=manifest.by))
    for thing, fate in plan.items():
        print(f"  {thing.name}: {output_word(SAID[fate])}")
    if args.dry_run:
        print(output_text("Nothing was changed (--dry-run)."))
    for path in aside:
        print(output_text("What was here is now in {path}", path=path))
