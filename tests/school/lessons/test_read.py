"""Reading a lesson: a game and its prose; errors are reported with their line, or their key."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.language.script import ScriptError
from assistant.language.sentences import SentenceError
from assistant.school.lessons import Kind, Lesson, LessonTongue
from assistant.school.lessons.files import lesson_tongue
from tests.school.lessons.texts import lesson_of
from tests.tables import each_row

GAME = """\
# A comment that is for whoever writes.
rules: corrido=off
seats: Ana Luis Eva Juan

mano: 1
1: no hay mus

#: 1
#> Ana: R R 3 4
#> you mano: R R 3 4
1: envido
2: cinco más
1: no queremos
expect: A=0 B=2; phase=chica

#: 2
#! when: bet
#! say: no quiero
"""
QUESTION = {"ask": "b", "right": "c", "why": "d", "wrong": [["e", "f"]]}
PROSE: dict[str, Any] = {
    "title": "El deje",
    "about": "Lo que se gana si no quieren.",
    "1": {
        "text": "Ana envida\ny Luis sube.\n\nOtro párrafo.",
        "ask": "¿Cuánto vale el deje?",
        "right": "2",
        "why": "Lo que había.",
        "wrong": [["7", "La subida no cuenta."], ["1", "Había ya dos."]],
    },
    "2": {"text": "Ahora tú.", "ask": "Di que no.", "why": "Dicho."},
}


def the_lesson() -> Lesson:
    return lesson_of(GAME, PROSE, "06-el-deje")


def test_a_lesson_has_a_title_steps_and_the_messages_of_its_table() -> None:
    lesson = the_lesson()
    assert (lesson.title, lesson.about) == ("El deje", "Lo que se gana si no quieren.")
    asks, says = lesson.steps
    assert asks.text == ("Ana envida y Luis sube.", "Otro párrafo.")
    assert [one.kind for one in asks.shown] == ["cards", "cards", "call", "call", "call", "stones"]
    assert asks.shown[0].cards == ("R", "R", "3", "4")
    assert [one.who for one in asks.shown[:2]] == ["Ana", "Tú, de mano"]
    assert (asks.shown[3].who, asks.shown[3].words) == ("Luis", "cinco más")
    assert asks.shown[-1].stones == (("Ana y Eva", 0), ("Luis y Juan", 2))
    assert asks.kind is Kind.CHOOSE
    assert {answer.text for answer in asks.answers if answer.right} == {"2"}
    assert (says.kind, says.say, says.why) == (Kind.SAY, "no quiero", "Dicho.")
    assert says.context is not None
    assert says.context.pending


def test_a_call_without_a_text_makes_no_step() -> None:
    assert all("no hay mus" not in [one.words for one in step.shown] for step in the_lesson().steps)


def test_the_calls_of_a_game_are_shown_as_the_language_says_them() -> None:
    calls = {
        "no hay mus": "musik ez",
        "envido": "enbido",
        "cinco más": "bost gehiago",
        "no queremos": "ez dugu nahi",
        "no quiero": "ez dut nahi",
    }
    tongue = LessonTongue(lesson_tongue("es").words, calls)
    asks, says = lesson_of(GAME, PROSE, tongue=tongue).steps
    said = [one.words for one in asks.shown if one.kind == "call"]
    assert said == ["enbido", "bost gehiago", "ez dugu nahi"]
    assert says.say == "ez dut nahi"
    del calls["cinco más"]
    with pytest.raises(SentenceError, match="cinco más: the language has no words"):
        lesson_of(GAME, PROSE, tongue=LessonTongue(tongue.words, calls))


def test_the_right_answer_is_not_always_the_first() -> None:
    game = "\n\n".join(f"#: {n}" for n in range(1, 21))
    prose: dict[str, Any] = {str(n): {**QUESTION, "ask": f"Pregunta {n}"} for n in range(1, 21)}
    lesson = lesson_of(game, prose)
    first = [step.answers[0].right for step in lesson.steps]
    assert 5 <= sum(first) <= 15
    assert lesson_of(game, prose).steps == lesson.steps


def test_the_answers_stand_in_one_order_in_all_languages() -> None:
    game = "\n\n".join(f"#: {n}" for n in range(1, 21))
    spanish: dict[str, Any] = {str(n): {**QUESTION, "ask": f"Pregunta {n}"} for n in range(1, 21)}
    other: dict[str, Any] = {str(n): {**QUESTION, "ask": f"Galdera {n}"} for n in range(1, 21)}
    orders = [
        [[answer.right for answer in step.answers] for step in lesson_of(game, prose).steps]
        for prose in (spanish, other)
    ]
    assert orders[0] == orders[1]


@each_row(
    "game, line, why",
    [
        ("1: mus\n", 1, "needs a step"),
        ("#: 1\n#> R R\n", 2, "4 cards"),
        ("#: 1\n#! shout: mus\n", 2, "'say: CALL"),
        ("#: 1\n#! when: lunes\n", 2, "none of bet"),
        ("#: 1\nmano: 9\n", 2, "a seat is"),
        ("#: 2\n", 1, "the next step is '#: 1'"),
        ("#: 1\n\n#: 1\n", 3, "the next step is '#: 2'"),
        ("#: 1\n#: 2\n", 2, "after a blank line"),
        ("#> R R 7 4\n", 1, "begins with its number"),
        ("#! say: mus\n", 1, "begins with its number"),
    ],
)
def test_a_broken_game_is_refused_with_its_line(game: str, line: int, why: str) -> None:
    with pytest.raises(ScriptError, match=why) as refused:
        lesson_of(game, {"1": QUESTION, "2": QUESTION})
    assert refused.value.line == line


def without(key: str) -> dict[str, Any]:
    return {one: text for one, text in QUESTION.items() if one != key}


@each_row(
    "game, prose, why",
    [
        ("#: 1\n", {}, "1.text: this step is missing"),
        ("#: 1\n", {"1": {"ask": "b"}}, "1.right: this question lacks it"),
        ("#: 1\n", {"1": without("ask")}, "1.ask: this question lacks it"),
        ("#: 1\n", {"1": without("right")}, "1.right: this question lacks it"),
        ("#: 1\n", {"1": without("why")}, "1.why: this question lacks it"),
        ("#: 1\n", {"1": without("wrong")}, "1.wrong.0.0: this question lacks it"),
        ("#: 1\n", {"1": {**QUESTION, "wrong": [["e"]]}}, "1.wrong.0.1: a wrong answer needs"),
        ("#: 1\n#! say: mus\n", {"1": QUESTION}, "1.right: a call is said here"),
        ("#: 1\n#! say: mus\n", {"1": {"ask": "b"}}, "1.why: this question lacks it"),
        ("#: 1\n", {"1": {"text": "a", "shout": "b"}}, "1.shout: the game has no step"),
        ("#: 1\n", {"1": {"text": "a"}, "2": {"text": "b"}}, "2.text: the game has no step"),
    ],
)
def test_prose_that_does_not_fit_its_game_is_refused_with_its_key(
    game: str, prose: dict[str, Any], why: str
) -> None:
    with pytest.raises(SentenceError, match=f"^{why}"):
        lesson_of(game, prose)
