"""Walking through a lesson: an answer is judged by its meaning, and the progress is kept."""

from __future__ import annotations

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon, words_of
from assistant.messages import Word
from assistant.school.lessons import (
    AnswerVerdict,
    Kept,
    Lesson,
    LessonStep,
    Mood,
    QuizScore,
    Walk,
    begin,
    chosen,
    come_to,
    heard_as,
    in_language,
    kept_from,
    kept_to,
    phrases_for,
    scored,
)
from assistant.school.lessons.walk import ON, TRANSITIONS
from tests.school.lessons.texts import lesson_of
from tests.tables import each_row

# ---- Judging an answer by its meaning: any wording of a call, a number, a yes, its own words ----


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def to_say(call: str, when: str = "") -> LessonStep:
    order = f"#! when: {when}\n" if when else ""
    prose = {"1": {"text": "a", "ask": "b", "why": "Bien."}}
    return lesson_of(f"#: 1\n{order}#! say: {call}\n", prose).steps[0]


def to_choose(right: str, *wrong: str) -> LessonStep:
    answers = [[text, "No."] for text in wrong]
    prose = {"1": {"text": "a", "ask": "b", "right": right, "why": "Sí.", "wrong": answers}}
    return lesson_of("#: 1\n", prose).steps[0]


@each_row(
    "call, when, said",
    [
        ("no hay mus", "mus", "corto"),
        ("no hay mus", "mus", "quito"),
        ("envido", "", "envido dos"),
        ("quiero", "bet", "queremos"),
        ("no quiero", "bet", "no queremos"),
        ("pares sí", "pares?", "sí"),
        ("órdago", "", "hordago"),
    ],
)
def test_any_wording_of_the_call_is_right(
    call: str, when: str, said: str, lexicon: Lexicon
) -> None:
    verdict = heard_as(to_say(call, when), words_of(said), lexicon)
    assert verdict == AnswerVerdict(right=True, what=said, why="Bien.")


@pytest.mark.parametrize(
    ("call", "when", "said"),
    [("envido", "", "envido cinco"), ("quiero", "bet", "no quiero"), ("envido", "", "órdago")],
)
def test_another_call_is_wrong(call: str, when: str, said: str, lexicon: Lexicon) -> None:
    verdict = heard_as(to_say(call, when), words_of(said), lexicon)
    assert (verdict.right, verdict.understood) == (False, True)


@pytest.mark.parametrize("said", ["la paella", "[unk]"])
def test_speech_that_is_no_call_is_not_counted_as_wrong(said: str, lexicon: Lexicon) -> None:
    assert not heard_as(to_say("envido"), words_of(said), lexicon).understood


def test_a_faintly_heard_answer_is_asked_for_again(lexicon: Lexicon) -> None:
    faint = (Word("envido", 0.0, 0.4, confidence=0.05),)
    assert not heard_as(to_say("envido"), faint, lexicon).understood


def test_an_answer_is_given_by_its_words_its_number_or_a_yes(lexicon: Lexicon) -> None:
    lances = to_choose("La chica", "La grande", "Los pares")
    place = [answer.text for answer in lances.answers].index("La chica")
    number = ("uno", "dos", "tres")[place]
    for said in ("la chica", "LA CHICA", number, str(place + 1)):
        assert heard_as(lances, words_of(said), lexicon).right, said
    assert heard_as(lances, words_of("los pares"), lexicon).what == "Los pares"
    assert not heard_as(lances, words_of("siete"), lexicon).understood
    assert heard_as(to_choose("Sí", "No"), words_of("sí"), lexicon).right
    assert not heard_as(to_choose("Sí", "No"), words_of("no"), lexicon).right


def test_where_answers_are_numbers_a_number_is_an_answer_and_no_position(lexicon: Lexicon) -> None:
    stones = to_choose("2 piedras", "1 piedra", "5 piedras")
    assert heard_as(stones, words_of("dos"), lexicon).right
    assert heard_as(stones, words_of("cinco"), lexicon).what == "5 piedras"
    assert not heard_as(stones, words_of("tres"), lexicon).understood


def test_the_grammar_has_the_answers_whose_words_the_ear_knows(lexicon: Lexicon) -> None:
    phrases = phrases_for(to_choose("La chica", "Xilófono"), lexicon)
    assert set(lexicon.grammar()) <= set(phrases)
    assert "la chica" in phrases
    assert "xilófono" not in phrases


