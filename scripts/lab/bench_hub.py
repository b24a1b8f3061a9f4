#!/usr/bin/env python3
"""How many tables can one hub serve, how soon does the board show a call, and what is lost?

    python scripts/lab/bench_hub.py                 # 1,300 tables at a table's pace, then backlogs
    python scripts/lab/bench_hub.py --curve --svg docs/hub-growth.svg   # from 10 to 1,300 tables
    python scripts/lab/bench_hub.py --hubs 1,2,3    # what several processes cost beside one
    python scripts/lab/bench_hub.py --hubs 1,3 --pages 1     # the same, one of them with a page
    python scripts/lab/bench_hub.py --tables 300 --cut 8      # the broker is away for 8 seconds
    python scripts/lab/bench_hub.py --storm 600     # hubs, broker and database killed in turn
    python scripts/lab/bench_hub.py --idle 100000   # a look at 100,000 tables that finds nothing

A hall of simulated tables sends played evenings, call by call, through a real uplink each, a real
Mosquitto and a real PostgreSQL. All of them, and the pages that watch, share the processors of this
machine. The time of a call runs from the table's commit to the board's own stream over HTTP.

Each line is one run: tables and hub processes; the time to the board (median, 99th percentile, most
in milliseconds) or the number of events that waited; events stored a second; events that are not
stored exactly once; the hub's memory and processors, those of the broker and of the database; and
the bytes of the database for an event.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sqlalchemy import text
from tqdm import tqdm

from assistant.hall.hub.board import Hall, SliceBoard
from assistant.hall.hub.broker import table_names
from assistant.hall.hub.database import POSTGRESQL, SQLITE, migrate, opened
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import SLICES, Batch, EventRow
from assistant.rules.errors import MusError
from scripts.lab.hubbench.curve import Curve, Panel, drawn
from scripts.lab.hubbench.hub_process import HubProcess
from scripts.lab.hubbench.servers import Broker, Postgres, cpu_of
from scripts.lab.hubbench.tables import evenings

CURVE = (10, 50, 200, 600, 1300)
PACE = 3.0
"""Seconds between two calls at a table: forty to sixty calls a deal of two to three minutes."""
BEFORE, AFTER = 20.0, 40.0
"""Seconds that are played before a cut, and after it."""
EVERY, AWAY = 20.0, 3.0
"""In a storm, the seconds between two kills, and the seconds until the part is started again."""
SHARED = 4.0
"""Seconds that several processes have to share out the slices before a run."""
IDLE_LOOKS = 50
BOARD = 60.0
"""Seconds that the board has to catch up with what is stored."""
CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one run. Times are in milliseconds from the table's commit to the board."""

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
    database_cpu: float | None
    """Processors of PostgreSQL; None for SQLite, which runs inside the hub."""
    event_bytes: float
    """Bytes of the database for each event, indexes included."""
    hub_seconds: float
    """Seconds of all hubs' processors for the whole run."""
    back_s: float | None = None
    """Seconds from the end of a cut until the board had the last call made before that end."""
    storm_s: float = 0.0
    """Seconds in which parts were killed in turn."""
    lost: int = 0
    """Events that were committed at a table and are not in the database exactly once."""


NO_PAGE = "intake,scoring"
"""What ``mus hub --no-page`` does."""


class Watcher:
    """Follows the board's stream, and notes when it first showed each seq of each table."""

    def __init__(self, url: str) -> None:
        self.seen: list[tuple[str, int, float]] = []
        self._url = url
        self._ends = False
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
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
    """Milliseconds of each call, from its commit to the first board that showed it."""
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
    """Whether the board shows the last call of every table."""
    newest: dict[str, int] = {}
    for table, seq, _ in seen:
        newest[table] = max(seq, newest.get(table, 0))
    calls = (line.split() for line in log.read_text().splitlines() if not line.startswith("#"))
    return all(newest.get(name, 0) >= int(last) for name, last, _ in calls)


