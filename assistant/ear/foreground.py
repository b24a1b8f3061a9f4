"""Telling the table's own voices from talk behind them, by how loud they are.

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
"""dB below the table's usual call at which a sound may still be a player: seats differ by 6."""
BELOW_TOP = 9.0
"""dB below the loudest of the utterance at which a sound may still belong to it."""
ABOVE_TALK = 3.0
"""dB above the talk behind the table from which a sound is taken for a player's."""
LOUD_TALK = 95
"""Per cent of the frames of that talk that are no louder than what is called its level."""
UNEVEN = 9.0
"""dB by which that is above its median at most: what stands further out is a faint player."""
BESIDE = 30
"""Frames (0.3 s) before and after a player's loud one in which what sounds may still be his."""
REMEMBERED = 800
"""Frames (8 s) that tell how loud the room is."""
ENOUGH = 60
"""Of them so many have to be the room's alone; while there are fewer, it is as it was."""
ANEW = 20
"""Frames after which that is computed anew."""
RUN = 5
"""Frames (50 ms) that a sound has to last to be a voice where people talk: shorter is a peak."""
UNSAID = -75.0
"""dB below full scale of the loudest of an utterance in which nobody has spoken yet."""
SILENCE = -90.0
"""dB below full scale of nothing at all."""
CALLS = 20
"""Calls that tell how loud the table usually is."""
KNOWN = 4
"""Calls from which it is known how loud the usual one is."""
USUAL = 70
"""Per cent of them that are no louder than the usual one."""
LOUD_PART = 80
"""Per cent of a call's frames that are no louder than what is called the call's level."""
VOWEL = 8
"""Frames (80 ms) of the loudest part of a word, by which its level is told."""
PEAK_FORGETS = 0.01
"""dB a frame (1 dB a second) by which the loudest sound is forgotten while no call was heard."""
PAUSE = 30
"""Frames (0.3 s) of silence that an end of speech can be told by."""
SILENT = 0.4
"""Where people talk, less than so large a share of the room's own time lies in such pauses."""


class Foreground:
    """Judges frame after frame of 10 ms; levels are in dB below full scale."""

    def __init__(self) -> None:
        self._heard: deque[float] = deque(maxlen=REMEMBERED)
        self._stands_out: deque[bool] = deque(maxlen=REMEMBERED)
        self._mine: deque[bool] = deque(maxlen=REMEMBERED)
        self._calls: deque[float] = deque(maxlen=CALLS)
        self._usual: float | None = None
        self._last: deque[float] = deque(maxlen=RUN)
        self._peak = SILENCE
        self.behind = SILENCE
        """How loud the louder part of what sounds behind the table is."""
        self._crowded = False
        self.echoing = False
        """Whether what is fed may hold a rest of the assistant's own voice."""
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
        """The frames of what was surely a call; ``ago``: how many came after it."""
        if levels:
            self._calls.append(_level(levels))
            self._usual = float(np.percentile(self._calls, USUAL))
        last = len(self._mine) - ago
        for frame in range(max(0, last - len(levels)), max(0, last)):
            self._mine[frame] = True  # a faint player is none of those behind the table

    def below_usual(self, levels: Sequence[float]) -> float:
        """How many dB frames are fainter than the table's usual call; 0 before that is known."""
        if not self.knows_the_table or not levels or self._usual is None:
            return 0.0
        return self._usual - _level(levels)

    def judge(self, level: float, top: float) -> bool:
        """Whether a frame that stands out from the room is a player's voice.

        ``top``: the loudest frame of the utterance so far. While the assistant speaks no utterance
        begins until it is known how loud the table is: a rest of its own voice would be taken for
        one.
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
        """Frames that the sound has lasted which was just taken for a voice, where it matters."""
        return self._run if self._run == RUN else 0

    def rest(self, level: float) -> None:
        """A frame that does not stand out."""
        self._run = 0
        self._last.clear()
        self._note(level, stands_out=False)

    def _highest(self, top: float) -> float:
        """The threshold at its highest: no player is that faint."""
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
    """How loud a stretch is, by its loudest frames, which are a vowel's."""
    return float(np.mean(sorted(levels)[-VOWEL:])) if len(levels) else SILENCE


def _level(levels: Sequence[float]) -> float:
    """How loud a call is, by its vowels."""
    return float(np.percentile(levels, LOUD_PART))


def _runs(frames: npt.NDArray[np.bool_], least: int) -> int:
    """How many frames lie in runs of so many or more."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], frames, [False]])))
    lengths = edges[1::2] - edges[::2]
    return int(lengths[lengths >= least].sum())
