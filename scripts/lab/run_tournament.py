#!/usr/bin/env python3
"""Does a tournament in each format run from a CSV list of pairs to the podium without help?

    scripts/lab/run_tournament.py --pairs 64 --format tres-ceros
    scripts/lab/run_tournament.py --pairs 512 --json

A hall with a database of its own runs it. Everything goes through the referee's desk, as from the
pages: the opening, the list, the draw, each round, the tables, and the results from the tables'
journals. The seed also draws the winner of each match, so a run can be repeated.

Each line is a format: matches, rounds, rests (matches won without an opponent), seconds, and the
winner.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.hall.format_files import all_formats, find_format
from assistant.hall.hub.database import migrate, open_database
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.tournament import (
    Act,
    FormatSheet,
    ResultEntered,
    Tournament,
    TournamentError,
    players,
    podium,
    ready,
)
from assistant.hall.tournament.formats import needs_start
from assistant.rules.errors import MusError

BARS = 8
SEED = 20261224
FIRST_DAY = "2027-01-11"
REFEREE = "Juez"


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one tournament. ``rests`` counts matches won without an opponent."""

    format: str
    pairs: int
    matches: int
    rests: int
    rounds: int
    acts: int
    seconds: float
    podium: list[list[str]]
    consolations: list[list[list[str]]]


def list_of(pairs: int, sheet: FormatSheet) -> str:
    """An organiser's list as CSV: of pairs with a bar for each, or of single players."""
    if sheet.individual:
        rows = [f"Jugador {n}" for n in range(1, 2 * pairs + 1)]
        return "\n".join(["jugador", *rows])
    lines = [f"Pareja {n},Ana {n},Luis {n},Bar {n % BARS + 1}" for n in range(1, pairs + 1)]
    return "\n".join(["pareja,jugador 1,jugador 2,bar", *lines])


def results(tournament: Tournament, chance: random.Random) -> list[Act]:
    """The results of all matches that can be played now, as the tables' journals give them."""
    entered: list[Act] = []
    busy: set[object] = set()
    for match in ready(tournament):
        both = players(tournament, match.id)
        if not busy.isdisjoint(both):
            continue  # a pair plays one match at a time
        busy.update(both)
        needed, lost = tournament.needed(match.id), 0
        lost = chance.randrange(needed)
        won = [(needed, lost), (lost, needed)][chance.randrange(2)]
        stones = (chance.randrange(80, 200), chance.randrange(80, 200))
        entered.append(ResultEntered(match.id, won, stones, "mesa-1", game=f"g-{match.id}"))
    return entered


def run(sheet: FormatSheet, pairs: int, seed: int = SEED) -> Run:
    """Run one tournament. Raises TournamentError if this many pairs cannot play the format."""
    with tempfile.TemporaryDirectory() as folder:
        engine = open_database(str(Path(folder) / "hub.sqlite3"))
        migrate(engine)
        ledger = Ledger(engine)
        desk = Desk(ledger, tuple, sheets=lambda: {sheet.name: sheet})
        began = time.perf_counter()
        opened = {"type": "Opened", "v": 1, "name": sheet.name, "format": "sheet", "by": REFEREE}
        asked: dict[str, Any] = {"act": opened, "sheet": sheet.name}
        if needs_start(sheet.stages):
            asked["starts"] = FIRST_DAY
        number = desk.open(asked)
        desk.do(number, "enrol", {"csv": list_of(pairs, sheet), "by": REFEREE})
        desk.do(number, "draw", {"seed": seed, "by": REFEREE})
        chance = random.Random(seed)
        while desk.show(number)["stage"] != "over":
            before = ledger.standing(number)
            entered = results(before.tournament, chance)
            if entered:
                ledger.do(number, lambda _now, acts=entered: acts)  # type: ignore[misc]
            else:
                desk.do(number, "pair", {"by": REFEREE})
        seconds = time.perf_counter() - began
        shown, after = desk.show(number), ledger.standing(number)
        engine.dispose()
    names = {pair["pair"]: pair["name"] for pair in shown["pairs"]}

    def named(places: Sequence[Sequence[int]]) -> list[list[str]]:
        return [[names[pair] for pair in place] for place in places]

    tournament = after.tournament
    assert podium(tournament) is not None
    return Run(
        format=sheet.name,
        pairs=pairs,
        matches=len(tournament.results),
        rests=len(tournament.matches) - len(tournament.results),
        rounds=len({(m.phase, m.round) for m in tournament.matches.values()}),
        acts=after.seq,
        seconds=round(seconds, 2),
        podium=named(shown["podium"]),
        consolations=[named(one["podium"]) for one in shown["stages"] if one["podium"]],
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the formats that the options ask for, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pairs", type=int, default=64, help="number of pairs; default: %(default)s"
    )
    parser.add_argument("--format", metavar="NAME|FILE", help="only this format; default: all")
    parser.add_argument(
        "--seed", type=int, default=SEED, help="seed of the draw; default: %(default)s"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one line of JSON for each format"
    )
    args = parser.parse_args(argv)
    try:
        sheets = [find_format(args.format)] if args.format else [*all_formats().values()]
    except MusError as error:
        print(error, file=sys.stderr)
        return 2
    for sheet in sheets:
        try:
            told = run(sheet, args.pairs, args.seed)
        except TournamentError as error:
            refused = {"format": sheet.name, "pairs": args.pairs, "refused": str(error)}
            print(json.dumps(refused) if args.json else f"{sheet.name}: {error}", flush=True)
            continue
        if args.json:
            print(json.dumps(asdict(told), ensure_ascii=False), flush=True)
        else:
            first = ", ".join(told.podium[0])
            print(
                f"{told.format}: {told.matches} matches in {told.rounds} rounds, "
                f"{told.rests} rests, {told.seconds} s; {first} won",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
