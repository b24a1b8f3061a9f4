"""The señas of a practice game: who makes which, who catches them, and how many the person reads.

The computer players make only true ones of the table's list, when the rules of that list allow it.
A sign stands on the page for a moment. After the deal the person is asked what it was.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assistant.rules.hands import value
from assistant.rules.phases import BEFORE_LANCES, Phase
from assistant.rules.profile import Senas
from assistant.rules.state import State
from assistant.school.players.senas import NOTHING, CaughtSign, may_make, true_signs
from assistant.school.practice.reasons import Pack

MAKES, MAKES_NOTHING = 0.85, 0.3
"""How often a player signs with a hand that has a sign, and with one that has none."""
PARTNER_CATCHES, RIVAL_CATCHES = 0.9, 0.25
"""How often the partner of who signs catches it, and each rival."""
LONGEST_WAIT = 5
"""Calls after which a sign is made at last."""
SIGNED_IN = frozenset((
    *BEFORE_LANCES, Phase.GRANDE, Phase.CHICA, Phase.PARES_SAY, Phase.PARES, Phase.JUEGO_SAY,
    Phase.JUEGO, Phase.PUNTO,
)) - {Phase.DISCARD}  # fmt: skip
ASKED = 3
"""The number of signs of a deal that the person is asked about: the first ones."""
CHOICES = 4
MISSED = -1
"""The answer of a person who saw no sign."""


@dataclass(frozen=True, slots=True)
class ListedSign:
    """A sign of the table's list: its key, what one holds and does in words, and its drawing."""

    key: str
    holds: str
    gesture: str
    draw: str


@dataclass(frozen=True, slots=True)
class MadeSign:
    """A sign that a seat made; ``number`` counts those of the game from 1."""

    number: int
    seat: int
    sign: ListedSign


@dataclass(frozen=True, slots=True)
class AskedSign:
    """A question about a sign: ``choices[right]`` is right; ``chosen`` is the person's answer."""

    made: MadeSign
    choices: tuple[str, ...]
    right: int
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class SigningMoment:
    """The state of a game's señas: the last one made, and the questions. See ``Signing``."""

    offered: bool
    on: bool
    made: MadeSign | None
    asked: tuple[AskedSign, ...]
    read: int
    of: int


@dataclass(slots=True)
class Signing:
    """The señas of one table. It belongs to the dealer, whose lock guards it.

    ``read`` counts the signs that the person told, ``of`` those that he was asked for.
    """

    listed: Sequence[ListedSign]
    senas: Senas
    me: int
    dice: random.Random
    on: bool = False
    made: list[MadeSign] = field(default_factory=list)
    asked: list[AskedSign] = field(default_factory=list)
    read: int = 0
    of: int = 0
    _planned: dict[int, tuple[ListedSign, int]] = field(default_factory=dict)
    _caught: dict[int, list[CaughtSign]] = field(default_factory=dict)
    _calls: int = 0
    _count: int = 0

    @property
    def offered(self) -> bool:
        """Whether this table makes señas at all."""
        return self.senas is not Senas.OFF and bool(self.listed)

    def moment(self) -> SigningMoment:
        """How it stands."""
        made = self.made[-1] if self.made else None
        return SigningMoment(self.offered, self.on, made, tuple(self.asked), self.read, self.of)

    def begin(self, *, on: bool) -> None:
        """Begin a game, with señas or without."""
        self.on = on and self.offered
        self.read = self.of = 0
        self.new_deal()

    def new_deal(self) -> None:
        """Forget the signs of the deal before."""
        self.made, self.asked = [], []
        self._planned, self._caught, self._calls = {}, {}, 0

    def new_hands(self, pack: Pack, state: State) -> None:
        """Each of the others thinks of a sign for the hand that it was dealt, or has drawn."""
        self._planned, self._caught, self._calls = {}, {}, 0
        if not self.on:
            return
        by_key = {sign.key: sign for sign in self.listed}
        for seat in state.order():
            if seat == self.me:
                continue
            held = value(pack.hand(seat), state.profile)
            able = true_signs(held, tuple(by_key), self.senas)
            likely = MAKES_NOTHING if able == (NOTHING,) else MAKES
            if able and self.dice.random() < likely:
                sign = by_key[able[0] if self.dice.random() < 2 / 3 else self.dice.choice(able)]
                self._planned[seat] = sign, self.dice.randint(0, LONGEST_WAIT)

    def forget(self) -> None:
        """Something was taken back: nobody knows any more which hand a sign was of."""
        self._planned, self._caught = {}, {}

    def called(self) -> None:
        """Somebody called something."""
        self._calls += 1

    def due(self, state: State) -> int | None:
        """The seat that signs now, if there is one."""
        if not self.on or state.phase not in SIGNED_IN:
            return None
        ready = (
            seat
            for seat, (sign, wait) in self._planned.items()
            if self._calls >= wait and may_make(state, sign.key)
        )
        return next(ready, None)

    def make(self, seat: int, state: State) -> None:
        """A seat makes its sign; the others catch it, or not."""
        sign, _ = self._planned.pop(seat)
        self._count += 1
        self.made.append(MadeSign(self._count, seat, sign))
        for other in state.order():
            ours = state.side_of(other) == state.side_of(seat)
            catches = PARTNER_CATCHES if ours else RIVAL_CATCHES
            if other not in (seat, self.me) and self.dice.random() < catches:
                self._caught.setdefault(other, []).append(CaughtSign(seat, sign.key))

    def seen_by(self, seat: int) -> tuple[CaughtSign, ...]:
        """The signs that a computer player caught of the hands as they are."""
        return tuple(self._caught.get(seat, ()))

    def ask(self) -> None:
        """The deal is over: ask the person for its signs."""
        if self.asked or not self.made:
            return
        for made in self.made[:ASKED]:
            others = [one for one in self.listed if one.draw != made.sign.draw]
            texts = [
                made.sign.holds,
                *(one.holds for one in self.dice.sample(others, CHOICES - 1)),
            ]
            self.dice.shuffle(texts)
            right = texts.index(made.sign.holds)
            self.asked.append(AskedSign(made, tuple(texts), right))

    def answer(self, number: int, choice: int) -> bool:
        """The person tells what a sign was, or MISSED; False where that is not asked."""
        for at, one in enumerate(self.asked):
            if one.made.number == number and one.chosen is None and choice < len(one.choices):
                self.asked[at] = replace(one, chosen=choice)
                self.of += 1
                self.read += choice == one.right
                return True
        return False


def listed_signs(
    signs: Sequence[Mapping[str, str]], words: Sequence[Mapping[str, str]]
) -> tuple[ListedSign, ...]:
    """The signs of a list with their words in a language; both come in the same order."""
    return tuple(
        ListedSign(sign["holds"], told["holds"], told["gesture"], told["draw"])
        for sign, told in zip(signs, words, strict=True)
    )
