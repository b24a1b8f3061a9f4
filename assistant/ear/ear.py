"""The ear: the thread that takes sound from a source and delivers what was heard."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from assistant.ear.audio import SpeechError
from assistant.ear.echo import EchoCanceller, EchoGate, Hidden, SpokenOver
from assistant.ear.levels import TOO_SLOW, LevelMeter
from assistant.ear.network import Learnt
from assistant.ear.recogniser import Partial
from assistant.ear.source import AudioSource, Block, NoMicrophone, SourceLost
from assistant.ear.speech_model import UNKNOWN
from assistant.messages import Heard

log = logging.getLogger("mus.ear")

RETRY = 2.0
"""Seconds between two attempts to open a lost microphone again."""
GRACE = 5.0
"""Seconds that the ear's thread may take to end: a sound device that hangs must not block the
exit."""

MONITOR = "monitor"
"""The note for a device that records what the machine plays; the page has the words for it."""
REST = 4.0
"""Seconds of sound after the assistant asked for something again in which it does not ask once
more: the question itself and its echo must not cause the next one."""
REST_OF_IT = 3.0
"""Seconds within which the rest of a call that began over the assistant's voice must be
recognised."""
TALK = 0.8
"""Unknown speech that goes on for this many seconds after the assistant's words is talk, which went
on before, during and after them: the rest of a call is shorter."""


class EarState(StrEnum):
    """What the ear is doing; the dashboard shows it."""

    OFF = "off"
    LISTENING = "listening"
    PAUSED = "paused"
    LOST = "lost"


class Hears(Protocol):
    """Turns sound into utterances: a recogniser, or a wrapper that adds to one."""

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Take a block; return the utterances that it ended, or a new partial result."""

    def flush(self) -> list[Heard]:
        """End the utterance under way here and now."""

    @property
    def knows_the_table(self) -> bool:
        """Whether enough was heard to tell the table's voices from a residue of the assistant's."""

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking."""

    def break_off(self) -> list[Heard]:
        """End the utterance because the assistant begins to speak."""


class Renewable(Hears, Protocol):
    """An ear that can go on with another model of the same words."""

    def renew(self, learnt: Learnt) -> None:
        """Hear with this model from the next pause on; called from any thread."""


Inner = TypeVar("Inner", bound=Hears)


class EarAround(Generic[Inner]):
    """An ear that adds something to the utterances of another one."""

    def __init__(self, first: Inner) -> None:
        """``first`` makes the utterances."""
        self._first = first

    def added(self, heard: Heard) -> Heard:
        """An utterance with what this ear adds to it."""
        return heard

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Take a block; see Hears."""
        found = self._first.feed(block)
        return [self.added(one) if isinstance(one, Heard) else one for one in found]

    def flush(self) -> list[Heard]:
        """End the utterance under way here and now."""
        return [self.added(heard) for heard in self._first.flush()]

    @property
    def knows_the_table(self) -> bool:
        """Whether the ear inside does; see Hears."""
        return self._first.knows_the_table

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking."""
        return self._first.somebody_speaks

    def break_off(self) -> list[Heard]:
        """End the utterance because the assistant begins to speak."""
        return [self.added(heard) for heard in self._first.break_off()]


Borrower = Callable[[Block], None]
OnHeard = Callable[[Heard], None]
OnPartial = Callable[[str], None]
OnState = Callable[[EarState, str], None]


def _nothing(*_: object) -> None:
    """The callback where none was given."""


class Ear:
    """Listens until it is stopped or the source ends. All callbacks come on the ear's thread.

    ``on_end`` is called once, after the last utterance was delivered. Its argument is the reason if
    the ear gave up, and None if the source ended or the ear was stopped.
    """

    def __init__(
        self,
        source: AudioSource,
        recogniser: Hears,
        gate: EchoGate,
        on_heard: OnHeard,
        on_partial: OnPartial = _nothing,
        on_state: OnState = _nothing,
        on_end: Callable[[SpeechError | None], None] = _nothing,
    ) -> None:
        self._source = source
        self._recogniser = recogniser
        self._gate = gate
        self._on_heard = on_heard
        self._on_partial = on_partial
        self._on_state = on_state
        self._on_end = on_end
        self._stopped = threading.Event()
        self._paused = threading.Event()
        self._lending = threading.Lock()
        self._borrower: Borrower | None = None
        self._told: tuple[EarState, str] | None = None
        self._meter = LevelMeter()
        self._spoken_over = SpokenOver()
        self._echo = EchoCanceller()
        self._rest: float | None = None
        self._deaf_until = float("-inf")
        self._thread = threading.Thread(target=self._run, name="ear", daemon=True)

    def start(self) -> None:
        """Begin to listen; later faults are reported to ``on_state`` and ``on_end``."""
        self._thread.start()

    def stop(self) -> None:
        """Deliver what was said so far and end. Not to be called from a callback."""
        self._stopped.set()
        self._source.close()
        if self._thread.is_alive():
            self._thread.join(GRACE)

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the source's end; return whether it was reached."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def decibels(self) -> float:
        """How loud it is at the microphone, in dB below full scale."""
        return self._meter.decibels

    @property
    def dropped(self) -> int:
        """Blocks of 50 ms that were lost because the machine was late."""
        return self._source.dropped

    @property
    def device(self) -> str:
        """What it listens to, by name."""
        return self._source.name

    @property
    def told(self) -> tuple[EarState, str]:
        """What it is doing, and what there is to say about that."""
        return self._told or (EarState.OFF, "")

    @property
    def opening(self) -> bool:
        """Whether it was started and still waits for its first sound, which takes a moment."""
        return self._told is None and self._thread.is_alive()

    def pause(self) -> None:
        """Take no notice of what is said until ``resume``."""
        self._paused.set()

    def resume(self) -> None:
        """Listen again."""
        self._paused.clear()

    def lend(self, borrower: Borrower) -> None:
        """Hand the sound to ``borrower``, on the ear's thread, instead of to the table.

        A borrower before this one gets no more sound.
        """
        with self._lending:
            self._borrower = borrower

    def take_back(self, borrower: Borrower) -> None:
        """Listen for the table again, unless another borrower has the sound by now."""
        with self._lending:
            # Equal, not identical: a bound method is another object each time it is named.
            if self._borrower == borrower:
                self._borrower = None

    def is_lent_to(self, borrower: Borrower) -> bool:
        """Whether this borrower still has the sound."""
        return self._borrower == borrower

    def _run(self) -> None:
        failure: SpeechError | None = None
        try:
            self._listen_again_and_again()
            self._deliver(self._recogniser.flush())
        except SpeechError as error:
            failure = error  # told by on_end
        except Exception as error:
            # A callback failed; whoever waits for the end must still be told of it.
            log.exception("the ear stopped")
            failure = SpeechError("The ear stopped ({error}): start mus again.", error=error)
        finally:
            if lost := self._source.dropped:
                log.warning("%d blocks of sound were lost: this machine was too slow.", lost)
            self._tell(EarState.OFF, str(failure or ""))
            self._on_end(failure)

    def _listen_again_and_again(self) -> None:
        """Listen; open a live source again where it went away, because it may come back."""
        was_there = False
        while not self._stopped.is_set():
            try:
                for block in self._source.blocks():
                    if self._stopped.is_set():
                        return  # stopped before the source was open: its close came too early
                    was_there = True
                    self._take(block)
                return
            except SpeechError as error:
                was_there = was_there or isinstance(error, SourceLost)
                # A microphone that was never there is a mistake: report it, do not wait for it.
                if not self._source.live or (isinstance(error, NoMicrophone) and not was_there):
                    raise
                self._deliver(self._recogniser.flush())
                if self._told is None or self._told[0] is not EarState.LOST:
                    log.warning("%s", error)
                self._tell(EarState.LOST, str(error))
                self._stopped.wait(RETRY)

    def _take(self, block: Block) -> None:
        self._meter.feed(block.samples, self._source.dropped, block.end)
        if borrower := self._borrower:
            self._tell(EarState.LISTENING, self._note())
            self._deliver(self._recogniser.flush())
            if not self._gate.is_shut():
                borrower(block)
        elif self._paused.is_set():
            self._tell(EarState.PAUSED, "")
            self._deliver(self._recogniser.flush())
        else:
            self._tell(EarState.LISTENING, self._note())
            shut = self._gate.is_shut()
            # Until the table's voices are known, what is said over the assistant is asked for
            # again.
            own = self._gate.sentence() if self._recogniser.knows_the_table else None
            given = self._echo.shut(block, own) if shut else self._echo.open(block)
            for part, heard in given:
                if heard:
                    self._look_back(part)
                    self._hear(part)
                else:
                    self._be_deaf(part)

    def _be_deaf(self, block: Block) -> None:
        # It gets not even silence: the recogniser sees a gap in time and starts afresh.
        for heard in self._recogniser.break_off():
            self._result(block.end, heard)
        self._spoken_over.shut(block)
        self._gate.somebody_speaks = False

    def _hear(self, block: Block) -> None:
        for result in self._recogniser.feed(block):
            if isinstance(result, Partial):
                self._on_partial(result.text)
            else:
                self._result(block.end, result)
        self._gate.somebody_speaks = self._recogniser.somebody_speaks
        if self._rest is not None and block.end > self._rest:
            self._rest = None
            self._ask_again(block.end, Heard(()))

    def _look_back(self, block: Block) -> None:
        """Find out whether somebody spoke while the gate was shut."""
        hidden = self._spoken_over.opened(block)
        if hidden is Hidden.THROUGH:
            self._rest = block.end + REST_OF_IT
        elif hidden is Hidden.WITHIN:
            self._ask_again(block.end, Heard(()))

    def _ask_again(self, now: float, heard: Heard) -> None:
        """Mark an utterance that began over the assistant as no call, whatever it sounds like."""
        if now >= self._deaf_until:
            self._deaf_until = now + REST
            self._on_heard(replace(heard, over=True))

    def _result(self, now: float, heard: Heard) -> None:
        """Deliver an utterance, and measure by it how far voices stand out from the room."""
        if self._rest is not None:
            began, self._rest = self._rest - REST_OF_IT, None
            if not _is_talk(heard, began):
                self._ask_again(now, heard)
                return
        spans = [(word.start, word.end) for word in heard.words if word.text != UNKNOWN]
        self._meter.heard(spans)
        self._on_heard(heard)

    def _deliver(self, utterances: list[Heard]) -> None:
        for heard in utterances:
            self._on_heard(heard)

    def _note(self) -> str:
        return self._meter.note or (MONITOR if self._source.monitor else "")

    def _tell(self, state: EarState, note: str) -> None:
        if state is not EarState.LISTENING:
            self._gate.somebody_speaks = False  # or the voice would wait in vain
        if self._told != (state, note):
            self._told = (state, note)
            if note == TOO_SLOW:
                log.warning("Sound is lost, the machine is late: %d blocks so far.", self.dropped)
            self._on_state(state, note)


def _is_talk(heard: Heard, began: float) -> bool:
    """Whether what sounds since ``began``, the assistant's last word, is talk and no call."""
    return all(word.text == UNKNOWN for word in heard.words) and heard.end - began > TALK
