"""Make the stubs of a new wording, house rule or language, and list what is still missing.

    ./scripts/new wording "voy con todo" --means ordago
    ./scripts/new rule max_bet --choices 0-200 --default 0 --row R21 --means "largest first bet"
    ./scripts/new language fr

Exit status 0: written (with --dry-run: could be written). 1: written, but the ear does not know or
hear the wording yet. 2: refused, and nothing was written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.making import language, rule, wording
from scripts.making.changes import Changes, MakingError

ROOT = Path(__file__).resolve().parents[2]


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command in a checkout."""
    args = _parser().parse_args(argv)
    changes = Changes(root)
    try:
        made = args.make(args, changes)
    except MakingError as error:
        print(f"new: {error}", file=sys.stderr)
        return 2
    if args.dry_run:
        _tell(args, made | {"written": False}, changes)
        return 0
    changes.write()
    status = 0
    if args.verb == "wording":
        status = _teach_the_ear(args, made, changes)
    _tell(args, made | {"written": True}, changes)
    return status


def _parser() -> argparse.ArgumentParser:
    told = (__doc__ or "").split("\n\n")
    parser = argparse.ArgumentParser(
        prog="scripts/new",
        description=told[0],
        epilog="\n\n".join(told[1:]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    for add in (_add_wording, _add_rule, _add_language):
        verb = add(verbs)
        verb.add_argument(
            "--dry-run", action="store_true", help="say what would change, and write nothing"
        )
        verb.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_wording(verbs: Any) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = verbs.add_parser(
        "wording",
        help="a new wording for a call",
        description="Add a wording to the lexicon, to its cases, and, where it has a new word, to "
        "the words that the ear knows. A slow test then reads it aloud to the ear.",
        epilog='example: scripts/new wording "son demasiadas" --means refuse --like "son muchas"',
    )
    verb.add_argument("wording", help='as it is said: "subo {n}", "[ya] voy con todo"')
    verb.add_argument("--means", required=True, help="the call, as the lexicon names it: ordago")
    verb.add_argument(
        "--like", default="", metavar="WORDING", help="an older wording that means just the same"
    )
    verb.add_argument("--lang", default="es", help="the language's code; default: es")
    verb.add_argument(
        "--no-graph", action="store_true", help="do not build the ear's word graph again"
    )
    verb.set_defaults(make=_wording)
    return verb


def _add_rule(verbs: Any) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = verbs.add_parser(
        "rule",
        help="a new house rule",
        description="Add a house rule: its record, its texts in each language, its line of "
        "docs/rules.md, and a test of what it does, all to be filled in.",
        epilog="example: scripts/new rule max_bet --choices 0-200 --default 0 --row R21 "
        '--means "largest first bet; 0 is any" --before min_raise --refuses',
    )
    verb.add_argument("key", help="name of the rule in files, as max_bet")
    verb.add_argument(
        "--choices",
        required=True,
        help="what the rule can be set to: on,off or one,two,three or 0-200",
    )
    verb.add_argument(
        "--default", required=True, help="value that the rule had before there was a choice"
    )
    verb.add_argument("--row", required=True, help="row of docs/rules.md, as R21")
    verb.add_argument("--means", required=True, help="what the rule is about, in English")
    verb.add_argument(
        "--before",
        default="senas",
        metavar="KEY",
        help="put the new rule before this one in every list",
    )
    verb.add_argument(
        "--refuses", action="store_true", help="the rule refuses calls, with a sentence of its own"
    )
    verb.set_defaults(make=_rule)
    return verb


def _add_language(verbs: Any) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = verbs.add_parser(
        "language",
        help="a new language of calls, voice and pages",
        description="Copy the files of a language under a new code, to be translated, and list "
        "what is untranslated. A later run lists what is left, and copies what is new.",
        epilog="example: scripts/new language fr --from en",
    )
    verb.add_argument("code", help="code of the language, as fr")
    verb.add_argument(
        "--from", dest="source", default="es", help="language whose texts are copied; default: es"
    )
    verb.set_defaults(make=_language)
    return verb


def _wording(args: argparse.Namespace, changes: Changes) -> dict[str, Any]:
    wording.add_wording(changes, args.wording, args.means, args.lang, args.like)
    new = wording.unheard(changes.root, args.wording)
    return {"wording": args.wording, "means": args.means, "language": args.lang, "new_words": new}


def _rule(args: argparse.Namespace, changes: Changes) -> dict[str, Any]:
    names = ("key", "choices", "default", "row", "means", "before", "refuses")
    new = rule.NewRule(**{name: getattr(args, name) for name in names})
    rule.add_rule(changes, new)
    return rule.as_data(new)


def _language(args: argparse.Namespace, changes: Changes) -> dict[str, Any]:
    left = language.add_language(changes, args.code, args.source)
    return {"language": args.code, "from": args.source, "untranslated": left}


def _teach_the_ear(args: argparse.Namespace, made: dict[str, Any], changes: Changes) -> int:
    """Build the word graph again if a word is new, and let the ear hear the wording."""
    if args.no_graph:
        return 0
    try:
        if made["new_words"]:
            wording.build_graph(changes.root)
        made["heard"] = wording.heard(changes, args.wording, args.lang)
    except MakingError as error:
        changes.missing.append(str(error))
        return 1
    return 0


def _tell(args: argparse.Namespace, made: dict[str, Any], changes: Changes) -> None:
    if args.json:
        told = {**made, "files": changes.names(), "missing": changes.missing}
        print(json.dumps(told, ensure_ascii=False))
        return
    print("Would change:" if args.dry_run else "Changed:")
    print("\n".join(f"  {name}" for name in changes.names()) or "  nothing")
    if made.get("new_words"):
        print(f"New to the ear: {', '.join(made['new_words'])}")
    if "heard" in made:
        print(f"The ear hears: {made['heard']}")
    if changes.missing:
        print("Still missing:")
        print("\n".join(f"  {missing}" for missing in changes.missing))


if __name__ == "__main__":
    sys.exit(main())
