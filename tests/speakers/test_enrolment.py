"""Enrolment: the prompts, and how their readings are cut out and checked."""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np
import pytest

from assistant.ear.audio import RATE
from assistant.ear.mus_transcribe import CONTEXTS
from assistant.ear.network import BaseNetwork, load_base
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import ModelError
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_texts
from assistant.language.lexicon import START, Spoken
from assistant.messages import Word
from assistant.speakers.enrolment import (
    AROUND,
    BETWEEN,
    ENOUGH,
    TRIES,
    WAITS,
    Enrolment,
    EnrolmentStep,
    Fault,
    Prompt,
    prompts_from,
    reading_of,
)
from tests.speakers.conftest import Read, in_blocks
from tests.tables import each_row

# ---- Readings: each is cut out and checked, and its fault is reported ---------------------------


@pytest.fixture(scope="module")
def prompts(base: BaseNetwork) -> tuple[Prompt, ...]:
    path = data_dir("models") / "es" / "prompts.toml"
    return prompts_from(tomllib.loads(path.read_text(encoding="utf-8")), base.phones)


@pytest.fixture
def enrolment(prompts: tuple[Prompt, ...], base: BaseNetwork) -> Enrolment:
    return Enrolment(prompts, base)


def steps(enrolment: Enrolment, blocks: list[Block]) -> list[EnrolmentStep]:
    """The results of all attempts in this sound."""
    return [step for block in blocks if (step := enrolment.feed(block))]


def test_all_prompts_read_one_after_another_are_accepted(enrolment: Enrolment, read: Read) -> None:
    parts: list[str | float] = [1.0]
    for prompt in enrolment.prompts:
        parts += [prompt.say, 1.2]
    found = steps(enrolment, read(*parts))
    assert [step.fault for step in found] == [None] * 15
    assert [one.say for one in enrolment.said] == [prompt.say for prompt in enrolment.prompts]
    assert enrolment.prompt is None
    assert enrolment.enough


def test_a_reading_is_cut_to_its_sound_and_a_margin_of_the_room(
    enrolment: Enrolment, read: Read
) -> None:
    steps(enrolment, read(1.5, "mus", 1.0))
    spoken = len(read("mus")) * BLOCK / RATE
    seconds = len(enrolment.said[0].sound) / RATE
    assert spoken - 0.15 < seconds - 2 * AROUND < spoken + 0.15


def test_the_sound_of_the_room_between_readings_is_kept_without_any_voice(
    enrolment: Enrolment, read: Read
) -> None:
    steps(enrolment, read(2.0, "mus", 1.0, "no hay mus", 1.0))
    assert len(enrolment.room) > 2 * RATE
    assert np.abs(enrolment.room).max() < 200


def test_another_call_than_the_prompt_is_refused_and_named(
    enrolment: Enrolment, read: Read
) -> None:
    assert steps(enrolment, read(1.0, "no hay mus", 1.2)) == [
        EnrolmentStep("mus", Fault.OTHER, like="no hay mus")
    ]
    assert enrolment.at == 0
    assert not enrolment.said


def test_speech_like_no_prompt_is_refused(enrolment: Enrolment, read: Read) -> None:
    found = steps(enrolment, read(1.0, "dame una caña, que tengo sed", 1.2))
    assert found == [EnrolmentStep("mus", Fault.OTHER)]


def test_silence_and_a_dead_microphone_are_reported_differently(
    enrolment: Enrolment, read: Read
) -> None:
    seconds = WAITS + 2 * BLOCK / RATE
    dead = list(in_blocks(np.zeros(round(seconds * RATE), np.int16)))
    assert [s.fault for s in steps(enrolment, dead)] == [Fault.DEAD]
    assert [s.fault for s in steps(enrolment, read(seconds))] == [Fault.SILENT]


