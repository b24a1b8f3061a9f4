"""An apprentice at a board that has no runner."""

from __future__ import annotations

from typing import Any, cast

from assistant.files.resources import load_phrases
from assistant.messages import Heard, Outcome
from assistant.school.apprentice.page import Apprentice
from assistant.table.runner import News, Runner
from assistant.table.snapshot import LastHeard
from assistant.table.table import Table
from tests.page.fake_board import FakeBoard


class OneTable:
    """The part of a runner that the apprentice's page needs."""

    def __init__(self, board: FakeBoard) -> None:
        self.table = board


class LearningBoard(FakeBoard):
    """A board that passes the outcome of each message to an apprentice before it shows it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hushed: list[float] = []
        """The seconds of each time that the table's ear was shut."""
        table = cast(Runner, OneTable(self))
        self.apprentice = Apprentice(table, load_phrases(), self.hushed.append)

    def _show(self, heard: LastHeard | None) -> None:
        if heard is not None and heard.outcomes:
            self.apprentice.told(News(Heard(()), heard.outcomes, ()), cast(Table, self))
        super()._show(heard)

    def overhear(self, outcome: Outcome) -> None:
        """Add an outcome of words that were no call."""
        with self.changed:
            self._show(LastHeard("", (outcome,)))
