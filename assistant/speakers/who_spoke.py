"""Who spoke: evidence from voice and place, added to each utterance of the ear."""

from __future__ import annotations

import logging
import math
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from assistant.ear.audio import RATE, Samples
from assistant.ear.ear import EarAround, Hears
from assistant.ear.network import Array, Network, load_base
from assistant.ear.recogniser import Partial
from assistant.ear.source import BLOCK, Block, RecentSound
from assistant.files.process import UsageError
from assistant.files.resources import model_dir
from assistant.files.settings import TELEPHONES, Settings
from assistant.messages import Heard, SpeakerEvidence, Word
from assistant.page.house import House
from assistant.rules.errors import MusError
from assistant.rules.state import State
from assistant.speakers.enrolled import enrolled, names
from assistant.speakers.voice_print import Listened, Voiceprints

# ---- Combining the evidence of voice and place --------------------------------------------------


LEAST = 1e-4
"""The least probability: no evidence rules anybody out, because a microphone may be moved, and a
voice may be hoarse."""


def together(*judgements: Sequence[float]) -> tuple[float, ...]:
    """The probability of each seat by all judgements together; an empty judgement does not count.

    In each of them and in the result, the rest to 1 is the probability of somebody else.
    """
    known = [(*shares, 1 - sum(shares)) for shares in judgements if shares]
    if not known:
        return ()
    products = [
        math.prod(max(share, LEAST) for share in column) for column in zip(*known, strict=True)
    ]
    return tuple(product / sum(products) for product in products[:-1])


# ---- The place: from which seat a sound came, if the sound card has several channels ------------
# Each channel's level over its own noise shows how near a voice was to it. A seat's pattern is by
# how much each channel lies above the mean of all, which does not depend on how loud somebody
# speaks. With a microphone before each seat the patterns are known beforehand, and improve with
# every call whose speaker is known otherwise. For a microphone array they are learnt from scratch.


NEARER = 6.0
"""The microphone before a seat is louder than the others by this many dB, given a room's echo."""
SCATTER = 1.5
"""Spread, in dB, of a call's pattern about that of its seat."""
UNEQUAL = 2.0
"""Spread, in dB, of a table's patterns about those that are assumed beforehand."""
ANYWHERE = 3.0
"""Spread, in dB, of the pattern of somebody who sits at no seat."""


@dataclass(frozen=True, slots=True)
class Beforehand:
    """What is assumed of microphones before the seats; all in dB.

    nearer   by so much the microphone before a seat is louder than the others
    scatter  spread of a call's pattern about that of its seat
    unequal  spread of a table's patterns about those that are assumed
    behind   spread of the pattern of somebody behind the table, who is as loud in all of them; half
             of those who sit at no seat are taken to be there. None: microphones may differ, so
             nothing is known of him
    """

    nearer: float = NEARER
    scatter: float = SCATTER
    unequal: float = UNEQUAL
    behind: float | None = None


EVENED = Beforehand(nearer=4.5, scatter=1.3, unequal=1.0, behind=0.8)
"""The same of telephones. Their gains are evened out, and their levels are of what each hears for
itself alone."""
ENOUGH = 3.0
"""The pattern of a seat without its own microphone counts after so many calls."""
REMEMBERED = 400
"""Blocks (20 s) whose levels are kept: longer than any utterance."""
QUIETEST = 0.1
"""The share of blocks without a voice, even in the busiest talk: their level is the noise."""
OUT = 3.0
"""A channel hears a voice in a block that is this many dB over its noise."""
EDGE = BLOCK / RATE / 2
"""Seconds: a block belongs to a span if half of it lies there."""


