"""What a hub forgets: games that nobody has touched for long, and what was refused then."""

from __future__ import annotations

import time

from sqlalchemy import Engine, delete, func, select

from assistant.hall.hub.database import EVENTS, GAMES, REFUSALS, told

DAY = 86_400.0


def old_games(engine: Engine, days: float) -> tuple[int, int]:
    """How many games, with how many events, nobody touched for so long. Raises DatabaseError."""
    old = select(GAMES.c.id).where(GAMES.c.touched < time.time() - days * DAY)
    with told(engine), engine.execution_options(reads=True).connect() as connection:
        games = connection.execute(select(func.count()).select_from(old.subquery())).scalar_one()
        events = connection.execute(
            select(func.count()).select_from(EVENTS).where(EVENTS.c.game_id.in_(old))
        ).scalar_one()
    return games, events


def prune(engine: Engine, days: float) -> int:
    """Forget games that nobody touched for so long; returns how many. Raises DatabaseError."""
    before = time.time() - days * DAY
    with told(engine), engine.begin() as connection:
        done = connection.execute(delete(GAMES).where(GAMES.c.touched < before))
        connection.execute(delete(REFUSALS).where(REFUSALS.c.at < before))
        return done.rowcount
