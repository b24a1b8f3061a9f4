"""Exercises that the judge of calls grades: accept a bet, cut the mus, throw cards.

The moments come from deals that maestro plays at any score. Each moment is first judged in a few
simulated worlds, and the one that is chosen in many. The cost of an answer is the difference to the
best answer, in chance to win the juego.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from assistant.rules import calls as c
from assistant.rules.calls import Call
from assistant.rules.cards import HAND_SIZE
from assistant.rules.engine import decide, to_speak
from assistant.rules.hands import value
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, DECLARING, Lance, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.school.drills.exercises import (
    MAKERS,
    DrillChoice,
    DrillError,
    DrillKind,
    Exercise,
    drilled,
    kind_of,
    laid,
    name_of,
    opened,
    parts_of,
)
from assistant.school.judge import Judge
from assistant.school.players import Novice, Sight, sight_of
from assistant.school.players.maestro import Maestro, why_untaught
from assistant.school.practice import Pack, changed, dealt
from assistant.school.practice.reasons import declaration

RIGHT_UP_TO = 0.5
"""The most points of the juego that a right answer costs: a smaller difference may be chance."""
DOUBTFUL_UP_TO = 2.0
"""The most points that a doubtful answer costs; one that costs more is a mistake."""
GLANCE, LOOK = 100, 800
"""The worlds for the first judgement of a moment, and for the final one of the chosen moment."""
CALL_SHARE = 4
"""Calls are tried in this many times fewer worlds, for each of as many ways of playing."""
THROW_SHARE = 2
"""Throws are tried in this many times fewer worlds, because there are fifteen of them."""
GLANCE_ERRS = 0.7
"""Points by which the first judgement may miss the wanted level, and still lead to a final one."""
ORDAGOS = 0.25
"""The share of bets that are órdagos."""
MOST_MOMENTS, MOST_LOOKS = 12, 2
"""The most moments that get a first judgement, and a final one; then the nearest is taken."""
BEGINNERS_MOST = 24
"""The most stones of a pair at the first two levels, where no juego is about to end."""
SEED = 1
"""The seed of the worlds, so that an answer costs the same whenever the exercise is asked."""
SEATS = 4
ME = 1
"""The learner's seat."""
Range = tuple[float, float]
CUT_LEVELS: dict[int, Range] = {
    1: (1.8, 100.0), 2: (1.3, 1.8), 3: (1.0, 1.3), 4: (0.8, 1.0), 5: (0.6, 0.8),
}  # fmt: skip
"""Level -> the points of the juego between mus and no mus."""
WANT_LEVELS: dict[int, Range] = {
    1: (3.5, 100.0), 2: (2.5, 3.5), 3: (1.8, 2.5), 4: (1.2, 1.8), 5: (0.8, 1.2),
}  # fmt: skip
"""Level -> the points between wanting and refusing."""
THROW_LEVELS: dict[int, Range] = {
    1: (0.0, 0.3), 2: (0.3, 1.0), 3: (1.0, 2.0), 4: (2.0, 3.5), 5: (3.5, 100.0),
}  # fmt: skip
"""Level -> the cost of a beginner's throw, which keeps the reyes, or without any the ases."""


@dataclass(frozen=True, slots=True)
class DrillMoment:
    """A moment of a deal in which the learner is to speak, and what was said until then."""

    sight: Sight
    said: tuple[tuple[Lance | None, Call], ...]


def exercise_of(name: str, profile: Profile, judge: Judge | None) -> Exercise:
    """The exercise of a name, always the same. Raises DrillError.

    ``judge`` None: there is no judge, and so none of the exercises that need one.
    """
    return _made(name, drilled(profile), judge)


@lru_cache(maxsize=64)
def _made(name: str, profile: Profile, judge: Judge | None) -> Exercise:
    skill, level, seed = parts_of(name)
    dice = random.Random(name)
    if make := MAKERS.get(skill):
        return replace(make(skill, level, dice, profile), name=name)
    if judge is None or why_untaught(profile, judge.tables.lore.kings):
        raise DrillError("There is no exercise {name!r}.", name=name)
    found = _JUDGED[kind_of(skill)](skill, level, dice, profile, judge)
    return replace(found, name=name_of(skill, level, seed))


def is_judged(kind: DrillKind) -> bool:
    """Whether the exercises of a kind need the judge."""
    return kind in _JUDGED


# ---- The deals that the moments come from -------------------------------------------------------


