"""The figures of one condition, summed over its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from scripts.lab.eyebench.trial import Told


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over tables. Shares are from 0 to 1.

    wrong         cards told that are others, or lie nowhere; ``wrong_rate``: of all cards there
    foreign       cards that the reader's deck lacks, not in ``cards``; ``taken``: those told
    coverage      cards told
    blind         cards that a lamp makes mostly white, so that nobody could read them
    exact         tables on which all hands were told rightly
    exact_or_asking  tables that are exact, or ask just for the seats that lack a card
    suits         cards whose likeliest reading has the right suit
    seconds       to an answer: median, 95th percentile, most
    """

    tables: int
    cards: int
    wrong: int
    wrong_rate: float
    foreign: int
    taken: int
    coverage: float
    blind: float
    exact: float
    exact_or_asking: float
    suits: float
    seconds: tuple[float, float, float]

    def as_dict(self) -> dict[str, Any]:
        """The figures for JSON."""
        return asdict(self)


def figures(told: Sequence[Told]) -> Figures:
    """Sum up the tables."""
    cards = sum(one.cards for one in told)
    wrong = sum(one.wrong + one.extra for one in told)
    seconds = [one.seconds for one in told]
    return Figures(
        tables=len(told),
        cards=cards,
        wrong=wrong,
        wrong_rate=wrong / cards,
        foreign=sum(one.foreign for one in told),
        taken=sum(one.taken for one in told),
        coverage=sum(one.right + one.wrong for one in told) / cards,
        blind=sum(one.blind for one in told) / cards,
        exact=sum(one.exact for one in told) / len(told),
        exact_or_asking=sum(one.exact or one.asking for one in told) / len(told),
        suits=sum(one.suits for one in told) / cards,
        seconds=spread(seconds),
    )


def spread(seconds: Sequence[float]) -> tuple[float, float, float]:
    """Median, 95th percentile and most."""
    return float(np.median(seconds)), float(np.percentile(seconds, 95)), max(seconds)


COLUMNS = ("cards", "wrong", "rate", "foreign", "taken", "coverage", "blind", "all 16",
           "or asks", "suits", "s p50", "p95", "most")  # fmt: skip


def heading() -> str:
    """The heading of the printed table."""
    return _row("condition", COLUMNS)


def line(name: str, found: Figures) -> str:
    """The line of one condition."""
    shares = (found.coverage, found.blind, found.exact, found.exact_or_asking, found.suits)
    return _row(
        name,
        (
            str(found.cards),
            str(found.wrong),
            f"{found.wrong_rate:.2%}",
            str(found.foreign),
            str(found.taken),
            *(f"{share:.1%}" for share in shares),
            *(f"{seconds:.2f}" for seconds in found.seconds),
        ),
    )


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:24}" + "".join(f"{cell:>9}" for cell in cells)
