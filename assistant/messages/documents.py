"""TOML and JSON texts that may come from anybody: read, or refused with one kind of error.

The library's readers raise other errors if a text is nested too deep or a number is too long. What
they do read may still be too deep for the code that walks it.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from assistant.rules.errors import Translatable

_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_FAULTS = ("Illegal character {it}", "Found invalid character {it}", "Cannot declare {it} twice")
"""What the library's reader says of a TOML text with a word of the text itself in it."""
DEEPEST = 32
"""Tables and lists within each other; ours have five at most."""


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
    """What the library's reader says, as a sentence with its words named."""
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
