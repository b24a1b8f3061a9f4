"""Opponent modelling: the kind of the rivals, inferred from what they say aloud.

Each call that a player hears is a sign: what was said, and where. How often each kind of rival says
it there was counted in juegos (``scripts/lab/train_styles``). Bayes' rule adds the signs up. It
uses no cards, because nobody has shown any when the calls are made.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from assistant.rules.events import How
from assistant.rules.phases import DECLARING, Lance
from assistant.rules.profile import MusOrder
from assistant.rules.state import Pending, State

Floats = npt.NDArray[np.float64]
Sign = tuple[tuple[object, ...], int]
"""The key of a sign among those of its deal, and the index at which it is counted."""

WAYS = 6
"""The most different calls at one place."""
MUS_PLACES = 3 * 4
"""First mus, later mus, mus corrido; the place from mano."""
LANCES = tuple(Lance)
OPEN_PLACES = len(LANCES) * 4
ANSWER_SIZES = (2, 5, 9)
ANSWER_PLACES = len(LANCES) * 5 * 2
SIGNS = (MUS_PLACES + OPEN_PLACES + ANSWER_PLACES) * WAYS
STAKES = (1, 2, 3, 7)
"""Nobody bet; two stones; three; up to seven; more. Then órdago."""
REFUSED, ACCEPTED, BY_TWO, BY_MORE, ALL_IN = range(5)
"""The rivals' answers to our bet."""
PRIOR = 8.0
"""The weight, in calls, of what all kinds said at a place, against the counts of one kind."""


def heard(state: State, me: int) -> Iterator[Sign]:
    """The signs of a seat's rivals in this deal, as far as the state still shows them."""
    if state.sides != 2 or len(state.seats) != 4:
        return
    if state.profile.mus_order is MusOrder.SEAT:
        yield from _of_mus(state, me)
    for result in state.results:
        if result.how in (How.PASSED, How.ACCEPTED, How.REFUSED):
            yield from _of_lance(state, me, result.lance, result.bet, result.how)
    if state.lance is not None and state.phase not in DECLARING:
        yield from _of_lance(state, me, state.lance, state.pending, None)


def _of_mus(state: State, me: int) -> Iterator[Sign]:
    for turn in range(state.discards + 1):
        mano = (state.dealt_mano - 1 + (turn if state.corrido else 0)) % 4 + 1
        kind = 2 if state.corrido else min(turn, 1)
        last = turn == state.discards
        for place, seat in enumerate(state.order(mano)):
            cuts = last and seat == state.cutter
            if last and state.cutter is None and seat not in state.spoken:
                return
            if (seat - me) % 2:
                yield ("mus", turn, seat), (kind * 4 + place) * WAYS + cuts
            if cuts:
                return


def _of_lance(
    state: State, me: int, lance: Lance, bet: Pending | None, how: How | None
) -> Iterator[Sign]:
    holders = state.holders(lance)
    first = (MUS_PLACES + LANCES.index(lance) * 4) * WAYS
    if bet is None or bet.base == 0:
        for seat in holders:
            if bet is not None and seat == bet.seat:
                break
            if bet is None and how is None and seat not in state.spoken:
                break
            if (seat - me) % 2:
                yield ("open", lance, seat), first + (seat - state.mano) % 4 * WAYS
    if bet is None:
        return
    theirs = (bet.seat - me) % 2
    if theirs and bet.base == 0:
        way = 5 if bet.ordago else bisect_left(STAKES, bet.stones)
        yield ("open", lance, bet.seat), first + (bet.seat - state.mano) % 4 * WAYS + way
    elif theirs:
        more = bet.stones - bet.base
        way = ALL_IN if bet.ordago else BY_TWO if more <= 2 else BY_MORE
        yield ("answer", lance, bet.base), _answers(state, me, lance, bet.base, all_in=False) + way
    elif how is not None:
        size = _answers(state, me, lance, bet.stones, all_in=bet.ordago)
        way = ACCEPTED if how is How.ACCEPTED else REFUSED
        yield ("answer", lance, bet.stones), size + way


def _answers(state: State, me: int, lance: Lance, stones: int, *, all_in: bool) -> int:
    both = sum((seat - me) % 2 for seat in state.holders(lance)) == 2
    size = 4 if all_in else bisect_left(ANSWER_SIZES, stones)
    place = (LANCES.index(lance) * 5 + size) * 2 + both
    return (MUS_PLACES + OPEN_PLACES + place) * WAYS


def told_by(counts: Floats) -> Floats:
    """The counts of signs by kind -> the log likelihood of each sign for each kind.

    At a place that a kind seldom came to, the calls of all kinds count more.
    """
    places = counts.reshape(len(counts), -1, WAYS)
    shares = places / np.maximum(places.sum(axis=2, keepdims=True), 1.0)
    usual = (shares.sum(axis=0) + 0.02) / (shares.sum(axis=0) + 0.02).sum(axis=1, keepdims=True)
    known = places + PRIOR * usual
    told = np.log(known / known.sum(axis=2, keepdims=True))
    return np.asarray(told.reshape(len(counts), -1))


class Suspicion:
    """The probabilities of the kinds of rival, updated from call to call."""

    def __init__(self, told: Floats, prior: Floats) -> None:
        """``told``: of ``told_by``. ``prior``: the logarithm of each kind's chance at first."""
        self._told = told
        self._logs = prior.astype(np.float64)
        self._seen: set[tuple[object, ...]] = set()

    def look(self, state: State, me: int) -> list[int]:
        """Take in the new calls at the table; returns the new signs."""
        deal = (sum(state.juegos), state.deal)
        new = []
        for key, sign in heard(state, me):
            if (whole := (*deal, *key)) not in self._seen:
                self._seen.add(whole)
                self._logs += self._told[:, sign]
                new.append(sign)
        return new

    @property
    def chances(self) -> Floats:
        """The probability of each kind of rival."""
        odds = np.exp(self._logs - self._logs.max())
        return np.asarray(odds / odds.sum())
