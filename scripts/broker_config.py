#!/usr/bin/env python3
"""Write the files that a hall's Mosquitto needs: configuration, access rules and passwords.

    python scripts/broker_config.py --tables 8                      # print it, without passwords
    python scripts/broker_config.py --tables 8 --out /etc/mus-hall  # write it, with passwords
    python scripts/broker_config.py --tables 8 --out DIR --tls      # with a certificate of its own
    python scripts/broker_config.py --tables 8 --out DIR --clients  # and one for each table
    python scripts/broker_config.py --tables 8 --out DIR --bridge mqtt://hub@HOST  # an outpost

With --out, a second run keeps the tables and passwords that are there and adds new ones; without
--tables it keeps the tables. To lock a table out, delete its line from passwords.txt.
"""

from __future__ import annotations

import argparse
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.files.settings import read_address
from assistant.hall.hub.broker import (
    HUB,
    BrokerError,
    Tls,
    acl,
    bridge,
    check_names,
    configuration,
    passwords,
    table_names,
)
from assistant.rules.errors import MusError

PLAIN, HASHED = "passwords.txt", "passwords"
DAYS = 3650
NEW = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
USUAL_TABLES, MOST_TABLES = 8, 10_000
MOST_PORT = 65535


def main() -> int:
    """Run the command. The exit status is 2 if it cannot be done."""
    args = parsed(sys.argv[1:])
    try:
        names = wanted(args)
        if args.out is None:
            _print(names, args)
        else:
            write(args.out.resolve(), names, args)
    except (MusError, OSError) as error:
        print(f"broker_config: {error}", file=sys.stderr)
        return 2
    return 0


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line."""
    return _parser().parse_args(arguments)


def wanted(args: argparse.Namespace) -> tuple[str, ...]:
    """The tables: those that have a password already, and those that the options name.

    Raises BrokerError.
    """
    there = [name for name in kept(args.out.resolve()) if name != HUB] if args.out else []
    if args.names:
        asked = check_names(args.names.split(","))
    else:
        asked = table_names(args.tables or (0 if there else USUAL_TABLES))
    return check_names([*there, *(name for name in asked if name not in there)])


def _print(names: tuple[str, ...], args: argparse.Namespace) -> None:
    folder = Path("/etc/mosquitto/mus")
    tls = tls_of(folder, args)
    print(f"# mosquitto.conf, for {len(names)} tables\n")
    print(configuration(folder, args.port, host=args.host, tls=tls) + _bridged(args))
    print(f"# {folder / 'acl'}\n")
    print(acl(), end="")


def write(folder: Path, names: tuple[str, ...], args: argparse.Namespace) -> None:
    """Write all files. Raises BrokerError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    tls = tls_of(folder, args)
    if tls and not tls.ca.exists():
        make_authority(tls)
        tls.cert.unlink(missing_ok=True)
    if tls and not _is_for(tls.cert, args.name):
        tls.cert.unlink(missing_ok=True)  # its key is about to be replaced
        certify(tls, tls.cert, args.name, _addresses(args.name))
    if tls and tls.clients:
        for who in (HUB, *names):
            if not (folder / f"{who}.pem").exists():
                certify(tls, folder / f"{who}.pem", who, "")
    user = pwd.getpwuid(os.getuid()).pw_name if os.getuid() == 0 else ""
    text = configuration(folder, args.port, host=args.host, tls=tls, user=user, denials=True)
    _write(folder / "mosquitto.conf", text + _bridged(args))
    _write(folder / "acl", acl())
    known = kept(folder)
    known |= {who: word for who, word in passwords(names).items() if who not in known}
    listed = "".join(f"{who}:{known[who]}\n" for who in (HUB, *names))
    _write(folder / PLAIN, listed)
    _write(folder / "hub-password", known[HUB] + "\n")
    _write(folder / HASHED, listed)
    _hash(folder / HASHED)


def _bridged(args: argparse.Namespace) -> str:
    """The lines that make the broker an outpost, if one is asked for. Raises AddressError."""
    if not args.bridge:
        return ""
    core = read_address(args.bridge, password_file=args.bridge_password_file, ca=args.bridge_ca)
    return bridge(core, args.bridge_name)


