"""Sentences as WAV files for whoever plays them elsewhere, as a telephone; some are kept."""

from __future__ import annotations

import io
import tempfile
import threading
import wave
from collections import OrderedDict
from pathlib import Path

from assistant.announce.mouth import Mouth
from assistant.announce.port import VoiceError, VoiceSettings

MOST_BYTES = 8_000_000
"""Of all sounds that are kept: some three minutes."""


class Sounds:
    """The table's own voice, into memory. Any thread may ask; one sentence is made at a time."""

    def __init__(self, settings: VoiceSettings, most: int = MOST_BYTES) -> None:
        """``most``: bytes that may be kept."""
        self._mouth = Mouth(settings)
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def of(self, text: str) -> bytes:
        """The sentence as a WAV file. Raises VoiceError."""
        with self._lock:
            if text not in self._kept:
                self._kept[text] = self._made(text)
                while len(self._kept) > 1 and self.size > self._most:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(text)
            return self._kept[text]

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return sum(map(len, self._kept.values()))

    def close(self) -> None:
        """End the voice's process."""
        self._mouth.close()

    def _made(self, text: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix="mus-sound-") as folder:
            path = Path(folder) / "sentence.wav"
            try:
                self._mouth.render(text, path)
                return path.read_bytes()
            except OSError as error:
                raise VoiceError(f"No sound could be written: {error.strerror}.") from error


def seconds_of(sound: bytes) -> float:
    """How long a WAV file sounds."""
    with wave.open(io.BytesIO(sound), "rb") as file:
        return file.getnframes() / file.getframerate()
