"""``mus glossary``: the words of the game."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from assistant.files.process import UsageError
from assistant.school.lessons import Term, found_in
from assistant.school.lessons.files import USUAL, languages, load_glossary


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "glossary",
        help="what the words of the game mean",
        description="Explain a word of the game, or all of them.",
        epilog="example: mus glossary deje",
    )
    parser.add_argument("term", nargs="?", metavar="TERM", help="a word, or a part of one")
    parser.add_argument("--language", choices=languages(), default=USUAL, help="default: es")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    terms = load_glossary(args.language)
    if args.term is not None:
        terms = found_in(terms, args.term)
        if not terms:
            raise UsageError(
                f"The glossary has no {args.term[:40]!r}: 'mus glossary' prints all its words."
            )
    if args.json:
        print(json.dumps([asdict(term) for term in terms], ensure_ascii=False))
    else:
        print("\n\n".join(map(_entry, terms)))
    return 0


def _entry(term: Term) -> str:
    lines = [term.name.upper(), f"  {term.means}"]
    if term.said:
        lines.append(f"  {term.said}")
    if term.see:
        lines.append(f"  → {', '.join(term.see)}")
    return "\n".join(lines)
