"""Lessons, the glossary and the quiz of señas: learning the game outside a deal.

The functions exported here take texts as strings or parsed tables. They read no file, hear nothing
and draw nothing.
"""

from assistant.school.lessons.mus_glossary import GlossaryError, Term, found_in, glossary_from
from assistant.school.lessons.quiz import CHOICES, Question, QuizWay, Sign, ask
from assistant.school.lessons.read import (
    Kind,
    Lesson,
    LessonAnswer,
    LessonStep,
    LessonTongue,
    Shown,
    parse_lesson,
)
from assistant.school.lessons.walk import (
    AnswerVerdict,
    Kept,
    LessonMove,
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

__all__ = [
    "CHOICES",
    "AnswerVerdict",
    "GlossaryError",
    "Kept",
    "Kind",
    "Lesson",
    "LessonAnswer",
    "LessonMove",
    "LessonStep",
    "LessonTongue",
    "Mood",
    "Question",
    "QuizScore",
    "QuizWay",
    "Shown",
    "Sign",
    "Term",
    "Walk",
    "ask",
    "begin",
    "chosen",
    "come_to",
    "found_in",
    "glossary_from",
    "heard_as",
    "in_language",
    "kept_from",
    "kept_to",
    "parse_lesson",
    "phrases_for",
    "scored",
]
