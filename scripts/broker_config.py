#!/usr/bin/env python3
"""Write what a Mosquitto needs for a hall: its configuration, who may say what, and passwords.

    python scripts/broker_config.py --tables 8                      # print it, without passwords
    python scripts/broker_config.py --tables 8 --out /etc/mus-hall  # write it, with passwords
    python scripts/broker_config.py --tables 8 --out DIR --tls      # with a certificate of its own
    python scripts/broker_config.py --tables 8 --out DIR --clients  # and one for each table

Run again with --out it keeps the passwords that are there, and adds those of new tables.
"""

from __future__ import annotations

import argparse
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.hub.broker import (
    HUB,
    BrokerError,
    Tls,
    acl,
    check_names,
    configuration,
    passwords,
    table_names,
)
from assistant.rules.errors import MusError

PLAIN, HASHED = "passwords.txt", "passwords"
DAYS = 3650
NEW = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
MOST_TABLES = 10_000


def main() -> int:
    """Do the command. Exit status 2 where it cannot be done."""
    args = parsed(sys.argv[1:])
    try:
        names = check_names(args.names.split(",") if args.names else table_names(args.tables))
        if args.out is None:
            _print(names, args)
        else:
            write(args.out.resolve(), names, args)
    except (MusError, OSError) as error:
        print(f"broker_config: {error}", file=sys.stderr)
        return 2
    return 0


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """What was asked for."""
    return _parser().parse_args(arguments)


def _print(names: tuple[str, ...], args: argparse.Namespace) -> None:
    folder = Path("/etc/mosquitto/mus")
    tls = tls_of(folder, args)
    print(f"# mosquitto.conf, for {len(names)} tables\n")
    print(configuration(folder, args.port, host=args.host, tls=tls))
    print(f"# {folder / 'acl'}\n")
    print(acl(), end="")


def write(folder: Path, names: tuple[str, ...], args: argparse.Namespace) -> None:
    """Write all files. Raises BrokerError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    tls = tls_of(folder, args)
    if tls and not tls.cert.exists():
        make_authority(tls)
        certify(tls, tls.cert, args.name, _addresses(args.name))
    if tls and tls.clients:
        for who in (HUB, *names):
            if not (folder / f"{who}.pem").exists():
                certify(tls, folder / f"{who}.pem", who, "")
    user = pwd.getpwuid(os.getuid()).pw_name if os.getuid() == 0 else ""
    text = configuration(folder, args.port, host=args.host, tls=tls, user=user, denials=True)
    _write(folder / "mosquitto.conf", text)
    _write(folder / "acl", acl())
    known = kept(folder)
    known |= {who: word for who, word in passwords(names).items() if who not in known}
    listed = "".join(f"{who}:{known[who]}\n" for who in (HUB, *names))
    _write(folder / PLAIN, listed)
    _write(folder / "hub-password", known[HUB] + "\n")
    _write(folder / HASHED, listed)
    _hash(folder / HASHED)


def kept(folder: Path) -> dict[str, str]:
    """The passwords that were made before."""
    path = folder / PLAIN
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return dict(line.split(":", 1) for line in lines if ":" in line)


def tls_of(folder: Path, args: argparse.Namespace) -> Tls | None:
    """Where the broker's certificates are, if it is to have any."""
    if not (args.tls or args.clients):
        return None
    return Tls(folder / "ca.pem", folder / "broker.pem", folder / "broker.key", args.clients)


def make_authority(tls: Tls) -> None:
    """The certificate that vouches for the others. Raises BrokerError."""
    key = tls.ca.with_suffix(".key")
    _openssl(
        *("req", "-x509", *NEW, "-days", str(DAYS), "-subj", "/CN=Mus hall"),
        *("-keyout", str(key), "-out", str(tls.ca)),
    )
    key.chmod(0o600)


def certify(tls: Tls, cert: Path, name: str, addresses: str) -> None:
    """A certificate for a name, and its key beside it. Raises BrokerError."""
    key, request, more = (cert.with_suffix(end) for end in (".key", ".csr", ".ext"))
    _write(more, addresses)
    _openssl("req", *NEW, "-subj", f"/CN={name}", "-keyout", str(key), "-out", str(request))
    _openssl(
        *("x509", "-req", "-in", str(request), "-CA", str(tls.ca)),
        *("-CAkey", str(tls.ca.with_suffix(".key")), "-CAcreateserial", "-days", str(DAYS)),
        *("-extfile", str(more), "-out", str(cert)),
    )
    key.chmod(0o600)
    request.unlink()
    more.unlink()


def _addresses(name: str) -> str:
    """Under what a table may find the broker, as a certificate says it."""
    kind = "IP" if name.replace(".", "").isdigit() else "DNS"
    return f"subjectAltName=DNS:localhost,IP:127.0.0.1,{kind}:{name}\n"


def _openssl(*words: str) -> None:
    if shutil.which("openssl") is None:
        raise BrokerError("--tls needs openssl: apt-get install openssl.")
    done = subprocess.run(["openssl", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BrokerError(f"openssl makes no certificate: {done.stderr.strip()[-200:]}")


def _hash(path: Path) -> None:
    if shutil.which("mosquitto_passwd") is None:
        raise BrokerError("Passwords are hashed by Mosquitto: apt-get install mosquitto.")
    subprocess.run(["mosquitto_passwd", "-U", path], check=True)


def _write(path: Path, text: str) -> None:
    """A file that only its owner may read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


def _tables(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_TABLES:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} tables: choose 1 to {MOST_TABLES}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=_tables, default=8, help="mesa-1, mesa-2 ...; default: 8")
    parser.add_argument("--names", metavar="A,B", help="other names for the tables")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--host", default="", help="address to listen on; default: all")
    parser.add_argument("--tls", action="store_true", help="encrypt, by a certificate of its own")
    parser.add_argument("--clients", action="store_true", help="tables show certificates, too")
    parser.add_argument("--name", default="localhost", help="what tables call the broker's machine")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the files there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
