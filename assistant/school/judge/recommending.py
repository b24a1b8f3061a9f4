"""An advice with its one reason: the call, the chance that it leaves, and the number that says why.

A reason is never a guess. The score is the reason only if another call would be better with the
same cards at 0 to 0; what was said is the reason only if another call would be better without it.
Otherwise the reason is the rivals' answer, or how often the pair wins the lance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from assistant.rules.calls import Call
from assistant.rules.cards import Hand
from assistant.rules.phases import BEFORE_LANCES
from assistant.school.judge.judging import Judge, Judgement, Valued
from assistant.school.players.beginners import Sight

CLEARLY = 1.0
"""A call is called worse only if it is worth at least this many points of the juego less."""
MOSTLY = 0.5
OFTEN = 0.1
"""The least frequency of ties that are mentioned."""


class Because(StrEnum):
    """The kinds of reasons for an advice."""

    SCORE = "score"
    """At 0 to 0 another call would be better."""
    HEARD = "heard"
    """By the cards and the declarations alone another call would be better."""
    REFUSED = "refused"
    """The rivals mostly refuse, although the pair would mostly lose."""
    TIE_OURS = "tie_ours"
    """Both pairs often hold as much, and the place gives it to this pair."""
    TIE_THEIRS = "tie_theirs"
    """The same for the other pair."""
    WINS = "wins"
    """How often the pair wins the lance."""
    DEALT = "dealt"
    """The value of average cards at this score and place."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An advice.

    best     the call that is advised; other: the best one of another kind, if there is one
    because  why; share: the number that shows it, 0 to 1; instead: the call that would be better
    """

    best: Valued
    other: Valued | None
    because: Because
    share: float
    instead: Call | None = None


def recommend(
    judge: Judge,
    sight: Sight,
    *,
    thrown: Mapping[int, int] | None = None,
    known: Mapping[int, Hand] | None = None,
    worlds: int | None = None,
    seed: int = 0,
) -> tuple[Recommendation, Judgement]:
    """Advise where ``judge`` is able to; the judgement that the advice was taken from."""
    many = {} if worlds is None else {"worlds": worlds}

    def judged(seen: Sight, *, heard: bool = True) -> Judgement:
        return judge.judge(seen, seed=seed, thrown=thrown, known=known, heard=heard, **many)

    found = judged(sight)
    best = found.advised
    other = next((one for one in found.calls if type(one.call) is not type(best.call)), None)

    def made(because: Because, share: float, instead: Call | None = None) -> Recommendation:
        return Recommendation(best, other, because, share, instead)

    if any(sight.state.stones):
        level = judged(_level(sight))
        if instead := _another(level, best.call):
            return made(Because.SCORE, level.of(best.call).chance, instead), found
    if sight.state.phase in BEFORE_LANCES:
        return made(Because.DEALT, _any_cards(judge, sight)), found
    assert found.wins is not None
    assert found.ties is not None
    alone = judged(sight, heard=False)
    if instead := _another(alone, best.call):
        assert alone.wins is not None
        return made(Because.HEARD, alone.wins, instead), found
    if best.refused is not None and best.refused >= MOSTLY and found.wins < MOSTLY:
        return made(Because.REFUSED, best.refused), found
    ours, theirs = found.ties
    if max(ours, theirs) >= OFTEN:
        tie = Because.TIE_OURS if ours >= theirs else Because.TIE_THEIRS
        return made(tie, max(ours, theirs)), found
    return made(Because.WINS, found.wins), found


def _level(sight: Sight) -> Sight:
    """The same moment at 0 to 0."""
    state = replace(sight.state, stones=(0,) * sight.state.sides)
    return replace(sight, state=state)


def _another(judged: Judgement, call: Call) -> Call | None:
    """The call that would be advised instead of this one, if it is clearly worth more."""
    if type(judged.advised.call) is type(call) or judged.lost(call) < CLEARLY:
        return None
    return judged.advised.call


def _any_cards(judge: Judge, sight: Sight) -> float:
    """The chance of the own pair before any cards are seen."""
    state, values = sight.state, judge.tables.lore.values
    side = (sight.seat - 1) % 2
    needs = [state.profile.target - stones for stones in state.stones]
    mine, theirs = needs[side], needs[1 - side]
    if (sight.seat - state.mano) % 2 == 0:
        return float(values[mine, theirs])
    return 1.0 - float(values[theirs, mine])
