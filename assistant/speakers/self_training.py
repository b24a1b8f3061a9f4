"""Self-training: the ear learns the voices of a table from calls that it has taken there.

    calls that counted, with their sound -> a fit of the lowest layers, in a process of its own
    -> better than before on calls that it has not learnt from? -> the ear hears with it

Nobody reads anything for it, and nothing of it is kept: the sound is in memory only, and the fitted
network is gone when the table is closed. It is the lightly supervised adaptation of Lamel, Gauvain
and Adda (2002), with the rules of the game as the supervision: a call that the players have let
stand was understood. docs/voices.md has the figures.
"""

from __future__ import annotations

import io
import itertools
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.ear import Block, EarAround, Partial, Renewable
from assistant.ear.audio import RATE, Samples
from assistant.ear.network import (
    NETWORK,
    BaseNetwork,
    Layer,
    Learnt,
    load_base,
    pronunciations,
    read_layers,
    save_model,
)
from assistant.ear.source import RecentSound
from assistant.ear.speech_model import UNKNOWN, ModelError, load_model
from assistant.language.lexicon import Context, Lexicon, Spoken, context_of
from assistant.messages import Ask, Command, Heard, Hypothesis, Word
from assistant.rules.calls import Call
from assistant.rules.phases import Phase
from assistant.speakers.enrolment import Prompt, reading_of, way_of
from assistant.speakers.fitting import LOWEST, VoiceReading, answers_to, fit, unlikely

if TYPE_CHECKING:  # the process that fits needs neither a table nor its page
    from assistant.page.house import House
    from assistant.table.runner import News
    from assistant.table.table import Table

log = logging.getLogger("mus.ear")

# ---- The calls that were taken, each with its sound ---------------------------------------------


SURE = 0.9
"""A call teaches that was heard with this probability. Of such calls nineteen of twenty were right
with talk 6 dB below the players, and all in quiet."""
AROUND = 0.15
"""Seconds of the room that are kept before and after a call, as with a reading."""
KEPT = 16.0
"""Seconds of sound that are kept: as long as the longest utterance, and a little more."""
RIPE = 8
"""A call that so many others have followed is not taken back any more."""
WAITING = 8
"""Utterances that the table has not answered yet."""
MOST = 120
"""The most calls that are kept; the newest ones."""


@dataclass(frozen=True, slots=True)
class TakenCall:
    """A call that counted: its words, and its sound at ``RATE``."""

    words: tuple[str, ...]
    sound: Samples


