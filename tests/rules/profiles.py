"""Random house rules: every option, in combinations that a table can play."""

from __future__ import annotations

from typing import Any, get_type_hints

from hypothesis import strategies as st

from assistant.rules.cards import DECK, Rank
from assistant.rules.errors import ProfileError
from assistant.rules.profile import OPTIONS, Profile, Real31

SEVENS = [card for card in DECK if card.rank is Rank.SIETE]
FIGURES = [card for card in DECK if card.rank in (Rank.REY, Rank.CABALLO, Rank.SOTA)]
LANGUAGES = st.sampled_from(["es", "eu", "iparralde", "pt"])
NUMBERS: dict[str, st.SearchStrategy[int]] = {
    "min_bet": st.integers(1, 5),
    "min_raise": st.integers(1, 5),
}
"""Smaller ranges than the rules allow, because large numbers stop almost all betting."""


def numbers(key: str) -> st.SearchStrategy[Any]:
    """Numbers that a rule takes, or any value of its type where it takes no number."""
    allowed = OPTIONS[key].values.numbers
    if not allowed:
        return st.from_type(get_type_hints(Profile)[key])
    return NUMBERS.get(key, st.sampled_from(allowed))


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """Any valid profile. Where two rules contradict each other, one of them keeps its default."""
    values: dict[str, Any] = {
        key: draw(numbers(key)) for key in OPTIONS if key not in ("real31_cards", "calls", "voice")
    }
    cards = (draw(st.sampled_from(FIGURES)), *draw(st.permutations(SEVENS))[:3])
    values["real31_cards"] = cards if values["real31"] is Real31.SUITS else ()
    values["calls"] = tuple(draw(st.lists(LANGUAGES, min_size=1, max_size=3, unique=True)))
    values["voice"] = draw(LANGUAGES)
    for _ in OPTIONS:
        try:
            return Profile(**values)
        except ProfileError as error:  # Reset the rule that contradicts another.
            values[error.key or ""] = OPTIONS[error.key or ""].default
    return Profile()
