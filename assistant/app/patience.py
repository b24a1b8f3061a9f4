"""How long the ear waits after what was said: as long as it may still become another call."""

from __future__ import annotations

from collections.abc import Callable

from assistant.lexicon import GoesOn, Lexicon, Moment, context_of
from assistant.rules.state import State
from assistant.speech import NEARLY, PATIENCE, PAUSE, SETTLED, PauseAfter, pause_by_words

BETWEEN_CARDS = 0.75
"""Seconds that a player may look at his next card before he names it."""
DECLARING = frozenset({Moment.PARES, Moment.JUEGO})


def pause_after(lexicon: Lexicon, state: Callable[[], State]) -> PauseAfter:
    """The pause for a table whose ``state`` is asked for at every end of speech.

    It is called on the ear's thread; a state is never changed, so the newest one may be read.
    """

    def seconds(text: str) -> float:
        context = context_of(state())
        match lexicon.goes_on(text, context):
            case GoesOn.NO:
                return SETTLED
            case GoesOn.RARELY:
                return NEARLY
            case _ if context.moment in DECLARING:
                # Who says "no" to "¿pares?" refuses no bet: there is no "quiero" to wait for.
                return PAUSE
            case GoesOn.DEARLY if context.moment is Moment.SHOWDOWN:
                return BETWEEN_CARDS
            case GoesOn.DEARLY:
                return PATIENCE
            case GoesOn.OFTEN:
                return pause_by_words(text)

    return seconds
