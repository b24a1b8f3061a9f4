"""How strong is ``maestro`` against the other players, a zoo of simple ones, and its best rival?

    python scripts/lab/bench_maestro.py                  # 10,000 juegos of each match; 40 min
    python scripts/lab/bench_maestro.py --juegos 1000 --only zoo --json

Every two juegos begin with the same cards, and the players exchange their seats. The players of the
zoo (``selfplay/zoo.toml``) follow one idea each. It needs `pip install '.[train]'`. --only chooses
the matches:

zoo           the policy that maestro begins with, in the compiled simulator; exact odds answer a
              moment that this policy never learnt
zoo-rules     the whole of maestro, with its guess of who its rivals are, by the real rules
response      how far maestro can be exploited: a pair is trained against maestro's policy alone
              for --minutes (as long as maestro was trained), and then plays all of maestro, too
never-mus     what it is worth to know that maestro never gives mus: a pair is trained against that
answers       what each learnt answer wins against its kind of rival, if the kind is known

Each row has the opponent, the share of juegos that maestro wins with its 95% interval, the share to
reach, and "short" if it was not reached.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tqdm import tqdm

from assistant.files.paths import data_dir
from assistant.rules.errors import MusError
from assistant.school.players.maestro import read_lore
from assistant.school.practice.game import temper_named
from scripts.lab.playing.matches import (
    Maker,
    maestro,
    maestro_without_mus,
    matches,
    novice,
    thinking,
)
from scripts.lab.selfplay.answers import WITHOUT_MUS, policy_now, response_to
from scripts.lab.selfplay.bots import Arena, zoo
from scripts.lab.selfplay.export import write
from scripts.lab.selfplay.school import Response
from scripts.lab.selfplay.seated import seat_bot, seat_policy

SHIPPED = data_dir("models") / "players" / "maestro.npz"
REACH = {"fuerte": 0.60, "novato": 0.80, "sin-mus": 0.55}
"""The share of juegos that maestro has to win."""
ONLY = ("rules", "zoo", "zoo-rules", "response", "never-mus", "answers")
PIECE = 100_000
"""Number of deals from which the best response learns at a time."""
REACH_OF_ZOO = 0.495
"""The least share for maestro: no player of the zoo, and no best response, wins over 50.5%."""


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 1 if a share falls short, and 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    report: list[dict[str, Any]] = []
    try:
        if args.only in (None, "rules"):
            report += [_by_the_rules(args, name) for name in REACH]
        if args.only in (None, "zoo"):
            report += _zoo(args)
        if args.only in (None, "zoo-rules"):
            report += _zoo_by_the_rules(args)
        if args.only in (None, "response"):
            report += _response(args)
        if args.only == "answers":
            report += _answers(args)
        if args.only == "never-mus":
            report.append(_never_mus(args))
    except MusError as error:
        print(f"bench_maestro: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if args.json:
        print(json.dumps(report, indent=1))
    return int(any(row["share"] < row["reach"] for row in report))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--juegos",
        type=int,
        default=10_000,
        help="number of juegos in each match; default: %(default)s",
    )
    parser.add_argument(
        "--only", choices=ONLY, help="kinds of matches to play; default: the first four"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=25.0,
        help="minutes to train the best response; default: %(default)s, as maestro was",
    )
    parser.add_argument(
        "--threads",
        type=int,
        default=2,
        help="number of threads that train the best response; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first juego")
    parser.add_argument("--jobs", type=int, help="number of processes; default: all cores")
    parser.add_argument(
        "--lore",
        type=Path,
        default=SHIPPED,
        help="file of what maestro has learnt; default: the one that ships",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _by_the_rules(args: argparse.Namespace, name: str) -> dict[str, Any]:
    others: dict[str, Maker] = {"novato": novice, "sin-mus": maestro_without_mus}
    other = others.get(name) or thinking(temper_named(name))
    seeds = range(args.seed, args.seed + args.juegos)
    tally = matches(maestro, other, seeds, args.jobs)
    return _told(args, name, tally.juegos, tally.share, tally.interval, REACH[name])


def _zoo(args: argparse.Namespace) -> list[dict[str, Any]]:
    arena = Arena.of(read_lore(args.lore))
    rows = []
    for name, numbers in zoo().items():
        share, error = arena.against(numbers, args.juegos, args.seed)
        rows.append(
            _told(args, name, args.juegos, share, (share - error, share + error), REACH_OF_ZOO)
        )
    return rows


def _zoo_by_the_rules(args: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    for name in zoo():
        seeds = range(args.seed, args.seed + args.juegos)
        tally = matches(maestro, partial(seat_bot, name), seeds, args.jobs)
        told = f"{name}, by the rules"
        rows.append(_told(args, told, tally.juegos, tally.share, tally.interval, REACH_OF_ZOO))
    return rows


def _answers(args: argparse.Namespace) -> list[dict[str, Any]]:
    """What each answer, and cautious maestro, wins against the kind of rival it was trained for."""
    careful = partial(seat_policy, args.lore)
    without_mus = partial(seat_policy, args.lore, mus=False)
    kinds: dict[str, Maker] = {
        "novato": novice, "fuerte": thinking(temper_named("fuerte")), WITHOUT_MUS: without_mus,
    }  # fmt: skip
    seeds = range(args.seed, args.seed + args.juegos)
    rows = []
    for name, kind in kinds.items():
        knows = partial(seat_policy, args.lore, answer=name)
        for told, other in (("it", kind), ("cautious maestro", careful)):
            tally = matches(knows, other, seeds, args.jobs)
            what = f"{told}, the answer to {name}"
            rows.append(_told(args, what, tally.juegos, tally.share, tally.interval, 0.0))
    return rows


def _response(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Train a pair against maestro alone and let the two play, to see how it can be exploited."""
    lore = read_lore(args.lore)
    arena = Arena.of(lore)
    response = Response.to(arena.deck, arena.policy, lore.values)
    _train(args, response)
    deals = f"{response.pieces * PIECE:,} deals"
    rows = []
    for which, policy in (("mean", response.policy), ("last", policy_now(response))):
        share, error = arena.against_policy(policy, args.juegos, args.seed)
        name = f"its best response after {deals}, {which}"
        interval = (share - error, share + error)
        rows.append(_told(args, name, args.juegos, share, interval, REACH_OF_ZOO))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "response.npz"
        deck, (lances, mus, throws) = arena.deck, policy_now(response)
        book = (lances, lances, mus, mus, throws, throws)
        write(path, lore.kings, deck[2], deck[4], book, lore.values, least=1e-9)
        seeds = range(args.seed, args.seed + args.juegos)
        tally = matches(maestro, partial(seat_policy, path), seeds, args.jobs)
    name = "the last by the rules, who faces all of maestro"
    return [*rows, _told(args, name, tally.juegos, tally.share, tally.interval, REACH_OF_ZOO)]


