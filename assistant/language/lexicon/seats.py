"""The spoken names of cards, of the values of hands, and of players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from assistant.language.lexicon.context import Context
from assistant.language.lexicon.text import Tokens, tokens_of
from assistant.rules.calls import Whose
from assistant.rules.cards import HAND_SIZE, Card, Hand, Rank, Suit
from assistant.rules.phases import Lance
from assistant.rules.state import SIDE_LETTERS

# ---- Four cards named aloud, as at the showdown: "dos reyes caballo as", "tres sietes y sota" ---


DIGIT_RANKS = frozenset("1234567")


@dataclass(frozen=True, slots=True)
class CardWords:
    """The names of cards: one of them ("rey"), their suits, and several alike ("dos", "reyes").

    ``counted`` holds number and name of one language: "dos as" is two cards in Spanish, "bi as"
    two ases in Basque. ``joins`` ("y", "un") may stand before a card, ``of`` ("de") before a suit.
    ``many``: plurals. One that no number counts is a single card, because "caballo, sota" sounds
    like "caballos, sota". ``slurred``: those that two single cards sound like: "as, as", "ases".
    """

    one: Mapping[str, Rank]
    many: Mapping[str, Rank]
    slurred: frozenset[str]
    counted: Mapping[tuple[str, str], tuple[int, Rank]]
    suits: Mapping[str, Suit]
    joins: frozenset[str]
    of: frozenset[str]

    def hands(self, tokens: Tokens, start: int) -> Iterator[tuple[Hand, int]]:
        """Every four cards that begin at ``start``, with where they end, the likeliest first.

        Basque has no plural after a number: "lau errege" is four reyes, or a cuatro and a rey.
        """
        yield from self._rest(tokens, start, ())

    def begins(self, tokens: Tokens) -> bool:
        """Whether tokens are the first cards of a hand, which has more."""
        return any(0 < size < HAND_SIZE for size in self._sizes(tokens))

    def completed_by(self, pieces: Sequence[Tokens]) -> bool:
        """Whether each piece names some cards of a hand, and all together name a complete one."""
        sizes = [
            {size for size in self._sizes(last + piece, len(last)) if 0 < size < HAND_SIZE}
            for last, piece in zip(((), *(one[-1:] for one in pieces)), pieces, strict=False)
        ]
        return any(sum(ones) == HAND_SIZE for ones in product(*sizes))

    def _sizes(self, tokens: Tokens, start: int = 0) -> set[int]:
        """How many cards the tokens from ``start`` on may be if they are nothing else."""
        found, waiting = set[int](), [(start, 0)]
        while waiting:
            at, cards = waiting.pop()
            while at < len(tokens) and tokens[at] in self.joins:
                at += 1
            if at == len(tokens):
                found.add(cards)
            ways = [(end, cards + len(group)) for group, end in self._groups(tokens, at)]
            waiting += [way for way in ways if way[1] <= HAND_SIZE]
        return found

    def _rest(self, tokens: Tokens, at: int, cards: Hand) -> Iterator[tuple[Hand, int]]:
        if len(cards) == HAND_SIZE:
            yield cards, at
        if len(cards) >= HAND_SIZE:
            return
        while at < len(tokens) and tokens[at] in self.joins:
            at += 1
        for group, end in self._groups(tokens, at):
            yield from self._rest(tokens, end, cards + group)

    def _groups(self, tokens: Tokens, at: int) -> Iterator[tuple[Hand, int]]:
        """Several cards alike, or one card."""
        if at >= len(tokens):
            return
        token = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        # "dos reyes" counts, "dos rey" names two cards: the plural tells them apart.
        if several := self.counted.get((token, following)):
            yield (Card(several[1]),) * several[0], at + 2
        count = self.counted.get((tokens[at - 1], token)) if at else None
        # "caballo, dos, as, as" sounds like "caballo, dos ases", which has no four cards. But "tres
        # seises, as" has, as its "tres" is a number.
        if token in self.slurred and (count is None or count[0] != 3):
            yield (Card(self.many[token]),) * 2, at + 1
        rank = Rank(token) if token in DIGIT_RANKS else self.one.get(token)
        if rank is None and count is None:
            rank = self.many.get(token)
        if rank is None:
            return
        if following in self.of and at + 2 < len(tokens) and tokens[at + 2] in self.suits:
            yield (Card(rank, self.suits[tokens[at + 2]]),), at + 3
        else:
            yield (Card(rank),), at + 1


# ---- The values of hands, as a lance is claimed: "duples y medias", "dos juegos" ----------------


MAX_HANDS = 3
"""No side has more players (three against three, R56)."""

Value = tuple[Lance, int]


@dataclass(frozen=True, slots=True)
class ValueWords:
    """The names of pares and juegos that score: lance and stones of one hand (R13, R15).

    ``counts`` may stand before a name ("dos duples"), ``joins`` ("y") between two.
    """

    names: Mapping[Tokens, Value]
    counts: Mapping[str, int]
    joins: frozenset[str]
    begins: frozenset[str] = field(init=False, compare=False)
    """The first words of all the names."""

    def __post_init__(self) -> None:
        """Gather the first words."""
        begins = frozenset(words[0] for words in self.names) | self.counts.keys()
        object.__setattr__(self, "begins", begins)  # past the frozen class

    def values(self, tokens: Tokens, start: int) -> Iterator[tuple[int, Lance, tuple[int, ...]]]:
        """Every list of hands that begins at ``start``: its end, its lance, stones by hand."""
        for end, lance, values in self._counted(tokens, start):
            yield from self._more(tokens, end, lance, values)

    def _more(
        self, tokens: Tokens, at: int, lance: Lance, values: tuple[int, ...]
    ) -> Iterator[tuple[int, Lance, tuple[int, ...]]]:
        yield at, lance, values
        if at < len(tokens) and tokens[at] in self.joins:
            for end, other, more in self._counted(tokens, at + 1):
                if other is lance and len(values) + len(more) <= MAX_HANDS:
                    yield from self._more(tokens, end, lance, values + more)

    def _counted(self, tokens: Tokens, at: int) -> Iterator[tuple[int, Lance, tuple[int, ...]]]:
        for end, (lance, stones) in self._named(tokens, at):
            yield end, lance, (stones,)
        count = self.counts.get(tokens[at], 0) if at < len(tokens) else 0
        if 0 < count <= MAX_HANDS:
            for end, (lance, stones) in self._named(tokens, at + 1):
                yield end, lance, (stones,) * count

    def _named(self, tokens: Tokens, at: int) -> Iterator[tuple[int, Value]]:
        for words, value in self.names.items():
            if tokens[at : at + len(words)] == words:
                yield at + len(words), value


# ---- Players and sides: "mano: rey rey caballo as", "quita dos a los otros", "para Norte y Sur"


@dataclass(frozen=True, slots=True)
class Names:
    """Everybody's names at one table: by seat, and the words for us and them."""

    seats: Mapping[Tokens, int]
    parties: Mapping[Tokens, Whose]
    joins: frozenset[str]
    sides: int
    begins: frozenset[str] = field(init=False, compare=False)
    """The first words of all of them."""

    def __post_init__(self) -> None:
        """Gather the first words."""
        begins = frozenset(words[0] for words in (*self.seats, *self.parties))
        object.__setattr__(self, "begins", begins)  # past the frozen class

    def player(self, tokens: Tokens, at: int) -> Iterator[tuple[int, int]]:
        """Every seat named at ``at``, after where its name ends."""
        for words, seat in self.seats.items():
            if tokens[at : at + len(words)] == words:
                yield at + len(words), seat

    def whose(self, tokens: Tokens, at: int) -> Iterator[tuple[int, Whose | str]]:
        """Every side named at ``at``: as ``Whose``, or as a letter if players were named.

        Players of two sides are no side: "para Norte y Este" names none. The "y" between partners
        is so short that the ear often loses it: "para Norte Sur" names a side, too.
        """
        for words, whose in self.parties.items():
            if tokens[at : at + len(words)] == words:
                yield at + len(words), whose
        for end, seat in self.player(tokens, at):
            yield from self._partners(tokens, end, self._side_of(seat))

    def _partners(self, tokens: Tokens, at: int, side: str) -> Iterator[tuple[int, str]]:
        yield at, side
        if at < len(tokens) and tokens[at] in self.joins:
            at += 1
        for end, seat in self.player(tokens, at):
            if self._side_of(seat) == side:
                yield from self._partners(tokens, end, side)

    def _side_of(self, seat: int) -> str:
        return SIDE_LETTERS[(seat - 1) % self.sides]


