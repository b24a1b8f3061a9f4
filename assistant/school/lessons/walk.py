"""The progress through a lesson: a step is shown, asked, and answered right or wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypedDict

from assistant.language.lexicon import START, Context, Lexicon, Spoken, Talk, fold, words_of
from assistant.messages import Command, Word
from assistant.rules.calls import Call, Refuse
from assistant.rules.phases import Phase
from assistant.school.lessons.read import Kind, Lesson, LessonAnswer, LessonStep

# ---- Whether an answer is right: one that was tapped, or words as they were heard or typed ------


MOMENTS = (
    Context(Phase.GRANDE),
    Context(Phase.GRANDE, pending=True),
    Context(Phase.PARES_SAY),
    Context(Phase.JUEGO_SAY),
    Context(Phase.MUS),
    Context(Phase.COUNT),
)
"""The moments of a deal; a step without "when" has the first in which its words are a call."""
_COUNT = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W_]+")

Said = tuple[Call | Command, ...]


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """The result of an answer.

    right       whether it was right
    understood  whether it was an answer at all; if not, nothing is held against anybody
    what        the answer that was taken, or the words
    why         a sentence about it
    """

    right: bool
    understood: bool = True
    what: str = ""
    why: str = ""


def chosen(step: LessonStep, number: int) -> AnswerVerdict:
    """Judge the answer with a number, from 0. Raises IndexError if there is none."""
    if number < 0:
        raise IndexError(number)
    answer = step.answers[number]
    return AnswerVerdict(answer.right, what=answer.text, why=answer.why)


def heard_as(step: LessonStep, words: Sequence[Word], lexicon: Lexicon) -> AnswerVerdict:
    """Judge what was said: a call by what it means, an answer by its words or its number."""
    text = " ".join(word.text for word in words)
    if step.kind is Kind.SAY:
        return _call(step, words, lexicon, text)
    for number, answer in enumerate(step.answers):
        if _is(answer, words, lexicon):
            return chosen(step, number)
    if (named := _number(step, words, lexicon)) is not None:
        return chosen(step, named)
    return AnswerVerdict(right=False, understood=False, what=text)


def phrases_for(step: LessonStep, lexicon: Lexicon) -> tuple[str, ...]:
    """The phrases to listen for: the table's, and the answers whose words the ear knows."""
    known = lexicon.vocabulary()
    answers = [" ".join(_LETTERS.findall(answer.text.lower())) for answer in step.answers]
    fits = [text for text in answers if text and set(text.split()) <= known]
    return (*lexicon.grammar(), *fits)


def call_of(step: LessonStep, lexicon: Lexicon) -> tuple[Said, Context]:
    """The call to be said, and the moment for it. Raises ValueError if the words are no call."""
    words = words_of(step.say)
    for context in (step.context,) if step.context else MOMENTS:
        if said := _read(words, context, lexicon):
            return said, context
    raise ValueError(f"line {step.line}: {step.say!r} is no call.")


def _call(step: LessonStep, words: Sequence[Word], lexicon: Lexicon, text: str) -> AnswerVerdict:
    wanted, context = call_of(step, lexicon)
    heard = _read(tuple(words), context, lexicon)
    # A call that fits another moment was understood, but is wrong here.
    elsewhere = any(_read(tuple(words), other, lexicon) for other in MOMENTS)
    right = len(heard) == len(wanted) and all(map(_same, heard, wanted))
    return AnswerVerdict(right, bool(heard) or elsewhere, text, step.why if right else "")


def _read(words: tuple[Word, ...], context: Context, lexicon: Lexicon) -> Said:
    """All calls of an utterance; none if any part of it is no call."""
    calls: list[Call | Command] = []
    for segment in lexicon.segments(words):
        rest, link = segment, START
        while rest:
            reading = lexicon.read(rest, context, link)
            if isinstance(reading, Talk):
                return ()
            if isinstance(reading, Spoken):
                calls.append(reading.what)
            rest, link = rest[reading.taken :], reading.link
    return tuple(calls)


