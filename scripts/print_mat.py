"""Draw mats to print: an A4 sheet for each seat, with marks that show the camera where cards lie.

    python scripts/print_mat.py mats.html            # print at 100%, and cut nothing
    python scripts/print_mat.py mats.html --plain    # for coloured paper: without the green

Lay one before each seat with the text towards the player, and calibrate. With mats nobody has to
tap corners.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.eye.calibration import MARK_MM, MARKS, MOST_SEATS, SHEET_MM, ZONE_MM, mark

FELT = "#3d7a52"
BITS = 6
"""Of a mark across, its black border included."""
QUIET_MM = 3.0
"""White around a mark, without which it is not found."""
CARD_MM = (61.0, 95.0)
STYLE = """
@page { size: A4 landscape; margin: 0 }
body { margin: 0 }
svg { display: block; width: 297mm; height: 210mm; break-after: page }
"""


def main(argv: list[str] | None = None) -> int:
    """Write the page. The exit status is 2 if it cannot be written."""
    args = _parser().parse_args(argv)
    if not 1 <= args.seats <= MOST_SEATS:
        print(f"print_mat: a table has 1 to {MOST_SEATS} seats.", file=sys.stderr)
        return 2
    try:
        args.file.write_text(page(args.seats, args.plain), encoding="utf-8")
    except OSError as error:
        print(f"print_mat: {args.file} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    print(json.dumps({"written": [str(args.file)]}) if args.json else args.file)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE.html")
    parser.add_argument(
        "--seats", type=int, default=4, help="number of players; default: %(default)s"
    )
    parser.add_argument("--plain", action="store_true", help="draw no green, for coloured paper")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    return parser


def page(seats: int, plain: bool = False) -> str:
    """An HTML page that prints one mat on each sheet."""
    sheets = "\n".join(sheet(seat, plain) for seat in range(1, seats + 1))
    return (
        '<!doctype html>\n<html lang="es">\n<meta charset="utf-8">\n<title>Tapetes de mus</title>\n'
        f"<style>{STYLE}</style>\n{sheets}\n</html>\n"
    )


def sheet(seat: int, plain: bool) -> str:
    """One mat as SVG, in millimetres."""
    width, height = SHEET_MM
    parts = [] if plain else [_box(0, 0, width, height, FELT)]
    left, top = (width - ZONE_MM[0]) / 2, (height - ZONE_MM[1]) / 2
    spots = ((left, top), (width - left, top), (width - left, height - top), (left, height - top))
    for at, (x, y) in enumerate(spots):
        parts += _mark(MARKS * (seat - 1) + at, x, y)
    parts += _places(plain)
    ink = "#444" if plain else "#fff"
    parts.append(f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle" font-size="8" '
                 f'font-family="sans-serif" fill="{ink}">Asiento {seat}</text>')  # fmt: skip
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">'
            f"{''.join(parts)}</svg>")  # fmt: skip


def _mark(number: int, x: float, y: float) -> Iterator[str]:
    """A mark around its centre, with a square for each black bit."""
    bit = MARK_MM / BITS
    start = MARK_MM / 2
    yield _box(x - start - QUIET_MM, y - start - QUIET_MM, MARK_MM + 2 * QUIET_MM,
               MARK_MM + 2 * QUIET_MM, "#fff")  # fmt: skip
    # One black square with the white bits on it, because hairlines would show between black bits.
    yield _box(x - start, y - start, MARK_MM, MARK_MM, "#000")
    for row, levels in enumerate(mark(number, BITS)):
        for column, level in enumerate(levels):
            if level:
                yield _box(x - start + column * bit, y - start + row * bit, bit, bit, "#fff")


def _places(plain: bool) -> Iterator[str]:
    """The places of the four cards, side by side."""
    wide, high = CARD_MM
    step = wide + 6
    left = SHEET_MM[0] / 2 - 1.5 * step - wide / 2
    top = (SHEET_MM[1] - high) / 2
    line = "#999" if plain else "#ffffff88"
    for at in range(4):
        yield (f'<rect x="{left + at * step:.1f}" y="{top:.1f}" width="{wide:g}" height="{high:g}" '
               f'rx="3" fill="none" stroke="{line}" stroke-width="0.4"/>')  # fmt: skip


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (f'<rect x="{x:.3f}" y="{y:.3f}" width="{width:.3f}" height="{height:.3f}" '
            f'fill="{colour}"/>')  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
