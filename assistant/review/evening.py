"""The report of an evening in one language: as a page, on paper, at a terminal."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path

from assistant.files.paths import data_dir
from assistant.files.resources import load_wording, nearest, read_text
from assistant.language.sentences import Wording
from assistant.review.report import (
    SHAPE,
    Block,
    EveningReport,
    Heading,
    Rows,
    Sentences,
    blocks,
    dated,
    inside,
)
from assistant.review.season import DAY
from assistant.rules.errors import Translatable
from assistant.rules.history import Record
from assistant.table.journal import SqliteJournal


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
        day = dated(datetime.fromtimestamp(found.began), words)
        return cls(tuple(blocks(found, words, day)), f"{words('title')} · {day}", language)

    def inside(self) -> str:
        """The content of the dashboard's page."""
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


def read_match(path: Path, table: str) -> list[Record]:
    """The records of a match. Raises JournalError."""
    with closing(SqliteJournal(path, table, read_only=True)) as journal:
        return journal.read()


def day_of(text: str) -> float:
    """When a day began, as Unix time, for argparse."""
    try:
        return time.mktime(time.strptime(text, DAY))
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(
        Translatable("{text!r}: write a day as 2026-01-31.", text=text)
    )
