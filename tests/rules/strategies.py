"""Helpers of the stateful and the oracle tests: all calls at a table, and dealt hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import DECK, Card, Hand
from assistant.rules.legal import refusal
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.state import SIDE_LETTERS, State


def talk(state: State) -> tuple[c.Call, ...]:
    """All calls but declarations, each with the smallest number of the house."""
    choices = state.pending.choices if state.pending else ()
    return (
        c.Mus(),
        c.Cut(),
        c.Pass(),
        c.Bet(stones=state.profile.min_bet),
        c.Bet(stones=state.profile.min_bet, both=True),
        c.Ordago(),
        c.Ordago(both=True),
        *(c.Accept(stones=stones) for stones in choices),
        *(() if choices else (c.Accept(),)),
        c.Refuse(),
        c.Refuse(plural=True),
        c.Raise(stones=state.profile.min_raise),
        c.Reenvido(),
        c.Pedrete(),
    )


def said_plainly(state: State) -> Iterator[tuple[c.Call, c.Call]]:
    """All calls by all seats, as they are said and as ``legal_calls`` would list them.

    Nothing is left to infer: the speaker is known, and the lance is named where there is one. Two
    cases are left out: after the count "mus" begins the next deal by itself, and with auto_declare
    a bet closes the declarations.
    """
    inferred: tuple[type[c.Call], ...] = ()
    if state.phase is Phase.COUNT:
        inferred = (c.Mus, c.Cut)
    elif state.phase in DECLARING and state.profile.auto_declare:
        inferred = (c.Bet, c.Ordago)
    for seat in (*state.order(), 0, state.players + 1):
        for call in talk(state):
            if isinstance(call, inferred):
                continue
            listed = _smallest_allowed(state, replace(call, seat=seat))
            yield replace(listed, lance=_present(state)), listed
        yield from ((call, call) for call in _declarations(state, seat))
    yield c.NextDeal(), c.NextDeal()
    for apply in (True, False):
        yield c.Verdict(apply=apply), c.Verdict(apply=apply)
    yield from ((call, call) for call in _claims(state))


def _smallest_allowed(state: State, call: c.Call) -> c.Call:
    """A bet or a raise over a bet with the smallest number that the rules allow, if one is."""
    if state.pending is None or not isinstance(call, c.Bet | c.Raise):
        return call
    numbers = range(1, state.pending.stones + 5)
    ways = (replace(call, stones=stones) for stones in numbers)
    return next((way for way in ways if refusal(state, way) is None), call)


def _claims(state: State) -> Iterator[c.Call]:
    """Every claim that could be made at a showdown, without the lances claimed already."""
    if state.phase is not Phase.SHOWDOWN:
        return
    most = state.players // state.sides
    for lance in Lance:
        result = state.result(lance)
        if result is not None and result.claimed is not None:
            continue
        for side in SIDE_LETTERS[: state.sides]:
            for hands in range(most + 1):
                for values in combinations_with_replacement((1, 2, 3), hands):
                    if not _is_values_ordago(state, lance):
                        yield c.ClaimLance(lance=lance, side=side, values=values)
            if _is_values_ordago(state, lance):
                yield c.ClaimLance(lance=lance, side=side)


def _is_values_ordago(state: State, lance: Lance) -> bool:
    """Whether this is an órdago at pares or juego. Its claim may name values; none are listed."""
    result = state.result(lance)
    return result is not None and result.how is e.How.ORDAGO and lance in (Lance.PARES, Lance.JUEGO)


def _present(state: State) -> Lance | None:
    return Lance.GRANDE if state.phase in (Phase.MUS, Phase.DISCARD) else state.lance


def _declarations(state: State, seat: int) -> Iterator[c.Call]:
    """The declarations of this round, and corrections of the last one."""
    if state.phase in DECLARING:
        yield c.Declare(seat=seat, holds=True)
        yield c.Declare(seat=seat, holds=False)
    elif not state.pending and state.phase in (Phase.PARES, Phase.JUEGO, Phase.PUNTO):
        # The lance is named, because a declaration of a later lance would close this one.
        lance = Lance.PARES if state.phase is Phase.PARES else Lance.JUEGO
        yield c.Declare(seat=seat, lance=lance)
        yield c.Declare(seat=seat, lance=lance, holds=False)
    if state.phase is Phase.JUEGO_SAY:
        yield c.Declare(seat=seat, lance=Lance.PARES)
    if state.phase is Phase.SHOWDOWN:
        yield c.Declare(seat=seat, lance=Lance.JUEGO)


def deal(random: Random, players: int = 4) -> tuple[Hand, ...]:
    """One hand for each player, from one shuffled deck."""
    deck = list(DECK)
    random.shuffle(deck)
    return tuple(tuple(deck[i : i + 4]) for i in range(0, 4 * players, 4))


def ranks(hand: Hand) -> str:
    """The ranks of a hand as one word, "RRC1"."""
    return "".join(card.rank.value for card in hand)


def turned_seat(seat: int, players: int) -> int:
    """The seat one chair further."""
    return seat % players + 1 if 1 <= seat <= players else seat


def turned_side(side: str, sides: int) -> str:
    """The side that a side becomes when every player moves one chair."""
    return SIDE_LETTERS[(SIDE_LETTERS.index(side) + 1) % sides]


def turned_stones(stones: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers by side, after every player has moved one chair."""
    return (*stones[-1:], *stones[:-1])


def turned(value: Any, state: State) -> Any:
    """A call or event with every seat and side moved one chair further."""
    changes: dict[str, object] = {}
    for name in ("seat", "mano", "player"):
        if (seat := getattr(value, name, None)) is not None:
            changes[name] = turned_seat(seat, state.players)
    for name in ("side", "claimed"):
        if (side := getattr(value, name, None)) is not None:
            changes[name] = turned_side(side, state.sides)
    if isinstance(value, e.StonesSet | c.SetStones):
        changes["stones"] = turned_stones(value.stones)
    return replace(value, **changes) if changes else value


__all__ = ["Card", "deal", "ranks", "said_plainly", "turned", "turned_seat", "turned_side"]
