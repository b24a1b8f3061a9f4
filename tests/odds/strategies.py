"""Hypothesis strategies for decks, hands and seats."""

from __future__ import annotations

from hypothesis import strategies as st

from assistant.odds import Known
from assistant.odds.deck import OddsDeck, deck_of, hands_of
from assistant.rules.cards import Rank
from assistant.rules.profile import Profile

FORTY = deck_of(Profile())
seats = st.integers(1, 4)


def _hand(deck: OddsDeck) -> st.SearchStrategy[tuple[Rank, ...]]:
    return st.sampled_from(hands_of(deck).ranks)


@st.composite
def small_games(draw: st.DrawFn) -> tuple[OddsDeck, Known]:
    """A deck of sixteen cards of any ranks, with four or eight kings, and what somebody knows."""
    kings = draw(st.sampled_from((8, 4)))
    all_ranks = [rank for rank, _ in deck_of(Profile(kings=kings)).counts]
    chosen = draw(st.lists(st.sampled_from(all_ranks), min_size=3, max_size=6, unique=True))
    kinds = sorted(chosen, key=all_ranks.index)
    copies = [2] * len(kinds)
    while sum(copies) < 16:
        open_kinds = [i for i, n in enumerate(copies) if n < 8]
        copies[draw(st.sampled_from(open_kinds))] += 1
    deck = OddsDeck(tuple(zip(kinds, copies, strict=True)), kings)
    return deck, Known(draw(_hand(deck)), draw(seats), draw(seats))


games = st.builds(Known, hand=_hand(FORTY), seat=seats, mano=seats)
"""A hand of the whole deck, and the seat of its player."""
