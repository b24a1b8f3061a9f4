"""Where decks lie: those that ship, and a player's own in his data folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from assistant.eye.deck import DESCRIPTION, Deck, load_deck, save_deck
from assistant.eye.enrol import ORDER
from assistant.eye.images import Image
from assistant.files.atomic import replaced
from assistant.files.errors import UsageError
from assistant.files.paths import data_dir, own_data_dir
from assistant.rules.cards import Card, Suit

NAME = re.compile(r"\w[\w-]{0,39}")
SHIPPED = "mus"
SIZE_MM = (61.0, 95.0)
"""Of a Spanish card."""
OVERVIEW = "todas.png"
OVERVIEW_HIGH, BORDER = 190, 6


def own_dir() -> Path:
    """Where a player's own decks lie (XDG); it need not be there."""
    return own_data_dir() / "decks"


def deck_paths() -> dict[str, Path]:
    """Name -> folder, of all there are; one of a player's own goes before a shipped one.

    What is half written, or was on its way out when the power went, is no deck.
    """
    found = {
        path.parent.name: path.parent
        for folder in (data_dir("models") / "decks", own_dir())
        if folder.is_dir()
        for path in sorted(folder.glob(f"[!.]*/{DESCRIPTION}"))
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


def keep_deck(folder: Path, deck: Deck) -> None:
    """Write the whole deck beside the old one first, so that nothing is lost by half.

    Raises OSError.
    """
    _, data = cv2.imencode(".png", overview(deck.faces, deck.size_mm))
    with replaced(folder, f"la baraja {folder.name}") as partly:
        save_deck(partly, deck)
        (partly / OVERVIEW).write_bytes(data.tobytes())


def overview(faces: Mapping[Card, Image], size_mm: tuple[float, float] = SIZE_MM) -> Image:
    """All cards that there are, a suit in each row, for a person to check."""
    high = OVERVIEW_HIGH + 2 * BORDER
    inner = round(OVERVIEW_HIGH * size_mm[0] / size_mm[1])
    wide = inner + 2 * BORDER
    whole = np.zeros((high * len(Suit), wide * len(ORDER), 3), np.uint8)
    for row, suit in enumerate(Suit):
        for column, rank in enumerate(ORDER):
            face = faces.get(Card(rank, suit))
            if face is not None:
                x, y = column * wide + BORDER, row * high + BORDER
                small = cv2.resize(face, (inner, OVERVIEW_HIGH), interpolation=cv2.INTER_AREA)
                whole[y : y + OVERVIEW_HIGH, x : x + inner] = small
    return whole
