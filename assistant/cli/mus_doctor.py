"""``mus doctor``: whether this machine has all that a table needs, and what to do if not."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from assistant.cli.checks import (
    CHECKS,
    CheckFinding,
    CheckState,
    CheckTold,
    CheckWords,
    language_of,
    looked,
    wrong,
)
from assistant.cli.settings import add_arguments, settings_from
from assistant.files.settings import Settings
from assistant.rules.errors import MusError

WITHIN = 8.0
"""Seconds for all checks together: they look side by side."""
MARKS = {CheckState.OK: "✓", CheckState.WARNING: "!", CheckState.WRONG: "✗"}


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "doctor",
        help="look whether this machine has all that a table needs",
        description="Look at the microphone, the camera, the voice, the speech model, the disk and "
        "whatever else a table needs, and say what to do about what is missing. Exit status: 0 all "
        "is well enough to play, 1 something is wrong.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    told = examined()
    if args.json:
        print(json.dumps([asdict(one) for one in told], ensure_ascii=False))
    else:
        for one in told:
            print(f"{MARKS[one.state]} {one.name:14}{one.found}")
            if one.advice:
                print(f"  {'':14}{one.advice}")
    sys.stdout.flush()
    return int(any(one.state is CheckState.WRONG for one in told))


def examined() -> list[CheckTold]:
    """What every check found, in their order and the table's language."""
    settings, broken = _settings()
    words = CheckWords(language_of(settings))
    return [words.told(name, one) for name, one in (_found(settings) | broken).items()]


def _found(settings: Settings) -> dict[str, CheckFinding]:
    """What every check found; one that hangs is told, and not waited for."""
    found: dict[str, CheckFinding] = {}
    threads = [
        threading.Thread(target=_look, args=(name, check, settings, found), daemon=True)
        for name, check in CHECKS.items()
    ]
    for thread in threads:
        thread.start()
    late = threading.Event()
    timer = threading.Timer(WITHIN, late.set)
    timer.daemon = True
    timer.start()
    while not late.is_set() and any(thread.is_alive() for thread in threads):
        late.wait(0.02)
    timer.cancel()
    return {name: found.get(name, wrong("hangs")) for name in CHECKS}


def _look(
    name: str,
    check: Callable[[Settings], CheckFinding],
    settings: Settings,
    found: dict[str, CheckFinding],
) -> None:
    found[name] = looked(check, settings)


def _settings() -> tuple[Settings, dict[str, CheckFinding]]:
    """This table's settings; the defaults, and what is wrong, where the file cannot be used."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args([])
    try:
        return settings_from(args), {}
    except MusError as error:
        return settings_from(args, {}), {"settings": wrong("error", text=str(error))}
