"""What every computer player can do."""

from __future__ import annotations

from typing import Protocol

from assistant.players.sight import Sight
from assistant.rules.calls import Call


class Player(Protocol):
    """Somebody who plays; the same answers for the same seed and the same sights, in order."""

    def call(self, sight: Sight) -> Call:
        """What it says: one of ``sight.legal``, a bet or a raise with the stones it wants."""

    def discard(self, sight: Sight) -> tuple[int, ...]:
        """Which of its cards it throws, by their places in the hand from 0; one at least."""
