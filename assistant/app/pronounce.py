"""How a call is pronounced: a sentence as a sound file, for a page that plays it.

Only what a page was given can be asked for, so that nobody in the network makes the table's machine
read him a novel.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable

from assistant.announce import Sounds
from assistant.rules.errors import MusError

OFFERED = 512
"""Texts that may be asked for: those of the last pages, the newest ones."""
LONGEST = 200
"""Letters of a text; what is longer is no call."""


class NotOfferedError(MusError):
    """No page was given this text."""


class Pronouncer:
    """Texts as WAV files by one voice. Every method may be called from any thread."""

    def __init__(self, sounds: Sounds) -> None:
        """The voice's process is made for the first text: a table where nobody learns has none."""
        self._sounds = sounds
        self._offered: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

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
        return self._sounds.of(text)

    def close(self) -> None:
        """End the voice's process."""
        self._sounds.close()
