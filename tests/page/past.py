"""The history page of a board that has no runner."""

from __future__ import annotations

from typing import cast

from assistant.eye.at_table import ShowdownEvidence
from assistant.review.history import Replay
from assistant.table.runner import Runner
from tests.page.fake_board import FakeBoard


class OneTable:
    """The part of a runner that the history needs."""

    def __init__(self, board: FakeBoard) -> None:
        self.table = board


def history_of(board: FakeBoard, evidence: ShowdownEvidence | None = None) -> Replay:
    """The history of the match so far."""
    return Replay(cast(Runner, OneTable(board)), board.phrases, evidence)
