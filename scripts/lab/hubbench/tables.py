"""The load: many tables in one process, each a real uplink with a journal in memory.

    python -m scripts.lab.hubbench.tables --port 1883 --tables 100 --pace 3 --seconds 30 --out FILE

A simulated table runs everything that a real one runs, except the disk. One selector drives all
of paho's clients, because 1,300 threads would measure themselves. It writes a line
``table seq unix-time`` for each committed call, and ends when the hub has confirmed all of them.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import selectors
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.files.settings import Address
from assistant.hall.hub.broker import table_names
from assistant.hall.hub.uplink import Uplink
from assistant.hall.hub.uplink import WaitingPort as GameWaiting
from assistant.messages.codec import event_to_json
from assistant.rules.changes import apply
from assistant.rules.events import Retracted
from assistant.rules.history import Record, fold
from assistant.rules.state import State
from assistant.table.journal import MemoryJournal, RawRecord, Waiting
from assistant.table.snapshot.views import Brief, brief
from scripts.lab.bench_rules import SEATS, matches, play_into
from scripts.lab.hubbench.servers import PASSWORD

EVENINGS = 16
"""Different evenings; each table plays one of them, under its own name."""
DEALS = 60
PEOPLE = (
    *("Ana", "Luis", "Jon", "Eva", "Mikel", "Ainhoa", "Iker", "Nerea", "Koldo", "Maite", "Txomin"),
    *("Begoña", "Íñigo", "Leire", "Patxi", "Miren", "Asier", "Carmen", "Julio", "Rosa", "Gorka"),
    *("Amaia", "Pello", "Marta", "Unai", "Lourdes", "Beñat", "Isabel", "Xabier", "Garazi", "Peru"),
)
"""The players. Their number is prime to the steps by which the tables choose them."""
MISC = 1.0
CONNECTS = 20
"""New connections in one turn of the loop, because a hall does not arrive all at once."""
BEGAN = 1_700_000_000.0
RETRY = 5.0
"""Seconds between two attempts of a table to connect."""
PATIENCE = 180.0


class MemoryOutbox:
    """An outbox in memory; setting ``last`` makes its journal grow."""

    def __init__(self, rows: Sequence[RawRecord]) -> None:
        self.rows = rows
        self.last = 0
        self.position = 0

    def give(self, table_id: str) -> None:
        """Do nothing: there is only one game."""

    def games(self) -> list[GameWaiting]:
        """The one game, once it is opened."""
        return [] if not self.last else [Waiting("game-1", self.position, self.last)]

    def read(self, _table_id: str, after: int, limit: int) -> Sequence[RawRecord]:
        """The records of the game."""
        return self.rows[after : min(after + limit, self.last)]

    def move(self, _table_id: str, seq: int) -> None:
        """Note how far the hub has the game."""
        self.position = seq

    def close(self) -> None:
        """Do nothing: nothing is open."""


class Pictures:
    """The picture of a table after each call of an evening, as a real table publishes it."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._state: State | None = None
        self._seq = 0
        self._known: dict[int, Brief] = {}

    def after(self, seq: int) -> Brief:
        """The picture after a record. All tables of one evening share it."""
        if seq not in self._known:
            if seq < self._seq or any(
                isinstance(record.event, Retracted) for record in self._records[self._seq : seq]
            ):
                self._state = fold(self._records[:seq])
            else:
                for record in self._records[self._seq : seq]:
                    self._state = apply(self._state, record.event)
            self._seq = seq
            assert self._state
            self._known[seq] = brief(self._state, seq)
        return self._known[seq]


@dataclass(slots=True)
class Seat:
    """One table of the load: its uplink, the last seq of each call, and the calls made so far."""

    name: str
    uplink: Uplink
    outbox: MemoryOutbox
    ends: list[int]
    pictures: Pictures
    called: int = 0
    due: float = 0.0


def evenings() -> list[tuple[list[RawRecord], Pictures]]:
    """Real journals of played evenings, and the pictures of their tables meanwhile."""
    found = []
    for seed in range(EVENINGS):
        journal = MemoryJournal()
        play_into(journal, matches(DEALS, 1000 + seed)[0])
        records = journal.read()
        rows = [RawRecord(r.seq, r.batch, r.at, event_to_json(r.event)) for r in records]
        found.append((rows, Pictures(records)))
    return found


def seats(port: int, names: Sequence[str], run: str) -> list[Seat]:
    """The tables of a hall, not connected yet."""
    played = evenings()
    made = []
    for number, name in enumerate(names):
        # Another time of the opening makes another game in each run.
        (first, *others), pictures = played[number % EVENINGS]
        rows = [replace(first, event=seated(first.event, number)), *others]
        shifted = [replace(r, at=r.at + hash_of(run)) for r in rows]
        outbox = MemoryOutbox(shifted)
        address = Address("127.0.0.1", port, tls=False, user=name, password=PASSWORD)
        uplink = Uplink(address, outbox, "bench")
        uplink.take_up("game-1")
        made.append(Seat(name, uplink, outbox, list(ends_of(shifted)), pictures))
    return made


