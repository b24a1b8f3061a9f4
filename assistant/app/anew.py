"""A table that is opened anew while it is played at, because somebody set something on its page."""

from __future__ import annotations

import argparse
import logging

from assistant.app.session import Session
from assistant.app.settings import default_journal, settings_from
from assistant.app.settings_file import settings_path, write_settings
from assistant.app.setup import Change
from assistant.rules.errors import MusError
from assistant.rules.history import undo_target

log = logging.getLogger("mus")

OPTIONS_OF = {"profile": ("profile", "rules")}
"""Options of the command line that say what a setting says, where not just that of its name."""


def is_fresh(args: argparse.Namespace) -> bool:
    """Whether this machine's table was never played at, nor anything set."""
    elsewhere = args.listen or args.demo or args.journal
    return not elsewhere and not settings_path().exists() and not default_journal().exists()


def open_anew(session: Session, args: argparse.Namespace, change: Change) -> argparse.Namespace:
    """Open the table by what was set; where it cannot be, as it was before, which the page tells.

    What was set on the page goes before what the command line said of it, so that is forgotten;
    whom the command line made mano first begins the game that nobody has played at yet. Returns
    the options that are left. Raises MusError where the table cannot be opened even as it was.
    """
    left = argparse.Namespace(**vars(args))
    for key in change.before.keys() - change.same:
        for option in OPTIONS_OF.get(key, (key,)):
            setattr(left, option, None)
    left.new = change.new
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
    """Keep what was set before; a disk that takes nothing ends no game."""
    try:
        write_settings(change.before)
    except (MusError, OSError) as error:
        log.warning("The settings could not be taken back: %s", _sentence(error))


def _sentence(error: MusError | OSError) -> str:
    return f"{error.strerror or error}." if isinstance(error, OSError) else str(error)