class CallsTaken:
    """The calls of an evening that teach. The ear's thread and the table's use it.

    These are the calls that were surely heard and counted, and those that the table asked about and
    somebody confirmed. A call teaches once its deal is over, or ``RIPE`` more have been made: what
    is wrong is taken back before that.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._sound = RecentSound(KEPT)
        self._waiting: deque[_Utterance] = deque(maxlen=WAITING)
        self._lock = threading.Lock()
        self._asked: tuple[_Utterance, tuple[Call, ...], Context] | None = None
        self._ripening: list[TakenCall] = []
        self._kept: deque[TakenCall] = deque(maxlen=MOST)
        self.count = 0
        """How many there have been."""

    def go_on_from(self, before: CallsTaken) -> None:
        """Take over the calls of a table that was closed."""
        self._ripening, self._kept = list(before._ripening), before._kept.copy()
        self.count = before.count

    def feed(self, block: Block) -> None:
        """Keep the sound of a block."""
        self._sound.feed(block)

    def heard(self, heard: Heard) -> None:
        """Keep the sound of an utterance until the table has answered."""
        spans = [way.words for way in _ways(heard) if way.words]
        if heard.over or heard.cut or heard.distant or not spans:
            return  # the assistant's own voice is in it, its end is not, or nobody here said it
        start = min(words[0].start for words in spans) - AROUND
        end = max(words[-1].end for words in spans) + AROUND
        utterance = _Utterance(heard, start, self._sound.between(start, end))
        with self._lock:
            self._waiting.append(utterance)

    def told(self, news: News, table: Table) -> None:
        """Take what the table made of an utterance, on the table's thread."""
        if any(update.what is Command.UNDO for update in news.updates):
            self._ripening = self._ripening[:-1]
        if any(getattr(outcome, "understood", ()) for outcome in news.outcomes):
            self._ripening.clear()  # the deal was not as it was thought to be
        asked = self._asked
        if table.asked is None:
            self._asked = None  # it was answered or withdrawn; chat leaves it open
        if isinstance(news.message, Heard) and (utterance := self._utterance(news.message)):
            calls = [update for update in news.updates if isinstance(update.what, Call)]
            if len(calls) == 1 and isinstance(call := calls[0].what, Call):
                self._take(utterance, call, context_of(calls[0].before), SURE)
                if asked and any(_same(call, option) for option in asked[1]):
                    self._take(asked[0], call, asked[2], 0.0)
            for outcome in news.outcomes:
                if isinstance(outcome, Ask) and outcome.options:
                    self._asked = utterance, outcome.options, context_of(table.state)
        over = any(update.after.phase in (Phase.COUNT, Phase.OVER) for update in news.updates)
        self._keep(0 if over else RIPE)

    def newest(self) -> list[TakenCall]:
        """The calls to learn from."""
        return list(self._kept)

    def _utterance(self, heard: Heard) -> _Utterance | None:
        with self._lock:
            waiting = list(self._waiting)
        # The words themselves, not equal ones: whoever adds to an utterance keeps its words.
        return next((one for one in waiting if one.heard.words is heard.words), None)

    def _take(self, utterance: _Utterance, call: Call, context: Context, least: float) -> None:
        """Keep the sound of a call, if the words of it are known so surely, and nothing else."""
        for way in _ways(utterance.heard):
            if way.probability >= least and self._says(way.words, call, context):
                words = tuple(word.text for word in way.words)
                self._ripening.append(TakenCall(words, utterance.sound_of(way.words)))
                return

    def _says(self, words: Sequence[Word], call: Call, context: Context) -> bool:
        """Whether these words, and no others, are this call."""
        if any(word.text == UNKNOWN for word in words):
            return False
        reading = self._lexicon.read(words, context) if words else None
        if not isinstance(reading, Spoken) or not isinstance(reading.what, Call):
            return False
        return reading.taken == len(words) and _same(reading.what, call)

    def _keep(self, unripe: int) -> None:
        """Nobody has taken these calls back, but the last ones may still be."""
        ripe = self._ripening[: max(0, len(self._ripening) - unripe)]
        self._ripening = self._ripening[len(ripe) :]
        self._kept.extend(ripe)
        self.count += len(ripe)


@dataclass(frozen=True, slots=True)
class _Utterance:
    """What was heard, and its sound from ``start`` on, in seconds of the stream."""

    heard: Heard
    start: float
    sound: Samples

    def sound_of(self, words: Sequence[Word]) -> Samples:
        """The sound of some of its words, with a little of the room before and after."""
        edges = (words[0].start - AROUND, words[-1].end + AROUND)
        first, last = (max(0, round((edge - self.start) * RATE)) for edge in edges)
        return self.sound[first:last]


def _ways(heard: Heard) -> list[Hypothesis]:
    """What may have been said: by the grammar of the moment, and by the first hearing."""
    found = []
    again = heard.narrowed
    if again and again.hypotheses and not again.part and not again.turns:
        first, *others = again.hypotheses
        found = [Hypothesis(first.words, again.probability or 0.0), *others]
    return [*found, Hypothesis(heard.words, heard.confidence), *heard.hypotheses]


def _same(one: Call, other: Call) -> bool:
    """Whether two calls are the same, whoever makes them."""
    return replace(one, seat=None) == replace(other, seat=None)


# ---- Learning from them -------------------------------------------------------------------------


