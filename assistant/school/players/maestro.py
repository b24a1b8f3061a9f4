"""The strongest player that ships: it plays a policy learnt in millions of deals against itself.

``scripts/lab/train_maestro`` writes the file ``models/players/maestro.npz``, and says how the
policy was learnt. There are no rules of thumb. ``Lore.place`` has the key of a moment: the
own cards, who may still answer, the bet, both pairs' needs by classes, who bet last before.
"""

from __future__ import annotations

import random
import zipfile
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assistant.odds.deck import HandTable, deck_of, hands_of
from assistant.rules import calls as c
from assistant.rules.cards import Hand
from assistant.rules.errors import MusError
from assistant.rules.events import How
from assistant.rules.phases import BEFORE_LANCES, Lance
from assistant.rules.profile import Profile, Real31, Sides
from assistant.rules.state import State
from assistant.school.players.beginners import Player, Sight, least
from assistant.school.players.guess import Floats, Suspicion, told_by

Bytes = npt.NDArray[np.uint8]

ACTIONS = 5
"""Pass or refuse; accept; bet two, or two more; bet five, or five more; órdago."""
SMALL, LARGE = 2, 5
NEED_UP_TO = (4, 9, 20)
"""The classes of the stones that a pair still needs; the last has no bound."""
NEEDS = len(NEED_UP_TO) + 1
SCORES = NEEDS * NEEDS
MOST_RAISED, MOST_ROUNDS = 20, 6
"""The stones from which it raises no more, and the changes of cards after which it cuts."""
SIZE_UP_TO = (2, 5, 9)
"""The classes of a pending bet's stones; then more, then órdago."""
NODES = 4 + 4 * 2 * 2 * 5 * 3
FIFTHS = 5
"""The parts in which the odds of a moment are kept."""
TARGET = 40
LANCES = (Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.JUEGO, Lance.PUNTO)
CONTEXTS = {
    Lance.GRANDE: 3, Lance.CHICA: 3, Lance.PARES: 8, Lance.JUEGO: 8, Lance.PUNTO: 3,
}  # fmt: skip
"""Lance -> how many different pasts of the deal are told apart."""


KINDS = ("novato", "fuerte", "sin-mus")
"""The kinds of rival whose weakness was learnt: of fixed thresholds; who weighs chances; who plays
as maestro itself does, but never gives mus."""
LIKE_ONESELF, OF_A_KIND = 0.25, 0.15
"""The prior probability that rivals play like maestro itself, and that they are of each kind.

The rest is shared by the other players whose calls were counted, and against whom caution does
well.
"""
SURE = 0.6
"""The least probability of a kind at which maestro plays for its weakness."""


class UntaughtError(MusError):
    """House rules that this player never learnt."""


# ---- The key of a moment, as a number ------------------------------------------------------------


def need_class(stones: int) -> int:
    """The class of what a pair needs."""
    return bisect_left(NEED_UP_TO, stones)


def score_class(state: State, seat: int) -> int:
    """Both pairs' needs as one number, the own one first."""
    mine = (seat - 1) % 2
    target = state.profile.target
    ours, theirs = state.stones[mine], state.stones[1 - mine]
    return need_class(target - ours) * NEEDS + need_class(target - theirs)


def node(state: State, seat: int) -> int:
    """The state of this lance's betting, as a number below NODES; seats count from mano."""
    place_ = (seat - state.mano) % 4
    bet = state.pending
    if bet is None:
        return place_
    right = (bet.seat - seat) % 4 == 1
    partner = (seat + 1) % 4 + 1
    gone = partner in (*bet.refused, *bet.out) or partner not in state.holders(bet.lance)
    size = 4 if bet.ordago else bisect_left(SIZE_UP_TO, bet.stones)
    deje = 0 if bet.base <= 1 else 1 if bet.base <= 3 else 2
    return 4 + (((place_ * 2 + right) * 2 + gone) * 5 + size) * 3 + deje


def context(state: State, seat: int, lance: Lance) -> int:
    """What happened before in this deal, as a number below CONTEXTS[lance]."""
    if lance is Lance.GRANDE:
        cutter = state.cutter
        if cutter is None or (cutter - seat) % 2:
            return 2
        return 0 if cutter == seat else 1
    first = _told(state, seat, Lance.GRANDE)
    if lance not in (Lance.PARES, Lance.JUEGO):
        return first
    if lance is Lance.JUEGO:
        first = _told(state, seat, Lance.PARES) or first
    playing = state.holders(lance)
    partner, after, before = ((seat - 1 + step) % 4 + 1 in playing for step in (2, 1, 3))
    return ((first == 2) * 2 + partner) * 2 + (after and before)


