"""Who spoke: the voice and the place of what the ear has just heard, as evidence for the table.

One utterance may be several people's ("paso, paso, envido"), and only the table knows where a call
ends. So every row of words that may be a call is judged by itself. Keeps the last seconds of sound
for that; fed by the ear's thread, and asked by it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assistant.messages import Heard, Voice, Word
from assistant.speech.audio import RATE, Samples
from assistant.speech.source import Block
from assistant.speech.voices.fusion import together
from assistant.speech.voices.places import ChannelLevels, SeatPatterns
from assistant.speech.voices.speaker import Voiceprints
from assistant.speech.voices.traits import Listened

KEPT = 20.0
"""Seconds of sound that are kept: longer than any utterance."""
BESIDE = 0.03
"""Seconds beside a word that still belong to it."""
LONGEST = 6
"""Words of the longest call whose voice is looked for."""
GUEST = 0.5
"""Of what sounds like nobody who has enrolled, the share of the seats that have not."""
TEACHES = 0.9
"""Probability by voice from which what is said teaches how its seat looks on the channels."""


class WhoSpoke:
    """The voices of a table, its seat microphones, or both; with neither it tells nothing."""

    def __init__(
        self,
        seats: int,
        prints: Voiceprints | None = None,
        channels: Mapping[int, int] | None = None,
    ) -> None:
        """``prints``: its players are seats (1, 2, ...); ``channels``: see ``SeatPatterns``."""
        self._seats = seats
        self._prints = prints
        self._sound: deque[Block] = deque()
        self._levels = ChannelLevels()
        self._patterns = SeatPatterns(seats, channels)

    def know(self, prints: Voiceprints) -> None:
        """Take these voices from the next utterance on; any thread may say so."""
        self._prints = prints

    def feed(self, block: Block) -> None:
        """Listen to a block."""
        self._sound.append(block)
        while self._sound[0].end < block.end - KEPT:
            self._sound.popleft()
        self._levels.feed(block.end, block.levels)

    def told(self, heard: Heard) -> Heard:
        """What was heard, with the voices of its words; the same where none is known.

        A word whose voice is plain teaches how its seat looks on the channels.
        """
        if not heard.words:
            return heard
        first = heard.words[0].start - BESIDE
        ear = None
        if self._prints:
            ear = self._prints.listen(self._between(first, heard.words[-1].end + BESIDE))
        voices = []
        for start, end in _stretches(heard.words):
            place = self._levels.pattern(start, end)
            voice = self._voice(ear, start - BESIDE - first, end + BESIDE - first)
            shares = together(voice, self._patterns.of(place))
            if shares:
                voices.append(Voice(start, end, shares))
        self._learn(heard.words, ear, first)
        return replace(heard, voices=tuple(voices)) if voices else heard

    def _learn(self, words: Sequence[Word], ear: Listened | None, first: float) -> None:
        for word in words:
            voice = self._voice(ear, word.start - BESIDE - first, word.end + BESIDE - first)
            place = self._levels.pattern(word.start, word.end)
            if place is not None and voice and max(voice) >= TEACHES:
                self._patterns.learn(voice.index(max(voice)) + 1, place, max(voice))

    def _voice(self, ear: Listened | None, start: float, end: float) -> tuple[float, ...]:
        """The probability of each seat by the sound alone; empty where it cannot be told."""
        if self._prints is None or ear is None:
            return ()
        own = self._prints.of_traits(ear.between(start, end))
        if not own:
            return ()
        known = dict(zip(self._prints.players, own, strict=True))
        guests = self._seats - sum(1 <= seat <= self._seats for seat in known)
        guest = (1 - sum(own)) * GUEST / guests if guests else 0.0
        return tuple(known.get(seat, guest) for seat in range(1, self._seats + 1))

    def _between(self, start: float, end: float) -> Samples:
        """The sound between two stream times, as far as it is still there."""
        pieces = [np.zeros(0, np.int16)]
        for block in self._sound:
            began = block.end - len(block.samples) / RATE
            if began < end and block.end > start:
                first, last = (round((edge - began) * RATE) for edge in (start, end))
                pieces.append(block.samples[max(0, first) : max(0, last)])
        return np.concatenate(pieces)


def _stretches(words: Sequence[Word]) -> Iterator[tuple[float, float]]:
    """Start and end of every row of words that may be a call."""
    for first, word in enumerate(words):
        for last in words[first : first + LONGEST]:
            yield word.start, last.end
