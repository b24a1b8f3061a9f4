"""How well is a deck of cards enrolled from photographs, in any light and order?

    python scripts/lab/bench_enrolment.py                         # all conditions
    python scripts/lab/bench_enrolment.py --decks 2               # a quick look
    python scripts/lab/bench_enrolment.py --only rows --json
    python scripts/lab/bench_enrolment.py --other FOLDER          # a second deck: 12-oros.png ...
    python scripts/lab/bench_enrolment.py --develop               # to choose settings by

All photographs are rendered. Settings are chosen only by those of ``--develop``. Each row is a
condition: a way to lay the cards, and a light.

rows         the cards lie in order, in rows by suit
any          the cards lie in no order and are sorted by another deck, with another drawing
any, known   the same, but sorted by the same deck as it is printed
foreign      eights and nines lie among them
sweep        a telephone's camera is moved over all cards until they are there, at most three
             times; its photographs are frames, and "left over" are pictures without a place

The columns of a row:

first        photographs of which every card was found at the first try, of all photographs
right        cards in their own place, of all cards
wrong        cards in the place of another card
asked        cards without a place, or with a place and a question
taken        foreign cards that got a place without a question
like         correlation of the references with the art: the median, and the hundredth from below
paper        standard deviation of the levels of paper, as a share: that of the worst twentieth
s a deck     seconds for a deck

The codes of refused photographs follow, with their numbers.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.lab.bench_eyes import ONE_CORE, counted
from scripts.lab.eyebench.decks import other, own
from scripts.lab.eyebench.enrolling import (
    Enrolled,
    enrolled_anyhow,
    enrolled_by_sweep,
    enrolled_in_rows,
)
from scripts.lab.eyebench.enrolment import Fall
from scripts.lab.eyebench.light import Lit

LAYS = ("rows", "any, known", "any", "any, foreign", "sweep, known", "sweep")
DECKS = 8
"""Decks in each condition. Together they have 320 cards."""
FIRST_SEED, DEVELOP_SEED = 60_000, 20_000
"""First seeds of the photographs that measure, and of those by which settings are chosen."""
SCALE = 0.6


@dataclass(frozen=True, slots=True)
class Condition:
    """How the cards of a deck lie, in which light, and whether the light is dim."""

    lay: str
    fall: Fall
    dim: bool = False

    @property
    def name(self) -> str:
        """The condition's name, as it is printed and asked for."""
        return f"{self.lay}, {self.fall}{', dim' if self.dim else ''}"


CONDITIONS = (
    *(Condition("rows", fall, dim) for fall, dim in product(Fall, (False, True))),
    *(Condition(lay, fall) for lay, fall in product(LAYS[1:3], Fall)),
    Condition(LAYS[2], Fall.SHADOW, dim=True),
    Condition(LAYS[3], Fall.PLANE),
    *(Condition(lay, fall) for lay, fall in product(LAYS[4:], (Fall.PLANE, Fall.SHADOW))),
)


@dataclass(frozen=True, slots=True)
class EnrolmentSums:
    """The sums of one condition: photographs, cards, and how good the references are."""

    decks: int
    photographs: int
    first: int
    cards: int
    right: int
    wrong: int
    asked: int
    taken: int
    like: tuple[float, float]
    paper: float
    seconds: float
    refused: dict[str, int]