class ChannelLevels:
    """The levels of the last blocks. Times are in stream time, in seconds."""

    def __init__(self) -> None:
        self._blocks: deque[tuple[float, Array]] = deque(maxlen=REMEMBERED)

    def feed(self, end: float, levels: tuple[float, ...]) -> None:
        """Take a block's levels, dB below full scale, one a channel; a mono source has none."""
        if len(levels) < 2:
            return
        if self._blocks and (len(self._blocks[-1][1]) != len(levels) or end < self._blocks[-1][0]):
            self._blocks.clear()  # another sound card, or a stream whose time begins anew
        self._blocks.append((end, 10 ** (np.array(levels) / 10)))

    def pattern(self, start: float, end: float) -> Array | None:
        """By how many dB each channel lay above the mean of all while somebody spoke.

        Not a number for a channel that was missing in more than half of it. None if no channel
        stood out from its noise, or fewer than two were there.
        """
        found = [powers for at, powers in self._blocks if start + EDGE <= at <= end + EDGE]
        if not found:
            return None
        within = np.array(found)
        there = np.isfinite(within).mean(axis=0) >= 0.5
        if there.sum() < 2:
            return None
        all_blocks = np.array([powers[there] for _, powers in self._blocks])
        noise = np.nanquantile(all_blocks, QUIETEST, axis=0)
        voice = np.nanmean(within[:, there], axis=0) - noise
        least = (10 ** (OUT / 10) - 1) * noise
        if (voice < least).all():
            return None
        levels = 10 * np.log10(np.maximum(voice, least))
        pattern = np.full(len(there), np.nan)
        pattern[there] = levels - levels.mean()
        return pattern


class SeatPatterns:
    """Each seat's pattern on the channels, and the probability of each seat by it."""

    def __init__(
        self,
        seats: int,
        channels: Mapping[int, int] | None = None,
        assumed: Beforehand = Beforehand(),
    ) -> None:
        """``channels``: seat (1, 2, ...) -> the channel (0, 1, ...) of the microphone before it."""
        self.seats = seats
        self._assumed = assumed
        self._before = dict(channels or {})
        self._sums: dict[int, Array] = {}
        self._calls: dict[int, float] = {}

    def learn(self, seat: int, pattern: Array, sure: float = 1.0) -> None:
        """A call came from this seat; ``sure``: how probable that is.

        A pattern in which a channel is missing teaches nothing.
        """
        if not np.isfinite(pattern).all():
            return
        known = self._sums.get(seat)
        if known is not None and len(known) != len(pattern):
            self._sums.clear()  # another sound card
            self._calls.clear()
        self._sums[seat] = self._sums.get(seat, np.zeros(len(pattern))) + sure * pattern
        self._calls[seat] = self._calls.get(seat, 0.0) + sure

    def of(self, pattern: Array | None) -> tuple[float, ...]:
        """The probability of each seat; the rest to 1 is that of somebody who sits at none.

        Empty if there is no pattern, or not yet one for every seat.
        """
        if pattern is None:
            return ()
        known = [self._known(seat, len(pattern)) for seat in range(1, self.seats + 1)]
        expected = [found for found in known if found is not None]
        if len(expected) < self.seats:
            return ()
        there = np.isfinite(pattern)
        seen, nats = pattern[there], []
        nobody = _nats(seen, float(np.hypot(ANYWHERE, self._assumed.scatter)))
        if self._assumed.behind is not None:
            nobody = float(np.logaddexp(nobody, _nats(seen, self._assumed.behind))) - math.log(2)
        for seat, (mean, spread) in enumerate(expected, 1):
            own = self._before.get(seat)
            if own is not None and own < len(there) and not there[own]:
                nats.append(nobody)  # the microphone before him is missing
            else:
                nats.append(_nats(seen - (mean[there] - mean[there].mean()), spread))
        nats.append(nobody)
        shares = np.exp(np.array(nats) - max(nats))
        return tuple((shares / shares.sum())[:-1].tolist())

    def _known(self, seat: int, channels: int) -> tuple[Array, float] | None:
        """A seat's mean pattern, and the spread of its calls about it in dB."""
        calls = self._calls.get(seat, 0.0)
        learnt = self._sums.get(seat, np.zeros(channels))
        if len(learnt) != channels:
            return None
        assumed = self._assumed
        if (own := self._before.get(seat)) is not None and own < channels:
            weight = (assumed.scatter / assumed.unequal) ** 2
            before = np.where(np.arange(channels) == own, assumed.nearer, 0.0)
            before = before - before.mean()
            mean = (weight * before + learnt) / (weight + calls)
            return mean, assumed.scatter * float(np.sqrt(1 + 1 / (weight + calls)))
        if calls < ENOUGH:
            return None
        return learnt / calls, assumed.scatter * float(np.sqrt(1 + 1 / calls))


