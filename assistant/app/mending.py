"""A damaged journal put aside, and a new one in its place that goes on with what is sound."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from assistant.app.renames import Renames, rename_together
from assistant.app.whole import beside
from assistant.journal.copy import COMPANIONS, nobody_writes
from assistant.journal.salvage import Saved, lost_commits, save_what_is_sound

ENDS = ("", *COMPANIONS)


def mend_journal(path: Path, lost: int = 0) -> str:
    """Go on with what is sound of a damaged journal; what was lost, in sentences for people.

    The damaged one stays beside it, as it was. ``lost``: commits that its log has lost, as
    ``lost_commits`` counts them. Raises JournalError, OSError.
    """
    with nobody_writes(path):
        aside = _aside(path)
        for end in ENDS:
            if _with(path, end).exists():
                _copy(_with(path, end), _with(aside, end))
        partly, _ = beside(path)
        for end in ENDS:
            _with(partly, end).unlink(missing_ok=True)
        saved = save_what_is_sound(path, partly)
        old = {_with(path, end): beside(_with(path, end))[1] for end in ENDS}
        for left in old.values():
            left.unlink(missing_ok=True)
        steps = (*((one, other) for one, other in old.items() if one.exists()), (partly, path))
        rename_together(Renames("el diario dañado", steps, waste=tuple(old.values())))
    return " ".join((f"El diario estaba dañado, y queda en {aside}.", *_told(saved, lost)))


def mend_log(path: Path) -> str:
    """The same where only its log has lost something, which nobody else notices; else "".

    To be called before anybody opens the journal. Raises JournalError, OSError.
    """
    lost = lost_commits(path) if path.is_file() else 0
    return mend_journal(path, lost) if lost else ""


def _told(saved: list[Saved], lost: int) -> list[str]:
    told = [
        f"De {one.table_id} se conservan {one.kept} registros de {one.held}."
        for one in saved
        if one.kept < one.held
    ]
    if lost:
        told.append(f"De lo último se han perdido {lost} jugadas o más.")
    return [*told, "Comprobad el tanteo."] if told else ["No se ha perdido ninguna jugada."]


def _aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside


def _with(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    with target.open("rb") as file:
        os.fsync(file.fileno())
