"""The lists of señas: their content, their differences, and their quiz (R58)."""

from __future__ import annotations

import json
import random

import pytest

from assistant.cli.main import main
from assistant.rules.profile import Senas
from assistant.school.lessons import CHOICES, QuizWay, Sign, ask
from assistant.school.lessons.mus_senas import LISTS, load_senas, signs_of


def gestures(name: Senas) -> dict[str, str]:
    return {sign["holds"]: sign["gesture"] for sign in load_senas(name)["sena"]}


@pytest.mark.parametrize("name", LISTS)
def test_r58_every_list_is_printed(name: Senas, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["senas", name, "--language", "es"]) == 0
    page = capsys.readouterr().out
    assert all(f"{holds} " in page and gesture in page for holds, gesture in gestures(name).items())


def test_r58_the_federation_and_interpenas_differ_where_the_rule_table_says() -> None:
    fem, interpenas = gestures(Senas.FEM), gestures(Senas.INTERPENAS)
    assert "lengua" in fem["dos ases"]
    assert "nariz" in interpenas["dos ases"]
    assert "pares" in fem
    assert "pares" not in interpenas
    assert fem["veintinueve"] == "alzar un hombro"
    assert interpenas["dos reyes y un caballo"] == "levantar un hombro"


def test_a_list_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["senas", "--json", "--language", "es"]) == 0
    assert json.loads(capsys.readouterr().out) == load_senas(Senas.FEM)


def test_an_unknown_list_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["senas", "burgos"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert all(name in told.err for name in LISTS)
    assert told.err.count("\n") == 1


# ---- The quiz of señas (R58): four answers, exactly one of them right ---------------------------


@pytest.mark.parametrize("name", LISTS)
def test_r58_every_question_has_four_answers_and_exactly_one_is_right(name: Senas) -> None:
    signs, rng = signs_of(load_senas(name)), random.Random(1)
    asked, ways = set(), set()
    last = None
    for _ in range(300):
        question = ask(signs, rng, last)
        assert question.sign != last
        assert len({sign.draw for sign in question.choices}) == CHOICES
        assert len({sign.holds for sign in question.choices}) == CHOICES
        last = question.sign
        asked.add(last.holds)
        ways.add(question.way)
    assert asked == {sign.holds for sign in signs}
    assert ways == set(QuizWay)


def test_a_list_with_too_few_gestures_is_refused() -> None:
    signs = [Sign(str(n), "gesto", draw=str(n % 3)) for n in range(9)]
    with pytest.raises(ValueError, match="4 different"):
        ask(signs, random.Random(1))


@pytest.mark.parametrize("name", LISTS)
def test_r58_every_list_names_the_forbidden_gestures(name: Senas) -> None:
    assert "Hacer una seña de algo que no se lleva." in load_senas(name)["forbidden"]
