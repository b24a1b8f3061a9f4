"""Random house rules: every option, in combinations that a table can play."""

from __future__ import annotations

import random
from enum import StrEnum
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
    return _reconciled(values)


def drawn_profile(dice: random.Random, **fixed: Any) -> Profile:
    """A valid profile that owes nothing to the one drawn before, with some rules as told."""
    values: dict[str, Any] = {
        key: dice.choice(_choices(key))
        for key in OPTIONS
        if key not in ("real31_cards", "calls", "voice")
    }
    values.update(fixed)
    if values["real31"] is Real31.SUITS:
        values["real31_cards"] = (dice.choice(FIGURES), *dice.sample(SEVENS, 3))
    return _reconciled(values)


def _choices(key: str) -> list[Any]:
    kind = get_type_hints(Profile)[key]
    if issubclass(kind, StrEnum):
        return list(kind)
    if key in NUMBERS:
        return list(range(1, 6))
    return [False, True] if kind is bool else list(OPTIONS[key].values.numbers)


def _reconciled(values: dict[str, Any]) -> Profile:
    for _ in OPTIONS:
        try:
            return Profile(**values)
        except ProfileError as error:  # Reset the rule that contradicts another.
            values[error.key or ""] = OPTIONS[error.key or ""].default
    return Profile()
