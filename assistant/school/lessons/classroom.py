"""The classroom of a table: lessons, glossary and señas for its pages, with its ear and voice."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from assistant.ear import Block, Ear, EarState
from assistant.files.process import UsageError
from assistant.files.resources import load_lexicon, load_phrases
from assistant.language.lexicon import Lexicon
from assistant.language.sentences import SentenceError
from assistant.messages import Heard
from assistant.page.house import House
from assistant.rules.errors import MusError, Translatable
from assistant.rules.profile import Senas
from assistant.school.lessons import (
    AnswerVerdict,
    Kind,
    Lesson,
    LessonStep,
    Question,
    QuizScore,
    QuizWay,
    Sign,
    Walk,
    ask,
    begin,
    chosen,
    come_to,
    heard_as,
    in_language,
    scored,
)
from assistant.school.lessons.files import (
    TABLE,
    Notebook,
    Notebooks,
    heard_in,
    load_lessons,
    load_short_path,
    taught_in,
)
from assistant.school.lessons.mus_glossary import load_glossary
from assistant.school.lessons.mus_lessons import answer_ear
from assistant.school.lessons.mus_senas import LISTS, load_senas, signs_of
from assistant.school.lessons.page import (
    ClassError,
    QuizView,
    SignsView,
    SignView,
    TermView,
    VerdictView,
    WalkView,
    classroom_pages,
)
from assistant.school.lessons.walk import LessonRow, asked_in, lesson_rows
from assistant.speakers.voice_lessons import hears
from assistant.voice import Sounds, VoiceError, seconds_of
from assistant.voice.announcer import sound_of

# ---- Answers said aloud: a lesson gets the table's ear until the answer is right ----------------


PATIENCE = 12.0
"""Seconds of sound without an answer after which the table hears again."""


class Pupil:
    """Uses the table's ear for answers aloud. Any thread may call it, also the ear's."""

    def __init__(
        self, ear: Callable[[], Ear | None], model: Path, language: str, busy: Callable[[], bool]
    ) -> None:
        """``language``: that of the answers, if a step is in no other.

        ``busy``: whether the ear is lent to somebody else.
        """
        self._ear = ear
        self._model = model
        self._language = language
        self._busy = busy
        self._lock = threading.Lock()
        self._lent: Callable[[Block], None] | None = None
        self.heard = ""
        """The text that was last heard."""

    @property
    def listening(self) -> bool:
        """Whether it waits for an answer: not once the ear is lent to somebody else."""
        lent, ear = self._lent, self._ear()
        return lent is not None and ear is not None and ear.is_lent_to(lent)

    @property
    def hears(self) -> bool:
        """Whether there is an ear; one that is lent, paused or about to open is there, too."""
        ear = self._ear()
        if ear is None:
            return False
        return ear.opening or ear.told[0] in (EarState.LISTENING, EarState.PAUSED)

    def listen(
        self, step: LessonStep, answered: Callable[[AnswerVerdict], None], language: str = ""
    ) -> None:
        """Begin to listen for the answer to a step, in the pupil's language or in another.

        Meanwhile the table hears nothing. Raises ClassError.
        """
        self._check_free()
        ear = self._ear()
        if ear is None or not hears(ear):
            raise ClassError("There is no microphone.", "deaf")
        try:
            lexicon = load_lexicon((heard_in(language or self._language),))
            hearer = _Hearer(step, lexicon, self._model)
        except MusError as error:
            raise ClassError(str(error)) from error

        def hear(block: Block) -> None:
            if self._lent is not hear:
                return
            for verdict in hearer.feed(block):
                self.heard = verdict.what
                answered(verdict)
                if verdict.right:
                    self.quiet()
                    return
                if verdict.understood:
                    hearer.sound = 0.0  # after a wrong answer comes another, without a tap
            if hearer.sound > PATIENCE:
                self.quiet()

        self._check_free()  # again, because opening the microphone and the model takes time
        with self._lock:
            self.heard = ""
            self._lent = hear
            ear.lend(hear)

    def quiet(self) -> None:
        """Stop listening: the table hears again, unless the ear is lent to somebody else."""
        with self._lock:
            lent, self._lent = self._lent, None
        if lent and (ear := self._ear()):
            ear.take_back(lent)

    def _check_free(self) -> None:
        if self._busy():
            raise ClassError("Somebody reads to the ear: wait until that is done.", "busy")


class _Hearer:
    """Judges the sound of one answer; ``sound`` is how many seconds of it were heard."""

    def __init__(self, step: LessonStep, lexicon: Lexicon, model: Path) -> None:
        self._step = step
        self._lexicon = lexicon
        self._recogniser = answer_ear(step, lexicon, model)
        self.sound = 0.0
        self._before: float | None = None

    def feed(self, block: Block) -> list[AnswerVerdict]:
        """Listen to a block; return the answers that ended with it."""
        if self._before is not None:
            self.sound += block.end - self._before
        self._before = block.end
        results = self._recogniser.feed(block)
        heard = [result for result in results if isinstance(result, Heard) and result.words]
        return [heard_as(self._step, one.words, self._lexicon) for one in heard]


# ---- The classroom of a table: lessons, glossary and señas for its pages, with its ear and voice


MARGIN = 0.5
"""Seconds that a telephone may take to begin a sound."""


class Classroom:
    """Teaches on the pages: lessons, glossary and señas. Any thread may call it.

    The table's own devices share one walk through a lesson. A guest's device (``learner`` is its
    address) has its own walk, and neither the table's ear nor its voice.
    """

    def __init__(
        self,
        language: str,
        sounds: Callable[[str], Sounds],
        pupil: Pupil,
        hush: Callable[[float], None],
        played: Callable[[], Senas] = lambda: Senas.FEM,
    ) -> None:
        """``hush``: shuts the table's ear for a number of seconds, while a phone plays a sound.

        ``language``: that of whoever asks for none. ``sounds``: makes the voice of a language.
        ``played``: the señas of the table's house rules.
        """
        self.language = language
        self._voice = sounds
        self._sounds: dict[str, Sounds] = {}
        self._read: dict[str, dict[str, Lesson]] = {}
        self._pupil = pupil
        self._hush = hush
        self._played = played
        self._lock = threading.RLock()
        self._notebooks = Notebooks()
        self._rng = random.Random()

    @property
    def hears(self) -> bool:
        """Whether there is an ear to answer to."""
        return self._pupil.hears

    def lessons(self, learner: str = TABLE, language: str = "") -> list[LessonRow]:
        """All lessons, in their order. Raises ClassError."""
        try:
            return lesson_rows(self._taught(language), self._notebook(learner).read())
        except UsageError as error:
            raise ClassError(str(error)) from error

    def path(self) -> list[str]:
        """The lessons of the short path. Raises ClassError."""
        try:
            return [name for name in load_short_path().lessons if name in self._lessons]
        except UsageError as error:
            raise ClassError(str(error)) from error

    def walk(self, name: str, learner: str = TABLE, language: str = "") -> WalkView:
        """A lesson where it stands. Raises ClassError."""
        with self._lock:
            return self._view(self._walk(name, self._notebook(learner), language), learner)

    def step(self, name: str, do: str, learner: str = TABLE, language: str = "") -> WalkView:
        """Go on, go back, begin again; or listen for the answer, and stop. Raises ClassError."""
        with self._lock:
            book = self._notebook(learner)
            walk = self._walk(name, book, language)
            if do == "listen" and learner != TABLE:
                raise ClassError("The table's ear listens to the table alone.", "nothing")
            if do == "listen":
                if walk.step is None or walk.step.kind is Kind.READ:
                    raise ClassError("There is nothing to be said here.", "nothing")
                book.walks[name] = walk
                self._pupil.listen(
                    walk.step,
                    lambda verdict: self._heard(name, walk.at, verdict),
                    language or self.language,
                )
                return self._view(walk, learner)
            self._quiet(learner)
            match do:
                case "begin":
                    walk = begin(walk.lesson)
                case "back":
                    walk = begin(walk.lesson, walk.at - 1, walk.right)
                case "next":
                    walk = walk.next()
            return self._view(_kept(walk, book), learner)

    def answer(
        self, name: str, at: int, choice: int, learner: str = TABLE, language: str = ""
    ) -> WalkView:
        """Choose an answer of the step ``at``; an old step's changes nothing. Raises ClassError."""
        with self._lock:
            book = self._notebook(learner)
            walk = self._walk(name, book, language)
            if walk.at != at or walk.step is None:
                return self._view(walk, learner)
            self._quiet(learner)
            try:
                verdict = chosen(walk.step, choice)
            except IndexError as error:
                raise ClassError("There is no such answer.", "nothing") from error
            return self._view(_kept(walk.answered(verdict), book), learner)

    def glossary(self, language: str = "") -> list[TermView]:
        """All words, in the order of the alphabet. Raises ClassError."""
        try:
            terms = load_glossary(language or self.language)
        except (UsageError, SentenceError) as error:
            raise ClassError(str(error)) from error
        return [
            {"name": term.name, "means": term.means, "said": term.said, "see": list(term.see)}
            for term in terms
        ]

    def played(self) -> str:
        """The list of señas of the table: its name, or "off" if nobody makes any."""
        return str(self._played())

    def senas(self, learner: str = TABLE, language: str = "") -> list[SignsView]:
        """All lists of señas. Raises ClassError."""
        try:
            kept = self._notebook(learner).read()
            return [
                _signs(
                    load_senas(name, language or self.language),
                    kept.quiz.get(str(name), QuizScore()),
                )
                for name in LISTS
            ]
        except (UsageError, SentenceError) as error:
            raise ClassError(str(error)) from error

    def quiz(
        self, name: str, choice: int | None, learner: str = TABLE, language: str = ""
    ) -> QuizView:
        """Another question of a list; or the answer to the last one. Raises ClassError."""
        if name not in {str(known) for known in LISTS}:
            raise ClassError("There is no such list.", "unknown")
        with self._lock:
            book = self._notebook(learner)
            asked = name, language or self.language
            try:
                if choice is None:
                    self._ask(asked, book)
                else:
                    _choose(asked, choice, book)
                score = book.read().quiz.get(name, QuizScore())
            except (UsageError, SentenceError) as error:
                raise ClassError(str(error)) from error
            question, answered = book.questions[asked]
        return _quiz(question, answered, score)

    def sound(self, kind: str, name: str, at: int, language: str = "") -> bytes:
        """A word, or a step of a lesson, as WAV; the table's ear is shut so long.

        Raises ClassError.
        """
        language = language or self.language
        text = self._text(kind, name, at, language)
        try:
            with self._lock:
                if language not in self._sounds:
                    self._sounds[language] = self._voice(language)
                voice = self._sounds[language]
            sound = voice.of(text)
        except VoiceError as error:
            raise ClassError(str(error), "voice") from error
        self._hush(seconds_of(sound) + MARGIN)
        return sound

    def close(self) -> None:
        """Give the ear back, and end the voice."""
        self._pupil.quiet()
        for voice in self._sounds.values():
            voice.close()

    @property
    def _lessons(self) -> dict[str, Lesson]:
        """Those of the classroom's own language. Raises UsageError, SentenceError."""
        return self._taught(self.language)

    def _taught(self, language: str) -> dict[str, Lesson]:
        """The lessons of a language. Raises UsageError, SentenceError."""
        language = language or self.language
        if language not in self._read:
            self._read[language] = load_lessons(language)
        return self._read[language]

    def _text(self, kind: str, name: str, at: int, language: str) -> str:
        """The text to say aloud, which is always one of our files. Raises ClassError."""
        try:
            if kind == "term":
                return next(term.aloud for term in load_glossary(language) if term.name == name)
            return self._taught(language)[name].steps[at].aloud
        except (StopIteration, KeyError, IndexError) as error:
            raise ClassError("There is no such text.", "unknown") from error
        except (UsageError, SentenceError) as error:
            raise ClassError(str(error)) from error

    def _notebook(self, learner: str) -> Notebook:
        with self._lock:
            return self._notebooks.of(learner)

    def _quiet(self, learner: str) -> None:
        if learner == TABLE:
            self._pupil.quiet()

    def _walk(self, name: str, book: Notebook, language: str) -> Walk:
        """Where a lesson stands, in a language; at first, where it was left. Raises ClassError."""
        try:
            lesson = self._taught(language)[name]
            if name not in book.walks:
                book.walks[name] = begin(lesson, book.read().at.get(name, 0))
        except KeyError as error:
            raise ClassError("There is no such lesson.", "unknown") from error
        except (UsageError, SentenceError) as error:
            raise ClassError(str(error)) from error
        walk = book.walks[name]
        return walk if walk.lesson is lesson else in_language(walk, lesson)

    def _heard(self, name: str, at: int, verdict: AnswerVerdict) -> None:
        """Take an answer to the step ``at``; called by the ear's thread."""
        with self._lock:
            walks = self._notebook(TABLE).walks
            if walks[name].at == at:
                walks[name] = walks[name].answered(verdict)

    def _ask(self, asked: tuple[str, str], book: Notebook) -> None:
        last = book.questions.get(asked)
        name, language = asked
        signs = signs_of(load_senas(Senas(name), language))
        book.questions[asked] = (ask(signs, self._rng, last[0].sign if last else None), None)

    def _view(self, walk: Walk, learner: str) -> WalkView:
        step, lesson = walk.step, walk.lesson
        names = list(self._lessons)
        following = names[names.index(lesson.name) + 1 :]
        return {
            "name": lesson.name,
            "title": lesson.title,
            "next": following[0] if following else "",
            "at": walk.at,
            "of": len(lesson.steps),
            "mood": str(walk.mood),
            "kind": str(step.kind) if step else "",
            "text": list(step.text) if step else [],
            "shown": [
                {**asdict(one), "cards": list(one.cards), "stones": list(one.stones)}  # type: ignore[typeddict-item]
                for one in (step.shown if step else ())
            ],
            "question": step.question if step else "",
            "choices": [answer.text for answer in step.answers] if step else [],
            "say": step.say if step else "",
            "verdict": _verdict(walk.verdict),
            "right": walk.right,
            "asked": asked_in(lesson),
            "listening": learner == TABLE and self._pupil.listening,
            "heard": self._pupil.heard if learner == TABLE else "",
            "hears": learner == TABLE and self.hears,
        }


