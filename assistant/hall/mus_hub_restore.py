"""``mus hub restore``: a hall out of its file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from assistant.hall.mus_hub_backup import tell


def add_parser(commands: Any) -> None:
    """Declare the command."""
    from assistant.hall.mus_hub import add_database

    parser = commands.add_parser(
        "restore",
        help="put a hall out of its file into an empty database",
        description="Put a hall out of the file that mus hub backup wrote into an empty database, "
        "of either kind: so it moves from SQLite to PostgreSQL, too.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    from assistant.hall.mus_hub import need_parts

    need_parts()
    from assistant.hall.hub.database import opened
    from assistant.hall.hub.maintenance import restore

    with opened(args.database) as engine:
        rows = restore(engine, args.file)
    tell(rows, args.file, args.json)
    return 0