def kept(folder: Path) -> dict[str, str]:
    """The passwords that were made before."""
    path = folder / PLAIN
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return dict(line.split(":", 1) for line in lines if ":" in line)


def tls_of(folder: Path, args: argparse.Namespace) -> Tls | None:
    """The folder of the broker's certificates, if it uses any."""
    if not (args.tls or args.clients):
        return None
    return Tls(folder / "ca.pem", folder / "broker.pem", folder / "broker.key", args.clients)


def make_authority(tls: Tls) -> None:
    """Make the certificate of the authority that vouches for the others. Raises BrokerError."""
    key = tls.ca.with_suffix(".key")
    _openssl(
        *("req", "-x509", *NEW, "-days", str(DAYS), "-subj", "/CN=Mus hall"),
        *("-keyout", str(key), "-out", str(tls.ca)),
    )
    key.chmod(0o600)


def certify(tls: Tls, cert: Path, name: str, addresses: str) -> None:
    """Make a certificate for a name, and its key beside it. Raises BrokerError."""
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


def _is_for(cert: Path, name: str) -> bool:
    """Whether there is a certificate with which the broker can be reached by that name."""
    if not cert.exists():
        return False
    check = "-checkip" if _is_ip(name) else "-checkhost"
    told = _openssl("x509", "-in", str(cert), "-noout", check, name)
    return "does match" in told


def _addresses(name: str) -> str:
    """The addresses under which a table may reach the broker, as a certificate lists them."""
    kind = "IP" if _is_ip(name) else "DNS"
    return f"subjectAltName=DNS:localhost,IP:127.0.0.1,{kind}:{name}\n"


def _is_ip(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _openssl(*words: str) -> str:
    if shutil.which("openssl") is None:
        raise BrokerError("--tls needs openssl: apt-get install openssl.")
    done = subprocess.run(["openssl", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BrokerError(f"openssl makes no certificate: {done.stderr.strip()[-200:]}")
    return done.stdout


def _hash(path: Path) -> None:
    if shutil.which("mosquitto_passwd") is None:
        raise BrokerError("Passwords are hashed by Mosquitto: apt-get install mosquitto.")
    subprocess.run(["mosquitto_passwd", "-U", path], check=True)


def _write(path: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


def _tables(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_TABLES:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} tables: choose 1 to {MOST_TABLES}.")


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port: choose 1 to {MOST_PORT}.")


class _Parser(argparse.ArgumentParser):
    """A parser that reports a wrong option in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"broker_config: {message[:1].upper()}{message[1:].rstrip('.')}.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tables",
        type=_tables,
        help=f"number of tables, named mesa-1 and so on; default: as they are, or {USUAL_TABLES}",
    )
    parser.add_argument(
        "--names", metavar="A,B", help="names of the tables, in place of mesa-1 and so on"
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=1883,
        help="port that the broker listens on; default: %(default)s",
    )
    parser.add_argument(
        "--host", default="", help="address that the broker listens on; default: all"
    )
    parser.add_argument(
        "--tls",
        action="store_true",
        help="encrypt the connections, with a certificate of the broker's own",
    )
    parser.add_argument(
        "--clients",
        action="store_true",
        help="make a certificate for each table, which it must show",
    )
    parser.add_argument(
        "--name", default="localhost", help="name by which the tables reach the broker's machine"
    )
    parser.add_argument(
        "--bridge",
        metavar="URL",
        default="",
        help="make this broker an outpost of the hall's broker at this address, as "
        "mqtt://hub@HOST:1883",
    )
    parser.add_argument(
        "--bridge-name",
        metavar="NAME",
        default="outpost",
        help="name of this outpost at the hall's broker",
    )
    parser.add_argument(
        "--bridge-password-file",
        metavar="FILE",
        default="",
        help="file with the hub's password at the hall's broker",
    )
    parser.add_argument(
        "--bridge-ca",
        metavar="FILE",
        default="",
        help="certificate of the authority that vouches for the hall's broker",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the files into this folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())