def _kept(walk: Walk, book: Notebook) -> Walk:
    """Stand at ``walk`` from now on. Raises ClassError if that cannot be written down."""
    book.walks[walk.lesson.name] = walk
    try:
        book.write(come_to(book.read(), walk))
    except UsageError as error:
        raise ClassError(str(error)) from error
    except OSError as error:
        raise ClassError(
            Translatable("Progress cannot be kept: {why}.", why=error.strerror), "disk"
        ) from error
    return walk


def _choose(asked: tuple[str, str], choice: int, book: Notebook) -> None:
    """Answer the last question of a list in a language. Raises ClassError, UsageError."""
    question, answered = book.questions.get(asked, (None, None))
    if question is None or choice >= len(question.choices):
        raise ClassError("There is no such answer.", "nothing")
    if answered is not None:
        return  # a second tap on the same question
    book.questions[asked] = (question, choice)
    try:
        book.write(scored(book.read(), asked[0], choice == question.right))
    except OSError as error:
        raise ClassError(
            Translatable("Progress cannot be kept: {why}.", why=error.strerror), "disk"
        ) from error


def install(
    house: House,
    ear: Callable[[], Ear | None],
    busy: Callable[[], bool],
    hush: Callable[[float], None],
) -> Classroom:
    """Teach the game on the pages of a house, in its language or the nearest one.

    ``ear``: the house's own, if it has one; ``busy``: whether it is lent to somebody else;
    ``hush``: see Classroom.
    """
    taught = taught_in(house.phrases.code)

    def voice(language: str) -> Sounds:
        # A voice that was chosen by its name speaks the language of the table.
        own = house.settings if language == taught else replace(house.settings, voice_name="")
        return Sounds(sound_of(own, load_phrases(language)))

    pupil = Pupil(ear, house.settings.model, taught, busy)
    classroom = Classroom(
        taught, voice, pupil, hush, lambda: house.runner.table.state.profile.senas
    )
    house.show(classroom_pages(classroom))
    return classroom


