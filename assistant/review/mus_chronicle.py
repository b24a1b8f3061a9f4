"""``mus chronicle``: the evening in figures and pictures, for its players."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from assistant.files.process import UsageError
from assistant.files.resources import load_phrases, load_wording
from assistant.files.settings import kept_journal
from assistant.language.sentences import Wording
from assistant.review.chronicle import (
    SHAPE,
    Chronicle,
    DealTold,
    as_json,
    chronicle,
    deal_svg,
    deal_told,
    lances_svg,
    score_svg,
    told,
)
from assistant.review.mus_record import chosen_table
from assistant.rules.history import Record, fold
from assistant.rules.state import State
from assistant.table.journal import SqliteJournal, tables

PICTURES = {"score": score_svg, "lances": lances_svg}


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "chronicle",
        help="tell the evening in figures and draw it",
        description="Tell who won what at a table, the largest bets and every órdago; draw the "
        "running score, the lances won, or one deal with its cards. Reads only, also while the "
        "table is being played.",
        epilog="example: mus chronicle --deal 7 --svg siete.svg",
    )
    parser.add_argument("table", nargs="?", metavar="TABLE", help="default: the last one")
    parser.add_argument("--deal", type=int, metavar="N", help="draw, or tell, one deal")
    parser.add_argument(
        "--picture", choices=tuple(PICTURES), help="which one --svg draws; default: score"
    )
    parser.add_argument("--svg", type=Path, metavar="FILE.svg", help="write a picture")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where the game is kept")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if args.picture and (args.deal is not None or not args.svg):
        raise UsageError("--picture says what --svg draws of the evening: add --svg, no --deal.")
    path = kept_journal(args.journal)
    records = _read(path, chosen_table(tables(path), args.table, path))
    state = fold(records)
    if state is None:
        raise UsageError("No match was begun at that table yet: play one first.")
    found = chronicle(records)
    words = load_words(state.profile.voice)
    if args.svg:
        _write(args.svg, _drawn(found, args, words))
    if args.json:
        print(json.dumps(_data(found, args.deal), ensure_ascii=False))
    elif not args.svg:
        print(_said(found, args.deal, words, state, records))
    return 0


def load_words(language: str = "es") -> Wording:
    """The chronicle's words in a language. Raises UsageError or SentenceError."""
    return load_wording("chronicle", language, SHAPE)


def _read(path: Path, table: str) -> list[Record]:
    with closing(SqliteJournal(path, table, read_only=True)) as journal:
        return journal.read()


def _drawn(found: Chronicle, args: argparse.Namespace, words: Wording) -> str:
    if args.deal is None:
        return PICTURES[args.picture or "score"](found, words)
    return deal_svg(_deal(found, args.deal), words)


def _deal(found: Chronicle, number: int) -> DealTold:
    deal = found.deal(number)
    if deal is None:
        if not found.deals:
            raise UsageError(
                "There is no deal {number} at this table: it has none yet.", number=number
            )
        raise UsageError(
            "There is no deal {number} at this table: it has 1 to {last}.",
            number=number,
            last=found.deals[-1].number,
        )
    return deal


def _data(found: Chronicle, deal: int | None) -> dict[str, Any]:
    return as_json(found if deal is None else _deal(found, deal))


def _said(
    found: Chronicle, deal: int | None, words: Wording, state: State, records: list[Record]
) -> str:
    if deal is not None:
        return deal_told(_deal(found, deal), words)
    phrases = load_phrases(state.profile.voice)
    return told(found, words, lambda event: phrases.log_line(event, state, records))


def _write(path: Path, svg: str) -> None:
    try:
        path.write_text(f"{svg}\n", "utf-8")
    except OSError as error:
        raise UsageError(
            "{path} cannot be written: {why}.", path=path, why=error.strerror or error
        ) from error
    print(path, file=sys.stderr)
