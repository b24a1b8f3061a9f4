"""What a computer player sees and does, and two players to measure others by."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from assistant.rules import calls as c
from assistant.rules.calls import Call
from assistant.rules.cards import HAND_SIZE, Hand
from assistant.rules.engine import LegalCall, legal_calls
from assistant.rules.events import Event
from assistant.rules.hands import HandValue, value
from assistant.rules.phases import BEFORE_LANCES, Lance
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.school.players.senas import CaughtSign

# ---- What one player may know: the own cards, and the table as everybody hears it ---------------
# The state holds only the cards that lie open, because the engine never sees the others. So a
# player may be given all of it.


SPOKEN = (c.Mus, c.Cut, c.Pass, c.Bet, c.Raise, c.Ordago, c.Accept, c.Refuse)
"""Kinds of call that a computer player makes; what it holds is declared for it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One moment as a player sees it.

    seat, hand  who looks, and the four cards in that hand
    state       the table, as everybody knows it
    legal       the calls that this seat can make now, with the least and the most stones of each
    seen        the señas that it caught, where the table makes them
    events      what happened in this deal, as far as it is known; the state forgets the raises
    """

    seat: int
    hand: Hand
    state: State
    legal: tuple[LegalCall, ...]
    seen: tuple[CaughtSign, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def rivals(self) -> tuple[int, ...]:
        """The seats that play against this one."""
        mine = self.state.side_of(self.seat)
        return tuple(seat for seat in self.state.order() if self.state.side_of(seat) != mine)

    @property
    def partners(self) -> tuple[int, ...]:
        """The seats that play with this one."""
        mine = self.state.side_of(self.seat)
        return tuple(
            seat
            for seat in self.state.order()
            if self.state.side_of(seat) == mine and seat != self.seat
        )

    def can(self, kind: type[c.Call]) -> c.Call | None:
        """The call of a kind, where it is allowed."""
        return next((one.call for one in self.legal if type(one.call) is kind), None)


def sight_of(
    state: State,
    seat: int,
    hand: Hand,
    seen: tuple[CaughtSign, ...] = (),
    events: Sequence[Event] = (),
) -> Sight:
    """The moment as a seat sees it that holds these cards."""
    legal = tuple(
        one
        for one in legal_calls(state)
        if one.call.seat == seat
        and type(one.call) in SPOKEN
        and not getattr(one.call, "both", False)
        and not getattr(one.call, "plural", False)
    )
    return Sight(seat, hand, state, legal, seen, tuple(events))


# ---- What every computer player can do ----------------------------------------------------------


class Player(Protocol):
    """A computer player. The same seed and the same sights, in order, give the same answers."""

    def call(self, sight: Sight) -> Call:
        """What it says: a call of ``sight.legal``, a bet or a raise with the stones it wants."""

    def discard(self, sight: Sight) -> tuple[int, ...]:
        """Which of its cards it throws, by their places in the hand from 0; one at least."""


# Two players to measure others by: one says anything, the other goes by fixed thresholds.


REY, AS = 10, 1
"""Strengths at grande; treses count as reyes and doses as ases where eight are played."""


class Chancer:
    """Says any legal call, each as likely as the others, and throws any cards.

    ``amounts``: each number of stones, up to a whole juego, is a call of its own; else a bet is one
    call, with the least stones, and órdago is as likely as that.
    """

    def __init__(self, seed: int, *, amounts: bool = False) -> None:
        self._dice = random.Random(seed)
        self._amounts = amounts

    def call(self, sight: Sight) -> c.Call:
        """Any legal call."""
        if not self._amounts:
            return self._dice.choice(sight.legal).call
        most = sight.state.profile.target
        return self._dice.choice([call for one in sight.legal for call in _each(one.call, most)])

    def discard(self, sight: Sight) -> tuple[int, ...]:  # noqa: ARG002 - it does not look
        """One to four cards, any."""
        places = range(HAND_SIZE)
        return tuple(sorted(self._dice.sample(places, self._dice.randint(1, HAND_SIZE))))


class Novice:
    """Somebody who knows the rules and a few rules of thumb, and looks at nobody else.

    It cuts with duples, medias or 31; bets two with two reyes at grande, two ases at chica, medias
    or better at pares, 31 or 32 at juego, 28 or more at punto. Where it
    would have bet itself, it accepts up to five stones; more, or an órdago, with the best alone:
    three reyes, three ases, duples, 31, 30 at punto. It never raises.
    """

    def call(self, sight: Sight) -> c.Call:
        """The call that the thresholds tell."""
        state, held = sight.state, value(sight.hand, sight.state.profile)
        wanted: type[c.Call]
        if state.phase in BEFORE_LANCES:
            wanted = c.Cut if _cuts(held) else c.Mus
        elif state.pending:
            dear = state.pending.ordago or state.pending.stones > 5
            wanted = c.Accept if _worth(held, state.lance) > dear else c.Refuse
        else:
            wanted = c.Bet if _worth(held, state.lance) else c.Pass
        return sight.can(wanted) or least(sight)

    def discard(self, sight: Sight) -> tuple[int, ...]:
        """All cards but reyes; without a rey, all but ases; at least one."""
        kept = _kept(sight.hand, sight.state.profile)
        thrown = tuple(place for place in range(HAND_SIZE) if place not in kept)
        return thrown or (HAND_SIZE - 1,)


def _each(call: c.Call, most: int) -> list[c.Call]:
    """A bet or a raise with every number of stones; any other call as it is."""
    if not isinstance(call, c.Bet | c.Raise):
        return [call]
    return [replace(call, stones=stones) for stones in range(call.stones, most + 1)]


def _cuts(held: HandValue) -> bool:
    return held.points == 31 or (held.pares is not None and held.pares.value > 1)


def _worth(held: HandValue, lance: Lance | None) -> int:
    """0: not for a bet; 1: for a small one; 2: for any."""
    match lance:
        case Lance.GRANDE:
            return max(0, held.grande.count(REY) - 1)
        case Lance.CHICA:
            return max(0, held.grande.count(AS) - 1)
        case Lance.PARES:
            return held.pares.value - 1 if held.pares else 0
        case Lance.JUEGO:
            return {31: 2, 32: 1}.get(held.points, 0)
        case Lance.PUNTO:
            return (held.points >= 28) + (held.points >= 30)
    return 0


def _kept(hand: Hand, profile: Profile) -> tuple[int, ...]:
    high = [value((card,), profile).grande[0] for card in hand]
    for wanted in (REY, AS):
        if kept := tuple(place for place, strength in enumerate(high) if strength == wanted):
            return kept
    return ()


def least(sight: Sight) -> c.Call:
    """The legal call that risks least, in place of a wanted one that is not allowed."""
    for kind in (c.Pass, c.Refuse, c.Mus):
        if call := sight.can(kind):
            return call
    return sight.legal[0].call
