"""Exercises that the rules alone can grade: who wins a lance, and what cards are worth.

An exercise is made from its name, such as "gana.pares-3-4711": the skill that it trains, its level
from 1 to 5, and a seed. The same name makes the same exercise, so exercises need not be kept. Pure.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

from assistant.rules import calls as c
from assistant.rules.calls import Call
from assistant.rules.cards import DECK, HAND_SIZE, SUITS, Card, Hand, Rank
from assistant.rules.engine import apply, decide, legal_calls, missing_hands, open_game, to_speak
from assistant.rules.errors import MusError
from assistant.rules.events import How
from assistant.rules.hands import POINTS, STRENGTH, ParesKind, best_seat, value
from assistant.rules.phases import (
    BEFORE_LANCES,
    CHICA,
    DECLARING,
    GRANDE,
    JUEGO,
    PARES,
    PUNTO,
    Lance,
    Phase,
)
from assistant.rules.profile import Profile, Real31, Sides
from assistant.rules.state import State
from assistant.school.players import Sight

# ---- The parts of an exercise -------------------------------------------------------------------


class DrillKind(StrEnum):
    """What is asked."""

    WINS = "gana"
    """Who wins a lance with these hands?"""
    WORTH = "vale"
    """How many points, pares or stones?"""
    WANTS = "quieres"
    """A bet waits: do you want it?"""
    CUTS = "cortas"
    """Mus, or no mus?"""
    THROWS = "tiras"
    """Which cards do you throw?"""


LANCES = (GRANDE, CHICA, PARES, JUEGO, PUNTO)
POINTS_OF, PARES_OF, STONES_OF, COUNT_OF = "puntos", "pares", "piedras", "cuenta"
"""What ¿cuánto vale? asks: points, pares, the stones of juego or punto, a whole lance."""
SKILLS: tuple[str, ...] = (
    "gana.grande", "vale.puntos", "gana.chica", "vale.pares", "gana.pares", "vale.piedras",
    "gana.juego", "gana.punto", "vale.cuenta", "tiras", "cortas",
    "quieres.grande", "quieres.chica", "quieres.pares", "quieres.juego", "quieres.punto",
)  # fmt: skip
"""The skills, in the order in which a newcomer meets them."""
LEVELS = 5
MOST_SEEDS = 1_000_000
SHORTEST = 30
"""The stones of a juego in the exercises, at least."""
NAMES = ("Ana", "Luis", "Eva", "Juan")
"""Who plays in the exercises, as in the lessons; the learner has the first seat."""


class DrillError(MusError):
    """A name to which there is no exercise."""


@dataclass(frozen=True, slots=True)
class DrillChoice:
    """One answer, and what it costs.

    key   what the words call it: a number, a kind of pares, or "" where ``call`` says it
    cost  points of the juego, 0 to 100; None where an answer is right or wrong, and no more
    """

    key: str
    right: bool
    cost: float | None = None
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise.

    hands    from mano; of the judged kinds the learner's own hand alone
    choices  the answers; of ¿qué tiras? one for each set of cards, by its bits
    sight    the moment, of the judged kinds
    said     what was called before in the lance, by the calls' own seats
    counted  the table after the count, where stones are asked for
    """

    name: str
    skill: str
    level: int
    hands: tuple[Hand, ...]
    choices: tuple[DrillChoice, ...]
    lance: Lance | None = None
    sight: Sight | None = None
    said: tuple[tuple[Lance | None, Call], ...] = ()
    counted: State | None = None

    @property
    def kind(self) -> DrillKind:
        """What it asks."""
        return kind_of(self.skill)

    @property
    def best(self) -> int:
        """The number of the best answer."""
        costs = [0.0 if one.right and one.cost is None else one.cost for one in self.choices]
        return min(range(len(costs)), key=lambda n: 100.0 if (x := costs[n]) is None else x)


def kind_of(skill: str) -> DrillKind:
    """The kind that a skill belongs to."""
    return DrillKind(skill.partition(".")[0])


def name_of(skill: str, level: int, seed: int) -> str:
    """The name of an exercise."""
    return f"{skill}-{level}-{seed}"


def parts_of(name: str) -> tuple[str, int, int]:
    """Skill, level and seed. Raises DrillError."""
    skill, _, rest = name.partition("-")
    level, _, seed = rest.partition("-")
    numbers = (level + seed).isascii() and level.isdecimal() and seed.isdecimal()
    if skill in SKILLS and numbers and len(level) == 1 and len(seed) <= len(str(MOST_SEEDS)):
        found = skill, int(level), int(seed)
        if 1 <= found[1] <= LEVELS and name == name_of(*found):
            return found
    raise DrillError("There is no exercise {name!r}.", name=name[:40])


