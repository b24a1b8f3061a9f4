#!/usr/bin/env python3
"""Does a table's page still answer its players while a bar full of guests uses or abuses it?

    python scripts/lab/bench_crowd.py            # all crowds: about four minutes
    python scripts/lab/bench_crowd.py --only slow --json

A process serves a table to the local network and may open ``--files`` files. The table's own page
listens, and taps every half second. Meanwhile strangers, each from an address of its own (127.0.0.2
and on), do one thing for ``--seconds``: they hold slow connections, hold streams, ask for costly
pictures, ask for the PDF, or only look on.

Each row is one crowd: the number of taps and their 95th percentile until the answer, the same until
the event on the table's own stream, and the same five seconds after the strangers have left; then
the memory of the process, and whether its ear still hears. The exit status is 0 if all limits held,
and 1 if one did not.
"""

from __future__ import annotations

import argparse
import http.client
import json
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
import wave
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from assistant.cli.mus_score import play_script
from assistant.files.profile_files import rules_named
from assistant.files.resources import load_lexicon
from assistant.language.script import parse_script
from assistant.table.journal import SqliteJournal

ROOT = Path(__file__).resolve().parents[2]
PAUSE = 0.5
AFTER = 5.0
LIMITS = {"tap_p95_s": 0.3, "event_p95_s": 0.15, "memory_mb": 300.0}
"""The limits that have to hold. That of the event is for the crowd of spectators."""
DEALS = 12


@dataclass(frozen=True, slots=True)
class Told:
    """The figures of one crowd. Times are in seconds, and ``nan`` if nothing came."""

    crowd: str
    taps: int
    tap_p95_s: float
    event_p95_s: float
    after_p95_s: float
    memory_mb: float
    ear: str
    held: bool


class OwnPage:
    """The table's own screen, which listens and taps every half second."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.answered: list[float] = []
        self.shown: list[float] = []
        self.ear = ""
        self._versions: dict[int, float] = {}
        self._over = threading.Event()
        self._stream = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._stream.request("GET", "/events")
        self._lines = self._stream.getresponse()
        self._threads = [
            threading.Thread(target=what, daemon=True) for what in (self._listen, self._tap)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._over.set()
        self._threads[1].join()

    def _listen(self) -> None:
        with suppress(OSError, ValueError, http.client.HTTPException):
            while line := self._lines.readline():
                if line.startswith(b"data: {"):
                    told = json.loads(line[6:])
                    self.ear = told["ear"]["state"]
                    self._versions.setdefault(told["seq"], time.monotonic())

    def _tap(self) -> None:
        seen, number = self._snapshot(), 0
        while not self._over.wait(PAUSE):
            what = {"command": "undo"} if number % 2 else {"call": {"type": "Cut", "seat": 1}}
            begun = time.monotonic()
            try:
                answer = self._post({**what, "seen": seen})
            except (OSError, http.client.HTTPException):
                self.answered.append(30.0)
                continue
            self.answered.append(time.monotonic() - begun)
            if answer == "accepted":
                number += 1
            end = time.monotonic() + 2
            while max(self._versions, default=0) <= seen and time.monotonic() < end:
                time.sleep(0.002)
            seen = max(self._versions, default=seen)
            self.shown.append(self._versions.get(seen, begun + 30.0) - begun)

    def _snapshot(self) -> int:
        end = time.monotonic() + 30
        while not self._versions and time.monotonic() < end:
            time.sleep(0.05)
        return max(self._versions, default=0)

    def _post(self, body: object) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/api/press", json.dumps(body), headers)
            outcomes = json.loads(connection.getresponse().read()).get("outcomes", [])
            return str(outcomes[0]["outcome"]) if outcomes else ""
        finally:
            connection.close()


def connected(port: int, stranger: int) -> socket.socket:
    """Open a connection from a stranger's address."""
    source = (f"127.0.{stranger // 250}.{stranger % 250 + 2}", 0)
    return socket.create_connection(("127.0.0.1", port), timeout=5, source_address=source)


