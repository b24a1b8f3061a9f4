"""The PIN of this machine's page and the key that signs its cookies, made once and kept."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from assistant.dashboard import Keys

FILE = "page.json"
DIGITS = 6
SECRET_BYTES = 32


def keys_path() -> Path:
    """Where they are kept, in the user's data folder (XDG). Without the file there is a new PIN."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "mus" / FILE


def page_keys(path: Path) -> Keys:
    """The keys in a file; new ones where it is not there, or holds none. Raises OSError."""
    try:
        return _read(path)
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        keys = Keys(secrets.token_bytes(SECRET_BYTES), f"{secrets.randbelow(10**DIGITS):0{DIGITS}}")
    path.parent.mkdir(parents=True, exist_ok=True)
    partly = path.with_name(f".{path.name}.part")
    partly.unlink(missing_ok=True)
    partly.touch(mode=0o600)  # before anything is in it
    partly.write_text(json.dumps({"pin": keys.pin, "secret": keys.secret.hex()}), "utf-8")
    partly.replace(path)
    return keys


def _read(path: Path) -> Keys:
    told = json.loads(path.read_text("utf-8"))
    keys = Keys(bytes.fromhex(told["secret"]), str(told["pin"]))
    if len(keys.secret) < SECRET_BYTES or not keys.pin:
        raise ValueError("no keys")
    return keys
