#!/usr/bin/env python3
"""Write the odds of all hands for the telephone, which has no NumPy: models/odds/kings8.json.

It takes half a minute. `hands` has a list of numbers for each hand, in thousandths: for mano at my
own seat, at the one to my right, at my partner's and to my left (`manos`), for each of the
`lances`, `side` and then `best`, with the meanings of `assistant.odds.LanceChance`. These odds know
nothing but the own hand. `same` names the ranks that count as another one: a tres is a rey if eight
reyes are played.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from assistant.files.paths import data_dir
from assistant.odds import Known
from assistant.odds.deck import OddsDeck, deck_of, hands_of
from assistant.odds.rivals import SEATS
from assistant.odds.stones import chances_of
from assistant.rules.cards import Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

UNIT = 1000
FIELDS = ("side", "best")
MANOS = ("me", "right", "partner", "left")


def numbers(hand: tuple[Rank, ...], deck: OddsDeck) -> list[int]:
    """The numbers of one hand, in thousandths."""
    return [
        round(UNIT * getattr(chance, name))
        for mano in range(1, SEATS + 1)
        for chance in chances_of(Known(hand, seat=1, mano=mano), deck).values()
        for name in FIELDS
    ]


def table(deck: OddsDeck) -> dict[str, object]:
    """All hands of a deck, by their ranks from the highest: "RRC1"."""
    return {
        "unit": UNIT,
        "manos": MANOS,
        "lances": list(Lance),
        "fields": FIELDS,
        "same": {rank: deck.played(rank) for rank in Rank if deck.played(rank) != rank},
        "hands": {"".join(hand): numbers(hand, deck) for hand in hands_of(deck).ranks},
    }


def main(arguments: list[str] | None = None) -> int:
    """Write the table. The exit status is 2 if it cannot be written."""
    parser = argparse.ArgumentParser(
        description="Write the odds of all hands for the telephone (half a minute).",
        epilog="example: scripts/lab/tabulate_odds.py --out odds.json",
    )
    parser.add_argument(
        "--kings",
        type=int,
        choices=(8, 4),
        default=8,
        help="number of reyes in the deck; default: 8",
    )
    parser.add_argument("--out", type=Path, help="file to write; default: models/odds/kings8.json")
    options = parser.parse_args(arguments)
    out = options.out or data_dir("models") / "odds" / f"kings{options.kings}.json"
    text = json.dumps(table(deck_of(Profile(kings=options.kings))), separators=(",", ":"))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        print(f"tabulate_odds: {out} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    print(f"{out}: {len(text) + 1} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
