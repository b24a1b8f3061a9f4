"""``mus hub``: the hall's service, and what keeps it in order."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from assistant.files.broker_address import Address, read_address
from assistant.files.errors import UsageError
from assistant.files.paths import data_dir, own_data_dir
from assistant.files.process import stop_on_signals
from assistant.files.profile_files import house_rules
from assistant.files.settings import EVERYWHERE, LOCALHOST, port_number
from assistant.hall.page import create_hall_app
from assistant.hall.remembered import HUB, remember
from assistant.page import DashboardServer, serve
from assistant.rules.errors import MusError

log = logging.getLogger("mus.hub")

DEFAULT_PORT = 8780
MOST_DAYS = 36_500
BROKER = "mqtt://hub@localhost"
VERBS = ("doctor", "backup", "restore", "export", "prune")
"""Modules of this package that do a job of their own: ``hub_doctor`` ..."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "hub",
        help="keep a hall full of tables: the tournament hub",
        description="Take in what the tables of a hall send, keep it, and show the hall. "
        "Several may be started on one PostgreSQL: they share the work.",
        epilog="./scripts/hub starts a broker and a hub on this machine.",
    )
    add_database(parser)
    add_broker(parser)
    # ./scripts/hub has a --port already, that of the broker; a sentence about this one fits both.
    parser.add_argument(
        *("--page-port", "--port"),
        dest="port",
        metavar="PORT",
        type=port_number,
        default=DEFAULT_PORT,
        help="of the page; default: %(default)s",
    )
    parser.add_argument("--lan", action="store_true", help="serve the local network, not just here")
    parser.add_argument("--no-page", action="store_true", help="take in events, show nothing")
    parser.add_argument("--keep", type=days, metavar="DAYS", help="forget games older than that")
    parser.add_argument("--json-log", action="store_true", help="write the log as JSON lines")
    parser.set_defaults(run=run)
    verbs = parser.add_subparsers(title="jobs", metavar="JOB")
    for verb in VERBS:
        import_module(f"assistant.hall.mus_hub_{verb}").add_parser(verbs)


def add_database(parser: argparse.ArgumentParser) -> None:
    """Declare where it is all kept."""
    parser.add_argument(
        "--database",
        metavar="FILE|URL",
        default=str(default_database()),
        help="a file, or postgresql://USER@HOST/NAME; default: %(default)s",
    )


def add_broker(parser: argparse.ArgumentParser) -> None:
    """Declare where the broker is, and who the hub is there."""
    parser.add_argument("--broker", metavar="URL", default="", help=f"default: {BROKER}")
    parser.add_argument("--password-file", metavar="FILE", default="", help="the hub's password")
    parser.add_argument("--ca", metavar="FILE", default="", help="what vouches for the broker")
    parser.add_argument("--cert", metavar="FILE", default="", help="the hub's own certificate")
    parser.add_argument("--key", metavar="FILE", default="", help="its key")


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    start_log(args.json_log)
    stop = threading.Event()
    stop_on_signals(stop)
    need_parts()
    from assistant.hall.hub.database import migrate, opened, shown_name
    from assistant.hall.hub.desk import Desk, hall_keys
    from assistant.hall.hub.service import Hub
    from assistant.hall.records import Records

    address = broker_of(args)
    with opened(args.database) as engine:
        migrate(engine)
        hub = Hub(address, engine)
        keys = hall_keys(engine)
        server = None
        if not args.no_page:
            app = create_hall_app(
                hub.hall,
                web_dir=data_dir("web"),
                keys=keys if args.lan else None,
                desk=Desk(hub.ledger, hub.tables, keys.secret, hub.doubts, hub.left, house_rules),
                records=Records(hub.reader),
                health=hub.state,
                metrics=hub.metrics.text,
            )
            server = serve(app, EVERYWHERE if args.lan else LOCALHOST, args.port, "--page-port")
        hub.start()
        remember(HUB, address, shown_name(args.database))
        try:
            if server:
                server.start()
                _greet(server, keys.pin)
            _wait(stop, engine, args.keep)
        finally:
            if server:
                server.stop()
            hub.stop()
    return 0


def broker_of(args: argparse.Namespace, known: Address | None = None) -> Address:
    """The broker that was asked for; ``known``: the one that is meant otherwise.

    Raises AddressError.
    """
    files = {key: getattr(args, key) for key in ("password_file", "ca", "cert", "key")}
    if known and not args.broker and not any(files.values()):
        return known
    return read_address(args.broker or str(known or BROKER), **files)


def _greet(server: DashboardServer, pin: str) -> None:
    lines = [f"Sala: {server.lan_url or server.url}"]
    if server.lan_url:
        lines.append(f"En esta pantalla, como juez: {server.url}")
        lines.append(f"PIN del juez, desde otro aparato: {pin}")
    print("\n".join(lines), flush=True)


def _wait(stop: threading.Event, engine: Any, keep: float | None) -> None:
    """Until a signal; what is older than ``keep`` days is forgotten once a day meanwhile."""
    from assistant.hall.hub.pruning import DAY, prune

    while True:
        if keep is not None:
            try:
                log.info("%d old games were forgotten.", prune(engine, keep))
            except MusError as error:
                log.error("%s", error)
        if stop.wait(None if keep is None else DAY):
            return


def days(text: str) -> float:
    """A number of days as it is typed."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if 0 <= number <= MOST_DAYS:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} days: choose 0 to {MOST_DAYS}.")


def default_database() -> Path:
    """Where a hall without a database server is kept, in the user's data folder (XDG)."""
    return own_data_dir() / "hub.sqlite3"


def need_parts() -> None:
    """Raise UsageError where the parts that only a hub needs are not installed."""
    for part in ("paho.mqtt", "sqlalchemy", "alembic", "psycopg", "prometheus_client"):
        try:
            import_module(part)
        except ImportError:
            raise UsageError(
                "mus hub needs parts that are not installed: start with ./scripts/hub, or type: "
                "pip install 'mus-assistant[hub]'."
            ) from None


def start_log(as_json: bool) -> None:
    """Write what happens to the terminal: for people, or a JSON object a line for programs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _JsonLines() if as_json else logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("mus").setLevel(logging.INFO)


class _JsonLines(logging.Formatter):
    """One object a line: time, level, logger, message, and the traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