PHONE = 0.04
"""Seconds that a phone takes at least; the network answers every 0.03 s."""
WAYS = 16
"""The most pronunciations of a call that are tried, to find the one that was said."""
FEWEST = 16
"""Calls from which a fit is worth while: a deal or two."""
PASSES = 20
"""Passes over the calls. Twice as many take twice as long, and hear no better."""
HELD_BACK = 5
"""Every fifth call teaches nothing. The fitted network must be better on these."""


def readings_of(
    calls: Sequence[TakenCall], base: BaseNetwork, sounds: Mapping[str, tuple[tuple[str, ...], ...]]
) -> list[VoiceReading]:
    """The calls with the phones that were said. One with a word without known sounds is left out.

    ``sounds``: see ``pronunciations``.
    """
    found = []
    for call in calls:
        if not all(word in sounds for word in call.words):
            continue
        said = itertools.islice(itertools.product(*(sounds[word] for word in call.words)), WAYS)
        ways = tuple(way_of(words, base.phones) for words in said)
        longest = max(len(way.phones) - sum(way.optional) for way in ways)
        if len(call.sound) >= longest * PHONE * RATE:  # else its times are wrong
            found.append(reading_of(base, call.sound, Prompt(" ".join(call.words), ways)))
    return found


def learnt(model_dir: Path, calls: Sequence[TakenCall]) -> list[Layer] | None:
    """The layers of a model, fitted to these calls; None if they hear them no better.

    "Better" is told by calls that the fit has not learnt from. Raises ModelError.
    """
    base = load_base(model_dir)
    readings = readings_of(calls, base, pronunciations(model_dir))
    held = readings[::HELD_BACK]
    taught = [one for at, one in enumerate(readings) if at % HELD_BACK]
    if len(taught) < HELD_BACK:
        return None
    layers = fit(base.layers, taught, base.bigram, passes=PASSES)
    return layers if _loss(layers, held, base) < _loss(base.layers, held, base) else None


def _loss(layers: Sequence[Layer], held: Sequence[VoiceReading], base: BaseNetwork) -> float:
    return sum(
        unlikely(answers_to(layers, one.sound), one.phones, one.optional, base.bigram)
        for one in held
    )


# ---- The process that learns, so that hearing never waits for it --------------------------------


NICE = 15
"""Its nice value: the table goes first."""
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Its environment: it takes no more than one core."""
LEARNT, NO_BETTER = 0, 3
"""Its exit status: the fitted model was written, or it would have been no better."""
LONGEST = 1800.0
"""Seconds that it may take on a slow machine."""


def packed(calls: Sequence[TakenCall]) -> bytes:
    """The calls as the process reads them."""
    file = io.BytesIO()
    words = json.dumps([call.words for call in calls])
    np.savez(file, np.array(words), *[call.sound for call in calls])
    return file.getvalue()


def unpacked(data: bytes) -> list[TakenCall]:
    """The calls that were packed."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        words = json.loads(str(file["arr_0"]))
        return [TakenCall(tuple(row), file[f"arr_{at}"]) for at, row in enumerate(words, start=1)]


def main(arguments: Sequence[str]) -> int:
    """Fit the model of the first folder to calls from standard input; write it to the second."""
    model, folder = map(Path, arguments)
    os.nice(NICE)
    layers = learnt(model, unpacked(sys.stdin.buffer.read()))
    if layers is None:
        return NO_BETTER
    save_model(folder, model, layers)
    return LEARNT


# ---- An ear that learns while it hears ----------------------------------------------------------


