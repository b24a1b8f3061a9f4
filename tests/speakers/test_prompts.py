"""What is read aloud: sounds that fit the spelling, and calls that the lexicon knows."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.ear.errors import ModelError
from assistant.ear.mus_transcribe import CONTEXTS
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_texts
from assistant.language.lexicon import START, Spoken
from assistant.messages import Word
from assistant.speakers.enrolment import BETWEEN, prompts_from
from assistant.speakers.network import load_base

LANGUAGES = ("es", "eu")


def calls(language: str) -> list[dict[str, Any]]:
    """The calls of a file."""
    return list(load_texts("prompts", language)["calls"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sounds_are_those_of_the_spelling(language: str) -> None:
    speechlab = pytest.importorskip("scripts.lab.speechlab", reason="needs a checkout")
    from scripts.lab.speechlab import basque, g2p

    assert speechlab
    said = g2p.pronunciations if language == "es" else basque.pronunciations
    for call in calls(language):
        for sounds in call["sounds"]:
            for word, spoken in zip(call["say"].split(), sounds.split(BETWEEN), strict=True):
                assert tuple(spoken.split()) in said(word), (call["say"], sounds)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_a_whole_call_at_some_moment(language: str) -> None:
    lexicon = load_lexicon((language,))
    for call in calls(language):
        words = tuple(Word(word) for word in call["say"].split())
        readings = [lexicon.read(words, context, START) for context in CONTEXTS]
        assert any(isinstance(one, Spoken) and one.taken == len(words) for one in readings), call


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_fifteen_and_no_two_alike(language: str) -> None:
    said = [call["say"] for call in calls(language)]
    assert len(said) == len(set(said)) == 15


def test_silence_may_stand_around_every_word_and_nowhere_else() -> None:
    base = load_base(data_dir("models") / "mus-es")
    [prompt] = prompts_from({"calls": [{"say": "no hay", "sounds": ["n o | a j"]}]}, base.phones)
    [way] = prompt.ways
    assert way.optional == (True, False, False, True, False, False, True)
    assert [phone for phone, may in zip(way.phones, way.optional, strict=True) if may] == [0, 0, 0]


def test_a_sound_that_the_model_lacks_is_refused() -> None:
    with pytest.raises(ModelError, match="no sound 'ny'"):
        prompts_from({"calls": [{"say": "x", "sounds": ["a ny o"]}]}, {"SIL": 0, "a": 1, "o": 2})


def test_a_model_without_phones_of_its_own_cannot_learn(tmp_path: Any) -> None:
    with pytest.raises(ModelError, match="use the one that ships"):
        load_base(tmp_path)
