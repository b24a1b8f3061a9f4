"""The classroom of a table: its lessons, its sound, its quiz, and the ear that it borrows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.ear import Ear, EchoGate, Recogniser
from assistant.files.resources import load_lexicon, model_dir
from assistant.language.lexicon import words_of
from assistant.messages import Heard
from assistant.school.lessons import Kind, heard_as, phrases_for
from assistant.school.lessons.classroom import Classroom
from assistant.school.lessons.files import (
    heard_in,
    languages,
    load_lesson,
    progress_path,
    read_progress,
)
from assistant.school.lessons.page import ClassError
from assistant.speakers.voice_lessons import VoiceLessons
from assistant.voice import seconds_of
from tests.school.lessons.classrooms import classroom_of
from tests.speakers.test_mus_enrol import reading
from tests.speakers.test_voice_lessons import Waiting, until
from tests.tables import each_row

pytestmark = pytest.mark.usefixtures("own_folder")

NAME = "05-envidar-y-querer"
SAYS = 1
"""The number of the step that asks for "envido cinco"."""


@pytest.fixture
def classroom() -> Iterator[Classroom]:
    classroom = classroom_of()
    yield classroom
    classroom.close()


def right(at: int) -> int:
    return [answer.right for answer in load_lesson(NAME).steps[at].answers].index(True)


def test_a_lesson_in_progress_is_resumed_at_the_next_start(classroom: Classroom) -> None:
    assert classroom.walk(NAME)["mood"] == "asked"
    wrong = classroom.answer(NAME, 0, (right(0) + 1) % 3)
    assert (wrong["mood"], wrong["right"]) == ("wrong", 0)
    assert wrong["verdict"]
    assert wrong["verdict"]["why"]
    assert classroom.answer(NAME, 0, right(0))["mood"] == "right"
    assert classroom.step(NAME, "next")["at"] == 1
    assert classroom_of().walk(NAME)["at"] == 1
    assert classroom.step(NAME, "back")["at"] == 0
    assert classroom.step(NAME, "back")["at"] == 0


def test_a_lesson_that_is_over_is_done(classroom: Classroom) -> None:
    for _ in load_lesson(NAME).steps:
        over = classroom.step(NAME, "next")
    assert (over["mood"], over["kind"], over["next"]) == ("over", "", "06-el-deje")
    [row] = [row for row in classroom.lessons() if row["name"] == NAME]
    assert (row["done"], row["right"]) == (True, 0)
    assert classroom.step(NAME, "begin")["at"] == 0


def test_an_answer_to_an_earlier_step_changes_nothing(classroom: Classroom) -> None:
    classroom.step(NAME, "next")
    assert classroom.answer(NAME, 0, right(0))["verdict"] is None


@each_row("ask", ["walk", "step", "answer", "quiz", "sound", "listen", "choice"])
def test_an_unknown_lesson_or_word_is_refused(classroom: Classroom, ask: str) -> None:
    asks: dict[str, Callable[[], object]] = {
        "walk": lambda: classroom.walk("paella"),
        "step": lambda: classroom.step("../es/01", "next"),
        "answer": lambda: classroom.answer(NAME, 0, 9),
        "quiz": lambda: classroom.quiz("burgos", None),
        "sound": lambda: classroom.sound("term", "a free text", 0),
        "listen": lambda: classroom.step("01-que-es-un-lance", "listen"),
        "choice": lambda: classroom.quiz("fem", 0),
    }
    with pytest.raises(ClassError):
        asks[ask]()


def test_damaged_progress_is_reported_and_left_unchanged(classroom: Classroom) -> None:
    progress_path().parent.mkdir(parents=True)
    progress_path().write_text("{", encoding="utf-8")
    for ask in (classroom.lessons, classroom.senas, lambda: classroom.step(NAME, "next")):
        with pytest.raises(ClassError, match=r"lessons\.json"):
            ask()
    assert progress_path().read_text(encoding="utf-8") == "{"


def test_a_quiz_shows_the_solution_only_afterwards_and_counts_one_answer(
    classroom: Classroom,
) -> None:
    ways = set()
    for number in range(1, 30):
        asked = classroom.quiz("fem", None)
        ways.add(asked["way"])
        assert asked["right"] is None
        hidden = "draw" if asked["way"] == "holds" else "holds"
        assert [choice[hidden] for choice in asked["choices"]] == [""] * 4  # type: ignore[literal-required]
        told = classroom.quiz("fem", 0)
        assert told["asked"] == number
        assert classroom.quiz("fem", 1)["asked"] == number, "a second tap"
        assert told["right"] is not None
    assert ways == {"holds", "gesture"}
    score = read_progress().quiz["fem"]
    assert (score.asked, score.right) == (29, classroom.senas()[0]["right"])


@pytest.mark.slow
def test_a_sound_shuts_the_tables_ear_for_its_length() -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    now = [0.0]
    gate = EchoGate(clock=lambda: now[0])
    classroom = classroom_of(gate)
    sound = classroom.sound("term", "órdago", 0)
    now[0] = seconds_of(sound)
    assert gate.is_shut()
    now[0] = seconds_of(sound) + 1.0
    assert not gate.is_shut()
    assert classroom.sound("step", NAME, 0)[:4] == b"RIFF"
    classroom.close()


@pytest.mark.slow
def test_each_language_is_read_aloud_by_its_own_voice(classroom: Classroom) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    steps = {code: classroom.sound("step", NAME, 0, code) for code in languages()}
    assert all(sound[:4] == b"RIFF" for sound in steps.values())
    assert len(set(steps.values())) == len(steps) == 3
    assert seconds_of(classroom.sound("term", "hordagoa", 0, "eu")) > 1.0
    with pytest.raises(ClassError):
        classroom.sound("term", "hordagoa", 0, "en")


def test_a_basque_lesson_hears_a_basque_call() -> None:
    step = load_lesson(NAME, "eu").steps[SAYS]
    lexicon = load_lexicon((heard_in("eu"),))
    assert "enbido bost" in phrases_for(step, lexicon)
    assert heard_as(step, words_of("enbido bost"), lexicon).right
    assert not heard_as(step, words_of("enbido"), lexicon).right
    assert heard_in("en") == "es"


def test_without_a_microphone_answers_are_tapped(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.speakers.voice_lessons.OPENS_IN", 0.0)
    with pytest.raises(ClassError) as refused:
        classroom.step(NAME, "listen")
    assert refused.value.code == "deaf"
    assert not classroom.walk(NAME)["hears"]


@pytest.mark.slow
def test_a_spoken_answer_is_heard_by_the_lesson_and_not_by_the_table(tmp_path: Path) -> None:
    assert load_lesson(NAME).steps[SAYS].kind is Kind.SAY
    heard: list[Heard] = []
    source = Waiting(reading(["la grande", "envido cinco"], tmp_path))
    gate = EchoGate()
    ear = Ear(source, Recogniser(model_dir(), load_lexicon().grammar()), gate, heard.append)
    ear.start()
    classroom = classroom_of(gate, ear)
    assert classroom.step(NAME, "next")["hears"], "the ear is about to open"
    assert classroom.step(NAME, "listen")["listening"]
    source.reads.set()
    until(lambda: not classroom.walk(NAME)["listening"])
    walk = classroom.walk(NAME)
    assert (walk["mood"], walk["heard"], walk["right"]) == ("right", "envido cinco", 1)
    assert heard == []
    classroom.close()
    ear.stop()


@pytest.mark.slow
def test_silence_gives_the_ear_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.school.lessons.classroom.PATIENCE", 1.0)
    heard: list[Heard] = []
    source = Waiting(reading(["envido cinco"], tmp_path))
    gate = EchoGate()
    ear = Ear(source, Recogniser(model_dir(), load_lexicon().grammar()), gate, heard.append)
    ear.start()
    classroom = classroom_of(gate, ear)
    classroom.step(NAME, "listen")
    until(lambda: not classroom.walk(NAME)["listening"])
    assert classroom.walk(NAME)["mood"] == "asked"
    source.reads.set()
    until(lambda: heard)
    assert heard[0].text == "envido cinco"
    classroom.close()
    ear.stop()


@pytest.mark.slow
def test_a_tap_in_a_lesson_does_not_take_the_ear_from_an_enrolment(tmp_path: Path) -> None:
    heard: list[Heard] = []
    source = Waiting(reading(["envido cinco"], tmp_path))
    gate = EchoGate()
    ear = Ear(source, Recogniser(model_dir(), load_lexicon().grammar()), gate, heard.append)
    ear.start()
    classroom = classroom_of(gate, ear)
    voices = VoiceLessons(lambda: ear, lambda: None)
    assert classroom.step(NAME, "next")["at"] == SAYS
    assert classroom.step(NAME, "listen")["listening"]
    voices.begin("Ana", "es")
    assert not classroom.walk(NAME)["listening"]
    classroom.step(NAME, "next")
    assert ear.is_lent_to(voices._hear)
    voices.stop()
    source.reads.set()
    until(lambda: heard)
    classroom.close()
    ear.stop()
