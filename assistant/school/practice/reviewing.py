"""The review of a finished practice game: each of the person's calls and throws, and its cost.

It uses what the person could know at that moment, a ``Sight`` and what had been said, never
hidden cards. The cost of a call is in points: one point is one in a hundred juegos.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from assistant.language.sentences import Wording
from assistant.rules.calls import Call
from assistant.rules.state import State
from assistant.school.judge import Judge
from assistant.school.judge.recommending import recommend
from assistant.school.judge.telling import advice_text, throw_text
from assistant.school.players import Sight

log = logging.getLogger("mus.practice")

# ---- The marks: a stone is the measure ----------------------------------------------------------


ALIKE_UP_TO = 0.5
"""Points below which two calls are taken to be worth the same: the standard error of a value, which
400 worlds leave, is half a point for most moments."""
STONE = 1.6
"""Points that one stone is worth at 0 to 0 in a juego to 40, by maestro's table of scores."""
GOOD_UP_TO, DOUBTFUL_UP_TO = STONE, 3 * STONE
"""A good call gives away a stone at most; a doubtful one up to three; a mistake more."""


class Mark(StrEnum):
    """How good a call was, from best to worst."""

    BEST = "best"
    GOOD = "good"
    DOUBTFUL = "doubtful"
    MISTAKE = "mistake"


def mark_of(lost: float) -> Mark:
    """The mark of a call that cost so many points beside the advised one."""
    if lost <= ALIKE_UP_TO:
        return Mark.BEST
    if lost <= GOOD_UP_TO:
        return Mark.GOOD
    return Mark.DOUBTFUL if lost <= DOUBTFUL_UP_TO else Mark.MISTAKE


# ---- The person's moves, and their review -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnMove:
    """A call or a throw of the person, with all that the person knew before it.

    seq     the record after which it stands; a move whose record was taken back did not happen
    thrown  how many cards each of the others threw last
    call    what was called; None where cards were thrown: then ``places`` are theirs
    """

    seq: int
    sight: Sight
    thrown: Mapping[int, int]
    call: Call | None = None
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move with its mark, the points that it cost, and one sentence that tells the better one.

    ``depends``: it cost no more than the best, but is good and not the best, because its worth
    depends on how the others play.
    """

    move: OwnMove
    said: str
    lost: float
    mark: Mark
    better: str
    text: str
    depends: bool = False


def review_move(
    judge: Judge, move: OwnMove, label: Callable[[Call, State], str], words: Wording
) -> Reviewed | None:
    """Judge one move; None where there was nothing to choose, or where nobody can judge it."""
    sight = move.sight
    if move.call is None:
        throws = judge.judge_throw(sight, thrown=move.thrown)
        ranks = _ranks(sight, move.places)
        mine = next((one for one in throws if _ranks(sight, one.places) == ranks), None)
        if mine is None:
            return None
        lost = max(0.0, 100 * (throws[0].chance - mine.chance))
        better = " ".join(_ranks(sight, throws[0].places))
        text = throw_text(sight.hand, throws, words)
        return Reviewed(move, " ".join(ranks), lost, mark_of(lost), better, text)
    if not judge.able(sight):
        return None
    told, found = recommend(judge, sight, thrown=move.thrown)
    if len(found.calls) < 2 or all(type(one.call) is not type(move.call) for one in found.calls):
        return None
    made = found.of(move.call)
    lost = max(0.0, 100 * (told.best.chance - made.chance))
    mark = mark_of(lost)
    depends = made.depends and mark is Mark.BEST
    if depends:
        mark = Mark.GOOD  # against some rivals it is the best, against others it costs
    return Reviewed(
        move,
        label(move.call, sight.state),
        lost,
        mark,
        label(told.best.call, sight.state),
        advice_text(told, sight.state.lance, words),
        depends,
    )


def _ranks(sight: Sight, places: Sequence[int]) -> list[str]:
    """The ranks of cards by their places: throws of the same ranks are the same throw."""
    return sorted(str(sight.hand[place].rank) for place in places)


class Reviewer:
    """Reviews the moves of one game after the other in a thread of its own.

    ``judge`` is None where maestro never learnt the house rules: then there is no review.
    """

    def __init__(
        self, judge: Judge | None, label: Callable[[Call, State], str], words: Wording
    ) -> None:
        self.able = judge is not None
        self._judge, self._label, self._words = judge, label, words
        self._lock = threading.Condition()
        self._moves: tuple[OwnMove, ...] = ()
        self._done: list[Reviewed] = []
        self._looked = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    def review(self, moves: Sequence[OwnMove]) -> tuple[int, int, list[Reviewed]]:
        """Go on reviewing; returns how many moves were judged, of how many, and the results.

        It returns at once. Other moves than the last time begin another review.
        """
        if self._judge is None:
            return 0, 0, []
        with self._lock:
            if not _alike(self._moves, moves):
                self._moves, self._done, self._looked = tuple(moves), [], 0
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="review", daemon=True)
                self._thread.start()
            self._lock.notify_all()
            return self._looked, len(self._moves), list(self._done)

    def close(self) -> None:
        """End the thread."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while (move := self._next()) is not None:
            try:
                assert self._judge is not None
                found = review_move(self._judge, move, self._label, self._words)
            except Exception:
                # One move that cannot be judged must not end the review of the others.
                log.exception("a move could not be reviewed")
                found = None
            with self._lock:
                if self._looked < len(self._moves) and self._moves[self._looked] is move:
                    self._looked += 1
                    if found is not None:
                        self._done.append(found)

    def _next(self) -> OwnMove | None:
        with self._lock:
            while not self._closed:
                if self._looked < len(self._moves):
                    return self._moves[self._looked]
                self._lock.wait()
        return None


def _alike(before: Sequence[OwnMove], now: Sequence[OwnMove]) -> bool:
    return len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))
