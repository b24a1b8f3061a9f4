"""The contents of options.toml: what the tests pin of each house rule."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Pinned:
    """The default of a rule in script notation, its values, and the tests that play by it."""

    default: str
    takes: list[str | int] = field(default_factory=list)
    held_by: list[str] = field(default_factory=list)


PINNED = {
    key: Pinned(**entry)
    for key, entry in tomllib.loads(
        Path(__file__).with_name("options.toml").read_text(encoding="utf-8")
    ).items()
}
DEFAULTS = {key: pin.default for key, pin in PINNED.items()}
"""The default column of the rule table, as it is written."""
CHOICES = {
    key: tuple(map(str, pin.takes))
    for key, pin in PINNED.items()
    if pin.takes and isinstance(pin.takes[0], str)
}
"""The choices in the option column of the rule table."""
