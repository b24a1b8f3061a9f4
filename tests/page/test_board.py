"""What the page is shown of the wired table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from assistant.files.resources import load_lexicon, load_phrases
from assistant.messages import Command, Heard, Hypothesis, Message, Pressed, Word
from assistant.page.board import TableBoard
from assistant.rules.calls import Accept, Cut
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.table.journal import JournalError, MemoryJournal
from assistant.table.runner import Runner
from assistant.table.table import Table


def faint(call: str) -> Heard:
    """A call that is asked for before it counts."""
    ways = (Hypothesis((Word(call),), 0.5), Hypothesis((Word("sota"),), 0.5))
    return Heard(ways[0].words, hypotheses=ways)


class Wired:
    """A board on a running table."""

    def __init__(self) -> None:
        opening = number(open_game(Profile(), ("Norte", "Oeste", "Sur", "Este")), 0, at=1.0)
        journal = MemoryJournal()
        journal.append(opening)
        table = Table(load_lexicon(), opening)
        self.runner = Runner(table, journal, lambda: (journal, table))
        self.board = TableBoard(self.runner, load_phrases())
        self.runner.listeners.append(self.board)

    def say(self, text: str) -> None:
        words = (Word(word, i / 3, i / 3 + 0.2) for i, word in enumerate(text.split()))
        self.post(Heard(tuple(words)))

    def post(self, message: Message) -> None:
        self.runner.post(message).result(60)


@pytest.fixture
def wired() -> Iterator[Wired]:
    wired = Wired()
    wired.runner.start()
    yield wired
    wired.runner.stop()


def test_table_talk_does_not_take_a_question_off_the_page(wired: Wired) -> None:
    for text in ("no hay mus", "envido cinco", "ocho", "qué calor hace"):
        wired.say(text)
    question = wired.board.snapshot()["question"]
    assert question is not None
    assert len(question["options"]) == 2
    wired.say("quiero")
    assert wired.board.snapshot()["question"] is None


@pytest.mark.parametrize("beside", ["qué calor hace", "mus"])
def test_what_moves_nothing_leaves_the_question_on_the_page(wired: Wired, beside: str) -> None:
    wired.say("no hay mus")
    wired.post(faint("envido"))
    asked = wired.board.snapshot()["question"]
    assert asked is not None
    wired.say(beside)
    assert wired.board.snapshot()["question"] == asked


def test_how_sure_the_ear_was_is_shown_beside_what_it_heard(wired: Wired) -> None:
    wired.post(faint("no hay mus"))
    heard = wired.board.snapshot()["heard"]
    assert heard is not None
    assert heard["confidence"] == round(faint("no hay mus").hypotheses[0].probability, 2) < 1
    wired.say("paso")
    heard = wired.board.snapshot()["heard"]
    assert heard is not None
    assert heard["confidence"] == 1


def test_a_disk_that_fails_is_told_though_a_question_stands(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_records: object) -> None:
        raise JournalError("The disk is full.")

    wired.say("no hay mus")
    wired.post(faint("envido"))
    monkeypatch.setattr(wired.runner.journal, "append", fails)
    wired.say("paso")
    heard = wired.board.snapshot()["heard"]
    assert heard is not None
    assert heard["outcome"] == "refused"
    assert wired.board.snapshot()["question"] is None


def test_a_no_to_a_question_takes_it_off_the_page(wired: Wired) -> None:
    wired.say("no hay mus")
    wired.post(faint("envido"))
    wired.say("no")
    snapshot = wired.board.snapshot()
    assert snapshot["question"] is None
    assert snapshot["heard"] is not None
    assert snapshot["heard"]["say"] == "Vale, no cuenta."


def test_the_page_tells_what_an_undo_and_a_redo_took_back(wired: Wired) -> None:
    wired.say("no hay mus")
    for command, told in ((Command.UNDO, "Deshecho: "), (Command.REDO, "Rehecho: ")):
        (said,) = wired.board.press(Pressed(command))
        assert said["text"] == f"{told}el corte de Norte"


def test_a_paused_table_says_so_on_the_page(wired: Wired) -> None:
    wired.board.ear("listening")
    wired.post(Pressed(Command.PAUSE))
    assert wired.board.snapshot()["ear"]["state"] == "paused"
    wired.board.ear("listening", "El micrófono satura: bájalo o aléjalo.")
    assert wired.board.snapshot()["ear"]["state"] == "paused"
    wired.post(Pressed(Command.RESUME))
    assert wired.board.snapshot()["ear"]["state"] == "listening"


def test_a_table_without_ear_is_not_called_paused(wired: Wired) -> None:
    wired.board.ear("off")
    wired.post(Pressed(Command.PAUSE))
    assert wired.board.snapshot()["ear"]["state"] == "off"


def test_half_a_word_is_not_left_on_the_page_when_the_ear_ends(wired: Wired) -> None:
    wired.board.ear("listening")
    wired.board.partial("envi")
    assert wired.board.snapshot()["partial"] == "envi"
    wired.board.ear("off")
    assert wired.board.snapshot()["partial"] == ""


def test_every_change_has_a_higher_version(wired: Wired) -> None:
    versions = [wired.board.snapshot()["version"]]
    changes: tuple[Callable[[], None], ...] = (
        lambda: wired.board.ear("listening"),
        lambda: wired.board.partial("envi"),
        lambda: wired.say("no hay mus"),
        lambda: wired.say("qué calor hace"),
    )
    for change in changes:
        change()
        versions.append(wired.board.snapshot()["version"])
    assert versions == sorted(set(versions))
    assert wired.board.wait(versions[0], timeout=60) == wired.board.snapshot()
    assert wired.board.wait(versions[-1], timeout=0.01) is None


def test_a_tap_that_is_refused_is_told_to_its_page_and_to_no_other(wired: Wired) -> None:
    wired.say("no hay mus")
    before = wired.board.snapshot()
    for tap in (Pressed(Accept(seat=2)), Pressed(Cut(seat=1), seen=1)):
        (said,) = wired.board.press(tap)
        assert (said["outcome"], bool(said["text"])) == ("refused", True)
    assert wired.board.snapshot() == before


def test_a_disk_that_fails_under_a_tap_is_told_to_all(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_records: object) -> None:
        raise JournalError("The disk is full.")

    monkeypatch.setattr(wired.runner.journal, "append", fails)
    wired.board.press(Pressed(Cut(seat=1)))
    heard = wired.board.snapshot()["heard"]
    assert heard is not None
    assert heard["outcome"] == "refused"
