"""A reader of TOML and JSON from anybody, which refuses a bad text with one kind of error.

The library's readers raise other errors if a text is nested too deep or a number is too long. And
they accept texts that are too deep for the code that walks them.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from assistant.rules.errors import Translatable

_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_FAULTS = ("Illegal character {it}", "Found invalid character {it}", "Cannot declare {it} twice")
"""Messages of the library's TOML reader that quote a word of the text."""
DEEPEST = 32
"""The deepest nesting of tables and lists; ours have five levels at most."""


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises tomllib.TOMLDecodeError, whose text can be translated."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise tomllib.TOMLDecodeError(_fault(str(error))) from error
    except (ValueError, RecursionError) as error:
        raise tomllib.TOMLDecodeError("it holds what nobody would write") from error
    if is_deep(table):
        raise tomllib.TOMLDecodeError("it is nested too deep")
    return table


def _fault(told: str) -> str:
    """A message of the library's reader as a sentence that can be translated."""
    found = _PLACE.fullmatch(told)
    if found is None:
        return told
    what, line, column = found.groups()
    for pattern in _FAULTS:
        before, after = pattern.split("{it}")
        if what.startswith(before) and what.endswith(after):
            what = Translatable(pattern, it=what[len(before) : len(what) - len(after)])
            break
    if line is None:
        return Translatable("{what} (at end of document)", what=what)
    return Translatable("{what} (at line {line}, column {column})", what=what, line=line,
                        column=column)  # fmt: skip


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError."""
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("It is nested too deep.") from error
    if is_deep(value):
        raise ValueError("It is nested too deep.")
    return value


def is_deep(value: object) -> bool:
    """Whether tables and lists lie more than ``DEEPEST`` within each other."""
    layer: list[object] = [value]
    for _ in range(DEEPEST + 1):
        layer = [
            part
            for one in layer
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
            if isinstance(part, dict | list)
        ]
        if not layer:
            return False
    return True
