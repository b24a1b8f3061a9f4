"""How many points of the juego does the practice advice cost, against the best call?

    python scripts/lab/bench_advice.py                    # 200 positions; some minutes
    python scripts/lab/bench_advice.py --worlds 1000 --json
    python scripts/lab/bench_advice.py --follow 200       # juegos in which it is followed

The bench takes positions out of juegos that maestro, fuerte and the novice play by the shipped
rules. It takes equally many of each kind: mus, cards to throw, lances to open and bets to answer. A
second simulator, ``selfplay/reference.py``, plays each position on many times after every call
(rollouts) and so finds what each call is worth. It shares no code with the judge that gives the
advice. It needs `pip install '.[train]'`.

With ``--follow`` a pair does in every call what practice advises, and plays that many juegos
against each of several pairs. Each line has the share that it wins, with its 95% interval. Two
juegos in a row have the same cards, with the seats exchanged.

Each row has the adviser (the judge, or the rule of thumb that practice used before), the kind of
position, the points of the juego lost a call with their 95% error, and the number of positions. The
last line is the time that one advice takes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from tqdm import tqdm

from assistant.files.paths import data_dir
from assistant.rules import calls as c
from assistant.school.judge import Judge
from assistant.school.players import Novice, Player, Sight
from assistant.school.players.maestro import read_lore
from assistant.school.practice.game import temper_named
from scripts.lab.playing.matches import (
    Maker,
    cautious,
    follower,
    follower_against_maestro,
    matches,
    novice,
    thinker,
    thinking,
)
from scripts.lab.playing.positions import KINDS, THROW, Position, positions
from scripts.lab.selfplay.reference import Reference

REACH = 0.3
"""The most points of the juego that a call may cost on average."""
RIVALS: dict[str, Maker] = {
    "novato": novice,
    "fuerte": thinking(temper_named("fuerte")),
    "farolero": thinking(temper_named("farolero")),
    "maestro": cautious,
}
"""Against whom the advice is followed: pairs of one kind."""
SPARSE = 40
"""About this many decisions of a kind are skipped between two that are taken."""


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 1 if the advice costs more than REACH allows."""
    args = _parser().parse_args(arguments)
    try:
        if args.follow:
            return _follow(args)
        bench = Bench(args)
        for position in tqdm(bench.positions(), total=args.positions, disable=args.json or None):
            bench.take(position)
    except KeyboardInterrupt:
        return 130
    found = bench.found()
    print(json.dumps(found, indent=1) if args.json else _table(found))
    return int(found["advice"]["all"]["lost"] > REACH)


