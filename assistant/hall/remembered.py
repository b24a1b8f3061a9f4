"""The broker that was used last on this machine, for whoever asks later how the hall is.

A table is joined with one printed line and a hub is started with another; neither is in a setting.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from pathlib import Path

from assistant.files.atomic import write_private
from assistant.files.broker_address import Address
from assistant.files.paths import own_data_dir
from assistant.messages.documents import parse_json

log = logging.getLogger("mus.hub")

TABLE, HUB = "table-line.json", "hub-line.json"
"""Of this machine's table, and of the hub that runs here."""
_FILES = ("ca", "cert", "key")


def remember(name: str, address: Address | None, whose: str = "") -> None:
    """Keep it, with its password, so for its owner alone; None: there is none any more.

    ``whose``: what it belongs to, as a hall's database. Nothing fails where it cannot be kept.
    """
    try:
        if address is None:
            _path(name).unlink(missing_ok=True)
            return
        fields = asdict(address)
        files = {key: str(fields[key].absolute()) if fields[key] else None for key in _FILES}
        write_private(_path(name), json.dumps({"whose": whose, **fields, **files}))
    except OSError as error:
        log.warning("The doctor will not know of %s (%s).", address, error)


def remembered(name: str, whose: str = "") -> Address | None:
    """What was kept last, if it belongs to that."""
    try:
        told = parse_json(_path(name).read_text("utf-8"))
        if told.pop("whose") != whose:
            return None
        files = {key: Path(told[key]) if told[key] else None for key in _FILES}
        return Address(**{**told, **files})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _path(name: str) -> Path:
    return own_data_dir() / name
