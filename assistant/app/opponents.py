"""The computer players that ship, by name: how each plays stands in ``models/players``."""

from __future__ import annotations

from dataclasses import fields

from assistant.app.errors import UsageError
from assistant.app.resources import load_toml
from assistant.paths import data_dir
from assistant.players.thinker import Temper

TEMPERS = ("fuerte", "prudente", "farolero")
"""The strongest; one who waits for good cards; one who bluffs."""


def temper_named(name: str) -> Temper:
    """How a player plays. Raises UsageError for a name or a file that is not right."""
    if name not in TEMPERS:
        raise UsageError(f"There is no player {name[:20]!r}: choose from {', '.join(TEMPERS)}.")
    path = data_dir("models") / "players" / f"{name}.toml"
    table = load_toml(path)
    known = {field.name for field in fields(Temper)}
    if wrong := [key for key in table if key not in known]:
        raise UsageError(f"{path}: {wrong[0]!r} is no number of a player.")
    if wrong := [key for key, value in table.items() if not isinstance(value, int | float)]:
        raise UsageError(f"{path}: {wrong[0]!r} has to be a number.")
    return Temper(**{key: float(value) for key, value in table.items()})
