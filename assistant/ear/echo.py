"""Hearing while the assistant speaks: the echo gate, and acoustic echo cancellation."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

import numpy as np

from assistant.ear.audio import FAINTEST, RATE, AudioError, Samples, loudness, read_wav
from assistant.ear.echo_filter import LAP, MEMORY, PART, WINDOW, PathFilter, Residue, Signal
from assistant.ear.source import BLOCK, Block

# ---- Acoustic echo cancellation: the assistant's voice is removed from the microphone's sound ----
# The ear knows what the voice plays (``Sentence``), but not when it leaves the loudspeaker. So the
# first half second of a sentence is held back until the delay is found, at which the phases of both
# spectra agree (GCC-PHAT; Knapp & Carter, IEEE Trans. ASSP 24, 1976). If no delay is found, or
# sound was lost, the ear is deaf for the sentence, as it would be without echo cancellation.


LEAST_HEARD, LONGEST_HELD = 0.5, 1.3
"""The delay is looked for after this many seconds of a sentence, and given up after this many."""
LATEST = 1.0
"""The longest delay, in seconds: what the playing command and a sound server take."""
CERTAIN = 9.0
"""A delay is believed if it stands out from all others by this many standard deviations."""
AGAIN, NEARBY = 6.0, 0.08
"""The same for a delay within ``NEARBY`` seconds of the last sentence's: the playing command takes
about as long each time."""
EARLY = 48
"""Samples by which the reference leads its echo: the filter can only learn what comes after it."""
ROOM_FRAMES, ROOM_SHARE = 60, 20
"""Blocks without the voice that are kept, and the per cent of them that are the room alone."""
ROOM_OVER = 4.5
"""A room's mean power is this many times that of its quietest ROOM_SHARE per cent."""
LINGERS = 0.45
"""Seconds after the voice for which sound is still processed: a little longer than the
look-ahead."""
LOUD = 0.1
"""Frequencies weaker than this share of the sentence's loudest do not count for the delay."""
JUMP = 0.01
"""Seconds that stream time may jump before sound counts as lost."""


log = logging.getLogger("mus.ear")


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """What the assistant says: mono at ``RATE``, full scale 1."""

    sound: Signal


def sentence_of(path: Path) -> Sentence | None:
    """The sentence in a WAV file; None where it cannot be read."""
    try:
        blocks = list(read_wav(path))
    except AudioError as error:
        log.debug("%s", error)
        return None
    return Sentence(np.concatenate([np.zeros(0), *blocks]) / 32768)


Given = tuple[Block, bool]
"""A block, and whether the recogniser may hear it: the ear must be deaf to the assistant's
words."""


class _Phase(Enum):
    OPEN = auto()
    """The voice is silent."""
    HELD = auto()
    """It speaks, and the delay is being looked for; sound is held back."""
    CANCELLING = auto()
    """Its echo is being cancelled, or has just ended."""
    DEAF = auto()
    """It speaks, and its echo cannot be cancelled."""


