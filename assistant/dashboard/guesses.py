"""Who guesses at the pairs' codes waits: by device and pair, by device, and by pair.

A pair that knows its own code is not to guess another's for nothing, however it mixes the two; nor
is anybody to keep a pair from signing by guessing at its code.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from assistant.dashboard.door import REMEMBERED, Patience, must_wait

DEVICE_FREE = 12
"""Wrong codes of all pairs together that a device may tell before it has to wait: a telephone, or
the hall's own screen, may serve several pairs that mistype."""
PAIR_FREE = 10
"""Wrong codes of one pair that all devices together may tell before all of them have to wait."""
PAIR_LONGEST = 20.0
"""Seconds that they wait at most: one device that goes on guessing, once a minute, leaves the pair
two thirds of the time, and a thousand of them would still need months."""


class Guesses:
    """Remembers wrong codes. ``pair`` is a name that no pair of another tournament has."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._each = Patience(clock)
        self._device = Patience(clock, free=DEVICE_FREE)
        self._pair = Patience(clock, free=PAIR_FREE, longest=PAIR_LONGEST)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def proved(self, address: str, pair: str, right: bool) -> bool:
        """Whether a device told the pair's code. Raises TooManyRequests where it has to wait."""
        each = f"{address} {pair}"
        with self._lock:
            left = [self._each.left(each), self._device.left(address)]
            if (address, pair) not in self._known:  # others' guesses are not to lock it out
                left.append(self._pair.left(pair))
            if wait := max(left):
                must_wait(wait)
            if right:
                # What it told wrongly of this pair was mistyped; of others it was not.
                mistyped = self._each.right(each)
                self._device.forgive(address, mistyped)
                self._pair.forgive(pair, mistyped)
                self._know(address, pair)
            elif wait := max(
                self._each.wrong(each), self._device.wrong(address), self._pair.wrong(pair)
            ):
                must_wait(wait)
            return right

    def _know(self, address: str, pair: str) -> None:
        self._known[address, pair] = None
        self._known.move_to_end((address, pair))
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
