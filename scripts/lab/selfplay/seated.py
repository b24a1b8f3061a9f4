"""Compiled players at a table of the real rules, whose view becomes a row of the simulator."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from assistant.rules import calls as c
from assistant.rules.phases import BEFORE_LANCES
from assistant.school.players import Player, Sight, least
from assistant.school.players.maestro import Maestro, read_lore
from assistant.school.players.thinker import Temper
from scripts.lab.playing.matches import strength, thinker
from scripts.lab.selfplay.bots import CUT, bot_call, cards_alone, zoo
from scripts.lab.selfplay.deal import (
    ACCEPT,
    ALL_IN,
    BASE,
    BET,
    BETTOR,
    GO_ALL_IN,
    GONE,
    HAND,
    HOLDERS,
    LANCES,
    PHASE,
    ROW,
    SCORE,
    SPOKEN,
    STONES,
    TARGET,
    WINNER,
    Numbers,
)


def row_of(sight: Sight) -> tuple[Numbers, int]:
    """A moment of a lance as the simulator has it, and the seat from mano. Others' hands: any."""
    state, row = sight.state, np.zeros(ROW, dtype=np.int64)
    lance, bet = state.lance, state.pending
    assert lance is not None

    def place(seat: int) -> int:
        return (seat - state.mano) % 4

    row[PHASE] = LANCES.index(lance)
    row[HOLDERS] = sum(1 << place(seat) for seat in state.holders(lance))
    row[SPOKEN] = sum(1 << place(seat) for seat in state.spoken)
    row[WINNER], row[BETTOR], row[TARGET] = -1, -1, state.profile.target
    if bet:
        row[BETTOR], row[BASE], row[ALL_IN] = place(bet.seat), bet.base, bet.ordago
        row[STONES] = row[TARGET] if bet.ordago else bet.stones
        row[GONE] = sum(1 << place(seat) for seat in {*bet.refused, *bet.out})
    side = (state.mano - 1) % 2
    row[SCORE], row[SCORE + 1] = state.stones[side], state.stones[1 - side]
    row[HAND : HAND + 4] = strength().number(sight.hand)
    return row, place(sight.seat)


class Bot:
    """A row of the zoo as a player at the table."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    def call(self, sight: Sight) -> c.Call:
        """The call of its row."""
        if sight.state.phase in BEFORE_LANCES:
            mus = strength().worth()[strength().number(sight.hand)] < self._numbers[CUT]
            return sight.can(c.Mus if mus else c.Cut) or least(sight)
        row, seat = row_of(sight)
        kind, stones = bot_call(row, seat, self._numbers, _alone())
        if kind == GO_ALL_IN:
            return sight.can(c.Ordago) or least(sight)
        if kind == ACCEPT:
            return sight.can(c.Accept) or least(sight)
        more = sight.can(c.Raise if sight.state.pending else c.Bet)
        if kind == BET and isinstance(more, c.Bet | c.Raise):
            return replace(more, stones=max(stones, more.stones))
        return sight.can(c.Refuse) or least(sight)

    def discard(self, sight: Sight) -> tuple[int, ...]:
        """The cards whose exchange leaves the best hand on average."""
        return strength().thrown(sight.hand)


@cache
def _alone() -> Numbers:
    return cards_alone(8)[0]


def seat_bot(name: str, _seed: int) -> Player:
    """A player of the zoo, by its name."""
    return Bot(zoo()[name])


def seat_policy(path: Path, seed: int, *, answer: str | None = None, mus: bool = True) -> Player:
    """Maestro by a file, which takes its rivals for one kind from the start, or for none."""
    return Maestro(read_lore(path), thinker(Temper(), seed), seed, answer=answer, mus=mus)
