"""The uncertainty of counts: 95% intervals, and percentiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import gammaincinv

Z = 1.959964
"""Standard deviations on either side that hold 95% of a normal distribution."""
Interval = tuple[float, float]


def share_interval(part: int, whole: int) -> Interval:
    """The interval of a share of right ones (Wilson 1927)."""
    if not whole:
        return 0.0, 1.0
    share, spread = part / whole, Z**2 / whole
    middle = (share + spread / 2) / (1 + spread)
    half = Z * np.sqrt(share * (1 - share) / whole + spread / whole / 4) / (1 + spread)
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


def count_interval(count: float) -> Interval:
    """The interval of the mean of a Poisson count (Garwood 1936), also of a mean of counts."""
    low = float(gammaincinv(count, 0.025)) if count > 0 else 0.0
    return low, float(gammaincinv(count + 1, 0.975))


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The value below which this percentage of the values lie; None if there are none."""
    return round(float(np.percentile(values, percent)), 3) if values else None
