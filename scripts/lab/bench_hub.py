#!/usr/bin/env python3
"""Measure the hub: a hall of simulated tables, a real Mosquitto, a real PostgreSQL, all on here.

    python scripts/lab/bench_hub.py                 # 1,300 tables at a table's pace, then backlogs
    python scripts/lab/bench_hub.py --curve --svg docs/hub-growth.svg   # from 10 to 1,300 tables

Each table is a real uplink that sends a played evening call by call; the time of a call runs from
the table's commit to the board's own stream over HTTP. Broker, database, hub, tables and whoever
watches share the processors of this one machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.hall.hub.broker import table_names
from assistant.rules.errors import MusError
from scripts.lab.hubbench.curve import Curve, Panel, drawn
from scripts.lab.hubbench.hub_process import HubProcess
from scripts.lab.hubbench.servers import Broker, Postgres

CURVE = (10, 50, 200, 600, 1300)
PACE = 3.0
"""Seconds between two calls at a table: forty to sixty calls a deal of two to three minutes."""
BEFORE, AFTER = 20.0, 40.0
"""Seconds that are played before a cut, and after it."""
BOARD = 60.0
"""Seconds that the board has to catch up with what is stored."""
CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Figures:
    """One run. Times in milliseconds from the table's commit to the board's stream."""

    tables: int
    hubs: int
    calls: int
    events: int
    events_per_s: float
    p50_ms: float | None
    p99_ms: float | None
    most_ms: float | None
    hub_mb: float
    hub_cpu: float
    broker_cpu: float


class Watcher:
    """Follows the board's stream, and notes when each table's seq was there first."""

    def __init__(self, url: str) -> None:
        self.seen: list[tuple[str, int, float]] = []
        self._url = url
        self._ends = False
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._ends = True
        self._thread.join(30)

    def _follow(self) -> None:
        with urllib.request.urlopen(f"{self._url}events", timeout=60) as lines:
            for line in lines:
                if self._ends:
                    return
                if line.startswith(b"data: {"):
                    at = time.time()
                    for table in json.loads(line[6:])["tables"]:
                        if table["brief"]:
                            self.seen.append((table["table"], table["brief"]["seq"], at))


def latencies(log: Path, seen: list[tuple[str, int, float]]) -> list[float]:
    """Milliseconds of each call, from its commit to the first board that has it."""
    by_table: dict[str, list[tuple[int, float]]] = {}
    for table, seq, at in seen:
        by_table.setdefault(table, []).append((seq, at))
    found: list[float] = []
    places: dict[str, int] = {}
    for line in log.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, last, committed = line.split()
        arrivals, place = by_table.get(name, []), places.get(name, 0)
        while place < len(arrivals) and arrivals[place][0] < int(last):
            place += 1
        places[name] = place
        if place == len(arrivals):
            raise MusError(f"The board never showed {name} at {last}.")
        found.append(1000 * (arrivals[place][1] - float(committed)))
    return found


def all_shown(log: Path, seen: list[tuple[str, int, float]]) -> bool:
    """Whether the board has the last call of every table."""
    newest: dict[str, int] = {}
    for table, seq, _ in seen:
        newest[table] = max(seq, newest.get(table, 0))
    calls = (line.split() for line in log.read_text().splitlines() if not line.startswith("#"))
    return all(newest.get(name, 0) >= int(last) for name, last, _ in calls)


class Bench:
    """The servers, for as long as runs are made."""

    def __init__(self, folder: Path, hubs: int) -> None:
        folder.chmod(0o755)
        self._folder = folder
        self._postgres = Postgres(folder / "postgres")
        self._broker = Broker(folder / "broker", table_names(max(CURVE)))
        self._hubs = hubs
        self._runs = 0

    def __enter__(self) -> Bench:
        self._postgres.start()
        self._broker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._broker.stop()
        self._postgres.stop()

    @staticmethod
    def _wait_for_board(log: Path, watcher: Watcher) -> None:
        """Until it has everything; where it never has, ``latencies`` tells which table."""
        end = time.monotonic() + BOARD
        while not all_shown(log, list(watcher.seen)) and time.monotonic() < end:
            time.sleep(0.5)

    def run(self, tables: int, *options: str, cut: float = 0.0) -> Figures:
        """One run on an empty database; ``cut``: seconds for which nobody reaches the broker."""
        self._runs += 1
        where = self._postgres.create(f"run{self._runs}")
        hubs = [HubProcess(self._folder, self._broker, where, f"hub{n}") for n in range(self._hubs)]
        with ExitStack() as stack:
            for hub in hubs:
                hub.start()
                stack.callback(hub.stop)
            return self._measured(hubs, tables, options, cut)

    def _measured(
        self, hubs: Sequence[HubProcess], tables: int, options: Sequence[str], cut: float
    ) -> Figures:
        watcher = Watcher(hubs[0].url)
        out = self._folder / f"run{self._runs}.log"
        command = [
            *(
                sys.executable,
                "-m",
                "scripts.lab.hubbench.tables",
                "--port",
                str(self._broker.port),
            ),
            *("--tables", str(tables), "--run", f"run{self._runs}", "--out", str(out), *options),
        ]
        load = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
        assert load.stdout
        with load.stdout:
            load.stdout.readline()  # all tables are connected
        pids = [hub.pid for hub in hubs]
        busy, broker_busy, began = sum(map(cpu_of, pids)), cpu_of(self._broker.pid), time.time()
        if cut:
            time.sleep(BEFORE)
            self._broker.kill()
            time.sleep(cut)
            self._broker.start()
        if load.wait() != 0:
            raise MusError("The simulated tables failed.")
        took = time.time() - began
        memory = sum(map(memory_of, pids))
        busy, broker_busy = sum(map(cpu_of, pids)) - busy, cpu_of(self._broker.pid) - broker_busy
        self._wait_for_board(out, watcher)
        times = latencies(out, list(watcher.seen))
        events, seconds = map(float, out.read_text().splitlines()[-1][2:].split())
        backlog = "--backlog" in options
        return Figures(
            tables=tables,
            hubs=len(hubs),
            calls=len(times),
            events=int(events),
            events_per_s=round(events / seconds),
            p50_ms=None if backlog else round(statistics.median(times)),
            p99_ms=None
            if backlog
            else round(statistics.quantiles(times, n=100, method="inclusive")[98]),
            most_ms=None if backlog else round(max(times)),
            hub_mb=round(memory, 1),
            hub_cpu=round(busy / took, 2),
            broker_cpu=round(broker_busy / took, 2),
        )


def cpu_of(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> float:
    """Megabytes that a process holds in memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    """Run the bench. Exit status 2 where it cannot be done."""
    args = _parser().parse_args()
    counts = CURVE if args.curve else (args.tables,)
    found: list[Figures] = []
    try:
        with tempfile.TemporaryDirectory() as name, Bench(Path(name), args.hubs) as bench:
            if args.cut:
                seconds = str(BEFORE + args.cut + AFTER)
                paced = ("--pace", str(args.pace), "--seconds", seconds)
                print(told_cut(bench.run(args.tables, *paced, cut=args.cut), args.cut))
                return 0
            for tables in counts:
                pace = ("--pace", str(args.pace), "--seconds", str(args.seconds))
                for options in (pace, ("--backlog", str(args.backlog))):
                    found.append(bench.run(tables, *options))
                    if not args.json:
                        print(told(found[-1]), flush=True)
    except (MusError, OSError) as error:
        print(f"bench_hub: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps([asdict(figures) for figures in found]))
    if args.svg:
        args.svg.write_text(drawn(panels(found)), "utf-8")
    return 0


def panels(found: Sequence[Figures]) -> list[Panel]:
    """What is drawn: time to the board, events a second, the hub's processors."""
    paced = [figures for figures in found if figures.p50_ms is not None]
    waited = [figures for figures in found if figures.p50_ms is None]
    first = paced[0]
    share = first.hub_cpu or 0.01
    return [
        Panel(
            "Milliseconds from a table's commit to the board, by tables",
            [
                Curve("p50", [(f.tables, f.p50_ms or 1) for f in paced]),
                Curve("p99", [(f.tables, f.p99_ms or 1) for f in paced]),
            ],
        ),
        Panel(
            "Events stored a second, by tables",
            [
                Curve("at a table's pace", [(f.tables, f.events_per_s) for f in paced]),
                Curve("that had waited", [(f.tables, f.events_per_s) for f in waited]),
            ],
            Curve(
                "linear",
                [(f.tables, first.events_per_s * f.tables / first.tables) for f in paced],
            ),
        ),
        Panel(
            "Thousandths of a processor that the hub needs, by tables",
            [Curve("hub", [(f.tables, 1000 * (f.hub_cpu or 0.01)) for f in paced])],
            Curve(
                "linear",
                [(f.tables, 1000 * share * f.tables / first.tables) for f in paced],
            ),
        ),
    ]


def told_cut(figures: Figures, cut: float) -> str:
    """What became of a cut: the run ends when the hub has confirmed every call to its table."""
    return (
        f"{figures.tables} tables, cut off for {cut:.0f} s: all {figures.events:,} events of "
        f"{figures.calls:,} calls were stored and shown; the last one {figures.most_ms} ms after "
        "its commit at most"
    )


def told(figures: Figures) -> str:
    """A run in one line."""
    pace = (
        f"to the board p50 {figures.p50_ms} ms, p99 {figures.p99_ms} ms, most {figures.most_ms} ms"
        if figures.p50_ms is not None
        else f"{figures.events:,} events that waited"
    )
    return (
        f"{figures.tables:5d} tables: {pace}; {figures.events_per_s:,} events/s stored; "
        f"hub {figures.hub_mb:.0f} MB, {figures.hub_cpu:.2f} processors, "
        f"broker {figures.broker_cpu:.2f}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=max(CURVE))
    parser.add_argument("--hubs", type=int, default=1, help="processes that share the work")
    parser.add_argument("--pace", type=float, default=PACE, help="seconds between a table's calls")
    parser.add_argument("--seconds", type=float, default=60.0, help="that are played")
    parser.add_argument("--backlog", type=int, default=100, help="events a table that waited")
    parser.add_argument("--curve", action="store_true", help="10 to 1,300 tables")
    parser.add_argument(
        "--cut", type=float, default=0.0, metavar="SECONDS", help="the network is away so long"
    )
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the curves")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
