"""``mus calibrate``: calibrates the camera for this table, from pictures or step by step."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.eye.calibration import (
    FILE,
    Calibration,
    calibrated,
    load_calibration,
    save_calibration,
    table_dir,
)
from assistant.eye.deck import find_deck
from assistant.eye.find import Finder
from assistant.eye.images import Image, read_image
from assistant.eye.mounting import LEAST_CARD, MountFault, Mounting, judged
from assistant.eye.mus_deck import wait_for
from assistant.eye.other_deck import OtherDeck
from assistant.eye.page import live_view
from assistant.eye.source import open_source
from assistant.eye.view import still
from assistant.files.process import UsageError
from assistant.files.terminal import in_terminal_language, output_text, terminal_language
from assistant.page.app import page_words


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "calibrate",
        help="teach the eye how the camera sees the table",
        description="Learn the empty table, then how large cards are in every part of the picture "
        "and before whom they lie: from four cards, one before each seat, or from the printed "
        "mats of scripts/print_mat.py. Seats whose mats are not seen keep the zones they had.",
        epilog="example: mus calibrate --empty empty.jpg --cards four.jpg",
    )
    parser.add_argument("--camera", metavar="N", help="ask for each picture, and take it by this")
    parser.add_argument("--empty", type=Path, metavar="IMAGE", help="the table without cards")
    parser.add_argument(
        "--cards", type=Path, metavar="IMAGE", help="with one card before each seat, apart"
    )
    parser.add_argument("--deck", metavar="NAME", help="the deck; 'mus deck list' names them")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="default: the table of this machine"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="only say what is good and wrong with the picture of the cards: lay one before each "
        "seat; exit code 1 where something is wrong",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    folder = args.out or table_dir()
    finder = Finder(find_deck(args.deck))
    if args.check:
        return _check(args, finder)
    empty, laid = _asked(args.camera) if args.camera else _given(args.empty, args.cards)
    table, seen = calibrated(finder, empty, laid)
    table = _with_old_zones(table, folder)
    save_calibration(folder, table)
    _told(args, folder, table, seen)
    return 0


def _check(args: argparse.Namespace, finder: Finder) -> int:
    """Judge a picture of loose cards, as the page does while the camera is mounted."""
    if args.camera:
        with open_source(args.camera) as source:
            picture = still(source)[-1]
    elif args.cards:
        picture = read_image(args.cards)
    else:
        raise UsageError("Give a camera (--camera), or a picture of loose cards (--cards).")
    mounting = judged(picture, finder)
    if args.json:
        print(json.dumps(live_view(mounting)))
    else:
        print(*_sentences(mounting), sep="\n")
    return 1 if mounting.faults else 0


def _sentences(mounting: Mounting) -> Iterator[str]:
    """The page's sentences for a judgement; for another deck, the command to type."""
    words = page_words("setup", terminal_language())["live"]

    def said(key: Mapping[str, str] | str, **params: int | str) -> str:
        text = key if isinstance(key, str) else key["one" if params["n"] == 1 else "many"]
        return text.format(**params)

    for code, params in mounting.faults.items():
        if code in (MountFault.OTHER_DECK, MountFault.BETTER_DECK):
            better = params.get("better")
            other = OtherDeck(str(params["deck"]), None if better is None else str(better))
            yield in_terminal_language(str(other))
        else:
            yield said(words["fault"][code], **params)
    count, high = len(mounting.cards), mounting.least_high
    if count:
        yield said(words[mounting.praise], n=count, high=high)
    if mounting.table_cm:
        yield said(words["table"], wide=mounting.table_cm[0], high=mounting.table_cm[1])
    if mounting.mirrored:
        yield said(words["mirrored"])


def _given(empty: Path | None, cards: Path | None) -> tuple[list[Image], Image | None]:
    if empty is None:
        raise UsageError("Give a picture of the empty table with --empty, or a camera (--camera).")
    return [read_image(empty)], None if cards is None else read_image(cards)


def _asked(spec: str) -> tuple[list[Image], Image]:
    """Ask for each step, and take the picture once nothing moves."""
    with open_source(spec) as source:
        wait_for(output_text("Take away all that will not stay on the table, and press Enter."))
        source.lock_exposure()
        empty = still(source)
        wait_for(output_text("Lay one card before each player, apart, and press Enter."))
        return empty, still(source)[-1]


def _with_old_zones(table: Calibration, folder: Path) -> Calibration:
    """Add the old zones, which may be marked by hand, if the picture has the same size."""
    if not (folder / FILE).is_file():
        return table
    old = load_calibration(folder)
    if old.size != table.size:
        return table
    return replace(table, zones={**old.zones, **table.zones})


def _told(args: argparse.Namespace, folder: Path, table: Calibration, seen: int) -> None:
    assert table.plane is not None
    per_mm = table.plane.per_mm
    if args.json:
        told = {"folder": str(folder), "cards": seen, "zones": sorted(table.zones),
                "pixels_per_mm": round(per_mm, 3)}  # fmt: skip
        print(json.dumps(told))
        return
    zones = ", ".join(map(str, sorted(table.zones))) or output_text("by where they lie")
    calibrated_to = output_text(
        "The table is calibrated in {folder}: cards seen: {seen}; a card is {high:.0f} pixels "
        "high. Zones of the seats: {zones}.",
        folder=folder,
        seen=seen,
        high=95 * per_mm,
        zones=zones,
    )
    print(calibrated_to)
    if 95 * per_mm < LEAST_CARD:
        print(output_text("The cards look small: bring the camera nearer."), file=sys.stderr)
