"""A recording on the loudspeaker, beside whatever else is done with it."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from assistant.announce.player import STUCK, find_player, play
from assistant.announce.port import VoiceError
from assistant.announce.sounds import seconds_of

log = logging.getLogger("mus.voice")


class Playback:
    """Plays a WAV file once, in a thread of its own; a machine that cannot gets one warning."""

    def __init__(self, path: Path, player: tuple[str, ...] | None = None) -> None:
        """``player`` is the command that plays it, where it is not the system's own."""
        self._path = path
        self._player = player
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, name="mus-playback", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Break off, if it is not over."""
        self._over.set()
        self._thread.join(STUCK)

    def _play(self) -> None:
        try:
            play(
                self._player or find_player(),
                self._path,
                seconds_of(self._path.read_bytes()),
                self._over,
            )
        except VoiceError as error:
            log.warning("%s", error)
