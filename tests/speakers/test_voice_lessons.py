"""Enrolment on the page: the table hears nothing meanwhile, and hears better afterwards."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.ear import Block, Ear, EchoGate, FileSource, Recogniser
from assistant.ear.audio import RATE
from assistant.ear.source import BLOCK
from assistant.files.resources import model_dir
from assistant.messages import Heard
from assistant.page import SetupError
from assistant.speakers.enrolled import (
    Enrolled,
    ear_model,
    enrolled,
    fitted,
    fitted_dir,
    keep,
    names,
    own_dir,
)
from assistant.speakers.enrolment import SaidPrompt
from assistant.speakers.voice_lessons import VoiceLessons
from tests.speakers.test_mus_enrol import a_sound, prompts, reading

pytestmark = [
    pytest.mark.slow,  # espeak-ng reads all prompts here
    pytest.mark.timeout(700),
    pytest.mark.usefixtures("own_folder"),
]

WITHIN = 600.0
"""The seconds that the adaptation may take: it yields to everything else that the machine runs."""


class Waiting:
    """A microphone that is silent until somebody reads, and silent after that."""

    live = True
    monitor = False
    dropped = 0
    name = "test"

    def __init__(self, wav: Path) -> None:
        self.reads = threading.Event()
        self._wav = wav
        self._closed = threading.Event()

    def blocks(self) -> Iterator[Block]:
        end = 0
        said: Iterator[Block] = iter(())
        while not self._closed.is_set():
            if self.reads.is_set():
                said = FileSource(self._wav, realtime=False).blocks()
                self.reads.clear()
            block = next(said, None)
            if block is None:
                time.sleep(0.01)
            end += BLOCK
            yield Block(block.samples if block else a_sound()[:BLOCK] // 500, end / RATE)

    def close(self) -> None:
        self._closed.set()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.speakers.fitting.PASSES", 2)  # the quality does not matter here


@pytest.fixture
def heard() -> list[Heard]:
    return []


@pytest.fixture
def source(tmp_path: Path) -> Waiting:
    return Waiting(reading(prompts(), tmp_path))


@pytest.fixture
def ear(source: Waiting, heard: list[Heard]) -> Iterator[Ear]:
    ear = Ear(
        source, Recogniser(model_dir(), ["paso", "envido", "[unk]"]), EchoGate(), heard.append
    )
    ear.start()  # the first lesson waits until the ear listens
    yield ear
    ear.stop()


@pytest.fixture
def fitted_anew() -> list[bool]:
    return []


@pytest.fixture
def lessons(ear: Ear, fitted_anew: list[bool]) -> VoiceLessons:
    return VoiceLessons(lambda: ear, lambda: fitted_anew.append(True))


def until(happened: Callable[[], Any]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + WITHIN
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_table_hears_nothing_while_a_voice_is_learnt(
    lessons: VoiceLessons, source: Waiting, heard: list[Heard], fitted_anew: list[bool]
) -> None:
    lesson = lessons.begin("Ana", "es")["lesson"]
    assert lesson is not None
    assert (lesson["say"], lesson["at"], lesson["of"]) == ("mus", 0, 15)
    source.reads.set()
    until(lambda: fitted_anew)
    view = lessons.view()
    assert [(voice["name"], voice["calls"]) for voice in view["voices"]] == [("Ana", 15)]
    assert (view["current"], view["passes"], view["fault"]) == (True, None, "")
    assert view["lesson"] == {"name": "Ana", "over": "kept"}
    assert ear_model() == fitted_dir()
    assert heard == []
    source.reads.set()
    until(lambda: heard)  # the ear belongs to the table again


def test_a_prompt_can_be_left_out_and_a_lesson_broken_off(
    lessons: VoiceLessons, source: Waiting, heard: list[Heard]
) -> None:
    lessons.begin("Ana", "es")
    lesson = lessons.skip()["lesson"]
    assert lesson is not None
    assert (lesson["say"], lesson["at"]) == ("no hay mus", 1)
    with pytest.raises(SetupError) as refused:
        lessons.begin("Luis", "es")
    assert refused.value.code == "busy"
    assert lessons.stop()["lesson"] is None
    source.reads.set()
    until(lambda: heard)
    assert names() == []


def test_leaving_out_all_prompts_makes_no_voice(lessons: VoiceLessons) -> None:
    lessons.begin("Ana", "es")
    for _ in range(15):
        view = lessons.skip()
    assert view["lesson"] == {"name": "Ana", "over": "few"}
    assert names() == []


def test_a_forgotten_voice_leaves_neither_recordings_nor_model(
    lessons: VoiceLessons, fitted_anew: list[bool]
) -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())] * 8)
    assert not lessons.view()["current"]
    lessons.fit()
    until(lambda: len(fitted_anew) == 1)
    assert fitted_dir().is_dir()
    lessons.forget("Ana")
    assert not fitted_dir().exists(), "the recordings are gone when the page says so"
    assert not list(own_dir().iterdir())
    until(lambda: len(fitted_anew) == 2)
    with pytest.raises(SetupError) as refused:
        lessons.forget("Ana")
    assert refused.value.code == "unknown"


def test_the_others_get_a_model_without_the_forgotten_voice(
    lessons: VoiceLessons, fitted_anew: list[bool]
) -> None:
    for name in ("Ana", "Luis"):
        keep(name, "es", [SaidPrompt("mus", a_sound())] * 8)
    lessons.fit()
    until(lambda: len(fitted_anew) == 1)
    lessons.forget("Ana")
    until(lambda: len(fitted_anew) == 2)
    model = fitted()
    assert model is not None
    assert model.voices == ("Luis",)


def test_a_broken_recording_is_reported_and_the_ear_stays_as_it_was(lessons: VoiceLessons) -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())] * 8)
    (own_dir() / "Ana" / "01.wav").write_bytes(b"x")
    lessons.fit()
    until(lambda: lessons.view()["passes"] is None)
    assert lessons.view()["fault"] == "broken"
    assert ear_model() == model_dir()


@pytest.mark.parametrize("error", [np.linalg.LinAlgError("singular"), ValueError("NaN")])
def test_any_failure_of_the_adaptation_is_reported_and_another_may_follow(
    lessons: VoiceLessons,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    def fails(_: object) -> None:
        raise error

    monkeypatch.setattr("assistant.speakers.voice_lessons.fit_voices", fails)
    for _ in range(2):  # the second one would find the lessons busy
        lessons.fit()
        until(lambda: lessons.view()["passes"] is None)
        assert lessons.view()["fault"] == "failed"
    assert str(error) in caplog.text


def test_the_ear_does_not_wait_while_the_page_reads_the_voices(
    lessons: VoiceLessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep("Ana", "es", [SaidPrompt("mus", a_sound())] * 8)
    free: list[bool] = []

    def looked(name: str) -> Enrolled:
        free.append(not lessons._lock.locked())
        return enrolled(name)

    monkeypatch.setattr("assistant.speakers.voice_lessons.enrolled", looked)
    for _ in range(2):
        assert [voice["calls"] for voice in lessons.view()["voices"]] == [8]
    assert free == [True], "the files are read once"
    keep("Ana", "es", [SaidPrompt("mus", a_sound())] * 9)
    assert [voice["calls"] for voice in lessons.view()["voices"]] == [9]


@pytest.mark.parametrize(
    ("name", "language", "code"), [("../x", "es", "name"), ("A", "fr", "name")]
)
def test_an_impossible_lesson_is_refused(
    lessons: VoiceLessons, name: str, language: str, code: str
) -> None:
    with pytest.raises(SetupError) as refused:
        lessons.begin(name, language)
    assert refused.value.code == code


def test_without_a_microphone_nobody_is_asked_to_read(
    source: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.speakers.voice_lessons.OPENS_IN", 0.1)
    ear = Ear(source, Recogniser(model_dir(), ["paso", "[unk]"]), EchoGate(), lambda _: None)
    with pytest.raises(SetupError) as refused:
        VoiceLessons(lambda: ear, lambda: None).begin("Ana", "es")
    assert refused.value.code == "deaf"


def test_closing_a_table_does_not_wait_for_the_adaptation(
    lessons: VoiceLessons, fitted_anew: list[bool]
) -> None:
    for name in ("Ana", "Luis", "Eva"):
        keep(name, "es", [SaidPrompt("mus", a_sound())] * 15)
    lessons.fit()
    lessons.close()
    until(lambda: not any(thread.name == "voices" for thread in threading.enumerate()))
    assert fitted_anew == []
    assert ear_model() == model_dir()
