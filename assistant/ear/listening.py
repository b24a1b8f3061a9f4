"""The ear of a house: it posts utterances to the table and shows its own state on the board."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace

from assistant.ear import (
    AudioSource,
    Ear,
    EarState,
    EchoGate,
    FileSource,
    Hears,
    MicrophoneSource,
    Renewable,
    SpeechError,
)
from assistant.ear.hearing import open_ear
from assistant.ear.levels import DEAD, Rehearsal
from assistant.ear.microphone import advice, microphones
from assistant.ear.source import NoSource
from assistant.files.settings import TAPS, TELEPHONES, Settings
from assistant.messages import Heard
from assistant.page.house import House

log = logging.getLogger("mus")

RECORDING_OVER = "over"
"""The ear's note at a recording's end; the page has the words."""
NO_TELEPHONE = "telephones"
"""The ear's note while no telephone brings any sound; the page has the words."""
ANSWER_TIMEOUT = 30.0
"""Seconds that a recording waits for the table; a disk can hang that long before it fails."""

OnNote = Callable[[str], None]
OnFailure = Callable[[SpeechError], None]
OnOver = Callable[[], None]


class TableEar:
    """The ear of a house.

    ``ended``: the sound is over; ``failure``: why the ear gave up, or None.
    """

    def __init__(
        self,
        house: House,
        hears: Hears,
        gate: EchoGate,
        source: AudioSource,
        rehearsal: Rehearsal,
        seat: int | None,
        on_note: OnNote | None,
        on_failure: OnFailure | None,
        on_over: OnOver | None,
    ) -> None:
        """See ``install``."""
        self.rehearsal = rehearsal
        self.ended = threading.Event()
        self.failure: SpeechError | None = None
        self._house = house
        self._recorded = house.settings.listen is not None
        self._seat = seat
        self._on_note = on_note
        self._on_failure = on_failure
        self._on_over = on_over
        self._closing = False
        self.ear = Ear(
            source,
            hears,
            gate,
            on_heard=self._heard,
            on_partial=house.board.partial,
            on_state=self._state,
            on_end=self._ended,
        )

    def start(self) -> None:
        """Listen from now on."""
        self.ear.start()

    def close(self) -> None:
        """Deliver what was said so far, and end."""
        self._closing = True
        self.ear.stop()

    def _heard(self, heard: Heard) -> None:
        if self.rehearsal.takes(heard):
            return
        answer = self._house.post(heard if self._seat is None else replace(heard, seat=self._seat))
        if self._recorded:
            # A recording may run faster than the table: what is said next waits for the answer,
            # and so for the cards that a showdown has called for.
            answer.result(ANSWER_TIMEOUT)

    def _state(self, state: EarState, note: str) -> None:
        # The page has words of its own for an ear that is off. The terminal says why it is off.
        if state in (EarState.OFF, EarState.LOST):
            note = RECORDING_OVER if self._recorded and not note else ""
        if note == DEAD and self._house.settings.hearing == TELEPHONES:
            note = NO_TELEPHONE  # nothing is wrong: none of them has come yet, or all are muted
            self._house.board.ear(state.value, note)
            return
        if note == DEAD:
            log.warning("No sound at all comes from '%s'.", self.ear.device)
        if note == DEAD and self._on_note:
            what = advice(self.ear.device, microphones())
            log.warning("If it is the wrong microphone, %s.", what)
        self._house.board.ear(state.value, note)
        if note and self._on_note and not self._recorded:
            self._on_note(note)

    def _ended(self, failure: SpeechError | None) -> None:
        self.failure = failure
        self.ended.set()
        if failure and self._on_failure:
            self._on_failure(failure)
        elif self._on_over and self._recorded and not (failure or self._closing):
            self._on_over()


def hearing(house: House) -> Renewable:
    """Load what turns the sound at a table into utterances. Raises ModelError, UsageError."""
    runner = house.runner
    # Its table is another one after "nueva partida".
    return open_ear(
        house.settings,
        runner.table.lexicon,
        lambda: runner.table.state,
        lambda: runner.table.question,
        runner.table.state.seats,
    )


def install(
    house: House,
    hears: Hears,
    gate: EchoGate,
    *,
    source: AudioSource | None = None,
    rehearsal: Rehearsal | None = None,
    seat: int | None = None,
    on_note: OnNote | None = None,
    on_failure: OnFailure | None = None,
    on_over: OnOver | None = None,
) -> TableEar:
    """Have a house listen. The microphone is opened at the start, not here.

    ``hears``: what turns sound into utterances; see ``hearing``. ``gate``: shut while the voice
    speaks. ``source``: sound in place of what the settings name. ``rehearsal``: takes what is said
    while somebody tries the microphone. ``seat``: the seat that says everything, where only one
    person plays. ``on_note`` is called with what is wrong with the sound, ``on_failure`` with the
    reason why the ear gave up, and ``on_over`` at the end of a recording.
    """
    return TableEar(
        house,
        hears,
        gate,
        source or _source(house.settings),
        rehearsal or Rehearsal(),
        seat,
        on_note,
        on_failure,
        on_over,
    )


def _source(settings: Settings) -> AudioSource:
    if settings.listen:
        return FileSource(settings.listen, realtime=not settings.fast)
    if settings.hearing == TAPS:
        return NoSource()
    return MicrophoneSource(settings.mic, channels=settings.channels, array=settings.array)