def _deal(
    dice: random.Random,
    profile: Profile,
    judge: Judge,
    level: int,
    *,
    mus: bool = False,
    lance: Lance | None = None,
) -> Iterator[DrillMoment]:
    """A deal at any score, call by call, as the learner sees it who sits in the first seat.

    ``mus``: all say mus once, so that cards are thrown.
    ``lance``: the deal is given up once nobody can bet against the learner at this lance any more;
    None: once the mus is cut.
    """
    pack = dealt(dice)
    pack = replace(pack, hands=(laid(pack.hand(ME), profile), *pack.hands[1:]))
    most = profile.target - 1 if level > 2 else min(profile.target - 1, BEGINNERS_MOST)
    stones = (dice.randint(0, most), dice.randint(0, most))
    state = replace(
        opened(profile, dice.randint(1, SEATS)), stones=stones, before=stones, corrido=False
    )
    lore = judge.tables.lore
    players = [Maestro(lore, Novice(), dice.randrange(2**32)) for _ in range(SEATS)]
    said: list[tuple[Lance | None, Call]] = []
    while state.phase not in (*AFTER_DEAL, Phase.SHOWDOWN):
        if state.phase not in BEFORE_LANCES and not _may_come(lance, state, pack):
            return
        seat = to_speak(state)
        if seat is None:
            return
        sight = sight_of(state, seat, pack.hand(seat))
        if seat == ME and judge.able(sight):
            yield DrillMoment(sight, tuple(said))
        if state.phase in DECLARING:
            call: Call = declaration(sight)
        else:
            asked = sight.can(c.Mus) if mus else None
            call = asked or players[seat - 1].call(sight)
        said.append((state.lance, call))
        before, state = state, decide(state, call).state
        if state.discards != before.discards:
            if mus:
                yield DrillMoment(sight_of(state, ME, pack.hand(ME)), tuple(said))
                return
            thrown = {
                one: players[one - 1].discard(sight_of(state, one, pack.hand(one)))
                for one in state.order()
            }
            pack = changed(pack, thrown, state.order(), dice)
            pack = replace(pack, hands=(laid(pack.hand(ME), profile), *pack.hands[1:]))


def _may_come(lance: Lance | None, state: State, pack: Pack) -> bool:
    """Whether somebody may still bet against the learner at a lance, once the mus is cut."""
    if lance is None or any(result.lance is lance for result in state.results):
        return False
    if lance in (Lance.GRANDE, Lance.CHICA):
        return True
    declared = Lance.JUEGO if lance is Lance.PUNTO else lance
    hands = (value(hand, state.profile) for hand in pack.hands)
    mine, *others = (hand.key(declared) is not None for hand in hands)
    if lance is Lance.PUNTO:
        return not (mine or any(others))
    return mine and (others[0] or others[2])


def _taken(
    moments: Iterator[DrillMoment],
    apart: Callable[[DrillMoment, int], float],
    wanted: Range,
    at_least: float = RIGHT_UP_TO,
) -> DrillMoment:
    """The first moment whose answers are as far apart as wanted, or the nearest of many.

    A judgement in few worlds picks candidates; one in many decides, because the first errs by a
    point or two. ``at_least``: the least points between the answers.
    """
    best: DrillMoment | None = None
    missed, looks = float("inf"), 0
    for number, moment in enumerate(moments):
        if best and (looks >= MOST_LOOKS or number >= MOST_MOMENTS):
            break
        if _miss(apart(moment, GLANCE), wanted) > GLANCE_ERRS and number < MOST_MOMENTS:
            continue
        looks += 1
        points = apart(moment, LOOK)
        if points <= at_least:
            continue  # if no answer is wrong, there is nothing to ask
        miss = _miss(points, wanted)
        if miss < missed:
            best, missed = moment, miss
        if miss == 0.0:
            break
    if best is None:
        raise DrillError("There is no exercise here: ask for another one.")
    return best


def _miss(points: float, wanted: Range) -> float:
    return max(wanted[0] - points, points - wanted[1], 0.0)


MOST_DEALS = 2000
"""After this many deals without a moment of a kind, the search ends."""


def _moments(
    fits: Callable[[State], bool],
    dice: random.Random,
    profile: Profile,
    judge: Judge,
    level: int,
    lance: Lance | None,
) -> Iterator[DrillMoment]:
    for _ in range(MOST_DEALS):
        for moment in _deal(dice, profile, judge, level, lance=lance):
            if fits(moment.sight.state):
                yield moment
                break


# ---- ¿Quieres? ----------------------------------------------------------------------------------


