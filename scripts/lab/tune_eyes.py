"""Fit how sure a card is (``assistant/eye/trust.py``) on rendered tables no bench measures with.

    python scripts/lab/tune_eyes.py                # 20 tables a condition, half an hour, two cores
    python scripts/lab/tune_eyes.py --other FOLDER  # with a second deck too

Prints the numbers of the logistic function, and what thresholds would make of the same tables.
Nothing is written: whoever likes the numbers better copies them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
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
    """Fit, and print."""
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
    table = np.array([one.numbers() for one in found])
    right = np.array([one.right for one in found])
    weights = _fitted(table, right.astype(np.float64))
    rows = _thresholds(table, right, weights)
    if args.keep:
        np.savez(args.keep, table=table, right=right, names=[one.condition for one in found])
    if args.json:
        print(json.dumps({"weights": dict(zip(NAMES, weights.tolist(), strict=True)), "at": rows}))
        return 0
    print(", ".join(NAMES), "=", ", ".join(f"{weight:.2f}" for weight in weights))
    print(f"{len(found)} cards found, {int((~right).sum())} of them taken for others")
    for row in rows:
        print(f"at {row['threshold']:.3f}: {row['wrong']:4} wrong, {row['read']:.1%} of the right")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=20, help="a condition (20)")
    parser.add_argument("--other", type=Path, metavar="FOLDER", help="art of a second deck")
    parser.add_argument("--jobs", type=int, default=2, help="processes, of one core each (2)")
    parser.add_argument("--keep", type=Path, metavar="FILE.npz", help="write the examples, too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _fitted(table: npt.NDArray[Any], right: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """A logistic regression by Newton's method."""
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


_READERS: list[Any] = []


def _prepare(decks: Sequence[Path | None]) -> None:
    import cv2

    from assistant.eye.read import Reader
    from scripts.lab.eyebench.decks import enrolled, other, own

    cv2.setNumThreads(1)
    for at, folder in enumerate(decks):
        art = own() if folder is None else other(folder)
        _READERS.append((art, Reader(enrolled(art, DECK_SEED + at)[0])))


def _examples(work: tuple[Condition, int, int]) -> list[Example]:
    condition, deck, seed = work
    art, reader = _READERS[deck]
    return examples(condition, art.faces, reader, seed, MOST_LEAD)


if __name__ == "__main__":
    sys.exit(main())
