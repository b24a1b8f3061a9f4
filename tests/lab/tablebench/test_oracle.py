"""A perfect ear: it hears what was said, once, and nothing else."""

from __future__ import annotations

import pytest

pytest.importorskip("pyroomacoustics", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from assistant.language.lexicon import UNKNOWN
from assistant.messages import Heard, Word
from scripts.lab.tablebench.oracle import EAR, HEARD_AFTER, WORDS, Oracle
from scripts.lab.tablebench.players import CALL, CHAT, Utterance

ENVIDO = Utterance(1.0, 1.8, "¡Envido, dos!", CALL, 3)
WEATHER = Utterance(1.9, 3.0, "mañana llueve", CHAT)
QUIERO = Utterance(4.0, 4.4, "quiero", CALL, 4)


def heard(start: float, end: float) -> Heard:
    return Heard((Word("paso", start, end, 0.4),), distant=True)


def test_a_call_in_an_utterance_is_heard_right_and_chat_is_unknown_speech() -> None:
    oracle = Oracle(WORDS, lambda: [ENVIDO, WEATHER, QUIERO])
    right = oracle.corrected(heard(1.1, 3.2))
    assert right is not None
    assert right.text == f"Envido dos {UNKNOWN}"
    assert not right.distant
    assert (right.words[0].start, right.words[1].end, right.end) == (1.0, 1.8, 3.0)


def test_the_rest_of_a_call_is_not_heard_a_second_time() -> None:
    oracle = Oracle(WORDS, lambda: [ENVIDO])
    assert oracle.corrected(heard(1.0, 1.5)) is not None
    assert oracle.corrected(heard(1.3, 1.9)) is None


def test_speech_by_no_player_stays_as_it_was_heard() -> None:
    oracle = Oracle(WORDS, lambda: [ENVIDO, QUIERO])
    other = heard(2.5, 3.5)
    assert oracle.corrected(other) is other
    assert list(oracle.due(9.0)) == []


def test_a_perfect_ear_hears_each_call_soon_after_its_end_and_no_other_sound() -> None:
    oracle = Oracle(EAR, lambda: [ENVIDO, QUIERO])
    assert list(oracle.due(1.8)) == []
    assert [one.text for one in oracle.due(1.8 + HEARD_AFTER)] == ["Envido dos"]
    assert [one.text for one in oracle.due(9.0)] == ["quiero"]
    assert list(oracle.due(9.0)) == []
    assert oracle.corrected(heard(1.0, 1.8)) is None
