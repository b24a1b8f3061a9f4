"""TOML and JSON texts that may come from anybody: read, or refused with one kind of error.

The library's readers raise other errors if a text is nested too deep or a number is too long. What
they do read may still be too deep for the code that walks it.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any

DEEPEST = 32
"""Tables and lists within each other; ours have five at most."""


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises tomllib.TOMLDecodeError."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise tomllib.TOMLDecodeError("it holds what nobody would write") from error
    if is_deep(table):
        raise tomllib.TOMLDecodeError("it is nested too deep")
    return table


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
