"""Several telephones, one before each player, as one source of sound for the ear."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from assistant.ear.audio import FAINTEST, RATE, Floats, Samples, SpeechError, loudness, to_int16
from assistant.ear.source import BLOCK, AudioSource, Block
from assistant.rules.errors import MusError
from assistant.telephones.clocks import HALF, Alignment, ClockMap, JitterBuffer
from assistant.telephones.seat_choice import (
    AHEAD,
    Frames,
    Mixture,
    Powers,
    SeatChoice,
    VoiceLevel,
)

log = logging.getLogger("mus.telephones")


class SeatTaken(MusError):  # noqa: N818 - what happened to the seat
    """A seat has a microphone already."""


# ---- One telephone ------------------------------------------------------------------------------


MIDDLE = 0
"""The channel of the table's own microphone; the others have their seats' numbers."""
WAITS = 0.3
"""Seconds that a block waits for a telephone's packets: the most delay that a network can add.
Wi-Fi with 200 ms of jitter stays below; a later telephone is left out until it is back."""
LEARNS = 10.0
"""Seconds over which lateness and losses are measured."""
LOOK_AHEAD = AHEAD + 1
"""Blocks (0.1 s) that are heard beyond the one that is passed on."""
USUAL = 95
"""The percentile of the packets' delays that is reported as the delay."""


@dataclass(frozen=True, slots=True)
class LineStatus:
    """The figures of a telephone as a microphone.

    level    of its newest sound, in dB below full scale
    delay    seconds until its sound is passed on (the 95th percentile of packets)
    drift    by how many millionths its clock is slower than ours; negative: faster
    heard    seconds since its player's voice was last taken from it; None: never yet
    lost     share (0 to 1) of its sound in the last ten seconds that never came
    """

    level: float
    delay: float
    drift: float
    heard: float | None
    lost: float


class Line:
    """One telephone. Any thread may call all of it."""

    def __init__(self, seat: int, name: str, owner: Telephones) -> None:
        """Made by ``Telephones.join``."""
        self.seat = seat
        self.name = name
        self._owner = owner
        self._clock = ClockMap()
        self._buffer = JitterBuffer()
        self._meter = VoiceLevel()
        self._shift = 0.0
        self._stalled = False
        self._level = FAINTEST
        self._packets: deque[tuple[float, float, int, int]] = deque()
        self._heard: float | None = None

    def feed(self, samples: Samples, at: float, lost: int = 0) -> None:
        """Take a packet of mono sound at ``RATE``.

        ``at``: seconds of its first sample by the telephone's clock, which may count from anywhere.
        ``lost``: samples that the telephone itself lost just before; what the network loses shows
        in ``at``.
        """
        if not len(samples):
            return
        with self._owner.lock:
            now = self._owner.clock()
            late = self._clock.note(at + len(samples) / RATE, now)
            gap = self._buffer.write(samples.astype(np.float32) / np.float32(32768), at)
            self._level = loudness(samples)
            self._packets.append((now, late, len(samples), max(gap, lost)))
            while self._packets[0][0] < now - LEARNS:
                self._packets.popleft()

    def leave(self) -> None:
        """End the line, because the page was closed or is gone. The seat is free after it."""
        self._owner.forget(self)

    def status(self) -> LineStatus:
        """Its figures now."""
        with self._owner.lock:
            now = self._owner.clock()
            late = [packet[1] for packet in self._packets]
            lost = sum(packet[3] for packet in self._packets)
            came = sum(packet[2] for packet in self._packets)
            waited = min(WAITS, float(np.percentile(late, USUAL))) if late else 0.0
            return LineStatus(
                level=round(self._level, 1),
                delay=round(waited + LOOK_AHEAD * BLOCK / RATE, 3),
                drift=round(self._clock.ppm, 1),
                heard=None if self._heard is None else round(now - self._heard, 1),
                lost=round(lost / max(1, lost + came), 4),
            )

    # The methods below are for the thread that mixes, which holds the lock.

    def waited_for(self, until: float, now: float) -> bool:
        """Whether sound up to a time of ours may still come, and is worth waiting for."""
        if not self._clock.known:
            return False
        if self._ready(until):
            self._stalled = False
            return False
        self._stalled = self._stalled or now >= until + WAITS
        return not self._stalled

    def read(self, start: float, steady: bool = False) -> tuple[Floats, float] | None:
        """A block from a time of ours on, and the share missing; None where it did not come.

        ``steady``: nothing is corrected meanwhile but the drift that is known.
        """
        if not self._clock.known or not self._ready(start + BLOCK / RATE):
            return None
        pace = self._clock.pace if steady else None
        return self._buffer.read(self._clock.theirs(start - self._shift), BLOCK, pace)

    def meter(self, sound: Floats) -> tuple[float, float]:
        """The power of a block in the band of voices, and that of its noise."""
        return self._meter.feed(sound)

    def align(self, lag: float) -> None:
        """Correct the line: its sound comes so many seconds later than that of the others."""
        self._shift -= lag

    def speaks(self, now: float) -> None:
        """Note that its player's voice was taken from it."""
        self._heard = now

    def _ready(self, until: float) -> bool:
        end = self._buffer.end
        return end + self._clock.offset(end) + self._shift >= until + HALF / RATE


