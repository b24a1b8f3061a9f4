"""Export of what was learnt, as the file that ``assistant.school.players.maestro`` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from assistant.school.players.maestro import ACTIONS, FIFTHS, LANCES, ODDS
from scripts.lab.selfplay.learn import THROWS

SELDOM = 0.08
"""A smaller chance than this is a trace of what was tried while it learnt, and is left out."""
CHUNK = 2_000_000


def coded(sums: Any, least: float) -> Any:
    """Sums of policies -> the numbers of the nearest odds, 0 if they hold less than ``least``.

    Shapes (moments * ACTIONS,) and (moments,).
    """
    powers = (FIFTHS + 1) ** np.arange(ACTIONS)
    number = np.zeros((FIFTHS + 1) ** ACTIONS, dtype=np.uint8)
    number[(np.rint(ODDS * FIFTHS).astype(int) @ powers)[1:]] = np.arange(1, len(ODDS))
    rows = sums.reshape(-1, ACTIONS)
    codes = np.zeros(len(rows), dtype=np.uint8)
    for at in range(0, len(rows), CHUNK):
        part = rows[at : at + CHUNK]
        known = np.flatnonzero(part.sum(axis=1) > least)
        if len(known):
            codes[at + known] = number[_fifths(part[known]) @ powers]
    return codes


def _fifths(sums: Any) -> Any:
    """Each row's odds as whole fifths with the sum one. The largest remainders are rounded up."""
    odds = sums / sums.sum(axis=1, keepdims=True)
    odds[odds < SELDOM] = 0.0
    odds *= FIFTHS / odds.sum(axis=1, keepdims=True)
    whole = np.floor(odds + 1e-9).astype(np.int64)
    missing = FIFTHS - whole.sum(axis=1)
    order = np.argsort(np.argsort(whole - odds, axis=1, kind="stable"), axis=1)
    return whole + (order < missing[:, None])


def write(
    path: Path,
    kings: int,
    kinds: Any,
    starts: Any,
    book: tuple[Any, ...],
    values: Any,
    least: float,
) -> None:
    """Write the file. ``kinds``, ``starts`` and ``book`` are those of ``School``."""
    found = {
        lance.value: coded(book[1][starts[n] : starts[n + 1]], least)
        for n, lance in enumerate(LANCES)
    }
    cut_or_mus = book[3].reshape(-1, 2)
    both = cut_or_mus.sum(axis=1)
    mus = np.where(both > 0, cut_or_mus[:, 1] / np.maximum(both, 1e-9), 0.5)
    throws = book[5].reshape(-1, THROWS)
    np.savez_compressed(
        path,
        kings=kings,
        kinds=kinds.astype(np.uint8),
        mus=np.rint(255 * mus).astype(np.uint8),
        throws=np.where(throws.sum(axis=1) > 0, throws.argmax(axis=1), 0).astype(np.uint8),
        values=values.astype(np.float16),
        **found,
    )