class EchoCanceller:
    """Between the microphone and the recogniser, on the ear's thread.

    ``open`` takes each block while the voice is silent, ``shut`` each while it speaks. Both return
    the blocks that are finished by now, in order and with their own times.
    """

    def __init__(self) -> None:
        self._filter = PathFilter()
        self._residue = Residue()
        self._knows_path = False
        self._usual_delay: float | None = None
        self._window = np.sqrt(np.hanning(WINDOW + 1)[:WINDOW])
        self._room: deque[Signal] = deque(maxlen=ROOM_FRAMES)
        self._last = np.zeros(MEMORY)
        self._end: float | None = None
        self._phase = _Phase.OPEN
        self._sentence: Sentence | None = None
        self._held: list[Block] = []
        self._start(np.zeros(0), np.zeros(MEMORY))

    def open(self, block: Block) -> list[Given]:
        """A block without the assistant's voice, but perhaps with the end of its echo."""
        given: list[Given] = []
        missing = self._note(block)
        if self._phase is _Phase.HELD:
            given = self._deaf() if missing or not self._align() else self._cancel()
        if self._phase is _Phase.CANCELLING:
            if not missing:
                self._held.append(block)
                self._lingered += len(block.samples) / RATE
                given += self._cancel()
                if self._lingered < LINGERS:
                    return given
            # The rest is passed on as it was heard: the echo in it has died away.
            given += self._give(self._residue.flush() if missing else self._raw)
            self._residue.end()
        if self._phase is not _Phase.CANCELLING or missing:
            given.append((block, True))
        self._phase, self._sentence = _Phase.OPEN, None
        if len(block.samples) >= WINDOW:
            sound = block.samples[-WINDOW:] / 32768 * self._window
            self._room.append(np.square(np.abs(np.fft.rfft(sound))))
        return given

    def shut(self, block: Block, sentence: Sentence | None) -> list[Given]:
        """A block while the assistant says ``sentence``; None: unknown sound, as of a telephone."""
        given: list[Given] = []
        missing = self._note(block)
        if missing or sentence is not self._sentence or self._phase is _Phase.OPEN:
            given = self._begin(sentence, missing)
        self._held.append(block)
        if self._phase is _Phase.HELD:
            seconds = sum(len(one.samples) for one in self._held) / RATE
            if seconds < LEAST_HEARD or not (self._align() or seconds > LONGEST_HELD):
                return given
            if self._phase is _Phase.HELD:
                log.debug("the voice is not found in what is heard: the ear is deaf to it")
                self._phase = _Phase.DEAF
        return given + (self._deaf() if self._phase is _Phase.DEAF else self._cancel())

    def _note(self, block: Block) -> bool:
        """Remember a block; return whether sound was lost before it."""
        start, last = block.end - len(block.samples) / RATE, self._end
        self._end = block.end
        self._last = np.concatenate([self._last, block.samples / 32768])[-MEMORY:]
        return last is not None and abs(start - last) > JUMP

    def _begin(self, sentence: Sentence | None, missing: bool) -> list[Given]:
        """Start with another sentence; what was held back of the one before is not heard."""
        given: list[Given] = []
        left, past = np.zeros(0), np.zeros(MEMORY)
        if self._phase is _Phase.CANCELLING:
            given = self._give(self._residue.flush())
            past = np.concatenate([past, self._reference[: self._played]])[-MEMORY:]
            left = self._raw
            self._residue.end()
        elif self._phase is _Phase.HELD:
            given = self._deaf()
        until = self._until
        self._start(left, past)
        known = sentence is not None and not missing and len(self._room) > 0
        self._sentence, self._phase = sentence, _Phase.HELD if known else _Phase.DEAF
        if len(left) and not missing:
            self._held = [Block(_int16(left), until)]
        return given

    def _start(self, left: Signal, past: Signal) -> None:
        """Forget the last sentence, except the sound ``left`` of it and the ``past`` it played."""
        self._past, self._reference, self._played = past, np.zeros(0), 0
        self._pending, self._raw = np.zeros(0), np.zeros(0)
        self._until, self._lingered = 0.0, 0.0
        newest = len(left) + BLOCK
        self._before = self._last[-newest - LAP : -newest]

    def _align(self) -> bool:
        """Look for the sentence's delay in what was heard so far; return whether it is certain."""
        assert self._sentence
        heard, sound = _joined(self._held), self._sentence.sound
        delay, certainty = _delay(heard, sound)
        usual = self._usual_delay
        as_usual = usual is not None and abs(delay - usual) < NEARBY * RATE
        if certainty < (AGAIN if as_usual else CERTAIN):
            return False
        self._usual_delay = delay
        self._reference = _later(sound, delay - EARLY)
        if not self._knows_path:
            echo, played = heard[round(delay) :], sound[: len(heard) - round(delay)]
            self._filter.forget(_mean_power(echo) / max(_mean_power(played), 1e-9))
            self._knows_path = True
        # The filter first learns from what was held back; then that is heard.
        self._filter.restart(self._past)
        for at in range(0, len(heard) - PART + 1, PART):
            self._filter.step(heard[at : at + PART], self._play(at))
        self._filter.restart(self._past)
        self._residue.begin(self._noise(), self._before)
        self._phase = _Phase.CANCELLING
        return True

    def _deaf(self) -> list[Given]:
        held, self._held = self._held, []
        return [(block, False) for block in held]

    def _cancel(self) -> list[Given]:
        """Cancel the echo in what is held back; return what is finished by now."""
        if not self._held:
            return []
        heard, self._until = _joined(self._held), self._held[-1].end
        self._held = []
        self._raw = np.concatenate([self._raw, heard])
        self._pending = np.concatenate([self._pending, heard])
        clear = [np.zeros(0)]
        while len(self._pending) >= PART:
            part, self._pending = self._pending[:PART], self._pending[PART:]
            echo = self._filter.step(part, self._play(self._played))
            self._played += PART
            clear.append(self._residue.feed(part - echo, echo))
        return self._give(np.concatenate(clear))

    def _play(self, at: int) -> Signal:
        part = self._reference[at : at + PART]
        return np.concatenate([part, np.zeros(PART - len(part))])

    def _give(self, sound: Signal) -> list[Given]:
        """Return processed sound in place of as much that was heard."""
        start = self._until - len(self._raw) / RATE
        self._raw = self._raw[len(sound) :]
        blocks: list[Given] = []
        for at in range(0, len(sound), BLOCK):
            samples = _int16(sound[at : at + BLOCK])
            end = start + (at + len(samples)) / RATE
            blocks.append((Block(samples, end, cancelled=True), True))
        return blocks

    def _noise(self) -> Signal:
        """The power of the room's noise by frequency."""
        quiet = np.percentile(np.array(self._room), ROOM_SHARE, axis=0) * ROOM_OVER
        return np.convolve(quiet, np.full(5, 1 / 5), "same")


