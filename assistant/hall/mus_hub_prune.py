"""``mus hub prune``: forget what is old."""

from __future__ import annotations

import argparse
import json
from typing import Any


def add_parser(commands: Any) -> None:
    """Declare the command."""
    from assistant.hall.mus_hub import add_database, days

    parser = commands.add_parser(
        "prune",
        help="forget games that nobody has touched for long",
        description="Forget games that nobody has touched for so many days, with their events. "
        "Results of tournaments stay; the records of their games, for disputes, do not.",
        epilog="Without --yes it only tells how many they are. mus hub --keep DAYS does it daily.",
    )
    parser.add_argument("--older", type=days, required=True, metavar="DAYS")
    parser.add_argument("--yes", action="store_true", help="do it")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    from assistant.hall.mus_hub import need_parts

    need_parts()
    from assistant.hall.hub.database import opened_hall
    from assistant.hall.hub.maintenance import old_games, prune

    with opened_hall(args.database) as engine:
        games, events = old_games(engine, args.older)
        if args.yes:
            prune(engine, args.older)
    if args.json:
        print(json.dumps({"games": games, "events": events, "forgotten": args.yes}))
    else:
        what = "forgotten" if args.yes else "would be forgotten (--yes does it)"
        print(f"{games} games, {events} events {what}")
    return 0
