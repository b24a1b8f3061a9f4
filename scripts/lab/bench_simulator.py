"""How fast is the compiled simulator, and does it play exactly as the rules do?

    python scripts/lab/bench_simulator.py                   # 100,000 deals beside the rules
    python scripts/lab/bench_simulator.py --deals 2000 --json

The simulator trains and measures computer players. It plays whole juegos of random calls beside the
real rules, and everything is compared: mus and who cuts it, mus corrido, every turn, every bet,
every stone, and who wins. It takes ten minutes and needs `pip install '.[train]'`.

The lines are: deals a second on all threads by the clock; deals in a second of one core, beside the
figure to reach; and the deals that were equal, or the first difference.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from tqdm import tqdm

from assistant.rules.profile import Profile
from assistant.school.players.maestro import Lore
from scripts.lab.selfplay.beside import Beside, DifferError
from scripts.lab.selfplay.school import deck_for
from scripts.lab.selfplay.speed import deals_a_second

REACH = 500_000.0
"""Deals a second that two cores have to reach."""


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 1 if it is too slow, or differs from the rules."""
    args = _parser().parse_args(arguments)
    report: dict[str, object] = {"kings": args.kings}
    deck = deck_for(args.kings)
    speed = deals_a_second(deck, args.fast, args.threads)
    report |= {"threads": args.threads, **speed}
    try:
        report["equal"] = _beside(deck, args)
    except DifferError as error:
        report["differs"] = str(error)
    except KeyboardInterrupt:
        return 130
    if args.json:
        print(json.dumps(report, indent=1))
    else:
        print(f"{speed['a_second']:,.0f} deals a second on {args.threads} threads by the clock,")
        print(f"{speed['a_core_second']:,.0f} in a second of one core; to reach: {REACH:,.0f}")
        print(report.get("differs") or f"{report['equal']:,} deals equal to those of the rules")
    return int("differs" in report or speed["a_second"] < REACH)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals",
        type=int,
        default=100_000,
        help="number of deals that are compared with the rules; default: %(default)s",
    )
    parser.add_argument(
        "--fast",
        type=int,
        default=1_000_000,
        help="number of deals for each thread when the speed is measured; default: %(default)s",
    )
    parser.add_argument(
        "--threads", type=int, default=2, help="number of threads; default: %(default)s"
    )
    parser.add_argument(
        "--kings",
        type=int,
        choices=(8, 4),
        default=8,
        help="number of reyes in the deck; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first juego")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _beside(deck: tuple[np.ndarray, ...], args: argparse.Namespace) -> int:
    """Play deals beside the rules, and count those without a difference. Raises DifferError."""
    none = np.zeros(0, dtype=np.uint8)
    lore = Lore(
        args.kings, deck[2].astype(np.uint8), {}, none, none, np.zeros((0, 0), dtype=np.float32)
    )
    beside = Beside(deck, Profile(juegos=1, kings=args.kings), lore)
    played, seed = 0, args.seed
    with tqdm(total=args.deals, unit="deal", disable=args.json or None) as bar:
        while played < args.deals:
            took = beside.play(seed)
            played, seed = played + took, seed + 1
            bar.update(took)
    return played


if __name__ == "__main__":
    sys.exit(main())
