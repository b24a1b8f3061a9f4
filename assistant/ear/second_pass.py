"""A second pass over an utterance, with a narrow grammar: only what the moment asks for.

Four cards named aloud are four short words among a thousand: "rey, rey" is taken for "treinta". A
grammar of cards alone cannot make that mistake; nor can one of the calls that are legal now.
Whether it *is* a hand, or a call, shows in how well several grammars explain the same sound: for
hands by a log likelihood ratio, for calls by a regression over more evidence (second_stage.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial

from assistant.ear.at_table import Front
from assistant.ear.decoder import Decoders, likely
from assistant.ear.ear import EarAround, Renewable
from assistant.ear.network import Layer, Learnt
from assistant.ear.recogniser import LONGEST, Partial
from assistant.ear.second_stage import Evidence, SecondStage
from assistant.ear.source import Block, RecentSound
from assistant.ear.speech_model import UNKNOWN
from assistant.ear.spotting import Spot, Spotter
from assistant.ear.turns import Beside, Stretch, in_turns
from assistant.ear.voice_activity import LEAST as VOICED
from assistant.messages import Heard, Hypothesis, Narrowed, Word

LEEWAY = 0.3
"""Seconds before and after an utterance that are heard again: its first and last sounds, and a
little silence."""
KEPT = LONGEST + 8.0
"""Seconds of sound that are kept for the second pass: an utterance, or four cards one by one."""
AGREES = 0.5
"""Above this probability, a second model has heard the same call, or a second pass one hand."""
NEAR = 0.05
"""The same as ``LEEWAY`` before a call, if something else sounded just before it."""
EDGE = 0.25
"""The same beside a part of an utterance; of a shorter pause, half of it."""
LEAST = -2.5
"""Margin in nats below which an utterance is talk, not a hand (scripts/lab/tune_hands.py)."""
WAYS = 60
"""Length of the n-best list here: what is possible at the table decides among them."""
PAUSE = 0.12
"""Seconds of a pause at which an utterance may be split: two people talk to each other."""
STRETCHES = 6
"""An utterance of more stretches of speech than this is running talk, and contains no call."""
AT_MOST = 2
"""The most stretches that a call in an utterance may have."""
PIECES = 5
"""Stretches of speech in a hand that is named card by card, at most: a player's name, four
cards."""
CLEAR = 0.5
"""Margin in nats from which such a hand is surely one, with no card of another in it."""
ABOVE_ROOM = 16.0
"""Decibels of its cards above the room from which none of them is easily lost."""
A_CARD = 1.5
"""Seconds that a word takes at most in a hand named card by card; longer speech is talk."""
SURE = 0.9
"""From this probability on, the whole utterance is a call, and its parts are not tried."""
ENDED = 0.5
"""Seconds of silence after which speech without a word has none: the decoder may only be late."""
LATE = 0.1
"""Seconds by which its words may seem to end later than their sound."""
CLEARLY = 0.8
"""From this probability on the first hearing alone knows what was said."""
BEGINS, ENDS = 0.15, 0.2
"""Seconds of the sound around a spotted call that are heard with it."""
EARLIER = 0.45
"""Seconds before a spotted call in which it may have begun: "no los quiero", not "quiero"."""
SOON, IN_VAIN, AT_LAST = 0.45, 1.2, 2.5
"""Seconds after a spotted call from which it counts: where people talk on behind the table and the
first hearing has no words, where one of these is so, and where neither is."""
TALK = 6.0
"""Seconds of talk behind the table after which calls are spotted: players who answer each other
quickly sound like such talk for half as long."""
LULL = 0.25
"""Seconds without a sound after which an utterance is about to end, even there."""
SPOTTED = 0.75
"""The probability from which a spotted call counts: nobody paused before or after it."""
BESIDE, STANDS_OUT = (0.05, 0.4), 2.5
"""A spotted call is so many dB louder than what is heard so many seconds before and after it. Else
it is a piece of somebody's sentence."""
ALONE = (UNKNOWN,)
"""The grammar of unknown speech alone."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a moment of the game asks for: a hand, a call or an answer.

    ``phrases``: its grammar. ``whole``: whether some words are a complete one. ``shortest`` and
    ``longest``: seconds of speech that it takes. ``together``: for a hand, seconds of a pause
    after which what the table said last is heard as a whole. None for a call, which is heard in
    parts instead. ``laid``: the longest pause, in seconds, between two cards that are named one by
    one; ``in_pieces``: whether the words of several stretches are a complete hand together.
    ``after``: what is asked for once a call was made; None where that is not known.
    """

    phrases: Sequence[str]
    whole: Callable[[Sequence[Word]], bool]
    shortest: float
    longest: float
    together: float | None = None
    laid: float = 0.0
    in_pieces: Callable[[Sequence[Sequence[Word]]], bool] | None = None
    after: Callable[[Sequence[Word]], Wanted | None] | None = None


