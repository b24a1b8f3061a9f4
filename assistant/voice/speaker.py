"""The voice on the loudspeaker, and the thread that says its sentences."""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

from assistant.voice.mouth import Mouth, find_player, play
from assistant.voice.port import Gate, SaidSentence, SentenceQueue, VoiceError, VoiceSettings

# ---- The thread that says one sentence after another --------------------------------------------


log = logging.getLogger("mus.voice")

GRACE = 5.0
"""Seconds that a closing voice may still speak."""


class Queue(Protocol):
    """A queue of sentences."""

    def __len__(self) -> int:
        """How many."""

    def put(self, new: SaidSentence) -> list[SaidSentence]:
        """Add a sentence; return those that it replaces."""

    def take(self) -> SaidSentence | None:
        """The next sentence, if any."""

    def clear(self) -> None:
        """Forget all."""


class SpeechThread:
    """Owns a thread that calls ``speak(text, stop)`` for each sentence of its queue.

    ``speak`` returns when the sentence is over, or soon after ``stop`` is set. What it raises is
    logged, because a fault of the voice must not end the game. ``finish`` is called at the end of
    the thread, to release what the thread used.
    """

    def __init__(
        self,
        waiting: Queue,
        speak: Callable[[str, threading.Event], None],
        finish: Callable[[], None],
    ) -> None:
        self._waiting = waiting
        self._speak = speak
        self._finish = finish
        self._changed = threading.Condition()
        self._current: SaidSentence | None = None
        self._stop = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Put a sentence into the queue and return at once."""
        new = SaidSentence(text, seq, urgent)
        with self._changed:
            if self._closed:
                return
            for said in self._waiting.put(new):
                log.debug("overtaken: %s", said.text)
            now = self._current
            if urgent and now and not now.urgent and now.seq < seq:
                self._stop.set()
            self._changed.notify()

    @property
    def busy(self) -> bool:
        """Whether a sentence is being said, or waits."""
        with self._changed:
            return self._current is not None or len(self._waiting) > 0

    def silence(self) -> None:
        """Stop the present sentence and forget the others."""
        with self._changed:
            self._waiting.clear()
            self._stop.set()

    def close(self, grace: float = GRACE) -> None:
        """Take no more; finish what waits within ``grace`` seconds, then stop in mid-sentence."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(grace)
        if self._thread.is_alive():
            self.silence()
            self._thread.join(grace)

    def _run(self) -> None:
        while (said := self._next()) is not None:
            log.info("%s", said.text)
            try:
                self._speak(said.text, self._stop)
            except Exception:
                log.exception("not said: %s", said.text)
        self._finish()

    def _next(self) -> SaidSentence | None:
        """Wait for the next sentence; ``None`` when closed and nothing waits."""
        with self._changed:
            self._current = None
            while (said := self._waiting.take()) is None:
                if self._closed:
                    return None
                self._changed.wait()
            self._current = said
            self._stop.clear()
            return said


# ---- The voice on the loudspeaker ---------------------------------------------------------------


POLITE = 2.0
"""Seconds that a sentence waits while a player is speaking, who would not be understood otherwise;
a call takes no longer."""
POLL = 0.02
"""Seconds between two looks whether he has ended."""
ROOM = 8
"""The most sentences that may wait; more would be out of date before they are said."""


class Pyttsx3Voice:
    """Speaks by pyttsx3; the ``gate`` is shut exactly while there is sound.

    A machine that cannot speak logs one warning, and the game goes on in silence. A loudspeaker
    that comes back is used again.
    """

    def __init__(
        self,
        settings: VoiceSettings | None = None,
        gate: Gate | None = None,
        player: tuple[str, ...] | None = None,
    ) -> None:
        """``player``: the command that plays a WAV file; None: the system's own."""
        self._gate = gate
        self._player = player
        self._mouth = Mouth(settings or VoiceSettings())
        self._folder = tempfile.TemporaryDirectory(prefix="mus-voice-")
        self._warned = False
        self._desk = SpeechThread(SentenceQueue(ROOM), self._speak, self._finish)

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Say a sentence soon, unless a newer one replaces it."""
        self._desk.say(text, seq=seq, urgent=urgent)

    @property
    def busy(self) -> bool:
        """Whether it speaks, or is about to."""
        return self._desk.busy

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0 to 1, of what is said from now on."""
        self._mouth.volume = volume

    def silence(self) -> None:
        """Stop speaking at once and drop what waits."""
        self._desk.silence()

    def close(self) -> None:
        """Finish what waits, within a few seconds, and release engine and files."""
        self._desk.close()

    def _finish(self) -> None:
        self._mouth.close()
        self._folder.cleanup()

    def _speak(self, text: str, stop: threading.Event) -> None:
        path = Path(self._folder.name) / "sentence.wav"
        try:
            player = self._player or find_player()
            seconds = self._mouth.render(text, path)
            if self._sound(player, path, seconds, stop):
                self._warned = False
        except VoiceError as error:
            # Only once: a table without a loudspeaker knows it after the first sentence.
            log.log(logging.DEBUG if self._warned else logging.WARNING, "%s", error)
            self._warned = True

    def _sound(
        self, player: tuple[str, ...], path: Path, seconds: float, stop: threading.Event
    ) -> bool:
        if self._gate is None:
            return play(player, path, seconds, stop)
        patience = time.monotonic() + POLITE
        while self._gate.somebody_speaks and time.monotonic() < patience:
            if stop.wait(POLL):
                return False
        self._gate.shut(path)
        try:
            return play(player, path, seconds, stop)
        finally:
            self._gate.open()


# ---- One sentence on the loudspeaker, to try a voice --------------------------------------------


def say_once(text: str, sound: VoiceSettings, gate: Gate) -> None:
    """Say a sentence and return when it is over. Raises VoiceError where nobody hears it."""
    player = find_player()
    with tempfile.TemporaryDirectory(prefix="mus-voice-") as folder, closing(Mouth(sound)) as mouth:
        path = Path(folder) / "sentence.wav"
        seconds = mouth.render(text, path)
        gate.shut(path)
        try:
            play(player, path, seconds, threading.Event())
        finally:
            gate.open()
