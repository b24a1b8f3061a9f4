"""``mus hub``: the hall's service, with its jobs (doctor, backup, restore, export, prune, ...)."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.files.paths import data_dir, own_data_dir
from assistant.files.process import UsageError, stop_on_signals
from assistant.files.profile_files import house_rules
from assistant.files.resources import load_phrases
from assistant.files.settings import EVERYWHERE, LOCALHOST, Address, port_number, read_address
from assistant.files.terminal import in_terminal_language, output_text, output_word
from assistant.hall.format_files import all_formats
from assistant.hall.hub.broker import HUB_LINE, remember_broker, remembered_broker
from assistant.hall.page import create_hall_app
from assistant.messages.codec import event_to_dict
from assistant.page import DashboardServer, serve
from assistant.page.app import page_words
from assistant.rules.errors import MusError, Translatable
from assistant.table.journal import SqliteJournal
from assistant.voice import Pyttsx3Voice, VoiceSettings

if TYPE_CHECKING:  # mus hub --help works where SQLAlchemy is not installed
    from assistant.hall.hub.calls import CallingThread
    from assistant.hall.hub.desk import Desk
    from assistant.hall.hub.service import Hub

log = logging.getLogger("mus.hub")

DEFAULT_PORT = 8780
MOST_DAYS = 36_500
BROKER = "mqtt://hub@localhost"
BOARD, PAGE = "board", "page"
ROLES = ("intake", BOARD, "scoring", PAGE)


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
    _add_broker(parser)
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
    parser.add_argument(
        "--roles",
        metavar="ROLES",
        type=_roles,
        default=frozenset(ROLES),
        help="what this process does, by commas: intake, board, scoring, page; default: all",
    )
    parser.add_argument(
        "--no-page", action="store_true", help="take in events and results, show nothing"
    )
    parser.add_argument(
        "--aloud",
        choices=("es", "eu", "en"),
        help="call the tables, and the end of a round, aloud in this language",
    )
    parser.add_argument("--keep", type=_days, metavar="DAYS", help="forget games older than that")
    parser.add_argument("--json-log", action="store_true", help="write the log as JSON lines")
    parser.set_defaults(run=run)
    jobs = parser.add_subparsers(title="jobs", metavar="JOB")
    for add_job in (
        _add_doctor,
        _add_backup,
        _add_restore,
        _add_export,
        _add_prune,
        _add_release,
        _add_verify,
    ):
        add_job(jobs)


def add_database(parser: argparse.ArgumentParser) -> None:
    """Declare the option for the database."""
    parser.add_argument(
        "--database",
        metavar="FILE|URL",
        default=str(_default_database()),
        help="a file, or postgresql://USER@HOST/NAME; default: %(default)s",
    )


def _add_broker(parser: argparse.ArgumentParser) -> None:
    """Declare the options for the broker, and the hub's login there."""
    parser.add_argument(
        "--broker", metavar="URL", default="", help=Translatable("default: {it}", it=BROKER)
    )
    parser.add_argument("--password-file", metavar="FILE", default="", help="the hub's password")
    parser.add_argument("--ca", metavar="FILE", default="", help="what vouches for the broker")
    parser.add_argument("--cert", metavar="FILE", default="", help="the hub's own certificate")
    parser.add_argument("--key", metavar="FILE", default="", help="its key")


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    _start_log(args.json_log)
    stop = threading.Event()
    stop_on_signals(stop)
    need_parts()
    from assistant.hall.hub.database import migrate, opened, shown_name
    from assistant.hall.hub.desk import Desk, hall_keys
    from assistant.hall.hub.service import Hub
    from assistant.hall.page import Records

    address = _broker_of(args)
    with opened(args.database) as engine:
        migrate(engine)
        roles = args.roles - {BOARD, PAGE} if args.no_page else args.roles
        hub = Hub(address, engine, roles)
        keys = hall_keys(engine)
        server = calls = None
        if PAGE in roles:
            desk = Desk(
                hub.ledger,
                hub.tables,
                keys.secret,
                hub.doubts,
                hub.left,
                house_rules,
                all_formats,
                lambda: time.strftime("%Y-%m-%d"),
            )
            calls = _calls_of(desk, hub, args.aloud)
            app = create_hall_app(
                hub.hall,
                web_dir=data_dir("web"),
                keys=keys if args.lan else None,
                desk=desk,
                records=Records(hub.reader),
                health=hub.state,
                metrics=hub.metrics.text,
            )
            server = serve(app, EVERYWHERE if args.lan else LOCALHOST, args.port, "--page-port")
        hub.start()
        remember_broker(HUB_LINE, address, shown_name(args.database))
        try:
            if server and calls:
                server.start()
                calls.start()
                _greet(server, keys.pin)
            _wait(stop, engine, args.keep)
        finally:
            if server and calls:
                calls.stop()
                server.stop()
            hub.stop()
    return 0


