"""What players say, as data: the input of ``decide``.

``seat`` (1, 2, ...) is ``None`` where nobody knows who spoke; ``lance`` is set where the call named
one ("envido a chica"). Calls are facts about what was said, legal or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rules.cards import Hand
from assistant.rules.phases import Lance

MIN_BET = 2
MIN_RAISE = 1
MAX_BET = 200
"""No table bets more; a larger number is a slip of the ear or of the keyboard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Anything a player can say that may move the game."""

    seat: int | None = None
    lance: Lance | None = None


@dataclass(frozen=True, slots=True)
class Mus(Call):
    """Says "Mus": wants to discard."""


@dataclass(frozen=True, slots=True)
class Cut(Call):
    """Says "No hay mus", "corto"."""


@dataclass(frozen=True, slots=True)
class Pass(Call):
    """Says "Paso"; refuses where a bet is pending, cuts where mus is asked (R09)."""


@dataclass(frozen=True, slots=True)
class Bet(Call):
    """Says "Envido", "envido cinco"; ``both`` is "a las dos" (R55)."""

    stones: int = MIN_BET
    both: bool = False


@dataclass(frozen=True, slots=True)
class Raise(Call):
    """Says "Cinco más", "y yo": raises by ``stones`` (R22, R23)."""

    stones: int = MIN_BET


@dataclass(frozen=True, slots=True)
class Reenvido(Call):
    """Says "Reenvido": doubles, the same as two more only where the bet is two (R23)."""


@dataclass(frozen=True, slots=True)
class Ordago(Call):
    """Says "Órdago", and no other word (R33)."""

    both: bool = False


@dataclass(frozen=True, slots=True)
class Accept(Call):
    """Says "Quiero"."""


@dataclass(frozen=True, slots=True)
class Refuse(Call):
    """Says "No quiero"; ``plural`` ("no queremos") binds the pair (R35)."""

    plural: bool = False


@dataclass(frozen=True, slots=True)
class Declare(Call):
    """Says "Pares sí", "juego no"; with no ``lance``, the one being declared (R16)."""

    holds: bool = True


@dataclass(frozen=True, slots=True)
class ShowHand(Call):
    """Four cards laid open. Without a seat: the next hand still to be shown, from mano."""

    cards: Hand = ()


@dataclass(frozen=True, slots=True)
class NextDeal(Call):
    """Says "Nueva mano": the cards are in the pile; ``mano`` only where it is not the next seat."""

    mano: int | None = None


@dataclass(frozen=True, slots=True)
class SetStones(Call):
    """A score put right by hand, one number a side, in the order of the sides."""

    stones: tuple[int, ...] = ()
