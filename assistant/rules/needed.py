"""Which hands the count still needs: those that can change who gets how many stones (R46).

The lances are gone through in the order of the count (R30). One whose winner the shown hands
already tell needs nothing more; behind a lance that ends the juego nothing is needed at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.hands import HandValue, best_seat, value
from assistant.rules.phases import Lance, Phase
from assistant.rules.prizes import Values, counted, hand_values, outcome, punished, rivals_of
from assistant.rules.profile import Penalty, Profile, Real31
from assistant.rules.state import SIDE_LETTERS, LanceResult, State, once_a_state

WITH_VALUES = (Lance.PARES, Lance.JUEGO)
"""Lances in which the winners' own hands bring stones (R13, R15)."""

BEST = {
    Lance.GRANDE: parse_hand("R R R R"),
    Lance.CHICA: parse_hand("1 1 1 1"),
    Lance.PARES: parse_hand("R R R R"),
    Lance.JUEGO: parse_hand("R C S 1"),
    Lance.PUNTO: parse_hand("R C 6 4"),
}
"""No hand is better; but for the real, at juego (R40)."""


def missing_hands(state: State) -> tuple[int, ...]:
    """The seats whose cards can still change who wins stones, from mano."""
    return _missing(state) if state.phase is Phase.SHOWDOWN else ()


@once_a_state
def _missing(state: State) -> tuple[int, ...]:
    hands = state.hands
    unseen = [seat for seat in state.in_play() if hands[seat - 1] is None]
    if not unseen or unclosed(state):
        return tuple(unseen)
    needed = _needed_by_the_count(state, unseen)
    return tuple([seat for seat in unseen if seat in needed])


def unclosed(state: State) -> bool:
    """Whether an article undid an órdago, so that the cards must close what was never played."""
    if any(result.how is e.How.ORDAGO for result in state.results):
        return False
    return not any(result.lance in (Lance.JUEGO, Lance.PUNTO) for result in state.results)


def _needed_by_the_count(state: State, unseen: list[int]) -> set[int]:
    values = hand_values(state)
    needed: set[int] = set()
    stones = list(state.stones)
    for result in counted(state):
        wanted = {
            *_needed(state, result, unseen, values),
            *_injured(state, result, unseen),
            *_of_the_ordago(state, result, unseen),
        }
        needed |= wanted
        if len(needed) == len(unseen):
            return set(unseen)
        if needed or result.how is e.How.ORDAGO:
            continue  # from here on nobody knows yet how the stones stand
        if won := outcome(state, result, values):
            side = SIDE_LETTERS.index(won.side)
            stones[side] += sum(prize for prize, _why in won.stones)
            if stones[side] >= state.profile.target:
                return needed
    return needed


def _injured(state: State, result: LanceResult, unseen: list[int]) -> Iterable[int]:
    """After a denial the values of the rivals count, whoever won by the cards (S2 5.3)."""
    denials = punished(state, result)
    if not denials:
        return ()
    rivals = rivals_of(state, denials)
    agreed = result.claimed is not None and result.side in {state.side_of(seat) for seat in rivals}
    return () if agreed else [seat for seat in rivals if seat in unseen]


def _of_the_ordago(state: State, result: LanceResult, unseen: list[int]) -> Iterable[int]:
    """Who said an órdago (S2 5.5) and who wanted it (S2 4.8): articles look at what they hold."""
    bet, penalty = result.bet, state.profile.penalty
    if bet is None or result.claimed is not None or result.how is not e.How.ORDAGO:
        return ()
    if penalty is Penalty.OFF or result.lance not in WITH_VALUES:
        return ()
    wanted = bet.accepted if penalty is Penalty.INTERPENAS else ()
    return [seat for seat in unseen if seat in (bet.seat, *wanted)]


def _needed(state: State, result: LanceResult, unseen: list[int], values: Values) -> Iterable[int]:
    if result.claimed is not None or result.how in (e.How.NOBODY, e.How.VOID):
        return ()
    waiting = [seat for seat in state.rivals_in(result) if seat in unseen]
    brings_values = result.lance in WITH_VALUES and result.how is not e.How.ORDAGO
    if result.how in (e.How.REFUSED, e.How.UNCONTESTED):
        # The values of the winners' own hands are still to be counted (R17, R28).
        winners = [seat for seat in waiting if state.side_of(seat) == result.side]
        return winners if brings_values else ()
    best = best_seat(result.lance, values, state.rivals_in(result))
    leader = state.side_of(best) if best else None
    rivals = [seat for seat in waiting if state.side_of(seat) != leader]
    if best is None or any(_may_beat(state, result.lance, seat, best, values) for seat in rivals):
        return waiting
    # Only the leader's partners are unseen: they change the values, not the winner.
    return waiting if brings_values else ()


def _may_beat(state: State, lance: Lance, seat: int, leader: int, values: Values) -> bool:
    """Whether an unseen hand may win over the best one seen; 31 of mano, say, nobody beats.

    Which cards are left in the deck is not counted.
    """
    order = state.in_play()
    return order.index(seat) < order.index(leader) or not _is_best(
        lance, values[leader], state.profile
    )


def _is_best(lance: Lance, hand: HandValue, profile: Profile) -> bool:
    if lance is Lance.JUEGO and profile.real31 is not Real31.OFF:
        return hand.real
    return hand.key(lance) == value(BEST[lance], profile).key(lance)