@dataclass(frozen=True, slots=True)
class SeatWords:
    """The words for the first and the last to speak, and for sides; players go by their names.

    ``endings`` are what a language adds to a name (Basque "Norterentzat": for Norte). ``joins``
    stand between the names of partners.
    """

    mano: tuple[Tokens, ...]
    postre: tuple[Tokens, ...]
    us: tuple[Tokens, ...] = ()
    them: tuple[Tokens, ...] = ()
    joins: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()

    def names(self, context: Context | None = None) -> Names:
        """The names at this table; without a context, those that every table has."""
        if context is None:
            return _names(self, (), 1, 2)
        return _names(self, context.seats, context.mano, context.sides)

    def spoken(self, seats: Sequence[str]) -> tuple[str, ...]:
        """The players' names as they are spoken, each also with the endings that are syllables."""
        names = _as_said(seats)
        return (
            *names,
            *(f"{name} {ending}" for name in names for ending in self.endings if len(ending) > 1),
        )

    def partners(self, seats: Sequence[str], sides: int) -> tuple[str, ...]:
        """Two players of a side in one breath, as "norte y sur", or "norte sur"."""
        names = _as_said(seats)
        joins = [f" {join} " for join in sorted(self.joins)] + [" "]
        return tuple(
            f"{one}{join}{other}"
            for at, one in enumerate(names)
            for to, other in enumerate(names)
            for join in joins
            if one != other and (at - to) % sides == 0
        )

    def seat(self, tokens: Tokens, start: int, context: Context) -> tuple[int | None, int]:
        """The seat named there and where its name ends; no seat, and ``start``, if none is."""
        found = max(self.names(context).player(tokens, start), default=None)
        return (found[1], found[0]) if found else (None, start)


