"""Fit how sure the eye is of a card (``assistant/eye/match.py``), on rendered tables.

    python scripts/lab/tune_eyes.py                # 20 tables a condition, half an hour, two cores
    python scripts/lab/tune_eyes.py --other FOLDER  # with a second deck too

No bench measures with these tables. It prints the numbers of the logistic function, and for each
threshold how many cards would be wrong and which share of the right ones would be read. Tables with
foreign cards do not count for these. For them, and for the others, it then prints how probable the
second check (``assistant/eye/check.py``) finds another print: for right cards and for others, by
the share of the card that was checked (number, and 5th, 50th and 95th percentile). It writes
nothing into the code; copy the numbers if they are better.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.eye.match import MOST_LEAD
from scripts.lab.bench_eyes import CONDITIONS, ONE_CORE
from scripts.lab.eyebench.trial import Condition, Example, examples

FIRST_SEED = 20_000
DECK_SEED = 3_000
THRESHOLDS = (0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995)
ROUNDS = 60
RIDGE = 1e-2
NAMES = ("START", "VALUE", "LEAD", "LEAD_SEEN", "EDGES", "SEEN")


def main(argv: list[str] | None = None) -> int:
    """Fit the numbers and print them."""
    args = _parser().parse_args(argv)
    decks = [None, *([args.other] if args.other else [])]
    os.environ.update(ONE_CORE)
    work = [(condition, at % len(decks), FIRST_SEED + at)
            for condition in CONDITIONS for at in range(args.tables)]  # fmt: skip
    found: list[Example] = []
    with ProcessPoolExecutor(args.jobs, get_context("spawn"), _prepare, (decks,)) as pool:
        for at, some in enumerate(pool.map(_examples, work), start=1):
            found += some
            if sys.stderr.isatty():
                print(f"\r{at} of {len(work)} tables ", end="", file=sys.stderr, flush=True)
    foreign = {condition.name for condition in CONDITIONS if condition.foreign}
    plain = [one for one in found if one.condition not in foreign]
    table = np.array([one.numbers() for one in plain])
    right = np.array([one.right for one in plain])
    weights = _fitted(table, right.astype(np.float64))
    rows = _thresholds(table, right, weights)
    checks = _checks(found)
    if args.keep:
        np.savez(args.keep, table=table, right=right, names=[one.condition for one in plain])
    if args.json:
        print(json.dumps({"weights": dict(zip(NAMES, weights.tolist(), strict=True)), "at": rows,
                          "checks": checks}))  # fmt: skip
        return 0
    print(", ".join(NAMES), "=", ", ".join(f"{weight:.2f}" for weight in weights))
    print(f"{len(plain)} cards found, {int((~right).sum())} of them taken for others")
    for row in rows:
        print(f"at {row['threshold']:.3f}: {row['wrong']:4} wrong, {row['read']:.1%} of the right")
    print("How probable another print is, by the share that was checked:")
    for band in checks:
        known, others = _spread(band["right"]), _spread(band["wrong"])
        print(f"{band['from']:.1f} to {band['to']:.1f}: right {known}; wrong {others}, "
              f"of which {band['told']} are sure")  # fmt: skip
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tables", type=int, default=20, help="number of tables in each condition (20)"
    )
    parser.add_argument(
        "--other", type=Path, metavar="FOLDER", help="folder with the art of a second deck"
    )
    parser.add_argument(
        "--jobs", type=int, default=2, help="number of processes, of one core each (2)"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="FILE.npz", help="write the examples to this file, too"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _fitted(table: npt.NDArray[Any], right: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The weights of a logistic regression, by Newton's method."""
    weights = np.zeros(table.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-table @ weights))
        bend = (table * (chance * (1 - chance))[:, None]).T @ table
        slope = table.T @ (right - chance) - RIDGE * weights
        weights += np.linalg.solve(bend + RIDGE * np.eye(len(weights)), slope)
    return np.asarray(weights, np.float64)


def _thresholds(
    table: npt.NDArray[Any], right: npt.NDArray[Any], weights: npt.NDArray[Any]
) -> list[dict[str, float]]:
    chance = 1 / (1 + np.exp(-table @ weights))
    return [
        {
            "threshold": threshold,
            "wrong": int((~right & (chance >= threshold)).sum()),
            "read": float((chance[right] >= threshold).mean()),
        }
        for threshold in THRESHOLDS
    ]


BANDS = (0.0, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1)


def _checks(found: Sequence[Example]) -> list[dict[str, Any]]:
    """The second check's figures for right cards and for others, foreign ones among them."""
    rows = []
    for least, most in pairwise(BANDS):
        some = [one for one in found if least <= one.checked < most]
        right = sorted(one.worst for one in some if one.right)
        wrong = sorted(one.worst for one in some if not one.right)
        told = sum(one.sure for one in some if not one.right)
        rows.append({"from": least, "to": most, "right": right, "wrong": wrong, "told": told})
    return rows


def _spread(values: Sequence[float]) -> str:
    """The number of values, and their 5th, 50th and 95th percentile."""
    if not values:
        return "none"
    low, middle, high = np.percentile(values, (5, 50, 95))
    return f"{len(values)} ({low:.2f}, {middle:.2f}, {high:.2f})"


_READERS: list[Any] = []


def _prepare(decks: Sequence[Path | None]) -> None:
    import cv2

    from assistant.eye.read import Reader
    from scripts.lab.eyebench.decks import enrolled, other, own
    from scripts.lab.eyebench.trial import Pack

    cv2.setNumThreads(1)
    for at, folder in enumerate(decks):
        art = own() if folder is None else other(folder)
        deck, _ = enrolled(art, DECK_SEED + at)
        _READERS.append(Pack(art.faces, deck, Reader(deck)))


def _examples(work: tuple[Condition, int, int]) -> list[Example]:
    condition, deck, seed = work
    return examples(condition, _READERS[deck], seed, MOST_LEAD)


if __name__ == "__main__":
    sys.exit(main())
