"""How well does the eye read cards on rendered tables by which no setting was chosen?

    python scripts/lab/bench_eyes.py                          # all conditions, an hour on two cores
    python scripts/lab/bench_eyes.py --tables 10              # a quick look
    python scripts/lab/bench_eyes.py --only fanned --json
    python scripts/lab/bench_eyes.py --only films --jobs 1    # how soon, with a core to itself
    python scripts/lab/bench_eyes.py --other FOLDER           # with a second deck: 12-oros.png ...
    python scripts/lab/bench_eyes.py --photos FOLDER          # real photographs, with cards.tsv

First a deck is enrolled from rendered photographs. The tables are rendered with other cameras and
lights. They are calibrated as a person does it, and one core reads each from three frames. Last,
the eye watches films of people who lay their cards; those lines say how many seconds after the last
hand left the cards were read.

Each row is a condition:

cards             cards on the tables
wrong, rate       cards that were told as another card, or told where none lies; their share.
                  Cards that were not told are asked about, and move no stones.
foreign, taken    cards that the deck lacks, and those of them that were told as one of the deck
coverage          share of the cards that were told
blind             share of the cards that a lamp makes mostly white, so that nobody could read them
all 16            share of the tables on which all hands were told rightly
or asks           the same, or with questions for just the seats that lack a card
suits             share of the cards whose likeliest reading has the right suit
s p50, p95, most  seconds from the last frame to the answer

With ``--photos`` real photographs are read instead, without a calibration. FOLDER/cards.tsv has the
columns picture, card ("7o", or any other name for a card that is not of Mus) and outline (four
corners in pixels). Each photograph is read with a deck that is cut from the others, so a card that
only one of them shows is foreign there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.lab.eyebench.cost import cost
from scripts.lab.eyebench.figures import figures, heading, line, spread
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit
from scripts.lab.eyebench.trial import Condition, Told

CONDITIONS = (
    Condition("separated"),
    Condition("separated, dim", lit=Lit.DIM),
    Condition("separated, glare", lit=Lit.GLARE),
    Condition("overlapped", Way.OVERLAPPED),
    Condition("overlapped, dim", Way.OVERLAPPED, Lit.DIM),
    Condition("overlapped, glare", Way.OVERLAPPED, Lit.GLARE),
    Condition("fanned", Way.FANNED),
    Condition("fanned, dim", Way.FANNED, Lit.DIM),
    Condition("fanned, glare", Way.FANNED, Lit.GLARE),
    Condition("separated, 110 px", card_pixels=110.0),
    Condition("separated, 260 px", card_pixels=260.0, size=(2560, 1440)),
    Condition("things beside", things="beside"),
    Condition("a glass over cards", things="glass"),
    Condition("a hand over cards", things="hand"),
    Condition("worn, fanned", Way.FANNED, worn=True),
    Condition("fingers, fanned", Way.FANNED, things="fingers"),
    Condition("stones on cards", things="over"),
    Condition("720p, 110 px", card_pixels=110.0, size=(1280, 720)),
    Condition("45 degrees", tilt=45.0),
    Condition("knocked, separated", knocked=True),
    Condition("knocked, fanned", Way.FANNED, knocked=True),
    Condition("bar at night", Way.OVERLAPPED, Lit.DIM, things="over", worn=True),
    Condition("foreign, separated", foreign=6),
    Condition("foreign, dim", lit=Lit.DIM, foreign=6),
    Condition("foreign, glare", lit=Lit.GLARE, foreign=6),
    Condition("foreign, overlapped", Way.OVERLAPPED, foreign=6),
    Condition("foreign, fanned", Way.FANNED, foreign=6),
)
FILMED = (CONDITIONS[0], CONDITIONS[1], CONDITIONS[3], CONDITIONS[6])
"""The conditions of which the eye also watches films: apart in two lights, overlapped, fanned."""
FILMS_NAME = "films"
TABLES, FILMS = 126, 20
"""Tables in each condition, which have 2,016 cards together; and films of each kind."""
FIRST_SEED = 60_000
"""Tables from this seed on are only for measuring. ``tune_eyes`` uses those below it."""
DECK_SEED = 7_000
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def main(argv: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(argv)
    if args.photos:
        return _photos(args)
    films = not args.only or FILMS_NAME in args.only
    chosen = _chosen([name for name in args.only or [""] if name != FILMS_NAME])
    if not (chosen or films) or min(args.tables, args.films) < 1:
        print("bench_eyes: no such condition, or no table, or no film.", file=sys.stderr)
        return 2
    decks = [None, *([args.other] if args.other else [])]
    results: dict[str, Any] = {"tables": args.tables, "decks": len(decks)}
    os.environ.update(ONE_CORE)  # read by the new processes, before they load numpy
    fresh = get_context("spawn")
    with ProcessPoolExecutor(args.jobs, fresh, _prepare, (decks,)) as pool:
        results["conditions"] = _conditions(pool, chosen, len(decks), args)
        results["films"] = _films(pool, len(decks), args) if films else {}
        results["enrolled"] = list(pool.submit(_tries).result())
    if not args.only:
        results["cost"] = asdict(cost())
    if args.json:
        print(json.dumps(results))
        return 0
    print(f"Enrolled at try {', '.join(map(str, results['enrolled']))}.")
    if "cost" in results:
        memory, watching = results["cost"].values()
        print(f"Reading holds {memory} MB; watching takes {watching:.1f} ms a frame.")
    return 0


def _conditions(
    pool: Executor, chosen: Sequence[Condition], decks: int, args: argparse.Namespace
) -> dict[str, Any]:
    """Read the tables, and yield a row for each condition."""
    if chosen and not args.json:
        print(heading())
    found = {}
    for condition in chosen:
        work = [(condition, at % decks, args.seed + at) for at in range(args.tables)]
        sums = figures(list(counted(pool.map(_table, work), len(work), condition.name)))
        found[condition.name] = sums.as_dict()
        if not args.json:
            print(line(condition.name, sums), flush=True)
    return found


def _films(pool: Executor, decks: int, args: argparse.Namespace) -> dict[str, Any]:
    """How soon films are read once the last hand has left: median, 95th percentile, and slowest."""
    found = {}
    for condition in FILMED:
        work = [(condition, at % decks, args.seed + at) for at in range(args.films)]
        times = spread(list(counted(pool.map(_film, work), len(work), condition.name)))
        found[condition.name] = times
        if not args.json:
            half, most, slowest = times
            print(f"{condition.name}: read {half:.2f} s after the last hand left, p95 {most:.2f}, "
                  f"most {slowest:.2f}", flush=True)  # fmt: skip
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tables", type=int, default=TABLES, help=f"number of tables in each condition ({TABLES})"
    )
    parser.add_argument(
        "--films", type=int, default=FILMS, help=f"number of films of each kind ({FILMS})"
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="only the conditions whose names begin so, or films",
    )
    parser.add_argument(
        "--other", type=Path, metavar="FOLDER", help="folder with the art of a second deck"
    )
    parser.add_argument(
        "--photos",
        type=Path,
        metavar="FOLDER",
        help="read the real photographs of this folder instead",
    )
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="seed of the first table")
    parser.add_argument(
        "--jobs", type=int, default=2, help="number of processes, of one core each (2)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _photos(args: argparse.Namespace) -> int:
    """Read the photographs of a folder. The exit status is 2 if it holds none."""
    from scripts.lab.eyebench import photos

    try:
        told = photos.labels(args.photos)
    except (OSError, ValueError) as error:
        print(f"bench_eyes: no labelled photographs: {error}", file=sys.stderr)
        return 2
    os.environ.update(ONE_CORE)
    names = sorted(told)
    found = {}
    for name in counted(iter(names), len(names), "photographs"):
        found[name] = photos.read_photo(args.photos, told, name)
        if not args.json:
            print(f"{name:24}{photos.line(found[name])}", flush=True)
    sums = photos.summed(list(found.values()))
    if args.json:
        each = {name: asdict(one) for name, one in found.items()}
        print(json.dumps({"photographs": each, "all": asdict(sums)}))
    else:
        print(f"{'all':24}{photos.line(sums)}")
    return 0


def _chosen(names: Sequence[str]) -> list[Condition]:
    """The conditions of these names. A name that no condition has chooses all that begin so."""
    known = {condition.name for condition in CONDITIONS}
    exact = {name for name in names if name in known}
    begun = tuple(name for name in names if name not in known)
    return [one for one in CONDITIONS if one.name in exact or one.name.startswith(begun)]


def counted(told: Iterator[Any], count: int, name: str) -> Iterator[Any]:
    """Show the progress on a terminal."""
    for at, one in enumerate(told, start=1):
        if sys.stderr.isatty():
            print(f"\r{name}: {at} of {count} ", end="", file=sys.stderr, flush=True)
        yield one
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)


_READERS: list[Any] = []


def _prepare(decks: Sequence[Path | None]) -> None:
    """Enrol the decks in each process."""
    import cv2

    from assistant.eye.read import Reader
    from scripts.lab.eyebench.decks import enrolled, other, own
    from scripts.lab.eyebench.trial import Pack

    cv2.setNumThreads(1)
    for at, folder in enumerate(decks):
        art = own() if folder is None else other(folder)
        deck, tries = enrolled(art, DECK_SEED + at)
        _READERS.append((Pack(art.faces, deck, Reader(deck)), tries))


def _table(work: tuple[Condition, int, int]) -> Told:
    from scripts.lab.eyebench.trial import tried

    condition, deck, seed = work
    return tried(condition, _READERS[deck][0], seed)


def _film(work: tuple[Condition, int, int]) -> float:
    from scripts.lab.eyebench.answer import answered

    condition, deck, seed = work
    pack, _ = _READERS[deck]
    return answered(condition, pack.faces, pack.reader, seed)


def _tries() -> tuple[int, ...]:
    return tuple(tries for _, tries in _READERS)


if __name__ == "__main__":
    sys.exit(main())
