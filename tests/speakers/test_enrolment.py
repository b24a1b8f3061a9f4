"""Learning a voice: a reading is cut out and checked, and what is wrong with it is told."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from assistant.ear.audio import RATE
from assistant.ear.source import BLOCK, Block
from assistant.files.paths import data_dir
from assistant.speakers.enrolment import (
    AROUND,
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
from assistant.speakers.network import BaseNetwork
from tests.speakers.conftest import Read, in_blocks


@pytest.fixture(scope="module")
def prompts(base: BaseNetwork) -> tuple[Prompt, ...]:
    path = data_dir("models") / "es" / "prompts.toml"
    return prompts_from(tomllib.loads(path.read_text(encoding="utf-8")), base.phones)


@pytest.fixture
def enrolment(prompts: tuple[Prompt, ...], base: BaseNetwork) -> Enrolment:
    return Enrolment(prompts, base)


def steps(enrolment: Enrolment, blocks: list[Block]) -> list[EnrolmentStep]:
    """What came of all attempts in this sound."""
    return [step for block in blocks if (step := enrolment.feed(block))]


def test_all_prompts_read_one_after_another_are_taken(enrolment: Enrolment, read: Read) -> None:
    parts: list[str | float] = [1.0]
    for prompt in enrolment.prompts:
        parts += [prompt.say, 1.2]
    found = steps(enrolment, read(*parts))
    assert [step.fault for step in found] == [None] * 15
    assert [one.say for one in enrolment.said] == [prompt.say for prompt in enrolment.prompts]
    assert enrolment.prompt is None
    assert enrolment.enough


def test_a_reading_is_cut_to_its_sound_and_a_little_of_the_room(
    enrolment: Enrolment, read: Read
) -> None:
    steps(enrolment, read(1.5, "mus", 1.0))
    spoken = len(read("mus")) * BLOCK / RATE
    seconds = len(enrolment.said[0].sound) / RATE
    assert spoken - 0.15 < seconds - 2 * AROUND < spoken + 0.15


def test_the_room_between_the_readings_is_kept_and_no_voice_in_it(
    enrolment: Enrolment, read: Read
) -> None:
    steps(enrolment, read(2.0, "mus", 1.0, "no hay mus", 1.0))
    assert len(enrolment.room) > 2 * RATE
    assert np.abs(enrolment.room).max() < 200


def test_another_call_is_told_from_the_prompt(enrolment: Enrolment, read: Read) -> None:
    assert steps(enrolment, read(1.0, "no hay mus", 1.2)) == [
        EnrolmentStep("mus", Fault.OTHER, like="no hay mus")
    ]
    assert enrolment.at == 0
    assert not enrolment.said


def test_what_is_like_no_prompt_is_refused(enrolment: Enrolment, read: Read) -> None:
    found = steps(enrolment, read(1.0, "dame una caña, que tengo sed", 1.2))
    assert found == [EnrolmentStep("mus", Fault.OTHER)]


def test_silence_and_a_dead_microphone_are_told_apart(enrolment: Enrolment, read: Read) -> None:
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


def test_talk_that_does_not_end_is_refused(enrolment: Enrolment, read: Read) -> None:
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


def test_the_way_that_was_said_is_learnt(
    base: BaseNetwork, prompts: tuple[Prompt, ...], read: Read
) -> None:
    castilian, seseo = (base.phones[name] for name in "Ts")
    sound = np.concatenate([block.samples for block in read(0.3, "sinco más", 0.3)])
    phones = reading_of(base, sound, prompts[7]).phones
    assert phones.count(seseo) == 2
    assert castilian not in phones
