"""How much of the page's server strangers may take: the table's own devices are never shut out.

A stranger is an address that is neither this machine's nor one that told the PIN. Whoever cannot be
served is sent away at once, so that a bar full of guests, or a guest with a thousand connections,
leaves the table its page, its voice and its ear.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from threading import Lock

GUESTS = "mus.guests"
"""Where an app keeps its ``Guests``."""
AT_HOME = ("127.0.0.1", "::1")
MOST, MOST_EACH = 420, 24
"""Connections of all strangers, and of one address: a browser opens six to eight."""
MOST_STREAMS, MOST_STREAMS_EACH = 320, 8
"""Of them streams of events: each open page has one."""
KNOWN_KEPT = 500
"""Addresses that told the PIN and are remembered until the next start."""


class Guests:
    """Who is connected, and whether one more may be. Any thread may call any method."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._connections: Counter[str] = Counter()
        self._streams: Counter[str] = Counter()

    def trust(self, address: str) -> None:
        """Count an address among the table's own from now on: it told the PIN."""
        with self._lock:
            self._known[address] = None
            self._known.move_to_end(address)
            while len(self._known) > KNOWN_KEPT:
                self._known.popitem(last=False)

    def is_own(self, address: str) -> bool:
        """Whether an address is this machine's, or told the PIN."""
        with self._lock:
            return self._is_own(address)

    def connects(self, address: str) -> bool:
        """Take in a connection, or not; one that was taken in ``leaves`` some time."""
        return self._enter(self._connections, address, MOST, MOST_EACH)

    def leaves(self, address: str) -> None:
        """A connection has ended."""
        self._leave(self._connections, address)

    def listens(self, address: str) -> bool:
        """Take in a stream, or not; one that was taken in is told of by ``stops`` when it ends."""
        return self._enter(self._streams, address, MOST_STREAMS, MOST_STREAMS_EACH)

    def may_listen(self, address: str) -> bool:
        """Whether a stream would be taken in now."""
        with self._lock:
            return self._has_room(self._streams, address, MOST_STREAMS, MOST_STREAMS_EACH)

    def stops(self, address: str) -> None:
        """A stream has ended."""
        self._leave(self._streams, address)

    def _enter(self, there: Counter[str], address: str, most: int, each: int) -> bool:
        with self._lock:
            room = self._has_room(there, address, most, each)
            if room:
                there[address] += 1
            return room

    def _has_room(self, there: Counter[str], address: str, most: int, each: int) -> bool:
        if self._is_own(address):
            return True
        own = sum(there[one] for one in (*AT_HOME, *self._known))
        return there[address] < each and there.total() - own < most

    def _is_own(self, address: str) -> bool:
        return address in AT_HOME or address in self._known

    def _leave(self, there: Counter[str], address: str) -> None:
        with self._lock:
            there[address] -= 1
            if there[address] <= 0:
                del there[address]
