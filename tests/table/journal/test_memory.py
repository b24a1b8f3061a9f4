"""The journal in memory keeps the contract."""

from assistant.table.journal import Journal, MemoryJournal
from assistant.table.journal.port import HEARD_KEPT
from tests.contracts.journal_contract import JournalContract


class TestMemoryJournal(JournalContract):
    def make(self, heard_kept: int = HEARD_KEPT) -> Journal:
        return MemoryJournal("mesa", heard_kept=heard_kept)


def test_it_bears_its_tables_name() -> None:
    assert MemoryJournal("mesa").table_id == "mesa"
