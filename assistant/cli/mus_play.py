"""``mus play``: listen, keep count, speak, and serve the dashboard until it is stopped."""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import sys
import threading
import webbrowser
from datetime import date
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, TextIO

from assistant import __version__
from assistant.cli.app import Session
from assistant.cli.play_options import add_arguments, settings_from
from assistant.cli.setup import Change
from assistant.files.process import UsageError, stop_on_signals
from assistant.files.settings import TELEPHONES, default_journal, settings_path, write_settings
from assistant.files.terminal import TerminalFormatter, output_text, terminal_language
from assistant.rules.errors import MusError, Translatable
from assistant.rules.history import undo_target
from assistant.table.journal import JournalError
from assistant.table.journal.copy import copy_journal

# ---- The daily backup of the journal: a copy for each day of play, the last ones are kept -------


backup_log = logging.getLogger("mus.backup")

FOLDER = "backups"
KEPT = 7
"""Days for which a copy is kept."""
ROOM = 50_000_000
"""Bytes that a copy must leave free on the disk, because the game needs them."""


def start_backup(journal: Path) -> threading.Thread:
    """Make the day's copy in a thread. The game neither waits for it nor fails with it."""
    thread = threading.Thread(target=_try, args=(journal, date.today()), name="backup", daemon=True)
    thread.start()
    return thread


def back_up(journal: Path, today: date, room: int = ROOM) -> Path | None:
    """Make the day's copy and delete the oldest; None if this day has one already.

    Raises JournalError, and OSError, also if less than ``room`` bytes would stay free.
    """
    folder = journal.parent / FOLDER
    copy = folder / f"{journal.stem}-{today.isoformat()}.sqlite3"
    if copy.exists():
        return None
    folder.mkdir(exist_ok=True)
    if shutil.disk_usage(folder).free < journal.stat().st_size + room:
        raise OSError(Translatable("{folder} has too little room", folder=folder))
    copy_journal(journal, copy)
    _forget(copy, journal.stem)
    return copy


def _forget(made: Path, stem: str) -> None:
    """Keep the new copy, whatever day the clock showed, and the latest others."""
    others = set(made.parent.glob(f"{stem}-????-??-??.sqlite3")) - {made}
    for path in sorted(others)[: -(KEPT - 1)]:
        path.unlink(missing_ok=True)


def _try(journal: Path, today: date) -> None:
    try:
        back_up(journal, today)
    except (JournalError, OSError) as error:
        backup_log.warning("Today's copy of the journal was not made: %s", _sentence(error))


# ---- Opening the table anew, because somebody changed a setting on its page ---------------------


log = logging.getLogger("mus")

OPTIONS_OF = {
    "profile": ("profile", "rules"),
    "rules": ("profile", "rules"),
    "hearing": ("telephones",),
}
"""Setting -> the options of the command line that override it, where they have other names."""


def is_fresh(args: argparse.Namespace) -> bool:
    """Whether nothing was ever played or set on this machine."""
    elsewhere = args.listen or args.demo or args.journal
    return not elsewhere and not settings_path().exists() and not default_journal().exists()


def open_anew(session: Session, args: argparse.Namespace, change: Change) -> argparse.Namespace:
    """Open the table anew with what was set on the page.

    If that fails, open it as it was before; the page says why. A setting of the page overrides the
    same option of the command line, which is forgotten. The mano of the command line holds only
    until somebody has played. A demo is left, because it has nothing to set. Returns the options
    that are left. Raises MusError if the table cannot even be opened as it was.
    """
    left = argparse.Namespace(**vars(args))
    for key in change.before.keys() - change.same:
        for option in OPTIONS_OF.get(key, (key,)):
            setattr(left, option, None)
    left.new = change.new
    if left.demo:
        left.demo = left.fast = False
    if change.new and undo_target(session.runner.table.records) is not None:
        left.mano = None
    try:
        session.open_anew(settings_from(left), greet=change.new)
    except (MusError, OSError) as error:
        _take_back(change)
        args.new = False
        session.open_anew(settings_from(args), greet=False, fault=_sentence(error))
        return args
    left.new = False
    return left


