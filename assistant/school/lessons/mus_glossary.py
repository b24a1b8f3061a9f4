"""The glossary: the words of the game, each in a sentence or two; and ``mus glossary``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml, load_wording
from assistant.language.lexicon import fold
from assistant.rules.errors import MusError
from assistant.school.lessons.files import USUAL, at_the_terminal, languages

GLOSSARY = "glossary"
FOR_EXAMPLE = "example"
"""The sentence with which a saying is read aloud."""


class GlossaryError(MusError, ValueError):
    """A glossary that cannot be used; the text names the entry."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game: what it means, how it is said at a table, and which others to see.

    ``aloud`` is the entry as it is read aloud.
    """

    name: str
    means: str
    said: str = ""
    see: tuple[str, ...] = ()
    aloud: str = ""


def glossary_from(entries: Mapping[str, Any], texts: Mapping[str, str]) -> tuple[Term, ...]:
    """The terms in the order of the alphabet. Raises GlossaryError.

    ``entries``: those that each entry names. ``texts``: those of a language, by key: "deje.means".
    """
    if not entries:
        raise GlossaryError("A glossary has entries.")
    for key, see in entries.items():
        if not isinstance(see, list) or not all(isinstance(one, str) for one in see):
            raise GlossaryError("{entry}: write a list of the entries to see.", entry=key)
        if unknown := set(see) - set(entries):
            raise GlossaryError(
                "{term}: see {unknown!r}, which is no entry.", term=key, unknown=min(unknown)
            )
        for needed in ("term", "means"):
            if f"{key}.{needed}" not in texts:
                raise GlossaryError("{entry} needs {needed}.", entry=key, needed=needed)
    if extra := {key.partition(".")[0] for key in texts} - {FOR_EXAMPLE, *entries}:
        raise GlossaryError("{entry} is no entry.", entry=min(extra))
    terms = [_term(key, see, texts) for key, see in entries.items()]
    names = {_key(term.name) for term in terms}
    if len(names) < len(terms):
        twice = next(t.name for t in terms if sum(_key(t.name) == _key(o.name) for o in terms) > 1)
        raise GlossaryError("The glossary has {twice!r} twice.", twice=twice)
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


def _term(key: str, see: Sequence[str], texts: Mapping[str, str]) -> Term:
    name, means = texts[f"{key}.term"], texts[f"{key}.means"]
    said = texts.get(f"{key}.said", "")
    example = texts.get(FOR_EXAMPLE, "{said}").format(said=said) if said else ""
    aloud = " ".join(filter(None, (f"{name}.", means, example)))
    return Term(name, means, said, tuple(texts[f"{one}.term"] for one in see), aloud)


def _key(text: str) -> str:
    return " ".join(map(fold, text.split()))


def load_glossary(language: str = USUAL) -> tuple[Term, ...]:
    """The terms of a language. Raises UsageError, SentenceError."""
    path = data_dir("models") / f"{GLOSSARY}.toml"
    try:
        return glossary_from(load_toml(path), load_wording(GLOSSARY, language).texts)
    except GlossaryError as error:
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
    parser.add_argument("--language", choices=languages(), help="default: the terminal's")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    terms = load_glossary(args.language or at_the_terminal())
    if args.term is not None:
        terms = found_in(terms, args.term)
        if not terms:
            raise UsageError(
                "The glossary has no {term!r}: 'mus glossary' prints all its words.",
                term=args.term[:40],
            )
    if args.json:
        print(json.dumps([_told(term) for term in terms], ensure_ascii=False))
    else:
        print("\n\n".join(map(_entry, terms)))
    return 0


def _told(term: Term) -> dict[str, Any]:
    return {key: value for key, value in asdict(term).items() if key != "aloud"}


def _entry(term: Term) -> str:
    lines = [term.name.upper(), f"  {term.means}"]
    if term.said:
        lines.append(f"  {term.said}")
    if term.see:
        lines.append(f"  → {', '.join(term.see)}")
    return "\n".join(lines)
