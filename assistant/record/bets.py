"""The bets of one lance, in the order they were called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.rules.events import BetMade, BetRaised, Event, OrdagoMade
from assistant.rules.phases import Lance


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet or raise: ``stones`` more; ``total`` is what accepting it would agree to.

    An órdago has neither: 0.
    """

    seat: int
    kind: str
    stones: int
    total: int


def bets(events: Iterable[Event], lance: Lance) -> tuple[Bet, ...]:
    """The bets of a lance among the events of its deal."""
    found: list[Bet] = []
    for event in events:
        match event:
            case BetMade(seat=seat, lance=where, stones=stones) if where is lance:
                found = [Bet(seat, "bet", stones, stones)]
            case BetRaised(seat=seat, lance=where, stones=stones) if where is lance:
                found.append(Bet(seat, "raise", stones, stones + standing(found)))
            case OrdagoMade(seat=seat, lance=where) if where is lance:
                found.append(Bet(seat, "ordago", 0, 0))
    return tuple(found)


def standing(chain: Iterable[Bet]) -> int:
    """What stands after these bets; 0 where none does."""
    return next((bet.total for bet in reversed(tuple(chain)) if bet.total), 0)


def deje(chain: tuple[Bet, ...]) -> int:
    """What refusing the last bet gives: what stood before it, or 1 (R24, R25, R34)."""
    return standing(chain[:-1]) or 1
