"""Tables of any size and house rules for the rule tests, and how they refuse and ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands, open_game
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.phases import Lance
from assistant.rules.placing import placed
from assistant.rules.profile import Profile, Sides
from tests.rules.play import PLAIN, Game, cards

NAMES = ("Norte", "Oeste", "Sur", "Este", "Alba", "Bruno")


class Table(Game):
    """A game with this many players and these house rules; the others are the defaults."""

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
        """Cut and pass up to a lance. ``said`` declares it by seat; nobody has pares before it."""
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
        """Lay down every hand that is asked for, one by one; return the seats in order."""
        asked_for: list[int] = []
        while missing := missing_hands(self.state):
            asked_for.append(missing[0])
            self.say(cards(missing[0], hands[missing[0] - 1]))
        return tuple(asked_for)


def each(players: int, **how: Any) -> Table:
    """A table where each plays for himself (R56)."""
    return Table(players, sides=Sides.EACH, **how)


def refused(game: Game, call: c.Call) -> str:
    """The code that a call is refused with. The refusal must change nothing."""
    before = game.state
    with pytest.raises(IllegalCall) as caught:
        game.say(call)
    assert game.state == before
    return caught.value.code


def asked(game: Game, call: c.Call) -> AmbiguousCall:
    """The question that a call raises. It must change nothing."""
    before = game.state
    with pytest.raises(AmbiguousCall) as caught:
        game.say(call)
    assert game.state == before
    return caught.value


def put(game: Game, place: c.Place) -> Game:
    """Bring the table to where it is told to stand."""
    return game.replace(*placed(game.records, place))


def not_put(game: Game, place: c.Place) -> IllegalCall:
    """Why the deal cannot stand there."""
    with pytest.raises(IllegalCall) as caught:
        placed(game.records, place)
    return caught.value


def asked_on_the_way(game: Game, place: c.Place) -> AmbiguousCall:
    """What has to be told before the deal can stand there."""
    with pytest.raises(AmbiguousCall) as caught:
        placed(game.records, place)
    return caught.value


def bet_now(game: Game) -> tuple[int, int]:
    """The pending bet: its stones, and what refusing it pays."""
    assert game.state.pending is not None
    return game.state.pending.stones, game.state.pending.deje


def refusers(game: Game) -> list[tuple[int, bool]]:
    """The seats that refused in the last batch, and whether each refusal was implied."""
    return [(x.seat, x.implied) for x in game.said(e.BetRefused)]
