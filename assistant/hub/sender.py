"""Which records a table sends next: in order, some on their way at once, again where it must be.

Pure: it is told what was sent, what the hub has, and what time it is. The hub's word alone moves a
table's position on, for a broker that has a message may still lose it. What was sent and is not
confirmed in time is sent again; the hub keeps each record once, however often it comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

WINDOW = 1000
"""Records of a game that may be on their way before the hub has confirmed the first of them."""
PATIENCE = 10.0
"""Seconds without a word from the hub after which all that it did not confirm is sent again."""
LONGEST = 120.0
"""Seconds; each time in vain it is twice as long, up to this."""
ECHO = 1.0
"""Seconds in which the hub's asking again for the same record is the same asking."""


class Waiting(Protocol):
    """A game that the hub is to have, as an outbox lists it."""

    @property
    def table_id(self) -> str:
        """What the game is called at its table."""

    @property
    def position(self) -> int:
        """The last seq that the hub is known to have."""

    @property
    def last_seq(self) -> int:
        """The last seq that there is."""


@dataclass(slots=True)
class _Way:
    """How far one game is on its way."""

    stored: int
    sent: int
    again_at: float = float("-inf")


class Sender:
    """The order of sending, for all games of one table."""

    def __init__(self, window: int = WINDOW) -> None:
        self._window = window
        self._ways: dict[str, _Way] = {}
        self._patience = PATIENCE
        self._quiet_since = 0.0

    def rewind(self, now: float) -> None:
        """All that is not confirmed has to be sent: a new connection, or a hub that begins."""
        for way in self._ways.values():
            way.sent = way.stored
        self._patience = PATIENCE
        self._quiet_since = now

    def next(self, games: Sequence[Waiting], most: int) -> tuple[str, int, int] | None:
        """The game to send from, the seq after which, and how many; None where all is sent.

        The oldest game first: the hub shows an evening in its order.
        """
        for game, way in [(game, self._way(game)) for game in games]:
            room = way.stored + self._window - way.sent
            many = min(most, game.last_seq - way.sent, room)
            # While something is on its way a little more waits for it: what is called meanwhile
            # goes in one message, the larger the slower the hub is. Nobody at a table notices.
            if many == most or (many > 0 and way.sent == way.stored):
                return game.table_id, way.sent, many
        return None

    def sent(self, table_id: str, seq: int, now: float) -> None:
        """Records up to a seq are on their way."""
        way = self._ways[table_id]
        if way.sent == way.stored:
            self._quiet_since = now  # nothing was, so nobody was waited for
        way.sent = seq

    def stored(self, table_id: str, seq: int, again: bool, now: float) -> int | None:
        """The hub said how far it has a game; returns the new position, None where it is as before.

        ``again``: what comes after is lost, be it on its way, be it that the hub had it once.
        """
        way = self._ways.get(table_id)
        if way is None:
            return None
        before = way.stored
        if again:
            if (before, way.sent) != (seq, seq) and now - way.again_at >= ECHO:
                way.stored = way.sent = seq
                way.again_at = now
        elif seq > way.stored:
            way.stored = seq
            way.sent = max(way.sent, seq)
        if way.stored > before:
            self._patience = PATIENCE
            self._quiet_since = now
        return way.stored if way.stored != before else None

    def confirmed(self, table_id: str) -> int:
        """The last seq of a game that the hub is known to have; 0 where nothing is known."""
        way = self._ways.get(table_id)
        return way.stored if way else 0

    def give_up_waiting(self, now: float) -> bool:
        """Rewind what the hub has not confirmed for too long; returns whether there is any."""
        if not self.waiting or now - self._quiet_since < self._patience:
            return False
        longer = min(2 * self._patience, LONGEST)
        self.rewind(now)
        self._patience = longer
        return True

    @property
    def waiting(self) -> bool:
        """Whether anything is on its way that the hub did not confirm."""
        return any(way.sent > way.stored for way in self._ways.values())

    def _way(self, game: Waiting) -> _Way:
        way = self._ways.get(game.table_id)
        if way is None:
            way = self._ways[game.table_id] = _Way(game.position, game.position)
        return way
