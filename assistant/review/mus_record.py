"""``mus record``: what was said, inferred and counted at a table, for a judge of a dispute."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.files.process import UsageError
from assistant.files.resources import load_phrases, load_wording, nearest
from assistant.files.settings import kept_journal
from assistant.files.terminal import terminal_language
from assistant.language.phrases import Phrases
from assistant.language.sentences import Wording
from assistant.review.record import (
    SHAPE,
    Note,
    as_json,
    build,
    clean,
    deal_script,
    markdown,
    match_script,
)
from assistant.rules.history import Record, fold
from assistant.rules.state import State, side_letters
from assistant.table.journal import SqliteJournal, TableInfo, tables
from assistant.table.journal.port import HEARD_KEPT

MOST_LISTED = 50
"""The most tables that ``--list`` shows, the last ones; each is read completely for its score."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "record",
        help="tell what was said, inferred and counted, and why",
        description="Print the record of a table for a dispute: the words as they were heard "
        "beside what they were taken for, what was inferred, the stones one by one with the rule, "
        "and whether the recount agrees. Reads only, also while the table is being played.",
        epilog="examples: mus record; mus record --deal 7; mus record --list",
    )
    parser.add_argument("table", nargs="?", metavar="TABLE", help="default: the last one")
    parser.add_argument("--deal", type=int, metavar="N", help="one deal alone")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where the game is kept")
    parser.add_argument("--list", action="store_true", help="list the tables of the journal")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--md", action="store_true", help="a page of text; the default")
    form.add_argument("--mus", action="store_true", help="a script that plays to the same stones")
    form.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if args.list and (args.table or args.deal is not None or args.mus):
        raise UsageError("--list tells of all tables: leave out TABLE, --deal and --mus.")
    if args.deal is not None and args.deal < 1:
        raise UsageError("--deal {deal}: deals are counted from 1.", deal=args.deal)
    path = kept_journal(args.journal)
    found = tables(path)
    if args.list:
        return _list(path, found, args.json)
    table = chosen_table(found, args.table, path)
    records, notes = _read(path, table)
    if args.mus:
        script = match_script(records) if args.deal is None else deal_script(records, args.deal)
        sys.stdout.write(script)
        return 0
    words, phrases = _words()
    forgotten = len(notes) >= HEARD_KEPT
    told = build(table, records, notes, phrases, deal=args.deal, forgotten=forgotten)
    if args.json:
        print(json.dumps(as_json(told), ensure_ascii=False))
    else:
        print(markdown(told, words, phrases))
    return 0


def _words() -> tuple[Wording, Phrases]:
    """The record's sentences and the table's, in the language of the terminal."""
    language = terminal_language()
    return load_words(language), load_phrases(nearest("phrases", language))


def load_words(language: str = "es") -> Wording:
    """The record's sentences in a language. Raises UsageError or SentenceError."""
    return load_wording("record", language, SHAPE)


def chosen_table(found: list[TableInfo], table: str | None, path: Path) -> str:
    """The table asked for, or the last one. Raises UsageError."""
    known = [info.table_id for info in found]
    if not known:
        raise UsageError("The journal {path} holds no table yet: play one first.", path=path)
    if table is None:
        return known[0]
    if table not in known:
        raise UsageError(
            "There is no table {table!r} in {path}: `mus record --list` names them.",
            table=table,
            path=path,
        )
    return table


def _read(path: Path, table: str) -> tuple[list[Record], list[Note]]:
    """All that is kept of a table. Raises JournalError."""
    with closing(SqliteJournal(path, table, read_only=True)) as journal:
        # The heard log first, so that each note of a running table has its batch among the records.
        heard = journal.heard(HEARD_KEPT)
        records = journal.read()
    return records, [Note(h.at, h.text, h.seat, h.outcome, h.detail) for h in heard]


def _list(path: Path, found: list[TableInfo], as_data: bool) -> int:
    """Every table with its dates, players and score."""
    rows = [_row(path, info) for info in found[:MOST_LISTED]]
    if as_data:
        print(json.dumps({"tables": rows, "left_out": len(found) - len(rows)}, ensure_ascii=False))
        return 0
    words, phrases = _words()
    if not rows:
        print(words("list.empty"))
        return 0
    print(words("list.title"))
    for row in rows:
        sides = words("page.versus").join(
            clean(phrases.language.join(names)) for names in row["sides"].values()
        )
        began, ended = (datetime.fromisoformat(row[key]) for key in ("began", "ended"))
        score = _score_text(words, row)
        line = words(
            "list.table",
            table=clean(row["table"]),
            date=f"{began:%Y-%m-%d}",
            began=f"{began:%H:%M:%S}",
            ended=f"{ended:%H:%M:%S}",
            sides=sides,
            score=score,
        )
        print(f"- {line}.")
    if len(found) > len(rows):
        print(words("list.more", n=len(found) - len(rows)))
    return 0


def _row(path: Path, info: TableInfo) -> dict[str, Any]:
    with closing(SqliteJournal(path, info.table_id, read_only=True)) as journal:
        state = fold(journal.read())
    return {
        "table": info.table_id,
        "began": _time(info.first_at),
        "ended": _time(info.last_at),
        **(_standing(state) if state else {}),
    }


def _standing(state: State) -> dict[str, Any]:
    letters = side_letters(state.sides)
    names = {s: [state.seats[n - 1] for n in sorted(state.seats_of(s))] for s in letters}
    return {
        "sides": names,
        "deal": state.deal,
        "stones": dict(zip(letters, state.stones, strict=True)),
        "juegos": dict(zip(letters, state.juegos, strict=True)),
        "winner": state.winner,
    }


def _score_text(words: Wording, row: dict[str, Any]) -> str:
    stones, juegos = (
        ", ".join(words("page.score_side", side=side, stones=n) for side, n in row[key].items())
        for key in ("stones", "juegos")
    )
    return f"{stones}; {words('page.juegos', juegos=juegos)}"


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).astimezone().isoformat(timespec="seconds")
