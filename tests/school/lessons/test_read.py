"""Reading a lesson: a script whose comments teach; errors are reported with their line."""

from __future__ import annotations

import pytest

from assistant.language.script import ScriptError
from assistant.school.lessons import Kind, parse_lesson
from tests.tables import each_row

LESSON = """\
#% El deje
#% Lo que se gana si no quieren.
# A comment that is for whoever writes.
rules: corrido=off
seats: Ana Luis Eva Juan

mano: 1
1: no hay mus

#: Ana envida
#: y Luis sube.
#:
#: Otro párrafo.
#> Ana: R R 3 4
1: envido
2: cinco más
1: no queremos
expect: A=0 B=2; phase=chica
#? ¿Cuánto vale el deje?
#= 2 = Lo que había.
#- 7 = La subida no cuenta.
#- 1 = Había ya dos.

#: Ahora tú.
#! when: bet
#! say: no quiero = Dicho.
"""


def test_a_lesson_has_a_title_steps_and_the_messages_of_its_table() -> None:
    lesson = parse_lesson("06-el-deje", LESSON)
    assert (lesson.title, lesson.about) == ("El deje", "Lo que se gana si no quieren.")
    asks, says = lesson.steps
    assert asks.text == ("Ana envida y Luis sube.", "Otro párrafo.")
    assert [one.kind for one in asks.shown] == ["cards", "call", "call", "call", "stones"]
    assert asks.shown[0].cards == ("R", "R", "3", "4")
    assert (asks.shown[2].who, asks.shown[2].words) == ("Luis", "cinco más")
    assert asks.shown[-1].stones == (("Ana y Eva", 0), ("Luis y Juan", 2))
    assert asks.kind is Kind.CHOOSE
    assert {answer.text for answer in asks.answers if answer.right} == {"2"}
    assert (says.kind, says.say, says.why) == (Kind.SAY, "no quiero", "Dicho.")
    assert says.context is not None
    assert says.context.pending


def test_a_call_without_a_text_makes_no_step() -> None:
    assert all(
        "no hay mus" not in [one.words for one in step.shown]
        for step in parse_lesson("x", LESSON).steps
    )


def test_the_right_answer_is_not_always_the_first() -> None:
    questions = [
        f"#: {n}\n#? Pregunta {n}\n#= sí = Porque sí.\n#- no = Porque no." for n in range(20)
    ]
    lesson = parse_lesson("x", "#% Título\n\n" + "\n\n".join(questions))
    first = [step.answers[0].right for step in lesson.steps]
    assert 5 <= sum(first) <= 15
    again = parse_lesson("x", "#% Título\n\n" + "\n\n".join(questions))
    assert again.steps == lesson.steps


@each_row(
    "text, line, why",
    [
        ("1: mus\n", 1, "needs a title"),
        ("#% T\n\n#: a\n#? b\n#= c = d\n", 3, "one right answer"),
        ("#% T\n\n#: a\n#? b\n#= c = d\n#= e = f\n", 3, "one right answer"),
        ("#% T\n\n#: a\n#? b\n", 3, "needs answers"),
        ("#% T\n\n#: a\n#? b\n#= c\n", 5, "an answer is"),
        ("#% T\n\n#: a\n#> R R\n", 4, "4 cards"),
        ("#% T\n\n#: a\n#! shout: mus\n", 4, "'say: CALL"),
        ("#% T\n\n#: a\n#! when: lunes\n", 4, "none of bet"),
        ("#% T\n\n#: a\n#?\n", 4, "needs a question"),
        ("#% T\n\n#: a\n#? b\n#= c = d\n#- e = f\n#! say: mus\n", 3, "or something to say"),
        ("#% T\n\n#: a\nmano: 9\n", 4, "a seat is"),
    ],
)
def test_a_broken_lesson_is_refused_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(ScriptError, match=why) as refused:
        parse_lesson("x", text)
    assert refused.value.line == line
