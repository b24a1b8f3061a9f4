"""Decks: a deck as a folder of pictures, and the folders of shipped and of players' own decks."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.eye.images import Image, VisionError, read_image
from assistant.files.atomic import replaced
from assistant.files.paths import data_dir, own_data_dir
from assistant.files.process import UsageError
from assistant.files.terminal import output_text
from assistant.messages.documents import parse_toml
from assistant.rules.cards import DECK, Card, Rank, Suit

# ---- A deck: pictures of its forty cards and its back, in a folder ------------------------------
# ``deck.toml`` has its title and the cards' size in millimetres; ``Ro.png`` is the rey de oros,
# ``back.png`` the back, ``not_mus_01.png`` a card of the pack that is none of Mus. All pictures are
# rectified, upright and of one size.


SUIT_NAMES = {
    Suit.OROS: "coins",
    Suit.COPAS: "cups",
    Suit.ESPADAS: "swords",
    Suit.BASTOS: "clubs",
}
"""The suits in English words, which the terminal translates."""
ORDER = tuple(reversed(Rank))
"""The order in which people lay a suit out, from the left: 1 2 3 4 5 6 7 S C R."""


class DeckError(VisionError):
    """A deck that is incomplete, or not as its files say."""


BACK = "back"
NOT_MUS, MOST_NOT_MUS = "not_mus_", 24
"""The prefix of the names of pictures of cards that are none of Mus, and how many of them a deck
may have: a pack of 54 cards has fourteen."""
DESCRIPTION = "deck.toml"
MAX_DESCRIPTION = 10_000
LEAST_PX, MOST_PX = 60, 2000
"""Limits of the height of a card's picture."""
SIZES_MM = (20.0, 300.0)
"""Limits of the sides of a card."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck as the eye knows it.

    ``size_mm``: width and height of a card; ``faces``: a picture of each card, all of one shape
    (height, width, 3); ``back``: a picture of the back, or None if it was not enrolled;
    ``not_mus``: pictures of cards of the pack that are none of Mus, as eights, nines and jokers.
    """

    name: str
    title: str
    size_mm: tuple[float, float]
    faces: Mapping[Card, Image]
    back: Image | None
    not_mus: tuple[Image, ...] = ()

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of every picture."""
        height, width = next(iter(self.faces.values())).shape[:2]
        return width, height


def load_deck(folder: Path) -> Deck:
    """Read a deck from its folder. Raises DeckError, or ImageError for a broken picture."""
    told = _description(folder / DESCRIPTION)
    missing = [str(card) for card in DECK if not (folder / f"{card}.png").is_file()]
    if missing:
        some = ", ".join(missing[:4]) + (" ..." if len(missing) > 4 else "")
        raise DeckError(
            "The deck in {folder} lacks {n} of 40 cards ({some}): enrol it again.",
            folder=folder,
            n=len(missing),
            some=some,
        )
    faces = {card: read_image(folder / f"{card}.png") for card in DECK}
    path = folder / f"{BACK}.png"
    back = read_image(path) if path.is_file() else None
    paths = sorted(folder.glob(f"{NOT_MUS}??.png"))[:MOST_NOT_MUS]
    not_mus = tuple(read_image(path) for path in paths)
    _check_alike(folder, [*faces.values(), *not_mus, *([] if back is None else [back])])
    return Deck(folder.name, told["title"], told["size_mm"], faces, back, not_mus)


def save_deck(folder: Path, deck: Deck) -> None:
    """Write a deck's folder. Raises OSError."""
    folder.mkdir(parents=True)
    width, height = deck.size_mm
    title = json.dumps(" ".join(deck.title.split()))  # which TOML reads as well
    text = f"title = {title}\nsize_mm = [{width:g}, {height:g}]\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")
    pictures = {str(card): face for card, face in deck.faces.items()}
    pictures |= {f"{NOT_MUS}{at:02}": face for at, face in enumerate(deck.not_mus, start=1)}
    if deck.back is not None:
        pictures[BACK] = deck.back
    for name, picture in pictures.items():
        _, data = cv2.imencode(".png", picture)
        (folder / f"{name}.png").write_bytes(data.tobytes())


