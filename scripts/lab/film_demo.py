#!/usr/bin/env python3
"""Film the demo: twenty seconds of its page as an animated WebP for the README.

A real "mus play --demo" plays in real time, without voice. A headless Chromium shows its page and
takes pictures several times a second. Only the telling moments stay, which MOMENTS names. The
quality is lowered until the film is small enough. The recording takes one minute; it needs chromium
and what the tests need.

    python scripts/lab/film_demo.py                  # docs/demo.webp
    python scripts/lab/film_demo.py --still          # docs/table.png: a bet, at a table of people
    python scripts/lab/film_demo.py --frames DIR     # each picture of the film as PNG, too
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "models" / "demo"
LIMIT = 2_000_000
"""Bytes of a film that a README may show."""
QUALITIES = (90, 80, 70, 60, 50, 40, 30)
RATE = 6
"""Pictures a second, at most; a busy machine takes fewer."""
LONGEST = 1.0
"""The most seconds that a picture is shown. If a busy machine took none for longer, the film is
cut."""
LAST = 2.0
"""Seconds for which the last picture stays."""
FILM, STILL = (800, 480), (1280, 800)
WITHIN = 240.0
"""Seconds after which the recording is given up. It takes one minute."""
FLAGS = ("--no-sandbox", "--disable-gpu")

Snapshot = dict[str, Any]


class FilmError(Exception):
    """The film cannot be made. The text is one sentence."""


@dataclass(frozen=True)
class Picture:
    """A picture of the page as PNG, its time in seconds, and the table at that time."""

    at: float
    png: bytes
    snapshot: Snapshot


@dataclass(frozen=True)
class Moment:
    """A moment of the demo: how it begins, and the seconds shown before and after that."""

    name: str
    begins: Callable[[Snapshot], bool]
    before: float
    after: float


def _bet(lance: str, *, ordago: bool = False) -> Callable[[Snapshot], bool]:
    """Whether a bet of this lance waits for its answer."""

    def waits(snapshot: Snapshot) -> bool:
        bet = snapshot["pending"]
        return bool(bet) and (bet["lance"], bet["ordago"]) == (lance, ordago)

    return waits


def _counted(snapshot: Snapshot) -> bool:
    return bool(snapshot["phase"] == "count" and snapshot["deal"] > 1)


def _over(snapshot: Snapshot) -> bool:
    return bool(snapshot["demo"]["over"])


MOMENTS = (
    Moment("an envite, a raise and a quiero", _bet("grande"), 0.5, 2.7),
    Moment("a no quiero and its stone", _bet("chica"), 0.4, 2.9),
    Moment("an órdago and its answer", _bet("pares", ordago=True), 0.7, 2.3),
    Moment("the showdown with the count", _counted, 0.5, 7.1),
    Moment("the score, and the invitation", _over, 0.3, 0.3),
)
"""In the order of the demo: twenty seconds with the last picture. The film is cut between them, and
nothing plays faster than it was."""


# ---- The choice of the pictures, and the film that they make ------------------------------------


def chosen(pictures: Sequence[Picture], moments: Sequence[Moment] = MOMENTS) -> list[list[Picture]]:
    """The pictures of the moments: a row for each stretch that is shown without a cut.

    Raises FilmError if a moment does not come, or not after the one before it.
    """
    stretches: list[tuple[float, float]] = []
    place = 0
    for moment in moments:
        found = next(
            (i for i in range(place, len(pictures)) if moment.begins(pictures[i].snapshot)), None
        )
        if found is None:
            raise FilmError(f"The demo does not show {moment.name}.")
        begin, end = pictures[found].at - moment.before, pictures[found].at + moment.after
        if stretches and begin <= stretches[-1][1]:
            begin = stretches.pop()[0]
        stretches.append((begin, end))
        place = found
    return [[one for one in pictures if begin <= one.at <= end] for begin, end in stretches]


def timed(stretches: Sequence[Sequence[Picture]]) -> list[tuple[bytes, int]]:
    """The film: each picture as PNG with its milliseconds. Equal pictures become one long one."""
    film: list[tuple[bytes, int]] = []
    for stretch in stretches:
        gaps = [min(after.at - one.at, LONGEST) for one, after in pairwise(stretch)]
        for one, gap in zip(stretch, [*gaps, 1 / RATE], strict=True):
            shown = round(gap * 1000)
            if film and film[-1][0] == one.png:
                shown += film.pop()[1]
            film.append((one.png, shown))
    film[-1] = (film[-1][0], round(LAST * 1000))
    return film


def within(limit: int, made: Callable[[int], bytes]) -> tuple[bytes, int]:
    """The film in the best quality that needs at most ``limit`` bytes, and this quality.

    Raises FilmError.
    """
    for quality in QUALITIES:
        if len(data := made(quality)) <= limit:
            return data, quality
    raise FilmError(
        f"The film has {len(data):,} bytes even in quality {QUALITIES[-1]}: shorten it."
    )


def webp(film: Sequence[tuple[bytes, int]], quality: int) -> bytes:
    """The film as an animated WebP that plays again and again."""
    animation = cv2.Animation()
    read = [cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR) for png, _ in film]
    animation.frames = [image for image in read if image is not None]
    animation.durations = [shown for _, shown in film]
    animation.loop_count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.webp"
        if not cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, quality]):
            raise FilmError("OpenCV cannot write an animated WebP: install opencv-python 4.11.")
        return path.read_bytes()


# ---- The table and its page ---------------------------------------------------------------------


def chromium() -> str:
    """The browser. Raises FilmError if there is none."""
    for name in ("chromium-headless-shell", "chromium", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise FilmError("There is no Chromium: apt install chromium.")


@contextmanager
def playing(*options: str | Path) -> Iterator[str]:
    """The address of a table that plays a recording, with the default settings."""
    with tempfile.TemporaryDirectory() as home:
        own = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "PYTHONPATH": str(ROOT)}
        words = ["play", *map(str, options), "--voice", "off", "--port", "0", "--no-open"]
        process = subprocess.Popen(
            [sys.executable, "-m", "assistant.cli.main", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **own},
        )
        assert process.stdout
        assert process.stderr
        try:
            if not (line := process.stdout.readline()):
                raise FilmError(f"The demo does not play: {process.stderr.read().strip()}")
            yield line.split()[-1]
        finally:
            process.terminate()
            process.communicate()


@contextmanager
def page_of(address: str, size: tuple[int, int], *, moves: bool = True) -> Iterator[Page]:
    """The page of a table in a browser of its own. Raises FilmError.

    ``moves``: whether the page is animated.
    """
    found = chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise FilmError("Playwright is missing: pip install -e '.[dev]'.") from None
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        try:
            page = browser.new_page(
                viewport={"width": size[0], "height": size[1]},
                color_scheme="light",
                reduced_motion="no-preference" if moves else "reduce",
                locale="es-ES",
                timezone_id="Europe/Madrid",
            )
            page.goto(address)
            page.wait_for_selector("main[aria-busy=false]")
            yield page
        finally:
            browser.close()


def snapshot_of(address: str) -> Snapshot:
    """The present snapshot of the table."""
    with urllib.request.urlopen(f"{address}api/snapshot", timeout=10) as answer:
        found: Snapshot = json.load(answer)
    return found


def photographed(
    page: Page, address: str, ends: Callable[[Snapshot], bool], stays: float
) -> Iterator[Picture]:
    """Pictures of the page until the table has ended, and ``stays`` seconds after that.

    Raises FilmError.
    """
    began = time.monotonic()
    end = began + WITHIN
    ended = False
    while (now := time.monotonic()) < end:
        snapshot = snapshot_of(address)
        if "demo" in snapshot:  # the page lays out the count before it says that all is over
            snapshot["demo"]["over"] = page.locator(".demo[data-over]").count() > 0
        if not ended and ends(snapshot):
            ended, end = True, now + stays
        yield Picture(now - began, page.screenshot(), snapshot)
        time.sleep(max(0.0, now + 1 / RATE - time.monotonic()))
    if not ended:
        raise FilmError(f"The demo has not ended within {WITHIN:.0f} s.")


# ---- The command --------------------------------------------------------------------------------


def film(out: Path, limit: int, frames: Path | None) -> None:
    """Film the demo. Raises FilmError."""
    chromium()  # checked before the demo begins
    pictures: list[Picture] = []
    # The page first, because a browser takes seconds to start and a demo does not wait for it.
    with playing("--demo") as address, page_of(address, FILM) as page:
        stays = max(moment.after for moment in MOMENTS) + 1
        for one in photographed(page, address, _over, stays):
            pictures.append(one)
            print(f"\r{one.at:5.1f} s  {one.snapshot['phase']:10}", end="", file=sys.stderr)
    print(file=sys.stderr)
    made = timed(chosen(pictures))
    if frames:
        frames.mkdir(parents=True, exist_ok=True)
        for i, (png, shown) in enumerate(made):
            (frames / f"{i:03}-{shown}ms.png").write_bytes(png)
    data, quality = within(limit, lambda quality: webp(made, quality))
    out.write_bytes(data)
    seconds = sum(shown for _, shown in made) / 1000
    print(f"{out}: {seconds:.1f} s, {len(made)} pictures, {len(data):,} bytes, quality {quality}")


def still(out: Path) -> None:
    """Photograph a table of people that hears a bet. Raises FilmError."""
    recording = ("--listen", DEMO / "deals.wav", "--cards", DEMO / "deals.mus", "--stay")
    waits = _bet("punto")  # in the second deal, which has stones to see
    chromium()
    with playing(*recording) as address, page_of(address, STILL, moves=False) as page:
        end = time.monotonic() + WITHIN
        while not waits(now := snapshot_of(address)):
            if _counted(now) or time.monotonic() > end:
                raise FilmError("The recording has no bet at the end of its second deal.")
            time.sleep(1 / RATE)
        page.wait_for_selector(".main.bet")
        picture = page.screenshot()
        if not waits(snapshot_of(address)):
            raise FilmError("This machine is too busy: the bet was answered meanwhile.")
    out.write_bytes(picture)
    print(out)


def main(argv: Sequence[str] | None = None) -> int:
    """Film the demo, or photograph a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out", type=Path, help="file to write; default: docs/demo.webp or docs/table.png"
    )
    parser.add_argument("--still", action="store_true", help="take one picture of a table instead")
    parser.add_argument(
        "--limit",
        type=int,
        default=LIMIT,
        help="most bytes that the film may have; default: %(default)s",
    )
    parser.add_argument(
        "--frames", type=Path, metavar="DIR", help="keep each picture of the film here, too"
    )
    args = parser.parse_args(argv)
    try:
        if args.still:
            still(args.out or ROOT / "docs" / "table.png")
        else:
            film(args.out or ROOT / "docs" / "demo.webp", args.limit, args.frames)
    except FilmError as error:
        print(f"film_demo: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
