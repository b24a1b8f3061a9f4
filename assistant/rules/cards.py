"""The Spanish deck of forty and its text form: ``R C S 7 6 5 4 3 2 1``, suit letter optional."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assistant.rules.errors import CardError


class Rank(StrEnum):
    """The ten ranks, highest first, by the letter or digit printed on the card."""

    REY = "R"
    CABALLO = "C"
    SOTA = "S"
    SIETE = "7"
    SEIS = "6"
    CINCO = "5"
    CUATRO = "4"
    TRES = "3"
    DOS = "2"
    AS = "1"


class Suit(StrEnum):
    """The four suits. They only tell cards apart."""

    OROS = "o"
    COPAS = "c"
    ESPADAS = "e"
    BASTOS = "b"


@dataclass(frozen=True, slots=True)
class Card:
    """One card; the suit is ``None`` if nobody said it."""

    rank: Rank
    suit: Suit | None = None

    def __str__(self) -> str:
        return f"{self.rank}{self.suit or ''}"


HAND_SIZE = 4
SUITS = len(Suit)
"""How often each rank is in the deck."""
Hand = tuple[Card, ...]
"""The cards of one player, in the order they were shown."""


def parse_card(text: str) -> Card:
    """Read one card, "Ro" or "7". Raises CardError."""
    try:
        rank = Rank(text[:1].upper())
        suit = Suit(text[1:].lower()) if len(text) > 1 else None
    except ValueError:
        raise CardError(
            "{text!r} is no card: write a rank of R C S 7 6 5 4 3 2 1 and, if known, a "
            "suit of o c e b, as in 'Ro' or '7'.",
            text=text,
        ) from None
    return Card(rank, suit)


def parse_hand(text: str) -> Hand:
    """Read four cards: "R R C 1" or "RRC1". Raises CardError."""
    hand = tuple(parse_card(part) for part in _split(text))
    check_hand(hand)
    return hand


def check_hand(hand: Hand) -> None:
    """Raise CardError unless these are four cards that one deck can deal."""
    if len(hand) != HAND_SIZE:
        raise CardError(
            "A hand has {wanted} cards, not {n}: {hand!r}.",
            wanted=HAND_SIZE,
            n=len(hand),
            hand=format_hand(hand),
        )
    check_deal((hand,))


CALLED_ALIKE: dict[Rank, Rank] = {Rank.REY: Rank.TRES, Rank.AS: Rank.DOS}
"""With eight kings a tres is called "rey" and a dos "as": a name may mean either card."""


def check_deal(hands: tuple[Hand, ...], kings: int = 4) -> None:
    """Raise CardError if a card lies in two places, or a rank comes more often than in the deck.

    The deck has each rank four times. With eight ``kings`` there are eight reyes and treses
    together, and eight ases and doses (R01).
    """
    # Pairs of texts instead of cards: they are hashed and compared without a call into Python.
    cards = [(card.rank, card.suit) for hand in hands for card in hand]
    if len(set(cards)) < len(cards):
        for rank, suit in cards:
            if suit and cards.count((rank, suit)) > 1:
                raise CardError("The card {card} appears twice.", card=Card(rank, suit))
    ranks = [rank for rank, _suit in cards]
    letters = "".join(ranks)  # a rank is one letter, and a text is counted quickly
    if max(map(letters.count, set(letters)), default=0) <= SUITS:
        return
    for rank in dict.fromkeys(ranks):
        alike = CALLED_ALIKE.get(rank) if kings == 8 else None
        held = ranks.count(rank) + (ranks.count(alike) if alike else 0)
        if held > (2 * SUITS if alike else SUITS):
            if alike:
                raise CardError(
                    "There are only eight cards of ranks {rank} and {alike}.",
                    rank=rank,
                    alike=alike,
                )
            raise CardError("There are only four cards of rank {rank}.", rank=rank)


def format_hand(hand: Hand) -> str:
    """Write cards as ``parse_hand`` reads them."""
    return " ".join(map(str, hand))


def _split(text: str) -> list[str]:
    parts = text.replace(",", " ").split()
    if len(parts) == 1 and len(parts[0]) == HAND_SIZE:
        return list(parts[0])  # "RRC1": four ranks written together
    return parts


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