def _calls_of(desk: Desk, hub: Hub, aloud: str | None) -> CallingThread:
    """The thread that calls the free tables, aloud if there is a language for it."""
    from assistant.hall.hub.calls import Announcements, CallingThread

    if aloud is None:
        return CallingThread(desk, look=hub.hall.view)
    phrases = load_phrases(aloud)
    voice = Pyttsx3Voice(VoiceSettings(phrases.code, sounds=phrases.sounds))

    def begun(table: str) -> bool:
        view = hub.hall.view(table)
        now = view["brief"] if view else None
        return bool(now and now["deal"] and not now["over"])

    told = Announcements(hub.ledger, page_words("hall", aloud), begun)
    return CallingThread(desk, told, voice, look=hub.hall.view)


def _broker_of(args: argparse.Namespace, known: Address | None = None) -> Address:
    """The broker that the options name; ``known`` if they name none. Raises AddressError."""
    files = {key: getattr(args, key) for key in ("password_file", "ca", "cert", "key")}
    if known and not args.broker and not any(files.values()):
        return known
    return read_address(args.broker or str(known or BROKER), **files)


def _greet(server: DashboardServer, pin: str) -> None:
    lines = [output_text("Hall: {url}", url=server.lan_url or server.url)]
    if server.lan_url:
        lines.append(output_text("On this screen, as judge: {url}", url=server.url))
        lines.append(output_text("The judge's PIN, from another device: {pin}", pin=pin))
    print("\n".join(lines), flush=True)


def _wait(stop: threading.Event, engine: Any, keep: float | None) -> None:
    """Wait for a signal. Meanwhile prune games older than ``keep`` days once a day."""
    from assistant.hall.hub.maintenance import DAY, prune

    while True:
        if keep is not None:
            try:
                log.info("%d old games were forgotten.", prune(engine, keep))
            except MusError as error:
                log.error("%s", error)
        if stop.wait(None if keep is None else DAY):
            return


def _roles(text: str) -> frozenset[str]:
    """Roles from the command line."""
    roles = frozenset(part.strip() for part in text.split(",") if part.strip())
    if roles and roles <= frozenset(ROLES):
        return roles
    raise argparse.ArgumentTypeError(
        Translatable("{text!r}: choose from intake, board, scoring, page.", text=text[:60])
    )


def _days(text: str) -> float:
    """A number of days from the command line."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if 0 <= number <= MOST_DAYS:
        return number
    raise argparse.ArgumentTypeError(
        Translatable("{text!r} days: choose 0 to {most}.", text=text, most=MOST_DAYS)
    )


def _default_database() -> Path:
    """The SQLite file of a hall without a database server, in the user's data folder (XDG)."""
    return own_data_dir() / "hub.sqlite3"


def need_parts() -> None:
    """Raise UsageError if the packages of the extra ``hub`` are not installed."""
    for part in ("paho.mqtt", "sqlalchemy", "alembic", "psycopg", "prometheus_client"):
        try:
            import_module(part)
        except ImportError:
            raise UsageError(
                "mus hub needs parts that are not installed: start with ./scripts/hub, or type: "
                "pip install 'mus-assistant[hub]'."
            ) from None


