"""``mus hub backup``: the whole hall in one file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any


def add_parser(commands: Any) -> None:
    """Declare the command."""
    from assistant.hall.mus_hub import add_database

    parser = commands.add_parser(
        "backup",
        help="write the whole hall into one file",
        description="Write the whole hall into one file, also while it is played.",
        epilog="mus hub restore FILE puts it into an empty database, of either kind.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    from assistant.hall.mus_hub import need_parts

    need_parts()
    from assistant.hall.hub.database import check_there, opened
    from assistant.hall.hub.maintenance import back_up

    check_there(args.database)
    with opened(args.database) as engine:
        rows = back_up(engine, args.file)
    tell(rows, args.file, args.json)
    return 0


def tell(rows: dict[str, int], file: Path, as_json: bool) -> None:
    """What went into a file, or came out of it."""
    if as_json:
        print(json.dumps({"file": str(file), "rows": rows}))
    else:
        print(f"{file}: {rows['tables']} tables, {rows['games']} games, {rows['events']} events")
