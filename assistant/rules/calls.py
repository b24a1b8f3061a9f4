"""What players say, as data: the input of ``decide``.

``seat`` (1, 2, ...) is ``None`` where nobody knows who spoke; ``lance`` is set where the call named
one ("envido a chica"). Calls are facts about what was said, legal or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assistant.rules.cards import Hand
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance

ENVIDO = 2
"""Stones of "envido" without a number, and of "y yo" (R21, R23)."""
MAX_BET = 200
"""The largest bet; a larger number was misheard or mistyped."""


class Whose(StrEnum):
    """The side that a claim is for, as people say it: the speaker's, or the other."""

    US = "us"
    THEM = "them"


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

    stones: int = ENVIDO
    both: bool = False


@dataclass(frozen=True, slots=True)
class Raise(Call):
    """Says "Cinco más", "y yo": raises by ``stones`` (R22, R23)."""

    stones: int = ENVIDO


@dataclass(frozen=True, slots=True)
class Reenvido(Call):
    """Says "Reenvido": doubles, the same as two more only where the bet is two (R23)."""


@dataclass(frozen=True, slots=True)
class Ordago(Call):
    """Says "Órdago", and no other word (R33)."""

    both: bool = False


@dataclass(frozen=True, slots=True)
class Accept(Call):
    """Says "Quiero"; with ``stones`` where partners bet two amounts and one is chosen (R35)."""

    stones: int | None = None


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


@dataclass(frozen=True, slots=True)
class Pedrete(Call):
    """Sings 4-5-6-7 in the mus: one stone, and new cards (R54)."""


@dataclass(frozen=True, slots=True)
class ClaimLance(Call):
    """Says "La grande para nosotros", "duples y medias": a lance won without showing cards.

    ``lance`` is the lance claimed; ``values`` are the stones of each hand at pares (1, 2, 3) or
    juego (2, 3). ``side`` is a letter, or else ``whose`` tells it from who speaks.
    """

    side: str | None = None
    whose: Whose | None = None
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectBet(Call):
    """Says "La grande eran cinco": what was agreed, or waits for an answer, was another bet."""

    stones: int = ENVIDO


@dataclass(frozen=True, slots=True)
class AdjustStones(Call):
    """Says "Quita dos a nosotros": ``stones`` more, or fewer (negative), by agreement.

    ``agreed``: the score is put right by hand, for a ``reason``. That is nobody's claim, so it is
    taken at any time of a juego (R45).
    """

    stones: int = 0
    side: str | None = None
    whose: Whose | None = None
    reason: str = ""
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Report(Call):
    """Tells of an irregularity that no card shows: "mus visto", "Oeste tiene cinco cartas".

    ``player`` is whom it is about (``seat`` is who says it), ``cards`` how many he holds.
    """

    kind: Irregularity = Irregularity.EXPOSED_CARD
    player: int | None = None
    cards: int = 0


class Where(StrEnum):
    """The ways in which players say where the deal stands, if the assistant has lost track."""

    LANCE = "lance"
    """Which lance is being played, "estamos en pares"; without a lance: the mus."""
    BET = "bet"
    """Which bet stands, "hay cuatro a la grande"."""
    TURN = "turn"
    """Whose turn it is, "habla Este"."""
    HOLDERS = "holders"
    """All who have pares or juego: "nadie tiene pares"."""
    AGAIN = "again"
    """A lance is said once more from its beginning, "otra vez desde la chica"."""


@dataclass(frozen=True, slots=True)
class Place(Call):
    """Says where the deal stands, whatever was heard so far; it is no player's own call.

    ``stones`` are those of the bet, ``player`` is whose turn it is, ``holders`` are the seats that
    have pares or juego.
    """

    told: Where = Where.LANCE
    stones: int = 0
    player: int | None = None
    holders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Redeal(Call):
    """Says "Se reparte otra vez": this deal is void, the same mano plays it again."""


@dataclass(frozen=True, slots=True)
class Verdict(Call):
    """The table's decision about a proposed article: "se aplica", or "se perdona"."""

    apply: bool = True
