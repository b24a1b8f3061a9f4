"""Utterances with their phone strings, gathered into batches of similar length."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

from . import g2p, lfmmi, net, phones
from .features import CEPSTRA, FeatureStore

_FRAMES_A_BATCH = 8000
NOTHING_SAID = (0, 0)
"""The phones of a clip in which nobody speaks: silence, and again silence."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One stored utterance and its base phones; `optional` marks the silences."""

    store: FeatureStore
    index: int
    frames: int
    phones: tuple[int, ...]
    optional: tuple[bool, ...]

    @property
    def voice(self) -> str:
        """The voice that says it."""
        return self.store.transcripts[self.index].voice

    @property
    def answers(self) -> int:
        """The number of answers of the network for it."""
        return -(-self.frames // net.FACTOR)


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded features (batch, time, 40), answers per utterance, and the transcripts."""

    frames: torch.Tensor
    lengths: torch.Tensor
    transcripts: lfmmi.Transcripts

    def to(self, device: torch.device) -> "Batch":
        """Return the same on another device."""
        return Batch(self.frames.to(device), self.lengths.to(device), self.transcripts.to(device))


def utterance(store: FeatureStore, index: int, seseo: bool) -> Utterance | None:
    """Return utterance `index` of a store; None if it is too short for its phones."""
    string, optional = phone_string(store.transcripts[index].text, seseo)
    made = Utterance(store, index, store.length(index), string, optional)
    needed = sum(not skip for skip in optional) + 2
    return made if needed <= made.answers else None


def phone_string(text: str, seseo: bool) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Return the base phones of `text` with a silence around each word, and which are silence."""
    string, optional = [0], [True]
    for word in text.split():
        said = _base_phones(word, seseo)
        string += [*said, 0]
        optional += [False] * len(said) + [True]
    if len(string) == 1:
        return NOTHING_SAID, (False, True)
    return tuple(string), tuple(optional)


@cache
def _base_phones(word: str, seseo: bool) -> tuple[int, ...]:
    said = g2p.phones_of(word)
    return tuple(phones.INDEX[phone] for phone in (g2p.seseo(said) if seseo else said))


def shuffled(
    pool: Sequence[Utterance], rng: random.Random, times: int = 1
) -> list[list[Utterance]]:
    """Return the pool in batches of similar length and about equal size, in random order.

    `times`: how many times the usual 80 seconds a batch has.
    """
    by_length = sorted(pool, key=lambda one: one.frames * (1 + 0.1 * rng.random()))
    batches: list[list[Utterance]] = [[]]
    for one in by_length:
        batches[-1].append(one)
        if len(batches[-1]) * one.frames > times * _FRAMES_A_BATCH:
            batches.append([])
    full = [batch for batch in batches if batch]
    rng.shuffle(full)
    return full


def collate(group: Sequence[Utterance]) -> Batch:
    """Stack utterances. Edges are padded with their first and last frames, as in Kaldi."""
    longest = max(one.answers for one in group) * net.FACTOR
    width = max(len(one.phones) for one in group)
    frames = np.zeros((len(group), net.LEFT + longest + net.RIGHT, CEPSTRA), np.float32)
    strings = torch.zeros(len(group), width, dtype=torch.long)
    optional = torch.zeros(len(group), width)
    for row, one in enumerate(group):
        rows = one.store.frames(one.index)
        frames[row, : net.LEFT] = rows[0]
        frames[row, net.LEFT : net.LEFT + one.frames] = rows
        frames[row, net.LEFT + one.frames :] = rows[-1]
        strings[row, : len(one.phones)] = torch.tensor(one.phones)
        optional[row, : len(one.optional)] = torch.tensor(one.optional, dtype=torch.float32)
    return Batch(
        torch.from_numpy(frames),
        torch.tensor([one.answers for one in group]),
        lfmmi.Transcripts(strings, optional, torch.tensor([len(one.phones) for one in group])),
    )


def phone_bigram(pool: Sequence[Utterance], rng: random.Random) -> lfmmi.Bigram:
    """Count phone pairs over the pool. Inside a sentence one word in five ends in a silence."""
    pairs = np.full((len(phones.BASES), len(phones.BASES)), 0.5)
    firsts = np.full(len(phones.BASES), 0.5)
    for one in pool:
        said = [p for p, skip in zip(one.phones, one.optional, strict=True)
                if not skip or rng.random() < 0.2]  # fmt: skip
        if not said or (said[0] and rng.random() < 0.9):
            said.insert(0, 0)
        if said[-1] and rng.random() < 0.9:
            said.append(0)
        firsts[said[0]] += 1
        np.add.at(pairs, (said[:-1], said[1:]), 1)
    follows = np.log(pairs / pairs.sum(1, keepdims=True))
    begins = np.log(firsts / firsts.sum())
    return lfmmi.Bigram(
        torch.tensor(follows, dtype=torch.float32), torch.tensor(begins, dtype=torch.float32)
    )