def _follow(args: argparse.Namespace) -> int:
    unknown = [name for name in args.rivals.split(",") if name not in RIVALS]
    if unknown:
        print(f"There is no rival {unknown[0]!r}. There are: {', '.join(RIVALS)}", file=sys.stderr)
        return 2
    player = follower_against_maestro if args.as_maestro else follower
    found = {}
    for name in args.rivals.split(","):
        tally = matches(player, RIVALS[name], range(args.seed, args.seed + args.follow))
        low, high = tally.interval
        found[name] = {"juegos": tally.juegos, "won": tally.won, "interval": [low, high]}
        if not args.json:
            told = f"{100 * tally.share:.1f}% ({100 * low:.1f} to {100 * high:.1f})"
            print(f"the advice against {name:8} wins {told} of {tally.juegos}", flush=True)
    if args.json:
        print(json.dumps(found, indent=1))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--positions", type=int, default=200, help="number of positions; default: %(default)s"
    )
    parser.add_argument(
        "--worlds", type=int, help="number of worlds that the judge weighs; default: as it ships"
    )
    parser.add_argument(
        "--rollouts", type=int, default=20_000, help="rollouts of each call; default: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=7_000_000, help="seed of the first juego")
    parser.add_argument(
        "--state-alone",
        action="store_true",
        help="let the judge see only the state, and not each call of the deal",
    )
    parser.add_argument("--only", choices=KINDS, help="only positions of this kind")
    parser.add_argument(
        "--follow", type=int, metavar="JUEGOS", help="follow the advice in so many juegos instead"
    )
    parser.add_argument(
        "--as-maestro",
        action="store_true",
        help="with --follow: advise as if all others were known to play as maestro does",
    )
    parser.add_argument(
        "--rivals",
        default=",".join(RIVALS),
        help="against whom, with --follow; default: %(default)s",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


@dataclass
class Losses:
    """What the calls of one adviser cost, by kind of position."""

    lost: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def told(self) -> dict[str, Any]:
        """The means and their 95% intervals."""
        every = [one for kind in KINDS for one in self.lost[kind]]
        rows = {"all": every, **self.lost}
        return {
            name: {
                "positions": len(some),
                "lost": float(np.mean(some)),
                "error": float(1.96 * np.std(some) / math.sqrt(len(some))),
            }
            for name, some in rows.items()
            if some
        }


class Bench:
    """The positions, and what each adviser says in them."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        lore = read_lore(data_dir("models") / "players" / "maestro.npz")
        self.judge, self.reference = Judge(lore), Reference(lore)
        self.novice = Novice()
        self.losses = {"advice": Losses(), "rule of thumb": Losses(), "what was played": Losses()}
        self.seconds: list[float] = []

    def positions(self) -> Iterator[Position]:
        """The positions to judge: equally many of each kind, from many juegos."""
        dice = random.Random(self.args.seed)
        kinds = [self.args.only] if self.args.only else KINDS
        wanted = {kind: self.args.positions // len(kinds) if kind in kinds else 0 for kind in KINDS}
        seed = self.args.seed
        while any(wanted.values()):
            for position in positions(self._seated(seed), seed):
                if wanted[position.kind] and dice.random() < 1 / SPARSE:
                    wanted[position.kind] -= 1
                    yield position
            seed += 1

    def _seated(self, seed: int) -> list[Player]:
        makers = [cautious, lambda n: thinker(temper_named("fuerte"), n), novice]
        dice = random.Random(seed)
        return [dice.choice(makers)(4 * seed + n) for n in range(4)]

    def take(self, position: Position) -> None:
        """Let each adviser judge one position, and compare its call with the reference."""
        if position.kind == THROW:
            self._throw(position)
        else:
            self._call(position)

    def _asked(self, position: Position) -> dict[str, Any]:
        thrown = position.past.thrown
        last = dict(enumerate(thrown[-1], start=1)) if thrown else {}
        last.pop(position.sight.seat, None)
        asked = {"thrown": last, "seed": self.args.seed}
        return asked | ({"worlds": self.args.worlds} if self.args.worlds else {})

    def _call(self, position: Position) -> None:
        sight = replace(position.sight, events=()) if self.args.state_alone else position.sight
        began = time.thread_time()
        judged = self.judge.judge(sight, **self._asked(position))
        self.seconds.append(time.thread_time() - began)
        calls = [one.call for one in judged.calls]
        seed = 1_000_003 * (len(self.seconds) + 1)
        worth = self.reference.values(
            position.past, sight.state, calls, self.args.rollouts, seed
        ).mean(axis=1)
        assert position.said is not None
        for name, call in (
            ("advice", judged.advised.call),
            ("rule of thumb", self.novice.call(sight)),
            ("what was played", position.said),
        ):
            at = calls.index(judged.of(_spoken(sight, call)).call)
            self.losses[name].lost[position.kind].append(100 * float(worth.max() - worth[at]))

    def _throw(self, position: Position) -> None:
        sight = position.sight
        began = time.thread_time()
        best = self.judge.judge_throw(sight, **self._asked(position))[0].places
        self.seconds.append(time.thread_time() - began)
        seed = 1_000_003 * (len(self.seconds) + 1)
        worth = self.reference.throws(position.past, sight.state, self.args.rollouts, seed).mean(
            axis=1
        )
        for name, places in (("advice", best), ("rule of thumb", self.novice.discard(sight))):
            at = self._bits(sight, places) - 1
            self.losses[name].lost[position.kind].append(100 * float(worth.max() - worth[at]))

    def _bits(self, sight: Sight, places: tuple[int, ...]) -> int:
        deck = self.judge.tables.lore.hands.deck
        kinds = [rank for rank, _ in deck.counts]
        order = sorted(range(4), key=lambda n: kinds.index(deck.played(sight.hand[n].rank)))
        return sum(1 << at for at, place in enumerate(order) if place in places)

    def found(self) -> dict[str, Any]:
        """The figures of the whole run."""
        told = {name: losses.told() for name, losses in self.losses.items()}
        slow = sorted(self.seconds)
        return {
            **told,
            "ms": 1000 * float(np.mean(slow)),
            "ms_99": 1000 * slow[int(0.99 * (len(slow) - 1))],
            "rollouts": self.args.rollouts,
            "reach": REACH,
        }


def _spoken(sight: Sight, call: c.Call) -> c.Call:
    """The call under the name that the judge gives it; a pass over a bet is a refusal."""
    if sight.state.pending is not None and isinstance(call, c.Pass):
        return c.Refuse(seat=call.seat)
    return call


def _table(found: dict[str, Any]) -> str:
    lines = [f"points of the juego lost a call, beside {found['rollouts']} rollouts of each call"]
    for name in ("advice", "rule of thumb", "what was played"):
        for kind, row in found[name].items():
            short = "  short" if (name, kind) == ("advice", "all") and row["lost"] > REACH else ""
            lines.append(
                f"{name:16} {kind:8} {row['lost']:6.2f} ± {row['error']:.2f} "
                f"of {row['positions']}{short}"
            )
    lines.append(f"a judgement: {found['ms']:.0f} ms of one core (99 of 100: {found['ms_99']:.0f})")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
