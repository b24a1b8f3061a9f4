"""Teach ``maestro`` to exploit the weak spots of kinds of rivals, and to recognise these kinds.

    python scripts/lab/train_answers.py --only novato --minutes 10
    python scripts/lab/train_answers.py --only fuerte --minutes 10
    python scripts/lab/train_answers.py --only fuerte --minutes 15 --moods 150  # it learns from us
    python scripts/lab/train_answers.py --only signs --juegos 600

Each run writes its part into maestro's file. Train maestro itself first (``train_maestro.py``), and
count the signs last. It needs `pip install '.[train]'`, one core, and 1 GB of memory.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from assistant.files.paths import data_dir
from assistant.school.players.maestro import KINDS, Lore, read_lore
from scripts.lab.selfplay import answers

PIECE = 50_000
"""Deals of a piece."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command. The exit status is 130 if it is stopped; what it wrote before stays."""
    args = _parser().parse_args(arguments)
    lore = read_lore(args.lore)
    try:
        if args.only == "signs":
            signs = answers.counted(lore, args.juegos)
            answers.put(args.lore, {"signs": signs})
            print(f"{args.lore}: {signs.sum():,} signs")
        else:
            _train(args, lore)
    except KeyboardInterrupt:
        return 130
    return 0


def _train(args: argparse.Namespace, lore: Lore) -> None:
    kept = args.work / f"{args.only}.npz"
    if args.moods:
        moods = answers.moods_of(lore, args.only, args.moods)
        response = answers.response_to(lore, args.only, moods)
        with np.load(kept) as calm:
            book = tuple(calm[f"book{n}"] for n in range(6))
            answers.go_on(response, book, calm["values"])
    else:
        response = answers.response_to(lore, args.only)
    ends = time.monotonic() + 60 * args.minutes
    while time.monotonic() < ends:
        response.learn(PIECE)
        print(f"{response.pieces * PIECE:,} deals against {args.only}", flush=True)
    kept.parent.mkdir(parents=True, exist_ok=True)
    books: dict[str, Any] = {f"book{n}": book for n, book in enumerate(response.book)}
    np.savez(kept, values=response.raw, **books)
    answers.put(args.lore, answers.entries(response, lore, args.only))
    print(f"{args.lore}: {args.lore.stat().st_size / 1e6:.1f} MB")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        choices=(*KINDS, "signs"),
        required=True,
        help='kind of rival to learn to beat, or "signs" to count the signs',
    )
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="minutes to train; default: %(default)s"
    )
    parser.add_argument(
        "--moods",
        type=int,
        default=0,
        metavar="JUEGOS",
        help="go on, against rivals who judge us as they did in this many juegos",
    )
    parser.add_argument(
        "--juegos",
        type=int,
        default=600,
        help="number of juegos in which signs are counted; default: %(default)s",
    )
    parser.add_argument("--work", type=Path, default=Path("build/maestro/answers"))
    parser.add_argument(
        "--lore",
        type=Path,
        default=data_dir("models") / "players" / "maestro.npz",
        help="maestro's file, which is read and written",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