def _check_alike(folder: Path, pictures: list[Image]) -> None:
    shape = pictures[0].shape
    if any(picture.shape != shape for picture in pictures):
        raise DeckError(
            "The pictures of the deck in {folder} differ in size: enrol it again.", folder=folder
        )
    if not LEAST_PX <= shape[0] <= MOST_PX or shape[1] >= shape[0]:
        raise DeckError(
            "The pictures of the deck in {folder} are {wide} x {high} pixels: cards "
            "are upright, {least_px} to {most_px} pixels high.",
            folder=folder,
            wide=shape[1],
            high=shape[0],
            least_px=LEAST_PX,
            most_px=MOST_PX,
        )


def _description(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            table = parse_toml(file.read(MAX_DESCRIPTION).decode("utf-8"))
    except FileNotFoundError:
        raise DeckError(
            "{folder} holds no deck: there is no {description}.",
            folder=path.parent,
            description=DESCRIPTION,
        ) from None
    except OSError as error:
        raise DeckError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DeckError("{path} is no TOML: {error}.", path=path, error=error) from error
    title, size = table.get("title"), table.get("size_mm")
    if not isinstance(title, str) or not title.strip():
        raise DeckError('{path}: write title = "...", the name that is shown.', path=path)
    return {"title": title.strip(), "size_mm": _size(path, size)}


def _size(path: Path, size: object) -> tuple[float, float]:
    least, most = SIZES_MM
    if isinstance(size, list) and len(size) == 2:
        sides = [float(side) for side in size if type(side) in (int, float)]
        if len(sides) == 2 and all(least <= side <= most for side in sides) and sides[0] < sides[1]:
            return sides[0], sides[1]
    raise DeckError(
        "{path}: write size_mm = [61, 95], a card's width and height in millimetres.", path=path
    )


# ---- The folders of decks: those that ship, and a player's own in his data folder ---------------


NAME = re.compile(r"\w[\w-]{0,39}")
SHIPPED = "mus"
SIZE_MM = (61.0, 95.0)
"""Width and height of a Spanish card."""
OVERVIEW = "todas.png"
OVERVIEW_HIGH, BORDER = 190, 6


def own_dir() -> Path:
    """The folder of a player's own decks (XDG); it need not exist."""
    return own_data_dir() / "decks"


def deck_paths() -> dict[str, Path]:
    """Name -> folder of all decks; a player's own hides a shipped one of the same name.

    Half-written or half-deleted folders, as after a power cut, are left out.
    """
    found = {
        path.parent.name: path.parent
        for folder in (data_dir("models") / "decks", own_dir())
        if folder.is_dir()
        for path in sorted(folder.glob(f"[!.]*/{DESCRIPTION}"))
    }
    return dict(sorted(found.items()))


def find_deck(wanted: str | None) -> Deck:
    """The deck that ``deck_folder`` finds. Raises UsageError, DeckError or ImageError."""
    return load_deck(deck_folder(wanted))


def deck_folder(wanted: str | None) -> Path:
    """The folder of a deck, by its name or as it is.

    With None: that of the player's only own deck, or of the shipped one. Raises UsageError.
    """
    paths = deck_paths()
    if wanted is None:
        own = [name for name, path in paths.items() if path.parent == own_dir()]
        wanted = own[0] if len(own) == 1 else SHIPPED
    if wanted in paths:
        return paths[wanted]
    folder = Path(wanted).expanduser()
    if folder.is_dir():
        return folder
    raise UsageError(
        "There is no deck {wanted!r}: choose from {known}, name a folder, or enrol "
        "yours with 'mus deck enrol NAME'.",
        wanted=wanted[:40],
        known=", ".join(paths),
    )


def check_name(name: str) -> None:
    """Raise UsageError if a deck cannot have this name."""
    if not NAME.fullmatch(name):
        raise UsageError(
            "A deck cannot be called {name!r}: take letters, digits, - and _, 40 at most.",
            name=name[:40],
        )


def keep_deck(folder: Path, deck: Deck) -> None:
    """Write a deck, replacing an older one of that name atomically. Raises OSError."""
    _, data = cv2.imencode(".png", overview(deck.faces, deck.size_mm))
    with replaced(folder, output_text("the deck {name}", name=folder.name)) as partly:
        save_deck(partly, deck)
        (partly / OVERVIEW).write_bytes(data.tobytes())


def overview(faces: Mapping[Card, Image], size_mm: tuple[float, float] = SIZE_MM) -> Image:
    """One picture of all cards that there are, a suit in each row, for a person to check."""
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
