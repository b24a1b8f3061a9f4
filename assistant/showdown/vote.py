"""Several frames of one showdown: a card counts that most of them show."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.rules.cards import Card

NEEDED = (2, 3)
"""So many of so many frames must agree."""


def agreed(card: Card, frames: Sequence[Card | None]) -> bool:
    """Whether enough single frames show the card that all of them together show.

    Frames of one table are no independent witnesses, for the same lamp shines in all of them, so
    they make nothing surer. But what a passing hand, a flicker or noise made of one is found out.
    """
    agreeing = sum(frame == card for frame in frames)
    return agreeing * NEEDED[1] >= NEEDED[0] * len(frames)
