"""Keyword spotting: the calls of the moment in running sound, whatever goes on before and after.

Where people talk behind the table no pause ends a call, and what the table says becomes one long
utterance. So the spotter follows all calls of the moment at once, from every point in time on, in
the network's own answers. A call stands out where it is likelier than any sounds of a voice: by its
log likelihood less that of a loop of all phones (Rose and Paul, ICASSP 1990). The spotter only says
where a call may be; the second stage weighs it.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.ear.audio import RATE
from assistant.ear.network import (
    FACTOR,
    STEP,
    WINDOW,
    Array,
    BaseNetwork,
    Layer,
    Network,
    cepstra,
    load_base,
    pronunciations,
)
from assistant.ear.source import JUMP, Block
from assistant.ear.speech_model import UNKNOWN, ModelError

MOMENT = FACTOR * STEP / RATE
"""Seconds between two answers of the network."""
CHUNK = 8
"""Moments that are answered at once."""
PEAK = 8
"""A call ends where its score is the highest of so many moments before and after."""
COST = 1.0
"""Nats that each phone of a call costs. The loop of all phones pays for each by their bigram, so
without this long calls would begin in what is said before them."""
PRIOR = 0.5
"""Weight of how often the grammar has a call, in logarithms."""
LEAST = -4.0
"""Nats from which a place is proposed: in loud talk a call may stand out by less than nothing."""
SILENCE = 0
"""The phone of silence, which may stand between two words."""
PHONE, SPARE, LONGEST = 0.28, 0.58, 3.0
"""A call lasts at most so many seconds for each phone and so many more, and so many in all."""
WAYS = 64
"""A call with more ways to be pronounced is left out."""
REMEMBERED = 80
"""Moments that are followed again when the moment of the game changes: a quick answer has begun
before what it answers is understood."""
KEPT = 6
"""Moments of the game whose calls are kept."""
SAME = 2
"""A call that begins within so many moments of a place that was proposed is the same one."""
PLACES = 20
"""Places that are remembered for it."""
NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a call of the moment may be, in stream time, and how far it stands out, in nats."""

    start: float
    end: float
    score: float


class CallTree:
    """The calls of a moment of the game as a tree of phones.

    Node 0 stands before each call. ``parents`` and ``phones`` describe the others; ``ends`` are the
    last phones of calls, each with the logarithm of its share of the grammar and the most moments
    that it may last.
    """

    def __init__(
        self,
        phrases: Sequence[str],
        phones: Mapping[str, int],
        sounds: Mapping[str, Sequence[Sequence[str]]],
    ) -> None:
        """``phones``: their numbers. ``sounds``: the ways to say each word."""
        numbers = {
            word: [
                [phones[one] for one in way]
                for way in sounds.get(word, ())
                if phones.keys() >= set(way)
            ]
            for word in {word for phrase in phrases for word in phrase.split()}
        }
        counts = Counter(phrase for phrase in phrases if UNKNOWN not in phrase)
        whole = max(1, sum(counts.values()))
        places: dict[tuple[int, int], int] = {}
        parents, said, depths = [0], [SILENCE], [0]

        def after(node: int, phone: int) -> int:
            found = places.get((node, phone))
            if found is None:
                found = places[node, phone] = len(parents)
                parents.append(node)
                said.append(phone)
                depths.append(depths[node] + 1)
            return found

        ends, shares = list[int](), list[float]()
        for phrase, count in counts.items():
            at = {0}
            for number, word in enumerate(phrase.split()):
                starts = at | {after(node, SILENCE) for node in at} if number else at
                at = set()
                for node in starts:
                    for way in numbers.get(word, ()):
                        last = node
                        for phone in way:
                            last = after(last, phone)
                        at.add(last)
                if len(at) > WAYS:
                    at = set()
                    break
            ends += at
            shares += [math.log(count / whole)] * len(at)
        self.parents = np.array(parents, np.int32)
        self.phones = np.array(said, np.int32)
        self.costs = np.where(self.phones == SILENCE, 0.0, COST).astype(np.float32)
        self.ends = np.array(ends, np.int32)
        self.shares = PRIOR * np.array(shares, np.float32)
        lasts = np.minimum(PHONE * np.array(depths)[self.ends] + SPARE, LONGEST) / MOMENT
        self.longest = lasts.astype(np.intp)