def drilled(profile: Profile) -> Profile:
    """The house rules of the exercises: those of the table, as far as two pairs can play them.

    Cards are shown without suits, and a juego is long enough to count a deal.
    """
    if profile.sides is not Sides.TWO or profile.real31 is Real31.SUITS:
        return Profile(kings=profile.kings)
    return replace(profile, target=max(profile.target, SHORTEST))


# ---- How close two hands are --------------------------------------------------------------------


@lru_cache(maxsize=8)
def _ranked(lance: Lance, profile: Profile) -> tuple[list[tuple[int, ...]], list[float]]:
    """The keys of a lance, the worst first, and the share of hands that are no better."""
    weights: dict[tuple[int, ...], int] = {}
    for ranks in combinations_with_replacement(Rank, HAND_SIZE):
        key = value(tuple(Card(rank) for rank in ranks), profile).key(lance)
        if key is not None:
            ways = 1
            for rank in set(ranks):
                ways *= comb(SUITS, ranks.count(rank))
            weights[key] = weights.get(key, 0) + ways
    keys = sorted(weights)
    whole, below, shares = sum(weights.values()), 0, []
    for key in keys:
        below += weights[key]
        shares.append(below / whole)
    return keys, shares


def standing(lance: Lance, hand: Hand, profile: Profile) -> float | None:
    """The share of hands that are no better in a lance; None where the hand takes no part."""
    key = value(hand, profile).key(lance)
    keys, shares = _ranked(lance, profile)
    return None if key is None else shares[bisect_left(keys, key)]


def gap(lance: Lance, hands: tuple[Hand, ...], profile: Profile) -> float:
    """How far the best hand of a lance is from the second: the share of hands in between."""
    found = [at for hand in hands if (at := standing(lance, hand, profile)) is not None]
    first, second = sorted(found, reverse=True)[:2]
    return first - second


def naive_winner(lance: Lance, hands: tuple[Hand, ...]) -> int:
    """The hand, from 0, that a newcomer takes for the winner, by the cards as they are printed.

    He takes treses and doses for what they show, the highest number for the best juego, and the
    last of equals.
    """
    four = Profile(kings=4)
    best: tuple[int, ...] = (-100,)
    won = 0
    for place, hand in enumerate(hands):
        worth = value(hand, four)
        key = (worth.points,) if lance in (JUEGO, PUNTO) else worth.key(lance)
        if key is not None and key >= best:
            best, won = key, place
    return won


# ---- ¿Quién gana? -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WinsLevel:
    """How many hands lie on the table, and how far apart the best two are."""

    hands: int
    least: float
    most: float


WINS_LEVELS = {
    1: WinsLevel(2, 0.30, 1.0),
    2: WinsLevel(2, 0.10, 0.30),
    3: WinsLevel(4, 0.12, 1.0),
    4: WinsLevel(4, 0.0, 0.12),
    5: WinsLevel(4, 0.0, 0.12),
}
"""Level -> what its hands are like; at the last the printed cards mislead, or mano decides."""
TRIES = 4000
"""The most deals that are looked at; after them the best so far is taken."""


def _wins(skill: str, level: int, dice: random.Random, profile: Profile) -> Exercise:
    lance, like = Lance(skill.partition(".")[2]), WINS_LEVELS[level]
    found: tuple[Hand, ...] | None = None
    for hands in _deals(dice, like.hands, profile):
        if not _is_played(lance, hands, profile):
            continue
        apart, misleads = gap(lance, hands, profile), _misleads(lance, hands, profile)
        found = found or hands
        if like.least <= apart <= like.most and (
            misleads if level == LEVELS else apart > 0 and not (misleads and level == 1)
        ):
            found = hands
            break
    assert found is not None
    won = _winner(lance, found, profile)
    choices = [DrillChoice(str(n + 1), n == won) for n in range(len(found))]
    return Exercise("", skill, level, found, tuple(choices), lance)


def _deals(dice: random.Random, hands: int, profile: Profile) -> Iterator[tuple[Hand, ...]]:
    for _ in range(TRIES):
        cards = dice.sample(DECK, hands * HAND_SIZE)
        yield tuple(
            laid(tuple(cards[n * HAND_SIZE : (n + 1) * HAND_SIZE]), profile) for n in range(hands)
        )


def laid(hand: Hand, profile: Profile) -> Hand:
    """The cards as a player sorts them, the highest first."""
    return tuple(sorted(hand, key=lambda one: _order(one, profile), reverse=True))


def _order(card: Card, profile: Profile) -> tuple[int, int]:
    return value((card,), profile).grande[0], STRENGTH[card.rank]


def _is_played(lance: Lance, hands: tuple[Hand, ...], profile: Profile) -> bool:
    """Whether at least two take part, and of the punto all."""
    values = [value(hand, profile) for hand in hands]
    if lance is PUNTO:
        return not any(one.juego for one in values)
    return sum(one.key(lance) is not None for one in values) > 1


