"""The runner: decide, commit, and only then the news. A failed commit changes nothing."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from assistant.cli.game import open_new
from assistant.cli.play_options import add_arguments, settings_from
from assistant.cli.script_cards import CardFeeder, hands_by_deal
from assistant.files.resources import load_phrases
from assistant.language.script import parse_script
from assistant.messages import Accepted, CardsSeen, Command, Heard, Pressed, Refused, Told, Word
from assistant.page.board import TableBoard
from assistant.rules.calls import Accept, Cut, Ordago, Pass
from assistant.rules.cards import parse_hand
from assistant.rules.engine import open_game
from assistant.rules.history import Record, fold, number, undo_target
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.table.journal import Journal, JournalError, MemoryJournal, SqliteJournal, tables
from assistant.table.runner import News, Runner
from assistant.table.table import Table
from tests.lexicons import spanish
from tests.table.sounds import later, sounding

NAMES = ("Norte", "Oeste", "Sur", "Este")


class Ledger:
    """A listener that keeps its news and checks that the journal had the records first."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.news: list[News] = []

    def told(self, news: News, table: Table) -> None:
        for update in news.updates:
            assert self.runner.journal.read()[-1].seq >= update.records[-1].seq
        assert fold(table.records) == table.state
        self.news.append(news)


class FullDisk(MemoryJournal):
    """A journal whose disk is full at the second append."""

    def append(self, records: Sequence[Record]) -> None:
        if records and self.last_seq:
            raise JournalError("The disk is full: make room and go on.")
        super().append(records)


def new_game(journal: Journal | None = None, profile: Profile | None = None) -> Runner:
    journal = journal or MemoryJournal()
    opening = number(open_game(profile or Profile(), NAMES), 0, at=1.0)
    journal.append(opening)
    lexicon = spanish()

    def another() -> tuple[Journal, Table]:
        fresh = MemoryJournal("another")
        fresh.append(opening)
        return fresh, Table(lexicon, opening)

    return Runner(Table(lexicon, opening), journal, another, clock=lambda: 2.0)


@pytest.fixture
def runner() -> Iterator[Runner]:
    runner = new_game()
    runner.start()
    yield runner
    runner.stop()


def said(text: str) -> Heard:
    return Heard(tuple(Word(word, i / 3, i / 3 + 0.2) for i, word in enumerate(text.split())))


def test_listeners_get_the_news_after_the_commit(runner: Runner) -> None:
    ledger = Ledger(runner)
    runner.listeners.append(ledger)
    runner.post(said("no hay mus")).result(5)
    outcomes = runner.post(said("paso envido")).result(5)
    assert [type(outcome) for outcome in outcomes] == [Accepted, Accepted]
    runner.drain()
    assert [len(news.updates) for news in ledger.news] == [1, 2]
    assert [record.at for record in runner.journal.read()[2:]] == [2.0] * 6


def test_every_utterance_is_kept_in_the_heard_log(runner: Runner) -> None:
    for text in ("no hay mus", "qué calor hace", "quiero"):
        runner.post(said(text))
    runner.drain()
    kept = [(entry.text, entry.outcome) for entry in runner.journal.heard()]
    assert kept == [
        ("no hay mus", "accepted"),
        ("qué calor hace", "ignored"),
        ("quiero", "refused"),
    ]


def test_a_replacement_of_calls_is_one_batch_and_is_read_back_the_same(
    tmp_path: Path,
) -> None:
    runner = new_game(SqliteJournal(tmp_path / "table.db", "evening"))
    board = TableBoard(runner, load_phrases("es"))
    runner.listeners.append(board)
    runner.start()
    heard = [
        sounding(no_hay_mus=0.97, UNK=0.03),
        sounding(envido=0.97, UNK=0.03),
        sounding(no_queremos=0.8, queremos=0.16, UNK=0.04),
        sounding(cinco_más_a_la_grande=0.97, UNK=0.03),
    ]
    for at, utterance in enumerate(heard):
        (outcome,) = runner.post(later(utterance, 3.0 * at)).result(5)
    assert isinstance(outcome, Accepted)
    assert outcome.understood
    runner.stop()
    with closing(SqliteJournal(tmp_path / "table.db", "evening")) as journal:
        records = journal.read()
    assert fold(records) == runner.table.state
    assert len({record.batch for record in records}) == 5  # the opening and four calls
    assert runner.table.state.stones == (0, 0)


def test_a_failed_commit_leaves_the_table_as_it_was() -> None:
    runner = new_game(FullDisk())
    ledger = Ledger(runner)
    runner.listeners.append(ledger)
    runner.start()
    before = runner.table.state
    (outcome,) = runner.post(Pressed(Cut(seat=1))).result(5)
    runner.drain()
    assert isinstance(outcome, Refused)
    assert outcome.code == "journal_failed"
    assert runner.table.state == before
    assert ledger.news[0].updates == ()
    runner.stop()


