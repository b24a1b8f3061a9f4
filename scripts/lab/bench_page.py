"""How soon does a real browser paint what happens at the table?

    python scripts/lab/bench_page.py                     # 200 calls on each of three pages
    python scripts/lab/bench_page.py --spectators 100

Computer players play a game, and each of their calls is handed to a running table. The pages are
open in a browser on this machine. It needs Debian's chromium and what the tests need.

Each page has two figures in milliseconds: median, 95th percentile and most. The first begins when
the call is handed over, so it holds the rules, the journal on disk, the stream and the page's
scripts. The second begins when the event of the stream arrives in the page. Both end with the
beginning of the frame after the one that shows the call, so they are at most 16 ms too long.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from assistant.cli.app import Session
from assistant.cli.play_options import add_arguments, settings_from
from assistant.messages import Command, Pressed
from assistant.rules.errors import MusError
from assistant.rules.phases import Phase
from assistant.school.practice import dealt
from scripts.lab.playing.juego import next_call
from scripts.lab.playing.matches import babbler
from scripts.lab.rendering.timing import onlookers

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--headless=new")
LIMIT_MS = 50
"""Milliseconds within which 95% of all calls are painted."""
PAUSE = 0.05
"""Seconds between two calls. People are slower."""
FIRST = 10
"""Calls that are not counted, because the page is not warm yet."""
SEED = 7
"""Seed of the cards."""
ARRIVING = """{
  window.arrived = {};
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (kind, told) {
    listen.call(this, kind, kind !== "message" ? told : (event) => {
      const version = event.lastEventId.split(".").at(-1);
      window.arrived[version] = performance.timeOrigin + performance.now();
      told(event);
    });
  };
}"""
"""A script that notes when the event of each version arrived."""
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
PAGES = {"": (1024, 768), "phone": (360, 740), "watch": (1920, 1080)}
"""The pages, each on the screen that it is made for."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench. The exit status is 1 if a page is too slow, and 2 if it cannot be run."""
    args = _parser().parse_args(argv)
    figures = {}
    try:
        for path in args.page or PAGES:
            figures[f"/{path}"] = _measured(path, args.calls, args.spectators)
    except (MusError, OSError, ImportError) as error:
        print(f"bench_page: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps({"calls": args.calls, "pages": figures}))
    else:
        for path, clocks in figures.items():
            told = "; ".join(
                f"{name} {one['p50']} ms (p95 {one['p95']}, most {one['most']})"
                for name, one in clocks.items()
            )
            print(f"{path}: {args.calls} calls, painted after the {told}")
    slow = any(one["p95"] >= LIMIT_MS for clocks in figures.values() for one in clocks.values())
    return 1 if slow else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--calls", type=int, default=200, help="number of calls on each page; default: %(default)s"
    )
    parser.add_argument("--page", nargs="+", choices=list(PAGES), help="only these pages")
    parser.add_argument(
        "--spectators",
        type=int,
        default=0,
        metavar="N",
        help="number of pages that are open meanwhile",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measured(path: str, calls: int, watching: int) -> dict[str, dict[str, int]]:
    """Milliseconds from each call, and from its event, to its frame."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise MusError("There is no chromium: apt install chromium.")
    wide, high = PAGES[path]
    with (
        tempfile.TemporaryDirectory(prefix="mus-page-") as folder,
        _silent(Path(folder)) as table,
        onlookers(table.server.url, watching),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS])
        page = browser.new_page(viewport={"width": wide, "height": high})
        page.add_init_script(ARRIVING)
        page.goto(f"{table.server.url}{path}")
        page.wait_for_selector("main[aria-busy=false]")
        page.evaluate(WATCH)
        called = _played(table, calls + FIRST)[FIRST:]
        time.sleep(0.5)
        painted: dict[str, float] = page.evaluate("window.painted")
        arrived: dict[str, float] = page.evaluate("window.arrived")
        browser.close()
    shown = [(str(version), at) for version, at in called if str(version) in painted]
    if len(shown) < calls:
        raise MusError(f"Of {calls} calls only {len(shown)} were painted.")
    return {
        "call": _figures([painted[version] - at for version, at in shown]),
        "event": _figures([painted[version] - arrived[version] for version, _ in shown]),
    }


def _figures(times: list[float]) -> dict[str, int]:
    half, most, slowest = (round(float(np.percentile(times, p))) for p in (50, 95, 100))
    return {"p50": half, "p95": most, "most": slowest}


def _silent(folder: Path) -> Session:
    """A table on disk that hears a second of silence and then stays."""
    import wave

    wav = folder / "silence.wav"
    with wave.open(str(wav), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(32000))
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    words = [
        "--listen",
        str(wav),
        "--stay",
        "--voice",
        "off",
        "--port",
        "0",
        "--new",
        "--mano",
        "1",
    ]
    return Session(settings_from(parser.parse_args([*words, "--journal", str(folder / "t.db")])))


def _played(table: Session, count: int) -> list[tuple[int, float]]:
    """The version of the snapshot that each call made, and when it was called (Unix time in ms)."""
    dice = random.Random(SEED)
    players = [babbler(seed) for seed in range(4)]
    called: list[tuple[int, float]] = []
    pack, deal = dealt(dice), 0
    while len(called) < count:
        state = table.runner.table.state
        if state.deal != deal:
            pack, deal = dealt(dice), state.deal
        over = state.phase is Phase.OVER
        what = Command.NEW_GAME if over else next_call(state, players, pack)
        at = time.time() * 1000
        table.runner.post(Pressed(what)).result(10)
        called.append((table.board.snapshot()["version"], at))
        time.sleep(PAUSE)
    return called


if __name__ == "__main__":
    sys.exit(main())
