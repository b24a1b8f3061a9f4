"""Every house rule is pinned in options.toml and has a test that plays by it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from assistant.rules.profile import OPTIONS
from tests.rules.options import PINNED

TESTS = Path(__file__).resolve().parents[1]
UNFINISHED = {"fail", "skip", "xfail", "importorskip"}
"""The pytest calls and marks of a test that is not written yet."""


def wrong(pinned: Mapping[str, list[str]], tests: Path) -> Iterator[str]:
    """What is wrong with the listed tests, as one sentence for each house rule."""
    found = {name: at for at in sorted(tests.rglob("test_*.py")) for name in _tests_in(at)}
    for key, names in pinned.items():
        if not names:
            yield f"{key}: no test plays by this house rule; name one in options.toml."
        for name in names:
            if name not in found:
                yield f"{key}: there is no test {name}."
                continue
            source = _source(found[name], name)
            if not re.search(_mention(key), source):
                yield f"{key}: {name} does not play by it."
            if UNFINISHED & set(re.findall(r"pytest\.(?:mark\.)?(\w+)", source)):
                yield f"{key}: {name} holds nothing yet."


def _mention(key: str) -> str:
    """A pattern for how a test sets a rule: its key, or the type of its values ("Senas")."""
    kind = type(OPTIONS[key].default).__name__ if key in OPTIONS else key
    names = [key] if kind in ("int", "bool", "str", "tuple") else [key, kind]
    return rf"\b({'|'.join(names)})\b"


def _tests_in(path: Path) -> list[str]:
    return re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)


def _source(path: Path, name: str) -> str:
    """The source of a test, its decorators, and the helpers and tables that it names."""
    text = path.read_text(encoding="utf-8")
    parts = {named: part for node in ast.parse(text).body for named, part in _named(node, text)}
    wanted, seen = [name], {""}
    while wanted:
        if (one := wanted.pop()) in parts and one not in seen:
            seen.add(one)
            wanted += re.findall(r"\w+", parts[one])
    return "\n".join(parts[one] for one in seen if one)


def _named(node: ast.stmt, text: str) -> Iterator[tuple[str, str]]:
    lines = text.split("\n")
    match node:
        case ast.FunctionDef(name=name, decorator_list=decorators):
            first = min([node.lineno, *(part.lineno for part in decorators)])
            yield name, "\n".join(lines[first - 1 : node.end_lineno])
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name, ast.get_source_segment(text, node) or ""


def test_options_toml_pins_the_house_rules_in_their_order_and_nothing_else() -> None:
    assert list(PINNED) == list(OPTIONS)


def test_every_house_rule_has_a_test_that_plays_by_it() -> None:
    assert list(wrong({key: pin.held_by for key, pin in PINNED.items()}, TESTS)) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (None, "no test plays by this house rule"),
        ("def test_other() -> None:\n    assert Table(min_bet=5)\n", "there is no test test_it"),
        ("def test_it() -> None:\n    assert Table(min_raise=5)\n", "does not play by it"),
        ("def test_it() -> None:\n    pytest.fail('min_bet')\n", "holds nothing yet"),
        ("@pytest.mark.skip\ndef test_it() -> None:\n    Table(min_bet=5)\n", "holds nothing yet"),
    ],
)
def test_a_house_rule_without_a_test_is_reported(
    tmp_path: Path, body: str | None, said: str
) -> None:
    (tmp_path / "test_rules.py").write_text(body or "", encoding="utf-8")
    told = list(wrong({"min_bet": ["test_it"] if body else []}, tmp_path))
    assert len(told) == 1
    assert said in told[0]


def test_a_test_may_set_the_rule_in_a_helper(tmp_path: Path) -> None:
    text = "def dear():\n    return Table(min_bet=5)\n\ndef test_it():\n    assert dear()\n"
    (tmp_path / "test_rules.py").write_text(text, encoding="utf-8")
    assert list(wrong({"min_bet": ["test_it"]}, tmp_path)) == []