def test_a_number_before_the_first_or_after_the_last_answer_is_refused() -> None:
    step = to_choose("sí", "no")
    for number in (-1, 2):
        with pytest.raises(IndexError):
            chosen(step, number)


# ---- The walk: shown, asked, right or wrong, and on; and the progress that is kept --------------


RIGHT, WRONG = AnswerVerdict(right=True), AnswerVerdict(right=False)
UNCLEAR = AnswerVerdict(right=False, understood=False)


@pytest.fixture
def walk() -> Walk:
    return begin(lesson_in("c", "e"))


def lesson_in(ask: str, why: str) -> Lesson:
    """A lesson of three steps: one to read, one to choose in, one to say something in."""
    prose: dict[str, object] = {
        "1": {"text": "a"},
        "2": {"text": "b", "ask": ask, "right": "d", "why": why, "wrong": [["f", "g"]]},
        "3": {"text": "h", "ask": "i", "why": "Bien."},
    }
    return lesson_of("#: 1\n\n#: 2\n\n#: 3\n#! say: mus\n", prose)


def test_a_lesson_is_read_answered_and_over(walk: Walk) -> None:
    assert walk.mood is Mood.SHOWN
    walk = walk.next()
    assert (walk.at, walk.mood) == (1, Mood.ASKED)
    walk = walk.answered(RIGHT)
    assert walk.mood is Mood.RIGHT
    walk = walk.next().answered(RIGHT).next()
    assert (walk.mood, walk.step, walk.right) == (Mood.OVER, None, 2)
    assert walk.next() == walk


def test_only_the_first_try_counts_and_the_pupil_may_go_on_without_an_answer(walk: Walk) -> None:
    walk = walk.next().answered(WRONG)
    assert walk.mood is Mood.WRONG
    walk = walk.answered(WRONG).answered(RIGHT)
    assert (walk.mood, walk.right) == (Mood.RIGHT, 0)
    assert walk.next().next().mood is Mood.OVER


def test_a_walk_goes_on_in_another_language_with_its_verdict(walk: Walk) -> None:
    other = lesson_in("C", "E")
    walk = walk.next()
    right = [answer.right for answer in walk.lesson.steps[1].answers].index(True)
    answered = walk.answered(chosen(walk.lesson.steps[1], right))
    there = in_language(answered, other)
    assert (there.at, there.mood, there.right) == (1, Mood.RIGHT, 1)
    assert there.verdict == AnswerVerdict(right=True, what="d", why="E")
    assert in_language(walk.answered(UNCLEAR), other).verdict == UNCLEAR


def test_an_answer_that_was_not_understood_costs_nothing(walk: Walk) -> None:
    walk = walk.next().answered(UNCLEAR)
    assert (walk.mood, walk.verdict) == (Mood.ASKED, UNCLEAR)
    assert walk.answered(RIGHT).right == 1


def test_an_answer_without_a_question_is_ignored(walk: Walk) -> None:
    assert walk.answered(RIGHT) == walk
    right = walk.next().answered(RIGHT)
    assert right.answered(WRONG) == right


def test_every_mood_except_the_last_leads_on() -> None:
    assert {mood for (mood, _), to in TRANSITIONS.items() if to == ON} == set(Mood) - {Mood.OVER}


def test_progress_resumes_a_lesson_and_keeps_the_best_result(walk: Walk) -> None:
    kept = come_to(Kept(), walk.next())
    assert (kept.at, kept.done) == ({"x": 1}, {})
    over = walk.next().answered(RIGHT).next().next()
    kept = come_to(kept, over)
    assert (kept.at, kept.done) == ({}, {"x": 1})
    kept = come_to(kept, walk.next().next().next())
    assert kept.done == {"x": 1}
    kept = scored(scored(kept, "fem", right=True), "fem", right=False)
    assert kept.quiz == {"fem": QuizScore(2, 1)}
    assert kept_from(kept_to(kept)) == kept


@each_row("told", [None, [], {}, {"version": 9}, {"version": 1, "at": 3}])
def test_malformed_progress_is_refused(told: object) -> None:
    with pytest.raises(ValueError, match=r".*"):
        kept_from(told)