class Bench:
    """The servers, which stay up for several runs."""

    def __init__(self, folder: Path, tables: int, database: str, pages: int = 0) -> None:
        """``pages``: how many processes of a run have a page; 0 means all of them."""
        folder.chmod(0o755)
        self._pages = pages
        self._folder = folder
        self._postgres = Postgres(folder / "postgres") if database == POSTGRESQL else None
        self._broker = Broker(folder / "broker", table_names(tables))
        self._runs = 0

    def __enter__(self) -> Bench:
        if self._postgres:
            self._postgres.start()
        self._broker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._broker.stop()
        if self._postgres:
            self._postgres.stop()

    def _empty(self) -> str:
        """Make a new database."""
        if self._postgres:
            return self._postgres.create(f"run{self._runs}")
        return str(self._folder / f"run{self._runs}.sqlite3")

    @staticmethod
    def _wait_for_board(log: Path, watcher: Watcher) -> None:
        """Wait until the board has everything. If it never has, ``latencies`` names the table."""
        end = time.monotonic() + BOARD
        while not all_shown(log, list(watcher.seen)) and time.monotonic() < end:
            time.sleep(0.5)

    def run(
        self, tables: int, *options: str, hubs: int = 1, cut: float = 0.0, storm: float = 0.0
    ) -> Figures:
        """Do one run on an empty database, with this many processes of the hub.

        ``cut``: seconds for which the broker cannot be reached. ``storm``: seconds in which hubs,
        broker and database are killed in turn.
        """
        self._runs += 1
        where = self._empty()
        made = [
            HubProcess(
                self._folder, self._broker, where, f"hub{n}",
                "" if n < (self._pages or hubs) else NO_PAGE,
            )
            for n in range(hubs)
        ]  # fmt: skip
        with ExitStack() as stack:
            for hub in made:
                hub.start()
                stack.callback(hub.stop)
            time.sleep(SHARED)
            empty = size_of(where)
            figures = self._measured(made, tables, options, cut, storm)
        size = size_of(where) - empty
        return replace(
            figures,
            lost=figures.events - stored_once(where),
            event_bytes=round(size / max(1, figures.events), 1),
        )

    def _kill_in_turn(self, hubs: Sequence[HubProcess], seconds: float) -> None:
        """Kill a part every ``EVERY`` seconds, and start it again a few seconds later."""
        end, turn = time.monotonic() + seconds, 0
        for turn in tqdm(range(int(seconds / EVERY)), unit="kill", disable=None):
            time.sleep(EVERY - AWAY)
            victims: list[HubProcess | Broker | Postgres] = [*hubs, self._broker]
            victims += [self._postgres] if self._postgres else []
            victim = victims[turn % len(victims)]
            victim.kill()
            time.sleep(AWAY)
            victim.start()
        time.sleep(max(0.0, end - time.monotonic()))

    def _measured(
        self,
        hubs: Sequence[HubProcess],
        tables: int,
        options: Sequence[str],
        cut: float,
        storm: float,
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
            load.stdout.readline()  # until all tables are connected
        pids = [hub.pid for hub in hubs]
        busy, broker_busy, began = sum(map(cpu_of, pids)), cpu_of(self._broker.pid), time.time()
        database_busy = self._postgres.cpu() if self._postgres else 0.0
        returned = 0.0
        if cut:
            time.sleep(BEFORE)
            self._broker.kill()
            time.sleep(cut)
            self._broker.start()
            returned = time.time()
        if storm:
            self._kill_in_turn(hubs, storm)
            pids = [hub.pid for hub in hubs]
            watcher = Watcher(hubs[0].url)  # because the last one died with its hub
            busy = sum(map(cpu_of, pids))
        if load.wait() != 0:
            raise MusError("The simulated tables failed.")
        took = time.time() - began
        memory = sum(map(memory_of, pids))
        busy, broker_busy = sum(map(cpu_of, pids)) - busy, cpu_of(self._broker.pid) - broker_busy
        if self._postgres:
            database_busy = self._postgres.cpu() - database_busy
        self._wait_for_board(out, watcher)
        seen = list(watcher.seen)
        times = [] if storm else latencies(out, seen)
        events, seconds = map(float, out.read_text().splitlines()[-1][2:].split())
        untimed = bool(storm) or "--backlog" in options
        return Figures(
            tables=tables,
            hubs=len(hubs),
            calls=len(out.read_text().splitlines()) - 1,
            events=int(events),
            events_per_s=round(events / seconds),
            p50_ms=None if untimed else round(statistics.median(times)),
            p99_ms=None
            if untimed
            else round(statistics.quantiles(times, n=100, method="inclusive")[98]),
            most_ms=None if untimed else round(max(times)),
            hub_mb=round(memory, 1),
            hub_cpu=round(busy / took, 2),
            broker_cpu=round(broker_busy / took, 2),
            database_cpu=round(database_busy / took, 2) if self._postgres else None,
            event_bytes=0.0,
            hub_seconds=round(busy, 1),
            storm_s=storm,
            back_s=round(back_after(out, seen, returned), 1) if cut else None,
        )


def back_after(log: Path, seen: Sequence[tuple[str, int, float]], returned: float) -> float:
    """Seconds from the line's return until the board had every call made before that."""
    last = 0.0
    first: dict[str, list[tuple[int, float]]] = {}
    for table, seq, at in seen:
        first.setdefault(table, []).append((seq, at))
    for line in log.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, seq_, committed = line.split()
        if float(committed) <= returned:
            last = max(last, next(at for seq, at in first[name] if seq >= int(seq_)))
    return last - returned


def stored_once(where: str) -> int:
    """The events in a hall's database that are stored once, in games without a gap."""
    with opened(where) as engine, engine.connect() as connection:
        counted = "SELECT COUNT(*) FROM (SELECT DISTINCT game_id, seq FROM events) AS once"
        events = int(connection.execute(text(counted)).scalar_one())
        stored = int(connection.execute(text("SELECT SUM(stored) FROM games")).scalar_one() or 0)
    if stored != events:
        raise MusError(f"{events} events are stored, and {stored} of them without a gap.")
    return events


def size_of(where: str) -> int:
    """The size of a hall's database in bytes."""
    if "://" not in where:
        return sum(path.stat().st_size for path in Path(where).parent.glob(f"{Path(where).name}*"))
    with opened(where) as engine, engine.connect() as connection:
        asked = text("SELECT pg_database_size(current_database())")
        return int(connection.execute(asked).scalar_one())


def idle_look(tables: int, database: str) -> dict[str, float]:
    """Milliseconds of a look that finds nothing new, at this many tables with a game each."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        where = str(folder / "idle.sqlite3")
        if database == POSTGRESQL:
            postgres = Postgres(folder / "postgres")
            postgres.start()
            stack.callback(postgres.stop)
            where = postgres.create("idle")
        engine = stack.enter_context(opened(where))
        migrate(engine)
        store, reader = Store(engine), JournalReader(engine)
        (rows, _), *_ = evenings()
        sent = tuple(EventRow(r.seq, r.batch, r.at, r.event) for r in rows[:6])
        names = table_names(tables)
        for at in tqdm(range(0, tables, 500), unit="x 500 tables", disable=None):
            store.take([Batch(table, "game-1", 0.0, sent) for table in names[at : at + 500]])
        board, hall = SliceBoard(reader, store), Hall(reader)
        board.follow(range(SLICES))
        board.look()
        hall.look()
        return {
            what: round(1000 * statistics.median(_seconds(look) for _ in range(IDLE_LOOKS)), 2)
            for what, look in (("board", board.look), ("page", hall.look))
        }


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def memory_of(pid: int) -> float:
    """The memory of a process in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args()
    counts = CURVE if args.curve else (args.tables,)
    found: list[Figures] = []
    try:
        if args.idle:
            looks = idle_look(args.idle, args.database)
            print(json.dumps({"tables": args.idle, **looks}) if args.json else told_idle(looks))
            return 0
        most = max(*counts, args.tables)
        with (
            tempfile.TemporaryDirectory() as name,
            Bench(Path(name), most, args.database, args.pages) as bench,
        ):
            for hubs in args.hubs:
                for figures in _runs(bench, counts, hubs, args):
                    found.append(figures)
                    if not args.json:
                        print(told(figures), flush=True)
    except (MusError, OSError) as error:
        print(f"bench_hub: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if not args.json and len(args.hubs) > 1:
        print("\n".join(told_hubs(found)))
    if args.json:
        print(json.dumps([asdict(figures) for figures in found]))
    if args.svg:
        args.svg.write_text(drawn(panels(found)), "utf-8")
    return 0


def _runs(
    bench: Bench, counts: Sequence[int], hubs: int, args: argparse.Namespace
) -> Iterator[Figures]:
    """Do the runs that the options ask for."""
    pace = ("--pace", str(args.pace), "--seconds")
    if args.cut:
        whole = str(BEFORE + args.cut + AFTER)
        yield bench.run(args.tables, *pace, whole, hubs=hubs, cut=args.cut)
        return
    if args.storm:
        yield bench.run(args.tables, *pace, str(args.storm), hubs=hubs, storm=args.storm)
        return
    for tables in counts:
        yield bench.run(tables, *pace, str(args.seconds), hubs=hubs)
        if args.backlog:
            yield bench.run(tables, "--backlog", str(args.backlog), hubs=hubs)


def told_hubs(found: Sequence[Figures]) -> Iterator[str]:
    """The processor time of several processes beside that of one, for the same work."""
    one = {(f.tables, f.p50_ms is None): f.hub_seconds / f.events for f in found if f.hubs == 1}
    for figures in found:
        alone = one.get((figures.tables, figures.p50_ms is None))
        if alone and figures.hubs > 1:
            beside = figures.hub_seconds / figures.events / alone
            what = "events that waited" if figures.p50_ms is None else "at a table's pace"
            yield f"{figures.hubs} hubs, {what}: {beside:.2f} times the processor time of one"


def told_idle(looks: dict[str, float]) -> str:
    """The time of a look that finds nothing new, in one line."""
    return f"an idle look: the board {looks['board']} ms, the page {looks['page']} ms"


def panels(found: Sequence[Figures]) -> list[Panel]:
    """The charts: time to the board, events a second, and the hub's processors."""
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


def told(figures: Figures) -> str:
    """The figures of a run in one line."""
    if figures.storm_s:
        what = f"parts killed in turn for {figures.storm_s:.0f} s"
    elif figures.p50_ms is None:
        what = f"{figures.events:,} events that waited"
    else:
        what = (
            f"to the board p50 {figures.p50_ms} ms, p99 {figures.p99_ms} ms, "
            f"most {figures.most_ms} ms"
        )
    if figures.back_s is not None:
        what += f"; all of before shown {figures.back_s} s after the line's return"
    return (
        f"{figures.tables:5d} tables, {figures.hubs} hubs: {what}; {figures.events_per_s:,} "
        f"events/s stored, {figures.lost} of {figures.events:,} not exactly once; "
        f"hub {figures.hub_mb:.0f} MB, {figures.hub_cpu:.2f} processors "
        f"({figures.hub_seconds} s), broker {figures.broker_cpu:.2f}, "
        f"database {figures.database_cpu}; {figures.event_bytes:.0f} bytes an event"
    )


def _hubs(text_: str) -> list[int]:
    try:
        found = [int(part) for part in text_.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise argparse.ArgumentTypeError(f"{text_!r}: write numbers, as 1,2,3.")
    return found


def _pages(text_: str) -> int:
    if not text_.isdecimal() or int(text_) < 1:
        raise argparse.ArgumentTypeError(f"{text_!r}: write a number, 1 at least.")
    return int(text_)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=max(CURVE))
    parser.add_argument(
        "--hubs",
        type=_hubs,
        default=[1],
        help="measure the hub with these numbers of processes, as 1,2,3",
    )
    parser.add_argument(
        "--pages", type=_pages, default=0, metavar="N",
        help="start only this many of the processes with a page, and the others with "
        "--no-page; default: all have one",
    )  # fmt: skip
    parser.add_argument("--database", choices=(POSTGRESQL, SQLITE), default=POSTGRESQL)
    parser.add_argument(
        "--storm",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="kill the hubs, the broker and the database in turn, for this long",
    )
    parser.add_argument(
        "--idle",
        type=int,
        default=0,
        metavar="TABLES",
        help="only time a look that finds nothing new, at this many tables",
    )
    parser.add_argument(
        "--pace", type=float, default=PACE, help="seconds between two calls of a table"
    )
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="seconds for which calls are made"
    )
    parser.add_argument(
        "--backlog",
        type=int,
        default=100,
        help="also measure how tables catch up that each have this many unsent events",
    )
    parser.add_argument(
        "--curve", action="store_true", help="measure several halls, from 10 to 1,300 tables"
    )
    parser.add_argument(
        "--cut",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="cut the network to the broker for this long",
    )
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the curves into this file")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
