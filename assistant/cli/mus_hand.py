"""``mus hand``: what hands are worth in each lance, and who wins each."""

from __future__ import annotations

import argparse
import json
from typing import Any

from assistant.files.process import UsageError
from assistant.files.profile_files import find_profile
from assistant.rules.cards import Hand, check_deal, parse_hand
from assistant.rules.errors import CardError
from assistant.rules.hands import describe, winners
from assistant.rules.phases import Lance
from assistant.rules.profile import Real31, profile_from

MAX_HANDS = 8


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "hand",
        help="value hands and say who wins each lance",
        description="Value hands of four cards, in order of speaking: the first is mano's.",
        epilog="example: mus hand 'R R C 1' '7 7 7 S' --real31 sota",
    )
    parser.add_argument("hands", nargs="+", metavar="HAND", help="four ranks, as in 'R R C 1'")
    parser.add_argument(
        "--profile", metavar="NAME|FILE", help="house rules by name; 'mus profiles' lists them"
    )
    parser.add_argument("--kings", choices=("8", "4"), help="kings in the deck; default: 8")
    parser.add_argument("--real31", choices=list(Real31), help="the '31 real'; default: off")
    parser.add_argument(
        "--real31-cards", metavar="'So 7o 7c 7e'", help="the four cards of --real31 suits"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    base = find_profile(args.profile).profile if args.profile is not None else None
    asked = {key: getattr(args, key) for key in ("kings", "real31", "real31_cards")}
    profile = profile_from({key: text for key, text in asked.items() if text is not None}, base)
    hands = _hands(args.hands, profile.kings)
    described = [describe(hand, profile) for hand in hands]
    won = winners(hands, profile)
    if args.json:
        result = {"hands": described, "winners": {str(k): v for k, v in won.items()}}
        print(json.dumps(result, ensure_ascii=False))
    else:
        print(_table(described, won))
    return 0


def _hands(texts: list[str], kings: int) -> tuple[Hand, ...]:
    if len(texts) == 4 and all(len(text) <= 2 for text in texts):
        texts = [" ".join(texts)]  # one hand typed without quotes: mus hand R R C 1
    if len(texts) > MAX_HANDS:
        raise UsageError(f"At most {MAX_HANDS} hands can be compared, not {len(texts)}.")
    hands = tuple(parse_hand(text) for text in texts)
    try:
        check_deal(hands, kings)
    except CardError as error:
        raise UsageError(f"One deck cannot deal these hands: {error}") from error
    return hands


def _table(described: list[dict[str, Any]], won: dict[Lance, int | None]) -> str:
    rows = [("", "cartas", "pares", "puntos", "gana")]
    for i, hand in enumerate(described, start=1):
        pares = f"{hand['pares']['kind']} ({hand['pares']['value']})" if hand["pares"] else "-"
        points = f"{hand['points']}{' (juego)' if hand['juego'] else ''}"
        wins = ", ".join(lance for lance, seat in won.items() if seat == i) or "-"
        rows.append((str(i), hand["cards"], pares, points, wins))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
