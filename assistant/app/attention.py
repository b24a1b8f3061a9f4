"""What the ear of a table listens for, and how long it waits for more."""

from __future__ import annotations

from collections.abc import Callable

from assistant.app.patience import pause_after
from assistant.lexicon import Lexicon, context_of
from assistant.rules.state import State
from assistant.speech import Recogniser


def attend(
    recogniser: Recogniser,
    lexicon: Lexicon,
    state: Callable[[], State],
    asked: Callable[[], bool] = lambda: False,
) -> None:
    """Have the ear follow the table whose ``state`` is asked for: what fits it is likelier.

    ``asked``: whether a question stands there, so that answers are expected. Both are called on the
    ear's thread; a state is never changed, so the newest one may be read.
    """
    recogniser.pause_after = pause_after(lexicon, state)
    recogniser.phrases_now = lambda: lexicon.grammar(context_of(state(), asked()))
