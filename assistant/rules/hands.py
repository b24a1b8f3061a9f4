"""What a hand is worth in each lance (R11-R15, R40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from assistant.rules.cards import HAND_SIZE, Hand, Rank, format_hand
from assistant.rules.phases import CHICA, GRANDE, JUEGO, PARES, PUNTO, Lance
from assistant.rules.profile import Profile, Real31

STRENGTH: dict[Rank, int] = {rank: i for i, rank in enumerate(reversed(Rank), start=1)}
"""As 1 ... rey 10: how cards rank at grande, before treses and doses count as reyes and ases."""

POINTS: dict[Rank, int] = {
    rank: 10 if rank in "RCS" else int(rank)  # figures count ten
    for rank in Rank
}

JUEGO_ORDER: tuple[int, ...] = (33, 34, 35, 36, 37, 40, 32, 31)
"""From the worst juego to the best (R14); 38 and 39 do not exist."""

JUEGO_FROM = 31


class ParesKind(IntEnum):
    """Kinds of pares; the number is what each is worth in stones (R13)."""

    PAREJA = 1
    MEDIAS = 2
    DUPLES = 3


@dataclass(frozen=True, slots=True)
class Pares:
    """Two cards alike or more; ``ranks`` are the paired strengths, highest first (R12)."""

    kind: ParesKind
    ranks: tuple[int, ...]

    @property
    def value(self) -> int:
        """Stones that this hand brings at the count."""
        return int(self.kind)


@dataclass(frozen=True, slots=True)
class HandValue:
    """One hand as every lance sees it; larger keys win.

    ``real`` marks the "31 real" where the profile plays it.
    """

    grande: tuple[int, ...]
    chica: tuple[int, ...]
    pares: Pares | None
    points: int
    real: bool = False

    @property
    def juego(self) -> bool:
        """Whether the points reach 31."""
        return self.points >= JUEGO_FROM

    @property
    def juego_stones(self) -> int:
        """Stones that juego brings at the count: 31 three, any other two (R15)."""
        if not self.juego:
            return 0
        return 3 if self.points == JUEGO_FROM else 2

    def key(self, lance: Lance) -> tuple[int, ...] | None:
        """The key that is compared in a lance; ``None`` if this hand takes no part in it."""
        if lance is GRANDE:
            return self.grande
        if lance is CHICA:
            return self.chica
        if lance is PARES:
            return (self.pares.kind, *self.pares.ranks) if self.pares else None
        if lance is JUEGO:
            return (self.real, JUEGO_ORDER.index(self.points)) if self.juego else None
        return None if self.juego else (self.points,)


def value(hand: Hand, profile: Profile) -> HandValue:
    """Value a hand under the house rules; suits matter only to the real31 of some tables.

    A hand has four cards, or fewer if a player got too few (S2 1.5): a missing card wins nothing.
    """
    ranks = tuple(sorted([card.rank for card in hand]))  # in any order, as long as it is the same
    worth = _value(ranks, profile.kings, profile.real31)
    if profile.real31_cards and set(hand) == set(profile.real31_cards):
        return replace(worth, real=True)
    return worth


@lru_cache(maxsize=2048)  # 715 hands by rank, two decks: a whole evening fits
def _value(ranks: tuple[Rank, ...], kings: int, real31: Real31) -> HandValue:
    if not 1 <= len(ranks) <= HAND_SIZE:
        raise ValueError(f"a hand has four cards, not {len(ranks)}")
    played = tuple(_as_played(rank, kings) for rank in ranks)
    high = tuple(sorted((STRENGTH[rank] for rank in played), reverse=True))
    points = sum(POINTS[rank] for rank in played)
    return HandValue(
        grande=high,
        chica=tuple(-strength for strength in reversed(high)),
        pares=_pares(high),
        points=points,
        real=_is_real(ranks, played, real31),
    )


def _as_played(rank: Rank, kings: int) -> Rank:
    if kings == 8:
        return {Rank.TRES: Rank.REY, Rank.DOS: Rank.AS}.get(rank, rank)
    return rank


def _pares(high: tuple[int, ...]) -> Pares | None:
    alike = {strength: high.count(strength) for strength in high if high.count(strength) > 1}
    match sorted(alike.values()):
        case []:
            return None
        case [2]:
            return Pares(ParesKind.PAREJA, tuple(alike))
        case [3]:
            return Pares(ParesKind.MEDIAS, tuple(alike))
        case [4]:
            four = next(iter(alike))  # four alike are two pairs, not a kind of their own
            return Pares(ParesKind.DUPLES, (four, four))
        case _:
            return Pares(ParesKind.DUPLES, tuple(sorted(alike, reverse=True)))


def _is_real(ranks: tuple[Rank, ...], played: tuple[Rank, ...], real31: Real31) -> bool:
    if real31 in (Real31.OFF, Real31.SUITS) or ranks.count(Rank.SIETE) != 3:
        return False
    if real31 is Real31.SOTA:
        return Rank.SOTA in ranks
    return any(POINTS[rank] == 10 for rank in played)


def best_seat(lance: Lance, values: Mapping[int, HandValue], order: Iterable[int]) -> int | None:
    """The seat that wins a lance; ties go to the first in ``order``, the nearest to mano (R39)."""
    winner: int | None = None
    best: tuple[int, ...] | None = None
    for seat in order:
        hand = values.get(seat)
        key = hand.key(lance) if hand else None
        if key is not None and (best is None or key > best):
            winner, best = seat, key
    return winner


def winners(hands: tuple[Hand, ...], profile: Profile) -> dict[Lance, int | None]:
    """The winner of each lance, with hands counted from 1 (mano); ``None`` if nobody plays it."""
    values = {i: value(hand, profile) for i, hand in enumerate(hands, start=1)}
    someone_has_juego = any(v.juego for v in values.values())
    return {
        lance: None if lance is PUNTO and someone_has_juego else best_seat(lance, values, values)
        for lance in Lance
    }


def describe(hand: Hand, profile: Profile) -> dict[str, object]:
    """One hand as ``mus hand --json`` prints it."""
    v = value(hand, profile)
    pares = {"kind": v.pares.kind.name.lower(), "value": v.pares.value} if v.pares else None
    return {"cards": format_hand(hand), "pares": pares, "points": v.points, "juego": v.juego}
