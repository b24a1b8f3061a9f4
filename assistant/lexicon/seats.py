"""Whose hand it is, where that is said first: "mano: rey rey caballo as"."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.lexicon.context import Context
from assistant.lexicon.text import Tokens, tokens_of


@dataclass(frozen=True, slots=True)
class SeatWords:
    """What the first and the last to speak are called; the others go by their names."""

    mano: tuple[Tokens, ...]
    postre: tuple[Tokens, ...]

    def seat(self, tokens: Tokens, start: int, context: Context) -> tuple[int | None, int]:
        """The seat named there and where its name ends; no seat, and ``start``, if none is."""
        names = {tokens_of(name): seat for seat, name in enumerate(context.seats, start=1)}
        # Who calls a player "Mano" means the role all the same: only that is sure to be unique.
        names |= dict.fromkeys(self.mano, context.mano)
        if context.seats:
            last = (context.mano - 2) % len(context.seats) + 1
            names |= dict.fromkeys(self.postre, last)
        for words, seat in names.items():
            if words and tokens[start : start + len(words)] == words:
                return seat, start + len(words)
        return None, start
