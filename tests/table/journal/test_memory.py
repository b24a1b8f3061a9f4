"""The in-memory journal fulfils the contract."""

from assistant.table.journal import Journal, MemoryJournal
from assistant.table.journal.port import HEARD_KEPT
from tests.contracts.journal_contract import JournalContract


class TestMemoryJournal(JournalContract):
    def make(self, heard_kept: int = HEARD_KEPT) -> Journal:
        return MemoryJournal("mesa", heard_kept=heard_kept)


def test_a_journal_bears_the_name_of_its_table() -> None:
    assert MemoryJournal("mesa").table_id == "mesa"
