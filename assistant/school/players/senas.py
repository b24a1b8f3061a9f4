"""The señas that a hand may make (R58), and what a seña that was seen says about a hand.

A player makes only true ones of its table's list, and none in a mus corrido (R06).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assistant.rules.hands import HandValue, ParesKind
from assistant.rules.phases import BEFORE_LANCES, Phase
from assistant.rules.profile import Senas
from assistant.rules.state import State

REY, CABALLO, AS = 10, 9, 1
"""Strengths at grande; treses count as reyes and doses as ases where eight are played."""

Fits = Callable[[HandValue], bool]


def _kind(held: HandValue) -> ParesKind | None:
    return held.pares.kind if held.pares else None


def _alike(strength: int, many: int) -> Fits:
    return lambda held: held.grande.count(strength) == many


def _medias_of(strength: int) -> Fits:
    return lambda held: _kind(held) is ParesKind.MEDIAS and held.grande.count(strength) == 3


FITS: Mapping[str, Fits] = {
    "duples": lambda held: _kind(held) is ParesKind.DUPLES,
    "medias_of_kings": _medias_of(REY),
    "medias_of_aces": _medias_of(AS),
    "three_kings": _alike(REY, 3),
    "three_aces": _alike(AS, 3),
    "two_kings_and_caballo": lambda held: (
        held.grande.count(REY) == 2 and held.grande.count(CABALLO) == 1
    ),
    "two_kings": _alike(REY, 2),
    "two_aces": _alike(AS, 2),
    "medias": lambda held: (
        _kind(held) is ParesKind.MEDIAS and held.grande.count(REY) != 3 != held.grande.count(AS)
    ),
    "thirty_one": lambda held: held.points == 31,
    "juego": lambda held: held.points > 31,
    "thirty": lambda held: held.points == 30,
    "twenty_nine": lambda held: held.points == 29,
    "pares": lambda held: _kind(held) is ParesKind.PAREJA,
}
"""What a sign says about a hand, by its key in ``models/senas``; the most specific first."""
NOTHING = "nothing"
"""The sign of a player who has no other ("ciego")."""
PARTS_OF_DUPLES = frozenset(FITS) - {"duples", "thirty_one", "juego", "thirty", "twenty_nine"}
AFTER: Mapping[tuple[Senas, str], tuple[Phase, ...]] = {
    (Senas.FEM, "medias"): (*BEFORE_LANCES, Phase.GRANDE),
    (Senas.INTERPENAS, "medias"): (*BEFORE_LANCES, Phase.GRANDE, Phase.CHICA),
    (Senas.INTERPENAS, "thirty"): (
        *BEFORE_LANCES, Phase.GRANDE, Phase.CHICA, Phase.PARES_SAY, Phase.PARES,
    ),
}  # fmt: skip
"""The phases in which a list does not allow a sign yet."""


@dataclass(frozen=True, slots=True)
class CaughtSign:
    """A sign that a player caught: who made it, and what it says."""

    seat: int
    holds: str


def true_signs(held: HandValue, listed: Sequence[str], senas: Senas) -> tuple[str, ...]:
    """The signs of a list that a hand may make, at one time or another; "nothing" where none."""
    found = [key for key in FITS if key in listed and FITS[key](held)]
    if _kind(held) is ParesKind.DUPLES:
        found = [key for key in found if key not in PARTS_OF_DUPLES]
    if senas is Senas.INTERPENAS and _kind(held) is ParesKind.MEDIAS:
        found = [key for key in found if key != "juego"]
    if "two_kings_and_caballo" in found:
        found.remove("two_kings")
    if "pares" in found and {"two_kings", "two_aces"} & set(found):
        found.remove("pares")
    return tuple(found) or ((NOTHING,) if NOTHING in listed else ())


def may_make(state: State, holds: str) -> bool:
    """Whether the table's rules allow a sign now: not in a mus corrido, nor before its time."""
    if state.corrido or state.profile.senas is Senas.OFF:
        return False
    return state.phase not in AFTER.get((state.profile.senas, holds), ())
