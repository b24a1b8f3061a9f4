"""The hall's MQTT broker: its configuration for Mosquitto, and the address used last here."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from assistant.files.atomic import write_private
from assistant.files.paths import own_data_dir
from assistant.files.settings import Address
from assistant.hall.hub.wire import HELLO, MOST_BYTES, ROOT, TABLE_ID, TABLES
from assistant.messages.documents import parse_json
from assistant.rules.errors import MusError

# A broker's configuration for a hall, with its access rights. For Mosquitto 2; others have similar.


HUB = "hub"
"""The user name of all processes of the hub, so no table may have it."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of passwords; no two look alike, because people type them."""
QUEUED = 20_000
"""Messages that the broker keeps for a slow hub. Tables send again what it drops."""


class BrokerError(MusError):
    """A configuration that cannot be made; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of the broker's certificate; ``clients``: tables have certificates, too.

    The common name of a client's certificate is then the table's name, and needs no password.
    """

    ca: Path
    cert: Path
    key: Path
    clients: bool = False


def table_names(count: int) -> tuple[str, ...]:
    """The usual names: mesa-1, mesa-2 ..."""
    return tuple([f"mesa-{number}" for number in range(1, count + 1)])


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names, if tables may have them. Raises BrokerError."""
    found = tuple(names)
    for name in found:
        if not TABLE_ID.fullmatch(name) or name == HUB:
            raise BrokerError(
                "No table can be called {name!a}: take small letters, digits and "
                "dashes, like mesa-1.",
                name=name[:40],
            )
    if len(set(found)) < len(found):
        raise BrokerError("Two tables have the same name: give each its own.")
    return found


def configuration(
    folder: Path,
    port: int,
    *,
    host: str = "",
    tls: Tls | None = None,
    user: str = "",
    denials: bool = False,
) -> str:
    """The text of ``mosquitto.conf``; the other files lie in ``folder``.

    Args:
        folder: Where the ACL and the passwords lie, and what the broker persists.
        port: The port to listen on.
        host: The address to listen on; "" for all.
        tls: The broker's certificate; None for plain MQTT.
        user: The user that the broker runs as when root starts it.
        denials: Log who tried to write as another. Mosquitto can do so only by logging every
            message, so whoever reads the log has to filter the rest.
    """
    lines = [
        f"listener {port} {host}".rstrip(),
        "allow_anonymous false",
        f"acl_file {folder / 'acl'}",
        *(_tls(tls) if tls else ()),
        *([] if tls and tls.clients else [f"password_file {folder / 'passwords'}"]),
        "persistence true",
        f"persistence_location {folder}/",
        "# Larger messages are refused by the broker already.",
        f"max_packet_size {2 * MOST_BYTES}",
        f"max_queued_messages {QUEUED}",
        "max_inflight_messages 0",
        *([f"user {user}"] if user else ()),
        *(["log_type all"] if denials else ()),
    ]
    return "\n".join(lines) + "\n"


def bridge(core: Address, name: str) -> str:
    """Lines that make a broker the outpost of another: tables join it, and hubs join the ``core``.

    Its tables' messages go to the core, and the hubs' messages to tables come from there, both with
    QoS 1 and in order. While the connection is cut, each side keeps what the other has not got.
    ``core`` has the hub's user and password at the core; ``name`` is the outpost's own.
    """
    lines = [
        "",
        f"connection {name}",
        f"address {core.host}:{core.port}",
        f"remote_username {core.user}",
        f"remote_password {core.password}",
        f"remote_clientid outpost-{name}",
        "# By MQTT 5 it would tell its max_inflight_messages, 0, which a broker must refuse.",
        "bridge_protocol_version mqttv311",
        "cleansession false",
        "notifications false",
        "restart_timeout 1 5",
        *([f"bridge_cafile {core.ca}"] if core.tls else ()),
        *(f"topic {TABLES}/+/+/{kind} out 1" for kind in ("events", "status", "snapshot")),
        *(f"topic {TABLES}/+/+/{kind} in 1" for kind in ("stored", "seats")),
        f"topic {HELLO}/+ in 1",
    ]
    return "\n".join(lines) + "\n"


def acl() -> str:
    """The text of the ACL: the hub reads and writes all topics, a table writes only its own."""
    return "\n".join(
        [
            f"user {HUB}",
            f"topic readwrite {ROOT}/#",
            "",
            "# %u is the user who has logged in, so nobody writes as another.",
            *(f"pattern write {TABLES}/+/%u/{kind}" for kind in ("events", "status", "snapshot")),
            f"pattern read {TABLES}/+/%u/stored",
            f"pattern read {TABLES}/+/%u/seats",
            f"pattern read {HELLO}/+",
            "",
        ]
    )


def passwords(names: Sequence[str]) -> dict[str, str]:
    """A new password for the hub and for each table."""
    return {name: "".join(secrets.choice(LETTERS) for _ in range(16)) for name in (HUB, *names)}


def _tls(tls: Tls) -> list[str]:
    lines = [f"cafile {tls.ca}", f"certfile {tls.cert}", f"keyfile {tls.key}"]
    if tls.clients:
        lines += ["require_certificate true", "use_identity_as_username true"]
    return lines


# ---- The broker that was used last on this machine, so that the doctors can ask it --------------
# A table joins with one printed line and a hub starts with another; neither need be in a setting.


log = logging.getLogger("mus.hub")

TABLE_LINE, HUB_LINE = "table-line.json", "hub-line.json"
"""The files with the address of this machine's table, and of the hub that runs here."""
_FILES = ("ca", "cert", "key")


def remember_broker(name: str, address: Address | None, whose: str = "") -> None:
    """Write the address to a file that only its owner may read; None deletes the file.

    The file holds the password, too. ``whose``: what the address belongs to, such as a hall's
    database. A file that cannot be written is logged and raises nothing.
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


def remembered_broker(name: str, whose: str = "") -> Address | None:
    """The address that was written last, if it belongs to ``whose``; else None."""
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
