"""How well is a hand read from a photograph that its own player takes?

    python scripts/lab/bench_hands.py                         # all conditions, an hour, two cores
    python scripts/lab/bench_hands.py --hands 10              # a quick look
    python scripts/lab/bench_hands.py --only fanned --json
    python scripts/lab/bench_hands.py --other FOLDER          # with a second deck: 12-oros.png ...
    python scripts/lab/bench_hands.py --develop               # photographs to choose settings by

All photographs are rendered, and settings are chosen only by those of ``--develop``. First a deck
is enrolled. Another camera then photographs the hands: close up, at any turn, from a slant, by a
hand that shakes. Each row is a condition:

right         share of hands of which all cards were told, and rightly
asked         share of hands of which the player has to tap a card
wrong         share of hands with a card that was told as another
cards wrong   cards that were told as others, of all cards told
s             seconds of one core: median, 95th percentile and most

The last rows show photographs without a hand of this deck. There it is right to say so in a
sentence, and wrong to tell any card.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.rules.cards import Card, Rank
from scripts.lab.bench_eyes import ONE_CORE, counted
from scripts.lab.eyebench.closeups import CloseUp
from scripts.lab.eyebench.figures import spread
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit

FOREIGN = Rank.SIETE
"""The rank that a deck lacks in the row of foreign cards, as a deck of Mus lacks eights."""
OTHERS = "another deck", "a foreign card"
"""The rows that are read by another deck than the one in the photograph."""
CONDITIONS = (
    CloseUp("side by side"),
    CloseUp("side by side, dim", lit=Lit.DIM),
    CloseUp("side by side, shaken", shake=12.0),
    CloseUp("overlapped", Way.OVERLAPPED),
    CloseUp("fanned", Way.FANNED),
    CloseUp("fanned, dim", Way.FANNED, Lit.DIM),
    CloseUp("fanned, lamp", Way.FANNED, Lit.GLARE),
    CloseUp("fanned, shaken", Way.FANNED, shake=12.0),
    CloseUp("fanned, shadow", Way.FANNED, shadow=True),
    CloseUp("fanned, held", Way.FANNED, shadow=True, held=True),
    CloseUp("three cards", Way.FANNED, count=3),
    CloseUp("five cards", Way.FANNED, count=5),
    CloseUp("no card", count=0),
    CloseUp(OTHERS[0], Way.FANNED),
    CloseUp(OTHERS[1], Way.OVERLAPPED, holds=FOREIGN),
)
HANDS = 80
"""Hands in each condition. Together they have 320 cards."""
FIRST_SEED, DEVELOP_SEED = 60_000, 20_000
"""First seeds of the photographs that measure, and of those by which settings are chosen."""
DECK_SEED, DEVELOP_DECK_SEED = 7_000, 3_000


@dataclass(frozen=True, slots=True)
class Read:
    """How one photograph was read: the cards told, and those of them that were wrong."""

    right: bool
    told: int
    wrong: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of one condition: hands that are right, asked about, or wrong.

    ``cards_wrong``: cards that were told as others. ``seconds`` of one core: the median, the 95th
    percentile and the most.
    """

    hands: int
    right: int
    asked: int
    wrong: int
    cards_told: int
    cards_wrong: int
    seconds: tuple[float, float, float]


def main(argv: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(argv)
    chosen = [one for one in CONDITIONS if one.name.startswith(tuple(args.only or [""]))]
    if not chosen or args.hands < 1:
        print("bench_hands: no such condition, or no hand.", file=sys.stderr)
        return 2
    decks = [None, *([args.other] if args.other else [])]
    first = DEVELOP_SEED if args.develop else FIRST_SEED
    enrolled = DEVELOP_DECK_SEED if args.develop else DECK_SEED
    if len(decks) == 1:  # without another deck, there is none to read by
        chosen = [one for one in chosen if one.name != OTHERS[0]]
    rows = {}
    if not args.json:
        print(f"{'':22} right  asked  wrong  cards wrong   s p50 / p95 / most")
    os.environ.update(ONE_CORE)  # read by the new processes, before they load numpy
    with ProcessPoolExecutor(args.jobs, get_context("spawn"), _prepare, (decks, enrolled)) as pool:
        for condition in chosen:
            work = [(condition, at % len(decks), first + at) for at in range(args.hands)]
            sums = _summed(list(counted(pool.map(_hand, work), len(work), condition.name)))
            rows[condition.name] = asdict(sums)
            if not args.json:
                print(_line(condition.name, sums), flush=True)
    if args.json:
        print(json.dumps({"hands": args.hands, "decks": len(decks), "conditions": rows}))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--hands", type=int, default=HANDS, help=f"number of hands in each condition ({HANDS})"
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
        "--jobs", type=int, default=2, help="number of processes, of one core each (2)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _summed(read: Sequence[Read]) -> Sums:
    right = sum(one.right for one in read)
    wrong = sum(one.wrong > 0 for one in read)
    return Sums(
        hands=len(read),
        right=right,
        asked=len(read) - right - wrong,
        wrong=wrong,
        cards_told=sum(one.told for one in read),
        cards_wrong=sum(one.wrong for one in read),
        seconds=spread([one.seconds for one in read]),
    )


def _line(name: str, sums: Sums) -> str:
    times = " / ".join(f"{one:.2f}" for one in sums.seconds)
    shares = "  ".join(f"{part / sums.hands:5.1%}" for part in (sums.right, sums.asked, sums.wrong))
    return f"{name:22}{shares}  {sums.cards_wrong:4} of {sums.cards_told:4}   {times}"


_DECKS: list[Any] = []


def _prepare(decks: Sequence[Path | None], seed: int) -> None:
    """Enrol the decks in each process, and make their readers."""
    from dataclasses import replace

    import cv2

    from assistant.eye.hand import HandReader
    from scripts.lab.eyebench.decks import enrolled, other, own

    cv2.setNumThreads(1)
    for at, folder in enumerate(decks):
        art = own() if folder is None else other(folder)
        deck, _ = enrolled(art, seed + at)
        some = {card: face for card, face in deck.faces.items() if card.rank is not FOREIGN}
        _DECKS.append((art, HandReader(deck), HandReader(replace(deck, faces=some))))


def _hand(work: tuple[CloseUp, int, int]) -> Read:
    import time

    from assistant.eye.hand import HandTrouble
    from scripts.lab.eyebench.closeups import photographed

    condition, deck, seed = work
    art, reader, lacking = _DECKS[deck]
    picture, cards = photographed(condition, art.faces, seed)
    expected = {3: HandTrouble.FEW, 5: HandTrouble.MANY, 0: HandTrouble.NONE}.get(len(cards))
    if condition.name == OTHERS[0]:
        reader, expected, cards = _DECKS[deck - 1][1], HandTrouble.NONE, ()
    elif condition.name == OTHERS[1]:
        reader = lacking
    start = time.process_time()
    reading = reader.read(picture)
    seconds = time.process_time() - start
    told = [card for card in reading.cards if card is not None]
    left = list(cards)
    wrong = 0
    for card in told:
        fits = next((one for one in left if card in (one, Card(one.rank))), None)
        if fits is None:
            wrong += 1
        else:
            left.remove(fits)
    right = not wrong and reading.trouble is expected
    if expected is None:
        right = right and all(card.rank is FOREIGN and reader is lacking for card in left)
    return Read(right, len(told), wrong, seconds)


if __name__ == "__main__":
    sys.exit(main())
