"""Lessons, the glossary and the quiz of señas: what teaches the game away from a hand. Rank 1.

Texts are given as strings or parsed tables; nothing is read, heard or drawn here.
"""

from assistant.lessons.data import Answer, Kind, Lesson, LessonStep, Shown
from assistant.lessons.glossary import GlossaryError, Term, found_in, glossary_from
from assistant.lessons.judge import Verdict, chosen, heard_as, phrases_for
from assistant.lessons.progress import Kept, Score, come_to, kept_from, kept_to, scored
from assistant.lessons.quiz import CHOICES, Question, Sign, Way, ask
from assistant.lessons.read import parse_lesson
from assistant.lessons.walk import Mood, Move, Walk, begin

__all__ = [
    "CHOICES",
    "Answer",
    "GlossaryError",
    "Kept",
    "Kind",
    "Lesson",
    "LessonStep",
    "Mood",
    "Move",
    "Question",
    "Score",
    "Shown",
    "Sign",
    "Term",
    "Verdict",
    "Walk",
    "Way",
    "ask",
    "begin",
    "chosen",
    "come_to",
    "found_in",
    "glossary_from",
    "heard_as",
    "kept_from",
    "kept_to",
    "parse_lesson",
    "phrases_for",
    "scored",
]
