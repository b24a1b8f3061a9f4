"""The board: what the page is shown of the running table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from assistant.messages import Command, Heard, Hypothesis, Pressed, Word
from assistant.rules.calls import Accept, Cut
from assistant.table.journal import JournalError
from tests.page.wired import Wired


def faint(call: str) -> Heard:
    """A call that is asked about before it counts."""
    ways = (Hypothesis((Word(call),), 0.5), Hypothesis((Word("sota"),), 0.5))
    return Heard(ways[0].words, hypotheses=ways)


@pytest.fixture
def wired() -> Iterator[Wired]:
    wired = Wired()
    wired.runner.start()
    yield wired
    wired.runner.stop()


def test_table_talk_does_not_remove_a_question_from_the_page(wired: Wired) -> None:
    for text in ("no hay mus", "envido cinco", "ocho", "qué calor hace"):
        wired.say(text)
    question = wired.board.snapshot()["question"]
    assert question is not None
    assert len(question["options"]) == 2
    wired.say("quiero")
    assert wired.board.snapshot()["question"] is None


@pytest.mark.parametrize("beside", ["qué calor hace", "mus"])
def test_an_utterance_without_effect_leaves_the_question_on_the_page(
    wired: Wired, beside: str
) -> None:
    wired.say("no hay mus")
    wired.post(faint("envido"))
    asked = wired.board.snapshot()["question"]
    assert asked is not None
    wired.say(beside)
    assert wired.board.snapshot()["question"] == asked


def test_the_probability_is_shown_beside_the_heard_words(wired: Wired) -> None:
    wired.post(faint("no hay mus"))
    heard = wired.board.snapshot()["heard"]
    assert heard is not None
    assert heard["confidence"] == round(faint("no hay mus").hypotheses[0].probability, 2) < 1
    wired.say("paso")
    heard = wired.board.snapshot()["heard"]
    assert heard is not None
    assert heard["confidence"] == 1


def test_a_failing_disk_is_reported_even_during_a_question(
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


def test_a_no_removes_the_question_from_the_page(wired: Wired) -> None:
    wired.say("no hay mus")
    wired.post(faint("envido"))
    wired.say("no")
    snapshot = wired.board.snapshot()
    assert snapshot["question"] is None
    assert snapshot["heard"] is not None
    assert snapshot["heard"]["say"] == "Vale, no cuenta."


def test_a_tap_on_no_denies_what_is_asked(wired: Wired) -> None:
    wired.say("no hay mus")
    wired.post(faint("envido"))
    question = wired.board.snapshot()["question"]
    assert question is not None
    assert [option["label"] for option in question["options"]] == ["Envido 2", "No era eso"]
    denies = question["options"][-1]["command"]
    (said,) = wired.board.press(Pressed(Command(denies)))
    assert said["text"] == "Vale, no cuenta."
    assert wired.board.snapshot()["question"] is None
    (refused,) = wired.board.press(Pressed(Command(denies)))
    assert refused["text"] == "Ahora no toca."


def test_the_page_tells_which_call_was_undone_or_redone(wired: Wired) -> None:
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


def test_a_table_without_an_ear_is_not_called_paused(wired: Wired) -> None:
    wired.board.ear("off")
    wired.post(Pressed(Command.PAUSE))
    assert wired.board.snapshot()["ear"]["state"] == "off"


def test_a_partial_is_removed_when_the_ear_ends(wired: Wired) -> None:
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


def test_a_refused_tap_is_reported_to_its_own_page_only(wired: Wired) -> None:
    wired.say("no hay mus")
    before = wired.board.snapshot()
    for tap in (Pressed(Accept(seat=2)), Pressed(Cut(seat=1), seen=1)):
        (said,) = wired.board.press(tap)
        assert (said["outcome"], bool(said["text"])) == ("refused", True)
    assert wired.board.snapshot() == before


def test_a_failing_disk_under_a_tap_is_reported_to_every_page(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_records: object) -> None:
        raise JournalError("The disk is full.")

    monkeypatch.setattr(wired.runner.journal, "append", fails)
    wired.board.press(Pressed(Cut(seat=1)))
    heard = wired.board.snapshot()["heard"]
    assert heard is not None
    assert heard["outcome"] == "refused"
