"""A player's second thought: two calls of one breath, of which perhaps only one counts.

No I/O. A player who corrects himself says "paso, perdón, envido". Nobody can hear where one mouth
stops and the next begins, and a bet in the wrong mouth belongs to the other pair. So the later call
never goes to the next player if the same player may have said both:

- After "perdón" it is surely his. It takes the place of the earlier call.
- After "bueno" or "eh" it may be his, or the next player's. The table asks which of the two calls
  counts, if he could have made either of them. After "envido, bueno, quiero" he could not.

Two clear voices are two players, whatever they say. The words are those of ``corrects`` and
``hesitates`` in a lexicon file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from assistant.language.lexicon import Aside, BreathLink, Lexicon, Reading, Spoken, context_of
from assistant.messages import Ask, Heard, Word
from assistant.rules.calls import Bet, Call, Cut, Mus, Ordago
from assistant.rules.engine import Decided
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.state import State
from assistant.table.doubt import differ
from assistant.table.who import Breath, are_two


@dataclass(frozen=True, slots=True)
class LastCall:
    """The last call of a breath, its voice, and what there was before it.

    outcomes  how many outcomes; ``breath``: the call before it
    """

    call: Call
    voice: tuple[float, ...]
    state: State
    outcomes: int
    breath: Breath

    def again(
        self, words: tuple[Word, ...], heard: Heard, lexicon: Lexicon, link: BreathLink
    ) -> Reading | None:
        """The next words, read in the place of this call; None if they are another player's."""
        if link.means is None or link.aside < Aside.HESITATES:
            return None
        reading = lexicon.read(words, context_of(self.state), link)
        taken = words[: reading.taken] if isinstance(reading, Spoken) else words
        return None if are_two(self.voice, heard.voice_of(taken)) else reading

    def or_else(
        self, reading: Reading, heard: Heard, decided: Callable[[State, Call], Decided]
    ) -> Ask | None:
        """The question which of the two calls counts; None if they are two players' anyway."""
        if not isinstance(reading, Spoken) or not isinstance(reading.what, Call):
            return None
        other = replace(reading.what, seat=reading.what.seat or heard.seat)
        if not _contradict(self.call, other):
            return None
        try:
            decided(self.state, other)
        except AmbiguousCall:
            pass  # it causes its own question once it is chosen
        except IllegalCall:
            return None
        options = replace(self.call, seat=heard.seat), other
        return Ask("which_said", options, voice=self.voice)


def _contradict(earlier: Call, later: Call) -> bool:
    """Whether it matters which of two calls a player has made.

    After "mus, bueno, no hay mus" it does not: the mus is cut either way.
    """
    match earlier, later:
        case Mus(), Cut():
            return False
        case Mus(), Bet() | Ordago():
            return True
        case _:
            return differ(earlier, later)
