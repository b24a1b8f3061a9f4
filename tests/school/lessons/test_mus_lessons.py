"""``mus lessons``, ``mus lesson`` and ``mus glossary``: output, answers and progress."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.rules.profile import Senas
from assistant.school.lessons import Kind, LessonStep
from assistant.school.lessons.files import load_lesson, progress_path, read_progress
from assistant.school.lessons.mus_senas import load_senas
from tests.speakers.test_mus_enrol import reading
from tests.tables import each_row

pytestmark = pytest.mark.usefixtures("own_folder")

SPANISH = ("--language", "es")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))


def right_answer(step: LessonStep) -> str:
    """The line to type: a call as it is spoken, or the number of the right answer."""
    if step.kind is Kind.SAY:
        return step.say
    return str([answer.right for answer in step.answers].index(True) + 1)


def answers(name: str) -> list[str]:
    return [right_answer(s) for s in load_lesson(name).steps if s.kind is not Kind.READ]


def test_all_lessons_are_listed_with_their_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lessons", *SPANISH]) == 0
    assert capsys.readouterr().out.count("sin empezar") >= 10
    typed(monkeypatch, *answers("1"))
    assert main(["lesson", "1", *SPANISH]) == 0
    typed(monkeypatch, "", "")
    assert main(["lesson", "el-deje", *SPANISH]) == 0
    capsys.readouterr()
    assert main(["lessons", "--json", *SPANISH]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    first = rows["01-que-es-un-lance"]
    assert (first["done"], first["at"], first["right"]) == (True, 0, first["asked"])
    assert not rows["06-el-deje"]["done"]
    assert rows["06-el-deje"]["at"] == 3
    assert main(["lessons", *SPANISH]) == 0
    assert "hecha, 5 de 5 a la primera" in capsys.readouterr().out


def test_a_wrong_answer_is_explained_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "los pares", "qwerty", "la chica")
    assert main(["lesson", "1", *SPANISH]) == 0
    out = capsys.readouterr().out
    assert "No. Prueba otra vez. Casi: los pares van los terceros." in out
    assert "No lo he entendido (qwerty)" in out
    assert "¡Bien! Grande, chica, pares y juego" in out
    assert out.count("[2/7]") == 1, "a step is printed once"
    assert "la próxima vez sigue por este paso" in out
    assert read_progress().at == {"01-que-es-un-lance": 2}


def test_a_lesson_is_resumed_where_it_was_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "", "")
    assert main(["lesson", "2", *SPANISH]) == 0
    capsys.readouterr()
    typed(monkeypatch)
    assert main(["lesson", "2", *SPANISH]) == 0
    assert "[4/8]" in capsys.readouterr().out
    typed(monkeypatch)
    assert main(["lesson", "2", "--again", *SPANISH]) == 0
    assert "[1/8]" in capsys.readouterr().out


@pytest.mark.slow
def test_answers_are_heard_by_the_real_ear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [step for step in load_lesson("5").steps if step.kind is not Kind.READ][:3]
    said = ["dos", "envido cinco", ("uno", "dos", "tres")[int(right_answer(steps[2])) - 1]]
    wav = reading(said, tmp_path)
    assert main(["lesson", "5", "--listen", str(wav), "--json", *SPANISH]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["right"] for row in told["answers"]] == [True, True, True]
    assert told["right"] == 3
    assert not told["over"]


def test_a_lesson_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "el-deje", "--json", *SPANISH]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["title"] == "El deje"
    assert told["steps"][1]["shown"][0]["words"] == "no hay mus"


@each_row(
    "words, why",
    [
        (["lesson", "paella"], "No lesson is 'paella': choose from 01-"),
        (["lesson", "de"], "More than one lesson is 'de': choose from"),
        (["lesson", "0"], "There is no lesson 0: choose from 1 to "),
        (["lesson", "99"], "There is no lesson 99: choose from 1 to "),
        (["lesson", ""], "No lesson is '': choose from 01-"),
        (["lesson", "1", "--listen", "nowhere.wav"], "nowhere.wav"),
        (["lesson", "1", "--json", "--mic"], "--json goes with --listen"),
        (["glossary", "paella"], "has no 'paella'"),
        (["glossary", ""], "has no ''"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert why in err
    assert "Traceback" not in out
    assert err.count("\n") == 1


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"version": 2}', "\0"])
def test_damaged_progress_is_reported_and_left_alone(
    broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    progress_path().parent.mkdir(parents=True)
    progress_path().write_text(broken, encoding="utf-8")
    assert main(["lessons"]) == 2
    assert "lessons.json" in capsys.readouterr().err
    assert progress_path().read_text(encoding="utf-8") == broken


def test_the_glossary_explains_one_word_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glossary", "ordago", *SPANISH]) == 0
    assert capsys.readouterr().out.startswith("ÓRDAGO\n  Apostar el juego entero")
    assert main(["glossary", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) >= 60


@each_row(
    "language, title, name, named",
    [
        ("es", "Qué es un lance", "órdago", "ÓRDAGO\n  Apostar el juego entero"),
        ("eu", "Zer da jokaldi bat", "hordagoa", "HORDAGOA\n  Joko osoa jokaldi batean"),
        ("en", "What a round is", "ordago", "ÓRDAGO\n  To stake the whole game"),
    ],
)
def test_the_commands_teach_in_the_language_of_the_terminal(
    language: str,
    title: str,
    name: str,
    named: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    assert main(["lessons"]) == 0
    assert title in capsys.readouterr().out
    assert main(["lesson", title, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == title
    assert main(["glossary", name]) == 0
    assert capsys.readouterr().out.startswith(named)
    assert main(["senas"]) == 0
    assert capsys.readouterr().out.startswith(load_senas(Senas.FEM, language)["title"])


def test_a_lesson_in_basque_takes_basque_calls(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, right_answer(load_lesson("5", "eu").steps[0]), "enbido bost", "")
    assert main(["lesson", "5", "--language", "eu", "--again"]) == 0
    out = capsys.readouterr().out
    assert "Ondo! Bost tanto jokoan, besteek nahi badute." in out
    assert "Luis: «nahi dut»" in out
