"""What the ear listens for follows the table."""

from assistant.ear import SETTLED, Recogniser
from assistant.ear.hearing import attend
from assistant.files.resources import load_lexicon
from assistant.language.lexicon import context_of
from assistant.rules import calls as c
from tests.ear.test_patience import CUT, _state


class Attentive(Recogniser):
    """Only what is set on it."""

    def __init__(self) -> None:
        pass


def test_grammar_and_pause_follow_the_table_as_it_is_now() -> None:
    lexicon, ear, now = load_lexicon(), Attentive(), _state(*CUT)
    attend(ear, lexicon, lambda: now)
    opened = ear.phrases_now()
    assert ear.phrases_now() is opened
    now = _state(*CUT, c.Bet())
    assert ear.phrases_now() is lexicon.grammar(context_of(now))
    assert ear.phrases_now() is not opened
    assert ear.pause_after("no quiero") == SETTLED