@dataclass(frozen=True, slots=True)
class Awaited:
    """What is asked for once others have ``said`` their calls in the same utterance."""

    wanted: Wanted
    said: Sequence[Narrowed]


Wants = Callable[[], Sequence[Wanted]]
"""What the moment asks for, in the order in which it is tried; empty where nothing is due."""


class Reheard(EarAround[Renewable]):
    """An ear that adds a second pass with the grammar of what the moment asks for."""

    def __init__(
        self, first: Renewable, decoders: Decoders, broad: Callable[[], Sequence[str]],
        wants: Wants, front: Callable[[], Front], stage: SecondStage | None = None,
        least: float = LEAST, spotter: Callable[[], Spotter | None] | None = None,
    ) -> None:  # fmt: skip
        """``decoders``: of the first ear's model, with n-best lists of WAYS.

        ``broad``: its grammar. ``stage`` tells calls from talk; without one, calls get no second
        pass. ``least``: the margin in nats below which an utterance is no hand. ``spotter``: makes
        what finds calls where no pause ends them; called once people talk behind the table.
        """
        super().__init__(first)
        self._decoders = decoders
        self._broad, self._wants = broad, wants
        self._front, self._stage, self._least = front, stage, least
        self._sound = RecentSound(KEPT)
        self._beside = ThreadPoolExecutor(1, "second-hearing")
        self._renewed: Learnt | None = None
        self._lowest: Sequence[Layer] = ()
        self._asked: Wanted | None = None
        self._spotter: Spotter | None = None
        self._makes_spotter = spotter
        self._start_anew()

    def _start_anew(self) -> None:
        """Forget when anything was said."""
        self._done = self._own = self._before = self._tried = self._silent = 0.0
        self._now = self._rescued = self._known = self._said = self._talk_since = 0.0
        self._unsure = False
        self._spots: list[tuple[Spot, Wanted]] = []

    def renew(self, learnt: Learnt) -> None:
        """Hear with another model of the same words from now on; from any thread."""
        self._renewed = learnt
        self._first.renew(learnt)

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._sound.feed(block)
        if block.end < self._now:
            self._start_anew()  # another source, whose time begins at 0 again
        self._now = block.end
        if self._renewed is not None:
            self._decoders.renew(self._renewed.model)
            self._lowest, self._renewed = self._renewed.lowest, None
            if self._spotter:
                self._spotter.renew(self._lowest)
        if block.cancelled:
            self._done = self._own = block.end  # the assistant names hands, too
            self._unsure = False
        results = super().feed(block)
        if self._rescued:
            results = [one for one in results if not self._is_late(one)]
        if self._spotter and self._stage and not block.cancelled:
            wanted = self._wanted_call()
            if wanted is not self._asked:  # the table took what was said: it answers nothing now
                self._asked, self._known = wanted, max(self._known, self._said)
            spots = self._spotter.feed(block, wanted.phrases if wanted else None)
            self._spots += [(spot, wanted) for spot in spots if wanted]
        if Heard not in map(type, results):
            if self._makes_spotter and self._needs_spotter():
                self._spotter, self._makes_spotter = self._makes_spotter(), None
                if self._spotter:
                    self._spotter.renew(self._lowest)
            results += (
                self._as_a_whole(block.end) or self._without_words() or self._spotted(block.end)
            )
        return results

    def _needs_spotter(self) -> bool:
        """Whether people talk on behind the table; a quiet one saves the memory and the time."""
        if not self._front().talk_behind:
            self._talk_since = self._now
        return self._now - self._talk_since >= TALK

    def _wanted_call(self) -> Wanted | None:
        """The call that the moment asks for."""
        calls = [one for one in self._wants() if not one.together]
        return calls[0] if calls else None

    def _trimmed(self, heard: Heard) -> Heard:
        """An utterance without the words of a call that was given out already."""
        last = self._rescued + LATE
        if not heard.words or heard.words[0].end > last or heard.words[-1].end <= last:
            return heard
        ways = [replace(way, words=_after(way.words, last)) for way in heard.hypotheses]
        return replace(heard, words=_after(heard.words, last), hypotheses=tuple(ways))

    def _is_late(self, result: Heard | Partial) -> bool:
        """Whether these are words of speech that the second hearing has given out already."""
        words = result.words if isinstance(result, Heard) else ()
        return bool(words) and words[-1].end <= self._rescued + LATE

    def added(self, heard: Heard) -> Heard:
        """An utterance, with the result of the second pass if it is what the moment asks for."""
        if self._rescued:
            heard = self._trimmed(heard)
        wanted = self._wants()
        known = [word.end for word in heard.words if word.text != UNKNOWN]
        self._said = max([self._said, *known])
        if not heard.words or not wanted:
            return heard
        ways = [way.words for way in heard.hypotheses if way.words] or [heard.words]
        start = min([words[0].start for words in ways])
        end = max([words[-1].end for words in ways])
        found = (
            self._hand([(start, end)], one)
            if one.together
            else self._call(start, end, one, heard.words)
            for one in wanted
        )
        narrowed = next(filter(None, found), None)
        self._before = end
        if (narrowed and (narrowed.probability or 0.0) >= AGREES) or _is_clear(heard):
            self._known = end
        return replace(heard, narrowed=narrowed) if narrowed else heard

    def _as_a_whole(self, now: float) -> list[Heard]:
        """What the table said last, heard as a whole, if it is a hand that the moment asks for."""
        wanted = next((one for one in self._wants() if one.together), None)
        if wanted is None or wanted.together is None:
            self._done = self._tried = now
            return []
        stretch = self._front().spoken_before(wanted.together)
        if stretch is None or stretch[1] <= max(self._done, self._tried):
            return []
        self._tried = stretch[1]
        start, end = max(stretch[0], self._done), stretch[1]
        narrowed = self._hand([(start, end)], wanted)
        if narrowed is None and (laid := self._laid(end, wanted)):
            start, narrowed = laid
        if narrowed is None:
            return []
        unknown = (Word(UNKNOWN, start, end),)
        return [Heard(unknown, hypotheses=(Hypothesis(unknown, 1.0),), narrowed=narrowed)]

    def _without_words(self) -> list[Heard]:
        """What the table said last, if the first hearing took a call of the moment for silence.

        In noise it does so with short words, and the player would have to say them again.
        """
        front = self._front()
        if self._stage is None or any(word != UNKNOWN for word in front.partial.split()):
            return []
        stretch = front.spoken_before(ENDED)
        if stretch is None or stretch[1] <= self._silent:
            return []
        start, end = stretch
        self._silent = end
        if start < max(self._before, self._own):
            return []  # words were heard in it, or it may be the assistant's own voice
        wanted = self._wanted_call()
        if wanted is None or front.voiced(start, end) < VOICED:
            return []
        narrowed = self._call(start, end, wanted, ())
        if narrowed is None or (narrowed.probability or 0.0) < AGREES:
            return []
        return [self._given_out(narrowed, start, end)]

    def _given_out(self, narrowed: Narrowed, start: float, end: float) -> Heard:
        """A call of which the first hearing has no word, or not yet."""
        self._before = self._rescued = self._known = end
        unknown = (Word(UNKNOWN, start, end),)
        heard = Heard(unknown, hypotheses=(Hypothesis(unknown, 1.0),), narrowed=narrowed)
        return self._front().judged(heard, start, end)

    def _spotted(self, now: float) -> list[Heard]:
        """The first call that was spotted in running sound, if the second stage bears it out.

        The utterances come first: they know what was said before and after. Where nobody talks
        behind the table, they have missed nothing in what they hold.
        """
        while self._spots and self._spots[0][0].end <= now - self._waits():
            spot, wanted = self._spots.pop(0)
            done = self._known if self._front().talk_behind else max(self._known, self._before)
            if wanted is not self._wanted_call() or spot.start < max(done, self._own) - LATE:
                continue  # it was understood already, or it may be the assistant's own voice
            if self._stands_out(spot) and (narrowed := self._spotted_call(spot, wanted)):
                return [self._given_out(narrowed, spot.start, spot.end)]
        return []

    def _waits(self) -> float:
        """Seconds after which no utterance is expected any more that holds a spotted call."""
        front = self._front()
        known = any(word != UNKNOWN for word in front.partial.split())
        if front.talk_behind and front.endpoint.silence < LULL:
            return IN_VAIN if known else SOON
        return AT_LAST if known else IN_VAIN

    def _stands_out(self, spot: Spot) -> bool:
        """Whether a spotted call is louder than what sounds beside it."""
        front, (near, far) = self._front(), BESIDE
        level = front.level(spot.start, spot.end)
        before = front.level(max(self._known, spot.start - far), spot.start - near)
        after = front.level(spot.end + near, spot.end + far)
        return level - max(before, after) >= STANDS_OUT

    def _spotted_call(self, spot: Spot, wanted: Wanted) -> Narrowed | None:
        """The call in a place, if it is surely one; it may have begun a little earlier."""
        low, high = spot.start - BEGINS, spot.end + ENDS
        found = self._weighed(Excerpt(spot.start, spot.end, low, high), wanted, self._stage)
        if found is None or (found[1].probability or 0.0) < SPOTTED:
            return None
        begins = max(self._known, spot.start - EARLIER)
        longer = Excerpt(begins, spot.end, begins - NEAR, high)
        more = self._weighed(longer, wanted, self._stage)
        if more and (more[1].probability or 0.0) >= AGREES:
            return more[1]
        return found[1]

    def _laid(self, end: float, wanted: Wanted) -> tuple[float, Narrowed] | None:
        """The hand whose cards were named one by one until now, and where it began."""
        if wanted.in_pieces is None:
            return None
        found = self._front().stretches(self._done, end, wanted.together or 0.0)
        near = _close_together(found, 2 * wanted.laid)
        pieces = _close_together(near, wanted.laid)[-PIECES:]
        while _seconds(pieces) > wanted.longest:
            pieces = pieces[1:]  # talk, which would be decoded in vain
        if len(pieces) < 2:
            return None
        # A card of a hand that was cut wrongly would be taken for one of the next.
        follows = self._unsure and near[0][0] - self._done <= 2 * wanted.laid
        spans = [self._around(*piece) for piece in pieces]
        heard = self._sound.hear(self._decoders.of(wanted.phrases), *spans)
        for first in range(len(pieces) - 1):
            if any(_names_cards(words, spans[first:], wanted) for words, _ in heard) and (
                narrowed := self._hand(pieces[first:], wanted)
            ):
                likely_so = narrowed.hypotheses[0].probability > AGREES
                alone = len(near) == len(pieces[first:])
                above = min([self._front().above_room(*piece) for piece in pieces[first:]])
                clear = narrowed.margin >= CLEAR and above >= ABOVE_ROOM
                self._unsure = not (alone and likely_so and clear)
                return pieces[first][0], replace(narrowed, part=self._unsure or follows)
        return None

    def _around(self, start: float, end: float) -> tuple[float, float]:
        """A stretch of speech with a little silence, but nothing that belongs to another."""
        return max(start - LEEWAY, self._done), end + LEEWAY

    def _hand(self, stretches: Sequence[tuple[float, float]], wanted: Wanted) -> Narrowed | None:
        """The hand that some stretches of sound are; None if they are none."""
        if not wanted.shortest <= _seconds(stretches) <= wanted.longest:
            return None
        spans = [self._around(*stretch) for stretch in stretches]
        compared = self._compared(spans, wanted)
        if compared is None or compared.margin < self._least:
            return None
        self._done = spans[-1][1]
        whole = [(_closed_up(words), score) for words, score in compared.whole]
        return Narrowed(likely(whole), compared.margin)

    def _call(
        self, start: float, end: float, wanted: Wanted, words: Sequence[Word]
    ) -> Narrowed | None:
        """The call that an utterance is: all of it, or several in turn, or the likeliest part."""
        if self._stage is None:
            return None
        found = [narrowed for _, narrowed in self.candidates(start, end, wanted)]
        best = max(found, key=lambda one: one.probability or 0.0, default=None)
        if best and not best.part and (best.probability or 0.0) >= AGREES:
            return best
        turns = tuple(self.in_turns(words, wanted)) if self._stage.turns else ()
        if not turns:
            return best
        return replace(turns[0], turns=turns) if len(turns) > 1 else turns[0]

    def in_turns(self, words: Sequence[Word], wanted: Wanted) -> list[Narrowed]:
        """The calls of an utterance in which several people speak one right after the other."""
        moments: list[Wanted | None] = [wanted]

        def weigh(one: Stretch, gap: Beside, said: Sequence[Narrowed]) -> Narrowed | None:
            if len(moments) <= len(said):
                last = moments[-1]
                goes_on = last.after if last else None
                moments.append(goes_on(said[-1].hypotheses[0].words) if goes_on else None)
            moment = moments[len(said)]
            found = self.turn(_turn(one, gap, words), Awaited(moment, said)) if moment else None
            return found[1] if found else None

        return in_turns(words, weigh)

    def turn(self, part: Excerpt, awaited: Awaited) -> tuple[Evidence, Narrowed] | None:
        """The call that a part may be after others of the same utterance."""
        return self._weighed(part, awaited.wanted, self._stage.turns if self._stage else None)

    def candidates(
        self, start: float, end: float, wanted: Wanted
    ) -> list[tuple[Evidence, Narrowed]]:
        """The calls that an utterance may be, all of it first and then each part."""
        whole = Excerpt(start, end, start - LEEWAY, end + LEEWAY)
        found = [self._weighed(whole, wanted, self._stage)]
        if found[0] and (found[0][1].probability or 0.0) >= SURE:
            return [found[0]]
        stretches = self._front().stretches(start - LEEWAY, end + LEEWAY, PAUSE)
        if 1 < len(stretches) <= STRETCHES:
            found += [self._weighed(part, wanted, self._stage) for part in _parts(stretches)]
        return [one for one in found if one]

    def _weighed(
        self, part: Excerpt, wanted: Wanted, stage: SecondStage | None
    ) -> tuple[Evidence, Narrowed] | None:
        """The call that a part of an utterance (or all of it) may be, with the evidence for it."""
        # As little as possible of what sounded just before: the assistant, or another call.
        low = max(part.low, min(max(self._own, self._before), part.start - NEAR))
        seconds = part.end - part.start
        if not wanted.shortest <= seconds <= wanted.longest or part.high <= low:
            return None
        if (compared := self._compared([(low, part.high)], wanted)) is None:
            return None
        front = self._front()
        hypotheses = likely(compared.whole)
        words = hypotheses[0].words
        texts = [word.text for word in words]
        unknown = silent = legal = agrees = 0.0
        for way in likely(compared.every):
            said, share = [word.text for word in way.words], way.probability
            unknown += share if UNKNOWN in said else 0.0
            silent += 0.0 if said else share
            legal += share if said and wanted.whole(way.words) else 0.0
            agrees += share if said == texts else 0.0
        first, last = words[0].start, words[-1].end
        evidence = Evidence(
            margin=compared.margin,
            over_unknown=compared.score - compared.alone,
            unfinished=compared.score - compared.best,
            unknown=unknown,
            silent=silent,
            legal=legal,
            agrees=agrees,
            share=hypotheses[0].probability,
            seconds=seconds,
            covered=sum([word.end - word.start for word in words]) / seconds,
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
        probability = stage.probability(evidence) if stage else None
        is_part = part.rest is not None
        return evidence, Narrowed(hypotheses, compared.margin, probability, is_part)

    def _louder(self, part: Excerpt) -> float:
        """By how many dB a part is louder than the rest of its utterance."""
        if part.rest is None:
            return 0.0
        front = self._front()
        return front.level(part.start, part.end) - front.level(*part.rest)

    def _compared(self, spans: Sequence[tuple[float, float]], wanted: Wanted) -> _Compared | None:
        """The results of the grammars for spans of sound; None if they are not what is wanted."""
        found = self._sound.hear(self._decoders.of(wanted.phrases), *spans)
        fits = (
            wanted.whole if len(spans) == 1 else partial(_names_cards, spans=spans, wanted=wanted)
        )
        whole = [(words, score) for words, score in found if words and fits(words)]
        if not whole:
            return None
        broad = self._decoders.of(self._broad())
        # Vosk decodes outside of Python's lock: each grammar has a processor of its own.
        beside = (
            None
            if wanted.together
            else self._beside.submit(self._sound.hear, self._decoders.of(ALONE), *spans)
        )
        every = self._sound.hear(broad, *spans)
        alone = max([score for _, score in beside.result()], default=0.0) if beside else 0.0
        return _Compared(whole, every, max([score for _, score in found]), alone)


def _turn(one: Stretch, beside: Beside, words: Sequence[Word]) -> Excerpt:
    """A stretch as a part of an utterance, with half of the shorter gap beside it."""
    edge = max(NEAR, min(EDGE, beside.gap / 2))
    rest = (one.end, words[-1].end) if beside.is_after else (words[0].start, one.start)
    return Excerpt(one.start, one.end, one.start - edge, one.end + edge, rest, beside.gap)


def _seconds(stretches: Sequence[tuple[float, float]]) -> float:
    """How long some stretches of speech are together, without the pauses between them."""
    return sum([end - start for start, end in stretches])


def _close_together(
    stretches: Sequence[tuple[float, float]], pause: float
) -> Sequence[tuple[float, float]]:
    """The last of some stretches, as many as have no longer pause between them."""
    parted = [
        at for at in range(1, len(stretches)) if stretches[at][0] - stretches[at - 1][1] > pause
    ]
    return stretches[max(parted, default=0) :]


def _names_cards(
    words: Sequence[Word], spans: Sequence[tuple[float, float]], wanted: Wanted
) -> bool:
    """Whether the words in some spans of sound are a hand, and each span as short as its cards."""
    pieces = [_within(words, *span) for span in spans]
    short = all(
        end - start - 2 * LEEWAY <= A_CARD * len(piece)
        for piece, (start, end) in zip(pieces, spans, strict=True)
    )
    return short and wanted.in_pieces is not None and wanted.in_pieces(pieces)


def _within(words: Sequence[Word], start: float, end: float) -> list[Word]:
    """The words that end in a span of time; they may be timed from a silence before it."""
    return [word for word in words if start < word.end <= end]


def _closed_up(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a hand without pauses, which would part it: each lasts until the next begins."""
    starts = [word.start for word in words[1:]]
    return (*map(_until, words[:-1], starts), *words[-1:])


def _after(words: Sequence[Word], last: float) -> tuple[Word, ...]:
    """The words that end later than that."""
    return tuple([word for word in words if word.end > last])


def _is_clear(heard: Heard) -> bool:
    """Whether the first hearing knows all words of an utterance, and surely."""
    return heard.confidence >= CLEARLY and UNKNOWN not in [word.text for word in heard.words]


def _until(word: Word, end: float) -> Word:
    return replace(word, end=end)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of speech, and the sound around it that is heard, in stream time.

    ``rest``: the other stretch of the utterance, ``pause`` seconds before or after it; None if the
    part is the whole utterance.
    """

    start: float
    end: float
    low: float
    high: float
    rest: tuple[float, float] | None = None
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class _Compared:
    """Hypotheses: those that are what was wanted, all of the broad grammar, the narrow one's best.

    Each has its log likelihood; ``alone`` is that of unknown speech alone, 0 where nobody asked.
    """

    whole: Sequence[tuple[tuple[Word, ...], float]]
    every: Sequence[tuple[tuple[Word, ...], float]]
    best: float
    alone: float
    score: float = field(init=False)
    """The log likelihood of the likeliest way that is what was wanted."""
    margin: float = field(init=False)
    """The same, less that of the likeliest way with every word."""

    def __post_init__(self) -> None:
        """Compare them."""
        score = max([score for _, score in self.whole])
        object.__setattr__(self, "score", score)  # past the frozen class
        margin = score - max([score for _, score in self.every], default=0.0)
        object.__setattr__(self, "margin", margin)


def _parts(stretches: Sequence[tuple[float, float]]) -> Iterator[Excerpt]:
    """The parts of an utterance that may be a call: the first or the last stretch, or two of them.

    Each part includes half of the pause beside it, EDGE seconds at most.
    """
    for size in range(1, min(AT_MOST, len(stretches) - 1) + 1):
        (start, _), (_, end) = stretches[0], stretches[size - 1]
        pause = stretches[size][0] - end
        high = end + min(EDGE, pause / 2)
        yield Excerpt(start, end, start - EDGE, high, (stretches[size][0], stretches[-1][1]), pause)
        (start, _), (_, end) = stretches[-size], stretches[-1]
        pause = start - stretches[-size - 1][1]
        low = start - min(EDGE, pause / 2)
        yield Excerpt(
            start, end, low, end + EDGE, (stretches[0][0], stretches[-size - 1][1]), pause
        )
