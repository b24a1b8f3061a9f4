"""``mus profiles``: the named house rules, what each of them sets, and a template."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assistant.files.process import UsageError
from assistant.files.profile_files import (
    NAME,
    SUFFIX,
    NamedProfile,
    find_profile,
    load_profile,
    own_dir,
    profile_paths,
)
from assistant.files.resources import SPANISH, load_texts, load_wording, text_file
from assistant.files.terminal import in_terminal_language, output_text, terminal_language
from assistant.rules.profile import OPTIONS, Profile, differences, rules_of

MARK = "*"
SETUP = "page/setup"
"""The words of the page on which a table is set up."""


@dataclass(frozen=True, slots=True)
class ProfileOption:
    """One house rule in one language: its name, its meaning, and its values in words."""

    name: str
    means: str
    values: dict[str, str]

    def said(self, value: str) -> str:
        """A value in words; ``value`` joins several by "+"."""
        return output_text(" and ").join(self.values.get(part, part) for part in value.split("+"))


def options(language: str) -> dict[str, ProfileOption]:
    """Every rule of ``OPTIONS`` in a language. Raises UsageError if the file is broken."""
    path, table = text_file("options", language), load_texts("options", language)
    if set(table) != set(OPTIONS):
        wrong = ", ".join(sorted(set(table) ^ set(OPTIONS)))
        raise UsageError(
            "{path}: every rule has a table here, and nothing else: see {wrong}.",
            path=path,
            wrong=wrong,
        )
    return {key: _option(path, key, table[key]) for key in OPTIONS}


def _option(path: Path, key: str, table: Any) -> ProfileOption:
    values = table.get("values", {}) if isinstance(table, dict) else None
    if not isinstance(values, dict) or not all(map(_is_text, values.values())):
        raise UsageError(
            "{path}: [{key}] has name, means, and values with a text each.", path=path, key=key
        )
    texts = [table.get(name) for name in ("name", "means")]
    if not all(_is_text(text) and text for text in texts):
        raise UsageError("{path}: [{key}] needs name and means, as text.", path=path, key=key)
    switches = {"on": output_text("yes"), "off": output_text("no")}
    return ProfileOption(str(texts[0]), str(texts[1]), {**switches, **values})


def in_words(found: NamedProfile, language: str) -> tuple[str, str]:
    """The title of a profile, and what explains it.

    The files are in Spanish. In other languages the profiles that ship are named as on the page on
    which the table is set up, and ``models/eu/profiles.toml`` and its like explain them.
    """
    houses = _houses(language)
    if found.own or language == SPANISH or found.name not in houses:
        return found.title, found.explains
    return houses[found.name]["title"], load_texts("profiles", language)[found.name]["explains"]


@cache
def _houses(language: str) -> dict[str, dict[str, str]]:
    """The titles of the profiles on the page of the set-up. Raises UsageError, SentenceError."""
    load_wording(SETUP, language)  # a player may have edited the file: check it
    houses: dict[str, dict[str, str]] = load_texts(SETUP, language)["setup"]["houses"]
    return houses


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "profiles",
        help="list the house rules that have a name, explain one, or begin one's own",
        description="House rules under a name: list them all, explain one, or write a file for "
        "one's own. 'mus play --profile NAME' plays by them.",
        epilog="example: mus profiles vasco",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("profile", nargs="?", metavar="NAME|FILE.toml", help="explain this one")
    what.add_argument("--new", metavar="NAME", help="write a template of one's own")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if args.new is not None:
        return _new(args.new, args.json)
    if args.profile is not None:
        return _explain(find_profile(args.profile), args.json)
    return _list(args.json)


def _list(as_json: bool) -> int:
    """Print all profiles. A player's broken file does not hide the others."""
    found: list[NamedProfile] = []
    broken: list[UsageError] = []
    for path in profile_paths().values():
        try:
            found.append(load_profile(path))
        except UsageError as error:
            broken.append(error)
    if as_json:
        print(json.dumps({"profiles": [_brief(p) for p in found]}, ensure_ascii=False))
    else:
        print("\n".join(_listed(found)))
    for reason in broken:
        print(f"mus: {in_terminal_language(reason)}", file=sys.stderr)
    return 2 if broken else 0


