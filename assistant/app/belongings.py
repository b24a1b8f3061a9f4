"""What on this machine is the player's own, and what each thing is called in an archive of it.

The showdowns' pictures stay where they were taken, and the page's PIN and key are a machine's own.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from assistant.app import decks, profile_files
from assistant.app.calibrate import table_dir
from assistant.app.errors import UsageError
from assistant.app.lesson_files import PROGRESS, progress_path, read_progress
from assistant.app.settings import default_journal
from assistant.app.settings_file import read_settings, settings_path
from assistant.journal.copy import COMPANIONS, check_journal, copy_journal
from assistant.vision.calibration import EMPTY, FILE, load_calibration
from assistant.vision.deck import DESCRIPTION, load_deck

JOURNAL, SETTINGS, TABLE = "journal.sqlite3", "settings.toml", "table"
_MEMBER = re.compile(
    rf"(?P<file>{re.escape(JOURNAL)}|{re.escape(SETTINGS)}|{re.escape(PROGRESS)}"
    rf"|profiles/{decks.NAME.pattern}\.toml)"
    rf"|(?P<deck>decks/{decks.NAME.pattern})/({re.escape(DESCRIPTION)}|\w{{1,20}}\.png)"
    rf"|(?P<table>{TABLE})/({re.escape(FILE)}|{re.escape(EMPTY)})"
)


@dataclass(frozen=True, slots=True)
class Belonging:
    """One thing that is kept or replaced as a whole: the journal, a profile, a deck...

    name  in an archive, as ``decks/mia``
    path  where it lies on this machine, or would
    """

    name: str
    path: Path

    @property
    def paths(self) -> tuple[Path, ...]:
        """All that moves with it."""
        beside = COMPANIONS if self.name == JOURNAL else ()
        return self.path, *(self.path.with_name(self.path.name + end) for end in beside)

    @property
    def home(self) -> Path:
        """The folder of mus that it lies in, on the same disk."""
        return self.path.parents[len(Path(self.name).parts) - 1]

    def copy_to(self, target: Path) -> None:
        """Copy it as it is now. Raises JournalError, OSError."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.name == JOURNAL:
            copy_journal(self.path, target)
        elif self.path.is_dir():
            target.mkdir()
            for path in sorted(self.path.iterdir()):
                if _MEMBER.fullmatch(f"{self.name}/{path.name}") and path.is_file():
                    shutil.copyfile(path, target / path.name)
        else:
            shutil.copyfile(self.path, target)


def belongings() -> list[Belonging]:
    """All that there is of this player on this machine; what is half written is none of it."""
    profiles = sorted(profile_files.own_dir().glob(f"[!.]*{profile_files.SUFFIX}"))
    own_decks = sorted(decks.own_dir().glob(f"[!.]*/{DESCRIPTION}"))
    names = [
        JOURNAL,
        SETTINGS,
        PROGRESS,
        TABLE,
        *(f"profiles/{path.name}" for path in profiles),
        *(f"decks/{path.parent.name}" for path in own_decks),
    ]
    return [found for found in map(_belonging, names) if found.path.exists()]


def belonging_of(member: str) -> Belonging:
    """What a file of an archive is part of. Raises UsageError for what is no part of any."""
    found = _MEMBER.fullmatch(member)
    if found is None:
        raise UsageError(f"{member[:60]!r} is no part of a player's belongings.")
    return _belonging(found["file"] or found["deck"] or found["table"])


def check(name: str, path: Path) -> None:
    """Read a thing as the table would. Raises MusError where it could not be used."""
    if name == JOURNAL:
        check_journal(path)
    elif name == SETTINGS:
        read_settings(path)
    elif name == PROGRESS:
        read_progress(path)
    elif name == TABLE:
        load_calibration(path)
    elif name.startswith("decks/"):
        decks.check_name(path.name)
        load_deck(path)
    else:
        profile_files.load_profile(path)


def _belonging(name: str) -> Belonging:
    if name == JOURNAL:
        return Belonging(name, default_journal())
    if name == SETTINGS:
        return Belonging(name, settings_path())
    if name == PROGRESS:
        return Belonging(name, progress_path())
    if name == TABLE:
        return Belonging(name, table_dir())
    folder, own = name.split("/", 1)
    return Belonging(name, (decks if folder == "decks" else profile_files).own_dir() / own)
