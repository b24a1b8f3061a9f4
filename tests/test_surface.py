"""The public surface: every route of the pages and every command, on which others rely.

tests/surface.txt lists them. Removing a line breaks somebody's bookmark or script. Remove one only
if docs/CHANGELOG.md, or the commit, says what replaces it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import MagicMock

from flask import Flask

from assistant.cli import main as cli
from assistant.files.paths import data_dir
from assistant.hall.page import create_hall_app
from assistant.page import Keys
from tests.page.apps import create_app

LISTED = Path(__file__).with_name("surface.txt")


def routes(app: Flask, name: str) -> Iterator[str]:
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield f"{name} {method} {rule.rule}"


def commands(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub, its in action.choices.items():
                yield f"{name} {sub}"
                yield from commands(its, f"{name} {sub}")
        elif not isinstance(action, argparse._HelpAction):
            yield f"{name} {'|'.join(action.option_strings) or action.dest.upper()}"


def surface() -> list[str]:
    """Every route and every command, one on each line, in alphabetical order."""
    web, keys, some = data_dir("web"), Keys(b"secret", "123456"), MagicMock()
    parts = dict.fromkeys(
        (
            *("camera", "workshop", "photos", "history", "setup", "voices", "learner"),
            *("classroom", "drills", "reports", "seasons", "telephones", "leave"),
        ),
        some,
    )
    table = create_app(some, web_dir=web, keys=keys, odds=Path("odds"), **parts)
    practice = create_app(some, web_dir=web, practice=some)
    hall = create_hall_app(
        some, web_dir=web, keys=keys, desk=some, records=some, health=dict, metrics=bytes
    )
    found = {
        *routes(table, "table"),
        *routes(practice, "practice"),
        *routes(hall, "hall"),
        *commands(cli._parser(), "mus"),
    }
    return sorted(found)


def test_every_route_and_every_command_still_exists() -> None:
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    assert surface() == listed, "see the first lines of this test"
