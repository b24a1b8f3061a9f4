"""A table where the mus has just been cut."""

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon
from assistant.messages import Heard
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.table.table import Table
from tests.table.sounds import take, words


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return load_lexicon()


@pytest.fixture
def table(lexicon: Lexicon) -> Table:
    table = Table(lexicon, number(open_game(Profile(), ("N", "O", "S", "E")), 0, at=0.0))
    take(table, Heard(words("no hay mus")))
    return table