class Spotter:
    """Follows the sound of one stream; fed by one thread."""

    def __init__(self, base: BaseNetwork, sounds: Mapping[str, Sequence[Sequence[str]]]) -> None:
        """``sounds``: the ways to say each word of the model."""
        self._network = Network(base.layers, copied=False)
        self._bigram = base.bigram.astype(np.float32)
        self._phones, self._sounds = base.phones, sounds
        self._trees: OrderedDict[tuple[str, ...], CallTree] = OrderedDict()
        self._end = -math.inf
        self._start_at(0.0)

    @classmethod
    def of_model(cls, model: Path) -> Spotter | None:
        """The spotter of a model; None where it does not tell the sounds of its words."""
        try:
            return cls(load_base(model), pronunciations(model))
        except ModelError:
            return None

    def renew(self, lowest: Sequence[Layer]) -> None:
        """Follow from now on a network that has learnt: its lowest layers are other ones."""
        for number, layer in enumerate(lowest):
            self._network.weights[number], self._network.biases[number] = layer.weights, layer.bias

    def _start_at(self, start: float) -> None:
        self._began, self._sound, self._dropped = start, np.zeros(0, np.float32), 0
        self._moment = math.ceil(self._network.left / FACTOR)
        self._loop = np.zeros(len(self._bigram), np.float32)
        self._past: deque[tuple[int, Array, float]] = deque(maxlen=REMEMBERED)
        self._asked: Sequence[str] | None = None
        self._tree: CallTree | None = None

    def feed(self, block: Block, phrases: Sequence[str] | None) -> list[Spot]:
        """Follow a block; return where calls ended that are known by now.

        ``phrases``: what may be said now, the same object while that is the same; None for nothing.
        """
        start = block.end - len(block.samples) / RATE
        if abs(start - self._end) > JUMP:
            self._start_at(start)
        self._end = block.end
        found = self._ask(phrases) if phrases is not self._asked else []
        self._sound = np.concatenate([self._sound, block.samples / np.float32(32768)])
        while (answers := self._answers()) is not None:
            for row in answers:
                now = self._moment, row, self._rise(row)
                self._past.append(now)
                self._moment += 1
                found += self._follow(*now)
        return found

    def _answers(self) -> Array | None:
        """The network's answers of the next moments, once all sound around them is there."""
        left, right = self._network.left, self._network.right
        first = FACTOR * self._moment - left
        last = FACTOR * (self._moment + CHUNK - 1) + right
        start, end = STEP * first - self._dropped, STEP * last + WINDOW - self._dropped
        if end > len(self._sound):
            return None
        answers = self._network.answers_within(cepstra(self._sound[start:end]))
        kept = max(0, STEP * (FACTOR * (self._moment + CHUNK) - left) - self._dropped)
        self._sound, self._dropped = self._sound[kept:], self._dropped + kept
        return answers

    def _rise(self, row: Array) -> float:
        """Follow the loop of all phones; return by how much its log likelihood has grown."""
        came = (self._loop[:, None] + self._bigram).max(axis=0)
        self._loop = np.maximum(came + row[0::2], self._loop + row[1::2])
        rise = float(self._loop.max())
        self._loop -= np.float32(rise)
        return rise

    def _ask(self, phrases: Sequence[str] | None) -> list[Spot]:
        """Follow other calls from now on, and in what was said just before."""
        self._asked, self._tree = phrases, None
        if phrases is None:
            return []
        key = tuple(phrases)
        tree = self._trees.pop(key, None) or CallTree(key, self._phones, self._sounds)
        self._trees[key] = tree
        if len(self._trees) > KEPT:
            self._trees.popitem(last=False)
        if not len(tree.ends):
            return []
        self._tree = tree
        self._scores = np.full(len(tree.parents), NEVER, np.float32)
        self._begun = np.zeros(len(tree.parents), np.int32)
        self._newest: deque[tuple[float, int, int]] = deque(maxlen=2 * PEAK + 1)
        self._places: deque[tuple[int, float]] = deque(maxlen=PLACES)
        return [spot for now in list(self._past) for spot in self._follow(*now)]

    def _follow(self, moment: int, row: Array, rise: float) -> list[Spot]:
        """Go on with all calls; return the one that is known to have ended, if there is one."""
        tree = self._tree
        if tree is None:
            return []
        self._scores[0], self._begun[0] = 0.0, moment
        enters = self._scores[tree.parents] + row[0::2][tree.phones] - tree.costs
        stays = self._scores + row[1::2][tree.phones]
        begins = enters > stays
        self._begun = np.where(begins, self._begun[tree.parents], self._begun)
        self._scores = np.maximum(enters, stays) - np.float32(rise)
        began = self._begun[tree.ends]
        scores = self._scores[tree.ends] + tree.shares
        scores[moment - began >= tree.longest] = NEVER
        best = int(scores.argmax())
        self._newest.append((float(scores[best]), int(began[best]), moment + 1))
        if len(self._newest) <= 2 * PEAK:
            return []
        score, begin, end = self._newest[PEAK]
        if score < LEAST or score < max(self._newest)[0]:
            return []
        if any(abs(begin - place) < SAME and score <= known for place, known in self._places):
            return []
        self._places.append((begin, score))
        return [Spot(self._began + begin * MOMENT, self._began + end * MOMENT, score)]