# ---- All of them as one source ------------------------------------------------------------------


POLL = 0.01
"""Seconds between two looks whether a block is complete."""
BEHIND = 2.0
"""Seconds that the reader may be late before blocks are dropped: better deaf than late."""
LEAST_FACTOR = 10 ** (-8.0 / 20)
"""A voice that is nobody's at the table is made fainter by 8 dB at most, and never below the noise
of its channel. With 15 dB, faint syllables that were taken for nobody's cost more calls."""
HOLES = 0.2
"""The share of a block that may be missing before another channel stands in."""
MISSING = 1
"""How many seats may lack sound while the others still tell who speaks. With two missing, a player
without a telephone would be taken for his neighbour with one."""
SPOKEN = 0.6
"""Seconds for which the mixture stays as it was while the assistant spoke: its echo dies away."""
MIDDLE_AGAIN = 2.0
"""Seconds between two attempts to open a table's own microphone that went away."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """A block of every complete channel; ``powers``: each channel's, and its noise's."""

    sounds: Mapping[int, Floats]
    powers: Mapping[int, tuple[float, float]]


class Telephones:
    """An ``AudioSource`` of several lines mixed to one.

    Each block comes from the speaker's telephone. A voice that is equally loud in all of them is
    nobody's at the table, and is made fainter. ``Block.levels`` has one level for each seat, that
    of the sound that its telephone alone hears, while at most ``MISSING`` seats have none.
    """

    live = True
    monitor = False
    name = "los móviles"

    def __init__(
        self,
        seats: int,
        clock: Callable[[], float] = time.monotonic,
        middle: AudioSource | None = None,
        *,
        speaking: Callable[[], bool] = lambda: False,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """``middle``: the table's own microphone, one more line.

        ``speaking``: whether the assistant speaks. Meanwhile one unchanging line is heard, because
        the echo canceller has to know the path from the loudspeaker: the paths to several move
        apart with their clocks, so their mixture's never stays the same. ``wait``: lets so many
        seconds of ``clock`` pass, where that clock is no real one.
        """
        self.seats = seats
        self.clock = clock
        self.lock = threading.RLock()
        self.dropped = 0
        self._middle = middle
        self._speaking = speaking
        self._closed = threading.Event()
        self._wait = wait or self._closed.wait
        self._lines: dict[int, Line] = {}
        self._choice = SeatChoice()
        self._alignment = Alignment()
        self._origin: float | None = None
        self._begin()

    def join(self, seat: int, name: str) -> Line:
        """A telephone before a seat (1, 2, ...). Raises SeatTaken where there is one already."""
        with self.lock:
            if seat in self._lines:
                raise SeatTaken(
                    f"Seat {seat} has a microphone already, {self._lines[seat].name!r}."
                )
            line = self._lines[seat] = Line(seat, name, self)
            if seat != MIDDLE:
                self._choice.gains.begin_anew()
            return line

    def forget(self, line: Line) -> None:
        """Remove a line that has left; one that was removed already changes nothing."""
        with self.lock:
            if self._lines.get(line.seat) is line:
                del self._lines[line.seat]

    def blocks(self) -> Iterator[Block]:
        """The mixed sound from now on, until it is closed."""
        self._closed.clear()
        with self.lock:
            now = self.clock()
            self._origin = now if self._origin is None else self._origin
            self._next = round((now - self._origin) * RATE) // BLOCK
            self._begin()
        pump = self._pump_middle()
        try:
            while not self._closed.is_set():
                with self.lock:
                    block = self._take(self.clock())
                if block is not None:
                    yield block
                else:
                    self._wait(POLL)
        finally:
            self._closed.set()
            if self._middle is not None and pump is not None:
                self._middle.close()
                pump.join(BEHIND)

    def close(self) -> None:
        """End ``blocks``. The telephones may stay; what they send meanwhile is lost."""
        self._closed.set()

    def _begin(self) -> None:
        self._newest: _Pieces | None = None
        self._ahead: deque[tuple[_Pieces, Frames]] = deque()
        self._last: dict[int, Powers] = {}
        self._mixture = Mixture()
        self._channel = MIDDLE
        self._still_until = float("-inf")
        self._still: tuple[int, float] | None = None
        self._alone = MIDDLE

    def _take(self, now: float) -> Block | None:
        """The next block, if its sound is complete, or will not become so."""
        assert self._origin is not None
        start = self._origin + self._next * BLOCK / RATE
        if now - start > BEHIND:
            late = int((now - start - WAITS) * RATE) // BLOCK
            self.dropped += late
            self._next += late
            start = self._origin + self._next * BLOCK / RATE
            self._begin()
        end = start + BLOCK / RATE
        # Every line is asked, so that each of them learns how late it is.
        waits = [line.waited_for(end, now) for line in self._lines.values()]
        if now < end or any(waits):
            return None
        self._next += 1
        if self._speaking():
            self._still_until = now + SPOKEN
        return self._followed(self._read(start, now < self._still_until), now)

    def _followed(self, newest: _Pieces, now: float) -> Block | None:
        """The block that is ``LOOK_AHEAD`` before the newest."""
        learns = now >= self._still_until
        if learns:
            self._align(newest)
        before, self._newest = self._newest, newest
        if before is None:
            return None
        gains = self._gains(sorted(before.sounds))
        frames = Frames(before.sounds, newest.sounds, self._last, gains)
        self._last = frames.last
        powers = {seat: power for seat, power in before.powers.items() if seat != MIDDLE}
        out = {seat: frames.stands_out(seat) for seat in powers}
        seat = self._choice.feed(powers, out, learns=learns)
        self._ahead.append((before, frames))
        if len(self._ahead) <= AHEAD:
            return None
        pieces, frames = self._ahead.popleft()
        if seat in self._lines:
            self._lines[seat].speaks(now)
        mixed = self._mixture.mix(frames, self._weigh(pieces, gains, seat, now))
        end = (self._next - LOOK_AHEAD) * BLOCK / RATE
        return Block(to_int16(mixed), end, self._levels(frames))

    def _read(self, start: float, steady: bool) -> _Pieces:
        sounds, powers = {}, {}
        for seat, line in sorted(self._lines.items()):
            found = line.read(start, steady)
            if found is not None and found[1] <= HOLES:
                sounds[seat] = found[0]
                powers[seat] = line.meter(found[0])
        return _Pieces(sounds, powers)

    def _align(self, pieces: _Pieces) -> None:
        for seat, lag in self._alignment.feed(pieces.sounds, self._choice.voiced).items():
            log.debug("the sound of seat %d came %.1f ms late", seat, 1000 * lag)
            self._lines[seat].align(lag)
            self._alignment.corrected(seat)

    # ---- mixing ---------------------------------------------------------------------------------

    def _gains(self, seats: list[int]) -> dict[int, float]:
        """The factor that makes each channel as loud as the mean of all."""
        with_seat = [seat for seat in seats if seat != MIDDLE]
        decibels = self._choice.gains.of(with_seat) if with_seat else np.zeros(0)
        return {MIDDLE: 1.0} | dict(zip(with_seat, (10 ** (-decibels / 20)).tolist(), strict=True))

    def _weigh(
        self, pieces: _Pieces, gains: Mapping[int, float], seat: int, now: float
    ) -> dict[int, float]:
        """The factor of each channel in a block in which ``seat`` speaks; 0: nobody at the table.

        ``gains``: the factors that make the channels equally loud.
        """
        whole = sorted(pieces.sounds)
        if not whole:
            return {}
        gains = {one: gains.get(one, 1.0) for one in whole}
        if now < self._still_until:
            return self._unchanging(whole, gains)
        self._still = None
        if seat in whole:
            self._channel = seat
            return {seat: gains[seat]}
        if seat:  # its packets are missing: the line that hears him best stands in
            best = max(whole, key=lambda one: pieces.powers[one][0] * gains[one] ** 2)
            return {best: gains[best]}
        if MIDDLE in whole or self._channel not in whole:
            self._channel = whole[0]
        channel = self._channel
        if len(set(whole) - {MIDDLE}) < self.seats or not self._choice.gains.known:
            return {channel: gains[channel]}  # he may sit where no telephone is
        power, noise = pieces.powers[channel]
        return {channel: gains[channel] * max(LEAST_FACTOR, min(1.0, (noise / power) ** 0.5))}

    def _unchanging(self, whole: list[int], gains: Mapping[int, float]) -> dict[int, float]:
        """The line and factor of all that is heard while the assistant speaks.

        It is the one in the middle, or the one of the last time. A block that it lacks is silence,
        because another line in its place would be another path.
        """
        if self._still is None:
            if MIDDLE in whole or self._alone not in whole:
                self._alone = whole[0]
            self._still = self._alone, gains[self._alone]
        line, factor = self._still
        return {line: factor} if line in whole else {}

    def _levels(self, frames: Frames) -> tuple[float, ...]:
        """Each seat's level; not a number for the one whose sound is missing, if one is."""
        apart = frames.apart()
        levels = [
            round(10 * math.log10(apart[seat]), 1) if seat in apart else math.nan
            for seat in range(1, self.seats + 1)
        ]
        return tuple(levels) if sum(map(math.isnan, levels)) <= MISSING else ()

    # ---- the table's own microphone ------------------------------------------------------------

    def _pump_middle(self) -> threading.Thread | None:
        if self._middle is None:
            return None
        thread = threading.Thread(
            target=self._listen_to, args=(self._middle,), name="middle microphone", daemon=True
        )
        thread.start()
        return thread

    def _listen_to(self, middle: AudioSource) -> None:
        """Feed the table's own microphone as a line, again where it went away and came back."""
        while not self._closed.is_set():
            line = self.join(MIDDLE, middle.name)
            try:
                for block in middle.blocks():
                    if self._closed.is_set():
                        break
                    line.feed(block.samples, block.end - len(block.samples) / RATE)
                else:
                    if not middle.live:
                        return
                    self._closed.wait(MIDDLE_AGAIN)
            except SpeechError as error:
                log.warning("%s", error)
                self._closed.wait(MIDDLE_AGAIN)
            finally:
                line.leave()
