"""Where somebody stands in the lessons: the table's own progress, and that of each guest's device.

The table's is kept on the disk. A guest's lies in memory, for whoever only looks on writes nothing
on the table's machine; the guests who were away longest are forgotten first.
"""

from __future__ import annotations

from collections import OrderedDict

from assistant.app.lesson_files import read_progress, write_progress
from assistant.lessons import Kept, Question, Walk

TABLE = ""
"""The learner who sits at the table, by whichever of its devices."""
MOST_GUESTS = 200


class Notebook:
    """One learner's lessons and quizzes: those that are begun, and what was achieved."""

    def __init__(self) -> None:
        self.walks: dict[str, Walk] = {}
        self.questions: dict[str, tuple[Question, int | None]] = {}
        self._kept = Kept()

    def read(self) -> Kept:
        """What was achieved. Raises UsageError."""
        return self._kept

    def write(self, kept: Kept) -> None:
        """Keep it. Raises OSError."""
        self._kept = kept


class TableNotebook(Notebook):
    """The table's, which outlives a start."""

    def read(self) -> Kept:
        """What was achieved. Raises UsageError."""
        return read_progress()

    def write(self, kept: Kept) -> None:
        """Keep it. Raises UsageError, OSError."""
        write_progress(kept)


class Notebooks:
    """One for each learner."""

    def __init__(self) -> None:
        self._table = TableNotebook()
        self._guests: OrderedDict[str, Notebook] = OrderedDict()

    def of(self, learner: str) -> Notebook:
        """A learner's own: TABLE, or a guest's device by its address."""
        if learner == TABLE:
            return self._table
        found = self._guests.setdefault(learner, Notebook())
        self._guests.move_to_end(learner)
        while len(self._guests) > MOST_GUESTS:
            self._guests.popitem(last=False)
        return found
