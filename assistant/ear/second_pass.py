"""Second passes over an utterance: with the moment's grammar alone, and by a second model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.ear.at_table import Front
from assistant.ear.decoder import Decoders, likely
from assistant.ear.ear import Hears
from assistant.ear.recogniser import LONGEST, Partial, Recogniser
from assistant.ear.second_stage import Evidence, SecondStage
from assistant.ear.source import Block, RecentSound
from assistant.ear.speech_model import UNKNOWN
from assistant.language.lexicon import START, Context, Lexicon, Spoken, Talk, context_of
from assistant.messages import Heard, Hypothesis, Narrowed, Word
from assistant.rules.calls import Accept, Bet, Call, Ordago, Raise, Reenvido
from assistant.rules.state import State

# ---- Two models, one ear: what is dear must have been heard by a second model, too --------------


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


# ---- An utterance heard once more, as nothing but what the moment asks for ----------------------
# Four cards named aloud are four short words among a thousand: "rey, rey" is taken for "treinta".
# A grammar of cards alone cannot make that mistake, nor one of what may be called now. That it
# *is* a hand, or a call, is told by comparing how well several grammars explain the same sound:
# for hands by a log likelihood ratio, for calls by a regression over more evidence
# (second_stage.py).


NEAR = 0.05
"""The same before a call, if something else sounded just before it."""
EDGE = 0.25
"""The same of a part of one, if the pause beside it is as long; of a shorter pause it is half."""
LEAST = -2.5
"""Margin, in nats, below which it is no hand but talk (scripts/lab/tune_hands.py)."""
WAYS = 60
"""Ways to hear it that are kept: what is possible at the table decides among them."""
PAUSE = 0.12
"""Seconds of a pause at which an utterance may be parted: two people talk to each other."""
STRETCHES = 6
"""Stretches of speech in an utterance beyond which it is running talk, and no part of it a call."""
AT_MOST = 2
"""Stretches that a call in an utterance may have."""
SURE = 0.9
"""Probability from which all of an utterance is a call, and its parts need not be looked at."""
ALONE = (UNKNOWN,)
"""The grammar of unknown speech alone."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a moment asks for.

    ``phrases``: its grammar; ``whole``: whether words are all of it; ``shortest`` and ``longest``:
    the seconds of speech that it takes. ``together``: seconds of a pause in it, after which what
    the table said last is heard as a whole; None for a call, which is heard in parts instead.
    """

    phrases: Sequence[str]
    whole: Callable[[Sequence[Word]], bool]
    shortest: float
    longest: float
    together: float | None = None


Wants = Callable[[], Sequence[Wanted]]
"""What the moment asks for, what comes first before the rest; nothing where nothing is due."""


class Reheard:
    """An ear that hears an utterance once more as what the moment asks for."""

    def __init__(
        self, first: Hears, decoders: Decoders, broad: Callable[[], Sequence[str]],
        wants: Wants, front: Callable[[], Front], stage: SecondStage | None = None,
        least: float = LEAST,
    ) -> None:  # fmt: skip
        """``decoders``: of the first ear's model, WAYS to hear each; ``broad``: its grammar now.

        ``stage``: tells calls from talk; without one no call is heard once more. ``least``: the
        margin, in nats, below which what was heard is no hand.
        """
        self._first = first
        self._decoders = decoders
        self._broad, self._wants = broad, wants
        self._front, self._stage, self._least = front, stage, least
        self._sound = RecentSound(KEPT)
        self._done = self._own = self._before = 0.0

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._sound.feed(block)
        if block.cancelled:
            self._done = self._own = block.end  # the assistant names hands, too
        results = [
            self._again(result) if isinstance(result, Heard) else result
            for result in self._first.feed(block)
        ]
        if not any(isinstance(result, Heard) for result in results):
            results += self._as_a_whole(block.end)
        return results

    def flush(self) -> list[Heard]:
        """End the utterance under way here and now."""
        return [self._again(heard) for heard in self._first.flush()]

    @property
    def knows_the_table(self) -> bool:
        """Whether the first ear does; see Recogniser."""
        return self._first.knows_the_table

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking; see Recogniser."""
        return self._first.somebody_speaks

    def break_off(self) -> list[Heard]:
        """End it because the assistant begins to speak; see Recogniser."""
        return [self._again(heard) for heard in self._first.break_off()]

    def _again(self, heard: Heard) -> Heard:
        """The same, with what it is if it is what the moment asks for."""
        wanted = self._wants()
        if not heard.words or not wanted:
            return heard
        ways = [way.words for way in heard.hypotheses if way.words] or [heard.words]
        start = min(words[0].start for words in ways)
        end = max(words[-1].end for words in ways)
        found = (
            self._hand(start, end, one) if one.together else self._call(start, end, one)
            for one in wanted
        )
        narrowed = next(filter(None, found), None)
        self._before = end
        return replace(heard, narrowed=narrowed) if narrowed else heard

    def _as_a_whole(self, now: float) -> list[Heard]:
        """What the table said last, as a whole, if it is a hand and the moment asks for one."""
        wanted = next((one for one in self._wants() if one.together), None)
        if wanted is None or wanted.together is None:
            self._done = now
            return []
        stretch = self._front().spoken_before(wanted.together)
        if stretch is None or stretch[1] <= self._done:
            return []
        start, end = max(stretch[0], self._done), stretch[1]
        narrowed = self._hand(start, end, wanted)
        self._done = end
        if narrowed is None:
            return []
        unknown = (Word(UNKNOWN, start, end),)
        return [Heard(unknown, hypotheses=(Hypothesis(unknown, 1.0),), narrowed=narrowed)]

    def _hand(self, start: float, end: float, wanted: Wanted) -> Narrowed | None:
        """What a stretch of sound is as a hand; None where it is none."""
        if not wanted.shortest <= end - start <= wanted.longest:
            return None
        start, end = max(start - LEEWAY, self._done), end + LEEWAY
        compared = self._compared(start, end, wanted)
        if compared is None or compared.margin < self._least:
            return None
        self._done = end
        return Narrowed(likely(compared.whole), compared.margin)

    def _call(self, start: float, end: float, wanted: Wanted) -> Narrowed | None:
        """What an utterance is as a call: all of it, or the likeliest of its parts."""
        if self._stage is None:
            return None
        found = (narrowed for _, narrowed in self.candidates(start, end, wanted))
        return max(found, key=lambda one: one.probability or 0.0, default=None)

    def candidates(
        self, start: float, end: float, wanted: Wanted
    ) -> list[tuple[Evidence, Narrowed]]:
        """What an utterance may be as a call, and then what its parts may be."""
        found = [self._weighed(_Part(start, end, start - LEEWAY, end + LEEWAY), wanted)]
        if found[0] and (found[0][1].probability or 0.0) >= SURE:
            return [found[0]]
        stretches = self._front().stretches(start - LEEWAY, end + LEEWAY, PAUSE)
        if 1 < len(stretches) <= STRETCHES:
            found += [self._weighed(part, wanted) for part in _parts(stretches)]
        return [one for one in found if one]

    def _weighed(self, part: _Part, wanted: Wanted) -> tuple[Evidence, Narrowed] | None:
        """What a part of an utterance, or all of it, is as a call."""
        # Of what sounded just before, the assistant or another call, as little as may be.
        low = max(part.low, min(max(self._own, self._before), part.start - NEAR))
        seconds = part.end - part.start
        if not wanted.shortest <= seconds <= wanted.longest or part.high <= low:
            return None
        if (compared := self._compared(low, part.high, wanted)) is None:
            return None
        front = self._front()
        alone = self._sound.hear(self._decoders.of(ALONE), low, part.high)
        hypotheses, ways = likely(compared.whole), likely(compared.every)
        words = hypotheses[0].words
        texts = [word.text for word in words]
        first, last = words[0].start, words[-1].end
        evidence = Evidence(
            margin=compared.margin,
            over_unknown=compared.score - max((score for _, score in alone), default=0.0),
            unfinished=compared.score - compared.best,
            unknown=_share(ways, lambda words: any(word.text == UNKNOWN for word in words)),
            silent=_share(ways, lambda words: not words),
            legal=_share(ways, lambda words: bool(words) and wanted.whole(words)),
            agrees=_share(ways, lambda words: [word.text for word in words] == texts),
            share=hypotheses[0].probability,
            seconds=seconds,
            covered=sum(word.end - word.start for word in words) / seconds,
            words=len(words),
            call_in_front=front.share(first, last),
            in_front=front.share(part.start, part.end),
            below=front.below_usual(first, last),
            crowded=front.crowded,
            part=part.rest is not None,
            first=part.rest is not None and part.rest[0] > part.start,
            pause=part.pause,
            louder=self._louder(part),
        )
        probability = self._stage.probability(evidence) if self._stage else None
        is_part = part.rest is not None
        return evidence, Narrowed(hypotheses, compared.margin, probability, is_part)

    def _louder(self, part: _Part) -> float:
        """By how many dB a part is louder than the rest of the utterance."""
        if part.rest is None:
            return 0.0
        front = self._front()
        return front.level(part.start, part.end) - front.level(*part.rest)

    def _compared(self, start: float, end: float, wanted: Wanted) -> _Compared | None:
        """What two grammars make of a stretch of sound; None where it is not what is wanted."""
        found = self._sound.hear(self._decoders.of(wanted.phrases), start, end)
        whole = [(words, score) for words, score in found if words and wanted.whole(words)]
        if not whole:
            return None
        every = self._sound.hear(self._decoders.of(self._broad()), start, end)
        return _Compared(whole, every, max(score for _, score in found))


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of speech, and the sound around it that is heard, in stream time.

    ``rest``: what else was said in the utterance, ``pause`` seconds before or after it; None where
    it is all of the utterance.
    """

    start: float
    end: float
    low: float
    high: float
    rest: tuple[float, float] | None = None
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class _Compared:
    """The ways that are what was wanted, all ways with every word, and the narrow grammar's best.

    Each way has its log likelihood.
    """

    whole: Sequence[tuple[tuple[Word, ...], float]]
    every: Sequence[tuple[tuple[Word, ...], float]]
    best: float

    @property
    def score(self) -> float:
        """The log likelihood of the likeliest way that is what was wanted."""
        return max(score for _, score in self.whole)

    @property
    def margin(self) -> float:
        """The same, less that of the likeliest way with every word."""
        return self.score - max((score for _, score in self.every), default=0.0)


def _parts(stretches: Sequence[tuple[float, float]]) -> Iterator[_Part]:
    """The parts of an utterance that a call may be: the first or the last stretch, or two of them.

    Of the pause beside it each part has half, and EDGE seconds at most.
    """
    for size in range(1, min(AT_MOST, len(stretches) - 1) + 1):
        (start, _), (_, end) = stretches[0], stretches[size - 1]
        pause = stretches[size][0] - end
        high = end + min(EDGE, pause / 2)
        yield _Part(start, end, start - EDGE, high, (stretches[size][0], stretches[-1][1]), pause)
        (start, _), (_, end) = stretches[-size], stretches[-1]
        pause = start - stretches[-size - 1][1]
        low = start - min(EDGE, pause / 2)
        yield _Part(start, end, low, end + EDGE, (stretches[0][0], stretches[-size - 1][1]), pause)


def _share(ways: Sequence[Hypothesis], true: Callable[[tuple[Word, ...]], bool]) -> float:
    """The probability of the ways of which something is true."""
    return sum(way.probability for way in ways if true(way.words))
