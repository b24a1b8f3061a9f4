"""What may follow what in one breath: a chain of calls is several players', or it is talk.

Who says "no" and goes on without a pause has not refused yet: "no veo", "no paso", "no, envido".
And a number by itself is a bet only where nobody has just answered or cut: "quiero dos" takes the
two that were bet, and "quita dos" is about cards or stones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.language.lexicon.text import NUMBER, Tokens

if TYPE_CHECKING:
    from assistant.language.lexicon.rows import Phrase

DECLARES = frozenset({"holds", "lacks"})
"""Meanings that tell whether one has pares or juego."""
REFUSES = frozenset({"refuse", "refuse_plural"})
"""Meanings that refuse a bet."""
RAISES = frozenset({"raise", "reenvido"})
"""Meanings that answer a bet by a higher one."""
OPENS = frozenset({"pass", "bet", "bet_both", "ordago", "ordago_both"})
"""Meanings that open a lance: what nobody says right after his own bare "no"."""


@dataclass(frozen=True, slots=True)
class BreathLink:
    """The call before, in the same breath: what it means, whether it is a bare "no".

    ``filler``: something that means nothing has been said since.
    """

    means: str | None = None
    bare_no: bool = False
    filler: bool = False

    def after_filler(self) -> BreathLink:
        """The same call, with a filler after it."""
        return replace(self, filler=True)

    def allows(self, phrase: Phrase) -> bool:
        """Whether a phrase may follow as a call of its own."""
        means = phrase.row.means
        if self.means in DECLARES and self.filler:
            # "Sí, hombre, sí" is one player, and not two who declare.
            return means not in DECLARES and not self.bare_no
        if self.bare_no:
            return self.means in DECLARES and means not in OPENS
        if self.means in REFUSES and means in RAISES:
            return False  # "no quiero y dos más": nobody can tell what is meant
        return phrase.pattern != (NUMBER,) or self.means in (None, "pass")


START = BreathLink()
"""Nothing before."""
SHOWN = BreathLink("show")
"""Four cards before."""


@dataclass(frozen=True, slots=True)
class Negations:
    """The words that say no, and the fillers of one word, which may stand beside them."""

    no: frozenset[str]
    fillers: frozenset[str]

    @classmethod
    def of(cls, no: Sequence[Tokens], fillers: Sequence[Tokens]) -> Negations:
        """From what says no to a question, and the fillers ("yo no" is a bare no)."""
        single = {words[0] for words in fillers if len(words) == 1}
        return cls(frozenset(word for words in no for word in words), frozenset(single))

    def turn(self, word: str) -> bool:
        """Whether a word says no by itself."""
        return word in self.no and word not in self.fillers

    def link(self, phrase: Phrase) -> BreathLink:
        """What a phrase leaves behind for what follows it."""
        row, words = phrase.row, set(phrase.pattern)
        answers = row.means in REFUSES | DECLARES
        bare = answers and bool(words & self.no) and words <= self.no | self.fillers
        return BreathLink(row.means, bare)
