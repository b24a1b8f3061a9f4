"""Lattice-free MMI (Hadian et al. 2018) of one utterance: how much likelier its text is than any.

The numerator sums over all alignments of a phone string with optional silence between words, the
denominator over all phone strings under a phone bigram. Each base phone has two outputs: its first
frame and its further ones. Output 2p enters phone p, output 2p + 1 stays in it; phone 0 is silence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assistant.speech.voices.arrays import Array

NEVER = -1e30


def loss(answers: Array, phones: Sequence[int], optional: Sequence[bool], bigram: Array
         ) -> tuple[float, Array]:  # fmt: skip
    """The loss in nats, and its slope by the answers (moments, outputs).

    ``optional``: phones that may be left out; ``bigram``: log-probabilities, row 0 what begins.
    """
    any_, any_share = _any(answers, bigram)
    said, said_share = _said(answers, np.asarray(phones), np.asarray(optional))
    return any_ - said, any_share - said_share


def _any(answers: Array, bigram: Array) -> tuple[float, Array]:
    """Over all phone strings; every moment is scaled to a sum of one (Rabiner 1989)."""
    peak = answers.max(axis=1, keepdims=True)
    heard = np.exp((answers - peak).astype(np.float64))
    enter, stay = heard[:, 0::2], heard[:, 1::2]
    steps = np.exp(bigram.astype(np.float64))
    count, width = enter.shape
    alpha, arrived, scale = np.empty((count, width)), np.empty((count, width)), np.empty(count)
    arrived[0] = steps[0]
    for time in range(count):
        if time:
            arrived[time] = alpha[time - 1] @ steps
        now = arrived[time] * enter[time]
        if time:
            now += alpha[time - 1] * stay[time]
        scale[time] = now.sum()
        alpha[time] = now / scale[time]
    beta = np.ones((count, width))
    entered, stayed = enter / scale[:, None], stay / scale[:, None]
    for time in range(count - 1, 0, -1):
        beta[time - 1] = steps @ (entered[time] * beta[time]) + stayed[time] * beta[time]
    share = np.zeros(answers.shape)
    share[:, 0::2] = arrived * entered * beta
    share[1:, 1::2] = alpha[:-1] * stayed[1:] * beta[1:]
    return float(np.log(scale).sum() + peak.sum()), share


def _said(answers: Array, phones: Array, optional: Array) -> tuple[float, Array]:
    """Over all alignments of one phone string, in logarithms."""
    heard = answers.astype(np.float64)
    enter, stay = heard[:, 2 * phones], heard[:, 2 * phones + 1]
    count, states = enter.shape
    skips = np.full(states, NEVER)
    skips[2:] = np.where(optional[1:-1], 0.0, NEVER)
    alpha = np.full((count, states + 2), NEVER)  # two states before the first
    alpha[0, 2] = enter[0, 0]
    if optional[0]:
        alpha[0, 3] = enter[0, 1]
    for time in range(1, count):
        before = alpha[time - 1]
        arrived = np.logaddexp(before[1:-1], before[:-2] + skips) + enter[time]
        alpha[time, 2:] = np.logaddexp(arrived, before[2:] + stay[time])
    beta = np.full((count, states + 2), NEVER)  # two states after the last
    beta[-1, states - 1] = 0.0
    if optional[-1]:
        beta[-1, states - 2] = 0.0
    over = np.full(states, NEVER)
    over[:-2] = skips[2:]
    for time in range(count - 2, -1, -1):
        ahead = beta[time + 1].copy()
        leave = ahead[:-2] + stay[time + 1]
        ahead[:-2] += enter[time + 1]
        moved = np.logaddexp(ahead[1:-1], ahead[2:] + over)
        beta[time, :-2] = np.logaddexp(moved, leave)
    total = np.logaddexp.reduce(alpha[-1, 2:] + beta[-1, :-2])
    reach = beta[:, :-2] - total
    entered = np.empty_like(enter)
    entered[0] = alpha[0, 2:]
    entered[1:] = np.logaddexp(alpha[:-1, 1:-1], alpha[:-1, :-2] + skips) + enter[1:]
    stayed = np.full_like(enter, NEVER)
    stayed[1:] = alpha[:-1, 2:] + stay[1:]
    share = np.zeros((count, answers.shape[1]))
    np.add.at(share.T, 2 * phones, np.exp(entered + reach).T)
    np.add.at(share.T, 2 * phones + 1, np.exp(stayed + reach).T)
    return float(total), share
