"""Sentences that wait for their turn, and which of them are overtaken. No threads here."""

from __future__ import annotations

from assistant.announce.port import Said


class Waiting:
    """At most ``room`` sentences, the oldest first."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._sentences: list[Said] = []

    def __len__(self) -> int:
        return len(self._sentences)

    def put(self, new: Said) -> list[Said]:
        """Add a sentence; return those that it overtakes, which will not be said."""
        overtaken = [s for s in self._sentences if not s.urgent and s.seq < new.seq]
        self._sentences = [s for s in self._sentences if s not in overtaken]
        self._sentences.append(new)
        while len(self._sentences) > self._room:
            plain = next((s for s in self._sentences if not s.urgent), self._sentences[0])
            self._sentences.remove(plain)
            overtaken.append(plain)
        return overtaken

    def take(self) -> Said | None:
        """The sentence whose turn it is."""
        return self._sentences.pop(0) if self._sentences else None

    def clear(self) -> None:
        """Forget all."""
        self._sentences.clear()