def _wants(skill: str, level: int, dice: random.Random, profile: Profile, judge: Judge) -> Exercise:
    lance = Lance(skill.partition(".")[2])

    all_in = dice.random() < ORDAGOS

    def fits(state: State) -> bool:
        bet = state.pending
        return state.lance is lance and bet is not None and bet.ordago is all_in

    def apart(moment: DrillMoment, worlds: int) -> float:
        return _between(moment.sight, (c.Accept, c.Refuse), judge, worlds)

    taken = _taken(_moments(fits, dice, profile, judge, level, lance), apart, WANT_LEVELS[level])
    return _called(skill, level, taken, lance, judge)


def _between(
    sight: Sight, kinds: tuple[type[Call], type[Call]], judge: Judge, worlds: int
) -> float:
    """The points of the juego between two calls."""
    judged = judge.judge(sight, worlds=worlds // CALL_SHARE, seed=SEED)
    worth = {type(one.call): one.chance for one in judged.calls}
    if not all(kind in worth for kind in kinds):
        return -1.0
    return 100 * abs(worth[kinds[0]] - worth[kinds[1]])


CALL_ORDER = (c.Accept, c.Refuse, c.Mus, c.Cut, c.Raise, c.Ordago)
"""The order of the answers, which does not depend on their worth."""


def _called(
    skill: str, level: int, moment: DrillMoment, lance: Lance | None, judge: Judge
) -> Exercise:
    judged = judge.judge(moment.sight, worlds=LOOK // CALL_SHARE, seed=SEED)
    order = sorted(
        judged.calls,
        key=lambda one: (CALL_ORDER.index(type(one.call)), getattr(one.call, "stones", 0) or 0),
    )
    costs = [100 * (judged.best.chance - one.chance) for one in order]
    choices = tuple(
        DrillChoice("", cost <= RIGHT_UP_TO, cost, one.call)
        for one, cost in zip(order, costs, strict=True)
    )
    sight = moment.sight
    return Exercise("", skill, level, (sight.hand,), choices, lance, sight, moment.said)


# ---- ¿Cortas? -----------------------------------------------------------------------------------


def _cuts(skill: str, level: int, dice: random.Random, profile: Profile, judge: Judge) -> Exercise:
    def fits(state: State) -> bool:
        return state.phase in BEFORE_LANCES

    def apart(moment: DrillMoment, worlds: int) -> float:
        return _between(moment.sight, (c.Mus, c.Cut), judge, worlds)

    taken = _taken(_moments(fits, dice, profile, judge, level, None), apart, CUT_LEVELS[level])
    return _called(skill, level, taken, None, judge)


# ---- ¿Qué tiras? --------------------------------------------------------------------------------


def _throws(
    skill: str, level: int, dice: random.Random, profile: Profile, judge: Judge
) -> Exercise:
    def apart(moment: DrillMoment, worlds: int) -> float:
        costs = _throw_costs(moment.sight, judge, worlds)
        return costs[_bits(Novice().discard(moment.sight))]

    moments = (
        moment
        for _ in range(MOST_DEALS)
        for moment in _deal(dice, profile, judge, level, mus=True)
        if moment.sight.state.discards == 1
    )
    taken = _taken(moments, apart, THROW_LEVELS[level], at_least=-1.0)
    costs = _throw_costs(taken.sight, judge, LOOK)
    choices = tuple(
        DrillChoice(str(bits), costs[bits] <= RIGHT_UP_TO, costs[bits])
        for bits in range(1, 1 << HAND_SIZE)
    )
    sight = taken.sight
    return Exercise("", skill, level, (sight.hand,), choices, None, sight, taken.said)


def _throw_costs(sight: Sight, judge: Judge, worlds: int) -> dict[int, float]:
    """What each throw costs, by the bits of its places; alike cards make alike throws."""
    strengths = [value((card,), sight.state.profile).grande[0] for card in sight.hand]

    def away(places: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(strengths[place] for place in places))

    judged = judge.judge_throw(sight, worlds=worlds // THROW_SHARE, seed=SEED)
    chances = {away(one.places): one.chance for one in judged}
    best = max(chances.values())
    return {
        bits: 100 * (best - chances[away(places_of(bits))]) for bits in range(1, 1 << HAND_SIZE)
    }


def places_of(bits: int) -> tuple[int, ...]:
    """The places, from 0, that a number of a throw stands for."""
    return tuple(place for place in range(HAND_SIZE) if bits >> place & 1)


def _bits(places: tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


_JUDGED: dict[DrillKind, Callable[[str, int, random.Random, Profile, Judge], Exercise]] = {
    DrillKind.WANTS: _wants,
    DrillKind.CUTS: _cuts,
    DrillKind.THROWS: _throws,
}
