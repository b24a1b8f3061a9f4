"""The running score: every moment when stones moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.chronicle.shape import JuegoTold, Point
from assistant.chronicle.steps import Step
from assistant.rules import events as e
from assistant.rules.state import side_letters

Move = tuple[str, int, str, str | None]
"""Side, stones, why, lance."""
LOST, PEDRETE, TABLE = "lost", "pedrete", "table"
"""Why stones move that no lance brings."""
WHYS = (*map(str, e.Why), PEDRETE, LOST, TABLE)
"""All that stones move for."""


def points(
    steps: Iterable[Step], deal: int, juego: int, start: tuple[int, ...]
) -> tuple[Point, ...]:
    """The points of a deal whose steps are ``standing``, from the stones it began with.

    Nobody has fewer than no stones, so a correction may take less than it says.
    """
    found: list[Point] = []
    totals = start
    for step in steps:
        for side, stones, why, lance in _moves(step):
            at = side_letters(len(totals)).index(side)
            now = max(0, totals[at] + stones)
            moved = now - totals[at]
            totals = (*totals[:at], now, *totals[at + 1 :])
            if moved:
                found.append(Point(deal, juego, side, moved, why, lance, totals))
    return tuple(found)


def juego_won(
    steps: Iterable[Step], deal: int, juego: int, totals: tuple[int, ...]
) -> JuegoTold | None:
    """The juego that a deal ended with these stones, if it did."""
    won = next((step.event for step in steps if isinstance(step.event, e.JuegoWon)), None)
    return JuegoTold(juego, deal, won.side, str(won.by), totals) if won else None


def _moves(step: Step) -> Iterator[Move]:
    match step.event:
        case e.StonesWon(side=side, stones=stones, lance=lance, why=why):
            yield side, stones, str(why), str(lance)
        case e.StonesLost(side=side, stones=stones, lance=lance):
            yield side, -stones, LOST, str(lance)
        case e.PedreteSung(seat=seat, stones=stones):
            yield step.after.side_of(seat), stones, PEDRETE, None
        case e.StonesSet() | e.StonesAdjusted() if step.before:
            before, after = step.before.stones, step.after.stones
            for side, old, new in zip(side_letters(len(after)), before, after, strict=True):
                yield side, new - old, TABLE, None
