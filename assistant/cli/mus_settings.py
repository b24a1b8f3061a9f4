"""``mus settings``: show and change the settings file."""

from __future__ import annotations

import argparse
import json
from typing import Any

from assistant.files.player_names import chosen_seats
from assistant.files.process import UsageError
from assistant.files.profile_files import find_profile
from assistant.files.settings import (
    OPTIONS,
    Value,
    option_of,
    read_settings,
    settings_path,
    spoken,
    whole,
    write_settings,
)
from assistant.files.style_files import style_meant
from assistant.files.terminal import help_text

FROM_FILE, FROM_US = "the file", "default"


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "settings",
        help="show or change what mus takes for granted at this table",
        description="Without KEY all settings are shown, with KEY one, with VALUE it is changed. "
        "What the command line of 'mus play' says goes before it.",
        epilog="example: mus settings level full",
    )
    parser.add_argument("key", nargs="?", metavar="KEY", help=", ".join(OPTIONS))
    parser.add_argument("value", nargs="?", metavar="VALUE")
    parser.add_argument("--unset", action="store_true", help="take KEY away: its default holds")
    parser.add_argument("--path", action="store_true", help="print where the file is")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if args.path:
        print(settings_path())
        return 0
    if args.unset and (args.key is None or args.value is not None):
        raise UsageError("--unset takes one KEY away: mus settings KEY --unset.")
    if args.unset:
        write_settings({args.key: None})
    elif args.value is not None:
        value = style_meant(args.value) if args.key == "style" else args.value
        if args.key == "profile" and value:
            find_profile(value)  # so that a wrong name is refused here, and not by 'mus play'
        if args.key == "seats" and value:
            chosen_seats(value)
        write_settings({args.key: spoken(args.key, value)})
    if args.key:
        option_of(args.key)
    _show([args.key] if args.key else list(OPTIONS), args.json)
    return 0


def _show(keys: list[str], as_json: bool) -> None:
    kept = read_settings()
    values = whole(kept)
    if as_json:
        told = {key: {"value": values[key], "set": key in kept} for key in keys}
        print(json.dumps(told, ensure_ascii=False))
        return
    for key in keys:
        origin = help_text(FROM_FILE if key in kept else FROM_US)
        means = help_text(OPTIONS[key].means)
        print(f"{key:18} {_said(values[key]):23} {origin:13} {means}")


def _said(value: Value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "-"
