"""Endpointing: whether somebody at the table speaks, measured against the room."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, Samples
from assistant.ear.foreground import Foreground, loudest_part

# ---- Signal to noise in bands: how far the sound stands out from noise of any colour ------------
# A voice over hiss, or over the hum of a fridge, adds little to the whole loudness but much to the
# few bands where it is strongest. So each band is measured against its own noise floor, the least
# that it held in the last seconds (minimum statistics; Martin 2001, "Noise power spectral density
# estimation based on optimal smoothing and minimum statistics").


FRAME = RATE // 100
"""Samples in a frame: 10 ms."""
FLOOR_WINDOW = 300
"""Frames (3 s) whose minimum is the floor: longer than any call that has no pause."""
EDGES = (100, 250, 450, 700, 1000, 1500, 2300, 3500, 7000)
"""The edges of the bands in hertz; as narrow as in hearing where voices are strongest."""
VOICED = slice(1, 6)
"""Bands, 250 to 2,300 Hz, in which vowels are louder than an s and than a room's rumble."""
SMOOTH = 3
"""Frames over which each band's power is averaged."""
HISS = -72.0
"""The least floor, in dB below full scale: the hiss of a good microphone."""

_WINDOW = 2 * FRAME
_FFT = 512
_HANN = np.hanning(_WINDOW)

Powers = npt.NDArray[np.float64]


class Room:
    """Tracks the noise floor of each band, and how far above it the sound is."""

    def __init__(self) -> None:
        self._sound = np.zeros(FRAME, np.int16)  # the last frame, and what makes none yet
        self._recent = np.full((SMOOTH - 1, len(EDGES) - 1), _LEAST)
        self._past = np.full((FLOOR_WINDOW, len(EDGES) - 1), np.inf)
        self._at = 0
        self.voices: list[float] = []
        """The level, in dB below full scale, of each frame of the last ``feed`` in the bands of
        vowels. An s is often louder than all vowels, and says nothing of how near somebody is."""

    def feed(self, samples: Samples) -> list[float]:
        """For each new frame, by how many dB its bands stand above their floors, on average.

        Powers are averaged, so one band that stands out far counts as much as all a little.
        """
        self._sound = np.concatenate([self._sound, samples])
        count = len(self._sound) // FRAME - 1
        if count < 1:
            self.voices = []
            return []
        powers = np.concatenate([self._recent, _band_powers(self._sound, count)])
        self._recent = powers[count:]
        self._sound = self._sound[count * FRAME :]
        smooth = np.lib.stride_tricks.sliding_window_view(powers, SMOOTH, axis=0).mean(axis=2)
        mean = smooth[:, VOICED].mean(axis=1) / np.sum(np.square(_HANN))
        self.voices = (10 * np.log10(mean)).tolist()
        above = []
        for row in smooth:
            self._at += 1
            if self._at <= SMOOTH:  # the average still contains the silence before the first sound
                above.append(0.0)
                continue
            self._past[self._at % FLOOR_WINDOW] = row
            above.append(10 * float(np.log10(np.mean(row / self._past.min(axis=0)))))
        return above


def _band_powers(sound: Samples, count: int) -> Powers:
    """The mean power of each band over each frame and the one before it: (count, bands)."""
    pieces = np.lib.stride_tricks.sliding_window_view(sound, _WINDOW)[::FRAME][:count]
    spectrum = np.fft.rfft(pieces / 32768 * _HANN, _FFT)
    return np.asarray(np.square(np.abs(spectrum)) @ _BANDS + _LEAST)


def _bands() -> Powers:
    """The weight of each frequency bin in each band's mean."""
    hertz = np.fft.rfftfreq(_FFT, 1 / RATE)[:, None]
    within = (hertz >= EDGES[:-1]) & (hertz < EDGES[1:])
    return np.asarray(within / within.sum(axis=0))


_BANDS = _bands()
_LEAST = float(np.sum(np.square(_HANN))) * 10 ** (HISS / 10)


# ---- Endpointing by level: whether somebody has stopped speaking --------------------------------
# Vosk's own rule waits until its decoder has seen half a second of silence, and people answer each
# other in less. The level is known at once. It is measured against the room, band by band
# (``Room``), so a fan in the room, or a microphone turned up, changes nothing. Where people talk
# behind the table there is no silence; there it is the table's own voices that have to have stopped
# (foreground.py).


LOWEST = -75.0
"""Below this many dB below full scale all is silence: the hiss of a good microphone."""
ABOVE_ROOM = 13.0
"""Speech begins this many dB above the room. A fan or a fridge lies 3 to 5 above it, seldom over 7;
but the clatter and chatter of a bar often lies over 10, and silence must be found in that, too."""
FAINT = 8.0
"""A sound may still be faint speech from this many dB above the room."""
BELOW_TOP = 32.0
"""A sound this many dB below the utterance's loudest one is the room's echo of it."""
TAIL = 20.0
"""A pause begins this many dB below that loudest sound, though faint speech may still lie there: in
a bar that rings for half a second, the echo is 32 dB down only a quarter of a second later."""
FORGETS = 0.1
"""dB by which that loudest is lowered each frame (10 dB a second), because it may be a knock."""
PREEMPHASIS = 0.97
"""Pre-emphasis: weakens hum and rumble, and lifts the s that ends "tres" and "dos"."""

