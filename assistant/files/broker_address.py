"""The address of a broker and one's identity: one URL, and files for the secrets."""

from __future__ import annotations

import hmac
import re
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, urlsplit

from assistant.rules.errors import MusError

MARK = 32
"""How many letters of a client's id nobody can guess."""
PORTS = {"mqtt": 1883, "mqtts": 8883}
_HOST = re.compile(r"[A-Za-z0-9.:_-]+", re.ASCII)


class AddressError(MusError):
    """An address that cannot be used; the text is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """A broker and an identity.

    ``user``: the name that the broker admits; at a table, the table's own. ``ca``: the certificate
    that vouches for the broker, if the system does not know it. ``cert`` and ``key``: one's own, in
    place of a password.
    """

    host: str
    port: int
    tls: bool
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    @property
    def client_id(self) -> str:
        """The id of this connection: the broker drops it if another one comes with the same id.

        It depends on the password or the key, so only somebody who may be this user can make it.
        """
        secret = self.password.encode()
        with suppress(OSError):  # the connection will tell that the key cannot be read
            secret = self.key.read_bytes() if self.key else secret
        mark = hmac.new(secret, self.user.encode(), sha256).hexdigest()[:MARK]
        return f"{self.user}-{mark}" if secret else self.user

    def __str__(self) -> str:
        """The address without its password."""
        user = f"{self.user}@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"mqtt{'s' if self.tls else ''}://{user}{host}:{self.port}"


def read_address(
    url: str,
    *,
    password_file: str = "",
    ca: str = "",
    cert: str = "",
    key: str = "",
) -> Address:
    """The address that a URL and files make: ``mqtts://mesa-7@hub.local``. Raises AddressError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _no_url(url) from None
    if parts.scheme not in PORTS or not parts.hostname or not _HOST.fullmatch(parts.hostname):
        raise _no_url(url)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise AddressError("Nothing stands behind a hub's host and port: leave it out.")
    if bool(cert) != bool(key):
        raise AddressError("A certificate needs its key, and a key its certificate: give both.")
    tls = parts.scheme == "mqtts"
    if (ca or cert) and not tls:
        raise AddressError("Certificates are for mqtts://; with mqtt:// nothing is encrypted.")
    return Address(
        host=parts.hostname,
        port=port or PORTS[parts.scheme],
        tls=tls,
        user=unquote(parts.username or ""),
        password=_password(password_file) or unquote(parts.password or ""),
        ca=_file(ca),
        cert=_file(cert),
        key=_file(key),
    )


def _no_url(url: str) -> AddressError:
    shown = re.sub(r"//[^@]*@", "//...@", url)[:100]  # the message must not show a password
    return AddressError(f"{shown!r} is no hub: write it like mqtts://mesa-1@hub.local:8883.")


def _password(path: str) -> str:
    if not path:
        return ""
    try:
        return Path(path).expanduser().read_text("utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise AddressError(f"The password's file {path} cannot be read: check its name.") from None


def _file(path: str) -> Path | None:
    if not path:
        return None
    file = Path(path).expanduser()
    if not file.is_file():
        raise AddressError(f"There is no certificate or key {path}: check its name.")
    return file
