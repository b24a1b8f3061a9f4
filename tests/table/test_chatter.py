"""Table talk: a piece of it that sounds like a call is still talk."""

from __future__ import annotations

import pytest

from assistant.language.lexicon import Lexicon
from assistant.messages import Accepted, Heard, Hypothesis, Ignored, Word
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.table.table import Table


@pytest.fixture
def table(lexicon: Lexicon) -> Table:
    return Table(lexicon, number(open_game(Profile(), ("N", "O", "S", "E")), 0, at=0.0))


def heard(text: str, begins: float = 0.0, unknown: float = 0.0) -> Heard:
    """``text`` at three words a second, or unknown speech with the probability ``unknown``."""
    words = tuple(
        Word(word, begins + i / 3, begins + i / 3 + 0.3) for i, word in enumerate(text.split())
    )
    noise = (Word("[unk]", words[0].start, words[-1].end),)
    ways = (Hypothesis(words, 1 - unknown), Hypothesis(noise, unknown))
    return Heard(words, hypotheses=ways)


def counts(table: Table, utterance: Heard) -> bool:
    """Whether any part of the utterance is accepted."""
    return any(isinstance(outcome, Accepted) for outcome in table.propose(utterance))


def test_mostly_unknown_speech_is_talk_whatever_else_it_sounds_like(
    table: Table, lexicon: Lexicon
) -> None:
    assert counts(table, heard("mus", 0.0, lexicon.hearing.talk - 0.05))
    (outcome,) = table.propose(heard("mus", 9.0, lexicon.hearing.talk + 0.05))
    assert isinstance(outcome, Ignored)
    assert outcome.code == "noise"


def test_a_piece_of_speech_right_after_talk_must_be_clear_to_be_a_call(
    table: Table, lexicon: Lexicon
) -> None:
    soon = 0.63 + lexicon.hearing.after_talk - 0.05
    assert not counts(table, heard("son las", 0.0, unknown=0.9))  # ends at 0.63 s
    assert not counts(table, heard("mus", soon, unknown=1.05 - lexicon.hearing.dear))
    assert not counts(table, heard("son las", 9.0, unknown=0.9))
    assert counts(table, heard("mus", 9.0 + soon, unknown=0.95 - lexicon.hearing.dear))


def test_a_call_a_breath_after_talk_is_heard(table: Table, lexicon: Lexicon) -> None:
    assert not counts(table, heard("son las", 0.0, unknown=0.9))
    assert counts(table, heard("mus", 0.63 + lexicon.hearing.after_talk + 0.05))


def test_only_one_faint_piece_after_talk_is_ignored(table: Table) -> None:
    assert not counts(table, heard("son las", 0.0, unknown=0.9))
    assert not counts(table, heard("mus", 0.8, unknown=0.3))
    assert counts(table, heard("mus", 1.2, unknown=0.3))


def test_a_reopened_ear_remembers_no_talk(table: Table) -> None:
    assert not counts(table, heard("son las", 60.0, unknown=0.9))
    assert counts(table, heard("mus", 0.5))


def test_calls_right_after_calls_are_heard(table: Table) -> None:
    assert counts(table, heard("mus"))
    assert counts(table, heard("mus", 0.4))