def _told(state: State, seat: int, lance: Lance) -> int:
    """Who bet last at a lance that is over: 0 nobody, 1 our pair, 2 theirs."""
    result = state.result(lance)
    if result is None or result.bet is None or result.how is How.UNCONTESTED:
        return 0
    return 1 if (result.bet.seat - seat) % 2 == 0 else 2


@dataclass(frozen=True)
class Retort:
    """The policy that was learnt against one kind of rival alone; fields as in ``Lore``."""

    odds: dict[Lance, Bytes]
    mus: Bytes
    throws: Bytes


@dataclass(frozen=True)
class Lore:
    """The content of the file: what maestro learnt.

    kinds   lance and hand -> what the hand is looked up as. Shape (5, hands)
    odds    lance -> for each moment the number of its odds; 0 where it never came
    mus     the chance of "mus", in 255 parts, by hand, round, place and score
    throws  hand -> the places to throw, as bits; 0 where it never came
    values  both needs -> the chance to win the juego of the pair that has mano. Shape (41, 41)
    answers  kind of rival -> what beats it
    signs   how often each kind said what, where (``guess``): one's own kind, those above, others
    """

    kings: int
    kinds: Bytes
    odds: dict[Lance, Bytes]
    mus: Bytes
    throws: Bytes
    values: npt.NDArray[np.float32]
    answers: dict[str, Retort] = field(default_factory=dict)
    signs: npt.NDArray[np.uint32] | None = None

    @cached_property
    def told(self) -> Floats | None:
        """How likely each kind of rival makes each sign, as logarithms."""
        return None if self.signs is None else told_by(self.signs.astype(np.float64))

    @cached_property
    def hands(self) -> HandTable:
        """The hands of the deck that was learnt with."""
        return hands_of(deck_of(Profile(kings=self.kings)))

    def place(self, state: State, seat: int, hand: int) -> int:
        """The index of this moment in ``odds[state.lance]``."""
        lance = state.lance
        assert lance is not None
        at = int(self.kinds[LANCES.index(lance), hand]) * CONTEXTS[lance] + context(
            state, seat, lance
        )
        return (at * SCORES + score_class(state, seat)) * NODES + node(state, seat)

    def mus_place(self, state: State, seat: int, hand: int) -> int:
        """The index of this moment in ``mus``."""
        kind = 2 if state.corrido else min(state.discards, 1)
        at = (hand * 3 + kind) * 4 + (seat - state.mano) % 4
        return at * SCORES + score_class(state, seat)


def all_odds() -> npt.NDArray[np.float64]:
    """The odds that a number stands for: row 0 for none, then all ways to share FIFTHS fifths."""
    rows = [(0,) * ACTIONS]
    rows += [
        (a, b, d, e, FIFTHS - a - b - d - e)
        for a in range(FIFTHS + 1)
        for b in range(FIFTHS + 1 - a)
        for d in range(FIFTHS + 1 - a - b)
        for e in range(FIFTHS + 1 - a - b - d)
    ]
    return np.array(rows, dtype=np.float64) / FIFTHS


ODDS = all_odds()


@lru_cache(maxsize=2)
def read_lore(path: Path) -> Lore:
    """Read the file. Raises UntaughtError where it is missing or damaged."""
    try:
        with np.load(path) as kept:
            return Lore(
                int(kept["kings"]),
                kept["kinds"],
                {lance: kept[lance.value] for lance in LANCES},
                kept["mus"],
                kept["throws"],
                kept["values"].astype(np.float32),
                {name: _answer(kept, name) for name in KINDS if f"{name}/mus" in kept},
                kept.get("signs", None),
            )
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise UntaughtError(
            "{path} is missing or damaged: install the program again.", path=path
        ) from error


def _answer(kept: Mapping[str, Bytes], name: str) -> Retort:
    return Retort(
        {lance: kept[f"{name}/{lance.value}"] for lance in LANCES},
        kept[f"{name}/mus"],
        kept[f"{name}/throws"],
    )


# ---- The player ----------------------------------------------------------------------------------


def why_untaught(profile: Profile, kings: int) -> str | None:
    """Which house rule it never learnt; None where it can play."""
    if profile.sides is not Sides.TWO:
        return "sides"
    if profile.kings != kings:
        return "kings"
    if profile.real31 is not Real31.OFF:
        return "real31"
    return "target" if profile.target > TARGET else None


