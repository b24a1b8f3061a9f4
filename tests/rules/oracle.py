"""A second scorer of a whole deal, written from the rule table in docs/rules.md alone.

It shares no code with the package. Hands are words of rank letters. Side 0 is seats 1 and 3, side 1
is seats 2 and 4. A deal is scored in one go from what was said, not event by event.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

HIGH_TO_LOW = "RCS7654321"
JUEGO_BEST_FIRST = [31, 32, 40, 37, 36, 35, 34, 33]
LANCES = ("grande", "chica", "pares", "juego", "punto")


@dataclass(frozen=True)
class Talk:
    """What was said in one lance: the first bet and the raises, by alternating sides.

    Without a bet or an órdago, everybody passed. ``opener`` is the seat of the first bet or órdago.
    """

    opener: int = 0
    bets: tuple[int, ...] = ()
    ordago: bool = False
    accepted: bool = False

    @property
    def words(self) -> int:
        """How often somebody bet, raised or said órdago."""
        return len(self.bets) + self.ordago

    @property
    def last_side(self) -> int:
        """The side of the last bet, raise or órdago."""
        return (side(self.opener) + self.words - 1) % 2


@dataclass(frozen=True)
class Deal:
    """A deal with everything that decides its stones."""

    mano: int
    hands: tuple[str, ...]
    talk: dict[str, Talk]
    before: tuple[int, int] = (0, 0)
    target: int = 40
    kings: int = 8
    real31: str = "off"


@dataclass(frozen=True)
class Scored:
    """The stones after the deal, and the side that won the juego, if one did."""

    stones: tuple[int, int]
    out: int | None


def side(seat: int) -> int:
    """Seats 1 and 3 against seats 2 and 4."""
    return (seat - 1) % 2


def played(hand: str, kings: int) -> str:
    """R01: with eight kings, treses are reyes and doses are ases."""
    return hand.translate(str.maketrans("32", "R1")) if kings == 8 else hand


def points(hand: str, kings: int) -> int:
    """The sum of the cards; each figure counts ten."""
    return sum(10 if rank in "RCS" else int(rank) for rank in played(hand, kings))


def pairs(hand: str, kings: int) -> list[str]:
    """The ranks that come twice or more, highest first; four alike are two pairs (R12)."""
    held = Counter(played(hand, kings))
    return [rank for rank in HIGH_TO_LOW for _ in range(held[rank] // 2)]


def pares_stones(hand: str, kings: int) -> int:
    """R13: pareja one, medias two, duples three."""
    if len(pairs(hand, kings)) == 2:
        return 3
    most = max(Counter(played(hand, kings)).values())
    return {1: 0, 2: 1, 3: 2}[most]


def juego_stones(hand: str, kings: int) -> int:
    """R15: 31 three, any other juego two."""
    total = points(hand, kings)
    return 0 if total < 31 else 3 if total == 31 else 2


def takes_part(lance: str, hand: str, kings: int) -> bool:
    """R16: only those who hold pares or juego play that lance."""
    if lance == "pares":
        return pares_stones(hand, kings) > 0
    return lance != "juego" or juego_stones(hand, kings) > 0


def is_played(lance: str, hands: tuple[str, ...], kings: int) -> bool:
    """R19: juego is played where somebody has it, punto where nobody does."""
    somebody = any(points(hand, kings) >= 31 for hand in hands)
    return somebody if lance == "juego" else not somebody if lance == "punto" else True


def rank_of_hand(lance: str, hand: str, deal: Deal) -> tuple[int, ...]:
    """The rank of a hand in a lance; a smaller tuple is a better hand."""
    cards = sorted(HIGH_TO_LOW.index(rank) for rank in played(hand, deal.kings))
    if lance == "grande":
        return tuple(cards)
    if lance == "chica":
        return tuple(-card for card in reversed(cards))
    if lance == "pares":
        kind = -pares_stones(hand, deal.kings)
        return (kind, *(HIGH_TO_LOW.index(rank) for rank in pairs(hand, deal.kings)))
    total = points(hand, deal.kings)
    if lance == "juego":
        real = deal.real31 == "sota" and hand.count("7") == 3 and "S" in hand
        return (0 if real else 1, JUEGO_BEST_FIRST.index(total))
    return (-total,)


def winning_side(lance: str, deal: Deal) -> int:
    """The side with the best hand among those that take part; mano's nearest wins ties (R39)."""
    seats = [(deal.mano - 1 + i) % 4 + 1 for i in range(4)]
    seats = [s for s in seats if takes_part(lance, deal.hands[s - 1], deal.kings)]
    return side(min(seats, key=lambda s: rank_of_hand(lance, deal.hands[s - 1], deal)))


def hands_value(lance: str, winner: int, deal: Deal) -> int:
    """The stones that the hands of the winning side add (R13, R15, R29)."""
    mine = [hand for seat, hand in enumerate(deal.hands, start=1) if side(seat) == winner]
    if lance == "pares":
        return sum(pares_stones(hand, deal.kings) for hand in mine)
    if lance == "juego":
        return sum(juego_stones(hand, deal.kings) for hand in mine)
    return 1 if lance == "punto" else 0


def score(deal: Deal) -> Scored:
    """The stones after the deal: dejes as they fall, then the count in order (R27, R30)."""
    stones = list(deal.before)
    count: list[tuple[int, int]] = []
    for lance in LANCES:
        if not is_played(lance, deal.hands, deal.kings):
            continue
        sides = {
            side(seat)
            for seat, hand in enumerate(deal.hands, start=1)
            if takes_part(lance, hand, deal.kings)
        }
        if not sides:
            continue  # R18
        if len(sides) == 1:  # R17
            winner = sides.pop()
            count.append((winner, hands_value(lance, winner, deal)))
            continue
        talk = deal.talk[lance]
        if talk.ordago and talk.accepted:  # R32
            return Scored((stones[0], stones[1]), winning_side(lance, deal))
        if talk.words == 0:  # R20
            winner = winning_side(lance, deal)
            paso = 1 if lance in ("grande", "chica") else 0
            count.append((winner, paso + hands_value(lance, winner, deal)))
        elif talk.accepted:
            winner = winning_side(lance, deal)
            count.append((winner, sum(talk.bets) + hands_value(lance, winner, deal)))
        else:  # R24, R25, R26, R28
            winner = talk.last_side
            stood = sum(talk.bets) if talk.ordago else sum(talk.bets[:-1])
            stones[winner] += stood or 1
            count.append((winner, hands_value(lance, winner, deal)))
        if max(stones) >= deal.target:  # R60
            return _out(stones, deal.target)
    for winner, won in count:
        stones[winner] += won
        if stones[winner] >= deal.target:
            return _out(stones, deal.target)
    return Scored((stones[0], stones[1]), None)


def _out(stones: list[int], target: int) -> Scored:
    winner = 0 if stones[0] >= target else 1
    a, b = (min(n, target) for n in stones)
    return Scored((a, b), winner)
