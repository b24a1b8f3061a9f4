"""Where the data beside the code lies: `web` and `models`, in a checkout or an installed wheel."""

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: Literal["web", "models"]) -> Path:
    """Return the folder `name` that was shipped with this code.

    A wheel carries it inside the package (`assistant/_data`), a checkout beside the package.

    Raises:
        FileNotFoundError: the folder was lost; the message says what to do.
    """
    # A wheel is looked at first: beside an installed package may lie anybody's `web` folder.
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"The folder '{name}' that belongs to the assistant is missing: install it again."
    )
