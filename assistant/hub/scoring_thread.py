"""The thread that takes results, and lets each table know its match."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

from assistant.hub.calling import Called
from assistant.hub.scoring import Scorer
from assistant.hub.tireless import Tireless
from assistant.rules.errors import MusError

log = logging.getLogger("mus.hub.scoring")

PAUSE = 5.0
"""Seconds between two looks."""


class ScoringThread:
    """A scorer that looks now and then."""

    def __init__(
        self,
        scorer: Scorer,
        tell: Callable[[str, Called | None], bool],
        there: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """``tell``: lets a table know its match, or that it has none; False where it cannot.

        ``there``: the tables of the hall.
        """
        self._scorer = scorer
        self._tell = tell
        self._there = there
        self._told: dict[str, Called | None] = {}
        self._thread = Tireless("scoring", self._step)

    def start(self) -> None:
        """Score from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End it."""
        self._thread.ends.set()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether it scores."""
        return self._thread.alive

    def forget(self) -> None:
        """The broker may have forgotten what it was told, or never have heard it: tell it all."""
        self._told = {}

    def _step(self) -> None:
        if self._thread.ends.wait(PAUSE):
            return
        try:
            if entered := self._scorer.score():
                log.info("%d results came from the tables.", entered)
            self._call()
        except MusError as error:
            log.error("No results are taken now: %s", error)

    def _call(self) -> None:
        wanted, told = self._scorer.called, self._told
        # Also those that have no match: what the broker keeps for them may be older than we are.
        for table in {*told, *wanted, *self._scorer.named, *self._there()}:
            match = wanted.get(table)
            known = table in told and told[table] == match
            if not known and self._tell(table, match):
                told[table] = match
