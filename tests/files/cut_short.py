"""A program that cuts a change of files short at each of its file operations in turn.

``python -m tests.files.cut_short CHANGE FOLDER`` prints as JSON what every cut left ("old", "new"
or neither), and what the next start reported about it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from assistant.cli.main import main
from assistant.ear.audio import Samples
from assistant.eye.deck import keep_deck, load_deck, own_dir
from assistant.files import profile_files
from assistant.files.atomic import finish_renames, replaced
from assistant.files.paths import data_dir
from assistant.files.settings import default_journal, write_settings
from assistant.files.terminal import output_text
from assistant.language.script import DEFAULT_SEATS
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.speakers import enrolled
from assistant.speakers import enrolled as fitted
from assistant.speakers.enrolment import SaidPrompt
from assistant.table.journal import SqliteJournal

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGING = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate")
KILLED = 77


class Cut:
    """Ends the process at the nth operation that changes a file or a folder."""

    def __init__(self, at: int) -> None:
        self.left = at
        sys.addaudithook(self._saw)

    def _saw(self, event: str, args: tuple[Any, ...]) -> None:
        if event not in CHANGING and not (event == "open" and (args[2] or 0) & WRITES):
            return
        self.left -= 1
        if self.left == 0:
            os._exit(KILLED)


def sit_down(home: Path) -> None:
    os.environ["XDG_DATA_HOME"] = str(home / "data")
    os.environ["XDG_CONFIG_HOME"] = str(home / "config")


def sound(level: int) -> Samples:
    return np.full(160, level, np.int16)


def voice(level: int) -> None:
    enrolled.keep(
        "Ana", "es", [SaidPrompt("quiero", sound(level)), SaidPrompt("paso", sound(level))]
    )


def model(level: int) -> None:
    with replaced(fitted.fitted_dir(), output_text(fitted.FITTED)) as partly:
        partly.mkdir(parents=True)
        for name in ("am", "graph"):
            (partly / name).write_text(f"{name} {level}")


def deck(level: int) -> None:
    shipped = load_deck(data_dir("models") / "decks" / "mus")
    faces = dict(list(shipped.faces.items())[: 2 + level])
    keep_deck(own_dir() / "mia", replace(shipped, faces=faces))


def forget(level: int) -> None:
    if level == OLD:
        voice(OLD)
        model(OLD)
    else:
        fitted.forget("Ana")


def imported(level: int) -> None:
    """Import a game, house rules and settings over others of the same names."""
    archive = own_dir().parents[3] / "bar.mus-backup"
    if level == NEW:
        with redirect_stdout(sys.stderr):
            assert main(["import", str(archive), "--replace"]) == 0
        return
    for volume in ("30", "70"):
        default_journal().parent.mkdir(parents=True, exist_ok=True)
        default_journal().unlink(missing_ok=True)
        with closing(SqliteJournal(default_journal(), f"game-{volume}")) as journal:
            journal.append(list(number(open_game(Profile(), DEFAULT_SEATS), 0, at=float(volume))))
        profile_files.own_dir().mkdir(parents=True, exist_ok=True)
        text = (
            f'name = "mesa"\ntitle = "Mesa"\nexplains = "La nuestra"\n[rules]\ntarget = {volume}\n'
        )
        (profile_files.own_dir() / "mesa.toml").write_text(text)
        write_settings({"volume": int(volume) / 100})
        if not archive.exists():
            with redirect_stdout(sys.stderr):
                assert main(["export", str(archive)]) == 0


CHANGES: dict[str, Callable[[int], None]] = {
    "voice": voice,
    "model": model,
    "deck": deck,
    "forget": forget,
    "import": imported,
}
OLD, NEW = 1, 2


def content(home: Path) -> dict[str, str]:
    """The content of all visible files, without locks and times."""
    found = {}
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if path.is_file() and not re.search(r"(^|/)\.|-lock$|-shm$", name):
            data = re.sub(rb'"made": "[^"]*"', b"", path.read_bytes())
            found[re.sub(r"replaced-[\d-]+", "replaced", name)] = sha256(data).hexdigest()
    return found


def cut(change: Callable[[int], None], home: Path, at: int) -> bool:
    """Make the change and cut it short at operation ``at``. Returns whether it had ended before."""
    if (child := os.fork()) == 0:
        sit_down(home)
        Cut(at)
        change(NEW)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status not in (0, KILLED):
        raise SystemExit(f"The change failed by itself when cut at {at}: {status}.")
    return status == 0


def main_of(name: str, folder: Path) -> list[tuple[str, str]]:
    change, before, work = CHANGES[name], folder / "before", folder / "work"
    sit_down(before)
    change(OLD)
    shutil.copytree(before, work)
    assert cut(change, work, at=0)
    old, new = content(before), content(work)
    assert old != new
    found: list[tuple[str, str]] = []
    ended = False
    while not ended:
        shutil.rmtree(work)
        shutil.copytree(before, work)
        ended = cut(change, work, len(found) + 1)
        sit_down(work)
        said = finish_renames()
        now = content(work)
        state = "old" if now == old else "new" if now == new else f"neither: {sorted(now)}"
        found.append((state, said))
    return found


if __name__ == "__main__":
    print(json.dumps(main_of(sys.argv[1], Path(sys.argv[2]))))
