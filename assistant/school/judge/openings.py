"""The states in which a hand would open each lance, constructed from what is known of a deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.odds import Known
from assistant.rules.cards import Card
from assistant.rules.events import How
from assistant.rules.hands import value
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import LanceResult, State

SEATS = ("1", "2", "3", "4")
SIDES = 2
PHASES = (Phase.GRANDE, Phase.CHICA, Phase.PARES, Phase.JUEGO, Phase.PUNTO)
Declared = tuple[bool | None, ...]


def openings(known: Known, stones: Sequence[int], profile: Profile) -> Iterator[State]:
    """The states in which the seat speaks and nobody has bet, one for each lance that it plays.

    ``stones``: the own pair's, the other's. Pares, juego and punto come only where it is known what
    everybody declared.
    """
    held = value(tuple(Card(rank) for rank in known.hand), profile)
    pares = _declared(known.pares, known.seat, held.pares is not None)
    juego = _declared(known.juego, known.seat, held.juego)
    ours, theirs = stones
    score = (ours, theirs) if known.seat % 2 else (theirs, ours)
    results: list[LanceResult] = []
    for phase in PHASES:
        lance = Lance(phase)
        said = pares if lance is Lance.PARES else juego
        state = State(
            profile=profile,
            seats=SEATS,
            sides=SIDES,
            stones=score,
            juegos=(0,) * SIDES,
            vacas=(0,) * SIDES,
            deal=2,
            mano=known.mano,
            phase=phase,
            pares=pares if phase not in PHASES[:2] else (None,) * len(SEATS),
            juego=juego if phase in PHASES[3:] else (None,) * len(SEATS),
            results=tuple(results),
            hands=(None,) * len(SEATS),
            dealt_mano=known.mano,
            before=score,
        )
        if lance in (Lance.GRANDE, Lance.CHICA):
            how: How | None = How.PASSED
        elif None in said:
            return
        else:
            sides = {seat % 2 for seat, holds in enumerate(said) if holds}
            how = How.PASSED if len(sides) > 1 else None if sides else How.NOBODY
            if lance is Lance.PUNTO:
                how = How.PASSED if not sides else None
        if how is How.PASSED and known.seat in state.holders(lance):
            order = state.holders(lance)
            before = order[: order.index(known.seat)]
            yield replace(state, spoken=before)
        side = None if how else "AB"[next(iter(sides))]
        results.append(LanceResult(lance, how or How.UNCONTESTED, side))


def _declared(said: Declared, seat: int, holds: bool) -> Declared:
    return tuple(holds if one == seat else told for one, told in enumerate(said, start=1))
