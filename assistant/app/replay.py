"""Looking back at the match that is being played: its deals, and the table at any step."""

from __future__ import annotations

from assistant.app.runner import Runner
from assistant.rules.history import fold
from assistant.snapshot import Phrases, Snapshot, snapshot
from assistant.snapshot.past import DealView, StepView, deal_views, step_views


class Replay:
    """Reads the records of the running table; called from any thread, and changes nothing."""

    def __init__(self, runner: Runner, phrases: Phrases) -> None:
        self._runner = runner
        self._phrases = phrases

    def deals(self) -> list[DealView]:
        """All deals that count."""
        return deal_views(self._runner.table.records.copy())

    def steps(self, deal: int) -> list[StepView] | None:
        """The steps of a deal; None where there is no such deal."""
        table = self._runner.table
        records = table.records.copy()
        for view in deal_views(records):
            if view["deal"] == deal:
                first, last = view["first"], view["last"]
                return step_views(records, first, last, table.state, self._phrases)
        return None

    def at(self, seq: int) -> Snapshot | None:
        """The table as it stood after a record; None where there is none of that number."""
        records = self._runner.table.records[:seq]
        state = fold(records) if len(records) == seq else None
        return snapshot(state, records, self._phrases, version=seq) if state else None
