"""Enrolment: a player reads prompts aloud; each reading is cut out of the sound and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from assistant.ear.audio import RATE, Samples
from assistant.ear.endpoint import Endpoint
from assistant.ear.levels import CLIPPED_SHARE, DEAD_PEAK, FULL_SCALE
from assistant.ear.network import Array, BaseNetwork
from assistant.ear.source import Block
from assistant.ear.speech_model import ModelError
from assistant.ear.voice_activity import LEAST, PitchedVoice
from assistant.speakers.fitting import VoiceReading, answers_to, unlikely

# ---- The prompts, and their pronunciations ------------------------------------------------------


SILENCE = "SIL"
BETWEEN = "|"


@dataclass(frozen=True, slots=True)
class EnrolmentWay:
    """A pronunciation: base phones with silence around each word, and which are optional."""

    phones: tuple[int, ...]
    optional: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A call to be read, with all its pronunciations."""

    say: str
    ways: tuple[EnrolmentWay, ...]


def prompts_from(table: Mapping[str, Any], phones: Mapping[str, int]) -> tuple[Prompt, ...]:
    """The prompts of a parsed file ``prompts.toml``; ``phones``: the model's, by name.

    Raises ModelError where the model lacks one.
    """
    return tuple(
        Prompt(
            call["say"],
            tuple(
                way_of([word.split() for word in sounds.split(BETWEEN)], phones)
                for sounds in call["sounds"]
            ),
        )
        for call in table["calls"]
    )


def way_of(words: Sequence[Sequence[str]], phones: Mapping[str, int]) -> EnrolmentWay:
    """A pronunciation of some words, each given by its phones' names.

    Raises ModelError where the model lacks one.
    """
    found, optional = [phones[SILENCE]], [True]
    for word in words:
        try:
            spoken = [phones[name] for name in word]
        except KeyError as lacking:
            raise ModelError(
                "The speech model has no sound {what!r}: voices cannot be learnt by it.",
                what=lacking.args[0],
            ) from lacking
        found += [*spoken, phones[SILENCE]]
        optional += [*(False for _ in spoken), True]
    return EnrolmentWay(tuple(found), tuple(optional))


# ---- One reading of a prompt: waiting for it, cutting it out, and finding its faults ------------
# A reading ends in silence, as an utterance at the table does. But here somebody reads with care,
# so the pause is longer, and the cut keeps a little of the room on both sides.


WAITS = 8.0
"""Seconds that somebody may take to begin."""
ENDS = 0.7
"""Seconds of silence that end a reading: "no llevo ... juego" may be read slowly."""
LONGEST = 5.0
"""Seconds of a reading: the longest call takes two."""
AROUND = 0.15
"""Seconds of the room that are kept before and after."""
FAINT = -40.0
"""dB below full scale that the loudest of a voice should reach."""
STANDS_OUT = 12.0
"""A reading should be this many dB above the room: noise can be added to a voice, not removed."""


class Fault(StrEnum):
    """Why a reading is refused."""

    DEAD = "dead"
    SILENT = "silent"
    FAINT = "faint"
    CLIPPED = "clipped"
    NOISY = "noisy"
    LONG = "long"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Take:
    """What came after a prompt: the reading, or why there is none; and the room around it."""

    sound: Samples
    fault: Fault | None = None
    room: Samples = field(default_factory=lambda: np.zeros(0, np.int16))


class Taker:
    """Cuts out readings, one after another; it measures the room between them."""

    def __init__(self) -> None:
        self._endpoint, self._voice = Endpoint(), PitchedVoice()
        self._fed = 0
        self.begin()

    def begin(self) -> None:
        """A prompt is shown: the next reading belongs to it."""
        self._kept = np.zeros(0, np.int16)
        self._start = self._from = self._fed
        self._endpoint.restart()

    def feed(self, block: Block) -> Take | None:
        """Listen to a block; the reading, once it is over."""
        self._endpoint.feed(block.samples)
        self._voice.feed(block.samples)
        self._kept = np.concatenate([self._kept, block.samples])
        self._fed += len(block.samples)
        now = self._fed / RATE
        span = self._endpoint.speech_within(self._from / RATE, now)
        if span is None:
            return self._nothing(now)
        if self._endpoint.silence < ENDS:
            return Take(self._kept, Fault.LONG) if now - span[0] > LONGEST else None
        if self._voice.voiced(*span) < LEAST:
            self._from = self._fed  # a cough, a chair
            return None
        return self._judged(span)

    def _nothing(self, now: float) -> Take | None:
        if now - self._start / RATE < WAITS:
            return None
        dead = int(np.abs(self._kept.astype(np.int32)).max(initial=0)) <= DEAD_PEAK
        return Take(self._kept, Fault.DEAD if dead else Fault.SILENT)

    def _judged(self, span: tuple[float, float]) -> Take:
        first, last = (round(at * RATE) - self._start for at in span)
        said = self._kept[max(0, first) : last]
        room = np.concatenate([self._kept[: max(0, first)], self._kept[last:]])
        around = round(AROUND * RATE)
        before, after = self._kept[: max(0, first - around)], self._kept[last + around :]
        return Take(
            self._kept[max(0, first - around) : last + around],
            _fault(said, room),
            np.concatenate([before, after]),
        )