def seated(opening: str, number: int) -> str:
    """The JSON of an opening with the players of one table in its seats."""
    for at, seat in enumerate(SEATS):
        name = PEOPLE[(7 * number + 11 * at + number // len(PEOPLE)) % len(PEOPLE)]
        opening = opening.replace(json.dumps(seat), json.dumps(name))
    return opening


def hash_of(run: str) -> float:
    """A number of seconds that depends on the name of a run."""
    return float(sum(ord(letter) * 31**place for place, letter in enumerate(run)) % 100_000)


def ends_of(rows: Sequence[RawRecord]) -> Iterator[int]:
    """The last seq of each call."""
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        if following is None or following.batch != row.batch:
            yield row.seq


class Loop:
    """The event loop of all connections."""

    def __init__(self, tables: Sequence[Seat]) -> None:
        self._tables = tables
        self._selector = selectors.DefaultSelector()
        self._late: list[Seat] = list(tables)
        self._lines: dict[str, int] = {}  # by table: the descriptors of the open connections
        self._misc_at = 0.0
        for seat in tables:
            seat.uplink.link.prepare()

    @property
    def all_up(self) -> bool:
        """Whether every table is connected."""
        return not self._late and all(seat.uplink.link.up for seat in self._tables)

    def turn(self, wait: float) -> None:
        """One turn: connect, read, write, and step the uplinks with news."""
        for seat in [s for s in self._late if s.due <= time.monotonic()][:CONNECTS]:
            self._connect(seat)
        for key, _ in self._selector.select(0 if self._late else wait):
            seat = key.data
            seat.uplink.link.client.loop_read()
            if self._is_lost(seat):
                continue
            if seat.uplink.link.client.want_write():
                seat.uplink.link.client.loop_write()
            if seat.uplink.news.is_set():
                self.step(seat)
        now = time.monotonic()
        if now - self._misc_at > MISC:
            self._misc_at = now
            for seat in self._tables:
                seat.uplink.link.client.loop_misc()
                self.step(seat)

    def _is_lost(self, seat: Seat) -> bool:
        """Whether its connection is closed by either end. Then a new one will be made."""
        if seat.uplink.link.client.socket() is not None:
            return False
        if seat.name in self._lines:
            self._selector.unregister(self._lines.pop(seat.name))
            self._late.append(seat)
        return True

    def _connect(self, seat: Seat) -> None:
        client = seat.uplink.link.client
        with suppress(OSError):
            client.reconnect()
        line = client.socket()
        if line is None:  # no broker, or closed again before the handshake was over
            seat.due = time.monotonic() + RETRY
            return
        self._late.remove(seat)
        self._lines[seat.name] = line.fileno()
        self._selector.register(line.fileno(), selectors.EVENT_READ, seat)

    def step(self, seat: Seat) -> None:
        """Let one table send what it has to send."""
        seat.uplink.news.clear()
        seat.uplink.step(time.monotonic())
        client = seat.uplink.link.client
        while client.socket() is not None and client.want_write():
            client.loop_write()
        self._is_lost(seat)  # at once, because the next connection may get its descriptor


def play(tables: Sequence[Seat], pace: float, seconds: float, out: Path) -> None:
    """Each table calls once in ``pace`` seconds on average; then wait for the hub."""
    loop = Loop(tables)
    while not loop.all_up:
        loop.turn(0.01)
    print("up", flush=True)
    dice = random.Random(1)
    began = time.monotonic()
    todo: list[tuple[float, int]] = []
    for number in range(len(tables)):
        heapq.heappush(todo, (began + dice.uniform(0, pace), number))
    lines: list[str] = []
    while todo and todo[0][0] < began + seconds:
        now = time.monotonic()
        while todo and todo[0][0] <= now:
            due, number = heapq.heappop(todo)
            seat = tables[number]
            seat.outbox.last = seat.ends[seat.called]
            seat.uplink.show(seat.pictures.after(seat.outbox.last))
            lines.append(f"{seat.name} {seat.outbox.last} {time.time():.4f}")
            seat.called += 1
            loop.step(seat)
            if seat.called < len(seat.ends):
                heapq.heappush(todo, (due + dice.uniform(0.5, 1.5) * pace, number))
        loop.turn(max(0.0, min(0.05, (todo[0][0] if todo else now) - time.monotonic())))
    _finish(loop, tables, began, lines, out)


def catch_up(tables: Sequence[Seat], events: int, out: Path) -> None:
    """Each table comes back with at least this many events that the hub does not have."""
    for seat in tables:
        seat.outbox.last = next((end for end in seat.ends if end >= events), seat.ends[-1])
    print("up", flush=True)
    began = time.monotonic()
    lines = [f"{seat.name} {seat.outbox.last} {time.time():.4f}" for seat in tables]
    _finish(Loop(tables), tables, began, lines, out)


def _finish(loop: Loop, tables: Sequence[Seat], began: float, lines: list[str], out: Path) -> None:
    end = time.monotonic() + PATIENCE
    # The cursor is written only every few seconds, so the hub's confirmations count as well.
    while any(_stored(seat) < seat.outbox.last for seat in tables):
        if time.monotonic() > end:
            print("the hub did not confirm it all in time", file=sys.stderr)
            break
        loop.turn(0.05)
    took = time.monotonic() - began
    events = sum(seat.outbox.last for seat in tables)
    out.write_text("\n".join([*lines, f"# {events} {took:.3f}"]) + "\n")


def _stored(seat: Seat) -> int:
    return max(seat.outbox.position, seat.uplink.confirmed("game-1"))


def main() -> int:
    """Run the load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument(
        "--pace", type=float, default=3.0, help="seconds between two calls of a table"
    )
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument(
        "--backlog",
        type=int,
        default=0,
        help="each table starts with this many unsent events, instead of calling at a pace",
    )
    parser.add_argument(
        "--run", default="a", help="name of the run; another name makes other games"
    )
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    tables = seats(args.port, table_names(args.tables), args.run)
    if args.backlog:
        catch_up(tables, args.backlog, args.out)
    else:
        play(tables, args.pace, args.seconds, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
