"""How long does the report of an evening take to make, and how large is it?

    python scripts/lab/bench_report.py                     # an evening of 30 juegos
    python scripts/lab/bench_report.py --juegos 5 --json
    python scripts/lab/bench_report.py --journal try.sqlite3   # and keep the evening, to look at:
                                                           # mus report --journal try.sqlite3

Computer players play the evening, each juego as a match, with the hands that a table shows. The
line that it prints has the deals and answers, and the seconds of one core to count them and to make
the page and the PDF, with their sizes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.review.evening import Telling
from assistant.review.report import report
from assistant.rules.errors import MusError
from assistant.rules.history import Record
from assistant.school.judge.answers import weigh
from assistant.school.practice.game import temper_named
from assistant.table.journal import SqliteJournal
from scripts.lab.playing.juego import recorded
from scripts.lab.playing.matches import strength, thinker

NAMES = ("Ana", "Luis", "Eva", "Iñaki")
TEMPERS = ("fuerte", "prudente", "farolero", "prudente")


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    strength().worth()
    evening = [_juego(seed) for seed in range(args.seed, args.seed + args.juegos)]
    if args.journal:
        try:
            _keep(args.journal, evening)
        except MusError as error:
            print(f"bench_report: {error}", file=sys.stderr)
            return 2
    began = time.process_time()
    found = report(evening, weigh)
    counted = time.process_time()
    page = Telling.of(found, "es").page()
    written = time.process_time()
    paper = Telling.of(found, "es").pdf()
    printed = time.process_time()
    figures = {
        "deals": found.deals,
        "answers": sum(len(player.decisions) for player in found.players),
        "count_s": round(counted - began, 3),
        "page_s": round(written - counted, 3),
        "pdf_s": round(printed - written, 3),
        "page_kb": round(len(page.encode()) / 1000),
        "pdf_kb": round(len(paper) / 1000),
    }
    if args.json:
        print(json.dumps(figures, indent=1))
    else:
        print(
            "{deals} deals with {answers} answers weighed: counted in {count_s} s of one core, "
            "the page in {page_s} s ({page_kb} kB), the PDF in {pdf_s} s ({pdf_kb} kB)".format(
                **figures
            )
        )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--juegos",
        type=int,
        default=30,
        help="number of juegos in the evening; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first juego")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="keep the evening in this journal"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _juego(seed: int) -> list[Record]:
    players = [thinker(temper_named(name), 4 * seed + place) for place, name in enumerate(TEMPERS)]
    return recorded(players, seed, mano=seed % 4 + 1, seats=NAMES)


def _keep(path: Path, evening: list[list[Record]]) -> None:
    for number, records in enumerate(evening, start=1):
        with closing(SqliteJournal(path, f"bench-{number}")) as journal:
            journal.append(records)


if __name__ == "__main__":
    sys.exit(main())