def _winner(lance: Lance, hands: tuple[Hand, ...], profile: Profile) -> int:
    values = {n: value(hand, profile) for n, hand in enumerate(hands)}
    won = best_seat(lance, values, values)
    assert won is not None
    return won


def _misleads(lance: Lance, hands: tuple[Hand, ...], profile: Profile) -> bool:
    return naive_winner(lance, hands) != _winner(lance, hands, profile)


# ---- ¿Cuánto vale? ------------------------------------------------------------------------------


KINDS = ("nada", *(kind.name.lower() for kind in ParesKind))


def pares_name(hand: Hand, profile: Profile) -> str:
    """The pares of a hand: "nada", "pareja", "medias", "duples"."""
    held = value(hand, profile).pares
    return held.kind.name.lower() if held else "nada"


def printed_points(hand: Hand) -> int:
    """The sum of a hand's cards as they are printed, figures ten."""
    return sum(POINTS[card.rank] for card in hand)


def _points(skill: str, level: int, dice: random.Random, profile: Profile) -> Exercise:
    """How many points: harder with more cards that are no figures, and count not what they show."""

    def fits(hand: Hand) -> bool:
        plain = sum(POINTS[card.rank] < 10 for card in hand)
        hidden = sum(card.rank in (Rank.TRES, Rank.DOS) for card in hand)
        if profile.kings == 8 and level > 3:
            return hidden == level - 3
        return hidden * (profile.kings == 8) == 0 and plain == min(level, 4)

    hand = _hand_that(fits, dice, profile)
    right = value(hand, profile).points
    return _one_number(skill, level, hand, right, _near(right, printed_points(hand), dice))


def _near(right: int, printed: int, dice: random.Random) -> list[int]:
    """Wrong sums that people come to: as printed, a ten too many or too few, miscounted by one."""
    likely = [printed, right - 10, right + 10, right - 9, right + 9]
    others = [right - 1, right + 1, right - 2, right + 2, right + 3]
    dice.shuffle(others)
    wrong = [n for n in (likely[0], *others[:2], *likely[1:3], *others[2:]) if 4 <= n <= 40]
    return [n for n in wrong if n != right]


def _one_number(skill: str, level: int, hand: Hand, right: int, wrong: list[int]) -> Exercise:
    numbers = sorted({right, *list(dict.fromkeys(wrong))[:3]})
    choices = tuple(DrillChoice(str(n), n == right) for n in numbers)
    return Exercise("", skill, level, (hand,), choices)


def _pares(skill: str, level: int, dice: random.Random, profile: Profile) -> Exercise:
    """Which pares: harder where treses and doses make them, as reyes and ases."""
    four = Profile(kings=4)

    def fits(hand: Hand) -> bool:
        held, seems = pares_name(hand, profile), pares_name(hand, four)
        mixes = profile.kings == 8 and any(card.rank in (Rank.TRES, Rank.DOS) for card in hand)
        if level > 3 and profile.kings == 8:
            return held != seems and (level == 4 or held in KINDS[2:])
        if level == 3 and profile.kings == 8:
            return mixes and held == seems
        return not mixes and held == seems and (held in KINDS[:2] if level == 1 else held != "nada")

    hand = _hand_that(fits, dice, profile)
    right = pares_name(hand, profile)
    return Exercise(
        "", skill, level, (hand,), tuple(DrillChoice(name, name == right) for name in KINDS)
    )


def _stones(skill: str, level: int, dice: random.Random, profile: Profile) -> Exercise:
    """What juego or punto brings in paso: harder where the sum is near 31."""
    far = {1: (8, 40), 2: (5, 8), 3: (2, 5), 4: (1, 2), 5: (0, 1)}[level]

    def fits(hand: Hand) -> bool:
        points = value(hand, profile).points
        hidden = profile.kings == 4 or value(hand, Profile(kings=4)).points != points
        return far[0] <= abs(points - 31) <= far[1] and (level < 4 or hidden)

    hand = _hand_that(fits, dice, profile)
    right = value(hand, profile).juego_stones or 1
    choices = tuple(DrillChoice(str(n), n == right) for n in (1, 2, 3))
    return Exercise("", skill, level, (hand,), choices)


def _hand_that(fits: Callable[[Hand], bool], dice: random.Random, profile: Profile) -> Hand:
    hand: Hand | None = None
    for (dealt_hand,) in _deals(dice, 1, profile):
        hand = dealt_hand
        if fits(hand):
            break
    assert hand is not None
    return hand


# A whole lance: it is played by any calls, and counted by the rules.


CALLS_IN_A_DEAL = 200
COUNTED = (How.PASSED, How.ACCEPTED, How.REFUSED)
STAKES = (2, 2, 2, 3, 5)
"""The bets in such a lance, each as likely as the others."""


