"""``mus play``: listen, keep count, speak, and serve the dashboard until told to stop."""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
import threading
import webbrowser
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType
from typing import Any

from assistant import __version__
from assistant.app.anew import is_fresh, open_anew
from assistant.app.backup import start_backup
from assistant.app.errors import UsageError
from assistant.app.session import Session
from assistant.app.settings import add_arguments, settings_from

log = logging.getLogger("mus")

LOG_BYTES, LOG_FILES = 1_000_000, 5
"""Of each file of a log, and how many there are before the oldest is forgotten."""


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
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setLevel(logging.WARNING)
    logging.basicConfig(format="mus: %(message)s", level=logging.WARNING, handlers=[terminal])
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
            print(session.summary())
        if session.failure and settings.listen:
            raise session.failure
    return 0


def _log_into(path: Path) -> None:
    """Keep in a file what is said and complained of, and when it began. Raises UsageError."""
    try:
        handler = RotatingFileHandler(
            path, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8"
        )
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(f"--log {path}: {why}; choose another file.") from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    # A full disk loses the line, which the terminal has; no traceback tells of it.
    logging.raiseExceptions = False
    log.setLevel(logging.INFO)
    log.info("mus %s begins", __version__)


def has_screen() -> bool:
    """Whether a browser would have somewhere to open; in a terminal it would take the terminal."""
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def stop_on_signals(stop: threading.Event) -> None:
    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)


def _greet(session: Session, opens: bool | None) -> None:
    fresh = session.setup.fresh()
    page = f"{session.server.url}setup" if fresh else session.server.url
    if (fresh and has_screen()) if opens is None else opens:
        webbrowser.open(page)
    lines = [f"Marcador: {page}"]
    if session.server.lan_url:
        lines.append(f"Desde otro aparato: {session.server.lan_url}")
    if session.resumed:
        lines.append("Sigue la partida empezada (--new empieza otra).")
    if session.settings.stay or not session.settings.listen:
        lines.append("Ctrl-C lo termina.")
    # At once, also into a pipe: this is what somebody waits for.
    print("\n".join(lines), file=sys.stderr if session.settings.json else None, flush=True)


def _wait(session: Session, stop: threading.Event, args: argparse.Namespace) -> None:
    """Until a signal, or the end of a recording that nobody wants to stay for."""
    told = False
    while not stop.wait(0.1):
        if session.change:
            args, told = open_anew(session, args, session.change), False
        if not session.finished.is_set():
            continue
        if session.settings.listen and not session.settings.stay:
            return
        if session.failure and not told:
            told = True
            print(f"mus: {session.failure} The dashboard goes on without it.", file=sys.stderr)


__all__ = ["add_parser", "run"]
