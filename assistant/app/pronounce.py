"""How a call is pronounced: a sentence as a sound file, for a page that plays it.

The sound is made by the table's own voice and played by the browser of whoever asked, into his own
ear: the table hears nothing of it. Only what a page was given can be asked for, so that nobody in
the network makes the table's machine read him a novel.
"""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from assistant.announce import VoiceSettings
from assistant.announce.mouth import Mouth
from assistant.rules.errors import MusError

OFFERED = 512
"""Texts that may be asked for: those of the last pages, the newest ones."""
KEPT = 48
"""Sounds that are kept, of some 40 kB each; another takes 10 ms to make."""
LONGEST = 200
"""Letters of a text; what is longer is no call."""


class NotOfferedError(MusError):
    """No page was given this text."""


class Pronouncer:
    """Texts as WAV files by one voice. Every method may be called from any thread.

    The voice's process, and the folder of its file, are made for the first text that is asked for:
    a table where nobody learns has none.
    """

    def __init__(self, sound: VoiceSettings) -> None:
        self._mouth = Mouth(sound)
        self._offered: OrderedDict[str, None] = OrderedDict()
        self._sounds: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def offer(self, texts: Iterable[str]) -> None:
        """Allow texts to be asked for; of more than ``OFFERED`` the oldest are forgotten."""
        with self._lock:
            for text in texts:
                if text and len(text) <= LONGEST:
                    self._offered[text] = None
                    self._offered.move_to_end(text)
            while len(self._offered) > OFFERED:
                self._offered.popitem(last=False)

    def __call__(self, text: str) -> bytes:
        """The text as a WAV file. Raises NotOfferedError, and VoiceError where none can be made."""
        with self._lock:
            if text not in self._offered:
                raise NotOfferedError("That is no call of this table: open the page again.")
            if text not in self._sounds:
                self._sounds[text] = self._made(text)
                if len(self._sounds) > KEPT:
                    self._sounds.popitem(last=False)
            self._sounds.move_to_end(text)
            return self._sounds[text]

    def close(self) -> None:
        """End the voice's process, and take its folder away."""
        self._mouth.close()
        if self._folder:
            self._folder.cleanup()

    def _made(self, text: str) -> bytes:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="mus-pronounce-")
        path = Path(self._folder.name) / "said.wav"
        self._mouth.render(text, path)
        return path.read_bytes()
