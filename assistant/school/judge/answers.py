"""How the judge that ships weighs the answers of an evening, for the report."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.review.report import WeighedAnswer, weigh_alone
from assistant.rules import calls as c
from assistant.rules.cards import Hand
from assistant.rules.events import Event
from assistant.rules.hands import value
from assistant.rules.state import State
from assistant.school.judge.judging import shipped_judge
from assistant.school.players import sight_of

WORLDS = 150
"""Worlds for each answer and way of playing; fewer than for an advice, because an evening has
hundreds of answers."""


def weigh(state: State, seat: int, hand: Hand, events: Sequence[Event]) -> WeighedAnswer | None:
    """Weigh the bet that waits for a seat with a hand: see ``Weigh``.

    House rules that maestro never learnt are weighed by the cards alone.
    """
    judge, sight = shipped_judge(), sight_of(state, seat, hand, events=events)
    if not (judge.able(sight) and sight.can(c.Accept) and sight.can(c.Refuse)):
        return weigh_alone(state, seat, hand, events)
    held = value(hand, state.profile)
    holds = (state.pares[seat - 1], held.pares is not None), (state.juego[seat - 1], held.juego)
    if any(said is not None and said is not true for said, true in holds):
        return None  # what was declared was not true: nobody can tell what the others took from it
    found = judge.judge(sight, worlds=WORLDS)
    accept, refuse = (found.of(kind(seat=seat)).chance for kind in (c.Accept, c.Refuse))
    return WeighedAnswer(accept, refuse, 100 * (accept - refuse))
