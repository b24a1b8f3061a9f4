"""Voice and place together: each is evidence of its own for who spoke."""

from __future__ import annotations

import math
from collections.abc import Sequence

LEAST = 1e-4
"""No evidence rules anybody out: a microphone is moved, a voice goes hoarse."""


def together(*judgements: Sequence[float]) -> tuple[float, ...]:
    """The probability of each seat by all of the judgements, of which each may be empty.

    What is left to 1 is somebody else's in each of them, and in what comes of them.
    """
    known = [(*shares, 1 - sum(shares)) for shares in judgements if shares]
    if not known:
        return ()
    products = [
        math.prod(max(share, LEAST) for share in column) for column in zip(*known, strict=True)
    ]
    return tuple(product / sum(products) for product in products[:-1])
