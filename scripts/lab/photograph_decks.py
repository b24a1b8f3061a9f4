#!/usr/bin/env python3
"""Photograph the page on which a deck is enrolled, for docs/eye.md.

A real "mus play" serves the page, and a headless Chromium shows it. The page gets two rendered
photographs of the forty cards in no order, and one card is tapped, as if to exchange it. It needs
chromium and what the tests need.

    python scripts/lab/photograph_decks.py           # docs/deck-page.jpg
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urljoin

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.eye.deck import load_deck
from assistant.files.paths import data_dir
from scripts.lab.eyebench.enrolment import spread_sheets
from scripts.lab.film_demo import FilmError, chromium, page_of, playing

ROOT = Path(__file__).resolve().parents[2]
SIZE = (880, 620)
"""Width and height of the window. The picture is as high as all that the page shows."""
QUALITY = 70
SEED, PHOTOGRAPHS, SCALE = 8, 2, 0.5
"""Seed, number and scale of the rendered photographs. With this seed one card is less sure than the
others, and the page marks it."""
TAPPED = "Seis de oros"
CARDS = 40
WITHIN_MS = 120_000
"""Milliseconds that a busy machine may take to read the photographs."""


def photographs(folder: Path) -> list[Path]:
    """Render the photographs into a folder."""
    faces = load_deck(data_dir("models") / "decks" / "mus").faces
    paths = []
    for at, sheet in enumerate(spread_sheets(faces, SEED, PHOTOGRAPHS, scale=SCALE)):
        paths.append(folder / f"{at}.png")
        cv2.imwrite(str(paths[-1]), sheet.picture)
    return paths


def photograph(out: Path) -> None:
    """Enrol a deck up to its check, and write a picture of the page. Raises FilmError."""
    chromium()  # checked before anything is rendered
    with tempfile.TemporaryDirectory() as folder:
        given = photographs(Path(folder))
        with (
            playing("--mic", "nobody's") as address,
            page_of(urljoin(address, "/decks"), SIZE, moves=False) as page,
        ):
            page.locator('#photos [data-key="any"] input').set_input_files(given)
            page.locator("#cards button").nth(CARDS - 1).wait_for(timeout=WITHIN_MS)
            page.get_by_role("button", name=TAPPED).click()
            page.wait_for_function(
                "name => document.querySelector('#step').textContent.includes(name)"
                " && [...document.images].every((one) => one.complete)",
                arg=TAPPED,
            )
            png = page.screenshot(full_page=True)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if picture is None or not cv2.imwrite(str(out), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]):
        raise FilmError(f"{out} cannot be written.")
    print(f"{out}: {picture.shape[1]} x {picture.shape[0]}, {out.stat().st_size:,} bytes")


def main(argv: Sequence[str] | None = None) -> int:
    """Photograph the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "deck-page.jpg")
    try:
        photograph(parser.parse_args(argv).out)
    except FilmError as error:
        print(f"photograph_decks: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
