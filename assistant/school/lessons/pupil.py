"""An answer said aloud: the ear is lent to a lesson until it was right, then taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from assistant.ear import Block, Ear, EarState, Recogniser
from assistant.ear.speech_model import load_stand_ins
from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon
from assistant.messages import Heard
from assistant.rules.errors import MusError
from assistant.school.lessons import AnswerVerdict, LessonStep, heard_as, phrases_for
from assistant.school.lessons.page import ClassError
from assistant.speakers.voice_lessons import hears

PATIENCE = 12.0
"""Seconds of sound in which an answer, or another one, may come; then the table hears again."""


class Pupil:
    """Whoever answers aloud; called from any thread, and by the ear's."""

    def __init__(
        self, ear: Callable[[], Ear | None], model: Path, language: str, busy: Callable[[], bool]
    ) -> None:
        """``busy``: whether the ear is lent to somebody else."""
        self._ear = ear
        self._model = model
        self._language = language
        self._busy = busy
        self._lock = threading.Lock()
        self._lent: Callable[[Block], None] | None = None
        self.heard = ""
        """What the last sound was taken for."""

    @property
    def listening(self) -> bool:
        """Whether an answer is waited for; whoever lost the ear to a reader waits for none."""
        lent, ear = self._lent, self._ear()
        return lent is not None and ear is not None and ear.is_lent_to(lent)

    @property
    def hears(self) -> bool:
        """Whether there is an ear; one that is lent, paused or about to open is there, too."""
        ear = self._ear()
        if ear is None:
            return False
        return ear.opening or ear.told[0] in (EarState.LISTENING, EarState.PAUSED)

    def listen(self, step: LessonStep, answered: Callable[[AnswerVerdict], None]) -> None:
        """Lend the ear for the answer to a step; the table hears nothing. Raises ClassError."""
        self._check_free()
        ear = self._ear()
        if ear is None or not hears(ear):
            raise ClassError("There is no microphone.", "deaf")
        try:
            hearer = _Hearer(step, load_lexicon((self._language,)), self._model)
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
                    hearer.sound = 0.0  # who was wrong tries again, without a tap
            if hearer.sound > PATIENCE:
                self.quiet()

        self._check_free()  # the microphone and the model took their time
        with self._lock:
            self.heard = ""
            self._lent = hear
            ear.lend(hear)

    def quiet(self) -> None:
        """Listen no more: the table hears again, unless somebody reads to the ear by now."""
        with self._lock:
            lent, self._lent = self._lent, None
        if lent and (ear := self._ear()):
            ear.take_back(lent)

    def _check_free(self) -> None:
        if self._busy():
            raise ClassError("Somebody reads to the ear: wait until that is done.", "busy")


class _Hearer:
    """What judges the sound of one answer, and has heard so many seconds of it."""

    def __init__(self, step: LessonStep, lexicon: Lexicon, model: Path) -> None:
        self._step = step
        self._lexicon = lexicon
        self._recogniser = answer_ear(step, lexicon, model)
        self.sound = 0.0
        self._before: float | None = None

    def feed(self, block: Block) -> list[AnswerVerdict]:
        """Listen to a block; the answers that it brought to an end."""
        if self._before is not None:
            self.sound += block.end - self._before
        self._before = block.end
        results = self._recogniser.feed(block)
        heard = [result for result in results if isinstance(result, Heard) and result.words]
        return [heard_as(self._step, one.words, self._lexicon) for one in heard]


def answer_ear(step: LessonStep, lexicon: Lexicon, model: Path) -> Recogniser:
    """The real ear, with a step's answers among its phrases. Raises ModelError, UsageError."""
    return Recogniser(model, phrases_for(step, lexicon), curated=load_stand_ins())
