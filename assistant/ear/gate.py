"""The echo gate: what is heard while the assistant speaks."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path

import numpy as np

from assistant.ear.audio import Samples
from assistant.ear.echo import Sentence, sentence_of
from assistant.ear.source import Block

# ---- The echo gate: while the assistant speaks it does not listen to itself ---------------------
# The wiring gives one gate to the voice (which shuts and opens it, and tells what it says) and to
# the ear (which asks it); ear and voice know nothing of each other.


TAIL = 0.25
"""Seconds the gate stays shut after the voice: the room's echo, and sound still in buffers."""
LONGEST = 60.0
"""Seconds after which a gate opens by itself: a voice that died must not leave the ear deaf."""


class EchoGate:
    """Shut while the voice speaks, and ``tail`` seconds longer. Any thread may use it.

    Shutting twice is the same as once: the voice's last word counts. What sounds elsewhere has a
    time of its own, for the voice's end says nothing of a telephone that still plays.
    """

    def __init__(self, tail: float = TAIL, clock: Callable[[], float] = time.monotonic) -> None:
        self._tail = tail
        self._clock = clock
        self._lock = threading.Lock()
        self._voice_until = float("-inf")
        self._held_until = float("-inf")
        self._sentence: Sentence | None = None
        self.somebody_speaks = False
        """Whether a player is speaking, as the ear tells it: who is polite waits with his words."""

    def shut(self, sound: Path | None = None) -> None:
        """The voice begins to speak, and plays this WAV file where that is known."""
        sentence = sentence_of(sound) if sound else None
        with self._lock:
            self._sentence = sentence
            self._voice_until = self._clock() + LONGEST

    def open(self) -> None:
        """The voice has ended. Opening a gate that is open does nothing."""
        with self._lock:
            self._voice_until = min(self._voice_until, self._clock() + self._tail)

    def hold(self, seconds: float) -> None:
        """Something else of ours sounds so long near the microphone, as a telephone does."""
        with self._lock:
            until = self._clock() + min(seconds, LONGEST) + self._tail
            self._held_until = max(self._held_until, until)

    def is_shut(self) -> bool:
        """Whether sound that arrives now must not be listened to."""
        with self._lock:
            return self._clock() < max(self._voice_until, self._held_until)

    def sentence(self) -> Sentence | None:
        """What is said while it is shut; None where that is not known, or not all that sounds."""
        with self._lock:
            return None if self._clock() < self._held_until else self._sentence


# ---- Whether somebody spoke while the assistant did, and was so not heard -----------------------
# While the gate is shut the recogniser is fed nothing, so what was said is lost; that something
# was said can still be told by how loud it was. How loud the assistant's own voice is at the
# microphone is learnt from its sentences. Whoever speaks
#
# - within a sentence stands above that voice for a while: what is no louder than it is not told
#   apart from it, and passes unnoticed;
# - into the end of a sentence is still loud when the gate opens, where an echo has died away. What
#   is understood of that lacks its beginning.


SENTENCES = 5
"""Sentences that tell how loud the own voice is."""
LOUDEST = 95
"""Per cent of a sentence's blocks that are no louder than the voice: a click is none."""
ABOVE_OWN = 6.0
"""dB over the own voice from which it is somebody else."""
ABOVE_ROOM = 13.0
"""dB over the room from which somebody speaks."""
CALL = 5
"""Blocks (0.25 s) that the shortest call lasts; a laugh or a glass is shorter or not as even."""
ROOM_BLOCKS, ROOM_SHARE = 60, 10
"""Blocks while the gate was open, and the per cent of them that are no louder than the room."""
EDGE = 3
"""Blocks (0.15 s) on either side of the gate's opening that are compared."""
FADES = 3.0
"""dB by which an echo fades from one side to the other, even in a hall; a voice goes on."""
SILENCE = -90.0


class Hidden(Enum):
    """Where somebody spoke over the assistant: within its sentence, or on through its end."""

    WITHIN = auto()
    THROUGH = auto()


class SpokenOver:
    """Fed every block that sounds while the gate is shut, and every one while it is open."""

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
        """A block that the ear listens to; where the sentence before it hid somebody's words.

        It answers once for each sentence, ``EDGE`` blocks after its end, when it can know.
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
            return False  # the first sentence: nothing is known of that voice yet
        least = max(max(self._own) + ABOVE_OWN, floor + ABOVE_ROOM)
        return sum(level > least for level in sentence) >= CALL

    def _floor(self) -> float:
        return float(np.percentile(self._room, ROOM_SHARE)) if self._room else SILENCE


def loudness(samples: Samples) -> float:
    """Root mean square in dB below full scale."""
    power = float(np.mean(np.square(samples, dtype=np.float64))) / 32768**2 if len(samples) else 0.0
    return max(SILENCE, 10 * math.log10(power)) if power else SILENCE
