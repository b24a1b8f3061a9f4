"""A second model's opinion: both models must have heard a call on which a game may depend."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace

from assistant.ear.decoder import Decoders, likely
from assistant.ear.ear import EarAround
from assistant.ear.network import Learnt
from assistant.ear.recogniser import Partial, Recogniser
from assistant.ear.second_pass import AGREES, KEPT, LEEWAY
from assistant.ear.source import Block, RecentSound
from assistant.language.lexicon import START, Context, Lexicon, Spoken, Talk, context_of
from assistant.messages import Heard, Hypothesis, Word
from assistant.rules.calls import Accept, Bet, Call, Ordago, Raise, Reenvido
from assistant.rules.state import State

Means = Callable[[tuple[Word, ...]], tuple[Hashable, ...]]
"""The dear calls in some words, as the table stands; mostly none."""

POSSIBLE = 0.1
"""From this probability on, the table may still take a hypothesis."""


class SecondOpinion(EarAround[Recogniser]):
    """A recogniser that marks a dear call as disputed if a second model hears something else.

    The second model hears only utterances with a dear call, so it costs nothing otherwise. It has
    no opinion on words that it lacks.
    """

    def __init__(self, first: Recogniser, second: Decoders, means: Means) -> None:
        """``second``: the decoders of the other model, with stand-ins for the same words."""
        super().__init__(first)
        self._second = second
        self._means = means
        self._sound = RecentSound(KEPT)

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._sound.feed(block)
        return super().feed(block)

    def renew(self, learnt: Learnt) -> None:
        """Let the first model be another one; see Recogniser."""
        self._first.renew(learnt)

    def added(self, heard: Heard) -> Heard:
        """What was heard, marked as disputed if it is dear and the second model does not agree."""
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
        """The second model's hypotheses of the same sound."""
        start = min(word.start for word in heard.words) - LEEWAY
        decoder = self._second.of(self._first.phrases_now())
        return likely(self._sound.hear(decoder, (start, heard.end + LEEWAY)))


# ---- Which calls are dear -----------------------------------------------------------------------


BIG = 10
"""A bet is dear from so many stones: a quarter of a game to forty."""


def dear_in(lexicon: Lexicon, state: Callable[[], State]) -> Means:
    """Make a function that finds the dear calls in words, by the table's ``state`` at that time.

    It runs on the ear's thread. A state is never changed, so the newest one may be read.
    """

    def means(words: tuple[Word, ...]) -> tuple[Call, ...]:
        read = _read(words, lexicon, context_of(state()))
        return tuple(call for call, context in read if is_dear(call, context))

    return means


def is_dear(call: Call, context: Context) -> bool:
    """Whether a game may depend on a call: an órdago, a yes to one, or a big bet."""
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
    """The calls in some words, each with the context in which it is said.

    Of what a call changes, only one thing matters here: that a bet waits for its answer.
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
