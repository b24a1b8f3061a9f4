"""``mus hub export``: a game of the hall as JSON lines, or as a journal of its own."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from assistant.files.errors import UsageError
from assistant.messages.codec import event_to_dict
from assistant.table.journal import SqliteJournal


def add_parser(commands: Any) -> None:
    """Declare the command."""
    from assistant.hall.mus_hub import add_database

    parser = commands.add_parser(
        "export",
        help="a game of the hall as JSON lines, or as a journal",
        description="Write a game of the hall: as JSON lines, or as a journal, which mus record, "
        "mus chronicle and mus report read.",
        epilog="example: mus hub export mesa-7 --journal mesa-7.sqlite3 && "
        "mus record --journal mesa-7.sqlite3",
    )
    parser.add_argument("table", metavar="TABLE", help="as mesa-7")
    parser.add_argument("--game", metavar="NAME", help="which of its games; default: the newest")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="a new journal to write")
    add_database(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    from assistant.hall.mus_hub import need_parts

    need_parts()
    from assistant.hall.hub.database import opened_hall
    from assistant.hall.hub.store import JournalReader

    with opened_hall(args.database) as engine:
        reader = JournalReader(engine)
        games = reader.games(args.table)
        game = next((g for g in reversed(games) if args.game in (None, g.game)), None)
        if game is None:
            names = ", ".join(g.game for g in games) or ", ".join(t.table for t in reader.tables())
            raise UsageError(f"There is no such game; there are: {names or 'none yet'}.")
        records = reader.records(game.id, 0, game.stored)
    if args.journal:
        if args.journal.exists():
            raise UsageError(f"{args.journal} is there already: name a new file.")
        with closing(SqliteJournal(args.journal, game.game)) as journal:
            journal.append(records)
        return 0
    for r in records:
        line = {"table": game.table, "game": game.game, "seq": r.seq, "batch": r.batch, "at": r.at}
        sys.stdout.write(json.dumps({**line, "event": event_to_dict(r.event)}) + "\n")
    return 0
