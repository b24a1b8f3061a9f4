"""Which calls are so dear that a second model must have heard them, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from assistant.lexicon import START, Context, Lexicon, Spoken, Talk, context_of
from assistant.messages import Word
from assistant.rules.calls import Accept, Bet, Call, Ordago, Raise, Reenvido
from assistant.rules.state import State
from assistant.speech import Means

BIG = 10
"""Stones of a bet that is dear: a quarter of a game to forty."""


def dear_in(lexicon: Lexicon, state: Callable[[], State]) -> Means:
    """What is dear in words that are said at a table whose ``state`` is asked for.

    It is called on the ear's thread; a state is never changed, so the newest one may be read.
    """

    def means(words: tuple[Word, ...]) -> tuple[Call, ...]:
        read = _read(words, lexicon, context_of(state()))
        return tuple(call for call, context in read if is_dear(call, context))

    return means


def is_dear(call: Call, context: Context) -> bool:
    """Whether a game may hang on a call: an órdago, a yes to one, or a big bet."""
    match call:
        case Ordago():
            return True
        case Accept():
            return context.ordago
        case Bet(stones=stones) | Raise(stones=stones):
            return stones is not None and stones >= BIG
        case _:
            return False


def _read(
    words: tuple[Word, ...], lexicon: Lexicon, context: Context
) -> Iterator[tuple[Call, Context]]:
    """The calls in words, each with where the deal stands when it is said.

    Of what a call changes, only that a bet waits for its answer matters here.
    """
    for segment in lexicon.segments(words):
        rest, link = segment, START
        while rest:
            reading = lexicon.read(rest, context, link)
            if isinstance(reading, Talk):
                break
            if isinstance(reading, Spoken) and isinstance(call := reading.what, Call):
                yield call, context
                if isinstance(call, Bet | Raise | Reenvido | Ordago):
                    context = replace(context, pending=True, ordago=isinstance(call, Ordago))
            rest, link = rest[reading.taken :], reading.link
