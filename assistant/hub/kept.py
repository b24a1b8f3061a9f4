"""What all processes of a hall share, by its name: the first one to ask makes it."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from assistant.hub.database import DatabaseError, told
from assistant.hub.schema import KEPT


def kept_once(engine: Engine, name: str, make: Callable[[], str]) -> str:
    """What is kept by that name; what ``make`` gives where there is nothing yet.

    Several may ask at once: all are told what the quickest of them made. Raises DatabaseError.
    """
    found = _found(engine, name)
    if found is None:
        found = make()
        try:
            with told(engine), engine.begin() as connection:
                connection.execute(insert(KEPT).values(name=name, value=found))
        except DatabaseError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise
            found = _found(engine, name) or found  # somebody was quicker
    return found


def _found(engine: Engine, name: str) -> str | None:
    reading = engine.execution_options(reads=True)
    with told(engine), reading.connect() as connection:
        return connection.execute(select(KEPT.c.value).where(KEPT.c.name == name)).scalar()
