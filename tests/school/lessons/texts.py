"""Lessons of a test, from a game and its prose."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.language.sentences import flatten
from assistant.school.lessons import Lesson, LessonTongue, parse_lesson
from assistant.school.lessons.files import lesson_tongue

HEAD = {"title": "Título", "about": "De qué va."}


def lesson_of(
    game: str, prose: Mapping[str, object], name: str = "x", tongue: LessonTongue | None = None
) -> Lesson:
    """A lesson with a title, in Spanish if no tongue is given."""
    return parse_lesson(name, game, flatten({**HEAD, **prose}), tongue or lesson_tongue("es"))
