"""Automatic calls of tables and ends of rounds, and the announcements of the hall's voice."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from assistant.hall.hub.desk import Desk
from assistant.hall.hub.hour import WARN_S, Look
from assistant.hall.hub.ledger import Ledger, Standing
from assistant.hall.hub.worker import Worker
from assistant.hall.tournament import pair_name, players
from assistant.hall.tournament.engine import under_way
from assistant.hall.tournament.ranking import Resolver
from assistant.rules.errors import MusError

log = logging.getLogger("mus.hub.calls")

LOOK_EVERY_S = 2.0
"""Seconds between two checks for tables to call."""
FRESH_S = 60.0
"""The greatest age of a call that is announced. If a hub is started in the middle of a round,
nobody wants to hear all its calls."""
TWICE_AFTER_S = 60.0
"""Seconds from the first announcement of a match to the second, which is the last."""
STALE_S = 300.0
"""Seconds after which a call is not repeated any more."""
LATE_S = 60
"""Seconds after the end of a round in which the voice still says that time is up."""


class HallVoice(Protocol):
    """A voice that says one sentence after another."""

    @property
    def busy(self) -> bool:
        """Whether it speaks, or is about to."""

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Say a sentence soon."""

    def close(self) -> None:
        """Finish what waits, and end."""


# ---- The choice of announcements, without threads and without sound ------------------------------


Call = tuple[int, str, str, float]
"""A tournament, a match of it, the table, and when the match was called there."""


@dataclass(slots=True)
class _Aloud:
    """How often a call was said, and when last."""

    times: int = 0
    last: float = 0.0


class Announcements:
    """Chooses the next sentence of the hall's voice.

    The end of a round comes first, then the calls in their order, then calls for the second time.
    A match is called aloud twice at most, and not again once its table has begun. A pause silences
    the calls of its tournament.
    """

    def __init__(
        self,
        ledger: Ledger,
        words: Mapping[str, Any],
        begun: Callable[[str], bool] = lambda _table: False,
    ) -> None:
        """``words`` are those of the hall's pages; ``begun`` says whether a table plays."""
        self._ledger = ledger
        self._words = words
        self._begun = begun
        self._calls: dict[Call, _Aloud | None] = {}
        self._told: set[tuple[int, int, bool]] = set()

    def next(self) -> str | None:
        """The next sentence, which then counts as said; None if there is none.

        Calls that are too old to be announced are forgotten. Raises DatabaseError.
        """
        now = self._ledger.clock()
        standings = self._ledger.readable()
        for standing in standings:
            sentence = self._time(standing, now)
            if sentence:
                return sentence
        waiting: dict[Call, Standing] = {}
        for standing in standings:
            for call in _calls(standing):
                known = self._calls.setdefault(call, _Aloud() if now - call[3] < FRESH_S else None)
                if known is not None and standing.tournament.calling:
                    waiting[call] = standing
        first = [call for call in waiting if self._is_due(call, now, first=True)]
        again = [call for call in waiting if self._is_due(call, now, first=False)]
        for call in sorted(first, key=lambda call: call[3]) + again:
            aloud = self._calls[call]
            assert aloud is not None
            aloud.times, aloud.last = aloud.times + 1, now
            return self._call(waiting[call], call)
        return None

    def _is_due(self, call: Call, now: float, *, first: bool) -> bool:
        aloud = self._calls[call]
        if aloud is None or aloud.times > 1 or first != (aloud.times == 0):
            return False
        if first:
            return True
        waited = now - aloud.last
        return TWICE_AFTER_S <= waited < STALE_S and not self._begun(call[2])

    def _call(self, standing: Standing, call: Call) -> str:
        tournament = standing.tournament
        names = [
            pair_name(tournament.pairs[p]) for p in players(tournament, call[1]) if type(p) is int
        ]
        table = call[2]
        if table.startswith("mesa-"):
            table = self._words["table"].format(n=table.removeprefix("mesa-"))
        return str(self._words["aloud"]["call"].format(table=table, one=names[0], other=names[1]))

    def _time(self, standing: Standing, now: float) -> str | None:
        """The sentence that the round will end soon, or has ended; each is said once."""
        ends = standing.tournament.ends
        left = ends - now
        over = left <= 0
        if not ends or left > WARN_S or left < -LATE_S or (standing.id, ends, over) in self._told:
            return None
        self._told |= {(standing.id, ends, over)}
        if over:
            return str(self._words["aloud"]["ended"])
        minutes = math.ceil(left / 60)
        forms = self._words["aloud"]["left"]
        return str(forms["one" if minutes == 1 else "many"].format(n=minutes))


def _calls(standing: Standing) -> Iterator[Call]:
    """The matches at a table that are not decided."""
    tournament = standing.tournament
    for match, table in under_way(tournament, Resolver(tournament)).items():
        yield standing.id, match, table, standing.called[match]


# ---- The thread that calls tables, and announces calls if it has a voice -------------------------


class CallingThread:
    """Ends rounds at their hour, calls the free tables, and makes the announcements."""

    def __init__(
        self,
        desk: Desk,
        announcements: Announcements | None = None,
        voice: HallVoice | None = None,
        every: float = LOOK_EVERY_S,
        look: Look = lambda _table: None,
    ) -> None:
        """``voice`` says what ``announcements`` chooses; without one the hall calls in silence.

        ``look`` gives what a table shows, for rounds that end by themselves.
        """
        self._look = look
        self._desk = desk
        self._announcements = announcements
        self._voice = voice
        self._every = every
        self._said = 0
        self._thread = Worker("calls", self._step)

    def start(self) -> None:
        """Start to call."""
        self._thread.start()

    def stop(self) -> None:
        """Stop and wait for the end of the present look."""
        self._thread.ends.set()
        self._thread.join()
        if self._voice is not None:
            self._voice.close()

    def _step(self) -> None:
        if self._thread.ends.wait(self._every):
            return
        try:
            if ended := self._desk.end_rounds(self._look):
                log.info("%d matches ended with their round.", ended)
            if called := self._desk.call():
                log.info("%d matches were called to their tables.", called)
            self._speak()
        except MusError as error:
            log.error("No tables are called now: %s", error)

    def _speak(self) -> None:
        if self._voice is None or self._announcements is None or self._voice.busy:
            return
        sentence = self._announcements.next()
        if sentence:
            self._said += 1
            self._voice.say(sentence, seq=self._said, urgent=True)
