"""The PIN of this machine's page and the key that signs its cookies, made once and kept."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from assistant.app.whole import write_private
from assistant.dashboard import Keys
from assistant.documents import parse_json
from assistant.paths import own_data_dir

FILE = "page.json"
DIGITS = 6
SECRET_BYTES = 32


def keys_path() -> Path:
    """Where they are kept, in the user's data folder (XDG). Without the file there is a new PIN."""
    return own_data_dir() / FILE


def page_keys(path: Path) -> Keys:
    """The keys in a file; new ones where it is not there, or holds none. Raises OSError."""
    keys = found_keys(path)
    if keys is None:
        keys = new_keys()
        write_private(path, keys_as_text(keys))
    return keys


def found_keys(path: Path) -> Keys | None:
    """The keys in a file, if there are any. Raises OSError."""
    try:
        return keys_of_text(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def new_keys() -> Keys:
    """Keys that nobody has yet."""
    return Keys(secrets.token_bytes(SECRET_BYTES), f"{secrets.randbelow(10**DIGITS):0{DIGITS}}")


def keys_as_text(keys: Keys) -> str:
    """How they are kept."""
    return json.dumps({"pin": keys.pin, "secret": keys.secret.hex()})


def keys_of_text(text: str) -> Keys:
    """The same back. Raises ValueError, KeyError, TypeError for what are none."""
    told = parse_json(text)
    keys = Keys(bytes.fromhex(told["secret"]), str(told["pin"]))
    if len(keys.secret) < SECRET_BYTES or not keys.pin:
        raise ValueError("no keys")
    return keys