def _start_log(as_json: bool) -> None:
    """Log to the terminal: for people, or one JSON object a line for programs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _JsonLines() if as_json else logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("mus").setLevel(logging.INFO)


class _JsonLines(logging.Formatter):
    """One object a line: time, level, logger, message, and the traceback if there is one."""

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


# ---- ``mus hub doctor``: whether broker, database and tables are as they should be --------------


CLOCK_OFF_S = 60.0
"""Seconds that a table's clock may be off before the doctor warns."""
BROKER_ANSWERS_S = 5.0
"""Seconds that the broker has to answer."""
RECENT_S = 3600.0
"""Seconds; older refusals are not reported."""
SIGNS = {"ok": "✓", "warn": "!", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: what was checked, its state ("ok", "warn", "bad"), and what to do.

    ``told`` may be translatable: the terminal says it in its language, and JSON in English.
    """

    what: str
    how: str
    told: str


def _add_doctor(jobs: Any) -> None:
    parser = jobs.add_parser(
        "doctor",
        help="look whether broker, database and tables are well",
        description="Look whether broker, database and tables are well.",
        epilog="Without --broker it asks the one that the hub on that database was started with on "
        "this machine. Exit status: 0 where nothing is wrong, 1 where something is.",
    )
    add_database(parser)
    _add_broker(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_doctor)


def _doctor(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.database import check_there

    check_there(args.database)
    found = [*_look_at_database(args.database), *_look_at_broker(args)]
    if args.json:
        print(json.dumps([asdict(finding) for finding in found], ensure_ascii=False))
    else:
        for finding in found:
            told = in_terminal_language(finding.told)
            print(f"{SIGNS[finding.how]} {output_word(finding.what)}: {told}")
    return int(any(finding.how == "bad" for finding in found))


def _look_at_database(where: str) -> Iterator[Finding]:
    from assistant.hall.hub.database import database_errors, newest_revision, opened, revision
    from assistant.hall.hub.store import JournalReader

    try:
        with opened(where) as engine:
            with database_errors(engine), engine.connect() as connection:
                have = revision(connection)
            if have != newest_revision():
                wanted = newest_revision()
                told = Translatable(
                    "schema {have}, not {wanted}: start mus hub.", have=have, wanted=wanted
                )
                yield Finding("database", "warn", told)
                return
            kind = engine.dialect.name
            told = Translatable("{kind}, schema {have}", kind=kind, have=have)
            yield Finding("database", "ok", told)
            yield from _look_at_tables(JournalReader(engine))
    except MusError as error:
        yield Finding("database", "bad", str(error))


def _look_at_tables(reader: Any) -> Iterator[Finding]:
    tables = reader.tables()
    there = sum(row.online for row in tables)
    online = Translatable("{there} of {n} are there", there=there, n=len(tables))
    yield Finding("tables", "ok", online)
    for row in tables:
        if row.online and abs(row.clock) > CLOCK_OFF_S:
            off = Translatable("its clock is {seconds:+.0f} s off: set it.", seconds=row.clock)
            yield Finding(row.table, "warn", off)
    for game in reader.changed(float("-inf")):
        if game.fault:
            fault = Translatable(
                "{game} does not add up: {fault}", game=game.game, fault=game.fault
            )
            yield Finding(game.table, "bad", fault)
        elif game.highest > game.stored:
            missing = Translatable(
                "{game}: {number} is missing, asked for again.",
                game=game.game,
                number=game.stored + 1,
            )
            yield Finding(game.table, "warn", missing)
    recent = [row for row in reader.refusals() if time.time() - row.at < RECENT_S]
    if recent:
        row = recent[0]
        refused = Translatable(
            "{n} in an hour, last {topic}: {why}", n=len(recent), topic=row.topic, why=row.why
        )
        yield Finding("refused", "warn", refused)


def _look_at_broker(args: argparse.Namespace) -> Iterator[Finding]:
    from assistant.hall.hub.database import shown_name
    from assistant.hall.hub.link import Link, LinkCallbacks

    try:
        address = _broker_of(args, remembered_broker(HUB_LINE, shown_name(args.database)))
        up = threading.Event()
        link = Link(address, "", LinkCallbacks(up.set, lambda: None, lambda *_: None), logs=False)
        link.start()
        there = up.wait(BROKER_ANSWERS_S)
        link.stop()
    except MusError as error:
        yield Finding("broker", "bad", str(error))
        return
    if there:
        yield Finding("broker", "ok", str(address))
    else:
        silent = Translatable(
            "The broker {address} does not answer: check that it runs.", address=address
        )
        why = link.trouble or silent
        yield Finding("broker", "bad", why)


# ---- ``mus hub backup``: the whole hall in one file ---------------------------------------------


def _add_backup(jobs: Any) -> None:
    parser = jobs.add_parser(
        "backup",
        help="write the whole hall into one file",
        description="Write the whole hall into one file, also while it is played.",
        epilog="mus hub restore FILE puts it into an empty database, of either kind.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_backup)


def _backup(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.database import check_there, opened
    from assistant.hall.hub.maintenance import back_up

    check_there(args.database)
    with opened(args.database) as engine:
        rows = back_up(engine, args.file)
    _tell_rows(rows, args.file, args.json)
    return 0


def _tell_rows(rows: dict[str, int], file: Path, as_json: bool) -> None:
    """Print the number of rows that went into a file, or came out of it."""
    if as_json:
        print(json.dumps({"file": str(file), "rows": rows}))
    else:
        told = output_text(
            "{file}: {tables} tables, {games} games, {events} events",
            file=file,
            tables=rows["tables"],
            games=rows["games"],
            events=rows["events"],
        )
        print(told)


# ---- ``mus hub restore``: a hall out of its file ------------------------------------------------


def _add_restore(jobs: Any) -> None:
    parser = jobs.add_parser(
        "restore",
        help="put a hall out of its file into an empty database",
        description="Put a hall out of the file that mus hub backup wrote into an empty database, "
        "of either kind: so it moves from SQLite to PostgreSQL, too.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_restore)


def _restore(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.database import opened
    from assistant.hall.hub.maintenance import restore

    with opened(args.database) as engine:
        rows = restore(engine, args.file)
    _tell_rows(rows, args.file, args.json)
    return 0


# ---- ``mus hub export``: a game of the hall as JSON lines, or as a journal of its own -----------


def _add_export(jobs: Any) -> None:
    parser = jobs.add_parser(
        "export",
        help="a game of the hall as JSON lines, or as a journal",
        description="Write a game of the hall: as JSON lines, or as a journal, which mus record, "
        "mus chronicle and mus report read.",
        epilog="example: mus hub export mesa-7 --journal mesa-7.sqlite3 && "
        "mus record --journal mesa-7.sqlite3",
    )
    parser.add_argument("table", metavar="TABLE", help="as mesa-7")
    parser.add_argument("--game", metavar="NAME", help="which of its games; default: the newest")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="a new journal to write")
    add_database(parser)
    parser.set_defaults(run=_export)


def _export(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.database import opened_hall
    from assistant.hall.hub.store import JournalReader

    with opened_hall(args.database) as engine:
        reader = JournalReader(engine)
        games = reader.games(args.table)
        game = next((g for g in reversed(games) if args.game in (None, g.game)), None)
        if game is None:
            names = ", ".join(g.game for g in games) or ", ".join(t.table for t in reader.tables())
            if not names:
                raise UsageError("There is no such game: there are none yet.")
            raise UsageError("There is no such game; there are: {names}.", names=names)
        records = reader.records(game.id, 0, game.stored)
    if args.journal:
        if args.journal.exists():
            raise UsageError("{journal} is there already: name a new file.", journal=args.journal)
        with closing(SqliteJournal(args.journal, game.game)) as journal:
            journal.append(records)
        return 0
    for r in records:
        line = {"table": game.table, "game": game.game, "seq": r.seq, "batch": r.batch, "at": r.at}
        sys.stdout.write(json.dumps({**line, "event": event_to_dict(r.event)}) + "\n")
    return 0


# ---- ``mus hub prune``: delete old games --------------------------------------------------------


def _add_prune(jobs: Any) -> None:
    parser = jobs.add_parser(
        "prune",
        help="forget games that nobody has touched for long",
        description="Forget games that nobody has touched for so many days, with their events. "
        "Results of tournaments stay; the records of their games, for disputes, do not.",
        epilog="Without --yes it only tells how many they are. mus hub --keep DAYS does it daily.",
    )
    parser.add_argument("--older", type=_days, required=True, metavar="DAYS")
    parser.add_argument("--yes", action="store_true", help="do it")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_prune)


def _prune(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.database import opened_hall
    from assistant.hall.hub.maintenance import old_games, prune

    with opened_hall(args.database) as engine:
        games, events = old_games(engine, args.older)
        if args.yes:
            prune(engine, args.older)
    if args.json:
        print(json.dumps({"games": games, "events": events, "forgotten": args.yes}))
    else:
        forgotten = output_text(
            "{games} games, {events} events forgotten"
            if args.yes
            else "{games} games, {events} events would be forgotten (--yes does it)",
            games=games,
            events=events,
        )
        print(forgotten)
    return 0


# ---- ``mus hub release`` and ``mus hub verify``: a tournament's acts that anybody can check ------


def _add_release(jobs: Any) -> None:
    parser = jobs.add_parser(
        "release",
        help="a tournament's acts in one signed file",
        description="Write a tournament's acts, and the journals that its results came from, into "
        "one signed file. It holds the names of the players, and nothing secret.",
        epilog="mus hub verify FILE checks it, on any machine.",
    )
    parser.add_argument("tournament", type=int, metavar="NUMBER", help="as in /tournaments/NUMBER")
    parser.add_argument("file", type=Path, metavar="FILE")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_release)


def _release(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.database import opened_hall
    from assistant.hall.hub.release import release

    with opened_hall(args.database) as engine:
        key = release(engine, args.tournament, args.file)
    if args.json:
        print(json.dumps({"file": str(args.file), "key": key}))
    else:
        print(output_text("{file}, signed by the key {key}", file=args.file, key=key))
    return 0


def _add_verify(jobs: Any) -> None:
    parser = jobs.add_parser(
        "verify",
        help="check a released tournament: its draw, its results, its signature",
        description="Check a file that mus hub release wrote: repeat the draw from its seed, and "
        "each result from the journal of its game.",
        epilog="Exit status: 0 where everything fits, 1 where something does not.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--key", metavar="KEY", help="the hall's key, as mus hub release tells it")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_verify)


def _verify(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.release import verify

    found = verify(args.file)
    wrong = list(found.wrong)
    if args.key and "".join(args.key.split()).lower() != "".join(found.key.split()):
        wrong.append(Translatable("Another key has signed it: {key}.", key=found.key))
    if args.json:
        print(json.dumps({**asdict(found), "wrong": [str(one) for one in wrong]}))
        return int(bool(wrong))
    print(
        output_text(
            "{name}: {acts} acts; {draws} draws as their seed gives them; {journals} results as "
            "their journals give them, {people} entered by people, {gone} without a journal.",
            name=found.tournament,
            acts=found.acts,
            draws=found.draws,
            journals=found.journals,
            people=found.people,
            gone=found.gone,
        )
    )
    print(output_text("Signed by the key {key}", key=found.key))
    for one in wrong:
        print(f"{SIGNS['bad']} {in_terminal_language(one)}")
    if not wrong:
        print(f"{SIGNS['ok']} {output_text('Everything fits.')}")
    return int(bool(wrong))
