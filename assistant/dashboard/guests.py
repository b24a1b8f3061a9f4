"""How much of the page's server strangers may take: the table's own devices are never shut out.

A stranger is an address that is neither this machine's nor one that told the PIN. Whoever cannot be
served is sent away at once, so that a bar full of guests, or a guest with a thousand connections,
leaves the table its page, its voice and its ear.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
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

    def connects(self, address: str) -> bool:
        """Take in a connection, or not; one that was taken in ``leaves`` some time."""
        return self._enter(self._connections, address, MOST, MOST_EACH)

    def leaves(self, address: str) -> None:
        """A connection has ended."""
        self._leave(self._connections, address)

    def listens(self, address: str) -> bool:
        """Take in a stream, or not; one that was taken in is told of by ``stops`` when it ends."""
        return self._enter(self._streams, address, MOST_STREAMS, MOST_STREAMS_EACH)

    def stops(self, address: str) -> None:
        """A stream has ended."""
        self._leave(self._streams, address)

    def _enter(self, there: Counter[str], address: str, most: int, each: int) -> bool:
        with self._lock:
            if address not in AT_HOME and address not in self._known:
                own = sum(there[one] for one in (*AT_HOME, *self._known))
                if there[address] >= each or there.total() - own >= most:
                    return False
            there[address] += 1
            return True

    def _leave(self, there: Counter[str], address: str) -> None:
        with self._lock:
            there[address] -= 1
            if there[address] <= 0:
                del there[address]


class Deadlines:
    """When each connection must have sent the head of its next request.

    A guest who sends a byte now and then is else never silent long enough to lose his thread.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._due: dict[int, tuple[float, Callable[[], None]]] = {}

    def wait(self, connection: int, cut: Callable[[], None]) -> None:
        """Begin to wait for a head; ``cut`` ends the connection where none comes in time."""
        with self._lock:
            self._due[connection] = self._clock() + self._seconds, cut

    def done(self, connection: int) -> None:
        """The head is there, or the connection is gone."""
        with self._lock:
            self._due.pop(connection, None)

    def cut_overdue(self) -> None:
        """End every connection that is over its time."""
        now = self._clock()
        with self._lock:
            over = [one for one, (due, _) in self._due.items() if due <= now]
            cuts = [self._due.pop(one)[1] for one in over]
        for cut in cuts:
            cut()