def _verdict(verdict: AnswerVerdict | None) -> VerdictView | None:
    if verdict is None:
        return None
    return {
        "right": verdict.right,
        "understood": verdict.understood,
        "what": verdict.what,
        "why": verdict.why,
    }


def _signs(table: dict[str, Any], score: QuizScore) -> SignsView:
    return {
        "name": table["name"],
        "title": table["title"],
        "notes": table["notes"],
        "forbidden": table["forbidden"],
        "signs": [_sign(sign) for sign in signs_of(table)],
        "asked": score.asked,
        "right": score.right,
    }


def _sign(sign: Sign) -> SignView:
    return {"holds": sign.holds, "gesture": sign.gesture, "draw": sign.draw, "when": sign.when}


def _quiz(question: Question, answered: int | None, score: QuizScore) -> QuizView:
    """A question as it may be shown: without the right answer until it is answered."""
    sign = question.sign
    open_ = answered is None
    return {
        "way": str(question.way),
        "shown": sign.draw if question.way is QuizWay.HOLDS else sign.holds,
        "alt": sign.gesture if question.way is QuizWay.HOLDS else "",
        "choices": [_offered(one, question.way, hidden=open_) for one in question.choices],
        "chosen": answered,
        "right": None if open_ else question.right,
        "asked": score.asked,
        "score": score.right,
    }


def _offered(sign: Sign, way: QuizWay, *, hidden: bool) -> SignView:
    """A choice. While the question is open, it lacks what would give the answer away."""
    if not hidden:
        return _sign(sign)
    if way is QuizWay.HOLDS:
        return {"holds": sign.holds, "gesture": "", "draw": "", "when": ""}
    return {"holds": "", "gesture": sign.gesture, "draw": sign.draw, "when": ""}