def test_a_failing_listener_does_not_keep_the_news_from_others(
    runner: Runner, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def told(self, news: News, table: Table) -> None:
            raise RuntimeError(f"no paper for {news} at {table}")

    ledger = Ledger(runner)
    runner.listeners.extend([Broken(), ledger])
    for call in (Cut(seat=1), Pass(seat=1)):
        (outcome,) = runner.post(Pressed(call)).result(5)
        assert isinstance(outcome, Accepted)
    assert len(ledger.news) == 2
    assert "no paper" in caplog.text


def test_a_paused_table_can_go_on(runner: Runner) -> None:
    assert runner.post(Pressed(Command.PAUSE)).result(5) == (Told(Command.PAUSE),)
    (outcome,) = runner.post(said("no hay mus")).result(5)
    assert isinstance(outcome, Refused)
    assert runner.post(Pressed(Command.RESUME)).result(5) == (Told(Command.RESUME),)
    assert isinstance(runner.post(said("no hay mus")).result(5)[0], Accepted)


def test_a_new_game_waits_for_the_end_of_the_match(runner: Runner) -> None:
    (outcome,) = runner.post(Pressed(Command.NEW_GAME)).result(5)
    assert isinstance(outcome, Refused)
    assert outcome.code == "match_running"


def test_a_new_game_after_the_match_has_a_journal_of_its_own() -> None:
    runner = new_game(profile=Profile(juegos=1))
    runner.start()
    for text in ("no hay mus", "órdago", "quiero"):
        runner.post(said(text))
    script = parse_script(
        "mano: 1\n1: mus\ncards 1: R R C 1\ncards 2: C C S 1\ncards 3: S S 7 1\ncards 4: 7 7 6 1"
    )
    runner.listeners.append(CardFeeder(hands_by_deal(script), runner.post))
    runner.post(Pressed(Command.UNDO))
    runner.post(said("quiero")).result(5)
    runner.drain()
    assert runner.table.state.phase is Phase.OVER
    assert runner.table.state.winner == "A"
    old = runner.journal
    assert runner.post(Pressed(Command.NEW_GAME)).result(5) == (Told(Command.NEW_GAME),)
    assert runner.journal is not old
    assert runner.table.state.deal == 1
    runner.stop()


def test_a_new_game_that_could_not_be_written_can_be_asked_for_again() -> None:
    runner = new_game(profile=Profile(juegos=1))
    runner.start()
    runner.post(Pressed(Ordago(seat=1)))
    runner.post(Pressed(Accept(seat=2)))
    hands = [parse_hand(text) for text in ("R R C 1", "C C S 1", "S S 7 1", "7 7 6 1")]
    runner.post(CardsSeen(tuple(enumerate(hands, start=1)))).result(5)
    assert runner.table.state.phase is Phase.OVER
    works, runner._new_game = runner._new_game, full_disk
    (outcome,) = runner.post(Pressed(Command.NEW_GAME)).result(5)
    assert isinstance(outcome, Refused)
    assert outcome.code == "journal_failed"
    assert runner.table.state.phase is Phase.OVER
    (undone,) = runner.post(Pressed(Command.UNDO)).result(5)
    assert isinstance(undone, Accepted)  # the old game is still written
    (done,) = runner.post(Pressed(Command.REDO)).result(5)
    assert isinstance(done, Accepted)
    runner._new_game = works
    assert runner.post(Pressed(Command.NEW_GAME)).result(5) == (Told(Command.NEW_GAME),)
    runner.stop()


def test_the_old_game_goes_on_where_the_next_cannot_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.sqlite3"
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    settings = settings_from(parser.parse_args(["--journal", str(path), "--mano", "1"]))
    lexicon = spanish()

    def opened(beside: Journal | None = None) -> tuple[Journal, Table]:
        game = open_new(settings, lambda _profile: lexicon, beside=beside)
        game.begin()
        return game.journal, game.table

    journal, table = opened()
    played = Runner(table, journal, lambda: opened(played.journal))
    played.start()
    append = SqliteJournal.append

    def full(journal: SqliteJournal, records: Sequence[Record]) -> None:
        if not journal.last_seq:
            raise JournalError("The disk is full: make room and go on.")
        append(journal, records)

    monkeypatch.setattr(SqliteJournal, "append", full)
    (outcome,) = played.begin_anew(lambda _table: True).result(5)
    assert isinstance(outcome, Refused)
    assert outcome.code == "journal_failed"
    (cut,) = played.post(Pressed(Cut(seat=1))).result(5)
    assert isinstance(cut, Accepted)
    assert played.journal is journal
    monkeypatch.setattr(SqliteJournal, "append", append)
    assert played.begin_anew(lambda _table: True).result(5) == (Told(Command.NEW_GAME),)
    with pytest.raises(JournalError, match="Another mus"):
        SqliteJournal(path, "of another process")
    played.stop()
    assert [info.table_id for info in tables(path)] == ["game-2", "game-1"]
    SqliteJournal(path, "game-2").close()  # nobody holds its lock any more


def test_a_game_that_began_in_the_meantime_is_not_left_for_another() -> None:
    runner = new_game()
    asked = [
        runner.post(Pressed(Cut(seat=1))),
        runner.begin_anew(lambda table: undo_target(table.records) is None),
    ]
    runner.start()
    (cut,), (left,) = [answer.result(5) for answer in asked]
    assert isinstance(cut, Accepted)
    assert isinstance(left, Refused)
    assert left.code == "match_running"
    runner.stop()


def full_disk() -> tuple[Journal, Table]:
    raise JournalError("The disk is full: make room and go on.")


def test_scripted_hands_are_grouped_by_deal() -> None:
    script = parse_script(
        "mano: 1\n1: no hay mus\ncards 1: R R C 1\ncards 2: C C S 1\n"
        "2: no hay mus\n2: órdago\n"
        "mano: 3\n3: mus\ncards 4: 7 7 6 1"
    )
    assert hands_by_deal(script) == (
        ((1, parse_hand("R R C 1")), (2, parse_hand("C C S 1"))),
        (),
        ((4, parse_hand("7 7 6 1")),),
    )
