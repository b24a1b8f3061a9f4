"""How fast the company at a practice table plays, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.app.company import EXPLAINS

BREATH, THOUGHT = 0.7, 1.4
"""Before a call that needs no thought, and before one that does, at a usual table's speed."""
EXPLAINING = 1.6
"""Times as long where each call is explained."""


@dataclass(frozen=True, slots=True)
class Pace:
    """``speed`` 1 is a usual table's; 2 twice as fast."""

    speed: float = 1.0

    @property
    def breath(self) -> float:
        """Seconds before what is said without a thought."""
        return BREATH / self.speed

    @property
    def thought(self) -> float:
        """Seconds before a bet or its answer."""
        return THOUGHT / self.speed

    def explaining(self, level: str) -> float:
        """Times as long at a level."""
        return EXPLAINING if level == EXPLAINS else 1.0
