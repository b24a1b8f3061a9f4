"""A voice that makes no sound and remembers what it would have said."""

from __future__ import annotations

import logging

from assistant.announce.port import Said

log = logging.getLogger("mus.voice")

KEPT = 1000
"""Sentences remembered; an evening of Mus has fewer."""


class NullVoice:
    """Keeps every sentence in ``said``, the newest last."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self._closed = False
        self.volume = 1.0

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Remember a sentence."""
        if self._closed:
            return
        log.info("%s", text)
        self.said.append(Said(text, seq, urgent))
        del self.said[:-KEPT]

    def set_volume(self, volume: float) -> None:
        """Remember how loud it would speak."""
        self.volume = volume

    def silence(self) -> None:
        """Nothing sounds, so nothing stops."""

    def close(self) -> None:
        """Take no more sentences."""
        self._closed = True
