"""The heard log aligned with the batches: each utterance stands beside the calls it made."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.messages import Heard, Pressed
from assistant.review.record.sections import Note, NoteEntry, align, batches_of
from assistant.rules.calls import Bet, Cut, Pass
from assistant.rules.history import Record
from assistant.table.runner import News
from assistant.table.table import Table
from tests.tables import each_row

from .evening import GAMES, Evening, script

ALL = sorted(path.stem for path in GAMES.glob("*.mus"))


class Witness:
    """Keeps the words, if any, that made each batch."""

    def __init__(self) -> None:
        self.made: dict[int, str | None] = {}
        self.moved_nothing: list[str] = []

    def told(self, news: News, _table: Table) -> None:
        words = news.message.text if isinstance(news.message, Heard) else None
        for update in news.updates:
            self.made[update.records[0].batch] = words
        if words is not None and not news.updates:
            self.moved_nothing.append(words)


def kept(evening: Evening) -> tuple[list[Record], list[Note]]:
    heard = evening.journal.heard(10_000)
    notes = [Note(h.at, h.text, h.seat, h.outcome, h.detail) for h in heard]
    return evening.journal.read(), notes


def entries(evening: Evening) -> tuple[list[Record], list[NoteEntry]]:
    records, notes = kept(evening)
    return records, align(batches_of(records), notes)


@pytest.mark.parametrize("seconds", [3.0, 0.0])
@each_row("game", ALL)
def test_every_call_stands_beside_the_words_that_made_it(
    tmp_path: Path, game: str, seconds: float
) -> None:
    read = script(game)
    evening = Evening(tmp_path / "j.sqlite3", game=read)
    witness = Witness()
    evening.runner.listeners.append(witness)
    evening.play(read, seconds)
    records, found = entries(evening)
    evening.close()
    batches = batches_of(records)
    told = {batches[place].seq: entry.text for entry in found for place in entry.batches}
    assert told == {1: None, **witness.made}
    assert sorted(told) == [batch.seq for batch in batches]
    if seconds:  # words repeated within half a second are shown once
        assert [e.text for e in found if not e.batches] == witness.moved_nothing


def test_taps_between_utterances_have_no_words(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "j.sqlite3")
    evening.say("no hay mus", 1)
    evening.post(Pressed(Pass(seat=1)), after=0.1)
    evening.say("paso", 2, after=0.1)
    evening.post(Pressed(Bet(seat=3, stones=4)), after=0.1)
    evening.say("qué calor hace", after=0.1)
    evening.say("quiero", 4, after=0.1)
    _, found = entries(evening)
    evening.close()
    assert [entry.text for entry in found] == [
        None,
        "no hay mus",
        None,
        "paso",
        None,
        "qué calor hace",
        "quiero",
    ]


def test_one_word_twice_in_a_breath_is_two_calls_of_one_message(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "j.sqlite3")
    evening.say("no hay mus", 1)
    evening.say("paso paso")
    evening.say("paso")
    evening.say("paso")
    _, found = entries(evening)
    evening.close()
    assert [(entry.text, len(entry.batches)) for entry in found[2:]] == [
        ("paso paso", 2),
        ("paso", 1),
        ("paso", 1),
    ]


def test_a_clock_that_is_set_back_loses_no_words(tmp_path: Path) -> None:
    """A Raspberry Pi starts with a past time until a network tells it the right one."""
    evening = Evening(tmp_path / "j.sqlite3")
    evening.say("no hay mus", 1)
    evening.post(Pressed(Pass(seat=1)))
    evening.clock.now -= 3_000_000.0
    evening.say("paso", 2)
    evening.clock.now += 3_000_000.0
    evening.say("envido", 3)
    _, found = entries(evening)
    evening.close()
    assert [entry.text for entry in found if entry.batches] == [
        None,
        "no hay mus",
        None,
        "paso",
        "envido",
    ]


def test_a_note_whose_call_is_missing_takes_no_other(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "j.sqlite3")
    evening.post(Pressed(Cut(seat=1)))
    records, _ = kept(evening)
    evening.close()
    lost = Note(records[-1].at + 3600.0, "mus", 1, "accepted", "Mus(seat=1, lance=None)")
    found = align(batches_of(records), [lost])
    assert [(entry.text, len(entry.batches)) for entry in found if entry.text] == [("mus", 0)]
    assert [entry.batches for entry in found if entry.batches] == [(0,), (1,)]
