"""``mus report``: after the evening, each player and pair on a page and on paper."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from assistant.files.process import UsageError
from assistant.files.resources import languages
from assistant.files.settings import kept_journal
from assistant.review.evening import Telling, day_of, read_match, spoken, text_of
from assistant.review.mus_record import chosen_table
from assistant.review.report import report, report_json
from assistant.review.season import DAY, EVENING
from assistant.rules.errors import HistoryError
from assistant.rules.history import Record, fold
from assistant.school.judge.answers import weigh
from assistant.table.journal import TableInfo, tables

NOTHING = "Nothing was dealt at that table yet: play first."


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "report",
        help="after the evening: each player and pair, on a page and on paper",
        description="Tell of each player and pair what was called, won and given away, and which "
        "bets were worth accepting, with pictures: a page and a PDF. It reads this machine's "
        "journal and stays on this machine.",
        epilog="example: mus report --since 2026-01-01 --out .",
    )
    parser.add_argument(
        "table", nargs="?", metavar="TABLE", help="one match; default: those of the last evening"
    )
    since = "all matches since that day, as 2026-01-31"
    parser.add_argument("--since", type=day_of, metavar="DATE", help=since)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the two files go")
    parser.add_argument("--language", choices=languages("report"), help="default: the table's")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where the game is kept")
    parser.add_argument("--json", action="store_true", help="print JSON, and write no files")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if args.table and args.since is not None:
        raise UsageError("TABLE is one match, --since is many: choose one of them.")
    path = kept_journal(args.journal)
    matches = _matches(path, args.table, args.since)
    try:
        found = report(matches, weigh)
    except HistoryError as error:
        raise UsageError(NOTHING if not _dealt(matches) else str(error)) from error
    if args.json:
        print(json.dumps(report_json(found), ensure_ascii=False))
        return 0
    told = Telling.of(found, args.language or _language(matches))
    folder = args.out or path.parent / "reports"
    name = f"mus-{datetime.fromtimestamp(found.began):{DAY}}"
    page, paper = folder / f"{name}.html", folder / f"{name}.pdf"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page.write_text(told.page(), "utf-8")
        paper.write_bytes(told.pdf())
    except OSError as error:
        raise UsageError(
            "{folder} cannot be written: {why}.", folder=folder, why=error.strerror or error
        ) from error
    print("\n".join([*text_of(told.blocks), "", str(page), str(paper)]))
    return 0


def _matches(path: Path, table: str | None, since: float | None) -> list[list[Record]]:
    """The records of the matches that were asked for, the first played first."""
    known = tables(path)
    last = chosen_table(known, table, path)
    if table:
        return [read_match(path, table)]
    chosen = [info for info in known if _is_of(info, known, last, since)]
    if not chosen:
        raise UsageError("No match was played since then: take an earlier --since.")
    return [read_match(path, info.table_id) for info in reversed(chosen)]


def _is_of(info: TableInfo, known: list[TableInfo], last: str, since: float | None) -> bool:
    """Whether a match was played since a time, or in the same evening as the last one."""
    if since is not None:
        return info.last_at >= since
    began = next(one.first_at for one in known if one.table_id == last)
    return abs(began - info.first_at) <= EVENING


def _dealt(matches: Sequence[Sequence[Record]]) -> bool:
    states = [fold(records) for records in matches]
    return any(state is not None and state.deal for state in states)


def _language(matches: Sequence[Sequence[Record]]) -> str:
    state = fold(matches[-1])
    return spoken(state.profile.voice if state else "es")
