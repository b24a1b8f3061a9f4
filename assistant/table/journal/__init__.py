"""The journal: what happened at a table, kept for good. See ``docs/journal.md``."""

from assistant.table.journal.port import (
    DamagedJournalError,
    HeardEntry,
    Journal,
    JournalError,
    MemoryJournal,
)
from assistant.table.journal.sqlite import (
    Outbox,
    RawRecord,
    SqliteJournal,
    TableInfo,
    Waiting,
    latest_table,
    tables,
)

__all__ = [
    "DamagedJournalError",
    "HeardEntry",
    "Journal",
    "JournalError",
    "MemoryJournal",
    "Outbox",
    "RawRecord",
    "SqliteJournal",
    "TableInfo",
    "Waiting",
    "latest_table",
    "tables",
]
