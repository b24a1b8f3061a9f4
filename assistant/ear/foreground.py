"""Foreground and background: telling the table's voices from talk behind it by their level.

A player sits within a metre of the microphone and the next table three or more away, so his voice
stands 6 to 20 dB above theirs. The threshold between the two follows the room: it lies just above
what is heard while nobody at the table speaks, and never so high that a player's own weaker
syllables fall below it. In a quiet room it lies below everything that stands out at all.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

BELOW_USUAL = 8.0
"""A sound may be a player's up to this many dB below the usual call: seats differ by 6."""
BELOW_TOP = 9.0
"""A sound may belong to the utterance up to this many dB below its loudest."""
ABOVE_TALK = 3.0
"""A sound counts as a player's from this many dB above the talk behind the table."""
LOUD_TALK = 95
"""The level of that talk is this percentile of its frames."""
UNEVEN = 9.0
"""That level lies at most this many dB above the median: louder frames are a faint player's."""
BESIDE = 30
"""Frames (0.3 s) before and after a player's loud frame that may still be his."""
REMEMBERED = 800
"""Frames (8 s) from which the room's level is measured."""
ENOUGH = 60
"""So many of them must be the room's alone; with fewer the old level stands."""
ANEW = 20
"""Frames between two measurements of that level."""
RUN = 5
"""Where people talk, a voice lasts so many frames (50 ms) at least: shorter is a peak."""
UNSAID = -75.0
"""The loudest of an utterance in which nobody has spoken yet, in dB below full scale."""
SILENCE = -90.0
"""The level of no sound at all, in dB below full scale."""
CALLS = 20
"""Calls from which the usual level of a call is measured."""
KNOWN = 4
"""Calls after which that usual level is known."""
USUAL = 70
"""The usual level is this percentile of the calls."""
LOUD_PART = 80
"""A call's level is this percentile of its frames."""
VOWEL = 8
"""A word's level is the mean of its loudest frames, so many (80 ms)."""
PEAK_FORGETS = 0.01
"""dB a frame (1 dB a second) by which the loudest sound is lowered until a call is heard."""
PAUSE = 30
"""Frames (0.3 s) of silence that are enough to show an end of speech."""
SILENT = 0.4
"""People talk behind the table if less than this share of the room's time lies in such pauses."""


class Foreground:
    """Judges each frame of 10 ms: a player's or not. Levels are in dB below full scale."""

    def __init__(self) -> None:
        self._heard: deque[float] = deque(maxlen=REMEMBERED)
        self._stands_out: deque[bool] = deque(maxlen=REMEMBERED)
        self._mine: deque[bool] = deque(maxlen=REMEMBERED)
        self._calls: deque[float] = deque(maxlen=CALLS)
        self._usual: float | None = None
        self._last: deque[float] = deque(maxlen=RUN)
        self._peak = SILENCE
        self.behind = SILENCE
        """How loud the talk behind the table is: the level of its louder frames."""
        self._crowded = False
        self.echoing = False
        """Whether the sound may contain a residue of the assistant's own voice."""
        self._stale = 0
        self._run = 0

    @property
    def crowded(self) -> bool:
        """Whether the sound behind the table is loud enough to be talk."""
        return self._crowded

    @property
    def knows_the_table(self) -> bool:
        """Whether enough calls were heard to tell how loud the table is."""
        return len(self._calls) >= KNOWN

    def learn(self, levels: Sequence[float], ago: int) -> None:
        """Learn from the frames of what was surely a call; ``ago``: how many came after it."""
        if levels:
            self._calls.append(_level(levels))
            self._usual = float(np.percentile(self._calls, USUAL))
        last = len(self._mine) - ago
        for frame in range(max(0, last - len(levels)), max(0, last)):
            self._mine[frame] = True  # a faint player is not part of the room

    def below_usual(self, levels: Sequence[float]) -> float:
        """How many dB frames are fainter than the table's usual call; 0 before that is known."""
        if not self.knows_the_table or not levels or self._usual is None:
            return 0.0
        return self._usual - _level(levels)

    def judge(self, level: float, top: float) -> bool:
        """Whether a frame that stands out from the room is a player's voice.

        ``top``: the loudest frame of the utterance so far. While the assistant speaks, no utterance
        begins before the table's level is known: a residue of its own voice would be taken for one.
        """
        self._last.append(level)
        if len(self._last) == RUN and not self.echoing:  # a knock is over by then
            self._peak = max(self._peak - PEAK_FORGETS, min(self._last))
        highest = self._highest(top)
        self._note(level, stands_out=True)
        least = highest
        if not self.knows_the_table:
            least = top - BELOW_TOP if top > UNSAID else math.inf
        if not self.echoing:
            least = min(self.behind + ABOVE_TALK, highest) if self._crowded else SILENCE
        if level <= least:
            self._run = 0
            return False
        self._run += 1
        return least == SILENCE or self._run >= RUN

    @property
    def lasted(self) -> int:
        """For how many frames the sound has lasted that was just judged to be a voice."""
        return self._run if self._run == RUN else 0

    def rest(self, level: float) -> None:
        """Take a frame that does not stand out from the room."""
        self._run = 0
        self._last.clear()
        self._note(level, stands_out=False)

    def _highest(self, top: float) -> float:
        """The highest that the threshold may be, so that no player falls below it."""
        usual = self._usual if self._usual is not None else self._peak
        return max(usual - BELOW_USUAL, top - BELOW_TOP)

    def _note(self, level: float, stands_out: bool) -> None:
        """Learn how loud the room is while nobody at the table speaks."""
        if self.echoing:
            return
        self._heard.append(level)
        self._stands_out.append(stands_out)
        self._mine.append(False)
        self._stale += 1
        if self._stale < ANEW:
            return
        self._stale = 0
        if len(self._heard) <= 2 * BESIDE:
            return
        heard = np.array(self._heard)
        loud = (heard > self._highest(SILENCE)) | np.array(self._mine)
        near = np.convolve(loud, np.ones(2 * BESIDE + 1), "same") > 0.5
        room = heard[~near]  # a call's weak first sounds and its echo are no part of it
        if len(room) >= ENOUGH:
            half, loud_talk = np.percentile(room, (50, LOUD_TALK)).tolist()
            self.behind = min(loud_talk, half + UNEVEN)
            silent = _runs(~near & ~np.array(self._stands_out), PAUSE)
            self._crowded = silent < SILENT * len(room)


def loudest_part(levels: Sequence[float]) -> float:
    """The level of a stretch: that of its loudest frames, which are a vowel's."""
    return float(np.mean(sorted(levels)[-VOWEL:])) if len(levels) else SILENCE


def _level(levels: Sequence[float]) -> float:
    """The level of a call: that of its vowels."""
    return float(np.percentile(levels, LOUD_PART))


def _runs(frames: npt.NDArray[np.bool_], least: int) -> int:
    """How many frames lie in runs of ``least`` or more."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], frames, [False]])))
    lengths = edges[1::2] - edges[::2]
    return int(lengths[lengths >= least].sum())
