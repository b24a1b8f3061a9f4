"""``mus hub doctor``: whether broker, database and tables are as they should be."""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from assistant.hall.hub.broker import HUB_LINE, remembered_broker
from assistant.rules.errors import MusError

CLOCK = 60.0
"""Seconds that a table's clock may be off before it is told."""
PATIENCE = 5.0
"""Seconds that the broker has to answer."""
OLD = 3600.0
"""Seconds; older refusals are history."""
SIGNS = {"ok": "✓", "warn": "!", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is ("ok", "warn", "bad"), and what to do about it."""

    what: str
    how: str
    told: str


def add_parser(commands: Any) -> None:
    """Declare the command."""
    from assistant.hall.mus_hub import add_broker, add_database

    parser = commands.add_parser(
        "doctor",
        help="look whether broker, database and tables are well",
        description="Look whether broker, database and tables are well.",
        epilog="Without --broker it asks the one that the hub on that database was started with on "
        "this machine. Exit status: 0 where nothing is wrong, 1 where something is.",
    )
    add_database(parser)
    add_broker(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    from assistant.hall.mus_hub import need_parts

    need_parts()
    from assistant.hall.hub.database import check_there

    check_there(args.database)
    found = [*_database(args.database), *_broker(args)]
    if args.json:
        print(json.dumps([asdict(finding) for finding in found], ensure_ascii=False))
    else:
        for finding in found:
            print(f"{SIGNS[finding.how]} {finding.what}: {finding.told}")
    return int(any(finding.how == "bad" for finding in found))


def _database(where: str) -> Iterator[Finding]:
    from assistant.hall.hub.database import newest_revision, opened, revision, told
    from assistant.hall.hub.store import JournalReader

    try:
        with opened(where) as engine:
            with told(engine), engine.connect() as connection:
                have = revision(connection)
            if have != newest_revision():
                wanted = newest_revision()
                yield Finding("database", "warn", f"schema {have}, not {wanted}: start mus hub.")
                return
            yield Finding("database", "ok", f"{engine.dialect.name}, schema {have}")
            yield from _tables(JournalReader(engine))
    except MusError as error:
        yield Finding("database", "bad", str(error))


def _tables(reader: Any) -> Iterator[Finding]:
    tables = reader.tables()
    there = sum(row.online for row in tables)
    yield Finding("tables", "ok", f"{there} of {len(tables)} are there")
    for row in tables:
        if row.online and abs(row.clock) > CLOCK:
            yield Finding(row.table, "warn", f"its clock is {row.clock:+.0f} s off: set it.")
    for game in reader.changed(float("-inf")):
        if game.fault:
            yield Finding(game.table, "bad", f"{game.game} does not add up: {game.fault}")
        elif game.highest > game.stored:
            yield Finding(
                game.table, "warn", f"{game.game}: {game.stored + 1} is missing, asked for again."
            )
    recent = [row for row in reader.refusals() if time.time() - row.at < OLD]
    if recent:
        row = recent[0]
        yield Finding("refused", "warn", f"{len(recent)} in an hour, last {row.topic}: {row.why}")


def _broker(args: argparse.Namespace) -> Iterator[Finding]:
    from assistant.hall.hub.database import shown_name
    from assistant.hall.hub.link import Ears, Link
    from assistant.hall.mus_hub import broker_of

    try:
        address = broker_of(args, remembered_broker(HUB_LINE, shown_name(args.database)))
        up = threading.Event()
        link = Link(address, "", Ears(up.set, lambda: None, lambda *_: None), logs=False)
        link.start()
        there = up.wait(PATIENCE)
        link.stop()
    except MusError as error:
        yield Finding("broker", "bad", str(error))
        return
    if there:
        yield Finding("broker", "ok", str(address))
    else:
        why = link.trouble or f"The broker {address} does not answer: check that it runs."
        yield Finding("broker", "bad", why)
