"""The plan of one run of the bench: what is said, and in which rooms it is heard."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from scripts.lab.rendering.voices import FAMILIES, Floats
from scripts.lab.speechlab import split

PARTS = ("calls", "deals", "people", "talk", "noise", "latency", "cost")
CAFE, KITCHEN = "café", "kitchen"
SNRS = (24.0, 18.0, 12.0, 6.0)
"""How many dB the speech is above the noise, both as root mean squares."""


class Condition(NamedTuple):
    """A noise, and how many dB the speech is above it; or a quiet room."""

    noise: str
    snr: float | None

    def __str__(self) -> str:
        return self.noise if self.snr is None else f"{self.noise} {self.snr:.0f} dB"


CLEAN = Condition("clean", None)
NOISY = tuple(Condition(noise, snr) for noise, snr in product((CAFE, KITCHEN), SNRS))
LOUD = (Condition(CAFE, 12.0), Condition(KITCHEN, 12.0))
"""The rooms of talk, of latency and of every whole deal, beside the quiet one."""
_IN_ALL_ROOMS = 2
"""One whole deal in this many is heard in all rooms, because nine hearings of each take too
long."""


def rooms_of_deal(number: int) -> tuple[Condition, ...]:
    """The rooms in which the deal of that number, from 0, is heard whole; the first everywhere."""
    return (CLEAN, *LOUD) if number % _IN_ALL_ROOMS else (CLEAN, *NOISY)


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much is heard.

    deals     deals of each group of voices, for single calls and for whole deals
    talk      hours said by the first group; ``talk_others``: by each of the other groups
    draws     babbles in which each word of a person is heard
    every     of the other recordings of people who trained, one in this many is heard
    apart     the same of people who never trained
    noise     minutes of each kind of noise
    latency   deals of each group of voices
    """

    deals: int
    talk: float
    talk_others: float
    draws: int
    every: int
    apart: int
    noise: int
    latency: int


FULL = Amounts(deals=40, talk=3.0, talk_others=0.5, draws=20, every=1, apart=1, noise=15, latency=8)
DEVELOPMENT = replace(FULL, deals=8, talk=0.25, noise=5, latency=2)
QUICK = Amounts(
    deals=4, talk=1 / 6, talk_others=1 / 30, draws=5, every=20, apart=3, noise=2, latency=2
)


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: its parts, groups of voices, amounts, people's recordings and seed.

    groups       names as ``voices_named`` takes them; the first is the one that is quoted
    development  for choosing settings: the noise is that which trains, and nothing is quoted
    """

    parts: tuple[str, ...]
    groups: tuple[str, ...]
    amounts: Amounts
    human: Path | None
    seed: int
    development: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """What every worker has at hand: the model, and the sound of each noisy room."""

    model: Path
    rooms: dict[str, Floats] = field(default_factory=dict)


def held_out(group: str) -> bool:
    """Whether no voice of a group, or the voice of that name, may ever train."""
    return _voices(group) <= set(split.MEASURING_ENGINES)


def unseen(group: str) -> bool:
    """Whether nobody may look at the errors of the group, or of the voice of that name."""
    return not _voices(group).isdisjoint(split.UNSEEN_ENGINES)


def _voices(group: str) -> set[str]:
    return {voice.name for voice in FAMILIES.get(group, ())} or {group}
