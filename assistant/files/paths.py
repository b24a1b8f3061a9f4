"""Paths: the folders `web` and `models` of the code, and the player's own data and settings.

The code is a checkout or an installed wheel; the player's own follows XDG.
"""

import os
import unicodedata
from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent.parent


def data_dir(name: Literal["web", "models"]) -> Path:
    """Return the folder `name` that was shipped with this code.

    A wheel carries it inside the package (`assistant/_data`), a checkout beside the package.

    Raises:
        FileNotFoundError: the folder was lost; the message says what to do.
    """
    # The wheel's place comes first: beside an installed package may lie anybody's `web` folder.
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"The folder '{name}' that belongs to the assistant is missing: install it again."
    )


def own_data_dir() -> Path:
    """The folder of this machine's games, decks, voices...; it need not exist."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "mus"


def own_config_dir() -> Path:
    """The folder of this machine's settings and profiles; it need not exist."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "mus"


def named_files(*folders: Path) -> dict[str, Path]:
    """Name -> TOML file, in the order of names; of two with one name that of the later folder."""
    found = {
        unicodedata.normalize("NFC", path.stem): path
        for folder in folders
        if folder.is_dir()
        for path in sorted(folder.glob("*.toml"))
    }
    return dict(sorted(found.items()))