def _never_mus(args: argparse.Namespace) -> dict[str, Any]:
    """What a pair wins that was trained against maestro without mus, and knows this."""
    lore = read_lore(args.lore)
    arena = Arena.of(lore)
    response = response_to(lore, WITHOUT_MUS)
    _train(args, response)
    share, error = replace(arena, policy=policy_now(response)).against_no_mus(
        arena.policy, args.juegos, args.seed
    )
    name = f"maestro without mus, after {response.pieces * PIECE:,} deals against it"
    return _told(args, name, args.juegos, share, (share - error, share + error), REACH["sin-mus"])


def _train(args: argparse.Namespace, response: Response) -> None:
    ends = time.monotonic() + 60 * args.minutes
    with tqdm(total=round(60 * args.minutes), unit="s", disable=args.json or None) as bar:
        while (left := ends - time.monotonic()) > 0:
            response.learn(PIECE, args.threads)
            bar.update(round(left - max(0.0, ends - time.monotonic())))


def _told(
    args: argparse.Namespace,
    name: str,
    juegos: int,
    share: float,
    interval: tuple[float, float],
    reach: float,
) -> dict[str, Any]:
    if not args.json:
        low, high = interval
        short = "" if share >= reach else "  short"
        print(
            f"against {name:16} {share:6.1%} of {juegos} juegos ({low:.1%} to {high:.1%}), "
            f"to reach {reach:.1%}{short}",
            flush=True,
        )
    return {
        "against": name,
        "juegos": juegos,
        "share": share,
        "interval": list(interval),
        "reach": reach,
        "z": (share - reach) / math.sqrt(0.25 / max(1, juegos)),
    }


if __name__ == "__main__":
    sys.exit(main())
