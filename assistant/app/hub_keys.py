"""The keys of a hall: the PIN of its referee, and what its slips' codes are made of.

They lie in the hall's database, and so in its backup: every process tells the same ones, and the
slips that were handed out stay valid wherever the hall is restored.
"""

from __future__ import annotations

from sqlalchemy import Engine

from assistant.app.page_keys import found_keys, keys_as_text, keys_of_text, keys_path, new_keys
from assistant.dashboard import Keys
from assistant.hub.database import DatabaseError
from assistant.hub.kept import kept_once
from assistant.hub.ledger import Ledger

NAME = "page_keys"


def hall_keys(engine: Engine) -> Keys:
    """The keys in a hall's database; the first process makes them.

    Raises DatabaseError, OSError.
    """
    text = kept_once(engine, NAME, lambda: keys_as_text(_first(engine)))
    try:
        return keys_of_text(text)
    except (ValueError, KeyError, TypeError):
        raise DatabaseError(
            "The hall's keys in the database are damaged: restore a backup into an empty one."
        ) from None


def _first(engine: Engine) -> Keys:
    """New ones; but slips of a tournament that was begun before were made by the machine's own."""
    old = found_keys(keys_path()) if Ledger(engine).listed() else None
    return old or new_keys()