def _nats(off: Array, spread: float) -> float:
    """The log likelihood of a difference; one value is redundant, as a pattern's mean is 0."""
    free = len(off) - 1
    return -0.5 * float(off @ off) / spread**2 - free * float(np.log(spread))


# ---- Voice and place of what the ear has just heard, as evidence for the table ------------------
# Several people may share one utterance ("paso, paso, envido"), and only the table knows where a
# call ends. So every run of words that may be a call is judged by itself. For that the last seconds
# of sound are kept. The ear's thread calls all methods but ``know``.


KEPT = 20.0
"""Seconds of sound that are kept: longer than any utterance."""
BESIDE = 0.03
"""Seconds before and after a word that still belong to it."""
LONGEST = 6
"""The most words of a call whose voice is judged."""
GUEST = 0.5
"""If the voice is nobody's who has enrolled, the share that goes to the seats that have not."""
TEACHES = 0.9
"""From this probability by voice on, a word teaches the pattern of its seat."""


class WhoSpoke:
    """Judges utterances by the table's voices, its seat microphones, or both."""

    def __init__(
        self,
        seats: int,
        prints: Voiceprints | None = None,
        channels: Mapping[int, int] | None = None,
        assumed: Beforehand = Beforehand(),
    ) -> None:
        """``prints``: of players 1, 2, ..., which are seats.

        ``channels``, ``assumed``: see ``SeatPatterns``.
        """
        self._seats = seats
        self._prints = prints
        self._sound = RecentSound(KEPT)
        self._levels = ChannelLevels()
        self._patterns = SeatPatterns(seats, channels, assumed)

    def know(self, prints: Voiceprints) -> None:
        """Use these voiceprints from the next utterance on. Any thread may call it."""
        self._prints = prints

    def feed(self, block: Block) -> None:
        """Take a block of sound."""
        self._sound.feed(block)
        self._levels.feed(block.end, block.levels)

    def told(self, heard: Heard) -> Heard:
        """What was heard, with the evidence who said it; unchanged where there is none.

        A word whose voice is certain teaches the pattern of its seat.
        """
        if not heard.words:
            return heard
        first = heard.words[0].start - BESIDE
        ear = None
        if self._prints:
            ear = self._prints.listen(self._sound.between(first, heard.words[-1].end + BESIDE))
        voices = []
        for start, end in _stretches(heard.words):
            place = self._levels.pattern(start, end)
            voice = self._voice(ear, start - BESIDE - first, end + BESIDE - first)
            shares = together(voice, self._patterns.of(place))
            if shares:
                voices.append(SpeakerEvidence(start, end, shares))
        self._learn(heard.words, ear, first)
        return replace(heard, voices=tuple(voices)) if voices else heard

    def _learn(self, words: Sequence[Word], ear: Listened | None, first: float) -> None:
        for word in words:
            voice = self._voice(ear, word.start - BESIDE - first, word.end + BESIDE - first)
            place = self._levels.pattern(word.start, word.end)
            if place is not None and voice and max(voice) >= TEACHES:
                self._patterns.learn(voice.index(max(voice)) + 1, place, max(voice))

    def _voice(self, ear: Listened | None, start: float, end: float) -> tuple[float, ...]:
        """The probability of each seat by the voice alone; empty if there is no evidence."""
        if self._prints is None or ear is None:
            return ()
        own = self._prints.of_traits(ear.between(start, end))
        if not own:
            return ()
        known = dict(zip(self._prints.players, own, strict=True))
        guests = self._seats - sum(1 <= seat <= self._seats for seat in known)
        guest = (1 - sum(own)) * GUEST / guests if guests else 0.0
        return tuple(known.get(seat, guest) for seat in range(1, self._seats + 1))


