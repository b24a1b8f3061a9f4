"""Do memory, time and hearing stay the same during a whole evening at one table?

    python scripts/lab/bench_soak.py                # four hours of sound, in a quarter of an hour
    python scripts/lab/bench_soak.py --hours 0.5 --voices espeak --json

One voice for each seat says deals, and every third deal is said in noise. Between two deals people
talk, the room is noisy, and nobody speaks. The whole of `mus play` hears all of it: recogniser,
table, SQLite and dashboard. Another process renders the sound into files, which are read block by
block as from a microphone, so that only what listens is measured. Memory is read every ten seconds
of sound.

Each row is one hour: deals; calls; the share of them right, which means that an event of the call
happened; false calls; and the milliseconds by which the ear times words later than they were said,
which would show a drift of its clock. The last line has the memory after ten minutes, at the end,
and its most growth beside the limit.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from assistant.cli.app import Session
from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear import Block
from assistant.ear.audio import RATE, WIDTH, to_int16
from assistant.ear.source import BLOCK
from assistant.files.paths import data_dir
from assistant.messages import CardsSeen, Command, Heard, Pressed, Told
from assistant.rules.calls import AdjustStones
from assistant.rules.engine import missing_hands
from assistant.rules.errors import MusError
from assistant.rules.events import Event
from assistant.rules.phases import Phase
from assistant.table.runner import News
from assistant.table.table import Table
from scripts.lab.rendering.deal import Line
from scripts.lab.rendering.dealing import Deal
from scripts.lab.rendering.evening import evening, noise_of
from scripts.lab.rendering.hearing import compare
from scripts.lab.rendering.voices import voices_named

WARM = 600.0
"""Seconds of sound after which memory should no longer grow."""
HOUR = 3600.0
EVERY = 10.0
"""Seconds of sound between two readings of the memory, in deals and between them."""
NEAR = 0.5
"""Seconds within which a word counts as the one that was said."""
AHEAD = 4
"""Pieces that are rendered in advance."""
REACH_MB = 5.0


@dataclass(slots=True)
class Hour:
    """The figures of one hour of sound."""

    deals: int = 0
    said: int = 0
    right: int = 0
    false: int = 0
    offsets: list[float] = field(default_factory=list)


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 1 if memory grew too much, and 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="mus-soak-") as name:
            report = _soaked(args, Path(name))
    except (MusError, OSError) as error:
        print(f"bench_soak: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if args.json:
        print(json.dumps(report, indent=1))
    else:
        print("\n".join(_lines(report)))
    return int(report["rss_growth_mb"] is not None and report["rss_growth_mb"] >= REACH_MB)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--hours", type=float, default=4.0, help="hours of sound; default: %(default)s"
    )
    parser.add_argument("--voices", default="espeak,pico", metavar="NAMES")
    parser.add_argument(
        "--noise",
        type=Path,
        metavar="FILE.wav",
        help="recording of a room's noise, to be put behind every third deal",
    )
    parser.add_argument("--seed", type=int, default=40_000)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


@dataclass(frozen=True, slots=True)
class Recorded:
    """A piece of the evening. Its sound is in a file: 16 bits, mono, without a header."""

    path: Path
    deal: Deal | None
    lines: tuple[Line, ...]


class Evening:
    """The audio source. It gives piece after piece, and looks at the table after each deal."""

    live = False
    monitor = False
    name = "evening"
    dropped = 0

    def __init__(self, stretches: Iterator[Recorded], seconds: float) -> None:
        self.hours: list[Hour] = []
        self.memory: list[tuple[float, float]] = []
        self.heard: list[Heard] = []
        self._stretches = stretches
        self._seconds = seconds
        self._closed = threading.Event()
        self._shown: dict[int, Any] = {}
        self._now = 0.0
        self._told = 0.0
        self._weighed = 0.0

    def attach(self, session: Session) -> None:
        """Take the table that listens."""
        self._session = session

    def told(self, news: News, table: Table) -> None:
        """Keep what was heard, and show the cards of this deal once the table waits for them."""
        if isinstance(news.message, Heard):
            self.heard.append(news.message)
        wanted = missing_hands(table.state)
        if hands := tuple((seat, self._shown[seat]) for seat in wanted if seat in self._shown):
            self._session.runner.post(CardsSeen(hands))

    def blocks(self) -> Iterator[Block]:
        """The sound of the evening."""
        for stretch in self._stretches:
            if self._now >= self._seconds:
                return
            begins = self._now
            if stretch.deal:
                self._new_game()
                self._shown = dict(stretch.deal.shown)
            first = len(self._session.runner.table.records)
            self.heard.clear()
            for block in self._cut(stretch):
                if self._closed.is_set():
                    return
                yield block
            if stretch.deal:
                self._session.settle()
                records = self._session.runner.table.records[first:]
                self._look(stretch, begins, [record.event for record in records])

    def close(self) -> None:
        """Stop."""
        self._closed.set()

    def _cut(self, stretch: Recorded) -> Iterator[Block]:
        with stretch.path.open("rb") as file:
            while len(data := file.read(BLOCK * WIDTH)) == BLOCK * WIDTH:
                self._now += BLOCK / RATE
                if self._now - self._weighed >= EVERY:
                    self._weighed = self._now
                    self.memory.append((self._now, _memory_mb()))
                yield Block(np.frombuffer(data, np.int16), self._now)
        stretch.path.unlink()

    def _new_game(self) -> None:
        """End the last match by hand and begin a new game, so that each deal has its own table."""
        self._shown = {}
        runner = self._session.runner
        state = runner.table.state
        left = AdjustStones(stones=state.profile.target - state.stones[0], side="A")
        if state.phase is not Phase.OVER:
            runner.post(Pressed(left)).result()
        (begun,) = runner.post(Pressed(Command.NEW_GAME)).result()
        if not isinstance(begun, Told):
            raise MusError(f"A new game could not be begun: {begun}.")

    def _look(self, stretch: Recorded, begins: float, happened: list[Event]) -> None:
        assert stretch.deal is not None
        hour = int(begins // HOUR)
        while len(self.hours) <= hour:
            self.hours.append(Hour())
        right, false = compare(stretch.deal, happened)
        row = self.hours[hour]
        row.deals += 1
        row.said += len(right)
        row.right += sum(right)
        row.false += false
        row.offsets += offsets(stretch.lines, self.heard, begins)
        if self._now - self._told > WARM:
            self._told = self._now
            print(
                f"{self._now / HOUR:.2f} h, {self.memory[-1][1]:.1f} MB, {row.right} of {row.said}",
                file=sys.stderr,
            )


def offsets(lines: tuple[Line, ...], heard: list[Heard], begins: float) -> list[float]:
    """By how many seconds each utterance is late that begins near something that was said."""
    said = [begins + line.start for line in lines]
    found = []
    for one in heard:
        late = min((one.words[0].start - at for at in said), key=abs)
        if abs(late) < NEAR:
            found.append(late)
    return found


def _soaked(args: argparse.Namespace, folder: Path) -> dict[str, Any]:
    voices_named(args.voices)  # so that a missing voice is reported at once
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    words = ["--listen", str(data_dir("models") / "demo" / "deals.wav"), "--fast", "--new"]
    words += ["--voice", "off", "--port", "0", "--journal", str(folder / "soak.sqlite3")]
    settings = settings_from(parser.parse_args([*words, "--rules", "juegos=1"]))
    with _rendered(args, folder) as stretches:
        source = Evening(stretches.each(), args.hours * HOUR)
        session = Session(settings, source=source)
        source.attach(session)
        with session:
            session.house.tell(source)
            session.ear.ended.wait()
            if session.ear.failure:
                raise session.ear.failure
    return _report(source)


class _rendered:  # noqa: N801 - a context manager
    """Run a process that renders the evening."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._queue = context.BoundedSemaphore(AHEAD)
        self._process = context.Process(
            target=_render,
            args=(there, self._queue, args.voices, args.noise, args.seed, folder),
            daemon=True,
        )

    def __enter__(self) -> _rendered:
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()

    def each(self) -> Iterator[Recorded]:
        """The pieces in order. Raises MusError if the process died."""
        while True:
            while not self._here.poll(1.0):
                if not self._process.is_alive():
                    raise MusError("The evening could not be rendered: see above.")
            stretch: Recorded = self._here.recv()
            self._queue.release()
            yield stretch