REMEMBERED = 20 * 100
"""Frames (20 s) whose verdict is kept, to find when a word began: longer than any utterance."""
AS_LOUD = 6.0
"""A sound up to this many dB fainter than an utterance's words still counts as loud as they."""
CLEAR = 15.0
"""A sound this many dB above the floor is surely not the room's noise. Fainter words cannot be told
from the noise of a bar, and then no other sound is counted against them."""
LEEWAY = 6
"""Frames before and after a word that still belong to it."""


class Endpoint:
    """Measures how long nobody at the table has spoken, in seconds of sound fed."""

    def __init__(self) -> None:
        self._room = Room()
        self._carry = np.zeros(0, np.float32)
        self._last_sample = np.float32(0)
        self._powers: deque[float] = deque(maxlen=SMOOTH)
        self._history: deque[float] = deque(maxlen=FLOOR_WINDOW)
        self._top = self._top_voice = LOWEST
        self._quiet = 0
        self._stands_out: deque[float] = deque(maxlen=REMEMBERED)
        self._loudness: deque[float] = deque(maxlen=REMEMBERED)
        self._voices: deque[float] = deque(maxlen=REMEMBERED)
        self._in_front: deque[bool] = deque(maxlen=REMEMBERED)
        self._judged = 0
        self._foreground = Foreground()
        self._echoed = False
        self.begun = False
        """Whether anybody at the table has spoken since the last restart."""

    @property
    def silence(self) -> float:
        """Seconds since the last speech."""
        return self._quiet * FRAME / RATE

    def restart(self) -> None:
        """Begin a new utterance: the room is the same, the voice may be another's."""
        self._top = self._top_voice = LOWEST
        self._echoed = self._foreground.echoing
        self.begun = False

    @property
    def crowded(self) -> bool:
        """Whether people talk behind the table, so that silence cannot be waited for.

        What is left of the assistant's own voice counts as talk: nobody at the table said it.
        """
        return self._foreground.crowded or self._echoed

    @property
    def talk_behind(self) -> bool:
        """Whether people talk behind the table, whatever is left of the assistant's own voice."""
        return self._foreground.crowded

    @property
    def knows_the_table(self) -> bool:
        """Whether enough calls were heard to tell how loud the table is."""
        return self._foreground.knows_the_table

    @property
    def echoed(self) -> bool:
        """Whether the utterance may contain a residue of the assistant's own voice."""
        return self._echoed

    @property
    def behind(self) -> float:
        """How loud the talk behind the table is, in dB below full scale."""
        return self._foreground.behind

    def share_in_front(self, start: float, end: float) -> float:
        """The share, 0 to 1, of a span of the sound fed in which the table itself spoke."""
        oldest = self._judged - len(self._in_front)
        first, last = round(start * RATE / FRAME) - oldest, round(end * RATE / FRAME) - oldest
        begins, ends = max(0, first), min(len(self._in_front), max(last, first + 1))
        frames = list(islice(self._in_front, begins, max(begins, ends)))
        return sum(frames) / max(1, len(frames))

    def stretches_in_front(
        self, gap: float, start: float = 0.0, end: float = math.inf
    ) -> list[tuple[float, float]]:
        """The stretches of a span of the sound fed in which the table spoke, in order.

        ``gap``: pauses up to so many seconds do not part a stretch.
        """
        oldest = self._judged - len(self._in_front)
        at = (np.flatnonzero(np.array(self._in_front)) + oldest) * FRAME / RATE
        at = at[(at >= start) & (at <= end)]
        if len(at) == 0:
            return []
        breaks = np.flatnonzero(np.diff(at) > gap)
        firsts = [at[0], *at[breaks + 1]]
        lasts = [*at[breaks], at[-1]]
        frame = FRAME / RATE
        return [(float(a), float(b) + frame) for a, b in zip(firsts, lasts, strict=True)]

    def level(self, start: float, end: float) -> float:
        """How loud a span of the sound fed is: its loudest vowel, in dB below full scale."""
        return loudest_part(self._within(self._voices, start, end))

    def below_usual(self, start: float, end: float, spoken: bool = False) -> float:
        """How many dB a span is fainter than the table's usual call; 0 before that is known.

        ``spoken``: what does not stand out from the room is left out, because it is silence.
        """
        levels = self._within(self._voices, start, end)
        if spoken:
            above = self._within(self._stands_out, start, end)
            said = [level for level, out in zip(levels, above, strict=True) if out > ABOVE_ROOM]
            levels = said or levels
        return self._foreground.below_usual(levels)

    def learn(self, spans: Sequence[tuple[float, float]]) -> None:
        """Learn the table's voices from these spans of the sound fed, which surely were a call."""
        for start, end in spans:
            ago = self._judged - round(end * RATE / FRAME)
            self._foreground.learn(self._within(self._voices, start, end), ago)

    def _within(self, frames: deque[float], start: float, end: float) -> list[float]:
        """Those frames of all remembered ones that are within a span of the sound fed."""
        oldest = self._judged - len(frames)
        first, last = round(start * RATE / FRAME) - oldest, round(end * RATE / FRAME) - oldest
        return list(islice(frames, max(0, first), max(last, first + 1, 0)))

    def speech_within(
        self, start: float, end: float, least: float = ABOVE_ROOM
    ) -> tuple[float, float] | None:
        """The span of speech within a span of the sound fed, in seconds; None if there is none.

        ``least``: a sound is speech from so many dB above the room.
        """
        oldest = self._judged - len(self._stands_out)
        first, last = round(start * RATE / FRAME) - oldest, round(end * RATE / FRAME) - oldest
        first = max(0, first)
        frames = np.array(list(islice(self._stands_out, first, max(first, last))))
        voiced = np.flatnonzero(frames > least)
        if not len(voiced):
            return None
        begins, ends = oldest + first + int(voiced[0]), oldest + first + int(voiced[-1]) + 1
        return max(start, begins * FRAME / RATE), min(end, ends * FRAME / RATE)

    def unexplained(
        self, words: Sequence[tuple[float, float]], start: float, least: float
    ) -> list[tuple[float, float]]:
        """Spans since ``start`` of speech as loud as the words, where no word is.

        ``words``: their spans, in order, in seconds of sound fed, as are the spans returned. There
        is at most one span between two words (or before or after all), each with ``least`` seconds
        of such speech.
        """
        oldest = self._judged - len(self._loudness)
        levels = np.array(self._loudness)
        spans = [tuple(round(at * RATE / FRAME) - oldest for at in span) for span in words]
        own = np.concatenate([levels[max(0, first) : last] for first, last in spans])
        if len(own) == 0:
            return []
        floor = max(LOWEST, min(self._history))
        loud = levels > max(float(np.median(own)) - AS_LOUD, floor + CLEAR)
        edges = [max(0, round(start * RATE / FRAME) - oldest)]
        edges += [edge for first, last in spans for edge in (first - LEEWAY, last + LEEWAY)]
        edges.append(len(levels))
        found = []
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            at = np.flatnonzero(loud[max(0, first) : max(0, last)]) + max(0, first)
            if len(at) * FRAME / RATE >= least:
                begins, ends = (float(oldest + frame) * FRAME / RATE for frame in (at[0], at[-1]))
                found.append((begins, ends))
        return found

    def feed(self, samples: Samples, cancelled: bool = False) -> None:
        """Take more sound; ``cancelled``: it may contain a residue of the assistant's voice."""
        self._echoed = self._echoed or cancelled
        self._foreground.echoing = cancelled
        above = self._room.feed(samples)
        for level, out, voice in zip(self._levels(samples), above, self._room.voices, strict=True):
            self._history.append(level)
            self._judge(level, out, voice)

    def _judge(self, level: float, above: float, voice: float) -> None:
        self._top -= FORGETS
        self._top_voice -= FORGETS
        if level < max(LOWEST, self._top - BELOW_TOP):
            above = 0.0  # an echo
        spoken = above > ABOVE_ROOM and self._foreground.judge(voice, self._top_voice)
        if not spoken and above <= ABOVE_ROOM:
            self._foreground.rest(voice)
        self._quiet = 0 if spoken and level >= self._top - TAIL else self._quiet + 1
        if spoken:
            self._top = max(self._top, level)
            self._top_voice = max(self._top_voice, voice)
            self.begun = True
        self._in_front.append(spoken)
        if spoken:
            for back in range(2, min(self._foreground.lasted, len(self._in_front)) + 1):
                self._in_front[-back] = True  # a mere peak would not have lasted so long
        self._stands_out.append(above)
        self._loudness.append(level)
        self._voices.append(voice)
        self._judged += 1

    def _levels(self, samples: Samples) -> list[float]:
        """The level of each whole frame in dB below full scale; the rest is kept for later."""
        if len(samples) == 0:
            return []
        sound = samples.astype(np.float32) / np.float32(32768)
        before = np.concatenate([[self._last_sample], sound[:-1]])
        self._last_sample = sound[-1]
        self._carry = np.concatenate([self._carry, sound - np.float32(PREEMPHASIS) * before])
        whole = len(self._carry) // FRAME
        frames = self._carry[: whole * FRAME].reshape(whole, FRAME)
        self._carry = self._carry[whole * FRAME :]
        levels = []
        for power in np.mean(np.square(frames, dtype=np.float64), axis=1):
            self._powers.append(float(power))
            mean = sum(self._powers) / len(self._powers)
            levels.append(10 * float(np.log10(max(mean, 1e-12))))
        return levels
