"""Where decks lie: those that ship, and a player's own in his data folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from assistant.app.errors import UsageError
from assistant.paths import data_dir
from assistant.vision.deck import DESCRIPTION, Deck, load_deck

NAME = re.compile(r"\w[\w-]{0,39}")
SHIPPED = "mus"


def own_dir() -> Path:
    """Where a player's own decks lie (XDG); it need not be there."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "mus" / "decks"


def deck_paths() -> dict[str, Path]:
    """Name -> folder, of all there are; one of a player's own goes before a shipped one."""
    found = {
        path.parent.name: path.parent
        for folder in (data_dir("models") / "decks", own_dir())
        if folder.is_dir()
        for path in sorted(folder.glob(f"*/{DESCRIPTION}"))
    }
    return dict(sorted(found.items()))


def find_deck(wanted: str | None) -> Deck:
    """The deck of a name or in a folder; the player's own, if he has just one, where none is named.

    Raises UsageError, DeckError or ImageError.
    """
    paths = deck_paths()
    if wanted is None:
        own = [name for name, path in paths.items() if path.parent == own_dir()]
        wanted = own[0] if len(own) == 1 else SHIPPED
    if wanted in paths:
        return load_deck(paths[wanted])
    folder = Path(wanted).expanduser()
    if folder.is_dir():
        return load_deck(folder)
    raise UsageError(
        f"There is no deck {wanted[:40]!r}: choose from {', '.join(paths)}, name a folder, or "
        "enrol yours with 'mus deck enrol NAME'."
    )


def check_name(name: str) -> None:
    """Raise UsageError where a deck cannot be called so."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"A deck cannot be called {name[:40]!r}: take letters, digits, - and _, 40 at most."
        )
