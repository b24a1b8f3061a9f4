"""Draw the project's own deck of forty cards. It copies no other deck's art.

    python scripts/lab/draw_deck.py                      # models/decks/mus, which ships
    python scripts/lab/draw_deck.py --print cards.html   # A4 sheets for a printer, at 100%
    python scripts/lab/draw_deck.py --picture deck.png   # all of them at a glance

A file is named after its card: the rank (R C S 7 6 5 4 3 2 1) and the suit (o c e b). Ro.png is the
rey de oros.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.files.paths import data_dir
from scripts.lab.drawing.faces import HEIGHT, WIDTH, back, deck, face
from scripts.lab.drawing.raster import Image, pixels
from scripts.lab.drawing.svg import sheets

NAME, TITLE = "mus", "The assistant's deck"
PER_MM = 4.0
"""Pixels of a millimetre in the pictures that ship. A card is 380 pixels high."""
GLANCE = 3.0
IN_A_ROW = 10
DESCRIPTION = f"""\
# A deck as the eye knows it: one picture of each card, and of the back.
title = "{TITLE}"
size_mm = [{WIDTH:.0f}, {HEIGHT:.0f}]
source = "drawn by scripts/lab/draw_deck.py"
licence = "Apache-2.0"
"""


def main(argv: list[str] | None = None) -> int:
    """Draw what the options ask for. The exit status is 2 if a file cannot be written."""
    args = _parser().parse_args(argv)
    try:
        written = _draw(args)
    except OSError as error:
        print(f"draw_deck: {error.filename} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    told = {"written": [str(path) for path in written]}
    print(json.dumps(told) if args.json else "\n".join(told["written"]))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write; default: models/decks/mus"
    )
    parser.add_argument("--print", type=Path, metavar="FILE.html", dest="sheets",
                        help="write sheets to print instead")  # fmt: skip
    parser.add_argument("--picture", type=Path, metavar="FILE.png",
                        help="write one picture of all cards instead")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    return parser


def _draw(args: argparse.Namespace) -> list[Path]:
    if args.sheets or args.picture:
        written = []
        if args.sheets:
            fronts = [face(card) for card in deck()]
            text = sheets(TITLE, fronts, back(), (WIDTH, HEIGHT))
            args.sheets.write_text(text, encoding="utf-8")
            written.append(args.sheets)
        if args.picture:
            _write(args.picture, at_a_glance())
            written.append(args.picture)
        return written
    return files(args.out or data_dir("models") / "decks" / NAME)


def files(folder: Path) -> list[Path]:
    """Write the deck in the form that the eye reads. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    description = folder / "deck.toml"
    description.write_text(DESCRIPTION, encoding="utf-8")
    pictures = {str(card): face(card) for card in deck()} | {"back": back()}
    written = [description]
    for name, picture in pictures.items():
        path = folder / f"{name}.png"
        _write(path, pixels(picture, WIDTH, HEIGHT, PER_MM))
        written.append(path)
    return written


def at_a_glance() -> Image:
    """All forty cards, a suit in each row."""
    drawn = [pixels(face(card), WIDTH, HEIGHT, GLANCE) for card in deck()]
    rows = [np.hstack(drawn[at : at + IN_A_ROW]) for at in range(0, len(drawn), IN_A_ROW)]
    return np.asarray(np.vstack(rows), np.uint8)


def _write(path: Path, image: Image) -> None:
    # cv2.imwrite only returns False if the folder is missing.
    _, encoded = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    path.write_bytes(encoded.tobytes())


if __name__ == "__main__":
    sys.exit(main())
