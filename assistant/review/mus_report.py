"""``mus report``: after the evening, each player and pair on a page and on paper."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import languages, load_wording, nearest, read_text
from assistant.files.settings import default_journal
from assistant.language.sentences import Wording
from assistant.review.mus_record import chosen_table
from assistant.review.report import (
    SHAPE,
    Block,
    EveningReport,
    Heading,
    Rows,
    Sentences,
    blocks,
    inside,
    report,
    report_json,
)
from assistant.review.season import DAY, EVENING
from assistant.rules.errors import HistoryError, Translatable
from assistant.rules.history import Record, fold
from assistant.table.journal import SqliteJournal, TableInfo, tables

NOTHING = "Nothing was dealt at that table yet: play first."


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "report",
        help="after the evening: each player and pair, on a page and on paper",
        description="Tell of each player and pair what was called, won and given away, and which "
        "bets were wanted above and below the odds, with pictures: a page and a PDF. It reads "
        "this machine's journal and stays on this machine.",
        epilog="example: mus report --since 2026-01-01 --out .",
    )
    parser.add_argument(
        "table", nargs="?", metavar="TABLE", help="one match; default: those of the last evening"
    )
    parser.add_argument("--since", type=day_of, metavar="DATE", help="all matches since 2026-01-31")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the two files go")
    parser.add_argument("--language", choices=languages("report"), help="default: the table's")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where the game is kept")
    parser.add_argument("--json", action="store_true", help="print JSON, and write no files")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if args.table and args.since is not None:
        raise UsageError("TABLE is one match, --since is many: choose one of them.")
    path = args.journal or default_journal()
    if not path.exists():
        raise UsageError(
            "There is no journal {path}: check the name given with --journal.", path=path
        )
    matches = _matches(path, args.table, args.since)
    try:
        found = report(matches)
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


@dataclass(frozen=True, slots=True)
class Telling:
    """A report in one language, ready to be shown as HTML, as a PDF or at a terminal."""

    blocks: tuple[Block, ...]
    title: str
    language: str

    @classmethod
    def of(cls, found: EveningReport, language: str) -> Telling:
        """Put a report into words. Raises UsageError or SentenceError."""
        words = report_words(language)
        date = f"{datetime.fromtimestamp(found.began):{DAY}}"
        return cls(tuple(blocks(found, words, date)), f"{words('title')} · {date}", language)

    def inside(self) -> str:
        """What stands in the page of the dashboard."""
        return inside(self.blocks)

    def page(self) -> str:
        """A whole page in one file."""
        style = read_text(data_dir("web") / "static" / "css" / "report.css")
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n"
            f"<style>\nbody {{ margin: 0; }}\n{style}</style>\n</head>\n"
            f'<body>\n<main class="report">\n{self.inside()}\n</main>\n</body>\n</html>\n'
        )

    def pdf(self) -> bytes:
        """The same on paper."""
        # Imported here because that takes half a second, and no other command should wait for it.
        from assistant.review.report.pdf import pdf_of

        return pdf_of(self.blocks, self.title, self.language)


def report_words(language: str) -> Wording:
    """The report's words in a language. Raises UsageError or SentenceError."""
    return load_wording("report", language, SHAPE)


def spoken(voice: str) -> str:
    """The language of a report for a table that speaks ``voice``."""
    return nearest("report", voice)


def text_of(told: Iterable[Block]) -> list[str]:
    """The report at a terminal: lines, without its pictures."""
    lines: list[str] = []
    for block in told:
        match block:
            case Heading(level, text):
                lines += ["", text.upper() if level < 3 else text]
            case Sentences(texts, items):
                lines += [f"- {text}" if items else text for text in texts]
            case Rows(header, rows):
                lines += _aligned((header, *rows))
    return lines[1:]


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


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


def read_match(path: Path, table: str) -> list[Record]:
    """The records of a match. Raises JournalError."""
    with closing(SqliteJournal(path, table, read_only=True)) as journal:
        return journal.read()


def _dealt(matches: Sequence[Sequence[Record]]) -> bool:
    states = [fold(records) for records in matches]
    return any(state is not None and state.deal for state in states)


def _language(matches: Sequence[Sequence[Record]]) -> str:
    state = fold(matches[-1])
    return spoken(state.profile.voice if state else "es")


def day_of(text: str) -> float:
    """When a day began, as Unix time, for argparse."""
    try:
        return time.mktime(time.strptime(text, DAY))
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(
        Translatable("{text!r}: write a day as 2026-01-31.", text=text)
    )
