"""A board on a running table, without ear and voice."""

from __future__ import annotations

from assistant.files.resources import load_phrases
from assistant.messages import Heard, Message, Word
from assistant.page.board import TableBoard
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.table.journal import MemoryJournal
from assistant.table.runner import Runner
from assistant.table.table import Table
from tests.lexicons import spanish


class Wired:
    """A board on a running table, whose calls and voice are Spanish."""

    def __init__(self) -> None:
        opening = number(open_game(Profile(), ("Norte", "Oeste", "Sur", "Este")), 0, at=1.0)
        journal = MemoryJournal()
        journal.append(opening)
        table = Table(spanish(), opening)
        self.runner = Runner(table, journal, lambda: (journal, table))
        self.board = TableBoard(self.runner, load_phrases())
        self.runner.listeners.append(self.board)

    def say(self, text: str) -> None:
        words = (Word(word, i / 3, i / 3 + 0.2) for i, word in enumerate(text.split()))
        self.post(Heard(tuple(words)))

    def post(self, message: Message) -> None:
        self.runner.post(message).result(60)
