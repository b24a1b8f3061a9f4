"""``mus season``: each player and pair across evenings, ranked, and who plays with whom next."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistant.files.process import UsageError
from assistant.files.profile_files import rules_named
from assistant.files.resources import languages, load_wording, nearest
from assistant.files.settings import default_journal, kept_journal
from assistant.language.sentences import Wording
from assistant.review.evening import day_of, read_match, report_words, spoken, text_of
from assistant.review.mus_record import chosen_table
from assistant.review.season import (
    MOST_NAMES,
    SHAPE,
    match_played,
    name_key,
    next_pairs,
    season,
    season_blocks,
    season_json,
)
from assistant.rules.errors import HistoryError
from assistant.rules.events import GameOpened
from assistant.rules.history import Record
from assistant.rules.profile import Profile
from assistant.table.journal import tables

FEWEST_NAMES = 4


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "season",
        help="each player and pair across evenings, ranked, and the next pairs",
        description="Tell of each player and pair, across all evenings, the matches, juegos and "
        "stones, in the order of the share of matches won. Matches that were not finished are "
        "left out, and counted as such. It reads this machine's journal and stays on this machine.",
        epilog="example: mus season --since 2026-09-01 --next Ana Luis Eva Jon",
    )
    since = "all matches since that day, as 2026-01-31"
    parser.add_argument("--since", type=day_of, metavar="DATE", help=since)
    parser.add_argument("--profile", metavar="NAME|FILE", help="only matches by these house rules")
    parser.add_argument(
        "--next",
        nargs="+",
        metavar="NAME",
        help="propose pairs of these players: those who have played together least",
    )
    parser.add_argument("--language", choices=languages("season"), help="default: the table's")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where the game is kept")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    names = _checked(args.next or ())
    rules = rules_named(args.profile) if args.profile else None
    # The next pairs may be asked for before the first evening.
    early = names and not args.journal
    path = default_journal() if early else kept_journal(args.journal)
    matches = matches_of(path, args.since, rules)
    if not matches and not names:
        chosen_table(tables(path), None, path)
        raise UsageError("No match was played so: take another --since or --profile.")
    try:
        played = map(match_played, matches)
        found = season(one for one in played if one)
    except HistoryError as error:
        raise UsageError(str(error)) from error
    pairs = next_pairs(names, found) if names else ()
    if args.json:
        print(json.dumps(season_json(found, pairs), ensure_ascii=False))
        return 0
    language = args.language or _language(matches)
    words, dates = season_words(language), report_words(spoken(language))
    print("\n".join(text_of(season_blocks(found, words, dates, pairs))))
    return 0


def spoken_season(voice: str) -> str:
    """The language of a season for a table that speaks ``voice``."""
    return nearest("season", voice)


def season_words(language: str) -> Wording:
    """The season's words in a language. Raises UsageError or SentenceError."""
    return load_wording("season", language, SHAPE)


def matches_of(
    path: Path, since: float | None = None, rules: Profile | None = None
) -> list[list[Record]]:
    """The matches of a journal, played since a time and by these house rules, the oldest first.

    Raises JournalError.
    """
    chosen = [info for info in tables(path) if since is None or info.last_at >= since]
    found = [read_match(path, info.table_id) for info in reversed(chosen)]
    return [records for records in found if rules in (None, _rules(records))]


def _rules(records: Sequence[Record]) -> Profile | None:
    opened = records[0].event if records else None
    return opened.profile if isinstance(opened, GameOpened) else None


def _checked(names: Sequence[str]) -> tuple[str, ...]:
    """The names given with ``--next``. Raises UsageError."""
    if not names:
        return ()
    if len(names) % 2 or not FEWEST_NAMES <= len(names) <= MOST_NAMES:
        raise UsageError(
            "--next: give an even number of names, {fewest} to {most}, not {n}.",
            fewest=FEWEST_NAMES,
            most=MOST_NAMES,
            n=len(names),
        )
    known: dict[str, str] = {}
    for name in names:
        if other := known.get(name_key(name)):
            raise UsageError(
                "--next: {name!r} and {other!r} are one player: name each once.",
                name=name,
                other=other,
            )
        known[name_key(name)] = name
    return tuple(names)


def _language(matches: Sequence[Sequence[Record]]) -> str:
    rules = _rules(matches[-1]) if matches else None
    return spoken_season(rules.voice if rules else "es")
