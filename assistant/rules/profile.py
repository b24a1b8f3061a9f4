"""The house rules of a table. They travel in the first event of a game and never change in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from assistant.rules.errors import ProfileError

MAX_TARGET = 200
MAX_JUEGOS = 20


class Real31(StrEnum):
    """Which three sevens and a ten beat every other 31, in any seat (R40)."""

    OFF = "off"
    SOTA = "sota"
    FIGURA = "figura"


@dataclass(frozen=True, slots=True)
class Profile:
    """House rules; each field's default is the default column of the rule table.

    kings   8 (treses are reyes, doses are ases) or 4 (R01)
    target  stones that win a juego (R02)
    juegos  juegos that win the match (R41)
    real31  the "31 real" (R40)
    """

    kings: int = 8
    target: int = 40
    juegos: int = 3
    real31: Real31 = Real31.OFF

    def __post_init__(self) -> None:
        if self.kings not in (4, 8):
            raise ProfileError(f"kings={self.kings}: a deck of Mus has 8 or 4 kings.")
        if not 5 <= self.target <= MAX_TARGET:
            raise ProfileError(f"target={self.target}: choose 5 to {MAX_TARGET} stones.")
        if not 1 <= self.juegos <= MAX_JUEGOS:
            raise ProfileError(f"juegos={self.juegos}: choose 1 to {MAX_JUEGOS} juegos.")


def profile_from(values: Mapping[str, object]) -> Profile:
    """Build a profile from text or TOML values; what is left out keeps its default.

    Raises ProfileError, naming the key, for an unknown key or a value that cannot be.
    """
    known = {field.name for field in fields(Profile)}
    for key in values:
        if key not in known:
            raise ProfileError(f"Unknown rule {key!r}: the rules are {', '.join(sorted(known))}.")
    default = Profile()
    return Profile(
        kings=_number("kings", values.get("kings", default.kings)),
        target=_number("target", values.get("target", default.target)),
        juegos=_number("juegos", values.get("juegos", default.juegos)),
        real31=_real31(values.get("real31", default.real31)),
    )


def _number(key: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    raise ProfileError(f"{key}={value}: a whole number is needed.")


def _real31(value: object) -> Real31:
    try:
        return Real31(str(value))
    except ValueError:
        raise ProfileError(f"real31={value}: choose one of {', '.join(Real31)}.") from None
