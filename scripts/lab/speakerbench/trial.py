"""A table of four who enrol. Then they and a bystander speak, and the speaker is guessed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.ear.audio import RATE, ChannelChoice, Samples
from assistant.ear.network import Network
from assistant.ear.source import BLOCK
from assistant.speakers.voice_print import Voiceprints
from assistant.speakers.who_spoke import ChannelLevels, SeatPatterns, together
from scripts.lab.rendering.voices import Floats, Voice
from scripts.lab.speakerbench import saying
from scripts.lab.speakerbench.room import BEHIND, Taken, before_seats, in_the_middle

SEATS = (1, 2, 3, 4)
STRANGER = 0
"""The speaker if it was nobody of the table."""
TURN_RIGHT = 0.8
"""Share of the calls that are made by the player in turn. The others are anybody's."""
FULL = 32767


@dataclass(frozen=True, slots=True)
class Answer:
    """One utterance: who spoke (``STRANGER`` for nobody of the table), the turn, and the guesses.

    ``voice``: by one microphone. ``levels`` and ``both``: by four, without the voice and with it.
    """

    snr: float | None
    speaker: int
    turn: int
    voice: tuple[float, ...]
    levels: tuple[float, ...]
    both: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """Four voices, one that only listens, and how much they say in which noise."""

    voices: Sequence[Voice]
    bystander: Voice
    calls: int
    levels: Sequence[float | None]
    noise: Floats
    seed: int

    def answers(self, network: Network) -> Iterator[Answer]:
        """Enrol, and guess the speaker of every call at every level of noise."""
        dice = np.random.default_rng(self.seed)
        prints = Voiceprints.fit({seat: self._enrol(seat, dice) for seat in SEATS}, network)
        for snr in self.levels:
            patterns = SeatPatterns(len(SEATS), {seat: seat - 1 for seat in SEATS})
            for seat, said in self._spoken(dice):
                yield self._judged(prints, patterns, seat, said, snr, dice)

    def _enrol(self, seat: int, dice: np.random.Generator) -> list[Samples]:
        """Each recording in the quiet room, cut to the speech."""
        takes = (
            in_the_middle(said, 0.0, self.noise, None, dice)
            for said in saying.read(self.voices[seat - 1], dice)
        )
        return [_heard(taken)[0] for taken in takes]

    def _spoken(self, dice: np.random.Generator) -> Iterator[tuple[int, Floats]]:
        """The calls of all players, mixed. The bystander says as many as anybody."""
        everybody = [(seat, self.voices[seat - 1]) for seat in SEATS]
        said = [
            (seat, sound)
            for seat, voice in [*everybody, (STRANGER, self.bystander)]
            for sound in saying.called(voice, self.calls, dice)
        ]
        for at in dice.permutation(len(said)):
            yield said[at]

    def _judged(
        self,
        prints: Voiceprints,
        patterns: SeatPatterns,
        seat: int,
        said: Floats,
        snr: float | None,
        dice: np.random.Generator,
    ) -> Answer:
        turn = seat if seat and dice.random() < TURN_RIGHT else int(dice.integers(1, 5))
        behind = 0.0 if seat else BEHIND
        place = seat - 1 if seat else int(dice.integers(4))  # a bystander stands behind somebody
        one, _ = _heard(in_the_middle(said, behind, self.noise, snr, dice))
        four, pattern = _heard(before_seats(said, place, behind, self.noise, snr, dice))
        seen = patterns.of(pattern)
        return Answer(snr, seat, turn, prints.of(one), seen, together(prints.of(four), seen))


def _heard(taken: Taken) -> tuple[Samples, Floats | None]:
    """An utterance as the ear makes it of its channels, and its pattern on them."""
    choice, levels, mono = ChannelChoice(len(taken.rows)), ChannelLevels(), list[Floats]()
    for at in range(0, taken.rows.shape[1] - BLOCK + 1, BLOCK):
        sound, loud = choice.mix(taken.rows[:, at : at + BLOCK].T)
        mono.append(sound)
        levels.feed((at + BLOCK) / RATE, loud)
    said = np.concatenate(mono)[round(taken.start * RATE) : round(taken.end * RATE)]
    samples = np.asarray(np.clip(said, -1, 1) * FULL, np.int16)
    return samples, levels.pattern(taken.start, taken.end)