class SelfTraining(EarAround[Renewable]):
    """An ear that hears better the longer the same people play.

    It learns after ``FEWEST`` calls, and again when there are half as many more, until ``MOST`` are
    new each time: other people may sit down.
    """

    heard_by: tuple[object, ...] = ()
    """By which microphones and model it hears: what was learnt by others is of no use."""

    def __init__(self, first: Renewable, model: Path, lexicon: Lexicon) -> None:
        """``first`` hears with the model of the folder ``model``."""
        super().__init__(first)
        self._model = model
        self._calls = CallsTaken(lexicon)
        self._next = FEWEST
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread()
        self._closed = threading.Event()
        self._fit: Learnt | None = None
        self.learnt_from = 0
        """Calls from which the network that hears now has learnt."""

    def go_on_from(self, before: SelfTraining) -> None:
        """Hear as a table that was closed has learnt to, and learn on."""
        self._calls.go_on_from(before._calls)
        self._next = before._next
        if before._thread.is_alive():
            self._next = self._calls.count  # it was stopped amid learning
        if before._fit is not None:
            self._hear_with(before._fit, before.learnt_from)

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._calls.feed(block)
        return super().feed(block)

    def added(self, heard: Heard) -> Heard:
        """The utterance itself, kept until the table has answered."""
        self._calls.heard(heard)
        return heard

    def told(self, news: News, table: Table) -> None:
        """Take what the table made of an utterance; learn when enough was said."""
        self._calls.told(news, table)
        if self._calls.count >= self._next and not self._thread.is_alive():
            self._next = self._calls.count + min(self._calls.count // 2, MOST)
            calls = self._calls.newest()
            self._thread = threading.Thread(
                target=self._learn, args=(calls,), name="self-training", daemon=True
            )
            self._thread.start()

    def settle(self) -> None:
        """Wait until it has learnt what it is learning."""
        if self._thread.is_alive():
            self._thread.join()

    def close(self) -> None:
        """Learn nothing more."""
        self._closed.set()
        with self._lock:
            if self._process:
                self._process.kill()

    def _hear_with(self, learnt: Learnt, calls: int) -> None:
        self._fit, self.learnt_from = learnt, calls
        self._first.renew(learnt)

    def _learn(self, calls: list[TakenCall]) -> None:
        try:
            with tempfile.TemporaryDirectory(prefix="mus-ear-") as name:
                folder = Path(name) / "model"
                if self._fitted(calls, folder):
                    lowest = read_layers(folder / NETWORK)[:LOWEST]
                    self._hear_with(Learnt(load_model(folder), lowest), len(calls))
                    log.info("The ear has learnt from %d calls of this table.", len(calls))
                elif not self._closed.is_set():
                    log.info("%d calls of this table have taught nothing new.", len(calls))
        except (OSError, ModelError) as error:
            log.warning("The ear could not learn from this table: %s", error)

    def _fitted(self, calls: Sequence[TakenCall], folder: Path) -> bool:
        command = [sys.executable, "-m", __name__, str(self._model), str(folder)]
        with self._lock:
            if self._closed.is_set():
                return False
            self._process = process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=os.environ | ONE_CORE,
            )  # fmt: skip
        try:
            process.communicate(packed(calls), timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with self._lock:
            self._process = None
        if self._closed.is_set():
            return False
        if process.returncode not in (LEARNT, NO_BETTER):
            raise ChildProcessError(f"exit status {process.returncode}")
        return process.returncode == LEARNT


def install(
    house: House, first: Renewable, before: SelfTraining | None = None
) -> SelfTraining | None:
    """Have the ear of a house learn from what it hears.

    ``before``: what learnt until the table was opened anew. It counts if the table hears with the
    same model and microphones as then. None where the settings say no, and for a recording: it is
    heard the same way each time.
    """
    settings = house.settings
    if settings.listen or not settings.learn:
        return None
    try:
        pronunciations(settings.model)
    except ModelError:
        return None  # another model, which does not tell its sounds
    found = SelfTraining(first, settings.model, house.runner.table.lexicon)
    made = (settings.model / NETWORK).stat()
    microphones = settings.hearing, settings.mic, settings.channels
    found.heard_by = *microphones, settings.model, made.st_ino, made.st_mtime_ns
    if before and before.heard_by == found.heard_by:
        found.go_on_from(before)
    house.tell(found)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
