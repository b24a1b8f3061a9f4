"""What happened, as frozen facts in the past tense, each with a version for the codec.

Sides are letters ("A" for seats 1 and 3, "B" for 2 and 4); seats count from 1, anticlockwise.
``implied`` marks an event that nobody said but that the game shows; ``SeatInferred`` comes before
an event whose speaker was not known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from operator import call
from typing import ClassVar, TypeVar, cast

from assistant.rules.cards import Hand
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

# ---- Reasons: how a lance closed, what stones were won for, what went wrong ---------------------


VOICE = "voice"
"""The reason for a seat that was inferred from the voice, and by no rule."""


class How(StrEnum):
    """How a lance was closed."""

    PASSED = "passed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNCONTESTED = "uncontested"
    NOBODY = "nobody"
    ORDAGO = "ordago"
    VOID = "void"


PASSED, ACCEPTED, REFUSED, UNCONTESTED, NOBODY, ORDAGO, VOID = How  # as the lances in ``phases``


class Why(StrEnum):
    """What stones were won for."""

    DEJE = "deje"
    PASO = "paso"
    BET = "bet"
    PARES = "pares"
    JUEGO = "juego"
    PUNTO = "punto"
    PENALTY = "penalty"


class WonBy(StrEnum):
    """What ended a juego."""

    TARGET = "target"
    ORDAGO = "ordago"


class Irregularity(StrEnum):
    """Faults at a table that no shown card proves, so that somebody has to report them."""

    EXPOSED_CARD = "exposed_card"
    CARD_COUNT = "card_count"
    SAME_MANO = "same_mano"
    PEEKED = "peeked"
    IN_DECK = "in_deck"


OF_ONE = (Irregularity.CARD_COUNT, Irregularity.PEEKED, Irregularity.IN_DECK)
"""Irregularities that one player is named for."""


class Remedy(StrEnum):
    """What an article does about an irregularity (see ``penalties``)."""

    REDEAL = "redeal"
    OUT = "out"
    SHORT = "short"
    SING = "sing"
    DENIED = "denied"
    VOID = "void"
    NO_QUIERO = "no_quiero"
    LIMIT = "limit"


# ---- Events -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that happened at the table."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class GameOpened(Event):
    """A match began: house rules, the players' names by seat, and how many sides they form.

    ``given``: the juegos that each side has before the first deal, because a tournament's referee
    gave them for what the other side lost; () if there are none. Version 1 had four house rules;
    the others are read as they were played then.
    """

    VERSION: ClassVar[int] = 2

    profile: Profile
    seats: tuple[str, ...]
    sides: int = 2
    given: tuple[int, ...] = field(default=(), metadata={"rare": True})


@dataclass(frozen=True, slots=True)
class DealStarted(Event):
    """Cards were dealt; ``deal`` counts from 1 in the match. ``corrido``: see ManoChanged (R06)."""

    deal: int
    mano: int
    implied: bool = False
    corrido: bool = False


@dataclass(frozen=True, slots=True)
class ManoChanged(Event):
    """Mano changed in a mus corrido: after a discard, or to the player who cut (R06)."""

    mano: int


@dataclass(frozen=True, slots=True)
class PedreteSung(Event):
    """A player showed 4-5-6-7 in the mus: his side takes ``stones``, he new cards (R54)."""

    seat: int
    stones: int


@dataclass(frozen=True, slots=True)
class SeatInferred(Event):
    """Nobody knew who spoke; the next event was given to ``seat``.

    ``why``: "turn" (both sides could speak), "pair" (only this side could), or "voice" (another
    could, but it was not his voice).
    """

    seat: int
    why: str


@dataclass(frozen=True, slots=True)
class MusAsked(Event):
    """A player wants to discard."""

    seat: int


@dataclass(frozen=True, slots=True)
class DiscardBegan(Event):
    """All want mus: cards are changed."""


@dataclass(frozen=True, slots=True)
class MusCut(Event):
    """The mus was cut, by word or (``implied``) by speaking of grande already (R09)."""

    seat: int
    implied: bool = False


@dataclass(frozen=True, slots=True)
class LanceOpened(Event):
    """Pares, juego or punto is to be played, because both sides can play it."""

    lance: Lance


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A player passed with no bet pending."""

    seat: int
    lance: Lance
    implied: bool = False


@dataclass(frozen=True, slots=True)
class BetMade(Event):
    """The first bet of a lance; ``both`` when it was called "a las dos" (R55)."""

    seat: int
    lance: Lance
    stones: int
    both: bool = False
    implied: bool = False


@dataclass(frozen=True, slots=True)
class BetRaised(Event):
    """The pending bet was raised by ``stones``."""

    seat: int
    lance: Lance
    stones: int


@dataclass(frozen=True, slots=True)
class OrdagoMade(Event):
    """An órdago was said, as the first bet or as a raise."""

    seat: int
    lance: Lance
    both: bool = False
    implied: bool = False


@dataclass(frozen=True, slots=True)
class PartnerBet(Event):
    """The bettor's partner bet, or raised to, another amount before the rivals answered (R35).

    ``stones`` is the bet as he would have it; the profile says which of the two amounts stands.
    """

    seat: int
    lance: Lance
    stones: int


@dataclass(frozen=True, slots=True)
class BetAccepted(Event):
    """The pending bet was accepted; ``implied`` by showing the cards (R37)."""

    seat: int
    lance: Lance
    stones: int | None = None
    implied: bool = False


@dataclass(frozen=True, slots=True)
class CardsShownEarly(Event):
    """A player laid his cards open while a bet was pending, and so accepted it (S2 4.6, R37)."""

    seat: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class LanceReopened(Event):
    """The partner of the player who had just accepted raised: the strongest call counts (R35)."""

    lance: Lance