class Maestro:
    """Plays by what it learnt; asks ``other`` in a moment that never came in training.

    It begins with the policy that it learnt against itself. If the rivals' calls show that they are
    of a kind whose weakness it learnt, it plays for that; if they no longer fit, it goes back.
    """

    def __init__(
        self, lore: Lore, other: Player, seed: int, *, mus: bool = True, answer: str | None = ""
    ) -> None:
        """``mus`` False: it never gives mus, which measures what mus is worth to it.

        ``answer``: the kind that it takes the rivals for from the start, or None for no kind;
        empty: it finds out.
        """
        self._lore, self._other, self._mus = lore, other, mus
        self._dice = random.Random(seed)
        self._answer = lore.answers.get(answer) if answer else None
        self._guess: Suspicion | None = None
        if answer == "" and lore.told is not None:
            self._guess = Suspicion(lore.told, np.log(_prior(len(lore.told))))
        self.asked = self.untold = 0
        """The number of its decisions in lances, and of those for which it had to ask ``other``."""

    def call(self, sight: Sight) -> c.Call:
        """The call that it learnt here; drawn at random if it learnt to mix calls."""
        self._look(sight)
        hand = self._number(sight.hand)
        if sight.state.phase in BEFORE_LANCES:
            return self._mus_or_cut(sight, hand)
        odds = self.odds(sight, hand)
        self.asked += 1
        if odds is None:
            self.untold += 1
            return self._other.call(sight)
        return _said(sight, self._dice.choices(range(ACTIONS), odds)[0])

    def odds(self, sight: Sight, hand: int) -> list[float] | None:
        """The odds of the five actions; None where the moment never came."""
        lance = sight.state.lance
        assert lance is not None
        place = self._lore.place(sight.state, sight.seat, hand)
        number = int(self._answer.odds[lance][place]) if self._answer else 0
        number = number or int(self._lore.odds[lance][place])
        return _allowed(sight.state, ODDS[number].tolist()) if number else None

    def _look(self, sight: Sight) -> None:
        """Take in what the rivals said, and choose the policy to play by."""
        if self._guess is None:
            return
        if self._guess.look(sight.state, sight.seat):
            chances = self._guess.chances[1 : len(KINDS) + 1]
            best = int(chances.argmax())
            self._answer = self._lore.answers[KINDS[best]] if chances[best] > SURE else None

    def discard(self, sight: Sight) -> tuple[int, ...]:
        """The cards that it learnt to throw."""
        hand = self._number(sight.hand)
        bits = int((self._answer or self._lore).throws[hand] or self._lore.throws[hand])
        if not bits:
            return self._other.discard(sight)
        order = self._lore.hands.deck.played
        ranks = [rank for rank, _ in self._lore.hands.deck.counts]
        places = sorted(
            range(len(sight.hand)), key=lambda n: ranks.index(order(sight.hand[n].rank))
        )
        return tuple(sorted(places[n] for n in range(len(places)) if bits >> n & 1))

    def _mus_or_cut(self, sight: Sight, hand: int) -> c.Call:
        learnt = (self._answer or self._lore).mus
        chance = learnt[self._lore.mus_place(sight.state, sight.seat, hand)] / 255
        if sight.state.discards >= MOST_ROUNDS:
            chance = 0.0
        wanted = c.Mus if self._mus and self._dice.random() < chance else c.Cut
        return sight.can(wanted) or least(sight)

    def _number(self, hand: Hand) -> int:
        return self._lore.hands.number(card.rank for card in hand)


def _allowed(state: State, odds: list[float]) -> list[float]:
    """The odds without raises of a bet that was never raised in training.

    Otherwise two players who raise every bet would raise for ever. It accepts the bet instead.
    """
    bet, target = state.pending, state.profile.target
    if bet is None or bet.stones < min(MOST_RAISED, target - min(state.stones)):
        return odds
    return [odds[0], odds[1] + odds[2] + odds[3], 0.0, 0.0, odds[4]]


def _prior(many: int) -> Floats:
    """The prior probability of each kind: maestro itself, KINDS, then the others."""
    prior = np.full(many, OF_A_KIND)
    prior[0] = LIKE_ONESELF
    others = many - len(KINDS) - 1
    prior[len(KINDS) + 1 :] = (1.0 - LIKE_ONESELF - OF_A_KIND * len(KINDS)) / max(1, others)
    return prior


def _said(sight: Sight, action: int) -> c.Call:
    """An action as a call; one that the rules do not allow becomes the least that they do."""
    pending = sight.state.pending is not None
    if action == 1:
        return sight.can(c.Accept) or least(sight)
    if action in (2, 3):
        stones = SMALL if action == 2 else LARGE
        more = sight.can(c.Raise if pending else c.Bet)
        if isinstance(more, c.Bet | c.Raise):
            return replace(more, stones=max(stones, more.stones))
        return sight.can(c.Accept) or least(sight)
    if action == 4:
        return sight.can(c.Ordago) or sight.can(c.Accept) or least(sight)
    return sight.can(c.Refuse if pending else c.Pass) or least(sight)
