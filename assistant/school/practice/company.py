"""The three who sit at a practice table: names, voices, pace, and how each plays."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml
from assistant.school.players import Novice, Player
from assistant.school.players.strength import Strength
from assistant.school.players.thinker import Temper, Thinker
from assistant.voice import Timbre

# ---- The computer players that ship, by name: how each plays stands in ``models/players`` -------


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


# ---- The three who sit at a practice table: names, voices, and how each plays at which level ----


LEVELS = ("paciente", "normal", "fuerte")
"""They explain every call; they play for pleasure; they play to win."""
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
    """The company that ships, or the one that a player wrote. Raises UsageError."""
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


# ---- How fast the company at a practice table plays, in seconds ---------------------------------


BREATH, THOUGHT = 0.7, 1.4
"""Before a call that needs no thought, and before one that does, at a usual table's speed."""
EXPLAINING = 1.6
"""The factor of each pause if every call is explained."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the company plays: ``speed`` 1 is a usual table's, 2 is twice as fast."""

    speed: float = 1.0

    @property
    def breath(self) -> float:
        """Seconds before what is said without a thought."""
        return BREATH / self.speed

    @property
    def thought(self) -> float:
        """Seconds before a bet or its answer."""
        return THOUGHT / self.speed

    def explaining(self, level: str) -> float:
        """The factor of each pause at a level."""
        return EXPLAINING if level == EXPLAINS else 1.0
