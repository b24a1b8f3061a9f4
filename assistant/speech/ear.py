"""The ear: a thread that takes sound from a source and gives away what was heard."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from enum import StrEnum

from assistant.messages import Heard
from assistant.speech.errors import NoMicrophone, SourceLost, SpeechError
from assistant.speech.gate import EchoGate
from assistant.speech.levels import LevelMeter
from assistant.speech.recogniser import Partial, Recogniser
from assistant.speech.source import AudioSource, Block

log = logging.getLogger("mus.ear")

RETRY = 2.0
"""Seconds between two attempts to find a lost microphone again."""
GRACE = 5.0
"""Seconds that an ear may take to end: a sound device that hangs must not keep the table open."""


class EarState(StrEnum):
    """What the ear is doing; the dashboard shows it."""

    OFF = "off"
    LISTENING = "listening"
    PAUSED = "paused"
    LOST = "lost"


OnHeard = Callable[[Heard], None]
OnPartial = Callable[[str], None]
OnState = Callable[[EarState, str], None]


def _nothing(*_: object) -> None:
    """A listener that nobody set."""


class Ear:
    """Listens until it is stopped or the source ends. All callbacks come on the ear's thread.

    ``on_end`` is called once, after the last utterance was delivered, and is told the reason where
    the ear gave up (None where the source simply ended or the ear was stopped).
    """

    def __init__(
        self,
        source: AudioSource,
        recogniser: Recogniser,
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
        self._told: tuple[EarState, str] | None = None
        self._meter = LevelMeter()
        self._thread = threading.Thread(target=self._run, name="ear", daemon=True)

    def start(self) -> None:
        """Begin to listen; what goes wrong from here on is told by ``on_state`` and ``on_end``."""
        self._thread.start()

    def stop(self) -> None:
        """Deliver what was said so far and end. Not to be called from a callback."""
        self._stopped.set()
        self._source.close()
        if self._thread.is_alive():
            self._thread.join(GRACE)

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the source's end; whether it was reached."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def decibels(self) -> float:
        """How loud it is at the microphone, in dB below full scale."""
        return self._meter.decibels

    @property
    def told(self) -> tuple[EarState, str]:
        """What it is doing, and what there is to say about that."""
        return self._told or (EarState.OFF, "")

    def pause(self) -> None:
        """Take no notice of what is said until ``resume``."""
        self._paused.set()

    def resume(self) -> None:
        """Listen again."""
        self._paused.clear()

    def _run(self) -> None:
        failure: SpeechError | None = None
        try:
            self._listen_again_and_again()
            self._deliver(self._recogniser.flush())
        except SpeechError as error:
            failure = error  # told by on_end
        except Exception as error:
            # A listener failed; whoever waits for the end must still be told of it.
            log.exception("the ear stopped")
            failure = SpeechError(f"The ear stopped ({error}): start mus again.")
        finally:
            self._tell(EarState.OFF, str(failure or ""))
            self._on_end(failure)

    def _listen_again_and_again(self) -> None:
        """Listen; a live source that goes away may come back, so it is looked for."""
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
                # A microphone that was never there is a mistake to be told, not to be waited for.
                if not self._source.live or (isinstance(error, NoMicrophone) and not was_there):
                    raise
                self._deliver(self._recogniser.flush())
                if self._told is None or self._told[0] is not EarState.LOST:
                    log.warning("%s", error)
                self._tell(EarState.LOST, str(error))
                self._stopped.wait(RETRY)

    def _take(self, block: Block) -> None:
        self._meter.feed(block.samples, self._source.dropped)
        if self._paused.is_set():
            self._tell(EarState.PAUSED, "")
            self._deliver(self._recogniser.flush())
        else:
            self._tell(EarState.LISTENING, self._meter.note)
            if self._gate.is_shut():
                # Not even silence is fed: the recogniser sees a gap in time and starts afresh.
                self._deliver(self._recogniser.break_off())
            else:
                self._hear(block)

    def _hear(self, block: Block) -> None:
        for result in self._recogniser.feed(block):
            if isinstance(result, Partial):
                self._on_partial(result.text)
            else:
                self._on_heard(result)

    def _deliver(self, utterances: list[Heard]) -> None:
        for heard in utterances:
            self._on_heard(heard)

    def _tell(self, state: EarState, note: str) -> None:
        if self._told != (state, note):
            self._told = (state, note)
            self._on_state(state, note)
