"""Records of whole games, as journals have them."""

from __future__ import annotations

from assistant.rules.events import Retracted
from assistant.rules.history import Record, number, undo_target
from assistant.table.journal import MemoryJournal
from scripts.lab.bench_rules import matches, play_into


def played(deals: int, seed: int = 7) -> list[Record]:
    """A game of this many deals; the players sometimes speak out of turn."""
    journal = MemoryJournal()
    play_into(journal, matches(deals, seed)[0])
    return journal.read()


def with_undo(records: list[Record]) -> list[Record]:
    """The same game with its last call undone."""
    target = undo_target(records)
    assert target is not None
    return [*records, *number((Retracted(target),), records[-1].seq, records[-1].at + 1)]


def calls(records: list[Record]) -> list[list[Record]]:
    """The records grouped by call, as they were committed."""
    found: dict[int, list[Record]] = {}
    for record in records:
        found.setdefault(record.batch, []).append(record)
    return list(found.values())


def some(records: list[Record], count: int) -> list[Record]:
    """The first records, in whole calls: ``count`` or a few more."""
    batch = records[count - 1].batch
    return [record for record in records if record.batch <= batch]
