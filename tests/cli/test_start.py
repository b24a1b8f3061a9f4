"""The start of a command: it imports its own module, and no library that it does not use."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

import pytest

from assistant.cli import main as command
from assistant.cli.main import COMMANDS, main
from tests.tables import each_row

IMPORTED = """
import json, sys
from assistant.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print()
print(json.dumps(sorted(sys.modules)))
"""
"""A program that runs a command and prints the modules that it imported, in its last line."""


def imported(*words: str) -> set[str]:
    """The modules that a command imports, from a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTED, *words], capture_output=True, text=True, check=True
    )
    return set(json.loads(ran.stdout.splitlines()[-1]))


@pytest.mark.parametrize("module", COMMANDS)
def test_a_module_declares_the_commands_that_the_table_names(module: str) -> None:
    (action,) = (
        action
        for action in command._parser([module])._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    assert tuple(action.choices) == COMMANDS[module]


@pytest.mark.slow
def test_the_version_imports_no_command() -> None:
    modules = imported("--version")
    assert not modules & {"cv2", "numpy", "flask", *(f"assistant.{name}" for name in COMMANDS)}


@pytest.mark.slow
@each_row(
    "words, unused",
    [
        (("odds", "--help"), ("cv2", "flask", "vosk")),
        (("profiles", "list"), ("cv2", "flask", "numpy")),
        (("settings", "--path"), ("cv2", "flask", "numpy")),
        (("doctor", "--help"), ("flask",)),
        (("voice", "--help"), ("cv2", "flask")),
        (("models", "--help"), ("cv2", "flask")),
        (("score", "--help"), ("cv2", "flask", "numpy")),
        (("senas", "--help"), ("cv2", "flask", "numpy")),
        (("transcribe", "--help"), ("cv2", "flask")),
        (("lessons", "--help"), ("cv2", "flask")),
        (("cards", "--help"), ("flask", "vosk")),
    ],
)
def test_a_command_imports_no_library_that_it_does_not_use(
    words: tuple[str, ...], unused: tuple[str, ...]
) -> None:
    assert not imported(*words) & {*unused}


@each_row(
    "words, told",
    [
        (("odd",), "did you mean 'odds'?"),
        (("imports",), "did you mean 'import'?"),
        ((), "required: COMMAND"),
        (("--versions",), "required: COMMAND"),
    ],
)
def test_a_misspelt_command_is_compared_with_all_of_them(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    assert main(words) == 2
    assert told in capsys.readouterr().err
