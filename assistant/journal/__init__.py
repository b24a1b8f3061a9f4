"""The journal: what happened at a table, kept for good. Rank 3. See ``docs/journal.md``."""

from assistant.journal.memory import MemoryJournal
from assistant.journal.outbox import Outbox, RawRecord, Waiting
from assistant.journal.port import DamagedJournalError, HeardEntry, Journal, JournalError
from assistant.journal.sqlite import SqliteJournal, TableInfo, latest_table, tables

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
