"""Make the fonts of the pages (``web/static/fonts``), so that a page looks the same everywhere.

    python scripts/lab/make_fonts.py            # write the four files
    python scripts/lab/make_fonts.py --check    # only say whether they are up to date

It reduces Noto Sans and TeX Gyre Pagella to the letters of western Europe. The fonts come with
Debian's packages fonts-noto-extra and fonts-texgyre. fontTools and Brotli come with pip.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.files.paths import data_dir

NOTO = Path("/usr/share/fonts/truetype/noto")
PAGELLA = Path("/usr/share/texmf/fonts/opentype/public/tex-gyre")
FONTS = {
    "text-400.woff2": NOTO / "NotoSans-Regular.ttf",
    "text-600.woff2": NOTO / "NotoSans-SemiBold.ttf",
    "display-700.woff2": PAGELLA / "texgyrepagella-bold.otf",
    "display-700-italic.woff2": PAGELLA / "texgyrepagella-bolditalic.otf",
}
LETTERS = (
    "U+20-7E,U+A0-FF,U+131,U+152-153,U+2009,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,"
    "U+202F,U+2032-2033,U+2039-203A,U+20AC"
)
"""Code points, as CSS writes them. A test looks for all letters of the pages' texts among them."""
FEATURES = ["kern", "liga", "lnum", "tnum", "ccmp", "mark", "locl"]


def main() -> int:
    """Write the files, or compare them. The exit status is 1 if a compared file differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing, and only compare with the files that are there",
    )
    args = parser.parse_args()
    try:
        from fontTools import subset  # the tests read LETTERS without fontTools
    except ImportError:
        print("fontTools is missing. Install it: pip install fonttools brotli", file=sys.stderr)
        return 2
    folder, wrong = data_dir("web") / "static" / "fonts", 0
    for name, source in FONTS.items():
        if not source.is_file():
            print(
                f"{source} is missing. Install it: apt-get install fonts-noto-extra fonts-texgyre",
                file=sys.stderr,
            )
            return 2
        path, made = folder / name, _cut(subset, source)
        same = path.is_file() and path.read_bytes() == made
        wrong += args.check and not same
        if not args.check:
            folder.mkdir(exist_ok=True)
            path.write_bytes(made)
        told = "as made" if same else "other" if args.check else "written"
        print(f"{name}: {told}, {len(made):,} bytes")
    return 1 if wrong else 0


def _cut(subset: Any, source: Path) -> bytes:
    """The font with only our letters, as WOFF2. Today's screens need no hints."""
    options = subset.Options(
        flavor="woff2", hinting=False, desubroutinize=True, layout_features=FEATURES
    )
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(LETTERS.replace("U+", "")))
    cutter.subset(font)
    file = io.BytesIO()
    subset.save_font(font, file, options)
    return file.getvalue()


if __name__ == "__main__":
    sys.exit(main())