def _take_back(change: Change) -> None:
    """Restore the settings from before. A full disk must not end the game."""
    try:
        write_settings(change.before)
    except (MusError, OSError) as error:
        log.warning("The settings could not be taken back: %s", _sentence(error))


def _sentence(error: MusError | OSError) -> str:
    if isinstance(error, OSError):
        return Translatable("{why}.", why=error.strerror or error)
    return str(error)


# ---- The command --------------------------------------------------------------------------------


LOG_BYTES, LOG_FILES = 1_000_000, 5
"""Bytes of each file of a log, and how many files there are before the oldest is deleted."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "play",
        help="listen to the table and keep the count",
        description="Listen to the calls at the table, keep the count, say it and show it. "
        "The game is kept as it goes: started again, it goes on where it was.",
        epilog="A recording ends the command when it is over (--stay serves on); "
        "otherwise Ctrl-C does.",
    )
    add_arguments(parser)
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="keep what is said and complained of in a file, too",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if not logging.getLogger().handlers:
        terminal = logging.StreamHandler(own_terminal())
        terminal.setLevel(logging.WARNING)
        terminal.setFormatter(TerminalFormatter("mus: %(message)s"))
        logging.basicConfig(level=logging.WARNING, handlers=[terminal])
    settings = settings_from(args)
    if args.log:
        _log_into(args.log)
    stop = threading.Event()
    stop_on_signals(stop)
    with Session(settings, fresh=is_fresh(args)) as session:
        _greet(session, args.open)
        if settings.journal and not settings.listen:
            start_backup(settings.journal)
        _wait(session, stop, args)
        session.settle()
        if settings.json:
            print(json.dumps(session.board.snapshot(), ensure_ascii=False))
        elif settings.listen:
            print(session.summary(terminal_language()))
        if session.ear.failure and settings.listen:
            raise session.ear.failure
    return 0


def own_terminal() -> TextIO:
    """Standard error by a descriptor of our own.

    While sounddevice looks for microphones, whatever is written to descriptor 2 is thrown away.
    """
    try:
        own = os.dup(sys.stderr.fileno())
    except OSError:  # standard error is no file
        return sys.stderr
    return os.fdopen(own, "w", buffering=1, encoding=sys.stderr.encoding, errors="backslashreplace")


def _log_into(path: Path) -> None:
    """Write the log into a file, too; its first line is the version. Raises UsageError."""
    try:
        handler = RotatingFileHandler(
            path, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8"
        )
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError("--log {path}: {why}; choose another file.", path=path, why=why) from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    # On a full disk the file lacks the line, which the terminal has; there is no traceback.
    logging.raiseExceptions = False
    log.setLevel(logging.INFO)
    log.info("mus %s begins", __version__)


def has_screen() -> bool:
    """Whether there is a screen for a browser. Without one it would take over the terminal."""
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _greet(session: Session, opens: bool | None) -> None:
    fresh = session.setup.fresh()
    page = f"{session.server.url}setup" if fresh else session.server.url
    if (fresh and has_screen()) if opens is None else opens:
        webbrowser.open(page)
    lines = [output_text("Scoreboard: {url}", url=page)]
    if session.server.lan_url:
        lines.append(output_text("From another device: {url}", url=session.server.lan_url))
    if session.settings.hearing == TELEPHONES:
        url = f"{session.server.lan_url or session.server.url}microphone"
        lines.append(output_text("Telephones as microphones: {url}", url=url))
    if session.resumed:
        lines.append(output_text("The match goes on where it was (--new begins another)."))
    if session.settings.stay or not session.settings.listen:
        lines.append(output_text("Ctrl-C ends it."))
    # At once, also into a pipe: this is what somebody waits for.
    print("\n".join(lines), file=sys.stderr if session.settings.json else None, flush=True)


def _wait(session: Session, stop: threading.Event, args: argparse.Namespace) -> None:
    """Wait for a signal, or for the end of a recording without --stay."""
    told = False
    while not stop.wait(0.1):
        if session.change:
            args, told = open_anew(session, args, session.change), False
        if not session.ear.ended.is_set():
            continue
        if session.settings.listen and not session.settings.stay:
            return
        if session.ear.failure and not told:
            told = True
            log.warning("%s The dashboard goes on without it.", session.ear.failure)


__all__ = ["add_parser", "run"]
