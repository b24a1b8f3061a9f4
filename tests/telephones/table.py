"""A simulated table with a telephone before each player: made sound, clocks and network."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, to_int16
from assistant.ear.source import Block
from assistant.telephones.several import Line, Telephones

PACKET = 320
Sound = npt.NDArray[np.float64]


def voice(seconds: float, pitch: float, seed: int = 0) -> Sound:
    """A sound like a changing vowel: harmonics of a pitch, each with a level of its own."""
    dice = np.random.default_rng(seed)
    time = np.arange(round(seconds * RATE)) / RATE
    sound = np.zeros(len(time))
    for number in range(1, int(3800 / pitch)):
        swells = 1 + np.sin(2 * np.pi * dice.uniform(3, 8) * time + dice.uniform(0, 6))
        phase = 2 * np.pi * pitch * number * (time + 0.002 * np.sin(2 * np.pi * 3 * time))
        sound += dice.uniform(0.2, 1) * swells * np.sin(phase + dice.uniform(0, 6))
    fade = np.minimum(1, np.minimum(time, time[::-1]) / 0.02)
    return np.asarray(0.1 * fade * sound / np.sqrt(np.mean(np.square(sound))))


@dataclass(slots=True)
class Phone:
    """The properties of a telephone. Times are in seconds."""

    gain: float = 1.0
    ppm: float = 0.0
    held: float = 0.0
    jitter: float = 0.0
    loses: float = 0.0
    hiss: float = 1e-4
    silent: tuple[float, float] | None = None
    """From when to when nothing comes from it."""


@dataclass
class SimulatedTable:
    """Four seats. ``sounds``: what sounds at each telephone, (samples, 4)."""

    sounds: Sound
    phones: tuple[Phone, ...] = field(default_factory=lambda: tuple(Phone() for _ in range(4)))
    speaking: Callable[[], bool] = lambda: False
    now: float = 0.0
    lags: list[float] = field(default_factory=list)

    def lines(self) -> tuple[Telephones, list[Line]]:
        """The lines of all telephones, which are there."""
        source = Telephones(4, lambda: self.now, speaking=self.speaking, wait=self._pass)
        self._source = source
        lines = [source.join(seat, f"phone {seat}") for seat in range(1, 5)]
        self._coming: list[tuple[float, int, Callable[[], None]]] = []
        dice = np.random.default_rng(1)
        number = count()
        for line, phone, seat in zip(lines, self.phones, range(4), strict=False):
            pace = 1 / (1 + phone.ppm * 1e-6)
            places = np.arange(int(len(self.sounds) / pace)) * pace
            heard = np.interp(places, np.arange(len(self.sounds)), self.sounds[:, seat])
            heard = heard * phone.gain + phone.hiss * dice.standard_normal(len(heard))
            last = 0.0
            for first in range(0, len(heard) - PACKET, PACKET):
                left = (first + PACKET) / RATE * pace + phone.held
                if dice.random() < phone.loses:
                    continue
                if phone.silent and phone.silent[0] < left < phone.silent[1]:
                    continue
                last = max(last, left + 0.005 + dice.uniform(0, phone.jitter))
                send = _sender(line, heard[first : first + PACKET], 70.0 * seat + first / RATE)
                heapq.heappush(self._coming, (last, next(number), send))
        return source, lines

    def listen(self, source: Telephones, until: float | None = None) -> tuple[list[Block], Sound]:
        """All blocks, and the mixture with full scale 1 at the time at which it sounded."""
        blocks = []
        for block in source.blocks():
            blocks.append(block)
            self.lags.append(self.now - block.end)
            if until is not None and block.end > until:
                source.close()
        mixed = np.concatenate([block.samples for block in blocks]) / 32768
        return blocks, mixed

    def _pass(self, seconds: float) -> None:
        until = self.now + seconds
        while self._coming and self._coming[0][0] <= until:
            self.now, _, send = heapq.heappop(self._coming)
            send()
        self.now = until
        if not self._coming:
            self._source.close()


def _sender(line: Line, sound: Sound, at: float) -> Callable[[], None]:
    samples = to_int16(sound.astype(np.float32))
    return lambda: line.feed(samples, at)


def said(
    seconds: float, turns: list[tuple[float, int]], others: float = 0.5, each: float = 0.6
) -> Sound:
    """The sound at four telephones: a seat (1 to 4) speaks from this many seconds on.

    ``others``: the factor of a voice in the others' telephones. Seat 0 is a television, which is
    equally loud in all.
    """
    sounds = np.zeros((round(seconds * RATE), 4))
    for at, seat in turns:
        sound = voice(each, 110.0 + 35 * seat, round(at * 10))
        first = round(at * RATE)
        for phone in range(4):
            level = 1.0 if seat in (0, phone + 1) else others
            late = 0 if seat in (0, phone + 1) else 30
            piece = sounds[first + late : first + late + len(sound), phone]
            piece += level * sound[: len(piece)]
    return sounds


def loudness(sound: Sound, start: float, end: float) -> float:
    """Decibels of the sound between two times in seconds."""
    power = np.mean(np.square(sound[round(start * RATE) : round(end * RATE)]))
    return float(10 * np.log10(power + 1e-12))
