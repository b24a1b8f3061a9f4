"""How a call is said at the table, and which call an event tells of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.apprentice.words import Tongue
from assistant.phrases.language import sentence
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.phases import DECLARING, LANCE_OF, Lance
from assistant.rules.state import State


def said(call: c.Call, state: State, tongue: Tongue) -> str:
    """The words of a call, with a capital; ``state`` is the table before it."""
    key = saying_of(call, state)
    words: dict[str, str] = {}
    if isinstance(stones := getattr(call, "stones", None), int):
        words["n"] = tongue.spoken.stones(stones)
    if isinstance(call, c.NextDeal) and call.mano:
        words["name"] = state.seats[call.mano - 1]
    return sentence(tongue.calls[key].format(**words))


def saying_of(call: c.Call, state: State) -> str:
    """The key of a call's words."""
    match call:
        case c.Bet(stones=stones, both=both):
            plain = stones == c.ENVIDO and state.pending is None
            return f"bet{'_both' if both else ''}{'' if plain else '_n'}"
        case c.Ordago(both=True):
            return "ordago_both"
        case c.Accept(stones=int()):
            return "accept_n"
        case c.Refuse(plural=True):
            return "refuse_plural"
        case c.Declare():
            return declaring(call, state)
        case c.NextDeal(mano=int()):
            return "mano"
        case _:
            return _PLAIN[type(call)]


def declaring(call: c.Declare, state: State) -> str:
    """Whether it is said in its round, or puts right what was said before (R50)."""
    lance = call.lance or state.lance or Lance.PARES
    if state.phase in DECLARING and LANCE_OF[state.phase] is lance:
        said_before = call.seat is not None and state.declared(lance)[call.seat - 1] is not None
        if not said_before:
            return f"{'holds' if call.holds else 'lacks'}_{lance}"
    return f"put_right_{lance}" if call.holds else f"lacks_{lance}"


_PLAIN: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Raise: "raise",
    c.Reenvido: "reenvido",
    c.Ordago: "ordago",
    c.Accept: "accept",
    c.Refuse: "refuse",
    c.Pedrete: "pedrete",
    c.NextDeal: "next_deal",
}


def call_of(event: e.Event) -> c.Call | None:
    """The call that an event tells of; ``None`` where it tells of no words, or of none spoken."""
    if getattr(event, "implied", False):
        return None
    make = _CALLS.get(type(event))
    return make(event) if make else None


_CALLS: dict[type[e.Event], Callable[[Any], c.Call]] = {
    e.MusAsked: lambda event: c.Mus(seat=event.seat),
    e.MusCut: lambda event: c.Cut(seat=event.seat),
    e.PedreteSung: lambda event: c.Pedrete(seat=event.seat),
    e.Passed: lambda event: c.Pass(seat=event.seat),
    e.BetMade: lambda event: c.Bet(seat=event.seat, stones=event.stones, both=event.both),
    e.BetRaised: lambda event: c.Raise(seat=event.seat, stones=event.stones),
    e.OrdagoMade: lambda event: c.Ordago(seat=event.seat, both=event.both),
    e.BetAccepted: lambda event: c.Accept(seat=event.seat, stones=event.stones),
    e.BetRefused: lambda event: c.Refuse(seat=event.seat, plural=event.plural),
    e.Declared: lambda event: c.Declare(seat=event.seat, lance=event.lance, holds=event.holds),
}