def _int16(sound: Signal) -> Samples:
    samples: Samples = np.clip(np.rint(sound * 32768), -32768, 32767).astype(np.int16)
    return samples


def _joined(blocks: list[Block]) -> Signal:
    return np.concatenate([block.samples for block in blocks]).astype(np.float64) / 32768


def _mean_power(sound: Signal) -> float:
    return float(np.mean(np.square(sound))) if len(sound) else 0.0


def _delay(heard: Signal, sound: Signal) -> tuple[float, float]:
    """The delay of a sound in samples, and by how many deviations it stands out."""
    played = sound[: len(heard)]
    size = 1 << math.ceil(math.log2(len(heard) + len(played) + 1))
    theirs, ours = np.fft.rfft(heard, size), np.fft.rfft(played, size)
    loud = np.abs(ours) > LOUD * np.abs(ours).max(initial=0)
    cross = theirs * ours.conj()
    cross = np.where(loud, cross / np.maximum(np.abs(cross), 1e-12), 0)
    alike = np.fft.irfft(cross, size)
    at = int(np.argmax(alike[: min(len(heard), round(LATEST * RATE))]))
    certainty = float(alike[at] / max(np.std(alike), 1e-12))
    # Half a sample matters to a filter that knows the path, so the sum is taken between samples
    # too.
    used = np.flatnonzero(loud)
    near = at + np.linspace(-1, 1, 41)
    turned = np.exp(2j * np.pi * np.outer(near, used) / size)
    return float(near[np.argmax((turned @ cross[used]).real)]), certainty