def _same(heard: Call | Command, wanted: Call | Command) -> bool:
    """Whether two wordings are the same call, whoever says it, with or without its lance."""
    if isinstance(heard, Command) or isinstance(wanted, Command):
        return heard is wanted
    if isinstance(heard, Refuse) and isinstance(wanted, Refuse):
        return True  # "no queremos" says the same for two
    lance = wanted.lance or heard.lance
    return replace(heard, seat=None, lance=lance) == replace(wanted, seat=None, lance=lance)


def _is(answer: LessonAnswer, words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether these are an answer's own words, or the same call, or a yes or no like it."""
    own = words_of(answer.text)
    if [fold(word.text) for word in own] == [fold(word.text) for word in words]:
        return True
    if (lexicon.is_yes(words) and lexicon.is_yes(own[:1])) or (
        lexicon.is_no(words) and lexicon.is_no(own[:1])
    ):
        return True
    for context in MOMENTS:
        meant, heard = _read(own, context, lexicon), _read(tuple(words), context, lexicon)
        if meant and len(meant) == len(heard) and all(map(_same, heard, meant)):
            return True
    return False


def _number(step: LessonStep, words: Sequence[Word], lexicon: Lexicon) -> int | None:
    """The answer that a number names: by what it says where answers are numbers, else by place."""
    told = lexicon.number(words)
    if told is None and len(words) == 1 and words[0].text.isascii() and words[0].text.isdigit():
        told = int(words[0].text)
    counts = [_COUNT.match(answer.text) for answer in step.answers]
    if any(counts):
        values = [int(count[0]) if count else None for count in counts]
        return values.index(told) if told is not None and told in values else None
    return told - 1 if told is not None and 1 <= told <= len(step.answers) else None


# ---- The state machine of a lesson: a step is shown, asked, answered; then comes the next one ---


class Mood(StrEnum):
    """The state of the present step."""

    SHOWN = "shown"
    ASKED = "asked"
    RIGHT = "right"
    WRONG = "wrong"
    OVER = "over"


class LessonMove(StrEnum):
    """What the learner does."""

    NEXT = "next"
    RIGHT = "right"
    WRONG = "wrong"


ON = "on"
"""Stands for the next step, or the end."""
TRANSITIONS: dict[tuple[Mood, LessonMove], Mood | str] = {
    (Mood.SHOWN, LessonMove.NEXT): ON,
    (Mood.ASKED, LessonMove.RIGHT): Mood.RIGHT,
    (Mood.ASKED, LessonMove.WRONG): Mood.WRONG,
    (Mood.ASKED, LessonMove.NEXT): ON,  # a question may be skipped
    (Mood.WRONG, LessonMove.RIGHT): Mood.RIGHT,
    (Mood.WRONG, LessonMove.WRONG): Mood.WRONG,
    (Mood.WRONG, LessonMove.NEXT): ON,
    (Mood.RIGHT, LessonMove.NEXT): ON,
}


@dataclass(frozen=True, slots=True)
class Walk:
    """Where somebody is in a lesson.

    at       the step, from 0; ``len(lesson.steps)`` once it is over
    verdict  of the last answer to this step
    right    questions that were answered right at the first try
    """

    lesson: Lesson
    at: int
    mood: Mood
    verdict: AnswerVerdict | None = None
    right: int = 0

    @property
    def step(self) -> LessonStep | None:
        """The present step; None at the end."""
        return None if self.mood is Mood.OVER else self.lesson.steps[self.at]

    def next(self) -> Walk:
        """Go on. The end stays the end."""
        return self._moved(LessonMove.NEXT)

    def answered(self, verdict: AnswerVerdict) -> Walk:
        """Take an answer. One that was not understood changes only the verdict that is told."""
        if (self.mood, LessonMove.RIGHT) not in TRANSITIONS:
            return self
        if not verdict.understood:
            return replace(self, verdict=verdict)
        first = self.mood is Mood.ASKED
        there = replace(self, verdict=verdict, right=self.right + (verdict.right and first))
        return there._moved(LessonMove.RIGHT if verdict.right else LessonMove.WRONG)

    def _moved(self, move: LessonMove) -> Walk:
        to = TRANSITIONS.get((self.mood, move))
        if to is None:
            return self
        if to == ON:
            return begin(self.lesson, self.at + 1, self.right)
        return replace(self, mood=Mood(to))


def begin(lesson: Lesson, at: int = 0, right: int = 0) -> Walk:
    """A lesson from a step on; the step after the last is its end."""
    if at >= len(lesson.steps):
        return Walk(lesson, len(lesson.steps), Mood.OVER, right=right)
    at = max(at, 0)
    mood = Mood.SHOWN if lesson.steps[at].kind is Kind.READ else Mood.ASKED
    return Walk(lesson, at, mood, right=right)


def in_language(walk: Walk, lesson: Lesson) -> Walk:
    """The same walk through the same lesson in another language: steps and answers are the same."""
    step, verdict = walk.step, walk.verdict
    walk = replace(walk, lesson=lesson)
    if step is None or verdict is None or not verdict.understood or walk.step is None:
        return walk
    if walk.step.kind is Kind.CHOOSE:
        texts = [answer.text for answer in step.answers]
        return replace(walk, verdict=chosen(walk.step, texts.index(verdict.what)))
    return replace(walk, verdict=replace(verdict, why=walk.step.why if verdict.right else ""))


# ---- A learner's progress: in each lesson, and in the quiz of each list of señas -----------------


VERSION = 1


@dataclass(frozen=True, slots=True)
class QuizScore:
    """Questions of a quiz that were answered, and how many of them right."""

    asked: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """The progress of a learner.

    at     the step to go on with, by the lesson's name
    done   the lessons that were gone through, each with how many questions were right at once
    quiz   by the name of the list
    """

    at: Mapping[str, int] = field(default_factory=dict)
    done: Mapping[str, int] = field(default_factory=dict)
    quiz: Mapping[str, QuizScore] = field(default_factory=dict)


def kept_to(kept: Kept) -> dict[str, Any]:
    """Progress as an object of a JSON file."""
    quiz = {name: [score.asked, score.right] for name, score in kept.quiz.items()}
    return {"version": VERSION, "at": dict(kept.at), "done": dict(kept.done), "quiz": quiz}


def kept_from(told: Any) -> Kept:
    """Progress from an object of a JSON file. Raises ValueError if it is something else."""
    try:
        if told["version"] != VERSION:
            raise ValueError(f"version {told['version']!r}")
        quiz = {
            str(name): QuizScore(int(asked), int(right))
            for name, (asked, right) in told["quiz"].items()
        }
        return Kept(_counts(told["at"]), _counts(told["done"]), quiz)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def _counts(told: Any) -> dict[str, int]:
    return {str(name): max(int(count), 0) for name, count in told.items()}


def come_to(kept: Kept, walk: Walk) -> Kept:
    """The progress of somebody who stands at ``walk``; a finished lesson begins anew next time."""
    name = walk.lesson.name
    if walk.mood is not Mood.OVER:
        return replace(kept, at={**kept.at, name: walk.at})
    at = {other: step for other, step in kept.at.items() if other != name}
    best = max(walk.right, kept.done.get(name, 0))
    return replace(kept, at=at, done={**kept.done, name: best})


def scored(kept: Kept, quiz: str, right: bool) -> Kept:
    """The progress after one more answer in a quiz."""
    before = kept.quiz.get(quiz, QuizScore())
    return replace(
        kept, quiz={**kept.quiz, quiz: QuizScore(before.asked + 1, before.right + right)}
    )


class LessonRow(TypedDict):
    """A lesson of the list: how many steps, the one to go on with, and how it was done.

    ``at`` is 0 before it was begun; ``right`` counts the questions that were answered right at
    once when it was last gone through, ``asked`` all of them.
    """

    name: str
    title: str
    about: str
    steps: int
    at: int
    done: bool
    right: int
    asked: int


def lesson_rows(lessons: dict[str, Lesson], kept: Kept) -> list[LessonRow]:
    """The list of lessons, with how far somebody has come."""
    return [
        {
            "name": name,
            "title": lesson.title,
            "about": lesson.about,
            "steps": len(lesson.steps),
            "at": min(kept.at.get(name, 0), len(lesson.steps) - 1),
            "done": name in kept.done,
            "right": kept.done.get(name, 0),
            "asked": asked_in(lesson),
        }
        for name, lesson in lessons.items()
    ]


def asked_in(lesson: Lesson) -> int:
    """How many steps of a lesson ask for something."""
    return sum(step.kind is not Kind.READ for step in lesson.steps)
