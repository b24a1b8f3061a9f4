"""A second scorer for tables where each plays for himself, written from docs/rules.md alone.

It shares the hands of the first oracle, and no code with the package. Seats count from 1, a word is
(seat, what, stones), and a deal is scored in one go from its words.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.rules import oracle

Word = tuple[int, str, int]
"""The seat, one of "envido", "más", "órdago", "quiero" and "no", and the number of stones."""


@dataclass
class Talked:
    """A lance after its words. Each rival answers for himself, and a "no" is final."""

    seats: tuple[int, ...]
    bettor: int = 0
    stands: int = 0
    before: int = 0
    ordago: bool = False
    accepted: list[int] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)

    def hear(self, word: Word) -> None:
        """Apply one word. A raise asks everybody again who is still in."""
        seat, what, stones = word
        if what == "no":
            self.gone.add(seat)
        elif what == "quiero":
            self.accepted.append(seat)
        else:
            self.before = self.stands
            self.stands += stones
            self.ordago = what == "órdago"
            self.bettor, self.accepted = seat, []

    def waiting(self) -> list[int]:
        """The seats that have still to answer."""
        done = {self.bettor, *self.accepted, *self.gone}
        return [seat for seat in self.seats if seat not in done] if self.bettor else []

    def playing(self) -> list[int]:
        """The seats that play for the lance: bettor and accepters, or everybody in paso."""
        return [self.bettor, *self.accepted] if self.bettor else list(self.seats)


@dataclass(frozen=True)
class EachDeal:
    """A deal of 2 to 6 players and all that was said in it."""

    mano: int
    hands: tuple[str, ...]
    words: dict[str, tuple[Word, ...]]
    before: tuple[int, ...]
    target: int


def holders(deal: EachDeal, lance: str) -> tuple[int, ...]:
    """The seats that may speak in a lance, mano first; none where the lance is not played."""
    n = len(deal.hands)
    if not oracle.is_played(lance, deal.hands, 8):
        return ()
    order = [(deal.mano - 1 + i) % n + 1 for i in range(n)]
    return tuple(s for s in order if oracle.takes_part(lance, deal.hands[s - 1], 8))


def talked(deal: EachDeal, lance: str) -> Talked:
    """The lance after all its words."""
    talk = Talked(holders(deal, lance))
    for word in deal.words.get(lance, ()):
        talk.hear(word)
    return talk


def best(deal: EachDeal, lance: str, seats: list[int]) -> int:
    """The seat with the best hand; the nearest to mano wins ties."""
    order = [seat for seat in holders(deal, lance) if seat in seats]
    hands = oracle.Deal(deal.mano, deal.hands, {})
    return min(order, key=lambda s: oracle.rank_of_hand(lance, deal.hands[s - 1], hands))


def own_value(deal: EachDeal, lance: str, seat: int) -> int:
    """The stones that the winner's own hand adds. Nobody has a partner."""
    if lance == "pares":
        return oracle.pares_stones(deal.hands[seat - 1], 8)
    if lance == "juego":
        return oracle.juego_stones(deal.hands[seat - 1], 8)
    return 1 if lance == "punto" else 0


def score(deal: EachDeal) -> tuple[tuple[int, ...], int | None]:
    """The stones after the deal, and the seat that won the juego, if one did."""
    stones = list(deal.before)
    count: list[tuple[int, int]] = []
    for lance in oracle.LANCES:
        seats = holders(deal, lance)
        if not seats:
            continue
        talk = talked(deal, lance)
        if talk.bettor and not talk.accepted:
            winner = talk.bettor
            stones[winner - 1] += talk.before or 1
            if stones[winner - 1] >= deal.target:
                return capped(stones, deal.target, winner)
            count.append((winner, own_value(deal, lance, winner)))
            continue
        winner = best(deal, lance, talk.playing())
        if talk.ordago:
            return tuple(stones), winner
        alone = len(seats) == 1
        paso = 1 if lance in ("grande", "chica") and not talk.bettor and not alone else 0
        count.append((winner, talk.stands + paso + own_value(deal, lance, winner)))
    for winner, won in count:
        stones[winner - 1] += won
        if stones[winner - 1] >= deal.target:
            return capped(stones, deal.target, winner)
    return tuple(stones), None


def capped(stones: list[int], target: int, winner: int) -> tuple[tuple[int, ...], int]:
    """Stop the count at the target: nobody wins more stones than he needs."""
    return tuple(min(n, target) for n in stones), winner
