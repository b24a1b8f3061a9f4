"""Tables of any size and any house rules for the rule tests, and what they refuse and ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands, open_game
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Sides
from tests.rules.play import PLAIN, Game, cards

NAMES = ("Norte", "Oeste", "Sur", "Este", "Alba", "Bruno")


class Table(Game):
    """A game at a table of so many players, with these house rules over the plain ones."""

    def __init__(
        self,
        players: int = 4,
        mano: int = 1,
        stones: tuple[int, ...] | None = None,
        profile: Profile | None = None,
        **rules: Any,
    ) -> None:
        self.records = []
        self.last = ()
        house = replace(profile or PLAIN, **rules)
        self._commit(open_game(house, NAMES[:players], mano))
        if stones:
            self.say(c.SetStones(stones=stones))

    def to_lance(self, lance: Lance, said: str = "") -> Table:
        """Cut, and pass up to a lance; ``said`` declares it, by seat, after "pares no" by all."""
        self.cut()
        if lance is Lance.GRANDE:
            return self
        self.all_pass()
        if lance is Lance.CHICA:
            return self
        self.all_pass()
        no = " ".join(["no"] * self.state.players)
        if lance is Lance.PARES:
            self.declare(said)
        else:
            self.declare(no).declare(said if lance is Lance.JUEGO else no)
        return self

    def show_asked(self, *hands: str) -> tuple[int, ...]:
        """Lay open whatever hand is asked for first, until none is; who was asked, in order."""
        asked_for: list[int] = []
        while missing := missing_hands(self.state):
            asked_for.append(missing[0])
            self.say(cards(missing[0], hands[missing[0] - 1]))
        return tuple(asked_for)


def each(players: int, **how: Any) -> Table:
    """A table where each plays for himself (R56)."""
    return Table(players, sides=Sides.EACH, **how)


def refused(game: Game, call: c.Call) -> str:
    """The code that a call is refused with; and that it changed nothing."""
    before = game.state
    with pytest.raises(IllegalCall) as caught:
        game.say(call)
    assert game.state == before
    return caught.value.code


def asked(game: Game, call: c.Call) -> AmbiguousCall:
    """The question that a call meets with; and that it changed nothing."""
    before = game.state
    with pytest.raises(AmbiguousCall) as caught:
        game.say(call)
    assert game.state == before
    return caught.value


def bet_now(game: Game) -> tuple[int, int]:
    """The pending bet: its stones, and what refusing it pays."""
    assert game.state.pending is not None
    return game.state.pending.stones, game.state.pending.deje


def refusers(game: Game) -> list[tuple[int, bool]]:
    """Who refused by the last call, and whether nobody said so."""
    return [(x.seat, x.implied) for x in game.said(e.BetRefused)]
