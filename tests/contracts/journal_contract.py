"""The contract of every journal. The test class of an adapter inherits it and makes a journal."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from threading import Event as Flag
from threading import Thread
from time import sleep

import pytest

from assistant.messages.codec import event_from_json, event_to_json
from assistant.rules import events as e
from assistant.rules.engine import open_game
from assistant.rules.history import Record, number
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from assistant.table.journal.port import (
    HEARD_KEPT,
    HEARD_TEXT_KEPT,
    HeardEntry,
    Journal,
    JournalError,
)

OPENING = open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"))
CUT = (e.SeatInferred(2, "turn"), e.MusCut(2))
BET = (e.BetMade(1, Lance.GRANDE, 5),)


def batches(
    *groups: Sequence[e.Event], after: int = 0, at: float = 1_700_000_000.25
) -> list[Record]:
    """The records of several calls, one after another."""
    records: list[Record] = []
    for group in groups:
        records += number(group, after + len(records), at)
    return records


class JournalContract(ABC):
    """The tests of the Journal port."""

    @abstractmethod
    def make(self, heard_kept: int = HEARD_KEPT) -> Journal:
        """An empty journal."""

    @pytest.fixture
    def journal(self) -> Iterator[Journal]:
        journal = self.make()
        yield journal
        journal.close()

    def test_a_new_journal_is_empty(self, journal: Journal) -> None:
        assert journal.read() == []
        assert journal.last_seq == 0
        assert journal.heard() == []

    def test_appended_records_are_read_back_in_order(self, journal: Journal) -> None:
        records = batches(OPENING, CUT, BET)
        journal.append(records[:2])
        journal.append(records[2:4])
        journal.append(records[4:])
        assert journal.read() == records
        assert journal.last_seq == 5

    def test_several_calls_can_be_committed_at_once(self, journal: Journal) -> None:
        records = batches(OPENING, CUT, BET)
        journal.append(records)
        assert [record.batch for record in journal.read()] == [1, 1, 3, 3, 5]

    def test_appending_no_records_is_no_error(self, journal: Journal) -> None:
        journal.append([])
        assert journal.last_seq == 0

    @pytest.mark.parametrize(("after", "left"), [(-3, 5), (0, 5), (1, 4), (4, 1), (5, 0), (99, 0)])
    def test_a_reader_pulls_from_its_position(
        self, journal: Journal, after: int, left: int
    ) -> None:
        records = batches(OPENING, CUT, BET)
        journal.append(records)
        assert journal.read(after) == records[5 - left :]

    def test_changing_the_list_that_was_read_leaves_the_journal_alone(
        self, journal: Journal
    ) -> None:
        records = batches(OPENING)
        journal.append(records)
        journal.read().clear()
        assert journal.read() == records

    def test_changing_the_list_that_was_appended_leaves_the_journal_alone(
        self, journal: Journal
    ) -> None:
        given = batches(OPENING)
        journal.append(given)
        given.clear()
        assert journal.last_seq == 2

    @pytest.mark.parametrize(
        ("spoil", "named"),
        [
            (lambda r: r._replace(seq=2), "another mus is running on this table"),
            (lambda r: r._replace(seq=4, batch=4), "Record 4 cannot be added: 3 comes next"),
            (lambda r: r._replace(batch=1), "belongs to no call"),
            (lambda r: r._replace(batch=4), "belongs to no call"),
            (lambda r: r._replace(at=float("nan")), "has no time"),
            (lambda r: r._replace(at=float("inf")), "has no time"),
        ],
    )
    def test_a_record_that_does_not_follow_is_refused(
        self, journal: Journal, spoil: Callable[[Record], Record], named: str
    ) -> None:
        opening = batches(OPENING)
        journal.append(opening)
        wrong = spoil(Record(3, 3, 1.0, e.MusAsked(1)))
        with pytest.raises(JournalError, match=named):
            journal.append([wrong])
        assert journal.read() == opening
        journal.append(batches(BET, after=2))
        assert journal.last_seq == 3

    def test_a_batch_is_committed_whole_or_not_at_all(self, journal: Journal) -> None:
        good = batches(OPENING, CUT)
        with pytest.raises(JournalError):
            journal.append([*good, Record(9, 9, 1.0, e.MusAsked(1))])
        assert journal.read() == []

    def test_readers_see_whole_batches_only(self, journal: Journal) -> None:
        """In this test, a batch of ``n`` events is ``n`` retractions, each naming ``n``."""
        done = Flag()
        seen: list[int] = []
        torn: list[list[Record]] = []

        def pull() -> None:
            while not done.is_set():
                records = journal.read(seen[-1] if seen else 0)
                if records:
                    seen.append(records[-1].seq)
                    last = records[-1]
                    if last.event != e.Retracted(last.seq - last.batch + 1):
                        torn.append(records)

        reader = Thread(target=pull)
        reader.start()
        for size in [1, 2, 3, 7] * 10:
            journal.append(batches([e.Retracted(size)] * size, after=journal.last_seq))
        while reader.is_alive() and (not seen or seen[-1] < journal.last_seq):
            sleep(0.001)
        done.set()
        reader.join()
        assert not torn
        assert seen[-1] == journal.last_seq
        assert seen == sorted(set(seen))

    def test_every_kind_of_event_is_kept(self, journal: Journal) -> None:
        facts = (
            e.GameOpened(Profile(kings=4, target=30), ("Ana", "Íñigo 🂡", "", "a\nb\0c")),
            e.LanceClosed(Lance.PARES, e.How.REFUSED, "B", 0),
            e.LanceClosed(Lance.PUNTO, e.How.PASSED),
            e.StonesSet((12, 39)),
        )
        journal.append(batches(facts))
        assert tuple(record.event for record in journal.read()) == facts
        assert [event_from_json(event_to_json(fact)) for fact in facts] == list(facts)

    def test_heard_entries_come_back_oldest_first(self, journal: Journal) -> None:
        entries = [
            HeardEntry(10.0, "envido cinco", 2, "accepted", ""),
            HeardEntry(11.0, "qué cartas", None, "ignored", "talk"),
            HeardEntry(12.0, "reenvido", 1, "refused", "no_bet"),
        ]
        for n in entries:
            journal.note_heard(n.at, n.text, n.seat, n.outcome, n.detail)
        assert journal.heard() == entries
        assert journal.heard(limit=2) == entries[1:]
        assert journal.heard(limit=0) == []

    def test_a_heard_entry_takes_no_sequence_number(self, journal: Journal) -> None:
        journal.note_heard(10.0, "paso", None, "refused", "not_now")
        assert journal.last_seq == 0
        assert journal.read() == []

    def test_a_long_or_broken_text_is_kept_as_far_as_possible(self, journal: Journal) -> None:
        journal.note_heard(10.0, "é" * 5_000, None, "ignored", "\udce9")
        (entry,) = journal.heard()
        assert entry.text == "é" * HEARD_TEXT_KEPT
        assert entry.detail == "?"

    def test_a_closed_journal_refuses_every_operation(self) -> None:
        journal = self.make()
        journal.close()
        journal.close()
        uses: list[Callable[[], object]] = [
            journal.read,
            journal.heard,
            lambda: journal.last_seq,
            lambda: journal.append(batches(OPENING)),
            lambda: journal.note_heard(1.0, "", None, "", ""),
        ]
        for use in uses:
            with pytest.raises(JournalError, match="closed"):
                use()

    def test_the_heard_log_drops_its_oldest_entries(self) -> None:
        journal = self.make(heard_kept=3)
        for n in range(5):
            journal.note_heard(float(n), str(n), None, "ignored", "")
        assert [entry.text for entry in journal.heard()] == ["2", "3", "4"]
        journal.close()
