"""A new house rule: its record, its texts, its line in docs/rules.md, and a test stub."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from scripts.making.changes import Changes, MakingError, languages, text_file

PROFILE = "assistant/rules/profile.py"
PAGE = "docs/rules.md"
PINNED = "tests/rules/options.toml"
TESTS = "tests/rules/test_house_rules.py"
WRITTEN = "tests/messages/test_codec_events.py"
OPTIONS = "options"
KEY = re.compile(r"[a-z][a-z0-9_]{1,30}")
CHOICE = re.compile(r"[a-z][a-z0-9_]*")
RANGE = re.compile(r"(\d{1,3})-(\d{1,3})")
ROW = re.compile(r"R[0-5]\d|R60")


@dataclass(frozen=True, slots=True)
class NewRule:
    """A house rule as the command line gives it: ``choices`` is "on,off", "a,b,c" or "0-200".

    ``before`` is the rule that follows it in every list. With ``refuses``, it refuses calls with a
    code of its own, which has a sentence for the table and one for a learner in each language.
    """

    key: str
    choices: str
    default: str
    row: str
    means: str
    before: str = "senas"
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the values of a rule are written: in Python, on the page, and in the tests."""

    annotation: str
    values: str
    default: str
    json: str
    page: str
    takes: str
    enum: str = ""


def add_rule(changes: Changes, rule: NewRule) -> None:
    """Plan every stub of a house rule. Raises MakingError."""
    _check(changes, rule)
    kind = _kind(rule)
    _add_record(changes, rule, kind)
    _add_texts(changes, rule)
    _add_to_page(changes, rule, kind)
    _add_test(changes, rule, kind)


def _check(changes: Changes, rule: NewRule) -> None:
    if not KEY.fullmatch(rule.key):
        raise MakingError(f"{rule.key!r}: a key has small letters, digits and _, as max_bet.")
    pinned = changes.toml(PINNED)
    if rule.key in pinned:
        raise MakingError(f"There is a house rule {rule.key} already.")
    if rule.before not in pinned:
        raise MakingError(f"--before {rule.before}: choose one of {', '.join(pinned)}.")
    if not ROW.fullmatch(rule.row):
        raise MakingError(f"--row {rule.row}: a row of docs/rules.md is R01 to R60.")
    if not rule.means.strip() or not {'"', "\\", "|"}.isdisjoint(rule.means):
        raise MakingError("--means: say in plain words what the rule is about.")


def _kind(rule: NewRule) -> _Kind:
    """The kind of the rule's values. Raises MakingError for impossible choices or defaults."""
    choices = rule.choices.split(",")
    if found := RANGE.fullmatch(rule.choices):
        least, most = map(int, found.groups())
        if not rule.default.isdecimal() or not least <= int(rule.default) <= most:
            raise MakingError(f"--default {rule.default}: choose {least} to {most}.")
        return _Kind(
            "int",
            f'from_to({least}, {most}, "stones")',
            rule.default,
            rule.default,
            f"{least} to {most}; {rule.default} by default",
            f"[{least}, {most}]",
        )
    if len(choices) < 2 or len(set(choices)) < len(choices) or rule.default not in choices:
        raise MakingError(
            f"--choices {rule.choices} --default {rule.default}: write on,off, or 0-200, or at "
            "least two words, the default among them."
        )
    if wrong := [choice for choice in choices if not CHOICE.fullmatch(choice)]:
        raise MakingError(f"--choices: {wrong[0]!r} has small letters, digits and _ alone.")
    others = [choice for choice in choices if choice != rule.default]
    page = ", ".join([f"`{rule.default}` (default)", *(f"`{choice}`" for choice in others)])
    takes = "[" + ", ".join(f'"{choice}"' for choice in choices) + "]"
    if set(choices) == {"on", "off"}:
        on = str(rule.default == "on")
        return _Kind("bool", "SWITCH", on, on.lower(), page, '["on", "off"]')
    name = "".join(part.capitalize() for part in rule.key.split("_"))
    members = "".join(f'    {choice.upper()} = "{choice}"\n' for choice in choices)
    return _Kind(
        name,
        f"one_of({name})",
        f"{name}.{rule.default.upper()}",
        f'"{rule.default}"',
        page,
        takes,
        f'class {name}(StrEnum):\n    """{_sentence(rule.means)} ({rule.row})."""\n\n{members}\n\n',
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".")


