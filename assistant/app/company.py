"""The three who sit at a practice table: names, voices, and how each plays at which level."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.announce import Timbre
from assistant.app.errors import UsageError
from assistant.app.opponents import TEMPERS, temper_named
from assistant.app.resources import load_toml
from assistant.paths import data_dir
from assistant.players import Novice, Player
from assistant.players.strength import Strength
from assistant.players.thinker import Thinker

LEVELS = ("paciente", "normal", "fuerte")
"""Who explains every call, who plays for pleasure, who plays to win."""
EXPLAINS = "paciente"
NOVICE = "novato"
COUNT = 3
LONGEST_NAME = 12


@dataclass(frozen=True, slots=True)
class Character:
    """One of the company: its name, its voice, and its temper at each level."""

    name: str
    timbre: Timbre
    tempers: Mapping[str, str]


def load_company() -> tuple[Character, ...]:
    """Those that ship, or what a player made of them. Raises UsageError."""
    path = data_dir("models") / "practice" / "company.toml"
    players = load_toml(path).get("player", [])
    if not isinstance(players, list) or len(players) != COUNT:
        raise UsageError(f"{path}: write three [[player]]: a rival, the partner, a rival.")
    try:
        return tuple(_character(player) for player in players)
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: a player's {error} is missing, or is not right.") from error


def _character(table: Mapping[str, Any]) -> Character:
    tempers = {level: str(table[level]) for level in LEVELS}
    for level, temper in tempers.items():
        if temper not in (NOVICE, *TEMPERS):
            raise ValueError(level)
    timbre = Timbre(str(table["variant"]), float(table["rate"]), int(table["pitch"]))
    name = str(table["name"])
    if not name.isalpha() or len(name) > LONGEST_NAME:
        raise ValueError("name")
    return Character(name, timbre, tempers)


def player_of(character: Character, level: str, strength: Strength, dice: random.Random) -> Player:
    """Seat one of them to play at a level. Raises UsageError for a temper that is not right."""
    temper = character.tempers[level]
    if temper == NOVICE:
        return Novice()
    return Thinker(strength, temper_named(temper), dice.randrange(2**32))
