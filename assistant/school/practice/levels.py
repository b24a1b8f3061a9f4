"""The levels of practice, and how strong they are: what each wins against the one below."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml

LEVELS = ("paciente", "aprendiz", "normal", "fuerte", "maestro")
"""From novices who explain every call to the strongest; docs/practice.md says who sits there."""
EXPLAINS = "paciente"


@dataclass(frozen=True, slots=True)
class LevelMatch:
    """A level's rivals against those of the level below: juegos played, and won by the higher."""

    level: str
    against: str
    juegos: int
    won: int

    @property
    def percent(self) -> int:
        """How many of a hundred juegos the higher level won."""
        return round(100 * self.won / self.juegos)


def level_matches() -> tuple[LevelMatch, ...]:
    """What ``scripts/lab/bench_players.py --levels`` wrote: a match for each level but the first.

    Raises UsageError where the file is not right.
    """
    path = data_dir("models") / "practice" / "levels.toml"
    try:
        found = tuple(
            LevelMatch(str(row["level"]), str(row["against"]), int(row["juegos"]), int(row["won"]))
            for row in load_toml(path).get("match", ())
        )
    except (KeyError, TypeError, ValueError):
        found = ()
    pairs = [(one.level, one.against) for one in found if 0 <= one.won <= one.juegos > 0]
    if pairs != list(zip(LEVELS[1:], LEVELS, strict=False)):
        raise UsageError("{path} is missing or damaged: install the program again.", path=path)
    return found
