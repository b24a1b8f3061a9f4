"""Who is spoken of: "mano: rey rey caballo as", "quita dos a los otros", "para Norte y Sur"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.lexicon.context import Context
from assistant.lexicon.text import Tokens, tokens_of
from assistant.rules.calls import Whose
from assistant.rules.state import SIDE_LETTERS


@dataclass(frozen=True, slots=True)
class Names:
    """Everybody's names at one table: by seat, and the words for us and them."""

    seats: Mapping[Tokens, int]
    parties: Mapping[Tokens, Whose]
    joins: frozenset[str]
    sides: int

    def player(self, tokens: Tokens, at: int) -> Iterator[tuple[int, int]]:
        """Every seat named at ``at``, after where its name ends."""
        for words, seat in self.seats.items():
            if tokens[at : at + len(words)] == words:
                yield at + len(words), seat

    def whose(self, tokens: Tokens, at: int) -> Iterator[tuple[int, Whose | str]]:
        """Every side named at ``at``: as a word, or as a letter where players were named.

        Players of two sides are no side: "para Norte y Este" is nobody's.
        """
        for words, whose in self.parties.items():
            if tokens[at : at + len(words)] == words:
                yield at + len(words), whose
        for end, seat in self.player(tokens, at):
            yield from self._partners(tokens, end, self._side_of(seat))

    def _partners(self, tokens: Tokens, at: int, side: str) -> Iterator[tuple[int, str]]:
        yield at, side
        if at < len(tokens) and tokens[at] in self.joins:
            for end, seat in self.player(tokens, at + 1):
                if self._side_of(seat) == side:
                    yield from self._partners(tokens, end, side)

    def _side_of(self, seat: int) -> str:
        return SIDE_LETTERS[(seat - 1) % self.sides]


@dataclass(frozen=True, slots=True)
class SeatWords:
    """What the first and the last to speak are called, and sides; players go by their names.

    ``endings`` are what a language hangs on a name (Basque "Norterentzat": for Norte), ``joins``
    stand between the names of partners.
    """

    mano: tuple[Tokens, ...]
    postre: tuple[Tokens, ...]
    us: tuple[Tokens, ...] = ()
    them: tuple[Tokens, ...] = ()
    joins: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()

    def names(self, context: Context | None = None) -> Names:
        """The names at this table; without a context, those that any table knows."""
        if context is None:
            return _names(self, (), 1, 2)
        return _names(self, context.seats, context.mano, context.sides)

    def spoken(self, seats: Sequence[str]) -> tuple[str, ...]:
        """The players' names as they sound, each also with the endings that are syllables."""
        names = _as_said(seats)
        return (
            *names,
            *(f"{name} {ending}" for name in names for ending in self.endings if len(ending) > 1),
        )

    def partners(self, seats: Sequence[str], sides: int) -> tuple[str, ...]:
        """Two players of a side in one breath, as "norte y sur"."""
        names = _as_said(seats)
        return tuple(
            f"{one} {join} {other}"
            for at, one in enumerate(names)
            for to, other in enumerate(names)
            for join in sorted(self.joins)
            if one != other and (at - to) % sides == 0
        )

    def seat(self, tokens: Tokens, start: int, context: Context) -> tuple[int | None, int]:
        """The seat named there and where its name ends; no seat, and ``start``, if none is."""
        found = max(self.names(context).player(tokens, start), default=None)
        return (found[1], found[0]) if found else (None, start)


def _as_said(seats: Sequence[str]) -> tuple[str, ...]:
    """Names in the letters that a speech model has: small ones, and no marks between them."""
    letters = ("".join(char if char.isalpha() else " " for char in name.lower()) for name in seats)
    return tuple(" ".join(name.split()) for name in letters if name.split())


@lru_cache(maxsize=64)
def _names(words: SeatWords, seats: tuple[str, ...], mano: int, sides: int) -> Names:
    players = {tokens_of(name): seat for seat, name in enumerate(seats, start=1)}
    # Who calls a player "Mano" means the role all the same: only that is sure to be unique.
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
    # By ear an ending that is a syllable comes as a word of its own.
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
