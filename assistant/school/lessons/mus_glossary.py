"""The glossary: the words of the game, each in a sentence or two; and ``mus glossary``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant.files.process import UsageError
from assistant.files.resources import load_texts, nearest, text_file
from assistant.language.lexicon import fold
from assistant.rules.errors import MusError
from assistant.school.lessons.files import USUAL, languages

KEYS = frozenset({"term", "means", "said", "see"})


class GlossaryError(MusError, ValueError):
    """A glossary that cannot be used; the text names the entry."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game: what it means, how it is said at a table, and which others to see."""

    name: str
    means: str
    said: str = ""
    see: tuple[str, ...] = ()

    @property
    def aloud(self) -> str:
        """The entry as it is read aloud."""
        said = f" Por ejemplo: {self.said}" if self.said else ""
        return f"{self.name}. {self.means}{said}"


def glossary_from(table: Mapping[str, Any]) -> tuple[Term, ...]:
    """The terms of a parsed file, in the order of the alphabet. Raises GlossaryError."""
    rows = table.get("term")
    if not isinstance(rows, list) or not rows:
        raise GlossaryError("A glossary has [[term]] entries.")
    terms = [_term(row, number) for number, row in enumerate(rows, start=1)]
    names = {term.name for term in terms}
    if len({_key(name) for name in names}) < len(terms):
        twice = next(term.name for term in terms if sum(t.name == term.name for t in terms) > 1)
        raise GlossaryError("The glossary has {twice!r} twice.", twice=twice)
    for term in terms:
        if unknown := set(term.see) - names:
            raise GlossaryError(
                "{term}: see {unknown!r}, which is no entry.", term=term.name, unknown=min(unknown)
            )
    return tuple(sorted(terms, key=lambda term: _key(term.name)))


def found_in(terms: Sequence[Term], asked: str) -> tuple[Term, ...]:
    """The terms of that name; else those with it in their name; else in what they mean."""
    wanted = _key(asked)
    if not wanted:  # an empty text is part of every name
        return ()
    tries = (
        [term for term in terms if _key(term.name) == wanted],
        [term for term in terms if wanted in _key(term.name)],
        [term for term in terms if wanted in _key(f"{term.means} {term.said}")],
    )
    return tuple(next(filter(None, tries), ()))


def _term(row: Any, number: int) -> Term:
    if not isinstance(row, dict) or not {"term", "means"} <= set(row) <= KEYS:
        raise GlossaryError(
"[[term]] number {number} needs term and means, and may "
"have said and see.",
number=number)  # fmt: skip
    see = row.get("see", [])
    texts = [row["term"], row["means"], row.get("said", ""), *see]
    if not isinstance(see, list) or not all(isinstance(text, str) for text in texts):
        raise GlossaryError(
            "[[term]] number {number}: write texts, and see as a list of them.", number=number
        )
    return Term(row["term"], row["means"], row.get("said", ""), tuple(see))


def _key(text: str) -> str:
    return " ".join(map(fold, text.split()))


def load_glossary(language: str = USUAL) -> tuple[Term, ...]:
    """The terms of a language. Raises UsageError."""
    try:
        return glossary_from(load_texts("glossary", language))
    except GlossaryError as error:
        path = text_file("glossary", nearest("glossary", language))
        raise UsageError("{path}: {error}", path=path, error=error) from error


# ---- ``mus glossary`` ---------------------------------------------------------------------------


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
                "The glossary has no {term!r}: 'mus glossary' prints all its words.",
                term=args.term[:40],
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
