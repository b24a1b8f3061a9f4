"""Why a call was made, and what a beginner would call: facts and codes; the page has the words.

A reason tells of a computer player's call how far it trusts its cards, never the cards themselves:
the others at the table read it too. An advice is for whoever holds the cards, and names them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.players import Novice, Sight
from assistant.players.strength import Other, Strength
from assistant.rules import calls as c
from assistant.rules.hands import value
from assistant.rules.phases import BEFORE_LANCES, DECLARING, Lance

SURE, LIKELY = 0.75, 0.5
"""Chances to win a lance from which one is sure, and trusts it more than not."""
REY, AS = 10, 1
"""Strengths at grande; treses count as reyes and doses as ases where eight are played."""
NOVICE = Novice()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a player called something.

    code   what was called: "mus", "cut", "pass", "bet", "raise", "ordago", "accept", "refuse",
           "declare"
    trust  "sure", "likely" or "poor": whether its pair wins the lance; "" where that is no matter
    deje   stones that a refusal gives, 0 where nothing is refused
    """

    code: str
    trust: str = ""
    deje: int = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """What a beginner would do with a hand, and what in the hand tells it.

    call    the call, None where cards are thrown: then ``places`` are theirs, from 0
    reyes, ases  how many; pares: 0 none, 1 pareja, 2 medias, 3 duples; points: of the four cards
    """

    call: c.Call | None
    places: tuple[int, ...]
    reyes: int
    ases: int
    pares: int
    points: int


CODES: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Bet: "bet",
    c.Raise: "raise",
    c.Ordago: "ordago",
    c.Accept: "accept",
    c.Refuse: "refuse",
    c.Declare: "declare",
}
"""The kinds of call that are made in a practice game, and what the page calls each."""


def why(sight: Sight, call: c.Call, strength: Strength) -> Reason:
    """Why a player with this sight made a call that it can make."""
    code = CODES[type(call)]
    if sight.state.phase in (*BEFORE_LANCES, *DECLARING):
        return Reason(code)
    chance = wins(sight, strength)
    trust = "sure" if chance >= SURE else "likely" if chance >= LIKELY else "poor"
    pending = sight.state.pending
    return Reason(code, trust, pending.deje if pending else 0)


def wins(sight: Sight, strength: Strength) -> float:
    """The chance, 0 to 1, that the pair wins the lance, by the own cards and what was declared."""
    state, lance = sight.state, sight.state.lance
    if lance is None:
        return 0.0
    order = state.order()
    declared = state.declared(lance) if lance in (Lance.PARES, Lance.JUEGO) else ()
    others = tuple(
        Other(
            ours=seat in sight.partners,
            place=order.index(seat),
            holds=declared[seat - 1] if declared else None,
        )
        for seat in order
        if seat != sight.seat
    )
    mine = strength.number(sight.hand)
    return strength.wins(mine, order.index(sight.seat), lance, others)


def advice(sight: Sight, *, throws: bool) -> Advice:
    """What a beginner would do: throw cards, or else call; ``sight.legal`` holds a call then."""
    held = value(sight.hand, sight.state.profile)
    facts = Advice(
        call=None,
        places=(),
        reyes=held.grande.count(REY),
        ases=held.grande.count(AS),
        pares=held.pares.value if held.pares else 0,
        points=held.points,
    )
    if throws:
        return replace(facts, places=NOVICE.discard(sight))
    if sight.state.phase in DECLARING:
        return replace(facts, call=declaration(sight))
    return replace(facts, call=NOVICE.call(sight))


def declaration(sight: Sight) -> c.Declare:
    """What the cards hold, as it has to be declared: pares, or else juego (R16)."""
    held = value(sight.hand, sight.state.profile)
    holds = held.pares is not None if sight.state.lance is Lance.PARES else held.juego
    return c.Declare(seat=sight.seat, holds=holds)