def _brief(found: NamedProfile) -> dict[str, Any]:
    return {
        "name": found.name,
        "title": found.title,
        "own": found.own,
        "differences": differences(found.profile),
    }


def _listed(found: list[NamedProfile]) -> list[str]:
    language = terminal_language()
    words = options(language)
    width = max((len(p.name) for p in found), default=0)
    lines = []
    for p in found:
        own = output_text(" (your own)") if p.own else ""
        lines.append(f"{p.name.ljust(width)}  {in_words(p, language)[0]}{own}")
        special = "; ".join(
            f"{words[key].name}: {words[key].said(value)}"
            for key, value in differences(p.profile).items()
        )
        lines.append(f"{' ' * width}  {special or output_text('all as at a common table')}")
    return lines


def _explain(found: NamedProfile, as_json: bool) -> int:
    special, plain = differences(found.profile), rules_of(Profile())
    language = terminal_language()
    words = options(language)
    if as_json:
        rules = {
            key: {
                "value": value,
                "default": plain[key],
                "differs": key in special,
                "values": OPTIONS[key].values.told,
                "row": OPTIONS[key].row or None,
                "means": words[key].means,
            }
            for key, value in rules_of(found.profile).items()
        }
        print(
            json.dumps(
                {**_brief(found), "explains": found.explains, "rules": rules}, ensure_ascii=False
            )
        )
        return 0
    title, explains = in_words(found, language)
    lines = [f"{found.name}: {title}", explains, ""]
    wide = [max(len(key) for key in OPTIONS), max(map(len, rules_of(found.profile).values()))]
    for key, value in rules_of(found.profile).items():
        mark = MARK if key in special else " "
        row = OPTIONS[key].row.ljust(3)
        usual = output_text(" (usually: {value})", value=plain[key]) if key in special else ""
        lines.append(
            f"{mark} {key.ljust(wide[0])}  {value.ljust(wide[1])}  {row}  {words[key].means}{usual}"
        )
    legend = output_text("{mark} unlike a common table; R..: docs/rules.md", mark=MARK)
    print("\n".join([*lines, "", legend]))
    return 0


def _new(name: str, as_json: bool) -> int:
    if not NAME.fullmatch(name):
        raise UsageError(
            "--new {name!r}: a name has letters, digits and hyphens, as casa-2.", name=name[:40]
        )
    if name in profile_paths():
        raise UsageError("There is a profile {name} already: choose another name.", name=name)
    path = own_dir() / f"{name}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:  # "x": never over what somebody wrote
        file.write(template(name))
    created = {"created": str(path)}
    done = output_text('{path}: take away the "#" of the rules that you change.', path=path)
    print(json.dumps(created) if as_json else done)
    return 0


def template(name: str) -> str:
    """A profile that changes nothing yet: every rule in a comment, with its meaning."""
    play = f"mus play --profile {name}"
    comments = [
        output_text("House rules. This plays by them: {play}", play=play),
        output_text(
            'Take away the "#" of the rules that you change; the others are the common ones.'
        ),
    ]
    explains = output_text("Say here where they come from, and what is special in them.")
    lines = [
        *(f"# {comment}" for comment in comments),
        f'name = "{name}"',
        f'title = "{output_text("Our house rules")}"',
        f'explains = "{explains}"',
        "",
        "[rules]",
    ]
    plain, words = rules_of(Profile()), options(terminal_language())
    for key, rule in OPTIONS.items():
        told = ", ".join(filter(None, (rule.values.told, rule.row)))
        lines += ["", f"# {words[key].means} ({told})"]
        lines.append(f"# {key} = {_written(plain[key])}")
    return "\n".join([*lines, ""])


def _written(value: str) -> str:
    return value if value.isdigit() else f'"{value}"'