@dataclass(frozen=True, slots=True)
class BetRefused(Event):
    """One player, or (``plural``) the pair, refused the bet."""

    seat: int
    lance: Lance
    plural: bool = False
    implied: bool = False


@dataclass(frozen=True, slots=True)
class Declared(Event):
    """A player said whether he holds pares or juego; a later one of his corrects it (R50).

    ``implied``: he was silent while another bet (R16), or his cards showed it after a void órdago.
    """

    seat: int
    lance: Lance
    holds: bool
    implied: bool = False


@dataclass(frozen=True, slots=True)
class LanceClosed(Event):
    """No more bets in this lance.

    ``side`` is known only where cards cannot change it (refused, uncontested); ``stones`` is what
    was agreed for the count (accepted), else 0.
    """

    lance: Lance
    how: How
    side: str | None = None
    stones: int = 0


@dataclass(frozen=True, slots=True)
class HandShown(Event):
    """A player laid four cards open."""

    seat: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class DeclarationDisproved(Event):
    """The shown cards contradict what the player declared (R47, R48): the table is warned."""

    seat: int
    lance: Lance
    holds: bool
    """Whether the cards hold it (the declaration said the opposite)."""


@dataclass(frozen=True, slots=True)
class LanceClaimed(Event):
    """The table agrees who won a lance, and with what, without seeing the cards.

    ``values`` are the stones of each hand at pares or juego, else empty. ``by_cards``: the table
    gives up a claim that the open cards contradict, and the lance is counted by the cards.
    """

    lance: Lance
    side: str
    values: tuple[int, ...] = ()
    by_cards: bool = False


@dataclass(frozen=True, slots=True)
class ClaimDisproved(Event):
    """The open cards contradict what was claimed without cards (R46): the table is warned.

    ``side`` is the one that wins the lance by the cards, ``claimed`` the one that claimed it, or it
    is the same with other ``stones`` of its hands at pares or juego.
    """

    lance: Lance
    side: str
    claimed: str
    stones: int = 0


@dataclass(frozen=True, slots=True)
class LanceDecided(Event):
    """The cards showed which seat won the lance."""

    lance: Lance
    seat: int
    side: str


@dataclass(frozen=True, slots=True)
class StonesWon(Event):
    """A side won stones; never more than it still needed."""

    side: str
    stones: int
    lance: Lance
    why: Why


@dataclass(frozen=True, slots=True)
class DealCounted(Event):
    """The count of the deal is done."""


@dataclass(frozen=True, slots=True)
class JuegoWon(Event):
    """A side reached the target or won an órdago."""

    side: str
    by: WonBy


@dataclass(frozen=True, slots=True)
class VacaWon(Event):
    """A side won the juegos of a vaca; the juegos begin at 0 again (R41)."""

    side: str


@dataclass(frozen=True, slots=True)
class MatchWon(Event):
    """A side won the vacas that the profile asks for."""

    side: str


@dataclass(frozen=True, slots=True)
class StonesSet(Event):
    """The score was put right by hand: one number a side."""

    stones: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StonesAdjusted(Event):
    """Stones given or taken (negative) by agreement of the table, with the reason that was said."""

    side: str
    stones: int
    reason: str


@dataclass(frozen=True, slots=True)
class BetCorrected(Event):
    """The table corrected the bet of a lance, open or closed."""

    lance: Lance
    stones: int


@dataclass(frozen=True, slots=True)
class CountReopened(Event):
    """The count was taken back to be made again, after a claim or a card that was shown late."""


@dataclass(frozen=True, slots=True)
class DealVoided(Event):
    """The deal counts for nothing and its stones go back; ``mano`` is that of the next deal."""

    mano: int


@dataclass(frozen=True, slots=True)
class IrregularityReported(Event):
    """Somebody reported an irregularity; ``seat`` is the player whom it is about."""

    kind: Irregularity
    seat: int | None = None
    cards: int = 0


@dataclass(frozen=True, slots=True)
class PenaltyProposed(Event):
    """An article fits what happened, and the table is to decide whether it is applied.

    ``seat`` is the offender; ``lance`` is set if the remedy is about one.
    """

    article: str
    remedy: Remedy
    seat: int | None = None
    lance: Lance | None = None


@dataclass(frozen=True, slots=True)
class PenaltyApplied(Event):
    """The article is applied."""

    article: str
    remedy: Remedy
    seat: int | None = None
    lance: Lance | None = None


@dataclass(frozen=True, slots=True)
class PenaltyWaived(Event):
    """The table lets it pass, by word or (``implied``) by playing on."""

    article: str
    remedy: Remedy
    seat: int | None = None
    lance: Lance | None = None
    implied: bool = False


@dataclass(frozen=True, slots=True)
class StonesLost(Event):
    """Stones won by a false declaration go back (S2 5.2)."""

    side: str
    stones: int
    lance: Lance
    article: str


@dataclass(frozen=True, slots=True)
class Retracted(Event):
    """The batch whose first record is ``seq`` no longer counts. Retracting a retraction redoes."""

    seq: int


EVENTS: tuple[type[Event], ...] = tuple(
    # Not Event.__subclasses__(): it also lists the classes that slots=True replaced.
    kind
    for kind in list(globals().values())
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
)
"""Every kind of event; the codec must be able to write each of them."""


Maker = TypeVar("Maker", bound=Callable[..., Event])


def _keeping(make: Maker) -> Maker:
    return cast("Maker", lru_cache(maxsize=1024)(make))


kept = _keeping(call)
"""``kept(Passed, 1, CHICA)`` is ``Passed(1, CHICA)``, which is made once and kept.

An evening repeats a few hundred events, and finding one takes a fifth of the time of making it.
"""
