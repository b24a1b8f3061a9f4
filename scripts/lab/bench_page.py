"""How soon what happens at the table is painted on the page, by a real browser on this machine.

    python scripts/lab/bench_page.py                     # 200 taps, one page
    python scripts/lab/bench_page.py --spectators 100

The clock runs from the moment when a call is handed to the table, through the rules, the journal on
disk, the stream and the page's scripts, to the frame that shows it. It needs Debian's chromium and
what the tests need.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from assistant.cli.app import Session
from assistant.cli.mus_settings import add_arguments, settings_from
from assistant.messages import Command, Pressed
from assistant.rules.calls import Cut
from assistant.rules.errors import MusError
from scripts.lab.rendering.timing import onlookers

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--headless=new")
PAUSE = 0.05
"""Seconds between two taps: people are slower."""
FIRST = 10
"""Taps until the page is warm."""
WATCH = """() => {
  const page = document.getElementById("page");
  window.painted = {};
  new MutationObserver(() => {
    const { version } = page.dataset;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.painted[version] = performance.timeOrigin + performance.now();
    }));
  }).observe(page, { attributes: true, attributeFilter: ["data-version"] });
}"""


def main() -> int:
    """Run the bench. Exit status 2 where it cannot be done."""
    args = _parser().parse_args()
    try:
        times = _measured(args.taps, args.spectators)
    except (MusError, OSError, ImportError) as error:
        print(f"bench_page: {error}", file=sys.stderr)
        return 2
    half, most, slowest = (round(float(np.percentile(times, p))) for p in (50, 95, 100))
    if args.json:
        print(json.dumps({"taps": len(times), "p50": half, "p95": most, "most": slowest}))
    else:
        print(f"{len(times)} taps, painted after {half} ms (p95 {most}, most {slowest})")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--taps", type=int, default=200, help="default: %(default)s")
    parser.add_argument(
        "--spectators", type=int, default=0, metavar="N", help="pages that are open meanwhile"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measured(taps: int, watching: int) -> list[float]:
    """Milliseconds from each tap to its frame."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise MusError("There is no chromium: apt install chromium.")
    with (
        tempfile.TemporaryDirectory(prefix="mus-page-") as folder,
        _silent(Path(folder)) as table,
        onlookers(table.server.url, watching),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS])
        page = browser.new_page(viewport={"width": 1024, "height": 768})
        page.goto(table.server.url)
        page.wait_for_selector("main[aria-busy=false]")
        page.evaluate(WATCH)
        tapped = dict(_tapped(table, taps + FIRST))
        time.sleep(0.5)
        painted: dict[str, float] = page.evaluate("window.painted")
        browser.close()
    times = [
        painted[str(version)] - at for version, at in tapped.items() if str(version) in painted
    ]
    if len(times) < taps:
        raise MusError(f"Of {taps + FIRST} taps only {len(times)} were painted.")
    return times[FIRST:]


def _silent(folder: Path) -> Session:
    """A table on disk that hears a second of silence and stays."""
    import wave

    wav = folder / "silence.wav"
    with wave.open(str(wav), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(32000))
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    words = ["--listen", str(wav), "--stay", "--voice", "off", "--port", "0", "--new"]
    return Session(settings_from(parser.parse_args([*words, "--journal", str(folder / "t.db")])))


def _tapped(table: Session, count: int) -> list[tuple[Any, float]]:
    """The snapshot's version that each tap made, and when it was tapped (Unix time, ms)."""
    tapped = []
    for number in range(count):
        what = Command.UNDO if number % 2 else Cut(seat=1)
        at = time.time() * 1000
        table.runner.post(Pressed(what)).result(10)
        tapped.append((table.board.snapshot()["version"], at))
        time.sleep(PAUSE)
    return tapped


if __name__ == "__main__":
    sys.exit(main())