def _stretches(words: Sequence[Word]) -> Iterator[tuple[float, float]]:
    """Start and end of every run of words that may be a call."""
    for first, word in enumerate(words):
        for last in words[first : first + LONGEST]:
            yield word.start, last.end


# ---- An ear that tells whose voice it heard: the players who have enrolled, and seat microphones


log = logging.getLogger("mus.ear")

FEWEST_VOICES = 2
"""The fewest voices of a table that must be known. With one alone, anybody might sound like it."""
NICE = 10
"""The nice value of the thread that learns the voices, so that hearing goes first."""


class Attributing(EarAround[Hears]):
    """An ear that adds to the utterances of another one whose voice they sound like.

    The voices are learnt from their recordings in the background, for some seconds after the
    start. Until then the turn alone tells who spoke.
    """

    def __init__(self, first: Hears, settings: Settings, state: Callable[[], State]) -> None:
        """``first`` makes the utterances of the table whose ``state`` is asked for."""
        super().__init__(first)
        self._state = state
        self._channels = dict(enumerate((at - 1 for at in settings.seat_channels), start=1))
        self._telephones = settings.hearing == TELEPHONES
        self._several = settings.channels > 1
        self._closed = threading.Event()
        self._seats: tuple[str, ...] = ()
        self._who = WhoSpoke(1)

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        if (seats := tuple(self._state().seats)) != self._seats:
            self._begin(seats)
        self._who.feed(block)
        return super().feed(block)

    def added(self, heard: Heard) -> Heard:
        """An utterance with whose voice it sounds like."""
        return self._who.told(heard)

    def close(self) -> None:
        """Learn nothing more."""
        self._closed.set()

    def _begin(self, seats: tuple[str, ...]) -> None:
        """Other people sit at the table: whoever has enrolled is known by his name."""
        self._seats = seats
        channels = self._channels if self._several else {}
        if self._telephones:  # each seat has its own
            channels = {seat: seat - 1 for seat in range(1, len(seats) + 1)}
        assumed = EVENED if self._telephones else Beforehand()
        self._who = who = WhoSpoke(len(seats), channels=channels, assumed=assumed)
        known = seated(seats, names())
        if len(known) >= FEWEST_VOICES:
            threading.Thread(
                target=self._learn, args=(who, known), name="voiceprints", daemon=True
            ).start()

    def _learn(self, who: WhoSpoke, known: Mapping[int, str]) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        try:
            sounds = {seat: _readings(name) for seat, name in known.items()}
            network = Network(load_base(model_dir()).layers)
            who.know(Voiceprints.fit(sounds, network, on_player=self._one_more))
        except _EarStoppedError:
            return
        except MusError as error:
            log.warning("Who spoke is told by the turn alone: %s", error)
            return
        log.info("Known by their voices: %s", ", ".join(known.values()))

    def _one_more(self, *_: object) -> None:
        if self._closed.is_set():
            raise _EarStoppedError


class _EarStoppedError(Exception):
    """The table is closed."""


def seated(seats: tuple[str, ...], known: list[str]) -> dict[int, str]:
    """Seat (1, 2, ...) -> the name of its player's voice, for all who have enrolled."""
    by_name = {name.casefold(): name for name in known}
    found = {seat: by_name.get(name.casefold()) for seat, name in enumerate(seats, start=1)}
    return {seat: name for seat, name in found.items() if name}


def tells_apart(settings: Settings) -> bool:
    """Whether there is anything to tell players by. In a recording nobody is told apart."""
    if settings.listen:
        return False
    several = settings.channels > 1 or settings.hearing == TELEPHONES
    return several or len(names()) >= FEWEST_VOICES


def _readings(name: str) -> list[Samples]:
    readings = [one.sound for one in enrolled(name).said]
    if not readings:
        raise UsageError("The voice {name!r} has no readings: learn it again.", name=name)
    return readings


def install(house: House, first: Hears) -> Attributing | None:
    """Have the ear of a house tell who spoke; None where nothing tells the players apart."""
    if not tells_apart(house.settings):
        return None
    return Attributing(first, house.settings, lambda: house.runner.table.state)