@pytest.mark.parametrize(
    ("gain", "hiss", "fault"),
    [(30.0, 5e-4, Fault.CLIPPED), (0.02, 4e-5, Fault.FAINT), (0.3, 2e-2, Fault.NOISY)],
)
def test_a_bad_recording_is_refused_with_its_reason(
    enrolment: Enrolment, read: Read, gain: float, hiss: float, fault: Fault
) -> None:
    assert [s.fault for s in steps(enrolment, read(2.0, "mus", 1.2, gain=gain, hiss=hiss))] == [
        fault
    ]


def test_endless_talk_is_refused(enrolment: Enrolment, read: Read) -> None:
    long = read(1.0, *["mus y otra vez mus y así todo el rato"] * 4, 1.0)
    assert steps(enrolment, long)[0].fault is Fault.LONG


def test_a_knock_is_no_reading(enrolment: Enrolment, read: Read) -> None:
    blocks = read(1.0, 0.05, 2.0, "mus", 1.2)
    burst = np.random.default_rng(1).normal(size=BLOCK) * 8000 * np.exp(-np.arange(BLOCK) / 80)
    knocked = [
        Block(block.samples + burst.astype(np.int16), block.end) if at == 21 else block
        for at, block in enumerate(blocks)
    ]
    assert [step.fault for step in steps(enrolment, knocked)] == [None]


def test_a_prompt_that_fails_each_time_is_left_out(enrolment: Enrolment, read: Read) -> None:
    found = steps(enrolment, read(1.0, *["bueno, vamos", 1.2] * TRIES, "no hay mus", 1.2))
    assert [(step.say, step.left) for step in found] == [
        ("mus", False), ("mus", False), ("mus", True), ("no hay mus", False),
    ]  # fmt: skip
    assert [one.say for one in enrolment.said] == ["no hay mus"]


def test_too_few_readings_are_not_enough(enrolment: Enrolment, read: Read) -> None:
    parts: list[str | float] = [1.0]
    for prompt in enrolment.prompts[: ENOUGH - 1]:
        parts += [prompt.say, 1.2]
    steps(enrolment, read(*parts))
    assert len(enrolment.said) == ENOUGH - 1
    assert not enrolment.enough


def test_the_pronunciation_that_was_said_is_learnt(
    base: BaseNetwork, prompts: tuple[Prompt, ...], read: Read
) -> None:
    castilian, seseo = (base.phones[name] for name in "Ts")
    sound = np.concatenate([block.samples for block in read(0.3, "sinco más", 0.3)])
    phones = reading_of(base, sound, prompts[7]).phones
    assert phones.count(seseo) == 2
    assert castilian not in phones


# ---- Prompts: their sounds fit the spelling, and the lexicon knows the calls --------------------


LANGUAGES = ("es", "eu")


def calls(language: str) -> list[dict[str, Any]]:
    """The calls in the file of this language."""
    return list(load_texts("prompts", language)["calls"])


@each_row("language", LANGUAGES)
def test_the_sounds_of_a_prompt_are_those_of_its_spelling(language: str) -> None:
    speechlab = pytest.importorskip("scripts.lab.speechlab", reason="needs a checkout")
    from scripts.lab.speechlab import basque, g2p

    assert speechlab
    said = g2p.pronunciations if language == "es" else basque.pronunciations
    for call in calls(language):
        for sounds in call["sounds"]:
            for word, spoken in zip(call["say"].split(), sounds.split(BETWEEN), strict=True):
                assert tuple(spoken.split()) in said(word), (call["say"], sounds)


@each_row("language", LANGUAGES)
def test_each_prompt_is_a_whole_call_at_some_moment(language: str) -> None:
    lexicon = load_lexicon((language,))
    for call in calls(language):
        words = tuple(Word(word) for word in call["say"].split())
        readings = [lexicon.read(words, context, START) for context in CONTEXTS]
        assert any(isinstance(one, Spoken) and one.taken == len(words) for one in readings), call


@each_row("language", LANGUAGES)
def test_there_are_fifteen_prompts_and_no_two_alike(language: str) -> None:
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


def test_a_model_without_phones_of_its_own_cannot_be_adapted(tmp_path: Any) -> None:
    with pytest.raises(ModelError, match="use the one that ships"):
        load_base(tmp_path)
