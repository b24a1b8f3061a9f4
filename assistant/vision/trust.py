"""How sure it is that a card is what it looks like.

A logistic function of what a wrong reading lacks: that the card explains the picture, that no other
explains it nearly as well - which says the more, the more of the card is seen - and that its edges
are where the picture has edges. Its numbers are fitted by ``scripts/tune_eyes.py`` on rendered
tables that no bench measures with.
"""

from __future__ import annotations

from math import exp, log

from assistant.rules.cards import Card
from assistant.vision.match import Likeness

START, VALUE, LEAD, LEAD_SEEN, EDGES, SEEN = -7.11, 5.96, 4.57, 9.15, 1.62, 2.38
MOST_LEAD = 4.0
"""A card that leads by more is not surer for it."""
SHARPNESS = 20.0
"""How fast a card becomes unlikely as it explains less than the best does."""
AMONG = 0.8
"""Of the cards taken for others on tuning tables, the share that was one of the next likeliest."""


def trust(likeness: Likeness, edges: float, share: float) -> float:
    """The chance that the likeliest card is the one.

    ``edges``: how much of its edges lies on edges of the picture; ``share``: of its face, what is
    seen.
    """
    lead = log(min(MOST_LEAD, likeness.lead))
    score = START + VALUE * likeness.value + (LEAD + LEAD_SEEN * share) * lead
    return 1 / (1 + exp(-(score + EDGES * edges + SEEN * share)))


def weighed(likeness: Likeness, edges: float, share: float) -> tuple[tuple[Card, float], ...]:
    """The cards that it may be, likeliest first, with their chances; some is left for others.

    The others are needed where all of these lie elsewhere: one that is hardly likely is not made
    certain by that.
    """
    best = trust(likeness, edges, share)
    weights = [_unexplained(likeness.value) / _unexplained(value) for _, value in likeness.others]
    sharp = [weight**SHARPNESS for weight in weights]
    rest = sum(sharp[1:])
    left = AMONG * (1 - best)
    chances = [best] + [left * weight / max(rest, weights[0]) for weight in sharp[1:]]
    return tuple(
        (card, chance)
        for (card, _), chance in zip(likeness.others, chances, strict=True)
        if card is not None
    )


def _unexplained(value: float) -> float:
    return max(1e-6, 1 - max(0.0, value) ** 2)