def _add_record(changes: Changes, rule: NewRule, kind: _Kind) -> None:
    refusal = '            refusal="",\n' if rule.refuses else ""
    record = (
        f"    {rule.key}: {kind.annotation} = field(\n"
        f"        default={kind.default},\n"
        f"        metadata=_rule(\n"
        f"            {kind.values},\n"
        f'            "{rule.row}",\n'
        f'            "{rule.means}",\n'
        f"{refusal}"
        f"        ),\n"
        f"    )\n"
    )
    changes.insert(PROFILE, rf"^    {rule.before}: \w+", record)
    if kind.enum:
        changes.insert(PROFILE, r"^KINGS = ", kind.enum)
    if rule.refuses:
        changes.missing.append(
            f"{PROFILE}: the refusal of {rule.key}, in English; and the check in "
            f'assistant/rules/legal.py that gives the code "{rule.key}"'
        )
    changes.missing.append(
        f"{PROFILE}: a Never(...) for every setting that cannot be true together with {rule.key}"
    )
    changes.missing.append("assistant/rules/: what the rule does")


def _add_texts(changes: Changes, rule: NewRule) -> None:
    """Plan the entry of each language."""
    for language in languages(changes.root, OPTIONS):
        name = text_file(OPTIONS, language)
        keys = ["name", "means", "record"]
        keys += ["refused", "mistake"] if rule.refuses else []
        entry = f"[{rule.key}]\n" + "".join(f'{key} = ""\n' for key in keys) + "\n"
        changes.insert(name, rf"^\[{rule.before}\]|\Z", entry)
        changes.missing.append(f"{name}: [{rule.key}] {', '.join(keys)}")


def _add_to_page(changes: Changes, rule: NewRule, kind: _Kind) -> None:
    line = f"| `{rule.key}` | {kind.page} | {rule.means} ({rule.row}) |\n"
    changes.insert(PAGE, rf"^\| `{rule.before}` \|", line)
    text = changes.read(PAGE)
    found = re.search(rf"^\| {rule.row} \|.*$", text, re.MULTILINE)
    if found is None:
        raise MakingError(f"{PAGE} has no row {rule.row}.")
    cells = found[0].split("|")
    cells[4] = (
        f" `{rule.key}` " if cells[4].strip() == "–" else f"{cells[4].rstrip()}, `{rule.key}` "
    )
    changes.put(PAGE, text[: found.start()] + "|".join(cells) + text[found.end() :])
    changes.missing.append(f"{PAGE}: row {rule.row}, what is played by default, and its source")


def _add_test(changes: Changes, rule: NewRule, kind: _Kind) -> None:
    name = f"test_{rule.row.lower()}_{rule.key}_is_played_as_the_house_has_it"
    entry = (
        f'[{rule.key}]\ndefault = "{rule.default}"\ntakes = {kind.takes}\nheld_by = ["{name}"]\n\n'
    )
    changes.insert(PINNED, rf"^\[{rule.before}\]", entry)
    stub = f'\n\ndef {name}() -> None:\n    pytest.fail("Play with {rule.key}, and without.")\n'
    changes.put(TESTS, changes.read(TESTS).rstrip("\n") + "\n" + stub)
    written = re.search(rf'"{rule.before}":', changes.read(WRITTEN))
    if written:
        line = "'\n        '" + f'"{rule.key}":{kind.json},'
        changes.insert(WRITTEN, rf'"{rule.before}":', line)
    else:
        changes.missing.append(f"{WRITTEN}: {rule.key} in the written form of GameOpened")
    changes.missing.append(f"{TESTS}: {name}; a telling name for it, here and in {PINNED}")
    changes.missing.append("docs/CHANGELOG.md: a line that says what a house may now choose")
    changes.missing.append(f"tests/games/: a golden game with `rules: {rule.key}=...`")
    if kind.annotation == "int":
        changes.missing.append(
            f"tests/rules/profiles.py: {rule.key} in NUMBERS, where most values stop all betting"
        )


def as_data(rule: NewRule) -> dict[str, Any]:
    """The rule as JSON."""
    return {"rule": rule.key, "choices": rule.choices, "default": rule.default, "row": rule.row}