def _as_said(seats: Sequence[str]) -> tuple[str, ...]:
    """Names in the letters of a speech model: small ones, without marks between them."""
    letters = ("".join(char if char.isalpha() else " " for char in name.lower()) for name in seats)
    return tuple(" ".join(name.split()) for name in letters if name.split())


@lru_cache(maxsize=64)
def _names(words: SeatWords, seats: tuple[str, ...], mano: int, sides: int) -> Names:
    players = {tokens_of(name): seat for seat, name in enumerate(seats, start=1)}
    # "Mano" means the role, even if a player has that name, because only the role is always unique.
    players |= dict.fromkeys(words.mano, mano)
    if seats:
        players |= dict.fromkeys(words.postre, (mano - 2) % len(seats) + 1)
    # A name with an ending gives way to a player who is called just that.
    named = {
        (*name[:-1], name[-1] + ending): seat
        for name, seat in players.items()
        if name
        for ending in words.endings
    }
    # The ear hears an ending that is a syllable as a word of its own.
    named |= {
        (*name, ending): seat
        for name, seat in players.items()
        if name
        for ending in words.endings
        if len(ending) > 1
    }
    named |= {name: seat for name, seat in players.items() if name}
    parties = dict.fromkeys(words.us, Whose.US) | dict.fromkeys(words.them, Whose.THEM)
    return Names(named, parties, words.joins, sides)