def _later(sound: Signal, samples: float) -> Signal:
    """A sound delayed by a fractional number of samples; a negative delay cuts its start."""
    whole = math.floor(samples)
    room = np.concatenate([np.zeros(PART), sound, np.zeros(PART)])
    turns = np.arange(len(room) // 2 + 1) / len(room)
    shifted = np.fft.irfft(
        np.fft.rfft(room) * np.exp(-2j * np.pi * turns * (samples - whole)), len(room)
    )
    start = whole - PART
    return np.concatenate([np.zeros(max(0, start)), shifted[max(0, -start) :]])


# ---- The echo gate: the ear is shut while the assistant speaks, lest it hear itself -------------
# The composition root gives the same gate to the voice, which shuts and opens it and names what it
# says, and to the ear, which asks it. Ear and voice know nothing of each other.


TAIL = 0.25
"""Seconds for which the gate stays shut after the voice: the room's echo, and sound in buffers."""
LONGEST = 60.0
"""Seconds after which the gate opens by itself: a voice that died must not leave the ear deaf."""


class EchoGate:
    """Shut while the voice speaks, and ``tail`` seconds longer. Any thread may use it.

    Shutting twice is the same as once: the voice's last word counts. Sound from elsewhere has a
    time of its own, because the voice's end says nothing of a telephone that still plays.
    """

    def __init__(self, tail: float = TAIL, clock: Callable[[], float] = time.monotonic) -> None:
        self._tail = tail
        self._clock = clock
        self._lock = threading.Lock()
        self._voice_until = float("-inf")
        self._held_until = float("-inf")
        self._sentence: Sentence | None = None
        self.somebody_speaks = False
        """Whether a player is speaking, set by the ear: a polite voice waits until he has ended."""

    def shut(self, sound: Path | None = None) -> None:
        """The voice begins to speak; ``sound``: the WAV file that it plays, where that is known."""
        sentence = sentence_of(sound) if sound else None
        with self._lock:
            self._sentence = sentence
            self._voice_until = self._clock() + LONGEST

    def open(self) -> None:
        """The voice has ended. Opening an open gate does nothing."""
        with self._lock:
            self._voice_until = min(self._voice_until, self._clock() + self._tail)

    def hold(self, seconds: float) -> None:
        """Keep the gate shut for so many seconds, because something else of ours sounds."""
        with self._lock:
            until = self._clock() + min(seconds, LONGEST) + self._tail
            self._held_until = max(self._held_until, until)

    def is_shut(self) -> bool:
        """Whether the ear must not listen to sound that arrives now."""
        with self._lock:
            return self._clock() < max(self._voice_until, self._held_until)

    def sentence(self) -> Sentence | None:
        """What the voice says while it is shut; None if unknown, or if something else sounds."""
        with self._lock:
            return None if self._clock() < self._held_until else self._sentence


# ---- Barge-in: whether somebody spoke while the assistant did, and so was not heard -------------
# While the gate is shut the recogniser gets no sound, so the words are lost; but loudness still
# tells that somebody spoke. How loud the assistant's own voice is at the microphone is learnt from
# its sentences. Somebody who speaks
#
# - within a sentence is louder than that voice for a while (if not, he passes unnoticed);
# - across the end of a sentence is still loud when the gate opens, where an echo has died away.
# Then the recogniser gets his words without their beginning.


SENTENCES = 5
"""The last sentences, which tell how loud the assistant's own voice is."""
LOUDEST = 95
"""The voice's level is this percentile of a sentence's blocks: a click above it does not count."""
ABOVE_OWN = 6.0
"""A block this many dB over the own voice is somebody else."""
ABOVE_ROOM = 13.0
"""Somebody speaks from this many dB over the room."""
CALL = 5
"""Blocks (0.25 s) that the shortest call lasts; a laugh or a glass is shorter or less even."""
ROOM_BLOCKS, QUIETEST_SHARE = 60, 10
"""Blocks kept from while the gate was open, and the percentile of them that is the room's level."""
EDGE = 3
"""Blocks (0.15 s) before and after the gate's opening that are compared."""
FADES = 3.0
"""An echo fades by this many dB from before to after, even in a hall; a voice goes on."""


class Hidden(Enum):
    """Where somebody spoke over the assistant: within its sentence, or on through its end."""

    WITHIN = auto()
    THROUGH = auto()


class SpokenOver:
    """Detects barge-in from every block, those while the gate is shut and those while open."""

    def __init__(self) -> None:
        self._own: deque[float] = deque(maxlen=SENTENCES)
        self._room: deque[float] = deque(maxlen=ROOM_BLOCKS)
        self._sentence: list[float] = []
        self._edge: list[float] = []

    def shut(self, block: Block) -> None:
        """A block that sounded while the assistant spoke, or in its echo."""
        self._edge = []
        self._sentence.append(loudness(block.samples))

    def opened(self, block: Block) -> Hidden | None:
        """Take a block that the ear listens to; return where the last sentence hid speech.

        The answer comes once for each sentence, ``EDGE`` blocks after its end.
        """
        level = loudness(block.samples)
        if not self._sentence:
            self._room.append(level)
            return None
        self._edge.append(level)
        if len(self._edge) < EDGE:
            return None
        sentence, self._sentence = self._sentence, []
        return self._judge(sentence)

    def _judge(self, sentence: list[float]) -> Hidden | None:
        floor = self._floor()
        if self._goes_on(sentence, floor):
            return Hidden.THROUGH
        if self._stands_above(sentence, floor):
            return Hidden.WITHIN
        self._own.append(float(np.percentile(sentence, LOUDEST)))
        return None

    def _goes_on(self, sentence: list[float], floor: float) -> bool:
        """Whether somebody spoke through the gate's opening."""
        before, after = sentence[-EDGE:], self._edge
        return max(after) > max(floor + ABOVE_ROOM, max(before) - FADES) and (
            max(before) > floor + ABOVE_ROOM
        )

    def _stands_above(self, sentence: list[float], floor: float) -> bool:
        """Whether something as long as a call was louder than the own voice ever is."""
        if not self._own:
            return False  # the first sentence: nothing is known of the own voice yet
        least = max(max(self._own) + ABOVE_OWN, floor + ABOVE_ROOM)
        return sum(level > least for level in sentence) >= CALL

    def _floor(self) -> float:
        return float(np.percentile(self._room, QUIETEST_SHARE)) if self._room else FAINTEST
