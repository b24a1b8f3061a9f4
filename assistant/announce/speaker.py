"""The voice on the loudspeaker."""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from pathlib import Path

from assistant.announce.desk import Desk
from assistant.announce.mouth import Mouth
from assistant.announce.player import find_player, play
from assistant.announce.port import Gate, VoiceError, VoiceSettings
from assistant.announce.waiting import Waiting

log = logging.getLogger("mus.voice")

POLITE = 2.0
"""Seconds that it waits with a sentence while a player is speaking. Who is spoken over is not
understood; longer than a call nobody has to be let finish."""
POLL = 0.02
"""Seconds between looks at whether he has ended."""
ROOM = 8
"""Sentences that may wait; more would be old before they are said."""


class Pyttsx3Voice:
    """Speaks by pyttsx3; the ``gate`` is shut exactly while there is sound.

    A machine that cannot speak gets one warning, and the game goes on in silence. A loudspeaker
    that comes back is used again.
    """

    def __init__(
        self,
        settings: VoiceSettings | None = None,
        gate: Gate | None = None,
        player: tuple[str, ...] | None = None,
    ) -> None:
        """``player`` is the command that plays a WAV file, where it is not the system's own."""
        self._gate = gate
        self._player = player
        self._mouth = Mouth(settings or VoiceSettings())
        self._folder = tempfile.TemporaryDirectory(prefix="mus-voice-")
        self._warned = False
        self._desk = Desk(Waiting(ROOM), self._speak, self._finish)

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Say a sentence soon, unless events overtake it."""
        self._desk.say(text, seq=seq, urgent=urgent)

    @property
    def busy(self) -> bool:
        """Whether it speaks, or is about to."""
        return self._desk.busy

    def set_volume(self, volume: float) -> None:
        """Say what comes next louder or softer: 0 to 1."""
        self._mouth.volume = volume

    def silence(self) -> None:
        """Stop speaking at once and forget what waits."""
        self._desk.silence()

    def close(self) -> None:
        """Finish what waits, within a few seconds, and give engine and files back."""
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
            # Once: a table that has no loudspeaker knows it after the first sentence.
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
