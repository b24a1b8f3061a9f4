"""A hand named aloud at the showdown: which one it was, and whether to ask.

No I/O. The sound tells which four cards it may have been; what the players declared, and
the cards that lie open already, tell which of those are possible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assistant.messages import Accepted, Ask, CardsUnclear, Heard, Ignored, Outcome
from assistant.rules.calls import ShowHand
from assistant.rules.engine import missing_hands
from assistant.rules.events import DeclarationDisproved
from assistant.rules.hands import HandValue, value
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.asked import Doubt, Outcomes
from assistant.table.doubt import Weighed

CONTRADICTS = 0.02
"""How likely it is that a player's cards are other than he declared; then he is warned (R47)."""
TAKEN = 0.9
"""Probability from which a hand is taken unasked. A wrong one costs stones, a question costs three
seconds; scripts/lab/bench_stream.py counts both."""
ASKED = 0.25
"""Probability from which it is asked for."""
CLEAR = 0.0
"""Margin, in nats, from which it need not be asked for."""

Ways = Callable[[Heard], dict[Outcomes, float]]
"""What the ways to hear an utterance come to at the table, and how probable each of them is."""


class NamedHands:
    """Weighs hands; it remembers which ones a player has just said were not his."""

    def __init__(self) -> None:
        self._denied: set[HandValue] = set()

    def deny(self, ask: Ask, profile: Profile) -> None:
        """Somebody said no to a hand that was asked for: it is not asked for again."""
        shown = (option.cards for option in ask.options if isinstance(option, ShowHand))
        self._denied.update(value(cards, profile) for cards in shown if cards)

    def forget(self) -> None:
        """The table has moved: the next hand is another player's."""
        self._denied.clear()

    def weigh(
        self, heard: Heard, seq: int, profile: Profile, doubt: Doubt | None, ways: Ways
    ) -> Weighed | None:
        """What a hand comes to; None where none was named.

        Hands of the same worth count together: with eight reyes a tres is a rey. ``seq``: the
        table's last record; ``doubt``: a question that stands, which is answered by saying the same
        hand again.
        """
        if heard.narrowed is None:
            return None
        found = ways(replace(heard, hypotheses=heard.narrowed.hypotheses))
        likely: dict[HandValue, list[tuple[float, Outcomes, ShowHand]]] = {}
        for outcomes, share in found.items():
            call = _shown(outcomes)
            if call is None or (worth := value(call.cards, profile)) in self._denied:
                continue
            share *= CONTRADICTS if _contradicts(outcomes) else 1.0
            likely.setdefault(worth, []).append((share, outcomes, call))
        shares = {worth: sum(share for share, *_ in ways) for worth, ways in likely.items()}
        if not shares:
            return None
        best = max(shares, key=shares.__getitem__)
        probability = shares[best] / sum(shares.values())
        _, outcomes, call = max(likely[best], key=lambda way: way[0])
        if probability < ASKED:
            return None
        ask = Ask("sure", (call,))
        clear = probability >= TAKEN and heard.narrowed.margin >= CLEAR
        if clear or (doubt and doubt.repeats(ask)):
            return Weighed(outcomes)
        return Weighed((ask,), Doubt(seq, heard.end, ask, ({outcomes: 1.0},)))


def ask_for_cards(message: CardsUnclear, state: State) -> Outcome:
    """Of what the camera cannot read, what comes first: one thing is asked for at a time."""
    lacking = {one.seat: one for one in message.lacking}
    for seat in missing_hands(state):
        if one := lacking.get(seat):
            told = ("seat", seat), ("trouble", one.trouble), ("cards", one.cards)
            return Ask("cards_unclear", params=tuple((name, str(value)) for name, value in told))
    return Ignored("not_now")


def _shown(outcomes: Outcomes) -> ShowHand | None:
    """The hand that is all of what an utterance comes to."""
    match outcomes:
        case (Accepted(call=ShowHand() as call),):
            return call
        case _:
            return None


def _contradicts(outcomes: Outcomes) -> bool:
    return any(
        isinstance(event, DeclarationDisproved)
        for outcome in outcomes
        if isinstance(outcome, Accepted)
        for event in outcome.events
    )