def _fault(said: Samples, room: Samples) -> Fault | None:
    loudness = np.abs(said.astype(np.int32))
    if np.count_nonzero(loudness >= FULL_SCALE) > CLIPPED_SHARE * len(said):
        return Fault.CLIPPED
    if loudness.max(initial=0) < 32768 * 10 ** (FAINT / 20):
        return Fault.FAINT
    if _power(said) < _power(room) * 10 ** (STANDS_OUT / 10):
        return Fault.NOISY
    return None


def _power(sound: Samples) -> float:
    return float(np.mean(np.square(sound.astype(np.float64)))) if len(sound) else 0.0


# ---- The enrolment of one player: prompts one after another, each checked as it is read ---------


OTHER = -0.6
"""The limit, in nats a phone, on how much likelier than the prompt anything else may be. Of 255
readings by pico and espeak-ng none lies above it; of 250 clips of people who train, 2% do. Of 6,400
sentences that are something else, 0.1% lie below it, and those ("en vida" for "envido") a listener
could take for the prompt, too."""
TRIES = 3
"""Attempts at one prompt; then it is skipped, because the fault will not go away."""
ROOM = 20.0
"""Seconds of the room's sound that are kept, so that the voice is learnt in its noise."""
ENOUGH = 8
"""The least number of readings to learn from."""


@dataclass(frozen=True, slots=True)
class SaidPrompt:
    """An accepted reading: the prompt's words and their sound at 16 kHz."""

    say: str
    sound: Samples


@dataclass(frozen=True, slots=True)
class EnrolmentStep:
    """The result of one attempt: the prompt, and why the reading was refused, if it was.

    like  the other prompt that it sounded like, if any
    left  whether the prompt is skipped after this
    """

    say: str
    fault: Fault | None = None
    like: str = ""
    left: bool = False


class Enrolment:
    """The enrolment of one voice. It is fed the sound; ``prompt`` is what is to be read now.

    ``said``: the accepted readings; ``room``: the room's sound between them.
    """

    def __init__(self, prompts: Sequence[Prompt], base: BaseNetwork) -> None:
        self.prompts = tuple(prompts)
        self.said: list[SaidPrompt] = []
        self.room: Samples = np.zeros(0, np.int16)
        self._base = base
        self._taker = Taker()
        self._at = self._tries = 0

    @property
    def at(self) -> int:
        """How many prompts are done."""
        return self._at

    @property
    def prompt(self) -> Prompt | None:
        """What is to be read now; None when all is done."""
        return self.prompts[self._at] if self._at < len(self.prompts) else None

    @property
    def enough(self) -> bool:
        """Whether there are enough readings to learn from."""
        return len(self.said) >= ENOUGH

    def feed(self, block: Block) -> EnrolmentStep | None:
        """Take a block; return the result of the attempt that it ends, if any."""
        prompt = self.prompt
        take = self._taker.feed(block) if prompt else None
        if prompt is None or take is None:
            return None
        fault, like = take.fault, ""
        if fault is None and (sounds_like := self._closest(take.sound)) is not prompt:
            fault, like = Fault.OTHER, sounds_like.say if sounds_like else ""
        self._tries += 1
        left = fault is not None and self._tries >= TRIES
        if fault is None:
            self.said.append(SaidPrompt(prompt.say, take.sound))
            self.room = np.concatenate([self.room, take.room])[-round(ROOM * RATE) :]
        if fault is None or left:
            self._at, self._tries = self._at + 1, 0
        self._taker.begin()
        return EnrolmentStep(prompt.say, fault, like, left)

    def skip(self) -> None:
        """Skip the present prompt."""
        self._at, self._tries = min(self._at + 1, len(self.prompts)), 0
        self._taker.begin()

    def _closest(self, sound: Samples) -> Prompt | None:
        """The prompt that a sound is most like; None if it is like none."""
        answers = answers_to(self._base.layers, floats(sound))
        distance, closest = min(
            ((_best(self._base, answers, prompt)[0], prompt) for prompt in self.prompts),
            key=lambda one: one[0],
        )
        return closest if distance < OTHER else None


def reading_of(base: BaseNetwork, sound: Samples, prompt: Prompt) -> VoiceReading:
    """The sound with the pronunciation of the prompt that it is most like, to learn from."""
    said = floats(sound)
    way = _best(base, answers_to(base.layers, said), prompt)[1]
    return VoiceReading(said, way.phones, way.optional)


def _best(base: BaseNetwork, answers: Array, prompt: Prompt) -> tuple[float, EnrolmentWay]:
    """The prompt's best pronunciation for a sound, and how unlikely it is, in nats a phone."""
    return min(
        ((unlikely(answers, way.phones, way.optional, base.bigram), way) for way in prompt.ways),
        key=lambda one: one[0],
    )


def floats(sound: Samples) -> Array:
    """Samples as floats in -1..1."""
    return (sound / np.float32(32768)).astype(np.float32)
