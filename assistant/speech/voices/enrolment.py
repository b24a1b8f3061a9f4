"""Learning one player's voice: prompts one after another, each checked as it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.speech.audio import RATE, Samples
from assistant.speech.source import Block
from assistant.speech.voices.arrays import Array
from assistant.speech.voices.base import Base
from assistant.speech.voices.fitting import Reading, answers_to, unlikely
from assistant.speech.voices.prompts import Prompt, Way
from assistant.speech.voices.reading import Fault, Taker

OTHER = -0.6
"""Nats a phone that anything may be likelier than the prompt: of 255 readings by pico and espeak-ng
none lies above it, of 250 clips of people who train 2%; of 6,400 sentences that are something else
0.1% lie below it, and those ("en vida" for "envido") an ear could take for the prompt, too."""
TRIES = 3
"""Attempts at one prompt; then it is left out, for whatever is wrong will stay so."""
ROOM = 20.0
"""Seconds of the room between the readings that are kept, to learn the voice in its noise."""
ENOUGH = 8
"""Readings that are worth learning from."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reading that was taken: the prompt's words and their sound at 16 kHz."""

    say: str
    sound: Samples


@dataclass(frozen=True, slots=True)
class Step:
    """What came of one attempt: what was asked for, and why it was not taken.

    like  what it sounded like, where that was another prompt
    left  whether the prompt is left out after this
    """

    say: str
    fault: Fault | None = None
    like: str = ""
    left: bool = False


class Enrolment:
    """Fed with the sound while it lasts; ``prompt`` is what is to be read now.

    ``said``: the readings that were taken; ``room``: what was heard between them.
    """

    def __init__(self, prompts: Sequence[Prompt], base: Base) -> None:
        self.prompts = tuple(prompts)
        self.said: list[Said] = []
        self.room: Samples = np.zeros(0, np.int16)
        self._base = base
        self._taker = Taker()
        self._at = self._tries = 0

    @property
    def at(self) -> int:
        """How many prompts are done with."""
        return self._at

    @property
    def prompt(self) -> Prompt | None:
        """What is to be read now; None when all is done."""
        return self.prompts[self._at] if self._at < len(self.prompts) else None

    @property
    def enough(self) -> bool:
        """Whether there is something to learn from."""
        return len(self.said) >= ENOUGH

    def feed(self, block: Block) -> Step | None:
        """Listen to a block; what came of the attempt that it ends."""
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
            self.said.append(Said(prompt.say, take.sound))
            self.room = np.concatenate([self.room, take.room])[-round(ROOM * RATE) :]
        if fault is None or left:
            self._at, self._tries = self._at + 1, 0
        self._taker.begin()
        return Step(prompt.say, fault, like, left)

    def skip(self) -> None:
        """Leave the present prompt out."""
        self._at, self._tries = min(self._at + 1, len(self.prompts)), 0
        self._taker.begin()

    def _closest(self, sound: Samples) -> Prompt | None:
        """The prompt that it is most like; None where it is like none."""
        answers = answers_to(self._base.layers, floats(sound))
        distance, closest = min(
            ((_best(self._base, answers, prompt)[0], prompt) for prompt in self.prompts),
            key=lambda one: one[0],
        )
        return closest if distance < OTHER else None


def reading_of(base: Base, sound: Samples, prompt: Prompt) -> Reading:
    """What is learnt from: the sound, by the way of the prompt that it is most like."""
    said = floats(sound)
    way = _best(base, answers_to(base.layers, said), prompt)[1]
    return Reading(said, way.phones, way.optional)


def _best(base: Base, answers: Array, prompt: Prompt) -> tuple[float, Way]:
    """The way of a prompt that a sound is most like, and how unlikely that is, in nats a phone."""
    return min(
        ((unlikely(answers, way.phones, way.optional, base.bigram), way) for way in prompt.ways),
        key=lambda one: one[0],
    )


def floats(sound: Samples) -> Array:
    """Samples as numbers in -1..1."""
    return (sound / np.float32(32768)).astype(np.float32)
