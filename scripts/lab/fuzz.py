#!/usr/bin/env python3
"""Does any damaged file or request break one of the readers of people's input?

    python scripts/lab/fuzz.py
    python scripts/lab/fuzz.py --count 500 --seed 2 --json

Each reader gets valid inputs that were damaged at random. A fault is any error that is not the
project's own, an answer of the page above 499, or an input that takes more than ``--seconds`` or
more memory than ``--megabytes``.

Each line is a reader: its inputs, those it accepted, the slowest one in seconds, and the faults.
The exit status is 0 without a fault, and 1 otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.lab.fuzzing.spoiling import spoilt

KEPT = 5
"""Faults of a reader that are shown. A fault that ends its process is the last one."""


@dataclass
class Found:
    """The result of one reader: the number of inputs, of accepted ones, and the faults."""

    reader: str
    inputs: int = 0
    whole: int = 0
    taken: int = 0
    slowest_s: float = 0.0
    faults: list[dict[str, str]] = field(default_factory=list)


class TooLongError(Exception):
    """One input took more time than it may."""


def fuzz(name: str, count: int, seed: int, seconds: float, megabytes: int) -> Found:
    """Give a reader this many inputs, in this process."""
    from scripts.lab.fuzzing.readers import (  # loaded before the memory is limited
        READERS,
        REFUSALS,
    )

    def late(_number: int, _frame: FrameType | None) -> None:
        raise TooLongError(f"more than {seconds} s")

    found, reader = Found(name), READERS[name]
    seeds, dice = reader.seeds(), random.Random(f"{name} {seed}")
    signal.signal(signal.SIGALRM, late)
    # The image libraries print a complaint about each input.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = f"{folder}/own"
        with reader.open(Path(folder)) as read:
            _limit_memory(megabytes)
            for number in range(count):
                data = seeds[number] if number < len(seeds) else spoilt(seeds, dice)
                begun = time.monotonic()
                signal.setitimer(signal.ITIMER_REAL, seconds)
                try:
                    read(data)
                    found.taken += 1
                    found.whole += number < len(seeds)
                except REFUSALS:
                    pass
                except BaseException as error:
                    _note(found, number, data, error)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                found.inputs += 1
                found.slowest_s = max(found.slowest_s, time.monotonic() - begun)
    return found


def _limit_memory(megabytes: int) -> None:
    """Limit the memory of this process to this much more than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + megabytes * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _note(found: Found, number: int, data: bytes, error: BaseException) -> None:
    where = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {str(error)[:200]}"
    if len(found.faults) < KEPT:
        place = f"{Path(where.filename).name}:{where.lineno}"
        found.faults.append(
            {"input": str(number), "what": what, "where": place, "data": repr(data[:300])}
        )


def _job(job: tuple[str, int, int, float, int]) -> Found:
    return fuzz(*job)


def run(args: argparse.Namespace, names: Sequence[str]) -> list[Found]:
    """Run each reader in a process of its own. If the process dies, that is a fault, too."""
    results = []
    for name in names:
        job = (name, args.count, args.seed, args.seconds, args.megabytes)
        with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
            waiting = pool.apply_async(_job, (job,))
            try:
                found = waiting.get(args.count * args.seconds + 120)
            except Exception as error:
                found = Found(name, faults=[{"what": f"its process ended: {error!r}"[:300]}])
        results.append(found)
        if not args.json:
            told = f"{found.inputs} inputs, {found.taken} taken, slowest {found.slowest_s:.2f} s"
            print(f"{name:12} {told}, {len(found.faults)} faults", flush=True)
            for fault in found.faults:
                print("    " + ", ".join(f"{key}: {text}" for key, text in fault.items()))
    return results


def main(argv: Sequence[str] | None = None) -> int:
    from scripts.lab.fuzzing.readers import READERS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--reader", action="append", choices=sorted(READERS), help="only this reader"
    )
    parser.add_argument(
        "--count", type=int, default=10_000, help="number of inputs for each reader (10000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the spoiling (1)")
    parser.add_argument("--seconds", type=float, default=5.0, help="most seconds for one input (5)")
    parser.add_argument(
        "--megabytes",
        type=int,
        default=600,
        help="most memory that a reader may take beside what its process has (600)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    results = run(args, args.reader or list(READERS))
    if args.json:
        print(json.dumps([asdict(found) for found in results], ensure_ascii=False))
    return int(any(found.faults for found in results))


if __name__ == "__main__":
    sys.exit(main())