def main(argv: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(argv)
    chosen = [one for one in CONDITIONS if one.name.startswith(tuple(args.only or [""]))]
    arts = [None, *([args.other] if args.other else [])]
    if len(arts) == 1:  # without another deck, there is none to sort by
        chosen = [one for one in chosen if one.lay == "rows" or one.lay.endswith("known")]
    if not chosen or args.decks < 1 or not 0.3 <= args.scale <= 1:
        print("bench_enrolment: no such condition, no deck, or no such scale.", file=sys.stderr)
        return 2
    first = DEVELOP_SEED if args.develop else FIRST_SEED
    rows = {}
    if not args.json:
        print(f"{'':26} first        right / wrong / asked   taken  like          paper  s a deck")
    os.environ.update(ONE_CORE)  # read by the new processes, before they load numpy
    fresh = get_context("spawn")
    with ProcessPoolExecutor(args.jobs, fresh, _prepare, (arts,)) as pool:
        for condition in chosen:
            work = [(condition, at % len(arts), first + at, args.scale) for at in range(args.decks)]
            done = list(counted(pool.map(_deck, work), len(work), condition.name))
            sums = _summed(done)
            rows[condition.name] = asdict(sums)
            if not args.json:
                print(_line(condition.name, sums), flush=True)
    if args.json:
        print(json.dumps({"decks": args.decks, "scale": args.scale, "conditions": rows}))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--decks", type=int, default=DECKS, help=f"number of decks in each condition ({DECKS})"
    )
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="only the conditions whose names begin so"
    )
    parser.add_argument(
        "--other", type=Path, metavar="FOLDER", help="folder with the art of a second deck"
    )
    parser.add_argument(
        "--develop", action="store_true", help="use the photographs by which settings may be chosen"
    )
    parser.add_argument(
        "--scale",
        type=float,
        default=SCALE,
        help=f"factor of the pictures' sides, 0.3 to 1 ({SCALE})",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, help="number of processes, of one core each (1)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _summed(decks: Sequence[Enrolled]) -> EnrolmentSums:
    like = sorted(value for one in decks for value in one.like)
    paper = sorted(value for one in decks for value in one.paper)
    codes = sorted(code for one in decks for code in one.refused)
    cards, right, wrong = (
        sum(getattr(one, what) for one in decks) for what in ("cards", "right", "wrong")
    )
    return EnrolmentSums(
        decks=len(decks),
        photographs=sum(one.photographs for one in decks),
        first=sum(one.first for one in decks),
        cards=cards,
        right=right,
        wrong=wrong,
        asked=cards - right - wrong,
        taken=sum(one.taken for one in decks),
        like=(like[len(like) // 2], like[len(like) // 100]) if like else (0.0, 0.0),
        paper=paper[len(paper) * 19 // 20] if paper else 0.0,
        seconds=sum(one.seconds for one in decks) / len(decks),
        refused={code: codes.count(code) for code in dict.fromkeys(codes)},
    )


def _line(name: str, sums: EnrolmentSums) -> str:
    codes = "  ".join(f"{code} {count}" for code, count in sums.refused.items())
    return (
        f"{name:26}{sums.first:3} of {sums.photographs:3}   "
        f"{sums.right:4} / {sums.wrong:3} / {sums.asked:3} of {sums.cards:4}  {sums.taken:3}  "
        f"{sums.like[0]:.3f} / {sums.like[1]:.3f}  {sums.paper:.3f}  {sums.seconds:5.1f}  {codes}"
    )


_ARTS: list[Any] = []


def _prepare(arts: Sequence[Path | None]) -> None:
    """Load the art of the decks in each process."""
    import cv2

    cv2.setNumThreads(1)
    _ARTS.extend(own() if folder is None else other(folder) for folder in arts)


def _deck(work: tuple[Condition, int, int, float]) -> Enrolled:
    """Enrol one deck from its photographs. The same seed gives the same photographs."""
    condition, which, seed, scale = work
    lit = Lit.DIM if condition.dim else Lit.NORMAL
    if condition.lay == "rows":
        return enrolled_in_rows(_ARTS[which], seed, condition.fall, lit, scale)
    known = _ARTS[which if condition.lay.endswith("known") else which - 1]
    if condition.lay.startswith("sweep"):
        return enrolled_by_sweep(_ARTS[which], known, seed, condition.fall, lit)
    odd = condition.lay == LAYS[3]
    return enrolled_anyhow(_ARTS[which], known, seed, condition.fall, lit, scale, odd)


if __name__ == "__main__":
    sys.exit(main())
