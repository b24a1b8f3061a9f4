"""The lessons of each language, and the notebooks and the file in which progress is kept."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from assistant.files.atomic import write_whole
from assistant.files.paths import data_dir, own_data_dir
from assistant.files.process import UsageError
from assistant.files.profile_files import rules_named
from assistant.files.resources import (
    SPANISH,
    load_toml,
    load_wording,
    nearest,
    read_text,
    text_file,
)
from assistant.files.resources import languages as languages_with
from assistant.files.terminal import terminal_language
from assistant.language.lexicon import fold
from assistant.language.script import ScriptError
from assistant.language.sentences import SentenceError, flatten
from assistant.messages.documents import parse_json
from assistant.school.lessons.quiz import Question
from assistant.school.lessons.read import Lesson, LessonTongue, parse_lesson
from assistant.school.lessons.walk import Kept, Walk, kept_from, kept_to

# ---- The lessons that are there, and the file in which progress is kept -------------------------


USUAL = SPANISH
"""The language that there are always lessons in."""
PROGRESS = "lessons.json"


def languages() -> tuple[str, ...]:
    """The codes of the languages that there are lessons in."""
    return languages_with("lessons")


def taught_in(language: str) -> str:
    """The language of the lessons for a table that speaks ``language``."""
    return nearest("lessons", language)


def load_lessons(language: str = USUAL) -> dict[str, Lesson]:
    """All lessons of a language by name, in their order. Raises UsageError."""
    if language not in languages():
        known = ", ".join(languages())
        raise UsageError(
            "There are no lessons in {language!r}: choose from {known}.",
            language=language,
            known=known,
        )
    tongue = lesson_tongue(language)
    paths = sorted((data_dir("models") / "lessons").glob("*.mus"))
    return {path.stem: _lesson(path, language, tongue) for path in paths}


def lesson_tongue(language: str) -> LessonTongue:
    """The sentences of a language's lessons, and its calls. Raises UsageError, SentenceError."""
    path = text_file("lessons/calls", language)
    calls = flatten(load_toml(path)) if path.exists() else {}
    return LessonTongue(load_wording("lessons", language), calls)


def heard_in(language: str) -> str:
    """The language in which the answers to the lessons of ``language`` are heard."""
    return nearest("lexicon", language)


def at_the_terminal() -> str:
    """The language of the lessons at this terminal."""
    return taught_in(terminal_language())


def load_lesson(asked: str, language: str = USUAL) -> Lesson:
    """A lesson by its name, its title or a part of either, or by its number. Raises UsageError."""
    lessons = load_lessons(language)
    wanted = asked.lower()
    if wanted.isdecimal() and wanted.isascii():
        numbered = {int(name.partition("-")[0]): lesson for name, lesson in lessons.items()}
        if int(wanted[:9]) not in numbered:
            last = max(numbered)
            raise UsageError(
                "There is no lesson {wanted}: choose from 1 to {last}.",
                wanted=wanted[:9],
                last=last,
            )
        return numbered[int(wanted[:9])]
    titles = {name: fold(lesson.title) for name, lesson in lessons.items()}
    whole = [name for name in lessons if wanted in (name, name.partition("-")[2])]
    found = whole or [name for name in lessons if wanted and wanted in name]
    if not found and wanted:
        found = [name for name, title in titles.items() if fold(wanted) in title]
    if len(found) != 1:
        if found:
            raise UsageError(
                "More than one lesson is {asked!r}: choose from {known}.",
                asked=asked[:40],
                known=", ".join(found),
            )
        raise UsageError(
            "No lesson is {asked!r}: choose from {known}.",
            asked=asked[:40],
            known=", ".join(lessons),
        )
    return lessons[found[0]]


@dataclass(frozen=True, slots=True)
class ShortPath:
    """The short way to a first game: lessons by name, then exercises, then deals of practice."""

    lessons: tuple[str, ...]
    exercises: int
    deals: int


def load_short_path() -> ShortPath:
    """The short path that ships, or the one that somebody wrote. Raises UsageError."""
    path = data_dir("models") / "path.toml"
    match load_toml(path):
        case {"lessons": list(names), "exercises": int(exercises), "deals": int(deals), **rest} if (
            not rest and all(isinstance(name, str) for name in names)
        ):
            return ShortPath(tuple(names), exercises, deals)
    raise UsageError("{path}: write lessons, exercises and deals.", path=path)


def progress_path() -> Path:
    """Where progress is kept (XDG); it need not be there."""
    return own_data_dir() / PROGRESS


def read_progress(path: Path | None = None) -> Kept:
    """The progress that is kept on this machine, or in another file. Raises UsageError."""
    path = path or progress_path()
    if not path.exists():
        return Kept()
    try:
        return kept_from(parse_json(read_text(path)))
    except ValueError as error:
        raise UsageError(
            "{path} holds no progress: take it away to begin anew.", path=path
        ) from error


def write_progress(kept: Kept) -> None:
    """Write the progress, all or nothing. Raises OSError."""
    write_whole(progress_path(), json.dumps(kept_to(kept), ensure_ascii=False) + "\n")


def _lesson(path: Path, language: str, tongue: LessonTongue) -> Lesson:
    name = f"lessons/{path.stem}"
    prose = load_wording(name, language).texts
    try:
        return parse_lesson(path.stem, read_text(path), prose, tongue, rules_named)
    except SentenceError as error:
        raise UsageError(
            "{path}: {error}", path=text_file(name, nearest(name, language)), error=error
        ) from error
    except ScriptError as error:
        raise UsageError("{path}: {error}", path=path, error=error) from error


# ---- The progress in the lessons: the table's own, and that of each guest's device --------------
# The table's is kept on the disk. A guest's is kept in memory, because a guest writes nothing on
# the table's machine; the guests who were away longest are forgotten first.


TABLE = ""
"""The learner who sits at the table, by whichever of its devices."""
MOST_GUESTS = 200


class Notebook:
    """One learner's lessons and quizzes: those that are begun, and what was achieved."""

    def __init__(self) -> None:
        self.walks: dict[str, Walk] = {}
        self.questions: dict[tuple[str, str], tuple[Question, int | None]] = {}
        """The last question of each list in a language, and the answer, if there is one."""
        self._kept = Kept()

    def read(self) -> Kept:
        """What was achieved. Raises UsageError."""
        return self._kept

    def write(self, kept: Kept) -> None:
        """Keep it. Raises OSError."""
        self._kept = kept


class TableNotebook(Notebook):
    """The table's own notebook, which is kept in a file."""

    def read(self) -> Kept:
        """What was achieved. Raises UsageError."""
        return read_progress()

    def write(self, kept: Kept) -> None:
        """Keep it. Raises UsageError, OSError."""
        write_progress(kept)


class Notebooks:
    """A notebook for each learner."""

    def __init__(self) -> None:
        self._table = TableNotebook()
        self._guests: OrderedDict[str, Notebook] = OrderedDict()

    def of(self, learner: str) -> Notebook:
        """The notebook of a learner: TABLE, or a guest's device by its address."""
        if learner == TABLE:
            return self._table
        found = self._guests.setdefault(learner, Notebook())
        self._guests.move_to_end(learner)
        while len(self._guests) > MOST_GUESTS:
            self._guests.popitem(last=False)
        return found