def head(port: int, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()


def hold(port: int, count: int, seconds: float, first: bytes, drip: bytes, each: bool) -> None:
    """Hold many connections, and open each again when it is cut.

    With ``each``, every connection comes from an address of its own.
    """
    end = time.monotonic() + seconds
    held: list[socket.socket] = []
    with selectors.DefaultSelector() as waiting:
        dripped = time.monotonic()
        while time.monotonic() < end:
            while len(held) < count and time.monotonic() < end:
                with suppress(OSError):
                    one = connected(port, len(held) if each else 0)
                    held.append(one)
                    one.sendall(first)
                    one.setblocking(False)
                    waiting.register(one, selectors.EVENT_READ)
                    continue
                time.sleep(0.01)
            for key, _ in waiting.select(0.2):
                one = key.fileobj  # type: ignore[assignment]
                with suppress(OSError):
                    if one.recv(1 << 16):
                        continue
                waiting.unregister(one)
                held.remove(one)
                one.close()
            if drip and time.monotonic() - dripped > 2:
                dripped = time.monotonic()
                for one in held:
                    with suppress(OSError):
                        one.send(drip)
    for one in held:
        one.close()


def ask(port: int, path: str, stranger: int, end: float) -> None:
    """Be one stranger who asks for the same thing again and again."""
    while time.monotonic() < end:
        with suppress(OSError), connected(port, stranger) as one:
            one.settimeout(30)
            one.sendall(head(port, path) + b"Connection: close\r\n\r\n")
            while one.recv(1 << 16):
                pass


def asks(port: int, path: str, strangers: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=ask, args=(port, path, number, end)) for number in range(strangers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


CROWDS = {
    "nobody": lambda _port, seconds: time.sleep(seconds),
    "slow": lambda port, seconds: hold(port, 1200, seconds, b"GET / HT", b"x", each=False),
    "streams": lambda port, seconds: hold(
        port, 500, seconds, head(port, "/events") + b"\r\n", b"", each=False
    ),
    "pictures": lambda port, seconds: asks(port, "/history/score.svg", 20, seconds),
    "papers": lambda port, seconds: asks(port, "/report.pdf", 20, seconds),
    "spectators": lambda port, seconds: hold(
        port, 300, seconds, head(port, "/events") + b"\r\n", b"", each=True
    ),
}


@contextmanager
def table(folder: Path, files: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a table in the middle of an evening, in a process of its own. Yields its port."""
    journal, wav = folder / "table.sqlite3", folder / "silence.wav"
    game = ROOT / "tests" / "games" / "a_plain_deal.mus"
    lines = game.read_text("utf-8").splitlines()
    begins = next(n for n, line in enumerate(lines) if line.startswith("mano"))
    deal = [line for line in lines[begins + 1 :] if not line.startswith("expect")]
    text = "\n".join([*lines[: begins + 1], *(deal * DEALS)])
    records = play_script(parse_script(text, rules_named), load_lexicon()).table.records
    journaled = SqliteJournal(journal, "game-1")
    journaled.append(records)
    journaled.close()
    with wave.open(str(wav), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16_000)
        sound.writeframes(bytes(2 * 16_000 * 1_200))
    play = f"{sys.executable} -m assistant.cli.main play --listen {wav} --stay"
    with socket.socket() as probe:
        probe.bind(("", 0))
        port = probe.getsockname()[1]
    with subprocess.Popen(
        [
            "bash",
            "-c",
            f"ulimit -n {files}; exec {play} --voice off --port {port} --lan --journal {journal}",
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                with suppress(OSError):
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                time.sleep(0.2)
            yield process, port
        finally:
            process.kill()


def memory_mb(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return float("nan")


def p95(times: Sequence[float]) -> float:
    return round(float(np.percentile(times, 95)), 3) if times else float("nan")


def measured(name: str, seconds: float, files: int) -> Told:
    with tempfile.TemporaryDirectory() as folder, table(Path(folder), files) as (process, port):
        page = OwnPage(port)
        time.sleep(2)
        taps = len(page.answered)
        crowd = threading.Thread(target=CROWDS[name], args=(port, seconds))
        crowd.start()
        crowd.join()
        during, shown = page.answered[taps:], page.shown[taps:]
        time.sleep(AFTER)
        before = len(page.answered)
        time.sleep(AFTER)
        after = page.answered[before:]
        page.close()
        memory = memory_mb(process.pid)
        ear = page.ear
    held = (
        p95(during) < LIMITS["tap_p95_s"]
        and p95(after) < LIMITS["tap_p95_s"]
        and memory < LIMITS["memory_mb"]
        and ear == "listening"
        and (name != "spectators" or p95(shown) < LIMITS["event_p95_s"])
    )
    return Told(name, len(during), p95(during), p95(shown), p95(after), round(memory), ear, held)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=list(CROWDS), help="only this crowd")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="seconds for which each crowd stays (20)"
    )
    parser.add_argument(
        "--files",
        type=int,
        default=1024,
        help="number of files that the table's process may open (1024)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    found = []
    for name in args.only or list(CROWDS):
        one = measured(name, args.seconds, args.files)
        found.append(one)
        if not args.json:
            print(
                f"{name:11} taps {one.taps}, p95 {one.tap_p95_s} s, shown {one.event_p95_s} s, "
                f"afterwards {one.after_p95_s} s; {one.memory_mb:.0f} MB, ear {one.ear}"
                f"{'' if one.held else '  DID NOT HOLD'}",
                flush=True,
            )
    if args.json:
        print(json.dumps([asdict(one) for one in found]))
    return int(not all(one.held for one in found))


if __name__ == "__main__":
    sys.exit(main())
