"""Two models, one ear: what is dear must have been heard by a second model, too."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace

from assistant.ear.decoder import Decoders, likely
from assistant.ear.recogniser import LONGEST, Partial, Recogniser
from assistant.ear.source import Block, RecentSound
from assistant.language.lexicon import START, Context, Lexicon, Spoken, Talk, context_of
from assistant.messages import Heard, Hypothesis, Word
from assistant.rules.calls import Accept, Bet, Call, Ordago, Raise, Reenvido
from assistant.rules.state import State

# ---- Two models, one ear: what is dear is heard by a second model, too, and they must agree -----


Means = Callable[[tuple[Word, ...]], tuple[Hashable, ...]]
"""What is dear in words, as the table stands; nothing in most."""

LEEWAY = 0.3
"""Seconds before and after an utterance that the second model hears: a little silence."""
KEPT = LONGEST + 3.0
"""Seconds of sound that are kept for it."""
POSSIBLE = 0.1
"""Probability from which a way to hear an utterance may still be what the table takes."""
AGREES = 0.5
"""Probability above which the second model has heard the same."""


class SecondOpinion:
    """A recogniser whose dear calls are marked where a second model heard something else.

    The second one is asked only then, so it costs nothing while nothing dear is said. It has no
    opinion on words that it cannot hear.
    """

    def __init__(self, first: Recogniser, second: Decoders, means: Means) -> None:
        """``second``: the decoders of the other model, with stand-ins for the same words."""
        self._first = first
        self._second = second
        self._means = means
        self._sound = RecentSound(KEPT)

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._sound.feed(block)
        return [
            self._judged(result) if isinstance(result, Heard) else result
            for result in self._first.feed(block)
        ]

    def flush(self) -> list[Heard]:
        """End the utterance under way here and now."""
        return [self._judged(heard) for heard in self._first.flush()]

    @property
    def knows_the_table(self) -> bool:
        """Whether the first model's ear does; see Recogniser."""
        return self._first.knows_the_table

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking; see Recogniser."""
        return self._first.somebody_speaks

    def break_off(self) -> list[Heard]:
        """End it because the assistant begins to speak; see Recogniser."""
        return [self._judged(heard) for heard in self._first.break_off()]

    def _judged(self, heard: Heard) -> Heard:
        """What was heard, marked where it is dear and the second model does not agree."""
        dear = self._likeliest_dear(heard)
        if dear is None or not all(map(self._second.hears, (word.text for word in dear.words))):
            return heard
        meant = self._means(dear.words)
        share = sum(
            way.probability for way in self._heard_again(heard) if self._means(way.words) == meant
        )
        return heard if share > AGREES else replace(heard, disputed=True)

    def _likeliest_dear(self, heard: Heard) -> Hypothesis | None:
        ways = heard.hypotheses or (Hypothesis(heard.words, 1.0),)
        possible = (way for way in ways if way.probability >= POSSIBLE and self._means(way.words))
        return max(possible, key=lambda way: way.probability, default=None)

    def _heard_again(self, heard: Heard) -> tuple[Hypothesis, ...]:
        """The second model's ways to hear the same sound."""
        start = min(word.start for word in heard.words) - LEEWAY
        decoder = self._second.of(self._first.phrases_now())
        return likely(self._sound.hear(decoder, start, heard.end + LEEWAY))


# ---- Which calls are so dear that a second model must have heard them, too ----------------------


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
