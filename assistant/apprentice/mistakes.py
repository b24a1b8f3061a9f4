"""The last call that moved nothing, explained kindly, with what is said instead."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.apprentice.keys import NO_MISTAKE, TAUGHT
from assistant.apprentice.shape import MistakeView
from assistant.apprentice.words import Tongue
from assistant.messages import Ask, Ignored, Outcome, Refused
from assistant.rules.hands import HandValue
from assistant.rules.phases import BEFORE_LANCES, LANCE_OF, Lance, Phase
from assistant.rules.prizes import hand_values
from assistant.rules.state import State


def mistake(
    state: State, outcomes: Sequence[Outcome], tongue: Tongue, name: str = ""
) -> MistakeView | None:
    """What was wrong with the last words, or with a declaration that the open cards contradict.

    ``name``: who said those words, if it was somebody else who is known.
    """
    last = outcomes[-1] if outcomes else None
    if isinstance(last, Refused | Ask | Ignored) and last.code not in NO_MISTAKE:
        return {**_explained(state, last.code, tongue), "name": name}
    return _untrue(state, tongue)


def _explained(state: State, code: str, tongue: Tongue) -> MistakeView:
    key = f"mistake.{code}"
    words: dict[str, str | int] = {
        "the": tongue.lance(_lance(state))["the"],
        "n": tongue.stones(state.profile.min_bet),
        "m": tongue.stones(state.profile.min_raise),
    }
    return {
        "code": code,
        "name": "",
        "text": tongue(key if code in TAUGHT else "mistake.other", **words),
    }


def _lance(state: State) -> Lance:
    if state.phase in BEFORE_LANCES:
        return Lance.GRANDE
    return LANCE_OF.get(state.phase, Lance.GRANDE)


def _untrue(state: State, tongue: Tongue) -> MistakeView | None:
    """A declaration that the cards on the table contradict (R47, R48)."""
    if state.phase not in (Phase.SHOWDOWN, Phase.COUNT):
        return None
    for seat, hand in hand_values(state).items():
        for lance, holds in ((Lance.PARES, hand.pares is not None), (Lance.JUEGO, hand.juego)):
            told = state.declared(lance)[seat - 1]
            if told is not None and told is not holds:
                return _contradicted(state, seat, lance, hand, tongue)
    return None


def _contradicted(
    state: State, seat: int, lance: Lance, hand: HandValue, tongue: Tongue
) -> MistakeView:
    code = f"{'claimed' if state.declared(lance)[seat - 1] else 'denied'}_{lance}"
    cards = tongue.cards(state.hands[seat - 1] or (), state.profile)
    words: dict[str, str | int] = {
        "name": state.seats[seat - 1],
        "cards": cards,
        "points": hand.points,
    }
    return {"code": code, "name": "", "text": tongue(f"mistake.{code}", **words)}