def _count(skill: str, level: int, dice: random.Random, profile: Profile) -> Exercise:
    """How many stones the winners of a lance take: harder where more has to be added up."""
    for _ in range(TRIES):
        hands = next(_deals(dice, len(NAMES), profile))
        state, said = _played(hands, dice, profile)
        if state.phase is not Phase.COUNT:
            continue
        results = [one for one in state.results if one.how in COUNTED and one.won and one.side]
        fitting = [one for one in results if _parts(state, one.lance) == level]
        if not fitting:
            continue
        result = dice.choice(fitting)
        agreed, deje = result.stones, result.bet.deje if result.bet else 1
        wrong = [agreed, deje, agreed + deje, result.won + 1, result.won - 1, result.won + 2]
        numbers = sorted({result.won, *[n for n in wrong if n > 0 and n != result.won][:3]})
        choices = tuple(DrillChoice(str(n), n == result.won) for n in numbers)
        heard = tuple(one for one in said if one[0] is result.lance)
        from_mano = tuple(hands[seat - 1] for seat in state.order())
        return Exercise(
            "", skill, level, from_mano, choices, result.lance, said=heard, counted=state
        )
    raise DrillError("There is no exercise {name!r}.", name=f"{skill}-{level}")


def _parts(state: State, lance: Lance) -> int:
    """The number of facts that one has to know to count a lance, from 1 to 5."""
    result = state.result(lance)
    assert result is not None
    raised = bool(result.bet and result.bet.base)
    if lance in (GRANDE, CHICA):
        return 2 if result.how is How.REFUSED or raised else 1
    hands = sum(
        state.side_of(seat) == result.side and seat in state.holders(lance)
        for seat in range(1, len(NAMES) + 1)
    )
    if lance is PUNTO:
        return 2 if result.how is How.PASSED else 3
    if result.how is How.PASSED:
        return 3
    return 5 if hands > 1 or (raised and result.how is How.REFUSED) else 4


def _played(
    hands: tuple[Hand, ...], dice: random.Random, profile: Profile
) -> tuple[State, list[tuple[Lance | None, Call]]]:
    """Play a deal with any calls, without mus or órdago, and count it."""
    state = opened(profile, dice.randint(1, len(NAMES)))
    said: list[tuple[Lance | None, Call]] = []
    for _ in range(CALLS_IN_A_DEAL):
        seat = to_speak(state)
        if state.phase is Phase.SHOWDOWN:
            seat = missing_hands(state)[0]
            call: Call = c.ShowHand(seat=seat, cards=hands[seat - 1])
        elif seat is None or state.phase in (Phase.COUNT, Phase.OVER):
            break
        elif state.phase in DECLARING:
            worth = value(hands[seat - 1], profile)
            holds = worth.juego if state.lance is JUEGO else worth.pares is not None
            call = c.Declare(seat=seat, holds=holds)
        else:
            call = _any_call(state, seat, dice)
        said.append((state.lance, call))
        state = decide(state, call).state
    return state, said


def _any_call(state: State, seat: int, dice: random.Random) -> Call:
    if state.phase in BEFORE_LANCES:
        return c.Cut(seat=seat)
    if state.pending is None:
        bet, stones = _least(state, seat, c.Bet), dice.choice(STAKES)
        if isinstance(bet, c.Bet) and dice.random() < 0.3:
            return replace(bet, stones=max(bet.stones, stones))
        return c.Pass(seat=seat)
    wish = dice.random()
    if (more := _least(state, seat, c.Raise)) and wish < 0.2 and state.pending.stones < 6:
        return more
    return c.Accept(seat=seat) if wish < 0.65 else c.Refuse(seat=seat)


def _least(state: State, seat: int, kind: type[Call]) -> Call | None:
    """The least call of a kind that a seat can make now."""
    return next(
        (
            one.call
            for one in legal_calls(state)
            if one.call.seat == seat and type(one.call) is kind and not getattr(one.call, "both", 0)
        ),
        None,
    )


def opened(profile: Profile, mano: int) -> State:
    """A table at the first deal of a juego, which has no mus corrido here."""
    state: State | None = None
    for event in open_game(profile, NAMES, mano):
        state = apply(state, event)
    assert state is not None
    return state


MAKERS: dict[str, Callable[[str, int, random.Random, Profile], Exercise]] = {
    **{f"{DrillKind.WINS}.{lance}": _wins for lance in LANCES},
    f"{DrillKind.WORTH}.{POINTS_OF}": _points,
    f"{DrillKind.WORTH}.{PARES_OF}": _pares,
    f"{DrillKind.WORTH}.{STONES_OF}": _stones,
    f"{DrillKind.WORTH}.{COUNT_OF}": _count,
}
"""Skill -> how its exercises are made, of those that the rules alone grade."""
