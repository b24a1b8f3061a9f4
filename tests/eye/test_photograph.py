"""Enrolling by a camera: every photograph is asked for, and a bad one is asked for again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from assistant.cli.main import main
from assistant.eye import mus_deck as module
from assistant.eye.enrol import DeckDraft
from assistant.eye.images import Image
from assistant.eye.mus_deck import photograph
from assistant.eye.source import Frame
from assistant.files.errors import UsageError
from assistant.rules.cards import Suit
from tests.eye.eyes import photographs, saved

PARTS = [[suit] for suit in Suit]


class Desk:
    """A camera above a desk, and somebody who lays out what is next each time Enter is pressed."""

    name, live = "cámara", True

    def __init__(self, *shown: Image) -> None:
        self.shown = list(shown)
        self.now: Image = np.zeros((60, 90, 3), np.uint8)
        self.count = 0
        self.asked: list[str] = []

    def read(self, timeout: float) -> Frame | None:  # noqa: ARG002 - it never waits
        self.count += 1
        return Frame(self.now, self.count / 10, self.count)

    def enter(self) -> str:
        if not self.shown:
            raise EOFError
        self.now = self.shown.pop(0)
        return ""


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()

    @contextmanager
    def opened(_spec: str) -> Iterator[Desk]:
        yield desk

    monkeypatch.setattr(module, "open_source", opened)
    monkeypatch.setattr("builtins.input", desk.enter)
    return desk


def test_a_bad_photograph_is_asked_for_again(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = photographs()
    dark = np.zeros_like(first)
    desk.shown = [dark, first, *others]
    draft = DeckDraft()
    with pytest.raises(UsageError, match="Nobody pressed Enter"):  # for the back
        photograph(draft, "0", PARTS)
    told = capsys.readouterr().err.splitlines()
    assert draft.suits == list(Suit)
    assert "los oros" in told[0]
    assert "too dark" in told[1]
    assert told[2] == told[0]
    assert "4 de 4" in told[5]
    assert "boca abajo" in told[6]


def test_the_back_may_be_left_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.shown = list(photographs())
    answers = ["", "", "", "", "n"]
    monkeypatch.setattr("builtins.input", lambda: desk.enter() if answers.pop(0) == "" else "n")
    draft = DeckDraft()
    photograph(draft, "0", PARTS)
    assert len(draft.faces) == 40
    assert not draft.has_back


def test_a_picture_cannot_show_four_suits_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    picture = saved(tmp_path, "oros", photographs()[0])
    assert main(["deck", "enrol", "mia", "--camera", picture]) == 2
    told = capsys.readouterr().err
    assert "stands still too seldom" in told
    assert told.count("\n") == 1
    assert main(["deck", "enrol", "mia", "--camera", picture, "--shots", "1"]) == 2
    assert "1 rows of cards can be made out, and not 4" in capsys.readouterr().err
