"""Golden games played at a real table, with its runner, a journal on disk and a heard log."""

from __future__ import annotations

from pathlib import Path

from assistant.cli.mus_score import _message
from assistant.language.script import Expect, Mano, Script, parse_script
from assistant.messages import CardsSeen, Heard, Message, Pressed, Word
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.state import State
from assistant.table.journal import Journal, SqliteJournal
from assistant.table.runner import Runner
from assistant.table.table import Table
from tests.lexicons import spanish

GAMES = Path(__file__).parents[2] / "games"
BEGAN = 1_780_000_000.0
"""Unix time of the first record: 2026-05-28 20:26:40 UTC."""


class Clock:
    """A clock that moves on between messages, and a little at each reading."""

    def __init__(self, began: float = BEGAN) -> None:
        self.now = began

    def __call__(self) -> float:
        self.now += 0.002
        return self.now


def script(game: str) -> Script:
    return parse_script((GAMES / f"{game}.mus").read_text(encoding="utf-8"))


class Evening:
    """One table with a journal in a file, played message by message.

    With ``asks``, the table was opened without a mano: the first deal waits until one is named.
    """

    def __init__(
        self, path: Path, table: str = "game-1", game: Script | None = None, *, asks: bool = False
    ) -> None:
        self.clock = Clock()
        self.journal = SqliteJournal(path, table)
        steps = game.steps if game else ()
        mano = next((step.seat for step in steps if isinstance(step, Mano)), 1)
        game = game or parse_script("mano: 1")
        opened = open_game(game.profile, game.seats, None if asks else mano)
        opening = number(opened, 0, self.clock())
        self.journal.append(opening)
        self.runner = Runner(
            Table(spanish(), opening), self.journal, self._another, clock=self.clock
        )
        self.runner.start()

    def _another(self) -> tuple[Journal, Table]:
        raise AssertionError("Nobody asks for another game.")

    @property
    def state(self) -> State:
        return self.runner.table.state

    def say(self, text: str, seat: int | None = None, after: float = 3.0) -> None:
        """Somebody speaks, ``after`` seconds after the last words."""
        self.post(Heard(tuple(Word(word) for word in text.split()), seat), after)

    def post(self, message: Message, after: float = 3.0) -> None:
        self.clock.now += after
        self.runner.post(message).result(10)
        self.runner.drain()

    def play(self, game: Script, after: float = 3.0) -> None:
        for step in game.steps:
            if isinstance(step, Expect):
                continue
            message = _message(self.state, step)
            if isinstance(message, Heard | CardsSeen | Pressed):
                self.post(message, after)

    def close(self) -> None:
        self.runner.stop()


def play(path: Path, game: str, after: float = 3.0, table: str = "game-1") -> Evening:
    """Play a golden game to its end and close the journal."""
    read = script(game)
    evening = Evening(path, table, read)
    evening.play(read, after)
    evening.close()
    return evening
