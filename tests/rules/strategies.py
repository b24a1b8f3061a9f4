"""What the stateful and the oracle tests share: all calls of a table, and dealt hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import DECK, Card, Hand
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.state import State

TALK: tuple[c.Call, ...] = (
    c.Mus(),
    c.Cut(),
    c.Pass(),
    c.Bet(),
    c.Bet(both=True),
    c.Ordago(),
    c.Ordago(both=True),
    c.Accept(),
    c.Refuse(),
    c.Refuse(plural=True),
    c.Raise(stones=1),
    c.Reenvido(),
)
"""Every kind of talk but declarations, with its smallest number, as ``legal_calls`` lists it."""


def said_plainly(state: State) -> Iterator[tuple[c.Call, c.Call]]:
    """All talk by all seats: how it is said, and how ``legal_calls`` would list it.

    It is said so that nothing is left to infer: the speaker is known, and where there is a lance to
    name it is named. After the count "mus" begins the next deal by itself: that is left out.
    """
    for seat in (*state.order(), 0, state.players + 1):
        for call in TALK:
            if state.phase is Phase.COUNT and isinstance(call, c.Mus | c.Cut):
                continue
            listed = replace(call, seat=seat)
            yield replace(listed, lance=_present(state)), listed
        yield from ((call, call) for call in _declarations(state, seat))
    yield c.NextDeal(), c.NextDeal()


def _present(state: State) -> Lance | None:
    return Lance.GRANDE if state.phase in (Phase.MUS, Phase.DISCARD) else state.lance


def _declarations(state: State, seat: int) -> Iterator[c.Call]:
    """Declarations of the round that is on, and corrections of one that was."""
    if state.phase in DECLARING:
        yield c.Declare(seat=seat, holds=True)
        yield c.Declare(seat=seat, holds=False)
    elif not state.pending and state.phase in (Phase.PARES, Phase.JUEGO, Phase.PUNTO):
        # With the lance named: a declaration of a later lance would close this one.
        lance = Lance.PARES if state.phase is Phase.PARES else Lance.JUEGO
        yield c.Declare(seat=seat, lance=lance)
        yield c.Declare(seat=seat, lance=lance, holds=False)
    if state.phase is Phase.JUEGO_SAY:
        yield c.Declare(seat=seat, lance=Lance.PARES)
    if state.phase is Phase.SHOWDOWN:
        yield c.Declare(seat=seat, lance=Lance.JUEGO)


def deal(random: Random) -> tuple[Hand, ...]:
    """Four hands from one shuffled deck."""
    deck = list(DECK)
    random.shuffle(deck)
    return tuple(tuple(deck[i : i + 4]) for i in range(0, 16, 4))


def ranks(hand: Hand) -> str:
    """The ranks of a hand as one word, "RRC1"."""
    return "".join(card.rank.value for card in hand)


def turned_seat(seat: int, players: int = 4) -> int:
    """The next seat: the same table looked at from one chair further."""
    return seat % players + 1 if 1 <= seat <= players else seat


def turned_side(side: str) -> str:
    """The side that a side becomes when every player moves one chair."""
    return {"A": "B", "B": "A"}[side]


def turned_call(call: c.Call) -> c.Call:
    """The same call in the mouth of the next player."""
    if isinstance(call, c.NextDeal) and call.mano is not None:
        return replace(call, mano=turned_seat(call.mano))
    if isinstance(call, c.SetStones):
        return replace(call, stones=call.stones[::-1])
    return replace(call, seat=turned_seat(call.seat)) if call.seat is not None else call


def turned_event(event: e.Event) -> e.Event:
    """The same event with every seat one further and the sides exchanged."""
    changes: dict[str, object] = {}
    for name in ("seat", "mano"):
        if hasattr(event, name):
            changes[name] = turned_seat(getattr(event, name))
    side = getattr(event, "side", None)
    if side is not None:
        changes["side"] = turned_side(side)
    if isinstance(event, e.StonesSet):
        changes["stones"] = event.stones[::-1]
    return replace(event, **changes) if changes else event


__all__ = ["Card", "deal", "ranks", "said_plainly", "turned_call", "turned_event"]