def _render(
    there: Connection, room: Any, voices: str, noise: Path | None, seed: int, folder: Path
) -> None:
    with suppress(KeyboardInterrupt, BrokenPipeError):
        stretches = evening(voices_named(voices), noise_of(noise), seed)
        for number, stretch in enumerate(stretches):
            room.acquire()
            path = folder / f"{number}.raw"
            path.write_bytes(to_int16(stretch.sound).tobytes())
            there.send(Recorded(path, stretch.deal, stretch.lines))


def _memory_mb() -> float:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise MusError("The memory of this process is not told: this bench needs Linux.")


def _report(source: Evening) -> dict[str, Any]:
    warm = [mb for at, mb in source.memory if at >= WARM]
    return {
        "hours": [
            {
                "deals": row.deals,
                "calls": row.said,
                "right": round(row.right / max(1, row.said), 4),
                "false": row.false,
                "offset_s": round(statistics.median(row.offsets), 3) if row.offsets else None,
            }
            for row in source.hours
        ],
        "rss_mb": [round(warm[0], 1), round(warm[-1], 1)] if warm else [],
        "rss_growth_mb": round(max(warm) - warm[0], 1) if warm else None,
        "memory": [[round(at), round(mb, 1)] for at, mb in source.memory],
    }


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"{'hour':>4} {'deals':>6} {'calls':>6} {'right':>7} {'false':>6} {'words late':>11}"
    for number, row in enumerate(report["hours"], start=1):
        late = "-" if row["offset_s"] is None else f"{1000 * row['offset_s']:.0f} ms"
        yield (
            f"{number:>4} {row['deals']:>6} {row['calls']:>6} {row['right']:>7.1%} "
            f"{row['false']:>6} {late:>11}"
        )
    if report["rss_growth_mb"] is not None:
        begins, ends = report["rss_mb"]
        yield (
            f"memory after ten minutes {begins:.1f} MB, at the end {ends:.1f} MB; at most "
            f"{report['rss_growth_mb']:.1f} MB more (to reach: under {REACH_MB:.0f})"
        )


if __name__ == "__main__":
    sys.exit(main())
